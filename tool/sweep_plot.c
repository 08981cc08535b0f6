// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out.h"
#include "plot.h"
#include "stats.h"
#include "sweep_report.h"

#define WIDTH_LEAST	700
#define WIDTH_POINT	34
#define HEIGHT		760
#define DOMAINS_MAX	8

static void write_runs(FILE *stream, const struct pwrctl_result *result)
{
	size_t i;

	fputs("$runs << EOD\n", stream);
	for (i = 0; i < result->n_runs; i++)
		if (!result->runs[i].arm)
			fprintf(stream, "%u %.6f\n", result->runs[i].point,
				result->runs[i].value[PWRCTL_SWEEP_WALL]);
	fputs("EOD\n", stream);
}

static void write_means(FILE *stream, const struct pwrctl_result *result, double *values,
			double *baseline)
{
	struct pwrctl_summary summary;
	char name[160];
	size_t i, count;

	fputs("$means << EOD\n", stream);
	for (i = 0; i < result->n_points; i++) {
		count = pwrctl_result_values(result, i, 0, PWRCTL_SWEEP_WALL, values);
		pwrctl_stats_summarize(values, count, &summary);
		if (!i)
			*baseline = summary.mean;
		/* Names have no double quotes: they are made of settings. */
		snprintf(name, sizeof(name), "\"%s\"", result->points[i]);
		fprintf(stream, "%zu %.6f %.6f %s\n", i, summary.mean,
			isnan(summary.half) ? 0 : summary.half, name);
	}
	fputs("EOD\n", stream);
}

static void write_pressure(FILE *stream, const struct pwrctl_result *result, size_t domain,
			   const char *name)
{
	size_t i, j;

	/* gnuplot warns of data without any point: here is one that is not drawn. */
	fprintf(stream, "$pressure%zu << EOD\n-9 0\n", domain);
	for (i = 0; i < result->n_runs; i++)
		for (j = 0; j < result->runs[i].n_domains; j++)
			if (!result->runs[i].arm &&
			    !strcmp(result->runs[i].domains[j].name, name) &&
			    !isnan(result->runs[i].domains[j].pressure))
				fprintf(stream, "%u %.4f\n", result->runs[i].point,
					100 * result->runs[i].domains[j].pressure);
	fputs("EOD\n", stream);
}

static void draw(FILE *stream, const struct pwrctl_result *result, double baseline,
		 const struct pwrctl_result_run *last, size_t domains)
{
	char title[2 * sizeof(result->command)];
	size_t i;

	fprintf(stream, "set multiplot layout 2,1\nset grid\nset xrange [-0.7:%zu-0.3]\n"
		"set xtics rotate by -55\nset offsets 0,0,graph 0.08,graph 0.08\nset lmargin 11\n"
		"set title %s\nset ylabel 'seconds'\nset key top right\n", result->n_points,
		pwrctl_plot_quote(result->command, title, sizeof(title)));
	fprintf(stream, "plot %.6f with lines lc rgb '#888888' dt 2 title 'off, mean', "
		"$runs using 1:2 with points pt 7 ps 0.4 lc rgb '#9ecae1' title 'runs', "
		"$means using 1:2:3:xtic(4) with yerrorbars pt 5 ps 0.7 lw 1.6 lc rgb '#08519c' "
		"title 'mean, 95 %% interval'\n", baseline);
	fputs("set title 'capacity lost while it ran'\nset ylabel '% of capacity'\n"
	      "set yrange [0:1<*]\nset offsets 0,0,graph 0.08,0\nplot ", stream);
	for (i = 0; i < domains; i++)
		fprintf(stream, "$pressure%zu using ($1+%.2f):2 with points pt %zu ps 0.6 title "
			"%s, ", i, 0.08 * (double)i, 5 + i,
			pwrctl_plot_quote(last->domains[i].name, title, sizeof(title)));
	/* Points of no size: they keep the names, and the panel when nothing is known. */
	fputs("$means using 1:(0):xtic(4) with points ps 0 notitle\nunset multiplot\n", stream);
}

/**
 * pwrctl_sweep_plot - draw times and caps
 * @sweep: ended, with runs
 * @path: of the picture
 * @force: it may replace a file of that name
 *
 * Return: 0 or -errno after telling why.
 */
int pwrctl_sweep_plot(const struct pwrctl_sweep *sweep, const char *path, bool force)
{
	const struct pwrctl_result *result = &sweep->result;
	const struct pwrctl_result_run *last = &result->runs[result->n_runs - 1];
	size_t domains = last->n_domains < DOMAINS_MAX ? last->n_domains : DOMAINS_MAX, i;
	unsigned int width = 160 + WIDTH_POINT * (unsigned int)result->n_points;
	double *values = calloc(result->n_runs + 1, sizeof(*values)), baseline = 0;
	struct pwrctl_plot plot;
	int error = -1;

	if (values)
		error = pwrctl_plot_open(&plot, path, force, width > WIDTH_LEAST ? width :
					 WIDTH_LEAST, HEIGHT);
	if (!error) {
		write_runs(plot.stream, result);
		write_means(plot.stream, result, values, &baseline);
		for (i = 0; i < domains; i++)
			write_pressure(plot.stream, result, i, last->domains[i].name);
		draw(plot.stream, result, baseline, last, domains);
		error = pwrctl_plot_close(&plot);
	}
	free(values);
	return error;
}
