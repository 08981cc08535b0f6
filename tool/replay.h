/* SPDX-License-Identifier: GPL-2.0-only */
/* What a setting would have made of a recorded trace, with the module's own filter. */
#ifndef PWRCTL_TOOL_REPLAY_H
#define PWRCTL_TOOL_REPLAY_H

#include "trace_file.h"

/* Time above these parts of full capacity is counted. */
#define PWRCTL_REPLAY_LEVELS	3
extern const unsigned int pwrctl_replay_percent[PWRCTL_REPLAY_LEVELS];

/**
 * struct pwrctl_replay_lag - how long the average took to cover 90 % of a step of the pressure
 * @seconds: all together; a step that was over before counts as long as it held
 * @steps: how many
 * @over: how many of them were over before
 */
struct pwrctl_replay_lag {
	double seconds;
	uint64_t steps;
	uint64_t over;
};

/**
 * struct pwrctl_replay_result - what became of one domain under one setting
 * @seconds: how long it was followed, without gaps
 * @mean: time-weighted mean of the average, 0 to 1
 * @most: its maximum
 * @above: seconds above each level
 * @cap: lag after the pressure rose
 * @release: lag after it fell
 * @pushes: hints that outlets would have been told
 */
struct pwrctl_replay_result {
	double seconds;
	double mean;
	double most;
	double above[PWRCTL_REPLAY_LEVELS];
	struct pwrctl_replay_lag cap;
	struct pwrctl_replay_lag release;
	uint64_t pushes;
};

/**
 * struct pwrctl_replay_samples - the average at given times
 * @ns: the times, ascending
 * @value: the average, 0 to 1; NAN in gaps
 * @pressure: what the average is of, or NULL when nobody asks
 * @count: how many
 */
struct pwrctl_replay_samples {
	const uint64_t *ns;
	double *value;
	double *pressure;
	size_t count;
};

int pwrctl_replay_sort(struct pwrctl_trace *trace, size_t **first);
void pwrctl_replay_domain(const struct pwrctl_trace_event *events, size_t count, uint64_t end_ns,
			  const struct pwrctl_filter_params *params, uint32_t quantum,
			  struct pwrctl_replay_result *result,
			  struct pwrctl_replay_samples *samples);

#endif
