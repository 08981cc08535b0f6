// SPDX-License-Identifier: GPL-2.0-only
/* What a sweep has shown, and what it has not. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "out.h"
#include "stats.h"
#include "sweep_report.h"

#define BAR_MOST	20
#define NOTES_MAX	64

/**
 * struct report - everything worked out
 * @sweep: what was measured
 * @result: its runs
 * @out: where to
 * @values: room for the values of one point
 * @wall: summary of every point's wall time
 * @contrast: of every point with off; that of off itself is empty
 * @control: A and B of the control
 * @between: contrast of A and B
 * @notes: what to say besides
 * @n_notes: how many
 */
struct report {
	const struct pwrctl_sweep *sweep;
	const struct pwrctl_result *result;
	struct pwrctl_out *out;
	double *values;
	struct pwrctl_summary *wall;
	struct pwrctl_contrast *contrast;
	struct pwrctl_summary control[2];
	struct pwrctl_contrast between;
	char *notes[NOTES_MAX];
	size_t n_notes;
};

__attribute__((format(printf, 2, 3)))
static void note(struct report *report, const char *format, ...)
{
	va_list arguments;

	if (report->n_notes == NOTES_MAX)
		return;
	va_start(arguments, format);
	if (vasprintf(&report->notes[report->n_notes], format, arguments) >= 0)
		report->n_notes++;
	va_end(arguments);
}

static void summarize(struct report *report, size_t point, char arm, size_t metric,
		      struct pwrctl_summary *summary)
{
	size_t count = pwrctl_result_values(report->result, point, arm, metric, report->values);

	pwrctl_stats_summarize(report->values, count, summary);
}

static void work_out(struct report *report)
{
	size_t i, count = report->result->n_points;

	for (i = 0; i < count; i++) {
		summarize(report, i, 0, PWRCTL_SWEEP_WALL, &report->wall[i]);
		pwrctl_stats_contrast(&report->wall[0], &report->wall[i], &report->contrast[i]);
	}
	pwrctl_stats_correct(report->contrast + 1, count - 1, true);
	summarize(report, 0, 'A', PWRCTL_SWEEP_WALL, &report->control[0]);
	summarize(report, 0, 'B', PWRCTL_SWEEP_WALL, &report->control[1]);
	pwrctl_stats_contrast(&report->control[0], &report->control[1], &report->between);
	pwrctl_stats_correct(&report->between, 1, true);
}

/* Was pressure ever above 0? -1 when that is not known. */
static int capped(const struct pwrctl_result *result)
{
	bool known = false;
	size_t i, j;

	for (i = 0; i < result->n_runs; i++)
		for (j = 0; j < result->runs[i].n_domains; j++) {
			double pressure = result->runs[i].domains[j].pressure;

			if (pressure > 0)
				return 1;
			known |= !isnan(pressure);
		}
	return known ? 0 : -1;
}

static void note_spread(struct report *report)
{
	double spread = fmax(fabs(report->between.percent), report->between.half_percent);
	double most = 0;
	size_t i;

	if (isnan(spread) || report->result->n_points < 2)
		return;
	for (i = 1; i < report->result->n_points; i++)
		most = fmax(most, fabs(report->contrast[i].percent));
	if (report->between.verdict == PWRCTL_VERDICT_BETTER ||
	    report->between.verdict == PWRCTL_VERDICT_WORSE)
		note(report, "the control differs from itself by %.1f %%: the machine is not "
		     "steady, and neither is anything below", report->between.percent);
	if (spread >= most)
		note(report, "the control's spread (%.1f %%) is larger than every difference "
		     "(%.1f %% at most)", spread, most);
}

static void collect_notes(struct report *report)
{
	const struct pwrctl_sweep *sweep = report->sweep;
	size_t i;

	note_spread(report);
	for (i = 0; i < report->result->n_points; i++)
		if (report->wall[i].humps)
			note(report, "the runs of %s fall into two groups: their mean describes "
			     "neither", report->result->points[i]);
	if (report->control[0].humps || report->control[1].humps)
		note(report, "the runs of the control fall into two groups");
	if (!capped(report->result))
		note(report, "nothing was capped in any run: no setting can matter here");
	else if (!sweep->consumed && sweep->watched)
		note(report, "somebody watches the hints (events or tracing); whether anybody "
		     "consumes them cannot be told meanwhile");
	else if (!sweep->consumed)
		note(report, "nobody consumed the hints: a decay cannot matter here");
	if (sweep->left)
		note(report, "the command left processes behind: what they did is in no run, and "
		     "may be in the next ones");
	if (sweep->hot)
		note(report, "it did not cool down to %.1f C within %d s, once or more",
		     sweep->below, PWRCTL_SWEEP_COOL_MOST_S);
}

/* --- text -------------------------------------------------------------------------------- */

/* As perf stat --table: every run, its distance from the mean, a # for each percent. */
static void print_runs(struct report *report, size_t point)
{
	const struct pwrctl_summary *wall = &report->wall[point];
	char bar[BAR_MOST + 1];
	size_t i, count;
	int length;

	count = pwrctl_result_values(report->result, point, 0, PWRCTL_SWEEP_WALL, report->values);
	if (!count)
		return;
	pwrctl_out_say(report->out, " # %s", report->result->points[point]);
	for (i = 0; i < count; i++) {
		double off = report->values[i] - wall->mean;

		length = wall->mean > 0 ? (int)fmin(100 * fabs(off) / wall->mean + 0.5, BAR_MOST) :
					  0;
		memset(bar, '#', (size_t)length);
		bar[length] = '\0';
		pwrctl_out_say(report->out, "   %.4f (%+.4f)%s%s", report->values[i], off,
			       length ? " " : "", bar);
	}
	if (isnan(wall->sd))
		pwrctl_out_say(report->out, "   %.4f seconds", wall->mean);
	else
		pwrctl_out_say(report->out, "   %.4f +- %.4f seconds ( +- %.2f%% )", wall->mean,
			       wall->sd, 100 * wall->sd / wall->mean);
}

static void print_control(struct report *report)
{
	const struct pwrctl_contrast *between = &report->between;

	if (isnan(between->p))
		return;
	pwrctl_out_say(report->out, "%s", "");
	pwrctl_out_say(report->out, "control: off against itself %+.2f %% +- %.2f %% (p %.2f)",
		       between->percent, between->half_percent, between->p);
}

/* --- both -------------------------------------------------------------------------------- */

static void real(struct report *report, const char *name, double value)
{
	if (isfinite(value))
		pwrctl_out_real(report->out, name, value);
	else
		pwrctl_out_null(report->out, name, NULL);
}

/* "-" where a metric is not available: never 0 */
static void cell(struct report *report, const char *head, const char *format, double value)
{
	char text[64];

	if (pwrctl_out_is_json(report->out))
		return;
	snprintf(text, sizeof(text), format, value);
	pwrctl_out_string(report->out, NULL, head, isfinite(value) ? text : "not available");
}

static void print_metric(struct report *report, size_t point, size_t metric, const char *head,
			 const char *format)
{
	struct pwrctl_summary summary;

	summarize(report, point, 0, metric, &summary);
	if (pwrctl_out_is_json(report->out))
		real(report, report->result->metrics[metric].name, summary.mean);
	cell(report, head, format, summary.mean);
}

static void print_contrast(struct report *report, size_t point)
{
	const struct pwrctl_contrast *contrast = &report->contrast[point];
	char text[64] = "-", p[32] = "-";

	if (pwrctl_out_is_json(report->out)) {
		real(report, "difference_percent", point ? contrast->percent : NAN);
		real(report, "difference_half_95_percent", point ? contrast->half_percent : NAN);
		real(report, "p", point ? contrast->p : NAN);
		real(report, "p_corrected", point ? contrast->corrected : NAN);
		pwrctl_out_string(report->out, "verdict", NULL, point ?
				  pwrctl_stats_verdict(contrast->verdict) : "baseline");
		return;
	}
	if (point && isfinite(contrast->half_percent))
		snprintf(text, sizeof(text), "%+.2f %% +- %.2f", contrast->percent,
			 contrast->half_percent);
	else if (point && isfinite(contrast->percent))
		snprintf(text, sizeof(text), "%+.2f %%", contrast->percent);
	if (point && isfinite(contrast->corrected))
		snprintf(p, sizeof(p), contrast->corrected < 0.001 ? "<0.001" : "%.3f",
			 contrast->corrected);
	pwrctl_out_string(report->out, NULL, "AGAINST OFF", text);
	pwrctl_out_string(report->out, NULL, "P", p);
	pwrctl_out_string(report->out, NULL, "VERDICT", point ?
			  pwrctl_stats_verdict(contrast->verdict) : "baseline");
}

static void print_wall(struct report *report, size_t point)
{
	const struct pwrctl_summary *wall = &report->wall[point];
	size_t i, count;
	char text[64];

	if (pwrctl_out_is_json(report->out)) {
		real(report, "wall_s", wall->mean);
		real(report, "wall_sd_s", wall->sd);
		real(report, "wall_half_95_s", wall->half);
		count = pwrctl_result_values(report->result, point, 0, PWRCTL_SWEEP_WALL,
					     report->values);
		pwrctl_out_list(report->out, "runs_s", NULL, NULL);
		for (i = 0; i < count; i++)
			pwrctl_out_real(report->out, NULL, report->values[i]);
		pwrctl_out_list_end(report->out);
		return;
	}
	snprintf(text, sizeof(text), isfinite(wall->half) ? "%.4f +- %.4f" : "%.4f", wall->mean,
		 wall->half);
	pwrctl_out_string(report->out, NULL, "SECONDS (95 %)", wall->count ? text : "-");
}

static void print_points(struct report *report)
{
	size_t i;

	pwrctl_out_list(report->out, "settings", "", NULL);
	for (i = 0; i < report->result->n_points; i++) {
		pwrctl_out_object(report->out, NULL, NULL);
		pwrctl_out_string(report->out, "setting", "SETTING", report->result->points[i]);
		print_wall(report, i);
		print_contrast(report, i);
		print_metric(report, i, PWRCTL_SWEEP_USER, "USER", "%.3f");
		print_metric(report, i, PWRCTL_SWEEP_SYSTEM, "SYSTEM", "%.3f");
		print_metric(report, i, PWRCTL_SWEEP_JOULES, "ENERGY", "%.2f J");
		print_metric(report, i, PWRCTL_SWEEP_CELSIUS, "HIGHEST", "%.1f C");
		pwrctl_out_object_end(report->out);
	}
	pwrctl_out_list_end(report->out);
}

/* Means over a point's runs of what was done to a domain. */
static void domain_means(const struct pwrctl_result *result, size_t point, const char *name,
			 double *cap_khz, double *pressure)
{
	size_t i, j, count = 0;

	*cap_khz = 0;
	*pressure = 0;
	for (i = 0; i < result->n_runs; i++)
		for (j = 0; j < result->runs[i].n_domains; j++) {
			const struct pwrctl_result_domain *domain = &result->runs[i].domains[j];

			if (result->runs[i].point != point || result->runs[i].arm ||
			    strcmp(domain->name, name))
				continue;
			*cap_khz += domain->cap_khz;
			*pressure += domain->pressure;
			count++;
		}
	*cap_khz /= (double)count;
	*pressure /= (double)count;
}

static void print_domain(struct report *report, size_t point, const char *name)
{
	double cap_khz, pressure;

	domain_means(report->result, point, name, &cap_khz, &pressure);
	pwrctl_out_object(report->out, NULL, NULL);
	pwrctl_out_string(report->out, "setting", "SETTING", report->result->points[point]);
	pwrctl_out_string(report->out, "domain", "DOMAIN", name);
	if (pwrctl_out_is_json(report->out)) {
		real(report, "mean_cap_khz", cap_khz);
		real(report, "mean_pressure", pressure);
	}
	cell(report, "MEAN CAP", "%.1f MHz", cap_khz / 1000);
	cell(report, "MEAN LOSS", "%.1f %%", 100 * pressure);
	pwrctl_out_object_end(report->out);
}

static void print_domains(struct report *report)
{
	const struct pwrctl_result_run *last;
	size_t i, j;

	if (!report->result->n_runs)
		return;
	last = &report->result->runs[report->result->n_runs - 1];
	pwrctl_out_list(report->out, "domains", NULL, NULL);
	for (j = 0; j < last->n_domains; j++)
		for (i = 0; i < report->result->n_points; i++)
			print_domain(report, i, last->domains[j].name);
	pwrctl_out_list_end(report->out);
}

static void print_notes(struct report *report)
{
	size_t i;

	if (pwrctl_out_is_json(report->out))
		pwrctl_out_list(report->out, "notes", NULL, NULL);
	for (i = 0; i < report->n_notes; i++) {
		if (pwrctl_out_is_json(report->out))
			pwrctl_out_string(report->out, NULL, NULL, report->notes[i]);
		else
			pwrctl_out_say(report->out, "note: %s", report->notes[i]);
		free(report->notes[i]);
	}
	if (pwrctl_out_is_json(report->out))
		pwrctl_out_list_end(report->out);
}

static void print(struct report *report)
{
	size_t i;

	if (pwrctl_out_is_json(report->out)) {
		pwrctl_out_object(report->out, NULL, NULL);
		pwrctl_out_object(report->out, "control", NULL);
		real(report, "difference_percent", report->between.percent);
		real(report, "difference_half_95_percent", report->between.half_percent);
		real(report, "p", report->between.p);
		pwrctl_out_object_end(report->out);
	}
	for (i = 0; i < report->result->n_points && !pwrctl_out_is_json(report->out); i++)
		print_runs(report, i);
	print_points(report);
	print_domains(report);
	print_control(report);
	print_notes(report);
	if (pwrctl_out_is_json(report->out))
		pwrctl_out_object_end(report->out);
}

/**
 * pwrctl_sweep_report - print what was measured, and what may be said of it
 * @sweep: ended
 * @interrupted: before all runs were made
 */
void pwrctl_sweep_report(const struct pwrctl_sweep *sweep, bool interrupted)
{
	struct report report = { .sweep = sweep, .result = &sweep->result };
	size_t count = sweep->result.n_points;

	report.values = calloc(sweep->result.n_runs + 1, sizeof(double));
	report.wall = calloc(count + 1, sizeof(*report.wall));
	report.contrast = calloc(count + 1, sizeof(*report.contrast));
	if (report.values && report.wall && report.contrast) {
		report.out = pwrctl_out_open(stdout, sweep->run->json);
		work_out(&report);
		collect_notes(&report);
		if (interrupted)
			note(&report, "interrupted after %u of %u runs", sweep->done,
			     sweep->total);
		print(&report);
		pwrctl_out_close(report.out);
	} else {
		pwrctl_out_error("out of memory");
	}
	free(report.contrast);
	free(report.wall);
	free(report.values);
}
