/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PWRCTL_TOOL_SWEEP_REPORT_H
#define PWRCTL_TOOL_SWEEP_REPORT_H

#include "sweep.h"

void pwrctl_sweep_report(const struct pwrctl_sweep *sweep, bool interrupted);

#endif
