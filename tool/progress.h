/* SPDX-License-Identifier: GPL-2.0-only */
/* One line on a terminal that is written over; nothing where errors are no terminal. */
#ifndef PWRCTL_TOOL_PROGRESS_H
#define PWRCTL_TOOL_PROGRESS_H

void pwrctl_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void pwrctl_progress_end(void);
const char *pwrctl_progress_time(double seconds, char *text, unsigned int size);

#endif
