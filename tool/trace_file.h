/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recorded traces: one JSON object a line, see docs/trace-format.md. The writer is used by record,
 * the reader by replay; both know the format, nobody else does.
 */
#ifndef PWRCTL_TOOL_TRACE_FILE_H
#define PWRCTL_TOOL_TRACE_FILE_H

#include <stdio.h>

#include "../module/filter.h"
#include "model.h"
#include "sensors.h"

#define PWRCTL_TRACE_TYPE	"pwrctl-trace"
#define PWRCTL_TRACE_VERSION	1

/**
 * enum pwrctl_trace_kind - what an event of a domain is
 * @PWRCTL_TRACE_STATE: the domain was read: everything is known anew from here
 * @PWRCTL_TRACE_CAP: the cap, its cause or the reference changed
 * @PWRCTL_TRACE_SET: the settings changed; nothing else is known
 * @PWRCTL_TRACE_GAP: it is not known what happened from the event before to here
 */
enum pwrctl_trace_kind {
	PWRCTL_TRACE_STATE,
	PWRCTL_TRACE_CAP,
	PWRCTL_TRACE_SET,
	PWRCTL_TRACE_GAP,
};

/**
 * struct pwrctl_trace_event - something that happened to a domain
 * @kind: enum pwrctl_trace_kind
 * @cause: of the cap, enum pwrctl_cause
 * @domain: index into the trace's domains
 * @line: of the file
 * @ns: when the module evaluated this (CLOCK_BOOTTIME)
 * @changed_ns: since when @pressure holds
 * @cap_khz: the effective cap, 0 while nobody caps
 * @reference_khz: the frequency of full capacity
 * @pressure: in parts of 2^62
 * @average: at @ns, in parts of 2^62
 * @params: what the filter was told to do at @ns
 * @pelt: the state of mode pelt at @ns; its stamp is 0 when that is not known
 */
struct pwrctl_trace_event {
	uint8_t kind;
	uint8_t cause;
	uint16_t domain;
	uint32_t line;
	uint64_t ns;
	uint64_t changed_ns;
	uint32_t cap_khz;
	uint32_t reference_khz;
	uint64_t pressure;
	uint64_t average;
	struct pwrctl_filter_params params;
	struct pwrctl_pelt pelt;
};

#define PWRCTL_TRACE_DOMAINS_MAX	4096

/**
 * struct pwrctl_trace_domain - a domain of a trace
 * @name: of the domain
 * @cpus: a CPU list
 * @last_ns: of its last event
 * @read_ns: when it was read last
 * @has_params: its settings were read
 * @params: its settings at the last event
 */
struct pwrctl_trace_domain {
	char name[PWRCTL_NAME_LEN];
	char cpus[512];
	uint64_t last_ns;
	uint64_t read_ns;
	bool has_params;
	struct pwrctl_filter_params params;
};

/**
 * struct pwrctl_trace - a whole trace
 * @domains: in the order of their appearance
 * @n_domains: how many
 * @events: in the order of the file, each domain's in the order of time, but for
 *	PWRCTL_TRACE_SET, which the file tells of later
 * @n_events: how many
 * @room: allocated
 * @start_ns: when recording began
 * @end_ns: when it ended
 * @quantum: in force at the start
 * @resyncs: how often events were lost
 */
struct pwrctl_trace {
	struct pwrctl_trace_domain *domains;
	size_t n_domains;
	struct pwrctl_trace_event *events;
	size_t n_events;
	size_t room;
	uint64_t start_ns;
	uint64_t end_ns;
	uint32_t quantum;
	unsigned int resyncs;
};

/* trace_write.c */
void pwrctl_trace_header(FILE *stream, uint64_t ns, char *const *command);
void pwrctl_trace_settings(FILE *stream, uint64_t ns, const char *domain,
			   const struct pwrctl_settings *settings);
void pwrctl_trace_domain(FILE *stream, const char *event, const struct pwrctl_domain *domain);
void pwrctl_trace_cpus(FILE *stream, uint64_t ns, const struct pwrctl_cpu *cpus, size_t count);
void pwrctl_trace_sensors(FILE *stream, uint64_t ns, const struct pwrctl_sensors *sensors);
void pwrctl_trace_mark(FILE *stream, const char *event, uint64_t ns, const char *domain);
void pwrctl_trace_end(FILE *stream, uint64_t ns, const int *status);

/* trace_file.c */
int pwrctl_trace_read(const char *path, struct pwrctl_trace *trace);
void pwrctl_trace_free(struct pwrctl_trace *trace);

#endif
