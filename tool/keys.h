/* SPDX-License-Identifier: GPL-2.0-only */
/* What get, set and unset have in common: an optional domain, then keys. */
#ifndef PWRCTL_TOOL_KEYS_H
#define PWRCTL_TOOL_KEYS_H

#include "client.h"
#include "tool.h"

const char *pwrctl_keys_domain(struct pwrctl_run *run, int *next);
const struct pwrctl_setting *pwrctl_keys_find(struct pwrctl_run *run, const char *name,
					      const char *domain);
int pwrctl_keys_fail(struct pwrctl_client *client, const char *what, const char *domain);
int pwrctl_keys_answer(struct pwrctl_run *run, struct pwrctl_client *client, const char *domain);

#endif
