/* SPDX-License-Identifier: GPL-2.0-only */
/* TAP 13 for the native unit tests: plan first, one line a test, the reason for a failure above. */
#ifndef UNIT_TAP_H
#define UNIT_TAP_H

#include <linux/types.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned int tap_planned, tap_done, tap_failed;
static unsigned long tap_complaints;	/* of the test that runs */

static inline void tap_plan(unsigned int n)
{
	tap_planned = n;
	printf("TAP version 13\n1..%u\n", n);
	fflush(stdout);
}

/* Notes a violation. The first few are printed, all make the test fail. */
__printf(1, 2)
static inline void tap_complain(const char *fmt, ...)
{
	va_list ap;

	if (tap_complaints++ >= 5)
		return;
	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}

/* Ends the test: it holds if nobody complained. */
static inline void tap_end(const char *name)
{
	if (tap_complaints) {
		printf("# %lu violations\n", tap_complaints);
		tap_failed++;
	}
	printf("%sok %u - %s\n", tap_complaints ? "not " : "", ++tap_done, name);
	fflush(stdout);
	tap_complaints = 0;
}

static inline int tap_exit(void)
{
	printf("# %u of %u failed\n", tap_failed, tap_planned);
	return tap_failed || tap_done != tap_planned;
}

/* How often to try: UNIT_DIVIDE in the environment divides it, for a quick look. */
static inline unsigned long tap_rounds(unsigned long full)
{
	const char *divide = getenv("UNIT_DIVIDE");
	unsigned long by = divide ? strtoul(divide, NULL, 10) : 1;

	return by > 1 ? full / by + 1 : full;
}

/* splitmix64: the same sequence everywhere, from a seed that a failure can be repeated with */
static __u64 rnd_state = 1;

static inline __u64 rnd(void)
{
	__u64 z = (rnd_state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/* 0..n-1 */
static inline __u64 rnd_below(__u64 n)
{
	return (__u64)(((__uint128_t)rnd() * n) >> 64);
}

/* 1..max, all orders of magnitude alike */
static inline __u64 rnd_magnitude(__u64 max)
{
	unsigned int bits = 64 - (unsigned int)__builtin_clzll(max);
	__u64 shift = 63 - rnd_below(bits);
	__u64 v = rnd() >> shift;

	return v < 1 ? 1 : v > max ? max : v;
}

#endif /* UNIT_TAP_H */
