// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "parse.h"
#include "trace_file.h"

/* A year of an event every millisecond would not fit in memory anyway. */
#define EVENTS_MAX	100000000
#define KHZ_MAX		100000000

/* Of the scheduler's PELT: units in a period, and load_sum of a load of 1 at most. */
#define PELT_PERIOD	1024
#define PELT_SUM_MAX	47742

struct reader {
	struct pwrctl_lines lines;
	bool ended;
	struct pwrctl_trace *trace;
};

static struct pwrctl_trace_domain *find_domain(struct pwrctl_trace *trace, const char *name)
{
	size_t i;

	for (i = 0; i < trace->n_domains; i++)
		if (!strcmp(trace->domains[i].name, name))
			return &trace->domains[i];
	return NULL;
}

static struct pwrctl_trace_domain *add_domain(struct pwrctl_trace *trace, const char *name)
{
	struct pwrctl_trace_domain *domain = find_domain(trace, name);

	if (domain || trace->n_domains == PWRCTL_TRACE_DOMAINS_MAX)
		return domain;
	domain = reallocarray(trace->domains, trace->n_domains + 1, sizeof(*domain));
	if (!domain)
		return NULL;
	trace->domains = domain;
	domain += trace->n_domains++;
	memset(domain, 0, sizeof(*domain));
	snprintf(domain->name, sizeof(domain->name), "%s", name);
	return domain;
}

static struct pwrctl_trace_event *grow(struct pwrctl_trace *trace)
{
	size_t room = trace->room ? trace->room * 2 : 1024;
	struct pwrctl_trace_event *events;

	if (trace->n_events == trace->room) {
		if (room > EVENTS_MAX)
			return NULL;
		events = reallocarray(trace->events, room, sizeof(*events));
		if (!events)
			return NULL;
		trace->events = events;
		trace->room = room;
	}
	events = &trace->events[trace->n_events++];
	memset(events, 0, sizeof(*events));
	return events;
}

/* What is read from the current line, or NULL with a complaint. */
static struct pwrctl_trace_event *add_event(struct reader *reader, struct pwrctl_json *json,
					    const struct pwrctl_trace_domain *domain, uint8_t kind,
					    uint64_t ns)
{
	struct pwrctl_trace_event *event = grow(reader->trace);

	if (!event) {
		pwrctl_json_blame(json, "too many events");
		return NULL;
	}
	event->kind = kind;
	event->domain = (uint16_t)(domain - reader->trace->domains);
	event->line = reader->lines.number;
	event->ns = ns;
	return event;
}

/* The domain a line speaks of, or NULL with a complaint. */
static struct pwrctl_trace_domain *domain_of(struct reader *reader, struct pwrctl_json *json)
{
	const char *name = pwrctl_json_string(json, "domain");
	struct pwrctl_trace_domain *domain;

	if (json->bad)
		return NULL;
	if (!pwrctl_parse_is_domain(name)) {
		pwrctl_json_blame(json, "%s is no domain", name);
		return NULL;
	}
	domain = add_domain(reader->trace, name);
	if (!domain)
		pwrctl_json_blame(json, "too many domains");
	return domain;
}

static uint32_t key(struct pwrctl_json *json, const char *name)
{
	const struct pwrctl_setting *setting = pwrctl_model_setting(name);
	uint32_t value = setting->preset;

	if (setting->kind == PWRCTL_KIND_NUMBER)
		return (uint32_t)pwrctl_json_number(json, name, setting->least, setting->most);
	if (pwrctl_parse_value(pwrctl_json_string(json, name), setting, &value))
		pwrctl_json_blame(json, "%s", setting->refusal);
	return value;
}

static void take_settings(struct reader *reader, struct pwrctl_json *json)
{
	struct pwrctl_trace_domain *domain = NULL;
	struct json_object *name = NULL;

	if (json_object_object_get_ex(json->object, "domain", &name) && !name) {
		if (!reader->trace->quantum)
			reader->trace->quantum = key(json, "quantum");
		return;
	}
	domain = domain_of(reader, json);
	if (!domain)
		return;
	domain->params = (struct pwrctl_filter_params) {
		.mode = (uint8_t)key(json, "mode"),
		.pelt_shift = (uint8_t)key(json, "pelt_shift"),
		.decay_ms = key(json, "decay_ms"),
		.fall_ms = key(json, "fall_ms"),
	};
	domain->has_params = true;
}

/* Every line's time; what is before its predecessor of the same domain is no trace. */
static uint64_t take_time(struct pwrctl_json *json)
{
	return pwrctl_json_number(json, "ns", 0, INT64_MAX);
}

/* The state of mode pelt; its bounds are those of the scheduler's own numbers. */
static void take_pelt(struct pwrctl_json *json, struct pwrctl_trace_event *event)
{
	struct pwrctl_pelt *pelt = &event->pelt;
	struct pwrctl_json inner;

	if (!pwrctl_json_has(json, "pelt") || !pwrctl_json_enter(json, "pelt", &inner))
		return;
	pelt->stamp = pwrctl_json_number(&inner, "stamp", 0, event->ns);
	pelt->sum = pwrctl_json_number(&inner, "sum", 0, PWRCTL_SCALE * PELT_SUM_MAX);
	pelt->avg = (uint32_t)pwrctl_json_number(&inner, "avg", 0, PWRCTL_SCALE);
	pelt->contrib = (uint32_t)pwrctl_json_number(&inner, "contrib", 0, PELT_PERIOD - 1);
	if (inner.bad)
		pwrctl_json_blame(json, "pelt: %s", inner.reason);
}

/*
 * Settings are read some time after they were changed. When that was is known of the last change,
 * which is an event of its own: before events that stand in front of it.
 */
static void add_set(struct reader *reader, struct pwrctl_json *json,
		    struct pwrctl_trace_domain *domain, uint64_t ns)
{
	struct pwrctl_trace_event *event;
	uint64_t set_ns;

	if (!pwrctl_json_has(json, "set_ns"))
		return;
	set_ns = pwrctl_json_number(json, "set_ns", 0, ns);
	if (json->bad || !domain->read_ns || set_ns <= domain->read_ns)
		return;
	event = add_event(reader, json, domain, PWRCTL_TRACE_SET, set_ns);
	if (!event)
		return;
	event->changed_ns = set_ns;
	event->params = domain->params;
}

static void take_domain(struct reader *reader, struct pwrctl_json *json, uint8_t kind)
{
	struct pwrctl_trace_domain *domain = domain_of(reader, json);
	struct pwrctl_trace_event *event;
	uint64_t ns = take_time(json);
	uint32_t cause = 0;

	if (!domain)
		return;
	if (!domain->has_params)
		pwrctl_json_blame(json, "the settings of %s are missing before this",
				  domain->name);
	if (ns < domain->last_ns)
		pwrctl_json_blame(json, "time goes back: %" PRIu64 " after %" PRIu64, ns,
				  domain->last_ns);
	if (pwrctl_parse_word(pwrctl_json_string(json, "cause"), pwrctl_model_causes, &cause))
		pwrctl_json_blame(json, "there is no such cause");
	if (kind == PWRCTL_TRACE_STATE)
		add_set(reader, json, domain, ns);
	event = json->bad ? NULL : add_event(reader, json, domain, kind, ns);
	if (!event)
		return;
	if (kind == PWRCTL_TRACE_STATE)
		snprintf(domain->cpus, sizeof(domain->cpus), "%s",
			 pwrctl_json_string(json, "cpus"));
	event->cause = (uint8_t)cause;
	event->changed_ns = pwrctl_json_number(json, "changed_ns", 0, INT64_MAX);
	event->cap_khz = (uint32_t)pwrctl_json_number_or_null(json, "cap_khz", UINT32_MAX);
	event->reference_khz = (uint32_t)pwrctl_json_number(json, "reference_khz", 0, KHZ_MAX);
	event->pressure = pwrctl_json_number(json, "pressure_fine", 0, PWRCTL_FILTER_ONE);
	event->average = pwrctl_json_number(json, "average_fine", 0, PWRCTL_FILTER_ONE);
	event->params = domain->params;
	if (event->changed_ns > ns)
		pwrctl_json_blame(json, "changed_ns is later than ns");
	domain->last_ns = ns;
	if (kind != PWRCTL_TRACE_STATE)
		return;
	take_pelt(json, event);
	domain->read_ns = ns;
}

static void add_gap(struct reader *reader, struct pwrctl_json *json,
		    struct pwrctl_trace_domain *domain, uint64_t ns)
{
	add_event(reader, json, domain, PWRCTL_TRACE_GAP,
		  ns > domain->last_ns ? ns : domain->last_ns);
}

static void take_gap(struct reader *reader, struct pwrctl_json *json, bool all)
{
	uint64_t ns = take_time(json);
	struct pwrctl_trace_domain *domain;
	size_t i;

	if (!all) {
		domain = domain_of(reader, json);
		if (domain)
			add_gap(reader, json, domain, ns);
		return;
	}
	reader->trace->resyncs++;
	for (i = 0; i < reader->trace->n_domains; i++)
		add_gap(reader, json, &reader->trace->domains[i], ns);
}

static void take_end(struct reader *reader, struct pwrctl_json *json)
{
	size_t i;

	reader->trace->end_ns = take_time(json);
	reader->ended = true;
	for (i = 0; i < reader->trace->n_domains; i++)
		if (reader->trace->domains[i].last_ns > reader->trace->end_ns)
			pwrctl_json_blame(json, "the end is before the last event");
}

static void take_line(struct reader *reader, struct pwrctl_json *json)
{
	const char *event = pwrctl_json_string(json, "event");

	if (reader->ended)
		pwrctl_json_blame(json, "there is something behind the end");
	else if (!strcmp(event, "settings"))
		take_settings(reader, json);
	else if (!strcmp(event, "domain"))
		take_domain(reader, json, PWRCTL_TRACE_STATE);
	else if (!strcmp(event, "cap"))
		take_domain(reader, json, PWRCTL_TRACE_CAP);
	else if (!strcmp(event, "resync") || !strcmp(event, "gone"))
		take_gap(reader, json, *event == 'r');
	else if (!strcmp(event, "end"))
		take_end(reader, json);
	/* What a later version adds tells nothing that this one needs. */
}

static int read_all(struct reader *reader)
{
	struct pwrctl_json json;
	int result = pwrctl_lines_header(&reader->lines, &json, PWRCTL_TRACE_TYPE,
					 PWRCTL_TRACE_VERSION, "trace of pwrctl record");

	if (result)
		return result;
	reader->trace->start_ns = take_time(&json);
	result = pwrctl_lines_done(&reader->lines, &json);
	while (!result) {
		result = pwrctl_lines_next(&reader->lines, &json);
		if (!result)
			break;
		if (result > 0) {
			take_line(reader, &json);
			result = pwrctl_lines_done(&reader->lines, &json);
		}
	}
	if (!result && !reader->ended)
		return pwrctl_lines_bad(&reader->lines, "the file is cut off: it has no end");
	return result;
}

/**
 * pwrctl_trace_read - read a trace
 * @path: of the file
 * @trace: to be freed, after a failure too
 *
 * Tells the user what is wrong in which line.
 *
 * Return: 0 or -errno.
 */
int pwrctl_trace_read(const char *path, struct pwrctl_trace *trace)
{
	struct reader reader = { .trace = trace };
	int error;

	memset(trace, 0, sizeof(*trace));
	error = pwrctl_lines_open(&reader.lines, path);
	if (!error)
		error = read_all(&reader);
	pwrctl_lines_close(&reader.lines);
	return error;
}

/**
 * pwrctl_trace_free - forget a trace
 * @trace: read, or zeroed
 */
void pwrctl_trace_free(struct pwrctl_trace *trace)
{
	free(trace->domains);
	free(trace->events);
	memset(trace, 0, sizeof(*trace));
}
