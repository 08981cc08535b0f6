// SPDX-License-Identifier: GPL-2.0-only
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

/* Of a 95 % interval, what lies below its upper end. */
#define UPPER	0.975

/*
 * The best cut of a sorted sample in two leaves groups whose means lie some multiple of their
 * common deviation apart. For samples of one normal population that multiple stays below
 * HUMPS_BASE + HUMPS_SPAN / n in 98 to 99 of 100 samples (simulated for n from 6 to 30).
 */
#define HUMPS_BASE	3.3
#define HUMPS_SPAN	30.0

/* Timer resolution is no population of its own: spreads below this part of the mean are one. */
#define HUMPS_GRAIN	1e-4

static double spread(const double *sorted, size_t count)
{
	return gsl_stats_tss(sorted, 1, count);
}

/**
 * pwrctl_stats_humps - do the values fall into two groups?
 * @values: in any order
 * @count: how many
 *
 * Two values or a fifth of the sample, whichever is more, make a group: a single outlier is none.
 *
 * Return: whether they do.
 */
bool pwrctl_stats_humps(const double *values, size_t count)
{
	size_t least = count / 5 > 2 ? count / 5 : 2, cut, best_cut = 0;
	double best = INFINITY, apart, within, *sorted;

	if (count < PWRCTL_STATS_HUMPS_LEAST)
		return false;
	sorted = calloc(count, sizeof(*sorted));
	if (!sorted)
		return false;
	memcpy(sorted, values, count * sizeof(*sorted));
	gsl_sort(sorted, 1, count);
	for (cut = least; cut + least <= count; cut++) {
		within = spread(sorted, cut) + spread(sorted + cut, count - cut);
		if (within < best) {
			best = within;
			best_cut = cut;
		}
	}
	apart = gsl_stats_mean(sorted + best_cut, 1, count - best_cut) -
		gsl_stats_mean(sorted, 1, best_cut);
	within = sqrt(best / (double)(count - 2));
	if (within < HUMPS_GRAIN * fabs(sorted[count - 1]))
		within = HUMPS_GRAIN * fabs(sorted[count - 1]);
	free(sorted);
	return apart > (HUMPS_BASE + HUMPS_SPAN / (double)count) * within;
}

/**
 * pwrctl_stats_summarize - mean, deviation and interval of a sample
 * @values: in any order
 * @count: how many, may be 0
 * @summary: the answer
 */
void pwrctl_stats_summarize(const double *values, size_t count, struct pwrctl_summary *summary)
{
	*summary = (struct pwrctl_summary) {
		.count = count, .mean = NAN, .sd = NAN, .half = NAN, .least = NAN, .most = NAN,
	};
	if (!count)
		return;
	summary->mean = gsl_stats_mean(values, 1, count);
	gsl_stats_minmax(&summary->least, &summary->most, values, 1, count);
	if (count < 2)
		return;
	summary->sd = gsl_stats_sd_m(values, 1, count, summary->mean);
	summary->half = gsl_cdf_tdist_Pinv(UPPER, (double)(count - 1)) * summary->sd /
			sqrt((double)count);
	summary->humps = pwrctl_stats_humps(values, count);
}

/* Both samples are without any spread: equal ones are equal, others differ for certain. */
static void contrast_constants(double difference, double base, struct pwrctl_contrast *contrast)
{
	contrast->p = difference == 0 ? 1 : 0;
	contrast->half_percent = base != 0 ? 0 : NAN;
}

/**
 * pwrctl_stats_contrast - compare a sample with a baseline (Welch)
 * @baseline: what it is compared with
 * @sample: the other one
 * @contrast: the answer; corrected and verdict are left to pwrctl_stats_correct()
 */
void pwrctl_stats_contrast(const struct pwrctl_summary *baseline,
			   const struct pwrctl_summary *sample,
			   struct pwrctl_contrast *contrast)
{
	double base = baseline->mean, difference = sample->mean - base, a, b, freedom, error;

	*contrast = (struct pwrctl_contrast) {
		.difference = difference,
		.percent = base != 0 ? 100 * difference / fabs(base) : NAN,
		.half_percent = NAN, .p = NAN, .corrected = NAN,
		.verdict = PWRCTL_VERDICT_TOO_FEW,
	};
	if (baseline->count < 2 || sample->count < 2)
		return;
	a = baseline->sd * baseline->sd / (double)baseline->count;
	b = sample->sd * sample->sd / (double)sample->count;
	error = sqrt(a + b);
	if (!(error > 0)) {
		contrast_constants(difference, base, contrast);
		return;
	}
	/* Welch and Satterthwaite's degrees of freedom */
	freedom = (a + b) * (a + b) / (a * a / (double)(baseline->count - 1) +
				       b * b / (double)(sample->count - 1));
	contrast->p = 2 * gsl_cdf_tdist_Q(fabs(difference) / error, freedom);
	if (base != 0)
		contrast->half_percent = 100 * gsl_cdf_tdist_Pinv(UPPER, freedom) * error /
					 fabs(base);
}

static bool comparable(const struct pwrctl_contrast *contrast)
{
	return !isnan(contrast->p);
}

static int by_p(const void *left, const void *right)
{
	const struct pwrctl_contrast *const *a = left, *const *b = right;

	return ((*a)->p > (*b)->p) - ((*a)->p < (*b)->p);
}

static void judge(struct pwrctl_contrast *contrast, bool less_is_better)
{
	if (!(contrast->corrected < PWRCTL_STATS_ALPHA) || contrast->difference == 0)
		contrast->verdict = PWRCTL_VERDICT_NONE;
	else if ((contrast->difference < 0) == less_is_better)
		contrast->verdict = PWRCTL_VERDICT_BETTER;
	else
		contrast->verdict = PWRCTL_VERDICT_WORSE;
}

/**
 * pwrctl_stats_correct - correct for the number of comparisons (Holm) and judge
 * @contrasts: all comparisons with one baseline
 * @count: how many
 * @less_is_better: as with times; false as with throughput
 *
 * Holm's step-down method keeps the chance of any false alarm among all comparisons below the
 * level that one comparison has, whatever they have to do with each other.
 */
void pwrctl_stats_correct(struct pwrctl_contrast *contrasts, size_t count, bool less_is_better)
{
	struct pwrctl_contrast **order = calloc(count + 1, sizeof(struct pwrctl_contrast *));
	double most = 0, corrected;
	size_t i, used = 0;

	if (!order)
		return;
	for (i = 0; i < count; i++)
		if (comparable(&contrasts[i]))
			order[used++] = &contrasts[i];
	qsort(order, used, sizeof(*order), by_p);
	for (i = 0; i < used; i++) {
		corrected = order[i]->p * (double)(used - i);
		corrected = corrected > 1 ? 1 : corrected;
		most = corrected > most ? corrected : most;
		order[i]->corrected = most;
		judge(order[i], less_is_better);
	}
	free(order);
}

/**
 * pwrctl_stats_verdict - a verdict in words
 * @verdict: of a contrast
 *
 * Return: what to print.
 */
const char *pwrctl_stats_verdict(enum pwrctl_verdict verdict)
{
	switch (verdict) {
	case PWRCTL_VERDICT_BETTER:
		return "better";
	case PWRCTL_VERDICT_WORSE:
		return "worse";
	case PWRCTL_VERDICT_TOO_FEW:
		return "too few runs";
	case PWRCTL_VERDICT_NONE:
		break;
	}
	return "no difference can be shown";
}
