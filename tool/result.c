// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result.h"

/**
 * pwrctl_result_metric - add something that is measured
 * @result: where to; the first one added is what verdicts are about
 * @name: in the file
 * @title: for people
 * @unit: of the values
 * @less_is_better: as with times
 */
void pwrctl_result_metric(struct pwrctl_result *result, const char *name, const char *title,
			  const char *unit, bool less_is_better)
{
	struct pwrctl_metric *metric = &result->metrics[result->n_metrics];

	if (result->n_metrics == PWRCTL_RESULT_METRICS_MAX)
		return;
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	snprintf(metric->title, sizeof(metric->title), "%s", title);
	snprintf(metric->unit, sizeof(metric->unit), "%s", unit);
	metric->less_is_better = less_is_better;
	result->n_metrics++;
}

/**
 * pwrctl_result_point - add a point
 * @result: where to
 * @name: of the point
 *
 * Return: 0 or -errno.
 */
int pwrctl_result_point(struct pwrctl_result *result, const char *name)
{
	char (*points)[64];

	if (result->n_points == PWRCTL_RESULT_POINTS_MAX)
		return -E2BIG;
	points = reallocarray(result->points, result->n_points + 1, sizeof(*points));
	if (!points)
		return -ENOMEM;
	result->points = points;
	snprintf(points[result->n_points++], sizeof(*points), "%s", name);
	return 0;
}

/**
 * pwrctl_result_run - add a run
 * @result: where to
 *
 * Return: a run without any values, valid until the next one is added, or NULL.
 */
struct pwrctl_result_run *pwrctl_result_run(struct pwrctl_result *result)
{
	struct pwrctl_result_run *run;
	size_t i;

	run = reallocarray(result->runs, result->n_runs + 1, sizeof(*run));
	if (!run)
		return NULL;
	result->runs = run;
	run += result->n_runs++;
	memset(run, 0, sizeof(*run));
	for (i = 0; i < PWRCTL_RESULT_METRICS_MAX; i++)
		run->value[i] = NAN;
	return run;
}

/**
 * pwrctl_result_values - the values of one point
 * @result: all runs
 * @point: which
 * @arm: of the control, or 0
 * @metric: which
 * @values: room for as many as there are runs
 *
 * Return: how many values there are; 0 when any is not available, for a part of the runs says
 * nothing about all of them.
 */
size_t pwrctl_result_values(const struct pwrctl_result *result, size_t point, char arm,
			    size_t metric, double *values)
{
	size_t i, count = 0;

	for (i = 0; i < result->n_runs; i++) {
		const struct pwrctl_result_run *run = &result->runs[i];

		if (run->point != point || run->arm != arm)
			continue;
		if (isnan(run->value[metric]))
			return 0;
		values[count++] = run->value[metric];
	}
	return count;
}

/**
 * pwrctl_result_find - find a point
 * @result: where
 * @name: of the point
 *
 * Return: its index or -ENOENT.
 */
int pwrctl_result_find(const struct pwrctl_result *result, const char *name)
{
	size_t i;

	for (i = 0; i < result->n_points; i++)
		if (!strcmp(result->points[i], name))
			return (int)i;
	return -ENOENT;
}

/**
 * pwrctl_result_free - forget a result
 * @result: made, read, or zeroed
 */
void pwrctl_result_free(struct pwrctl_result *result)
{
	size_t i;

	for (i = 0; i < result->n_runs; i++)
		free(result->runs[i].domains);
	free(result->runs);
	free(result->points);
	memset(result, 0, sizeof(*result));
}
