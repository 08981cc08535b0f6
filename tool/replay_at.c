// SPDX-License-Identifier: GPL-2.0-only
/* Averages at given times: what show would have said then. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "out.h"
#include "replay_plot.h"

#define LINE_SIZE	256

/**
 * struct times - when to look at one domain
 * @ns: ascending
 * @count: how many
 */
struct times {
	uint64_t *ns;
	size_t count;
};

static int find(const struct pwrctl_trace *trace, const char *name)
{
	size_t i;

	for (i = 0; i < trace->n_domains; i++)
		if (!strcmp(trace->domains[i].name, name))
			return (int)i;
	return -ENOENT;
}

static int take_line(const struct pwrctl_trace *trace, struct times *times, const char *line)
{
	char name[PWRCTL_NAME_LEN];
	uint64_t *more, ns;
	int domain, end = 0;

	if (sscanf(line, "%19s %" SCNu64 "%n", name, &ns, &end) != 2 || line[end])
		return -EINVAL;
	domain = find(trace, name);
	if (domain < 0)
		return domain;
	times += domain;
	if (times->count && ns < times->ns[times->count - 1])
		return -ERANGE;
	more = reallocarray(times->ns, times->count + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	times->ns = more;
	times->ns[times->count++] = ns;
	return 0;
}

static const char *reason(int error)
{
	switch (error) {
	case -ENOENT:
		return "the trace has no such domain";
	case -ERANGE:
		return "earlier than the line before of this domain";
	case -EINVAL:
		return "a line must be \"policyN CLOCK_NS\"";
	case -ENODATA:
		return "the file is cut off";
	default:
		return strerror(-error);
	}
}

static int read_times(const struct pwrctl_trace *trace, const char *path, struct times *times)
{
	FILE *stream = fopen(path, "re");
	unsigned int number = 0;
	char line[LINE_SIZE];
	int result;

	if (!stream) {
		pwrctl_out_error("cannot read %s: %s", path, strerror(errno));
		return -errno;
	}
	do {
		number++;
		result = pwrctl_file_line(stream, line, sizeof(line));
		if (result > 0)
			result = take_line(trace, times, line) ?: 1;
	} while (result > 0);
	fclose(stream);
	if (result)
		pwrctl_out_error("%s:%u: %s", path, number, reason(result));
	return result;
}

static void print_row(struct pwrctl_out *out, const char *setting, const char *domain, uint64_t ns,
		      double average)
{
	pwrctl_out_object(out, NULL, NULL);
	pwrctl_out_string(out, "setting", "SETTING", setting);
	pwrctl_out_string(out, "domain", "DOMAIN", domain);
	pwrctl_out_number(out, "clock_ns", "CLOCK_NS", PWRCTL_UNIT_NONE, ns);
	if (isnan(average))
		pwrctl_out_null(out, "average", "AVERAGE");
	else
		pwrctl_out_number(out, "average", "AVERAGE", PWRCTL_UNIT_NONE,
				  (uint64_t)(average * PWRCTL_SCALE + 0.5));
	pwrctl_out_object_end(out);
}

static int print_domain(struct pwrctl_out *out, const struct pwrctl_replay_job *job, size_t domain,
			const struct times *times)
{
	const struct pwrctl_trace_event *events = &job->trace->events[job->first[domain]];
	size_t count = job->first[domain + 1] - job->first[domain], setting, i;
	struct pwrctl_replay_samples samples = { .ns = times->ns, .count = times->count };
	struct pwrctl_replay_result result;

	samples.value = calloc(times->count + 1, sizeof(double));
	if (!samples.value)
		return -ENOMEM;
	for (setting = 0; setting < job->n_settings; setting++) {
		pwrctl_replay_domain(events, count, job->trace->end_ns,
				     job->settings[setting].params, job->quantum, &result,
				     &samples);
		for (i = 0; i < times->count; i++)
			print_row(out, job->settings[setting].name,
				  job->trace->domains[domain].name, times->ns[i],
				  samples.value[i]);
	}
	free(samples.value);
	return 0;
}

/**
 * pwrctl_replay_at - print the averages at given times
 * @job: what to replay
 * @path: file of lines "policyN CLOCK_NS", each domain's in the order of time
 * @json: print JSON
 *
 * Return: 0 or -errno after telling why.
 */
int pwrctl_replay_at(const struct pwrctl_replay_job *job, const char *path, bool json)
{
	struct times *times = calloc(job->trace->n_domains + 1, sizeof(*times));
	struct pwrctl_out *out;
	int error;
	size_t i;

	if (!times)
		return -ENOMEM;
	error = read_times(job->trace, path, times);
	if (!error) {
		out = pwrctl_out_open(stdout, json);
		pwrctl_out_list(out, NULL, NULL, "no times");
		for (i = 0; i < job->trace->n_domains && !error; i++)
			error = print_domain(out, job, i, &times[i]);
		pwrctl_out_list_end(out);
		pwrctl_out_close(out);
	}
	for (i = 0; i < job->trace->n_domains; i++)
		free(times[i].ns);
	free(times);
	return error;
}
