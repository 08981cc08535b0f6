/* SPDX-License-Identifier: GPL-2.0-only */
/* Running the command behind --. */
#ifndef PWRCTL_TOOL_CHILD_H
#define PWRCTL_TOOL_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What a shell says of a command that is not there, or cannot be run. */
#define PWRCTL_CHILD_MISSING	127
#define PWRCTL_CHILD_REFUSED	126

/**
 * struct pwrctl_child - a running or finished command
 * @pid: of the command
 * @fd: readable once it has ended
 * @start_ns: when it began (CLOCK_MONOTONIC)
 * @wall_s: how long it took
 * @user_s: user time, of its own waited-for children too
 * @system_s: system time likewise
 * @status: exit status, or 128 and the signal
 * @left: it left processes behind that still ran when it ended
 */
struct pwrctl_child {
	pid_t pid;
	int fd;
	uint64_t start_ns;
	double wall_s;
	double user_s;
	double system_s;
	int status;
	bool left;
};

int pwrctl_child_start(struct pwrctl_child *child, char *const *command, bool aside);
void pwrctl_child_finish(struct pwrctl_child *child);
void pwrctl_child_kill(struct pwrctl_child *child);

/* child_clock.c */
uint64_t pwrctl_child_clock_ns(void);

#endif
