// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "out.h"
#include "parse.h"
#include "plot.h"
#include "points.h"
#include "replay_plot.h"
#include "tool.h"

/**
 * struct words - what was typed
 * @trace: the file
 * @plot: the picture, or NULL
 * @quantum: or 0 for the recorded one
 * @samples: how many averages to print per domain and setting with -j
 * @points: the settings
 */
struct words {
	const char *trace;
	const char *plot;
	uint32_t quantum;
	struct pwrctl_points points;
};

static int take_words(struct pwrctl_run *run, struct words *words)
{
	const struct pwrctl_setting *quantum = pwrctl_model_setting_by_id(PWRCTL_A_SET_QUANTUM);
	const char *key, *value;
	int i, taken;

	if (!run->argc)
		return pwrctl_main_usage(run, "needs a trace of pwrctl record");
	words->trace = run->argv[0];
	for (i = 1; i < run->argc; i += 2) {
		key = run->argv[i];
		value = run->argv[i + 1];
		taken = pwrctl_points_take(run, &words->points, key, value);
		if (taken < 0)
			return -taken;
		if (taken)
			continue;
		if (strcmp(key, "plot") && strcmp(key, quantum->name))
			return pwrctl_main_usage(run, "cannot use %s here", key);
		if (!value)
			return pwrctl_main_usage(run, "%s needs something behind it", key);
		if (!strcmp(key, "plot"))
			words->plot = value;
		else if (pwrctl_parse_value(value, quantum, &words->quantum) ||
			 words->quantum < quantum->least || words->quantum > quantum->most)
			return pwrctl_main_usage(run, "cannot use %s: %s", value,
						 quantum->refusal);
	}
	if (words->plot && !pwrctl_plot_can(words->plot))
		return pwrctl_main_usage(run, "cannot draw %s: the name must end in .svg or .png",
					 words->plot);
	return pwrctl_points_make(run, &words->points);
}

static void number(struct pwrctl_out *out, const char *name, const char *head, double value,
		   double scale, const char *format)
{
	char text[64];

	if (!isfinite(value)) {
		pwrctl_out_null(out, name, head);
		return;
	}
	if (pwrctl_out_is_json(out)) {
		pwrctl_out_real(out, name, value);
		return;
	}
	snprintf(text, sizeof(text), format, value * scale);
	pwrctl_out_string(out, NULL, head, text);
}

static void lag(struct pwrctl_out *out, const char *name, const char *head, const char *over_name,
		const struct pwrctl_replay_lag *lag)
{
	char text[64];
	double mean = lag->steps ? lag->seconds / (double)lag->steps : NAN;

	if (pwrctl_out_is_json(out)) {
		number(out, name, head, mean, 1, "");
		pwrctl_out_number(out, over_name, NULL, PWRCTL_UNIT_NONE, lag->over);
		return;
	}
	if (!lag->steps) {
		pwrctl_out_null(out, name, head);
		return;
	}
	/* Steps that were over first make it a lower bound. */
	snprintf(text, sizeof(text), "%s%.0f ms", lag->over ? ">" : "", mean * 1000);
	pwrctl_out_string(out, NULL, head, text);
}

static void print_row(struct pwrctl_out *out, const char *setting, const char *domain,
		      const struct pwrctl_replay_result *result)
{
	char name[32], head[32];
	int i;

	pwrctl_out_object(out, NULL, NULL);
	pwrctl_out_string(out, "setting", "SETTING", setting);
	pwrctl_out_string(out, "domain", "DOMAIN", domain);
	number(out, "seconds", NULL, result->seconds, 1, "%.1f");
	number(out, "mean", "MEAN", result->mean, 100, "%.1f %%");
	number(out, "max", "MAX", result->most, 100, "%.1f %%");
	for (i = 0; i < PWRCTL_REPLAY_LEVELS; i++) {
		snprintf(name, sizeof(name), "above_%u", pwrctl_replay_percent[i]);
		snprintf(head, sizeof(head), ">%u%%", pwrctl_replay_percent[i]);
		number(out, name, head, result->seconds > 0 ? result->above[i] / result->seconds :
		       NAN, 100, "%.1f %%");
	}
	lag(out, "lag_cap_s", "LAG CAP", "lag_cap_cut", &result->cap);
	lag(out, "lag_release_s", "LAG RELEASE", "lag_release_cut", &result->release);
	pwrctl_out_number(out, "pushes", "PUSHES", PWRCTL_UNIT_NONE, result->pushes);
	pwrctl_out_object_end(out);
}

static void print_table(struct pwrctl_run *run, const struct pwrctl_replay_job *job)
{
	struct pwrctl_out *out = pwrctl_out_open(stdout, run->json);
	struct pwrctl_replay_result result;
	size_t domain, i;

	pwrctl_out_list(out, NULL, NULL, "the trace has no domains");
	for (domain = 0; domain < job->trace->n_domains; domain++)
		for (i = 0; i < job->n_settings; i++) {
			pwrctl_replay_domain(&job->trace->events[job->first[domain]],
					     job->first[domain + 1] - job->first[domain],
					     job->trace->end_ns, job->settings[i].params,
					     job->quantum, &result, NULL);
			print_row(out, job->settings[i].name, job->trace->domains[domain].name,
				  &result);
		}
	pwrctl_out_list_end(out);
	if (job->trace->resyncs)
		pwrctl_out_say(out, "events were lost %u times: that time is left out",
			       job->trace->resyncs);
	pwrctl_out_close(out);
}

static int play(struct pwrctl_run *run, struct words *words, struct pwrctl_trace *trace)
{
	const struct pwrctl_option *at = pwrctl_main_option(run, "at");
	struct pwrctl_replay_job job = { .trace = trace };
	int status = PWRCTL_EXIT_OK;
	size_t i;

	job.quantum = words->quantum ? words->quantum : trace->quantum;
	if (!job.quantum)
		job.quantum = pwrctl_model_setting_by_id(PWRCTL_A_SET_QUANTUM)->preset;
	job.settings = calloc(words->points.count + 1, sizeof(*job.settings));
	if (!job.settings || pwrctl_replay_sort(trace, &job.first)) {
		pwrctl_out_error("out of memory");
		free(job.settings);
		return PWRCTL_EXIT_FAILED;
	}
	job.settings[job.n_settings++].name = "as recorded";
	for (i = 0; i < words->points.count; i++, job.n_settings++) {
		job.settings[job.n_settings].name = words->points.points[i].name;
		job.settings[job.n_settings].params = &words->points.points[i].params;
	}
	if (at)
		status = pwrctl_replay_at(&job, at->value, run->json) ? PWRCTL_EXIT_FAILED : 0;
	else
		print_table(run, &job);
	if (words->plot && pwrctl_replay_plot(&job, words->plot, pwrctl_main_option(run, "force")))
		status = PWRCTL_EXIT_FAILED;
	free(job.first);
	free(job.settings);
	return status;
}

static int run_replay(struct pwrctl_run *run)
{
	struct words *words = calloc(1, sizeof(*words));
	struct pwrctl_trace trace = { 0 };
	int status;

	if (!words) {
		pwrctl_out_error("out of memory");
		return PWRCTL_EXIT_FAILED;
	}
	status = take_words(run, words);
	if (!status)
		status = pwrctl_trace_read(words->trace, &trace) ? PWRCTL_EXIT_FAILED :
			 play(run, words, &trace);
	pwrctl_trace_free(&trace);
	free(words);
	return status;
}

static const char *const options[] = { "force", "at=", NULL };

const struct pwrctl_verb pwrctl_verb_replay = {
	.name = "replay",
	.synopsis = "FILE [mode M,...] [decay_ms LIST] [fall_ms LIST] [pelt_shift LIST]\n"
		    "FILE ... [quantum N] [--at FILE] [--force] [plot OUT.svg|OUT.png]",
	.summary = "what settings would have made of a recorded trace",
	.help =
"Plays the caps of a trace through the module's own filter, under the settings that were recorded\n"
"and under every one that is named: LIST is 125,250 or 50:1000:50. decay_ms and fall_ms are\n"
"crossed with each other, modes are rows of their own. Needs no module.\n"
"\n"
"Of each setting and domain: mean and maximum of the average, the part of the time it was above\n"
"10, 25 and 50 % of capacity lost, how long it took to cover 90 % of a step after a cap and after\n"
"a release (> where steps ended before), and how many hints the quantum would have let out.\n"
"plot draws caps and averages. --at prints the averages at given times instead: FILE holds lines\n"
"\"policyN CLOCK_NS\" in the order of time.\n",
	.options = options,
	.run = run_replay,
};
