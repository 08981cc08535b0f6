// SPDX-License-Identifier: GPL-2.0-only
/*
 * The statistics of "pwrctl sweep" and "pwrctl compare" against values worked by hand, published
 * examples, and seeded noise.
 */
#include <math.h>
#include <string.h>

#include "stats.h"
#include "tap.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

static void near(const char *what, double is, double ought, double tolerance)
{
	if (!(fabs(is - ought) <= tolerance))
		tap_complain("%s is %.9g, not %.9g", what, is, ought);
}

static void compare(const double *a, size_t n_a, const double *b, size_t n_b,
		    struct pwrctl_contrast *contrast)
{
	struct pwrctl_summary left, right;

	pwrctl_stats_summarize(a, n_a, &left);
	pwrctl_stats_summarize(b, n_b, &right);
	pwrctl_stats_contrast(&left, &right, contrast);
}

static void test_by_hand(void)
{
	static const double values[] = { 5, 1, 4, 2, 3 };
	struct pwrctl_summary summary;

	pwrctl_stats_summarize(values, COUNT(values), &summary);
	near("mean", summary.mean, 3, 1e-12);
	near("sd", summary.sd, sqrt(2.5), 1e-12);
	/* t(0.975, 4) = 2.776445 of any printed table */
	near("half", summary.half, 2.776445 * sqrt(2.5) / sqrt(5), 1e-6);
	near("least", summary.least, 1, 0);
	near("most", summary.most, 5, 0);
	tap_end("mean, deviation and interval of 1 to 5, by hand");
}

static void test_few(void)
{
	static const double one[] = { 7 }, two[] = { 7, 9 };
	struct pwrctl_summary summary;
	struct pwrctl_contrast contrast;

	pwrctl_stats_summarize(one, 0, &summary);
	if (!isnan(summary.mean) || summary.count)
		tap_complain("no value has a mean");
	pwrctl_stats_summarize(one, 1, &summary);
	near("mean of one", summary.mean, 7, 0);
	if (!isnan(summary.sd) || !isnan(summary.half))
		tap_complain("one value has a deviation");
	compare(two, 2, one, 1, &contrast);
	pwrctl_stats_correct(&contrast, 1, true);
	if (contrast.verdict != PWRCTL_VERDICT_TOO_FEW)
		tap_complain("one value was judged");
	compare(one, 0, one, 0, &contrast);
	pwrctl_stats_correct(&contrast, 1, true);
	if (contrast.verdict != PWRCTL_VERDICT_TOO_FEW)
		tap_complain("no value was judged");
	tap_end("no value and one value are too few, and are said to be");
}

static void test_constants(void)
{
	static const double same[] = { 4, 4, 4 }, other[] = { 5, 5, 5 }, zero[] = { 0, 0, 0 };
	struct pwrctl_contrast contrast;

	compare(same, 3, same, 3, &contrast);
	pwrctl_stats_correct(&contrast, 1, true);
	if (contrast.verdict != PWRCTL_VERDICT_NONE)
		tap_complain("equal constants differ");
	compare(same, 3, other, 3, &contrast);
	pwrctl_stats_correct(&contrast, 1, true);
	if (contrast.verdict != PWRCTL_VERDICT_WORSE)
		tap_complain("a longer constant time is not worse");
	compare(zero, 3, other, 3, &contrast);
	pwrctl_stats_correct(&contrast, 1, false);
	if (!isnan(contrast.percent) || contrast.verdict != PWRCTL_VERDICT_BETTER)
		tap_complain("a baseline of 0: %g %%, verdict %d", contrast.percent,
			     contrast.verdict);
	tap_end("samples without spread, a baseline of 0");
}

/* Student (1908), as in R's manual of t.test: extra sleep under two drugs */
static void test_sleep(void)
{
	static const double first[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0 };
	static const double second[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4 };
	struct pwrctl_contrast contrast;

	compare(first, 10, second, 10, &contrast);
	near("p", contrast.p, 0.07939, 5e-6);
	near("difference", contrast.difference, 1.58, 1e-9);
	/* R prints the interval -3.3654832 to 0.2054832 */
	near("half", contrast.half_percent * 0.75 / 100, (3.3654832 + 0.2054832) / 2, 1e-6);
	tap_end("Welch's test on Student's sleep data, as R prints it");
}

/* The first example of Wikipedia's article on Welch's test */
static void test_welch(void)
{
	static const double a[] = { 27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6,
				    23.1, 19.6, 19.0, 21.7, 21.4 };
	static const double b[] = { 27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2,
				    21.9, 22.1, 22.9, 20.5, 24.4 };
	struct pwrctl_contrast contrast;

	compare(a, 15, b, 15, &contrast);
	near("p", contrast.p, 0.021, 5e-4);
	tap_end("Welch's test on a published example with unequal spreads");
}

static void test_holm(void)
{
	static const double p[] = { 0.01, 0.04, 0.03, 0.005, NAN };
	/* By hand: 0.005*4, 0.01*3, 0.03*2, then 0.04 may not be below its predecessor. */
	static const double ought[] = { 0.03, 0.06, 0.06, 0.02 };
	struct pwrctl_contrast contrasts[COUNT(p)];
	size_t i;

	for (i = 0; i < COUNT(p); i++)
		contrasts[i] = (struct pwrctl_contrast) { .p = p[i], .corrected = NAN,
							  .verdict = PWRCTL_VERDICT_TOO_FEW };
	pwrctl_stats_correct(contrasts, COUNT(p), true);
	for (i = 0; i < COUNT(ought); i++)
		near("corrected", contrasts[i].corrected, ought[i], 1e-12);
	if (!isnan(contrasts[4].corrected) || contrasts[4].verdict != PWRCTL_VERDICT_TOO_FEW)
		tap_complain("what cannot be compared was corrected");
	tap_end("Holm's correction, by hand");
}

/* Box and Muller: one standard normal number */
static double noise(void)
{
	double u = ((double)rnd() + 1) / 18446744073709551617.0;
	double v = (double)rnd() / 18446744073709551616.0;

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

static void measure(double *values, size_t count, double mean)
{
	size_t i;

	for (i = 0; i < count; i++)
		values[i] = mean * (1 + 0.01 * noise());
}

#define RUNS		10
#define SETTINGS	24
#define SEEDS		100

/* One sweep of fake times: how many of its settings got the verdict? */
static unsigned int sweep(__u64 seed, size_t settings, double effect, enum pwrctl_verdict verdict)
{
	struct pwrctl_contrast contrasts[SETTINGS];
	double baseline[RUNS], values[RUNS];
	unsigned int found = 0;
	size_t i;

	rnd_state = seed;
	measure(baseline, RUNS, 3.0);
	for (i = 0; i < settings; i++) {
		measure(values, RUNS, 3.0 * (1 + effect));
		compare(baseline, RUNS, values, RUNS, &contrasts[i]);
	}
	pwrctl_stats_correct(contrasts, settings, true);
	for (i = 0; i < settings; i++)
		found += contrasts[i].verdict == verdict;
	return found;
}

static void count_seeds(const char *what, size_t settings, double effect,
			enum pwrctl_verdict verdict)
{
	unsigned int good = 0;
	__u64 seed;

	for (seed = 1; seed <= SEEDS; seed++)
		good += sweep(seed, settings, effect, verdict) == settings;
	printf("# %s: %u of %u seeds\n", what, good, SEEDS);
	if (good < 95)
		tap_complain("%s only in %u of %u seeds", what, good, SEEDS);
	tap_end(what);
}

static void test_humps(void)
{
	double values[30];
	unsigned int alarms = 0, seen = 0;
	__u64 seed;
	size_t i;

	for (seed = 1; seed <= 1000; seed++) {
		rnd_state = seed;
		measure(values, RUNS, 1);
		alarms += pwrctl_stats_humps(values, RUNS);
		for (i = 0; i < RUNS / 2; i++)
			values[2 * i] *= 1.15;
		seen += pwrctl_stats_humps(values, RUNS);
	}
	printf("# two humps seen in %u of 1000 with them, in %u without\n", seen, alarms);
	if (alarms > 30 || seen < 950)
		tap_complain("%u false alarms, %u of 1000 seen", alarms, seen);
	measure(values, RUNS, 1);
	values[3] = 2;
	if (pwrctl_stats_humps(values, RUNS))
		tap_complain("one outlier makes no second hump");
	if (pwrctl_stats_humps(values, 5))
		tap_complain("five values cannot show two humps");
	for (i = 0; i < RUNS; i++)
		values[i] = i < 5 ? 3.0 : 3.0 + 1e-9;
	if (pwrctl_stats_humps(values, RUNS))
		tap_complain("the clock's grain is no second hump");
	tap_end("two humps are seen, one is not taken for two");
}

int main(void)
{
	tap_plan(12);
	test_by_hand();
	test_few();
	test_constants();
	test_sleep();
	test_welch();
	test_holm();
	count_seeds("1 % noise, 10 runs: an effect of 3 % is called worse", 1, 0.03,
		    PWRCTL_VERDICT_WORSE);
	count_seeds("1 % noise, 10 runs: an effect of -3 % is called better", 1, -0.03,
		    PWRCTL_VERDICT_BETTER);
	count_seeds("1 % noise, 10 runs: no effect is called no difference", 1, 0,
		    PWRCTL_VERDICT_NONE);
	count_seeds("the same for 24 settings at once: no effect, no difference", SETTINGS, 0,
		    PWRCTL_VERDICT_NONE);
	test_humps();
	rnd_state = 5;
	if (sweep(77, SETTINGS, 0.05, PWRCTL_VERDICT_WORSE) != SETTINGS)
		tap_complain("not every one of 24 effects of 5 %% was found");
	tap_end("24 settings that all differ by 5 % are all found");
	return tap_exit();
}
