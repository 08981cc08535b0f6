// SPDX-License-Identifier: GPL-2.0-only
/* Sums of counters of energy that wrap, vanish, or go wrong: right, or not known. */
#include <stdint.h>

#include "energy.h"
#include "tap.h"

#define RANGE	262143328850ull		/* as Intel's packages have it */
#define SECOND	1000000000ull

static void expect(const struct pwrctl_energy *energy, bool known, uint64_t total)
{
	if (pwrctl_energy_known(energy) != known)
		tap_complain("known is %d", !known);
	else if (known && energy->total_uj != total)
		tap_complain("%llu uJ, not %llu", (unsigned long long)energy->total_uj,
			     (unsigned long long)total);
}

/* A machine that draws so many watts, sampled so often: does the sum agree? */
static void draw(uint64_t watts, uint64_t period_ms, unsigned int samples, bool known)
{
	struct pwrctl_energy energy;
	uint64_t total = 0;
	unsigned int i;

	pwrctl_energy_begin(&energy, RANGE);
	for (i = 0; i <= samples; i++) {
		total = watts * period_ms * 1000 * i;
		pwrctl_energy_add(&energy, i * period_ms * 1000000, (RANGE - 5 + total) % RANGE);
	}
	expect(&energy, known, total);
}

static void test_wrap(void)
{
	draw(65, 1000, 10, true);
	tap_end("a counter that wraps once");
	draw(1000, 1000, 1000, true);
	tap_end("a counter that wraps again and again, each time seen");
	draw(1000, 600000, 2, false);
	tap_end("a counter that may have wrapped twice between two samples is not known");
	draw(65, 136000, 1, false);
	draw(65, 120000, 1, true);
	tap_end("how long between samples is too long follows from the range");
}

static void test_wrong(void)
{
	struct pwrctl_energy energy;

	pwrctl_energy_begin(&energy, 0);
	pwrctl_energy_add(&energy, 0, 1000);
	pwrctl_energy_add(&energy, SECOND, 999);
	expect(&energy, false, 0);
	tap_end("a counter that goes down and has no known range");
	pwrctl_energy_begin(&energy, 0);
	pwrctl_energy_add(&energy, 0, 1000);
	pwrctl_energy_add(&energy, 1000 * SECOND, 5000000);
	expect(&energy, true, 4999000);
	tap_end("a counter without range that goes up");
	pwrctl_energy_begin(&energy, RANGE);
	pwrctl_energy_add(&energy, 0, RANGE + 7);
	pwrctl_energy_add(&energy, SECOND, 3);
	expect(&energy, false, 0);
	tap_end("a counter beyond its own range");
	pwrctl_energy_begin(&energy, RANGE);
	pwrctl_energy_add(&energy, SECOND, 5);
	pwrctl_energy_add(&energy, 2 * SECOND, 5 + 3000000000ull);
	expect(&energy, false, 0);
	tap_end("3000 W are no measurement");
	pwrctl_energy_begin(&energy, RANGE);
	pwrctl_energy_add(&energy, SECOND, 5);
	pwrctl_energy_add(&energy, 0, 6);
	expect(&energy, false, 0);
	tap_end("time that goes back");
}

static void test_absent(void)
{
	struct pwrctl_energy energy;

	pwrctl_energy_begin(&energy, RANGE);
	expect(&energy, false, 0);
	pwrctl_energy_add(&energy, 0, 5);
	expect(&energy, false, 0);
	pwrctl_energy_add(&energy, SECOND, 5);
	expect(&energy, false, 0);
	tap_end("no sample, one sample, and a counter that stands still: not known, never 0");
	pwrctl_energy_add(&energy, 2 * SECOND, 1000005);
	expect(&energy, true, 1000000);
	pwrctl_energy_lose(&energy);
	pwrctl_energy_add(&energy, 3 * SECOND, 2000005);
	expect(&energy, false, 0);
	tap_end("a counter that vanished for a while is not known any more");
}

int main(void)
{
	tap_plan(11);
	test_wrap();
	test_wrong();
	test_absent();
	return tap_exit();
}
