// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "../module/version.h"
#include "lines.h"
#include "result.h"

/* More runs than anybody waits for. */
#define RUNS_MAX	1000000
#define KHZ_MAX		1e8

static void add_string(struct json_object *object, const char *name, const char *value)
{
	json_object_object_add(object, name, json_object_new_string(value));
}

static void add_number(struct json_object *object, const char *name, uint64_t value)
{
	json_object_object_add(object, name, json_object_new_uint64(value));
}

static void write_header(FILE *stream, const struct pwrctl_result *result)
{
	struct json_object *line = json_object_new_object(), *list = json_object_new_array();
	time_t now = time(NULL);
	struct utsname host;
	struct tm utc;
	char date[32];
	size_t i;

	add_string(line, "type", PWRCTL_RESULT_TYPE);
	add_number(line, "version", PWRCTL_RESULT_VERSION);
	gmtime_r(&now, &utc);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &utc);
	add_string(line, "date", date);
	add_string(line, "pwrctl", PWRCTL_VERSION);
	add_string(line, "kernel", uname(&host) ? "unknown" : host.release);
	add_string(line, "kind", result->kind);
	add_string(line, "command", result->command);
	for (i = 0; i < result->n_metrics; i++) {
		struct json_object *metric = json_object_new_object(), *flag;

		add_string(metric, "name", result->metrics[i].name);
		add_string(metric, "title", result->metrics[i].title);
		add_string(metric, "unit", result->metrics[i].unit);
		flag = json_object_new_boolean(result->metrics[i].less_is_better);
		json_object_object_add(metric, "less_is_better", flag);
		json_object_array_add(list, metric);
	}
	json_object_object_add(line, "metrics", list);
	list = json_object_new_array();
	for (i = 0; i < result->n_points; i++)
		json_object_array_add(list, json_object_new_string(result->points[i]));
	json_object_object_add(line, "points", list);
	pwrctl_json_line(stream, line);
}

static void write_run(FILE *stream, const struct pwrctl_result *result,
		      const struct pwrctl_result_run *run)
{
	struct json_object *line = json_object_new_object(), *object, *list;
	char arm[2] = { run->arm, '\0' };
	size_t i;

	add_string(line, "event", "run");
	add_string(line, "point", result->points[run->point]);
	add_number(line, "round", run->round);
	add_string(line, "control", arm);
	object = json_object_new_object();
	for (i = 0; i < result->n_metrics; i++)
		pwrctl_json_add_real(object, result->metrics[i].name, run->value[i]);
	json_object_object_add(line, "values", object);
	list = json_object_new_array();
	for (i = 0; i < run->n_domains; i++) {
		object = json_object_new_object();
		add_string(object, "domain", run->domains[i].name);
		pwrctl_json_add_real(object, "mean_cap_khz", run->domains[i].cap_khz);
		pwrctl_json_add_real(object, "mean_pressure", run->domains[i].pressure);
		json_object_array_add(list, object);
	}
	json_object_object_add(line, "domains", list);
	pwrctl_json_line(stream, line);
}

/**
 * pwrctl_result_write - write a result
 * @stream: where to
 * @result: what pwrctl_result_read() will read
 */
void pwrctl_result_write(FILE *stream, const struct pwrctl_result *result)
{
	struct json_object *line;
	size_t i;

	write_header(stream, result);
	for (i = 0; i < result->n_runs; i++)
		write_run(stream, result, &result->runs[i]);
	line = json_object_new_object();
	add_string(line, "event", "end");
	add_number(line, "runs", result->n_runs);
	pwrctl_json_line(stream, line);
}

/* --- reading ----------------------------------------------------------------------------- */

static void copy(struct pwrctl_json *json, const char *name, char *to, size_t size)
{
	const char *text = pwrctl_json_string(json, name);

	if ((size_t)snprintf(to, size, "%s", text) >= size)
		pwrctl_json_blame(json, "%s is too long", name);
}

static void take_metric(struct pwrctl_json *json, struct json_object *object,
			struct pwrctl_metric *metric)
{
	struct pwrctl_json inner = { .object = object };
	struct json_object *flag = NULL;

	if (!json_object_is_type(object, json_type_object)) {
		pwrctl_json_blame(json, "a metric is no object");
		return;
	}
	copy(&inner, "name", metric->name, sizeof(metric->name));
	copy(&inner, "title", metric->title, sizeof(metric->title));
	copy(&inner, "unit", metric->unit, sizeof(metric->unit));
	json_object_object_get_ex(object, "less_is_better", &flag);
	if (!json_object_is_type(flag, json_type_boolean))
		pwrctl_json_blame(&inner, "less_is_better is neither true nor false");
	metric->less_is_better = json_object_get_boolean(flag);
	if (inner.bad)
		pwrctl_json_blame(json, "metric: %s", inner.reason);
}

static void take_header(struct pwrctl_json *json, struct pwrctl_result *result)
{
	struct json_object *list, *item;
	size_t i;

	copy(json, "kind", result->kind, sizeof(result->kind));
	snprintf(result->command, sizeof(result->command), "%s",
		 pwrctl_json_string(json, "command"));
	list = pwrctl_json_list(json, "metrics", PWRCTL_RESULT_METRICS_MAX);
	for (i = 0; list && i < json_object_array_length(list); i++)
		take_metric(json, json_object_array_get_idx(list, i),
			    &result->metrics[result->n_metrics++]);
	list = pwrctl_json_list(json, "points", PWRCTL_RESULT_POINTS_MAX);
	for (i = 0; list && i < json_object_array_length(list); i++) {
		item = json_object_array_get_idx(list, i);
		if (!json_object_is_type(item, json_type_string) ||
		    pwrctl_result_find(result, json_object_get_string(item)) >= 0)
			pwrctl_json_blame(json, "a point is no name, or is there twice");
		else if (pwrctl_result_point(result, json_object_get_string(item)))
			pwrctl_json_blame(json, "out of memory");
	}
	if (!json->bad && (!result->n_metrics || !result->n_points))
		pwrctl_json_blame(json, "there are no metrics, or no points");
}

static void take_domains(struct pwrctl_json *json, struct pwrctl_result_run *run)
{
	struct json_object *list = pwrctl_json_list(json, "domains", PWRCTL_RESULT_DOMAINS_MAX);
	size_t count = list ? json_object_array_length(list) : 0, i;

	run->domains = calloc(count + 1, sizeof(*run->domains));
	for (i = 0; run->domains && i < count; i++) {
		struct pwrctl_json inner = { .object = json_object_array_get_idx(list, i) };
		struct pwrctl_result_domain *domain = &run->domains[run->n_domains++];

		if (!json_object_is_type(inner.object, json_type_object)) {
			pwrctl_json_blame(json, "a domain is no object");
			return;
		}
		copy(&inner, "domain", domain->name, sizeof(domain->name));
		domain->cap_khz = pwrctl_json_real(&inner, "mean_cap_khz");
		domain->pressure = pwrctl_json_real(&inner, "mean_pressure");
		if (domain->cap_khz < 0 || domain->cap_khz > KHZ_MAX || domain->pressure < 0 ||
		    domain->pressure > 1)
			pwrctl_json_blame(&inner, "no such cap or pressure");
		if (inner.bad)
			pwrctl_json_blame(json, "domain: %s", inner.reason);
	}
}

static void take_run(struct pwrctl_json *json, struct pwrctl_result *result)
{
	int point = pwrctl_result_find(result, pwrctl_json_string(json, "point"));
	const char *arm = pwrctl_json_string(json, "control");
	struct pwrctl_json values = { 0 };
	struct pwrctl_result_run *run;
	size_t i;

	if (point < 0)
		pwrctl_json_blame(json, "the point is not one of those in line 1");
	if (*arm && strcmp(arm, "A") && strcmp(arm, "B"))
		pwrctl_json_blame(json, "control must be A, B or nothing");
	json_object_object_get_ex(json->object, "values", &values.object);
	if (!json_object_is_type(values.object, json_type_object))
		pwrctl_json_blame(json, "values is no object");
	run = json->bad || result->n_runs >= RUNS_MAX ? NULL : pwrctl_result_run(result);
	if (!run) {
		pwrctl_json_blame(json, "too many runs");
		return;
	}
	run->point = (unsigned int)point;
	run->arm = *arm;
	run->round = (unsigned int)pwrctl_json_number(json, "round", 1, RUNS_MAX);
	for (i = 0; i < result->n_metrics; i++)
		run->value[i] = pwrctl_json_real(&values, result->metrics[i].name);
	if (values.bad)
		pwrctl_json_blame(json, "values: %s", values.reason);
	take_domains(json, run);
}

static bool take_end(struct pwrctl_json *json, const struct pwrctl_result *result)
{
	uint64_t runs = pwrctl_json_number(json, "runs", 0, RUNS_MAX);

	if (!json->bad && runs != result->n_runs)
		pwrctl_json_blame(json, "runs are missing: there were %" PRIu64 ", here are %zu",
				  runs, result->n_runs);
	return true;
}

static int read_runs(struct pwrctl_lines *lines, struct pwrctl_result *result)
{
	struct pwrctl_json json;
	bool ended = false;
	const char *event;
	int got;

	for (;;) {
		got = pwrctl_lines_next(lines, &json);
		if (got < 0)
			return got;
		if (!got)
			return ended ? 0 : pwrctl_lines_bad(lines, "the file is cut off: it has no "
							    "end");
		event = pwrctl_json_string(&json, "event");
		if (ended)
			pwrctl_json_blame(&json, "there is something behind the end");
		else if (!strcmp(event, "run"))
			take_run(&json, result);
		else if (!strcmp(event, "end"))
			ended = take_end(&json, result);
		got = pwrctl_lines_done(lines, &json);
		if (got)
			return got;
	}
}

/**
 * pwrctl_result_read - read a result
 * @path: of the file
 * @result: to be freed, after a failure too
 *
 * Tells the user what is wrong in which line.
 *
 * Return: 0 or -errno.
 */
int pwrctl_result_read(const char *path, struct pwrctl_result *result)
{
	struct pwrctl_lines lines;
	struct pwrctl_json json;
	int error;

	memset(result, 0, sizeof(*result));
	error = pwrctl_lines_open(&lines, path);
	if (!error)
		error = pwrctl_lines_header(&lines, &json, PWRCTL_RESULT_TYPE,
					    PWRCTL_RESULT_VERSION, "result of pwrctl sweep");
	if (!error) {
		take_header(&json, result);
		error = pwrctl_lines_done(&lines, &json);
	}
	if (!error)
		error = read_runs(&lines, result);
	pwrctl_lines_close(&lines);
	return error;
}
