/* SPDX-License-Identifier: GPL-2.0-only */
/* Turns the module's events into the lines of a trace, in the right order. */
#ifndef PWRCTL_TOOL_RECORDER_H
#define PWRCTL_TOOL_RECORDER_H

#include <stdio.h>

#include "client.h"

/**
 * struct pwrctl_track - one domain while it is recorded
 * @state: as last read; written once no older event can come any more, while @held
 * @settings: read with it
 * @last_ns: of the last line written
 * @written: there was one since the beginning or the last gap
 * @held: @state waits to be written
 * @here: the domain exists
 * @now: what is known last, for the progress line
 */
struct pwrctl_track {
	struct pwrctl_domain state;
	struct pwrctl_settings settings;
	uint64_t last_ns;
	bool written;
	bool held;
	bool here;
	struct pwrctl_domain now;
};

/**
 * struct pwrctl_recorder - a recording
 * @client: listening
 * @stream: where the lines go
 * @tracks: the domains
 * @n_tracks: how many
 * @caps: lines of caps written
 * @resyncs: how often events were lost
 * @stale: settings changed: read all domains once the queue is empty
 * @left: the module left
 */
struct pwrctl_recorder {
	struct pwrctl_client *client;
	FILE *stream;
	struct pwrctl_track *tracks;
	size_t n_tracks;
	uint64_t caps;
	unsigned int resyncs;
	bool stale;
	bool left;
};

uint64_t pwrctl_recorder_clock(void);
int pwrctl_recorder_snapshot(struct pwrctl_recorder *recorder);
int pwrctl_recorder_drain(struct pwrctl_recorder *recorder);
void pwrctl_recorder_free(struct pwrctl_recorder *recorder);

#endif
