/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PWRCTL_TOOL_RESULT_PLOT_H
#define PWRCTL_TOOL_RESULT_PLOT_H

#include "result.h"

int pwrctl_result_plot(const struct pwrctl_result *const *results, const char *const *names,
		       size_t count, const char *path, bool force);

#endif
