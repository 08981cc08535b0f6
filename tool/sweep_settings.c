// SPDX-License-Identifier: GPL-2.0-only
/* The settings during a sweep: set for every run, and put back as far as they are still ours. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "out.h"
#include "sweep.h"

#define BIT(id)	(1u << (id))

/* The keys that a sweep sets; a domain's own values of them would hide the global ones. */
static const uint32_t keys[] = {
	PWRCTL_A_SET_MODE, PWRCTL_A_SET_DECAY_MS, PWRCTL_A_SET_FALL_MS, PWRCTL_A_SET_PELT_SHIFT,
};

#define KEYS	(sizeof(keys) / sizeof(keys[0]))

static int copy(const struct pwrctl_config *from, struct pwrctl_config *to)
{
	to->scopes = calloc(from->count + 1, sizeof(*to->scopes));
	if (!to->scopes)
		return -ENOMEM;
	memcpy(to->scopes, from->scopes, from->count * sizeof(*to->scopes));
	to->count = from->count;
	return 0;
}

static void put_value(struct pwrctl_settings *settings, uint32_t key, uint32_t value)
{
	settings->value[key] = value;
	settings->have |= BIT(key);
}

static void put_point(struct pwrctl_config *config, const struct pwrctl_filter_params *params)
{
	size_t i, j;

	for (i = 0; i < config->count; i++) {
		struct pwrctl_settings *own = &config->scopes[i].own;

		for (j = 0; *config->scopes[i].domain && j < KEYS; j++)
			own->have &= ~BIT(keys[j]);
		if (*config->scopes[i].domain)
			continue;
		put_value(own, PWRCTL_A_SET_MODE, params->mode);
		put_value(own, PWRCTL_A_SET_DECAY_MS, params->decay_ms);
		put_value(own, PWRCTL_A_SET_FALL_MS, params->fall_ms);
		put_value(own, PWRCTL_A_SET_PELT_SHIFT, params->pelt_shift);
	}
}

/* Is this key as the sweep set it last? Global keys have a value always, domains' only if own. */
static bool is_ours(const struct pwrctl_config_scope *set, const struct pwrctl_config_scope *now,
		    uint32_t key)
{
	bool had = set->own.have & BIT(key), has = now->own.have & BIT(key);

	if (!*set->domain)
		return set->own.value[key] == now->own.value[key];
	return had == has && (!has || set->own.value[key] == now->own.value[key]);
}

/* Puts the keys of one scope back; returns how many somebody else has set meanwhile. */
static unsigned int put_back(struct pwrctl_config_scope *want,
			     const struct pwrctl_config_scope *set,
			     const struct pwrctl_config_scope *found)
{
	unsigned int others = 0;
	size_t i;

	for (i = 0; i < KEYS; i++) {
		if (!is_ours(set, want, keys[i])) {
			others++;
			continue;
		}
		want->own.have &= ~BIT(keys[i]);
		want->own.have |= found->own.have & BIT(keys[i]);
		want->own.value[keys[i]] = found->own.value[keys[i]];
	}
	return others;
}

static int apply(struct pwrctl_sweep *sweep, const struct pwrctl_config *want,
		 const struct pwrctl_config *now, const char *what)
{
	char failed[512];
	int error = pwrctl_config_apply(sweep->client, want, now, failed, sizeof(failed));

	if (error)
		pwrctl_out_error("cannot %s: %s", what, failed);
	return error;
}

/**
 * pwrctl_sweep_set - set a point for all domains
 * @sweep: with the settings that were found
 * @point: what to set
 *
 * Return: 0 or -errno after telling why.
 */
int pwrctl_sweep_set(struct pwrctl_sweep *sweep, const struct pwrctl_point *point)
{
	struct pwrctl_config want, now;
	int error;

	if (pwrctl_config_fetch(sweep->client, &now)) {
		pwrctl_main_fail(sweep->client);
		pwrctl_config_free(&now);
		return -EIO;
	}
	if (copy(&now, &want)) {
		pwrctl_config_free(&now);
		return -ENOMEM;
	}
	put_point(&want, &point->params);
	error = apply(sweep, &want, &now, "set what is to be measured");
	pwrctl_config_free(&now);
	if (error) {
		pwrctl_config_free(&want);
		return error;
	}
	pwrctl_config_free(&sweep->last);
	sweep->last = want;
	sweep->changed = true;
	return 0;
}

/**
 * pwrctl_sweep_restore - put the settings back that are still as the sweep set them
 * @sweep: any time
 *
 * What somebody else has set meanwhile stays, and the user is told.
 *
 * Return: 0 or -errno after telling why.
 */
int pwrctl_sweep_restore(struct pwrctl_sweep *sweep)
{
	const struct pwrctl_config_scope *set, *found;
	struct pwrctl_config now, want = { 0 };
	unsigned int others = 0;
	size_t i;
	int error;

	if (!sweep->changed)
		return 0;
	error = pwrctl_config_fetch(sweep->client, &now);
	if (error)
		pwrctl_main_fail(sweep->client);
	if (!error)
		error = copy(&now, &want);
	for (i = 0; !error && i < want.count; i++) {
		set = pwrctl_config_find(&sweep->last, want.scopes[i].domain);
		found = pwrctl_config_find(&sweep->found, want.scopes[i].domain);
		if (set && found)
			others += put_back(&want.scopes[i], set, found);
	}
	if (!error)
		error = apply(sweep, &want, &now, "restore the settings");
	if (others)
		pwrctl_out_error("%u settings were changed by somebody else meanwhile: they stay",
				 others);
	pwrctl_config_free(&want);
	pwrctl_config_free(&now);
	sweep->changed = false;
	return error;
}
