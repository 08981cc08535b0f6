/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All settings at once: as the module has them, as a file of text, and back. A file says
 * everything: keys it does not name have their default, or in a domain the global value.
 *
 *	# pwrctl settings
 *	global decay_ms 125
 *	policy4 mode instant
 */
#ifndef PWRCTL_TOOL_CONFIG_H
#define PWRCTL_TOOL_CONFIG_H

#include <stdio.h>

#include "client.h"

/**
 * struct pwrctl_config_scope - what is set in one place
 * @domain: its name, "" for global
 * @own: what is set there itself: "have" is the mask of these keys
 * @line: of the file, where this scope first appears
 */
struct pwrctl_config_scope {
	char domain[PWRCTL_NAME_LEN];
	struct pwrctl_settings own;
	unsigned int line;
};

/**
 * struct pwrctl_config - what is set everywhere
 * @scopes: the global one first
 * @count: how many
 */
struct pwrctl_config {
	struct pwrctl_config_scope *scopes;
	size_t count;
};

int pwrctl_config_fetch(struct pwrctl_client *client, struct pwrctl_config *config);
int pwrctl_config_parse(FILE *stream, const char *path, struct pwrctl_config *config);
void pwrctl_config_write(FILE *stream, const struct pwrctl_config *config);
int pwrctl_config_apply(struct pwrctl_client *client, const struct pwrctl_config *want,
			const struct pwrctl_config *now, char *failed, size_t size);
const struct pwrctl_config_scope *pwrctl_config_find(const struct pwrctl_config *config,
						     const char *domain);
void pwrctl_config_free(struct pwrctl_config *config);

#endif
