/* SPDX-License-Identifier: GPL-2.0-only */
/* Random filters, times and inputs for the unit tests. */
#ifndef UNIT_FILTER_RANDOM_H
#define UNIT_FILTER_RANDOM_H

#include "filter.h"
#include "tap.h"

#define ONE		PWRCTL_FILTER_ONE
#define NSEC_PER_MS	1000000ULL
#define TEN_YEARS	(3653ULL * 86400 * 1000 * NSEC_PER_MS)

/* A fraction of one as a double, for messages: in 1024ths */
#define IN_1024(q62)	((double)(q62) / (double)(ONE >> 10))

static inline __u32 random_ms(void)
{
	switch (rnd_below(4)) {
	case 0:
		return 1 + (__u32)rnd_below(60000);
	case 1: {
		static const __u32 edge[8] = { 1, 2, 64, 125, 250, 1024, 32768, 60000 };

		return edge[rnd_below(8)];
	}
	default:
		return (__u32)rnd_magnitude(60000);
	}
}

static inline struct pwrctl_filter_params random_params(__u8 mode)
{
	struct pwrctl_filter_params p = { .mode = mode };

	/* one by one: initialisers run in any order, and a seed must mean one case */
	p.pelt_shift = (__u8)rnd_below(11);
	p.decay_ms = random_ms();
	if (rnd_below(2))
		p.fall_ms = random_ms();
	return p;
}

/* Some input; often a corner, or a hair away from where the input is. */
static inline __u64 random_input(__u64 in)
{
	__u64 hair = rnd_magnitude(ONE >> 8);

	switch (rnd_below(8)) {
	case 0:
		return 0;
	case 1:
		return ONE;
	case 2:
		return in > hair ? in - hair : 0;
	case 3:
		return in < ONE - hair ? in + hair : ONE;
	case 4:
		return rnd_below(1025) << 52;
	default:
		return rnd_below(ONE + 1);
	}
}

/* 1 ns to 10 years, half of the time near the half-life, where most happens */
static inline __u64 random_gap(__u64 half_ns)
{
	if (rnd_below(2))
		return rnd_magnitude(TEN_YEARS);
	return 1 + rnd_below(half_ns * 4);
}

#endif /* UNIT_FILTER_RANDOM_H */
