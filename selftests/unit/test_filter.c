// SPDX-License-Identifier: GPL-2.0-only
/*
 * off, instant and decay against a reference in long double: values, monotony, rest, and what a
 * change of parameters may do to the average. (pelt has its own reference: test_pelt.c.)
 */
#include <math.h>
#include <string.h>

#include "filter_random.h"

/*
 * The contract is 0.5 of 1024. What the filter itself admits is 2^-19 for its cut-off tail; twice
 * that finds faults a thousand times smaller than the contract would.
 */
#define TOLERANCE	(1.0L / (1 << 18))

struct reference {
	long double in, avg;		/* at stamp */
	__u64 stamp;
	struct pwrctl_filter_params p;
};

static long double q62(__u64 v)
{
	return (long double)v / ONE;
}

static __u64 half_ns(const struct pwrctl_filter_params *p, int falling)
{
	return (falling && p->fall_ms ? p->fall_ms : p->decay_ms) * NSEC_PER_MS;
}

static long double ref_target(const struct reference *r)
{
	return r->p.mode == PWRCTL_FILTER_OFF ? 0 : r->in;
}

static long double ref_read(const struct reference *r, __u64 now)
{
	long double dist = r->avg - r->in;
	long double x;

	if (r->p.mode != PWRCTL_FILTER_DECAY)
		return ref_target(r);
	if (now <= r->stamp)
		return r->avg;
	x = (long double)(now - r->stamp) / half_ns(&r->p, dist > 0);
	return r->in + dist * exp2l(-x);
}

static void ref_fold(struct reference *r, __u64 now)
{
	r->avg = ref_read(r, now);
	if (now > r->stamp)
		r->stamp = now;
}

/* What changes nothing is no event, and does not say what time it is either. */
static void ref_input(struct reference *r, __u64 now, __u64 in)
{
	if (q62(in) == r->in)
		return;
	ref_fold(r, now);
	r->in = q62(in);
}

static void ref_set(struct reference *r, __u64 now, const struct pwrctl_filter_params *p)
{
	if (p->mode != r->p.mode || (p->mode == PWRCTL_FILTER_DECAY &&
				     (p->decay_ms != r->p.decay_ms || p->fall_ms != r->p.fall_ms)))
		ref_fold(r, now);
	r->p = *p;
}

static void check_value(const char *when, const struct pwrctl_filter *f, const struct reference *r,
			__u64 now, __u64 seed)
{
	long double want = ref_read(r, now);
	__u64 v = pwrctl_filter_read(f, now);

	if (v > ONE || fabsl(q62(v) - want) > TOLERANCE)
		tap_complain("%s: %.9f, not %.9Lf of 1024 (mode %u, %u/%u ms, seed %llu)", when,
			     IN_1024(v), want * 1024, r->p.mode, r->p.decay_ms, r->p.fall_ms,
			     seed);
}

/* Later reads are nearer to the target, on the same side. */
static void check_monotone(const struct pwrctl_filter *f, __u64 from, __u64 gap,
			   __u64 seed)
{
	__u64 rest = pwrctl_filter_target(f);
	__u64 last = pwrctl_filter_read(f, from);
	__u64 step = gap / 3 + 1;

	for (int i = 0; i < 3; i++) {
		__u64 v = pwrctl_filter_read(f, from += rnd_below(step));

		if (last <= rest ? v < last || v > rest : v > last || v < rest)
			tap_complain("from %.9f to %.9f while going to %.9f (seed %llu)",
				     IN_1024(last), IN_1024(v), IN_1024(rest),
				     seed);
		last = v;
	}
}

/* Only off and instant may move the average when they are chosen. */
static void check_change(const struct pwrctl_filter *f, __u8 old_mode, __u64 before,
			 __u64 now, __u64 seed)
{
	__u64 after = pwrctl_filter_read(f, now);
	__u64 want = f->mode == PWRCTL_FILTER_OFF ? 0 :
			f->mode == PWRCTL_FILTER_INSTANT ? f->in : before;

	if (after != want)
		tap_complain("mode %u to %u moved the average from %.9f to %.9f (seed %llu)",
			     old_mode, f->mode, IN_1024(before), IN_1024(after),
			     seed);
}

static const __u8 modes[] = {
	PWRCTL_FILTER_DECAY, PWRCTL_FILTER_DECAY, PWRCTL_FILTER_DECAY, PWRCTL_FILTER_DECAY,
	PWRCTL_FILTER_INSTANT, PWRCTL_FILTER_OFF,
};

static __u8 random_mode(void)
{
	return modes[rnd_below(sizeof(modes))];
}

static void one_event(struct pwrctl_filter *f, struct reference *r, __u64 *now, __u64 seed)
{
	__u64 gap = random_gap(half_ns(&r->p, 0));
	__u64 before;

	check_monotone(f, *now, gap, seed);
	*now += gap;
	if (*now > 1ULL << 62)		/* 146 years of uptime */
		*now = r->stamp + rnd_below(NSEC_PER_MS);
	if (*now > 10000 && !rnd_below(16))	/* another CPU's clock is a little behind */
		*now -= rnd_below(10000);
	check_value("before an event", f, r, *now, seed);

	if (rnd_below(3)) {
		__u64 in = random_input(f->in);

		before = pwrctl_filter_read(f, *now);
		pwrctl_filter_input(f, *now, in);
		ref_input(r, *now, in);
		if (f->mode == PWRCTL_FILTER_DECAY && pwrctl_filter_read(f, *now) != before)
			tap_complain("an input moved the average at once (seed %llu)",
				     seed);
	} else {
		struct pwrctl_filter_params p = random_params(random_mode());
		__u8 old_mode = f->mode;

		if (!rnd_below(4))
			p = r->p;
		before = pwrctl_filter_read(f, *now);
		pwrctl_filter_set(f, *now, &p);
		ref_set(r, *now, &p);
		check_change(f, old_mode, before, *now, seed);
	}
	check_value("after an event", f, r, *now, seed);
}

static void random_sequences(void)
{
	unsigned long rounds = tap_rounds(10000000);

	for (unsigned long i = 0; i < rounds; i++) {
		__u64 seed = rnd_state;
		__u64 now = 10000 + rnd_magnitude(TEN_YEARS);
		struct reference r = { .p = random_params(random_mode()), .stamp = now };
		struct pwrctl_filter f;

		memset(&f, 0xa5, sizeof(f));
		pwrctl_filter_init(&f, &r.p, now);
		for (int n = 1 + (int)rnd_below(3); n; n--)
			one_event(&f, &r, &now, seed);

		now += 64 * 60000 * NSEC_PER_MS;
		if (pwrctl_filter_read(&f, now) != pwrctl_filter_target(&f) ||
		    !pwrctl_filter_settled(&f, now))
			tap_complain("not at rest after 64 half-lives (seed %llu)",
				     seed);
		if (pwrctl_filter_target(&f) != (f.mode == PWRCTL_FILTER_OFF ? 0 : f.in))
			tap_complain("rests somewhere else than at its input");
	}
	tap_end("10 million random sequences agree with long double, monotone, exact at rest");
}

static void long_sequence(void)
{
	struct pwrctl_filter_params p = random_params(PWRCTL_FILTER_DECAY);
	struct reference r = { .p = p, .stamp = 1000000 };
	__u64 now = r.stamp;
	struct pwrctl_filter f;

	pwrctl_filter_init(&f, &p, now);
	for (unsigned long i = tap_rounds(300000); i; i--)
		one_event(&f, &r, &now, rnd_state);
	tap_end("one sequence of 300000 events does not drift");
}

/* @chase: the input stays a hair above the average, inside what the filter calls "at rest" */
static void short_gaps(unsigned long events, __u64 max_gap, int chase, const char *name)
{
	struct pwrctl_filter_params p = { .mode = PWRCTL_FILTER_DECAY, .decay_ms = 60000 };
	struct reference r = { .p = p, .stamp = 5 };
	struct pwrctl_filter f;
	__u64 now = 5, in = ONE;

	pwrctl_filter_init(&f, &p, now);
	pwrctl_filter_input(&f, now, in);
	ref_input(&r, now, in);
	for (unsigned long i = tap_rounds(events); i; i--) {
		now += 1 + rnd_below(max_gap);
		if (chase)
			in = pwrctl_filter_read(&f, now) + (ONE >> 21);
		else
			in = rnd_below(8) ? in ^ 1 : random_input(in);
		pwrctl_filter_input(&f, now, in);
		ref_input(&r, now, f.in);
		check_value("short gaps", &f, &r, now, i);
	}
	tap_end(name);
}

/* The same instant many times: nothing may leak, whatever the input does. */
static void no_time_at_all(void)
{
	struct pwrctl_filter_params p = { .mode = PWRCTL_FILTER_DECAY, .decay_ms = 1 };
	struct pwrctl_filter f;
	__u64 before, now = 77;

	pwrctl_filter_init(&f, &p, now);
	pwrctl_filter_input(&f, now, ONE);
	now += NSEC_PER_MS;
	before = pwrctl_filter_read(&f, now);
	if (before != ONE / 2)
		tap_complain("%.12f after one half-life", IN_1024(before));
	pwrctl_filter_input(&f, now, 0);	/* the event that the times below are before */
	for (int i = 0; i < 100000; i++) {
		p.decay_ms = random_ms();
		pwrctl_filter_set(&f, now, &p);
		pwrctl_filter_input(&f, now - rnd_below(50), random_input(f.in));
	}
	if (pwrctl_filter_read(&f, now) != before || pwrctl_filter_read(&f, now - 60) != before)
		tap_complain("moved without time");
	tap_end("no time elapsed, or negative time: no movement");
}

static void rest_is_exact(void)
{
	struct pwrctl_filter_params p = { .mode = PWRCTL_FILTER_DECAY };
	struct pwrctl_filter f;

	for (unsigned long i = tap_rounds(100000); i; i--) {
		__u64 in = random_input(0), now = 1, half;

		p.decay_ms = random_ms();
		half = p.decay_ms * NSEC_PER_MS;
		pwrctl_filter_init(&f, &p, now);
		pwrctl_filter_input(&f, now, in);
		for (int k = 1; in >> k > ONE >> 20; k++)
			if (pwrctl_filter_read(&f, now + k * half) == in)
				tap_complain("at rest after %d half-lives, input %.9f", k,
					     IN_1024(in));
		if (pwrctl_filter_read(&f, now + 21 * half) != in)
			tap_complain("not at rest after 21 half-lives, input %.9f", IN_1024(in));
		pwrctl_filter_input(&f, now + 40 * half, 0);
		if (pwrctl_filter_read(&f, now + 61 * half))
			tap_complain("does not come back to exactly 0");
	}
	tap_end("at rest the average is the input, to the last bit, and not before");
}

/* One fold and one read: the state has to carry at least 56 bits of fraction. */
static void precision(void)
{
	for (unsigned long i = tap_rounds(1000000); i; i--) {
		long double want, got;
		struct pwrctl_filter_params p = random_params(PWRCTL_FILTER_DECAY);
		__u64 half = half_ns(&p, 0), now = 1, at = 1 + rnd_below(half * 18);
		__u64 in = ONE - rnd_below(ONE / 4);
		struct pwrctl_filter f;

		pwrctl_filter_init(&f, &p, now);
		pwrctl_filter_input(&f, now, in);
		/* what is left: it is the small number, so the reference keeps its own precision */
		want = q62(in) * exp2l(-(long double)at / half);
		got = q62(in - pwrctl_filter_read(&f, now + at));
		if (fabsl(got - want) * (1ULL << 58) > 1)
			tap_complain("off by %.3Lf * 2^-58, %u ms after %llu ns",
				     fabsl(got - want) * (1ULL << 58), p.decay_ms, at);
	}
	tap_end("a value is good to 2^-58");
}

static void separate_fall(void)
{
	struct pwrctl_filter_params p = {
		.mode = PWRCTL_FILTER_DECAY, .decay_ms = 100, .fall_ms = 1000,
	};
	struct pwrctl_filter f;
	__u64 v;

	pwrctl_filter_init(&f, &p, 0);
	pwrctl_filter_input(&f, 0, ONE);
	v = pwrctl_filter_read(&f, 100 * NSEC_PER_MS);
	if (pwrctl_filter_to_1024(v) != 512)
		tap_complain("rising: %.6f", IN_1024(v));
	pwrctl_filter_input(&f, 100 * NSEC_PER_MS, 0);
	v = pwrctl_filter_read(&f, 1100 * NSEC_PER_MS);
	if (pwrctl_filter_to_1024(v) != 256)
		tap_complain("falling: %.6f", IN_1024(v));
	tap_end("decay_ms rules the rise, fall_ms the fall");
}

static void conversions(void)
{
	for (unsigned long i = tap_rounds(1000000); i; i--) {
		__u32 whole = (__u32)rnd_magnitude(0xffffffffU);
		__u32 part = (__u32)rnd_magnitude(0xffffffffU);
		__u64 v = pwrctl_filter_fraction(part, whole);
		__u64 want = part >= whole ? ONE : (__u64)(((__uint128_t)part << 62) /
								 whole);
		long double near = roundl(q62(v) * 1024);

		if (v != want)
			tap_complain("%u / %u = %#llx", part, whole, v);
		if ((long double)pwrctl_filter_to_1024(v) != near)
			tap_complain("%.12f rounds to %u", IN_1024(v), pwrctl_filter_to_1024(v));
	}
	if (pwrctl_filter_fraction(5, 0) || pwrctl_filter_fraction(0, 0) ||
	    pwrctl_filter_fraction(0, 7) || pwrctl_filter_fraction(7, 7) != ONE)
		tap_complain("fractions with 0 or 1");
	if (pwrctl_filter_to_1024(ONE) != 1024 || pwrctl_filter_to_1024(~0ULL) != 1024 ||
	    pwrctl_filter_to_1024((ONE >> 11) - 1) != 0 || pwrctl_filter_to_1024(ONE >> 11) != 1)
		tap_complain("rounding to 1024ths");
	tap_end("fractions and 1024ths are exact");
}

/* Values the settings never let through must not trap either. */
static void out_of_range(void)
{
	struct pwrctl_filter_params p = { .mode = PWRCTL_FILTER_DECAY };
	struct pwrctl_filter f;

	pwrctl_filter_init(&f, &p, 0);
	pwrctl_filter_input(&f, 0, ~0ULL);
	if (f.in != ONE || pwrctl_filter_to_1024(pwrctl_filter_read(&f, NSEC_PER_MS)) != 512)
		tap_complain("decay_ms 0 is not taken as 1, or the input not as 1024");
	p.decay_ms = 0xffffffffU;
	p.fall_ms = 0xffffffffU;
	p.pelt_shift = 255;
	pwrctl_filter_set(&f, NSEC_PER_MS, &p);
	if (f.decay_ms != 60000 || f.fall_ms != 60000 || f.pelt_shift != 10)
		tap_complain("parameters too large are not cut to the largest");
	p.mode = 77;
	pwrctl_filter_set(&f, NSEC_PER_MS, &p);
	if (pwrctl_filter_read(&f, 2 * NSEC_PER_MS))
		tap_complain("an unknown mode is not off");
	tap_end("parameters out of range are taken as the nearest one in range");
}

/* Readers may meet a filter torn by its writer: no trap, no endless loop. */
static void torn(void)
{
	struct pwrctl_filter f;
	__u64 sum = 0;

	for (unsigned long i = tap_rounds(1000000); i; i--) {
		unsigned char *byte = (unsigned char *)&f;

		for (unsigned int k = 0; k < sizeof(f); k++)
			byte[k] = (unsigned char)rnd();
		f.mode = rnd() & 3;
		sum += pwrctl_filter_read(&f, rnd());
		sum += pwrctl_filter_next(&f, rnd(), rnd(), rnd());
		sum += (__u64)pwrctl_filter_settled(&f, rnd());
	}
	if (!sum)
		tap_complain("nothing was read");
	tap_end("reading random bytes as a filter does not trap");
}

/* The same for an input to a copy whose members are of different moments. */
static void torn_input(void)
{
	__u64 sum = 0;

	for (unsigned long i = tap_rounds(1000000); i; i--) {
		__u64 now = rnd_magnitude(TEN_YEARS);
		struct pwrctl_filter_params p = random_params(rnd() & 3);
		struct pwrctl_filter f[2];
		unsigned char *to = (unsigned char *)&f[0], *from = (unsigned char *)&f[1];

		for (int k = 0; k < 2; k++) {
			pwrctl_filter_init(&f[k], &p, now);
			pwrctl_filter_input(&f[k], now + rnd_below(NSEC_PER_MS), random_input(0));
			p = random_params(rnd() & 3);
			pwrctl_filter_set(&f[k], now + rnd_below(1000 * NSEC_PER_MS), &p);
		}
		for (unsigned int k = 0; k < sizeof(f[0]); ) {
			/* the last four members are of one byte */
			unsigned int width = k >= sizeof(f[0]) - 4 ? 1 : 4;

			if (rnd() & 1)
				memcpy(to + k, from + k, width);
			k += width;
		}
		pwrctl_filter_input(&f[0], now + rnd_below(1000 * NSEC_PER_MS), random_input(0));
		sum += pwrctl_filter_read(&f[0], now + rnd_below(1000 * NSEC_PER_MS));
	}
	if (!sum)
		tap_complain("nothing was read");
	tap_end("an input to a copy of mixed members does not trap");
}

static void size(void)
{
	if (sizeof(struct pwrctl_filter) > 64)
		tap_complain("%zu bytes", sizeof(struct pwrctl_filter));
	tap_end("a filter is no larger than 64 bytes");
}

int main(void)
{
	tap_plan(14);
	size();
	conversions();
	out_of_range();
	separate_fall();
	precision();
	no_time_at_all();
	rest_is_exact();
	torn();
	torn_input();
	short_gaps(10000000, 1000, 0, "10 million events at gaps of 1..1000 ns, half-life 60 s");
	short_gaps(1000000, 10, 0, "a million events at gaps of 1..10 ns still decay");
	short_gaps(1000000, 1000, 1, "an input that keeps ahead cannot drag the average along");
	long_sequence();
	random_sequences();
	return tap_exit();
}
