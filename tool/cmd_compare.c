// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out.h"
#include "plot.h"
#include "result.h"
#include "result_plot.h"
#include "stats.h"
#include "tool.h"

#define FILES_MAX	16

/**
 * struct compare - results side by side
 * @run: the call
 * @results: the first is the baseline
 * @count: how many
 * @plot: the picture, or NULL
 * @values: room for the values of one point
 * @out: where to
 */
struct compare {
	struct pwrctl_run *run;
	struct pwrctl_result results[FILES_MAX];
	size_t count;
	const char *plot;
	double *values;
	struct pwrctl_out *out;
};

static int refuse(const struct compare *compare, size_t file, const char *what, const char *name)
{
	pwrctl_out_error("cannot compare %s with %s: %s%s%s", compare->run->argv[file],
			 compare->run->argv[0], what, name ? " " : "", name ? name : "");
	return -EINVAL;
}

static int metric_of(const struct pwrctl_result *result, const char *name)
{
	size_t i;

	for (i = 0; i < result->n_metrics; i++)
		if (!strcmp(result->metrics[i].name, name))
			return (int)i;
	return -ENOENT;
}

/* Only like is compared with like. */
static int check_shape(const struct compare *compare, size_t file)
{
	const struct pwrctl_result *one = &compare->results[0], *other = &compare->results[file];
	size_t i;

	if (strcmp(one->kind, other->kind))
		return refuse(compare, file, "one is of kind", other->kind);
	if (strcmp(one->command, other->command))
		return refuse(compare, file, "it measured another command:", other->command);
	for (i = 0; i < one->n_metrics; i++) {
		int metric = metric_of(other, one->metrics[i].name);

		if (metric < 0)
			return refuse(compare, file, "it lacks the metric", one->metrics[i].name);
		if (strcmp(one->metrics[i].unit, other->metrics[metric].unit) ||
		    one->metrics[i].less_is_better != other->metrics[metric].less_is_better)
			return refuse(compare, file, "another unit or sense has the metric",
				      one->metrics[i].name);
	}
	for (i = 0; i < one->n_points; i++)
		if (pwrctl_result_find(other, one->points[i]) < 0)
			return refuse(compare, file, "it lacks the setting", one->points[i]);
	if (other->n_points != one->n_points)
		return refuse(compare, file, "it has more settings", NULL);
	return 0;
}

/*
 * What follows from seconds and joules: power, and performance per watt, 100 / seconds / watts.
 * Worked out for every run, so that it has a spread of its own.
 */
static void derive(struct pwrctl_result *result)
{
	int wall = metric_of(result, "wall_s"), joules = metric_of(result, "joules");
	size_t i, watts = result->n_metrics;

	if (wall < 0 || joules < 0 || result->n_metrics + 2 > PWRCTL_RESULT_METRICS_MAX)
		return;
	pwrctl_result_metric(result, "watts", "power", "W", true);
	pwrctl_result_metric(result, "per_watt", "performance per watt", "100/s/W", false);
	for (i = 0; i < result->n_runs; i++) {
		double *value = result->runs[i].value;

		if (!(value[wall] > 0) || !(value[joules] > 0))
			continue;
		value[watts] = value[joules] / value[wall];
		value[watts + 1] = 100 / value[wall] / value[watts];
	}
}

static void summarize(const struct compare *compare, size_t file, size_t point, size_t metric,
		      struct pwrctl_summary *summary)
{
	const struct pwrctl_result *result = &compare->results[file];
	int index = pwrctl_result_find(result, compare->results[0].points[point]);
	int column = metric_of(result, compare->results[0].metrics[metric].name);
	size_t count = 0;

	if (index >= 0 && column >= 0)
		count = pwrctl_result_values(result, (size_t)index, 0, (size_t)column,
					     compare->values);
	pwrctl_stats_summarize(compare->values, count, summary);
}

static void real(struct compare *compare, const char *name, double value)
{
	if (isfinite(value))
		pwrctl_out_real(compare->out, name, value);
	else
		pwrctl_out_null(compare->out, name, NULL);
}

static void print_baseline(struct compare *compare, const struct pwrctl_summary *summary)
{
	char text[64];

	if (pwrctl_out_is_json(compare->out)) {
		real(compare, "baseline", summary->mean);
		real(compare, "baseline_half_95", summary->half);
		return;
	}
	if (!summary->count)
		snprintf(text, sizeof(text), "not available");
	else
		snprintf(text, sizeof(text), isfinite(summary->half) ? "%.5g +- %.2g" : "%.5g",
			 summary->mean, summary->half);
	pwrctl_out_string(compare->out, NULL, "BASELINE (95 %)", text);
}

static void print_other(struct compare *compare, size_t file, const struct pwrctl_summary *summary,
			const struct pwrctl_contrast *contrast)
{
	char head[32], text[64];

	if (pwrctl_out_is_json(compare->out)) {
		pwrctl_out_object(compare->out, NULL, NULL);
		pwrctl_out_string(compare->out, "file", NULL, compare->run->argv[file]);
		real(compare, "mean", summary->mean);
		real(compare, "half_95", summary->half);
		real(compare, "difference_percent", contrast->percent);
		real(compare, "difference_half_95_percent", contrast->half_percent);
		real(compare, "p", contrast->p);
		real(compare, "p_corrected", contrast->corrected);
		pwrctl_out_string(compare->out, "verdict", NULL,
				  pwrctl_stats_verdict(contrast->verdict));
		pwrctl_out_object_end(compare->out);
		return;
	}
	if (!summary->count)
		snprintf(text, sizeof(text), "not available");
	else if (!isfinite(contrast->percent))
		snprintf(text, sizeof(text), "%.5g", summary->mean);
	else
		snprintf(text, sizeof(text), "%.5g (%+.2f%%)", summary->mean, contrast->percent);
	snprintf(head, sizeof(head), "%c", (char)('A' + file));
	pwrctl_out_string(compare->out, NULL, head, text);
	if (isfinite(contrast->half_percent))
		snprintf(text, sizeof(text), "+- %.2f", contrast->half_percent);
	else
		snprintf(text, sizeof(text), "-");
	pwrctl_out_string(compare->out, NULL, "95 %", text);
	pwrctl_out_string(compare->out, NULL, "VERDICT", pwrctl_stats_verdict(contrast->verdict));
}

static void print_point(struct compare *compare, size_t metric, size_t point,
			const struct pwrctl_contrast *contrasts)
{
	const struct pwrctl_metric *what = &compare->results[0].metrics[metric];
	struct pwrctl_summary summary;
	size_t file;

	pwrctl_out_object(compare->out, NULL, NULL);
	if (pwrctl_out_is_json(compare->out))
		pwrctl_out_string(compare->out, "metric", NULL, what->name);
	pwrctl_out_string(compare->out, "setting", "SETTING", compare->results[0].points[point]);
	summarize(compare, 0, point, metric, &summary);
	print_baseline(compare, &summary);
	if (pwrctl_out_is_json(compare->out))
		pwrctl_out_list(compare->out, "others", NULL, NULL);
	for (file = 1; file < compare->count; file++) {
		summarize(compare, file, point, metric, &summary);
		print_other(compare, file, &summary,
			    &contrasts[point * (compare->count - 1) + file - 1]);
	}
	if (pwrctl_out_is_json(compare->out))
		pwrctl_out_list_end(compare->out);
	pwrctl_out_object_end(compare->out);
}

/* Does any file have values of this metric? */
static bool is_known(const struct compare *compare, size_t metric)
{
	struct pwrctl_summary summary;
	size_t file, i;

	for (file = 0; file < compare->count; file++)
		for (i = 0; i < compare->results[0].n_points; i++) {
			summarize(compare, file, i, metric, &summary);
			if (summary.count)
				return true;
		}
	return false;
}

/* All comparisons of one metric are one family: they are corrected together. */
static int print_metric(struct compare *compare, size_t metric)
{
	size_t others = compare->count - 1, points = compare->results[0].n_points, i, file;
	const struct pwrctl_metric *what = &compare->results[0].metrics[metric];
	struct pwrctl_contrast *contrasts = calloc(others * points + 1, sizeof(*contrasts));
	struct pwrctl_summary baseline, summary;
	char title[128];

	if (!contrasts)
		return -ENOMEM;
	if (!pwrctl_out_is_json(compare->out) && !is_known(compare, metric)) {
		pwrctl_out_say(compare->out, "%s: not available", what->title);
		free(contrasts);
		return 0;
	}
	for (i = 0; i < points; i++) {
		summarize(compare, 0, i, metric, &baseline);
		for (file = 1; file <= others; file++) {
			summarize(compare, file, i, metric, &summary);
			pwrctl_stats_contrast(&baseline, &summary,
					      &contrasts[i * others + file - 1]);
		}
	}
	pwrctl_stats_correct(contrasts, others * points, what->less_is_better);
	if (!pwrctl_out_is_json(compare->out)) {
		snprintf(title, sizeof(title), "%s (%s), %s is better", what->title, what->unit,
			 what->less_is_better ? "less" : "more");
		pwrctl_out_list(compare->out, NULL, title, NULL);
	}
	for (i = 0; i < points; i++)
		print_point(compare, metric, i, contrasts);
	if (!pwrctl_out_is_json(compare->out))
		pwrctl_out_list_end(compare->out);
	free(contrasts);
	return 0;
}

static int print(struct compare *compare)
{
	size_t i, file;
	int error = 0;

	compare->out = pwrctl_out_open(stdout, compare->run->json);
	pwrctl_out_say(compare->out, "baseline: %s", compare->run->argv[0]);
	for (file = 1; file < compare->count; file++)
		pwrctl_out_say(compare->out, "%c: %s", (char)('A' + file),
			       compare->run->argv[file]);
	pwrctl_out_say(compare->out, "%s", "");
	if (pwrctl_out_is_json(compare->out))
		pwrctl_out_list(compare->out, NULL, NULL, NULL);
	for (i = 0; i < compare->results[0].n_metrics && !error; i++)
		error = print_metric(compare, i);
	if (pwrctl_out_is_json(compare->out))
		pwrctl_out_list_end(compare->out);
	pwrctl_out_close(compare->out);
	return error;
}

static int read_all(struct compare *compare)
{
	size_t most = 0, i;
	int error = 0;

	for (i = 0; i < (size_t)compare->run->argc && !error; i++) {
		compare->count++;
		error = pwrctl_result_read(compare->run->argv[i], &compare->results[i]);
		if (!error && i)
			error = check_shape(compare, i);
		if (!error && compare->results[i].n_runs > most)
			most = compare->results[i].n_runs;
	}
	/* After the check: what is derived follows from what was measured. */
	for (i = 0; i < compare->count && !error; i++)
		derive(&compare->results[i]);
	compare->values = calloc(most + 1, sizeof(double));
	return error ? error : compare->values ? 0 : -ENOMEM;
}

static int draw(const struct compare *compare)
{
	const struct pwrctl_result *results[FILES_MAX];
	const char *names[FILES_MAX];
	size_t i;

	if (!compare->plot)
		return 0;
	for (i = 0; i < compare->count; i++) {
		results[i] = &compare->results[i];
		names[i] = compare->run->argv[i];
	}
	return pwrctl_result_plot(results, names, compare->count, compare->plot,
				  pwrctl_main_option(compare->run, "force"));
}

/* "plot OUT" stands last; a single file is enough for a picture. */
static int take_words(struct pwrctl_run *run, const char **plot)
{
	int i;

	for (i = 0; i < run->argc && strcmp(run->argv[i], "plot"); i++)
		;
	if (i < run->argc) {
		if (i + 2 != run->argc || !pwrctl_plot_can(run->argv[i + 1]))
			return pwrctl_main_usage(run, "plot comes last and needs a name that ends "
						 "in .svg or .png");
		*plot = run->argv[i + 1];
		run->argc = i;
	}
	if (run->argc < (*plot ? 1 : 2))
		return pwrctl_main_usage(run, "needs two results of pwrctl sweep, or more");
	if (run->argc > FILES_MAX)
		return pwrctl_main_usage(run, "compares %d results at most", FILES_MAX);
	return 0;
}

static int run_compare(struct pwrctl_run *run)
{
	struct compare *compare;
	const char *plot = NULL;
	int status = take_words(run, &plot);
	size_t i;

	if (status)
		return status;
	compare = calloc(1, sizeof(*compare));
	if (!compare) {
		pwrctl_out_error("out of memory");
		return PWRCTL_EXIT_FAILED;
	}
	compare->run = run;
	compare->plot = plot;
	status = PWRCTL_EXIT_OK;
	if (read_all(compare) || print(compare) || draw(compare))
		status = PWRCTL_EXIT_FAILED;
	for (i = 0; i < compare->count; i++)
		pwrctl_result_free(&compare->results[i]);
	free(compare->values);
	free(compare);
	return status;
}

static const char *const options[] = { "force", NULL };

const struct pwrctl_verb pwrctl_verb_compare = {
	.name = "compare",
	.synopsis = "[--force] A.json B.json [C.json]... [plot OUT]",
	.summary = "results of sweep side by side",
	.help =
"The first file is the baseline. One table a metric, one row a setting: the baseline's mean with\n"
"its 95 % interval, then of every other file the mean, the difference in percent with its\n"
"interval, and a verdict (Welch's test, Holm's correction for all rows, 1 %). Where energy is\n"
"known, power and performance per watt (100 / seconds / watts) follow. Results of another\n"
"command, or with other settings or metrics, are refused. plot draws them (OUT ends in .svg or\n"
".png; --force replaces a file that exists), a single one with all its runs.\n",
	.options = options,
	.run = run_compare,
};
