/* SPDX-License-Identifier: GPL-2.0-only */
/* Ending properly: verbs that run for a while are told of signals and closed pipes here. */
#ifndef PWRCTL_TOOL_STOP_H
#define PWRCTL_TOOL_STOP_H

#include <stdbool.h>

void pwrctl_stop_begin(void);
bool pwrctl_stop_asked(void);
int pwrctl_stop_signal(void);
int pwrctl_stop_wait(int fd, int timeout_ms);

#endif
