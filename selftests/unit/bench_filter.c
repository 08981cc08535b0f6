// SPDX-License-Identifier: GPL-2.0-only
/*
 * Work to count instructions of: "bench_filter CASE" runs CASE 1000 times (the two seconds: once).
 * Built with -fno-inline. selftests/bench.d/filter runs it under callgrind, which counts in one
 * function only.
 */
#include <stdio.h>
#include <string.h>

#include "filter.h"
#include "pelt/kernel_pelt.h"

#define ONE		PWRCTL_FILTER_ONE
#define MS		1000000ULL
#define QUANTUM		(16ULL << 52)
#define ROUNDS		1000

static __u64 sink;

static struct pwrctl_filter capped(__u8 mode)
{
	struct pwrctl_filter_params p = { .mode = mode, .decay_ms = 250 };
	struct pwrctl_filter f;

	pwrctl_filter_init(&f, &p, 0);
	pwrctl_filter_input(&f, 0, ONE / 2);
	return f;
}

static void reads(__u8 mode, __u64 from, __u64 to)
{
	struct pwrctl_filter f = capped(mode);

	for (int i = 0; i < ROUNDS; i++)
		sink += pwrctl_filter_read(&f, from + (to - from) / ROUNDS * (__u64)i);
}

static void folds(__u8 mode)
{
	struct pwrctl_filter f = capped(mode);

	for (int i = 0; i < ROUNDS; i++)
		pwrctl_filter_input(&f, (__u64)i * 20 * MS, i & 1 ? ONE / 3 : ONE / 2);
}

static void nexts(__u8 mode)
{
	struct pwrctl_filter f = capped(mode);

	for (int i = 0; i < ROUNDS; i++) {
		__u64 now = (__u64)i * (mode == PWRCTL_FILTER_PELT ? MS / 8 : MS);

		sink += pwrctl_filter_next(&f, now, pwrctl_filter_read(&f, now), QUANTUM);
	}
}

/* What the module asks of the filter in a second in which a cap changes: every push of it. */
static void domain_second(struct pwrctl_filter *f)
{
	__u64 now = 10 * MS, end = now + 1000 * MS, last;

	pwrctl_filter_input(f, now, ONE / 2);
	do {
		last = pwrctl_filter_tell(f, now);
		sink += pwrctl_filter_to_1024(last);
		now = pwrctl_filter_next(f, now, last, QUANTUM);
	} while (now < end);
}

static void one_domain_second(__u8 mode)
{
	struct pwrctl_filter_params p = { .mode = mode, .decay_ms = 250 };
	struct pwrctl_filter f;

	pwrctl_filter_init(&f, &p, 0);
	domain_second(&f);
}

/* What the scheduler does in that second: four CPUs, 250 ticks. */
static void pelt_second(void)
{
	for (int cpu = 0; cpu < 4; cpu++) {
		struct kernel_pelt *k = kernel_pelt_new(0);

		for (__u64 tick = 0; tick < 250; tick++)
			kernel_pelt_update(k, 10 * MS + tick * 4 * MS, 512);
		sink += kernel_pelt_avg(k);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";

	if (!strcmp(what, "read-rest"))
		reads(PWRCTL_FILTER_DECAY, 30000 * MS, 60000 * MS);
	else if (!strcmp(what, "read-decay"))
		reads(PWRCTL_FILTER_DECAY, 1 * MS, 2000 * MS);
	else if (!strcmp(what, "read-pelt"))
		reads(PWRCTL_FILTER_PELT, 1 * MS, 300 * MS);
	else if (!strcmp(what, "fold-decay"))
		folds(PWRCTL_FILTER_DECAY);
	else if (!strcmp(what, "fold-pelt"))
		folds(PWRCTL_FILTER_PELT);
	else if (!strcmp(what, "next-decay"))
		nexts(PWRCTL_FILTER_DECAY);
	else if (!strcmp(what, "next-pelt"))
		nexts(PWRCTL_FILTER_PELT);
	else if (!strcmp(what, "second-decay"))
		one_domain_second(PWRCTL_FILTER_DECAY);
	else if (!strcmp(what, "second-pelt"))
		one_domain_second(PWRCTL_FILTER_PELT);
	else if (!strcmp(what, "pelt-second"))
		pelt_second();
	else
		return fprintf(stderr, "bench_filter: no such case: %s\n", what), 2;
	printf("%llu\n", sink);		/* so that all of it is really computed */
	return 0;
}
