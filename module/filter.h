/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The averaging filter: pure arithmetic on a piecewise constant input.
 *
 * This file and filter.c know no kernel type and call no kernel function, so that the module,
 * "pwrctl replay" and the unit tests all build the very same code. filter.c tells how it works.
 *
 * Units: pressures are fractions in Q62 (PWRCTL_FILTER_ONE is all of the capacity lost), times are
 * nanoseconds of any one clock that does not jump, half-lives are milliseconds.
 *
 * Locking: none in here. The caller serialises everything that takes a non-const filter. The
 * functions that take a const one are pure, never loop without bound and never trap, whatever the
 * bytes of the filter: they may be handed a copy torn by a writer, if the result is then dropped
 * (seqcount latch). A reader may also do pwrctl_filter_input() to such a copy of its own, torn
 * between members, not inside one.
 */
#ifndef PWRCTL_FILTER_H
#define PWRCTL_FILTER_H

#include <linux/types.h>

#define PWRCTL_FILTER_SHIFT	62
#define PWRCTL_FILTER_ONE	((__u64)1 << PWRCTL_FILTER_SHIFT)
#define PWRCTL_FILTER_NEVER	(~0ULL)

/* The average counts as settled when it is this close to where it comes to rest (1/4096). */
#define PWRCTL_FILTER_SETTLED	(PWRCTL_FILTER_ONE >> 12)

#define PWRCTL_FILTER_MAX_MS	60000U
#define PWRCTL_FILTER_MAX_SHIFT	10U

/**
 * enum pwrctl_filter_mode - how the input becomes the average
 * @PWRCTL_FILTER_OFF: the average is 0
 * @PWRCTL_FILTER_INSTANT: the average is the input
 * @PWRCTL_FILTER_PELT: the kernel's per-entity load tracking, evaluated lazily
 * @PWRCTL_FILTER_DECAY: exponential approach with a half-life in milliseconds
 *
 * The numbers are those of the mode setting in the UAPI.
 */
enum pwrctl_filter_mode {
	PWRCTL_FILTER_OFF	= 0,
	PWRCTL_FILTER_INSTANT	= 1,
	PWRCTL_FILTER_PELT	= 2,
	PWRCTL_FILTER_DECAY	= 3,
};

/**
 * struct pwrctl_filter_params - what a filter can be told to do
 * @mode: enum pwrctl_filter_mode; an unknown number is treated as off
 * @pelt_shift: pelt runs 2^pelt_shift times slower than the kernel's, 0..10
 * @decay_ms: half-life of decay in milliseconds, 1..60000
 * @fall_ms: the same while the average falls, 0..60000; 0 = decay_ms
 */
struct pwrctl_filter_params {
	__u8	mode;
	__u8	pelt_shift;
	__u32	decay_ms;
	__u32	fall_ms;
};

/**
 * struct pwrctl_filter - state of one average
 * @in: the input since the last event (Q62)
 * @rest: where the average comes to rest: @in, or what the mode makes of it (Q62)
 * @rest_at: from this time on the average is exactly @rest (ns)
 * @stamp: time of the last fold (ns); pelt: last_update_time, in ns >> pelt_shift
 * @dist: decay: distance of the average from @rest at @stamp (Q63, so twice the Q62 value)
 * @recip: decay: 2^(64 + recip_shift) / half-life in ns
 * @load_sum: pelt: the kernel's load_sum
 * @load_avg: pelt: the kernel's load_avg, 0..1024
 * @period_contrib: pelt: the kernel's period_contrib, 0..1023
 * @half_ms: decay: the half-life @recip stands for (ms); 0 = none yet
 * @decay_ms: parameter
 * @fall_ms: parameter
 * @mode: parameter
 * @pelt_shift: parameter
 * @recip_shift: see @recip
 * @falling: decay: the average comes down to @rest rather than up
 */
struct pwrctl_filter {
	__u64	in;
	__u64	rest;
	__u64	rest_at;
	__u64	stamp;
	union {
		struct {
			__u64	dist;
			__u64	recip;
		};
		struct {
			__u64	load_sum;
			__u32	load_avg;
			__u32	period_contrib;
		};
	};
	__u32	half_ms;
	__u32	decay_ms;
	__u32	fall_ms;
	__u8	mode;
	__u8	pelt_shift;
	__u8	recip_shift;
	__u8	falling;
};

void pwrctl_filter_init(struct pwrctl_filter *f, const struct pwrctl_filter_params *p, __u64 now);
void pwrctl_filter_input(struct pwrctl_filter *f, __u64 now, __u64 in);
void pwrctl_filter_set(struct pwrctl_filter *f, __u64 now, const struct pwrctl_filter_params *p);
__u64 pwrctl_filter_read(const struct pwrctl_filter *f, __u64 now);
__u64 pwrctl_filter_next(const struct pwrctl_filter *f, __u64 now, __u64 last, __u64 quantum);
int pwrctl_filter_settled(const struct pwrctl_filter *f, __u64 now);
__u64 pwrctl_filter_tell(const struct pwrctl_filter *f, __u64 now);
__u64 pwrctl_filter_target(const struct pwrctl_filter *f);
__u32 pwrctl_filter_to_1024(__u64 q62);
__u64 pwrctl_filter_fraction(__u32 part, __u32 whole);

#endif /* PWRCTL_FILTER_H */
