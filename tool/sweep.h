/* SPDX-License-Identifier: GPL-2.0-only */
/* Running a command under every setting. */
#ifndef PWRCTL_TOOL_SWEEP_H
#define PWRCTL_TOOL_SWEEP_H

#include "child.h"
#include "config.h"
#include "points.h"
#include "result.h"
#include "sensors.h"

#define PWRCTL_SWEEP_REPEAT	5
#define PWRCTL_SWEEP_WARMUP	1

/* How long to wait at most until it is cool. */
#define PWRCTL_SWEEP_COOL_MOST_S	600

/**
 * struct pwrctl_sweep - one sweep
 * @run: the call
 * @client: open
 * @points: the settings; the first is off, the baseline
 * @repeat: how often each
 * @warmup: runs before that do not count
 * @cooldown_ms: pause before each run
 * @below: or until no zone is warmer than that (Celsius); NAN when that is not asked
 * @sensors: of this machine
 * @found: the settings as they were
 * @last: the settings as they were set last
 * @changed: something was set
 * @result: what was measured
 * @done: how many runs have been made
 * @total: how many there will be
 * @begin_ns: when the first began
 * @left: a run left processes behind
 * @hot: a cool-down gave up
 * @consumed: somebody took a hint
 * @watched: only listeners or tracing made hints be told
 * @status: of the command that failed
 * @failed: it failed
 */
struct pwrctl_sweep {
	struct pwrctl_run *run;
	struct pwrctl_client *client;
	struct pwrctl_points *points;
	uint32_t repeat;
	uint32_t warmup;
	uint32_t cooldown_ms;
	double below;
	struct pwrctl_sensors *sensors;
	struct pwrctl_config found;
	struct pwrctl_config last;
	bool changed;
	struct pwrctl_result result;
	unsigned int done;
	unsigned int total;
	uint64_t begin_ns;
	bool left;
	bool hot;
	bool consumed;
	bool watched;
	int status;
	bool failed;
};

enum pwrctl_sweep_metric {
	PWRCTL_SWEEP_WALL,
	PWRCTL_SWEEP_USER,
	PWRCTL_SWEEP_SYSTEM,
	PWRCTL_SWEEP_JOULES,
	PWRCTL_SWEEP_CELSIUS,
};

/* sweep_settings.c */
int pwrctl_sweep_set(struct pwrctl_sweep *sweep, const struct pwrctl_point *point);
int pwrctl_sweep_restore(struct pwrctl_sweep *sweep);

/* sweep_run.c */
int pwrctl_sweep_go(struct pwrctl_sweep *sweep);

#endif
