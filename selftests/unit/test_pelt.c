// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mode pelt against the kernel's own pelt.c, compiled from linux-source and called at the same
 * instants: equal to the last bit.
 */
#include <string.h>

#include "filter_random.h"
#include "pelt/kernel_pelt.h"

#define PERIOD_NS	(1024ULL * 1024)
#define HALF_LIFE_NS	(32 * PERIOD_NS)

/* What the kernel would do with the same calls; @probe stays free for reads. */
struct model {
	struct kernel_pelt *pelt, *probe;
	unsigned int shift;
	__u64 load;
};

static unsigned long model_read(struct model *m, __u64 now)
{
	kernel_pelt_copy(m->probe, m->pelt);
	kernel_pelt_update(m->probe, now >> m->shift, m->load);
	return kernel_pelt_avg(m->probe);
}

static void check(const struct pwrctl_filter *f, struct model *m, __u64 now, __u64 seed)
{
	__u64 v = pwrctl_filter_read(f, now);
	unsigned long want = model_read(m, now);

	if (v != (__u64)want << 52)
		tap_complain("%.6f, the kernel says %lu (shift %u, seed %llu)", IN_1024(v), want,
			     m->shift, seed);
}

static void model_input(struct model *m, __u64 now, __u64 in)
{
	kernel_pelt_update(m->pelt, now >> m->shift, m->load);
	m->load = pwrctl_filter_to_1024(in);
}

static __u64 random_pelt_gap(unsigned int shift)
{
	switch (rnd_below(8)) {
	case 0:
		return rnd_magnitude(TEN_YEARS);
	case 1:		/* near the edges of a period */
		return ((1 + rnd_below(8)) * PERIOD_NS << shift) - 1024 + (rnd() & 2047);
	case 2:		/* around where PELT forgets everything */
		return (2010 + rnd_below(16)) * PERIOD_NS << shift;
	case 3:
		return rnd_below(3000);
	default:
		return 1 + rnd_below(HALF_LIFE_NS * 4 << shift);
	}
}

/* A new shift: the kernel knows no such thing, so the model rebuilds the sum as documented. */
static void change_shift(struct pwrctl_filter *f, struct model *m, __u64 now, __u64 seed)
{
	struct pwrctl_filter_params p = random_params(PWRCTL_FILTER_PELT);
	__u64 before = pwrctl_filter_read(f, now);

	pwrctl_filter_set(f, now, &p);
	if (p.pelt_shift != m->shift) {
		kernel_pelt_set(m->pelt, now >> p.pelt_shift, model_read(m, now));
		m->shift = p.pelt_shift;
	}
	if (pwrctl_filter_read(f, now) != before)
		tap_complain("a new shift moved the average (seed %llu)", seed);
}

static void same_as_the_kernel(struct model *m)
{
	for (unsigned long i = tap_rounds(1000000); i; i--) {
		__u64 seed = rnd_state, now = rnd_magnitude(TEN_YEARS);
		struct pwrctl_filter_params p = random_params(PWRCTL_FILTER_PELT);
		struct pwrctl_filter f;

		memset(&f, 0xa5, sizeof(f));
		pwrctl_filter_init(&f, &p, now);
		m->shift = p.pelt_shift;
		m->load = 0;
		kernel_pelt_init(m->pelt, now >> m->shift);
		for (int n = 1 + (int)rnd_below(8); n; n--) {
			__u64 in = random_input(f.in);

			now += random_pelt_gap(m->shift);
			check(&f, m, now, seed);
			if (!rnd_below(8)) {
				change_shift(&f, m, now, seed);
			} else if (in != f.in) {
				pwrctl_filter_input(&f, now, in);
				model_input(m, now, in);
			}
			check(&f, m, now, seed);
			check(&f, m, now + random_pelt_gap(m->shift), seed);
		}
	}
	tap_end("the same as the kernel's pelt.c, to the last bit, a million random sequences");
}

/* Every input to every other, read over the whole transition. */
static void transitions(struct model *m)
{
	for (unsigned long i = tap_rounds(20000); i; i--) {
		struct pwrctl_filter_params p = { .mode = PWRCTL_FILTER_PELT };
		__u64 now = rnd_below(PERIOD_NS), from = rnd_below(1025), to = rnd_below(1025);
		struct pwrctl_filter f;

		pwrctl_filter_init(&f, &p, now);
		kernel_pelt_init(m->pelt, now);
		m->shift = 0;
		m->load = 0;
		pwrctl_filter_input(&f, now, from << 52);
		model_input(m, now, from << 52);
		now += rnd_below(3000 * PERIOD_NS);
		pwrctl_filter_input(&f, now, to << 52);
		if (to != from)
			model_input(m, now, to << 52);
		for (int k = 0; k < 100; k++)
			check(&f, m, now + rnd_below(2020 * PERIOD_NS), i);
	}
	tap_end("from start to end, from any load to any other");
}

/* The kernel evaluates at every tick and truncates every time: how far apart does that get? */
static void near_the_ticks(struct model *m)
{
	unsigned long worst = 0;

	for (unsigned long i = tap_rounds(2000); i; i--) {
		struct pwrctl_filter_params p = { .mode = PWRCTL_FILTER_PELT };
		__u64 now = rnd_below(PERIOD_NS);
		struct pwrctl_filter f;

		pwrctl_filter_init(&f, &p, now);
		kernel_pelt_init(m->pelt, now);
		for (int k = 0; k < 4; k++) {
			__u64 in = rnd_below(1025);

			pwrctl_filter_input(&f, now, in << 52);
			for (int tick = (int)rnd_below(200); tick; tick--) {
				unsigned long lazy, ticked;

				now += 4 * NSEC_PER_MS;
				kernel_pelt_update(m->pelt, now, in);
				ticked = kernel_pelt_avg(m->pelt);
				lazy = pwrctl_filter_to_1024(pwrctl_filter_read(&f, now));
				lazy = lazy > ticked ? lazy - ticked : ticked - lazy;
				worst = lazy > worst ? lazy : worst;
			}
		}
	}
	printf("# largest difference to an evaluation at every 4 ms tick: %lu of 1024\n", worst);
	if (worst > 24)
		tap_complain("more than 24");
	tap_end("within 24 of 1024 of evaluating at every tick");
}

/* Only between pelt and decay, and of shift and half-lives: at most 1 of 1024. */
static void switching(void)
{
	struct pwrctl_filter_params p = random_params(PWRCTL_FILTER_DECAY);
	__u64 now = 1, before, after, limit;
	struct pwrctl_filter f;

	pwrctl_filter_init(&f, &p, now);
	for (unsigned long i = tap_rounds(2000000); i; i--) {
		now += random_gap(HALF_LIFE_NS) % (TEN_YEARS / 100000);
		if (now > TEN_YEARS * 10) {
			now = 1;
			pwrctl_filter_init(&f, &p, now);
		}
		if (rnd_below(2)) {
			pwrctl_filter_input(&f, now, random_input(f.in));
			continue;
		}
		p = random_params(rnd_below(2) ? PWRCTL_FILTER_PELT : PWRCTL_FILTER_DECAY);
		limit = f.mode == p.mode ? 0 : ONE >> 11;	/* rounded to the nearest */
		before = pwrctl_filter_read(&f, now);
		pwrctl_filter_set(&f, now, &p);
		after = pwrctl_filter_read(&f, now);
		if ((after > before ? after - before : before - after) > limit)
			tap_complain("mode %u: from %.6f to %.6f", p.mode, IN_1024(before),
				     IN_1024(after));
		if (pwrctl_filter_read(&f, now + (4096 * HALF_LIFE_NS << 10)) !=
		    pwrctl_filter_target(&f))
			tap_complain("mode %u does not come to rest", p.mode);
	}
	tap_end("pelt to decay and back: at most 1 of 1024; shift and half-lives: nothing");
}

/* pelt's average follows whole numbers and wobbles by one while it goes its way. */
static void never_outside(void)
{
	struct pwrctl_filter_params p = { .mode = PWRCTL_FILTER_PELT };

	for (unsigned long i = tap_rounds(100000); i; i--) {
		__u64 now = rnd_magnitude(TEN_YEARS), in = rnd_below(1025), last = 0;
		struct pwrctl_filter f;

		pwrctl_filter_init(&f, &p, now);
		pwrctl_filter_input(&f, now, in << 52);
		for (int k = 0; k < 20; k++) {
			__u64 v = pwrctl_filter_read(&f, now += rnd_below(8 * PERIOD_NS)) >> 52;

			if (v > in || v + 1 < last)
				tap_complain("%llu after %llu, input %llu", v,
					     last, in);
			last = v;
		}
	}
	tap_end("never beyond the input, and back by no more than its own rounding");
}

int main(void)
{
	struct model m = { .pelt = kernel_pelt_new(0), .probe = kernel_pelt_new(0) };

	tap_plan(5);
	same_as_the_kernel(&m);
	transitions(&m);
	near_the_ticks(&m);
	switching();
	never_outside();
	free(m.pelt);
	free(m.probe);
	return tap_exit();
}
