// SPDX-License-Identifier: GPL-2.0-only
/* A picture of results: what verdicts are about, and what was done to the domains meanwhile. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out.h"
#include "plot.h"
#include "result_plot.h"
#include "stats.h"

#define WIDTH_LEAST	820

/* Left for the key, beside both panels. */
#define WIDTH_KEY	290
#define NAME_MOST	24
#define WIDTH_POINT	34
#define HEIGHT		820
#define DOMAINS_MAX	8

/* How far apart the files' marks of one point stand, in points. */
#define APART		0.14

/**
 * struct picture - what is drawn
 * @stream: to gnuplot
 * @results: of the same shape
 * @names: of the results, or NULL when there is one without a name
 * @count: how many
 * @values: room for the values of one point
 * @right: where the panels end, as a part of the picture's width
 * @baseline: mean of the first point of the first result
 */
struct picture {
	FILE *stream;
	const struct pwrctl_result *const *results;
	const char *const *names;
	size_t count;
	double *values;
	double right;
	double baseline;
};

static const char *const colours[] = {
	"#08519c", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#17becf", "#e377c2",
};

#define COLOURS	(sizeof(colours) / sizeof(colours[0]))

static double offset(const struct picture *picture, size_t file)
{
	return APART * ((double)file - (double)(picture->count - 1) / 2);
}

/* Names come from files, too: nothing in them may end a string or a line. */
static const char *clean(const char *from, char *to, size_t size)
{
	size_t i;

	snprintf(to, size, "%s", from);
	for (i = 0; to[i]; i++)
		if ((unsigned char)to[i] < ' ' || to[i] == '"' || to[i] == '\\')
			to[i] = ' ';
	return to;
}

/* A file's name as far as there is room for it: without its folder. */
static const char *name_of(const struct picture *picture, size_t file)
{
	const char *name = strrchr(picture->names[file], '/');

	name = name ? name + 1 : picture->names[file];
	return strlen(name) > NAME_MOST ? name + strlen(name) - NAME_MOST : name;
}

static size_t values_of(const struct picture *picture, size_t file, size_t point)
{
	const struct pwrctl_result *result = picture->results[file];
	int index = pwrctl_result_find(result, picture->results[0]->points[point]);

	return index < 0 ? 0 : pwrctl_result_values(result, (size_t)index, 0, 0, picture->values);
}

static void write_runs(struct picture *picture)
{
	size_t point, i, count;

	/* gnuplot warns of data without any point: here is one that is not drawn. */
	fputs("$runs << EOD\n-9 0\n", picture->stream);
	for (point = 0; point < picture->results[0]->n_points && picture->count == 1; point++) {
		count = values_of(picture, 0, point);
		for (i = 0; i < count; i++)
			fprintf(picture->stream, "%zu %.6f\n", point, picture->values[i]);
	}
	fputs("EOD\n", picture->stream);
}

static void write_means(struct picture *picture, size_t file)
{
	const struct pwrctl_result *result = picture->results[0];
	struct pwrctl_summary summary;
	char name[64];
	size_t point;

	fprintf(picture->stream, "$means%zu << EOD\n", file);
	for (point = 0; point < result->n_points; point++) {
		pwrctl_stats_summarize(picture->values, values_of(picture, file, point),
				       &summary);
		if (!point && !file)
			picture->baseline = summary.mean;
		if (isnan(summary.mean))
			continue;
		fprintf(picture->stream, "%zu %.6f %.6f \"%s\"\n", point, summary.mean,
			isnan(summary.half) ? 0 : summary.half,
			clean(result->points[point], name, sizeof(name)));
	}
	fputs("EOD\n", picture->stream);
}

static void write_pressure(const struct picture *picture, size_t file, size_t domain,
			   const char *name)
{
	const struct pwrctl_result *result = picture->results[file];
	size_t i, j;

	fprintf(picture->stream, "$pressure%zu_%zu << EOD\n-9 0\n", file, domain);
	for (i = 0; i < result->n_runs; i++) {
		const struct pwrctl_result_run *run = &result->runs[i];
		int point = pwrctl_result_find(picture->results[0], result->points[run->point]);

		for (j = 0; j < run->n_domains && !run->arm && point >= 0; j++)
			if (!strcmp(run->domains[j].name, name) &&
			    !isnan(run->domains[j].pressure))
				fprintf(picture->stream, "%d %.4f\n", point,
					100 * run->domains[j].pressure);
	}
	fputs("EOD\n", picture->stream);
}

static void draw_times(const struct picture *picture)
{
	const struct pwrctl_result *result = picture->results[0];
	char title[2 * sizeof(result->command)], text[80], label[170];
	size_t file;

	snprintf(text, sizeof(text), "%s, %s", result->metrics[0].title, result->metrics[0].unit);
	fprintf(picture->stream, "set title %s\nset ylabel %s\nset yrange [0<*:*]\n",
		pwrctl_plot_quote(result->command, title, sizeof(title)),
		pwrctl_plot_quote(text, label, sizeof(label)));
	fputs("plot ", picture->stream);
	if (isfinite(picture->baseline))
		fprintf(picture->stream, "%.6f with lines lc rgb '#888888' dt 2 title %s, ",
			picture->baseline, "'baseline, mean'");
	if (picture->count == 1)
		fputs("$runs using ($1-0.25):2 with points pt 7 ps 0.4 lc rgb '#6baed6' title 'runs', ",
		      picture->stream);
	for (file = 0; file < picture->count; file++)
		fprintf(picture->stream, "$means%zu using ($1+%.3f):2:3 with yerrorbars pt 5 "
			"ps 0.7 lw 1.6 lc rgb '%s' title %s, ", file, offset(picture, file),
			colours[file % COLOURS], picture->count == 1 ? "'mean, 95 % interval'" :
			pwrctl_plot_quote(name_of(picture, file), title, sizeof(title)));
	/* Transparent: they keep the names. */
	fprintf(picture->stream, "$means0 using 1:2:xtic(4) with dots lc rgb '#ffffffff' notitle\n");
}

static void draw_pressure(const struct picture *picture, const struct pwrctl_result_run *last,
			  size_t domains)
{
	char text[256], title[520];
	size_t file, i;

	fputs("set title 'capacity lost while it ran'\nset ylabel '% of capacity'\n"
	      "set yrange [0:1<*]\nset offsets 0,0,graph 0.08,0\nplot ", picture->stream);
	for (file = 0; file < picture->count; file++)
		for (i = 0; i < domains; i++) {
			snprintf(text, sizeof(text), "%s%s%s", last->domains[i].name,
				 picture->count == 1 ? "" : ", ",
				 picture->count == 1 ? "" : name_of(picture, file));
			fprintf(picture->stream, "$pressure%zu_%zu using ($1+%.3f):2 with points "
				"pt %zu ps 0.7 lc rgb '%s' title %s, ", file, i,
				offset(picture, file) + 0.04 * (double)i, 5 + i,
				colours[(picture->count == 1 ? i : file) % COLOURS],
				pwrctl_plot_quote(text, title, sizeof(title)));
		}
	/* They keep the panel when nothing is known. */
	fputs("$means0 using 1:(0):xtic(4) with dots lc rgb '#ffffffff' notitle\n", picture->stream);
}

static void draw(struct picture *picture)
{
	static const struct pwrctl_result_run none;
	const struct pwrctl_result *result = picture->results[0];
	const struct pwrctl_result_run *last = result->n_runs ?
					       &result->runs[result->n_runs - 1] : &none;
	size_t domains = last->n_domains < DOMAINS_MAX ? last->n_domains : DOMAINS_MAX, file, i;

	write_runs(picture);
	for (file = 0; file < picture->count; file++) {
		write_means(picture, file);
		for (i = 0; i < domains; i++)
			write_pressure(picture, file, i, last->domains[i].name);
	}
	fprintf(picture->stream, "set multiplot layout 2,1\nset grid\nset xrange [-0.7:%zu-0.3]\n"
		"set xtics rotate by -55\nset offsets 0,0,graph 0.08,graph 0.08\nset lmargin 11\n"
		"set rmargin at screen %.3f\nset key at screen %.3f,graph 1 left top Left reverse\n",
		result->n_points, picture->right, picture->right + 0.015);
	draw_times(picture);
	draw_pressure(picture, last, domains);
	fputs("unset multiplot\n", picture->stream);
}

/**
 * pwrctl_result_plot - draw results of the same shape next to each other
 * @results: the first says which points there are; a single one is drawn with all its runs
 * @names: of the results; not used with a single one
 * @count: how many, 1 to 16
 * @path: of the picture
 * @force: it may replace a file of that name
 *
 * Return: 0 or -errno after telling why.
 */
int pwrctl_result_plot(const struct pwrctl_result *const *results, const char *const *names,
		       size_t count, const char *path, bool force)
{
	unsigned int width = 120 + WIDTH_KEY + WIDTH_POINT * (unsigned int)results[0]->n_points;
	struct picture picture = { .results = results, .names = names, .count = count };
	struct pwrctl_plot plot;
	size_t most = 0, i;
	int error;

	width = width > WIDTH_LEAST ? width : WIDTH_LEAST;
	picture.right = 1 - WIDTH_KEY / (double)width;
	for (i = 0; i < count; i++)
		most = results[i]->n_runs > most ? results[i]->n_runs : most;
	picture.values = calloc(most + 1, sizeof(double));
	error = picture.values ? pwrctl_plot_open(&plot, path, force, width, HEIGHT) : -1;
	if (!error) {
		picture.stream = plot.stream;
		draw(&picture);
		error = pwrctl_plot_close(&plot);
	}
	free(picture.values);
	return error;
}
