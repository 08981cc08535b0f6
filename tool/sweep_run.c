// SPDX-License-Identifier: GPL-2.0-only
/* The runs: in which order, with what in between, and what is noted of each. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "out.h"
#include "progress.h"
#include "stop.h"
#include "sweep.h"

/* How often to look at the temperature while cooling down. */
#define LOOK_MS	250

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/**
 * struct counters - the module's own, before or after a run
 * @domains: all of them
 * @count: how many
 * @stats: of the module as a whole
 */
struct counters {
	struct pwrctl_domain *domains;
	size_t count;
	struct pwrctl_stats stats;
};

static int read_counters(struct pwrctl_sweep *sweep, struct counters *counters)
{
	memset(counters, 0, sizeof(*counters));
	if (!pwrctl_client_get_domains(sweep->client, &counters->domains, &counters->count) &&
	    !pwrctl_client_get_stats(sweep->client, &counters->stats))
		return 0;
	pwrctl_main_fail(sweep->client);
	return -EIO;
}

static const struct pwrctl_domain *before(const struct counters *counters, const char *name)
{
	size_t i;

	for (i = 0; i < counters->count; i++)
		if (!strcmp(counters->domains[i].name, name))
			return &counters->domains[i];
	return NULL;
}

/* The integral of pressure over the run gives both means: pressure is 1 - cap / reference. */
static void note_domain(struct pwrctl_result_domain *note, const struct pwrctl_domain *from,
			const struct pwrctl_domain *to)
{
	double total;

	snprintf(note->name, sizeof(note->name), "%s", to->name);
	note->cap_khz = NAN;
	note->pressure = NAN;
	if (!from || to->total_ns <= from->total_ns || to->lost_ns < from->lost_ns ||
	    to->reference_khz != from->reference_khz)
		return;
	total = (double)(to->total_ns - from->total_ns);
	note->pressure = fmin((double)(to->lost_ns - from->lost_ns) / total, 1);
	note->cap_khz = to->reference_khz * (1 - note->pressure);
}

/*
 * Hints are told only while somebody takes them. Listeners to netlink and tracing only watch;
 * when they are there, telling proves nothing.
 */
static void note_consumers(struct pwrctl_sweep *sweep, const struct counters *from,
			   const struct counters *to)
{
	if (to->stats.notifiers)
		sweep->consumed = true;
	if (to->stats.pushes <= from->stats.pushes)
		return;
	if (to->stats.listeners || to->stats.traced || from->stats.listeners ||
	    from->stats.traced)
		sweep->watched = true;
	else
		sweep->consumed = true;
}

static int note_run(struct pwrctl_sweep *sweep, size_t point, unsigned int round, char arm,
		    const struct pwrctl_child *child, const struct counters *from,
		    const struct counters *to)
{
	struct pwrctl_result_run *run = pwrctl_result_run(&sweep->result);
	size_t i;

	if (!run)
		return -ENOMEM;
	run->point = (unsigned int)point;
	run->round = round;
	run->arm = arm;
	run->value[PWRCTL_SWEEP_WALL] = child->wall_s;
	run->value[PWRCTL_SWEEP_USER] = child->user_s;
	run->value[PWRCTL_SWEEP_SYSTEM] = child->system_s;
	if (!pwrctl_sensors_joules(sweep->sensors, &run->value[PWRCTL_SWEEP_JOULES]))
		run->value[PWRCTL_SWEEP_JOULES] = NAN;
	if (!pwrctl_sensors_highest(sweep->sensors, &run->value[PWRCTL_SWEEP_CELSIUS]))
		run->value[PWRCTL_SWEEP_CELSIUS] = NAN;
	run->domains = calloc(to->count + 1, sizeof(*run->domains));
	for (i = 0; run->domains && i < to->count; i++)
		note_domain(&run->domains[run->n_domains++], before(from, to->domains[i].name),
			    &to->domains[i]);
	note_consumers(sweep, from, to);
	return 0;
}

static void show_progress(const struct pwrctl_sweep *sweep, const char *what)
{
	double each = sweep->done ? (double)(now_ns() - sweep->begin_ns) / 1e9 / sweep->done : 0;
	char left[32] = "";

	if (sweep->done)
		pwrctl_progress_time(each * (sweep->total - sweep->done), left, sizeof(left));
	pwrctl_progress("%u of %u  %s%s%s", sweep->done + 1, sweep->total, what,
			*left ? "  left " : "", left);
}

static int wait_until(uint64_t until_ns)
{
	uint64_t now = now_ns();
	int error;

	while (now < until_ns) {
		error = pwrctl_stop_wait(-1, (int)((until_ns - now) / 1000000) + 1);
		if (error < 0)
			return error;
		now = now_ns();
	}
	return 0;
}

static int cool_down(struct pwrctl_sweep *sweep)
{
	uint64_t until = now_ns() + PWRCTL_SWEEP_COOL_MOST_S * 1000000000ull;
	double celsius;
	int error;

	show_progress(sweep, "cooling down");
	if (isnan(sweep->below))
		return wait_until(now_ns() + sweep->cooldown_ms * 1000000ull);
	for (;;) {
		pwrctl_sensors_sample(sweep->sensors);
		/* One that cannot be read now is no reason to go on: it may be hot. */
		if (pwrctl_sensors_now(sweep->sensors, &celsius) && celsius < sweep->below)
			return 0;
		if (now_ns() >= until) {
			sweep->hot = true;
			return 0;
		}
		error = pwrctl_stop_wait(-1, LOOK_MS);
		if (error < 0)
			return error;
	}
}

/* Until the command has ended. Sensors are read meanwhile, or counters might wrap unseen. */
static int await(struct pwrctl_sweep *sweep, struct pwrctl_child *child)
{
	int result;

	for (;;) {
		result = pwrctl_stop_wait(child->fd, PWRCTL_SENSORS_PERIOD_MS);
		if (result < 0) {
			pwrctl_child_kill(child);
			return result;
		}
		pwrctl_sensors_sample(sweep->sensors);
		if (result) {
			pwrctl_child_finish(child);
			return 0;
		}
	}
}

static int run_child(struct pwrctl_sweep *sweep, struct pwrctl_child *child)
{
	int error;

	pwrctl_sensors_begin(sweep->sensors);
	error = pwrctl_child_start(child, sweep->run->command, true);
	if (!error)
		error = await(sweep, child);
	if (error == -EINTR || error == -EPIPE)
		return error;
	if (error || child->status) {
		sweep->failed = true;
		sweep->status = child->status;
	}
	if (!error && child->status) {
		pwrctl_progress_end();
		pwrctl_out_error("%s failed with status %d: the sweep ends here",
				 sweep->run->command[0], child->status);
		return -ECHILD;
	}
	sweep->left |= child->left;
	return error;
}

/* One run, which counts unless @round is 0. */
static int run_point(struct pwrctl_sweep *sweep, size_t point, unsigned int round, char arm)
{
	const struct pwrctl_point *setting = &sweep->points->points[point];
	struct counters from = { 0 }, to = { 0 };
	struct pwrctl_child child;
	int error;

	/* Warming up can begin at once, measuring cannot. */
	error = sweep->done || round ? cool_down(sweep) : 0;
	if (!error)
		error = pwrctl_sweep_set(sweep, setting);
	show_progress(sweep, round ? arm ? "control" : setting->name : "warm-up");
	if (!error)
		error = read_counters(sweep, &from);
	if (!error)
		error = run_child(sweep, &child);
	if (!error)
		error = read_counters(sweep, &to);
	if (!error && round)
		error = note_run(sweep, point, round, arm, &child, &from, &to);
	free(from.domains);
	free(to.domains);
	sweep->done++;
	return error;
}

/* The same setting against itself: what it shows cannot be the setting's doing. */
static int control(struct pwrctl_sweep *sweep)
{
	unsigned int round;
	int error = 0;

	for (round = 1; round <= sweep->repeat && !error; round++) {
		error = run_point(sweep, 0, round, round % 2 ? 'A' : 'B');
		if (!error)
			error = run_point(sweep, 0, round, round % 2 ? 'B' : 'A');
	}
	return error;
}

/* There and back: what drifts with time falls on all settings alike. */
static int rounds(struct pwrctl_sweep *sweep)
{
	size_t count = sweep->points->count, i;
	unsigned int round;
	int error = 0;

	for (round = 1; round <= sweep->repeat && !error; round++)
		for (i = 0; i < count && !error; i++)
			error = run_point(sweep, round % 2 ? i : count - 1 - i, round, 0);
	return error;
}

/**
 * pwrctl_sweep_go - make all runs
 * @sweep: with the settings that were found
 *
 * Return: 0; -EINTR or -EPIPE when asked to stop; -ECHILD when the command failed; another -errno
 * after telling why.
 */
int pwrctl_sweep_go(struct pwrctl_sweep *sweep)
{
	unsigned int i;
	int error = 0;

	sweep->total = sweep->warmup + sweep->repeat * (2 + (unsigned int)sweep->points->count);
	sweep->begin_ns = now_ns();
	for (i = 0; i < sweep->warmup && !error; i++)
		error = run_point(sweep, 0, 0, 0);
	if (!error)
		error = control(sweep);
	if (!error)
		error = rounds(sweep);
	pwrctl_progress_end();
	return error;
}
