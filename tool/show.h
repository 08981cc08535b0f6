/* SPDX-License-Identifier: GPL-2.0-only */
/* How objects look, for every verb that prints them. */
#ifndef PWRCTL_TOOL_SHOW_H
#define PWRCTL_TOOL_SHOW_H

#include "model.h"
#include "out.h"

void pwrctl_show_domain(struct pwrctl_out *out, const struct pwrctl_domain *domain,
			const struct pwrctl_settings *settings);
void pwrctl_show_settings(struct pwrctl_out *out, const struct pwrctl_settings *settings,
			  uint32_t keys, bool marked);
void pwrctl_show_own(struct pwrctl_out *out, const struct pwrctl_settings *settings);

#endif
