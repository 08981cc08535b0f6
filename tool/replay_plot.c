// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "out.h"
#include "plot.h"
#include "replay_plot.h"

#define WIDTH		1000
#define PANEL_HEIGHT	320
#define PANELS_MAX	8
#define TIMES		800

static const char *const colours[] = {
	"#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#17becf", "#e377c2",
};

#define COLOURS	(sizeof(colours) / sizeof(colours[0]))

/* Even times: a change between two of them shows at the next. */
static uint64_t *make_times(const struct pwrctl_trace *trace, size_t *count)
{
	uint64_t span = trace->end_ns - trace->start_ns, *times;
	size_t i;

	times = calloc(TIMES, sizeof(*times));
	if (!times)
		return NULL;
	for (i = 0; i < TIMES; i++)
		times[i] = trace->start_ns +
			   (uint64_t)((double)span * (double)i / (TIMES - 1));
	times[TIMES - 1] = trace->end_ns;
	*count = TIMES;
	return times;
}

static void write_data(struct pwrctl_plot *plot, const struct pwrctl_trace *trace,
		       const struct pwrctl_replay_samples *samples, const char *name, size_t domain,
		       size_t number, const double *values)
{
	size_t i;

	fprintf(plot->stream, "$%s%zu_%zu << EOD\n", name, domain, number);
	for (i = 0; i < samples->count; i++) {
		if (isnan(values[i]))
			fputs("\n", plot->stream);
		else
			fprintf(plot->stream, "%.6f %.5f\n",
				(double)(samples->ns[i] - trace->start_ns) / 1e9, 100 * values[i]);
	}
	fputs("EOD\n", plot->stream);
}

static int write_domain(struct pwrctl_plot *plot, const struct pwrctl_replay_job *job,
			struct pwrctl_replay_samples *samples, size_t domain)
{
	const struct pwrctl_trace_event *events = &job->trace->events[job->first[domain]];
	size_t count = job->first[domain + 1] - job->first[domain], i;
	struct pwrctl_replay_result result;

	for (i = 0; i < job->n_settings; i++) {
		pwrctl_replay_domain(events, count, job->trace->end_ns, job->settings[i].params,
				     job->quantum, &result, samples);
		write_data(plot, job->trace, samples, "s", domain, i, samples->value);
	}
	write_data(plot, job->trace, samples, "p", domain, 0, samples->pressure);
	return 0;
}

static void write_panel(struct pwrctl_plot *plot, const struct pwrctl_replay_job *job,
			size_t domain, bool last)
{
	char text[128], title[300];
	size_t i;

	snprintf(text, sizeof(text), "%s (CPUs %.60s)", job->trace->domains[domain].name,
		 job->trace->domains[domain].cpus);
	fprintf(plot->stream, "set title %s\n", pwrctl_plot_quote(text, title, sizeof(title)));
	fprintf(plot->stream, "set xlabel %s\n", last ? "'seconds'" : "''");
	fprintf(plot->stream, "plot $p%zu_0 using 1:2 with filledcurves y1=0 fc rgb '#dddddd' "
		"title 'cap (capacity lost now)'", domain);
	for (i = 0; i < job->n_settings; i++)
		/* What was recorded is often one of the others: wide, so that it shows behind it. */
		fprintf(plot->stream, ", $s%zu_%zu using 1:2 with lines lw %s dt %zu "
			"lc rgb '%s' title %s", domain, i, i ? "1.6" : "5",
			1 + i / COLOURS % 5, i ? colours[(i - 1) % COLOURS] : "#9ecae1",
			pwrctl_plot_quote(job->settings[i].name, title, sizeof(title)));
	fputs("\n", plot->stream);
}

static int draw(const struct pwrctl_replay_job *job, struct pwrctl_replay_samples *samples,
		const char *path, bool force)
{
	size_t panels = job->trace->n_domains < PANELS_MAX ? job->trace->n_domains : PANELS_MAX;
	unsigned int keys = 60 + 18 * (unsigned int)job->n_settings, height;
	struct pwrctl_plot plot;
	size_t i;
	int error;

	height = keys > PANEL_HEIGHT ? keys : PANEL_HEIGHT;
	error = pwrctl_plot_open(&plot, path, force, WIDTH, height * (unsigned int)panels);
	if (error)
		return error;
	if (panels < job->trace->n_domains)
		pwrctl_out_error("%s shows the first %d of %zu domains", path, PANELS_MAX,
				 job->trace->n_domains);
	for (i = 0; i < panels; i++)
		write_domain(&plot, job, samples, i);
	fprintf(plot.stream, "set multiplot layout %zu,1\nset grid\nset yrange [0:*<100]\n"
		"set xrange [0:*]\nset offsets 0,0,graph 0.06,0\nset ylabel '%% of capacity lost'\n"
		"set key outside right top Left reverse\nset lmargin 9\n", panels);
	for (i = 0; i < panels; i++)
		write_panel(&plot, job, i, i + 1 == panels);
	fputs("unset multiplot\n", plot.stream);
	return pwrctl_plot_close(&plot);
}

/**
 * pwrctl_replay_plot - draw caps and averages
 * @job: what was replayed
 * @path: of the picture
 * @force: it may replace a file of that name
 *
 * Return: 0 or -errno after telling why.
 */
int pwrctl_replay_plot(const struct pwrctl_replay_job *job, const char *path, bool force)
{
	struct pwrctl_replay_samples samples = { 0 };
	uint64_t *times = make_times(job->trace, &samples.count);
	int error = -ENOMEM;

	samples.ns = times;
	samples.value = calloc(samples.count + 1, sizeof(double));
	samples.pressure = calloc(samples.count + 1, sizeof(double));
	if (times && samples.value && samples.pressure)
		error = draw(job, &samples, path, force);
	else
		pwrctl_out_error("cannot draw %s: out of memory", path);
	free(samples.pressure);
	free(samples.value);
	free(times);
	return error;
}
