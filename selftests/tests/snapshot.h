/* SPDX-License-Identifier: GPL-2.0-only */
/* Everything that a refused message could have changed, to be compared before and after. */
#ifndef SELFTESTS_SNAPSHOT_H
#define SELFTESTS_SNAPSHOT_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../lib/nl.h"

#define SNAPSHOT_DOMAINS	64

/**
 * struct snapshot - all settings and all caps
 * @count: how many domains there are
 * @all: global settings
 * @own: settings of each domain
 * @domains: the domains
 */
struct snapshot {
	int count;
	struct nl_settings all;
	struct nl_settings own[SNAPSHOT_DOMAINS];
	struct nl_domain domains[SNAPSHOT_DOMAINS];
};

/* Fills in @shot; 0 or -errno. */
static inline int snapshot_take(struct nl *nl, struct snapshot *shot)
{
	int i, ret;

	memset(shot, 0, sizeof(*shot));
	shot->count = nl_domains(nl, shot->domains, SNAPSHOT_DOMAINS);
	if (shot->count < 0)
		return shot->count;
	ret = nl_settings(nl, NULL, &shot->all);
	for (i = 0; i < shot->count && !ret; i++)
		ret = nl_settings(nl, shot->domains[i].name, &shot->own[i]);
	return ret;
}

/* Are the settings of two snapshots the same? */
static inline bool snapshot_same_settings(const struct snapshot *a, const struct snapshot *b)
{
	return a->count == b->count && !memcmp(&a->all, &b->all, sizeof(a->all)) &&
	       !memcmp(a->own, b->own, sizeof(a->own));
}

/* Is all as it was? Clocks go on, but no event may have been counted. */
static inline bool snapshot_same(struct nl *nl, const struct snapshot *before)
{
	const struct nl_domain *a, *b;
	static struct snapshot now;
	int i;

	if (snapshot_take(nl, &now) || !snapshot_same_settings(&now, before))
		return false;
	for (i = 0; i < now.count; i++) {
		a = &now.domains[i];
		b = &before->domains[i];
		if (strcmp(a->name, b->name) || strcmp(a->cpus, b->cpus) ||
		    a->reference != b->reference || a->origin != b->origin || a->cap != b->cap ||
		    a->cause != b->cause || a->since != b->since || a->changed != b->changed ||
		    a->events != b->events || memcmp(a->caps, b->caps, sizeof(a->caps)))
			return false;
	}
	return true;
}

#endif /* SELFTESTS_SNAPSHOT_H */
