// SPDX-License-Identifier: GPL-2.0-only
/* A file of its own, so that the tests can measure with a clock that is made up. */
#include <time.h>

#include "child.h"

/**
 * pwrctl_child_clock_ns - the clock that commands are timed with
 *
 * Return: CLOCK_MONOTONIC in nanoseconds.
 */
uint64_t pwrctl_child_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
