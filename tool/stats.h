/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What can be said about repeated measurements, and what cannot. The distributions are GSL's; the
 * choices (Welch, Holm, when a sample has two humps, when a difference counts) are made here.
 */
#ifndef PWRCTL_TOOL_STATS_H
#define PWRCTL_TOOL_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* A verdict needs a corrected p-value below this: one false alarm in a hundred comparisons. */
#define PWRCTL_STATS_ALPHA	0.01

/* Fewer values cannot show two humps. */
#define PWRCTL_STATS_HUMPS_LEAST	6

/**
 * struct pwrctl_summary - one sample
 * @count: how many values
 * @mean: of the values; NAN without any
 * @sd: standard deviation of the sample (n - 1); NAN below two values
 * @half: half the width of the 95 % interval of the mean; NAN below two values
 * @least: smallest value
 * @most: largest value
 * @humps: the values fall into two groups: the mean describes neither
 */
struct pwrctl_summary {
	size_t count;
	double mean;
	double sd;
	double half;
	double least;
	double most;
	bool humps;
};

enum pwrctl_verdict {
	PWRCTL_VERDICT_NONE,
	PWRCTL_VERDICT_BETTER,
	PWRCTL_VERDICT_WORSE,
	PWRCTL_VERDICT_TOO_FEW,
};

/**
 * struct pwrctl_contrast - one sample against a baseline
 * @difference: of the means, sample less baseline
 * @percent: the same in percent of the baseline's mean; NAN where that is 0
 * @half_percent: half the width of the difference's 95 % interval, in the same percent
 * @p: two-sided Welch p-value; NAN when there are too few values
 * @corrected: @p after the correction for the number of comparisons
 * @verdict: what may be said
 */
struct pwrctl_contrast {
	double difference;
	double percent;
	double half_percent;
	double p;
	double corrected;
	enum pwrctl_verdict verdict;
};

void pwrctl_stats_summarize(const double *values, size_t count, struct pwrctl_summary *summary);
bool pwrctl_stats_humps(const double *values, size_t count);
void pwrctl_stats_contrast(const struct pwrctl_summary *baseline,
			   const struct pwrctl_summary *sample,
			   struct pwrctl_contrast *contrast);
void pwrctl_stats_correct(struct pwrctl_contrast *contrasts, size_t count, bool less_is_better);
const char *pwrctl_stats_verdict(enum pwrctl_verdict verdict);

#endif
