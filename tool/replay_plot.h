/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PWRCTL_TOOL_REPLAY_PLOT_H
#define PWRCTL_TOOL_REPLAY_PLOT_H

#include "replay.h"

/**
 * struct pwrctl_replay_setting - one setting to play
 * @name: what people call it
 * @params: the setting; NULL follows what was recorded
 */
struct pwrctl_replay_setting {
	const char *name;
	const struct pwrctl_filter_params *params;
};

/**
 * struct pwrctl_replay_job - all that is to be played
 * @trace: sorted by domain
 * @first: index of each domain's first event, and of the end
 * @settings: the rows of the table
 * @n_settings: how many
 * @quantum: of 1024
 */
struct pwrctl_replay_job {
	struct pwrctl_trace *trace;
	size_t *first;
	struct pwrctl_replay_setting *settings;
	size_t n_settings;
	uint32_t quantum;
};

int pwrctl_replay_plot(const struct pwrctl_replay_job *job, const char *path, bool force);

/* replay_at.c */
int pwrctl_replay_at(const struct pwrctl_replay_job *job, const char *path, bool json);

#endif
