// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "replay.h"

const unsigned int pwrctl_replay_percent[PWRCTL_REPLAY_LEVELS] = { 10, 25, 50 };

/* PELT's half-life: 32 periods of 1024 times 1024 ns */
#define PELT_HALF_NS	33554432.0
#define NS_PER_MS	1000000ULL

/* A step below this part of full capacity has no lag worth a word. */
#define STEP_LEAST	(1.0 / 64)
#define LAG_PART	0.9

/**
 * struct player - one domain under one setting
 * @filter: the module's
 * @params: what the setting is; NULL follows what was recorded
 * @known: @filter stands for something: not so before the first state, and in gaps
 * @ns: @filter's time
 * @value: the average at @ns, 0 to 1
 * @told: what outlets were told last (Q62)
 * @quantum: movement worth telling (Q62)
 * @step_from: the average when the pressure last changed
 * @step_to: where it went from there
 * @step_ns: how long ago, in ns that were followed
 * @stepping: the lag of that step is not settled yet
 * @weighted: integral of the average over seconds
 */
struct player {
	struct pwrctl_filter filter;
	const struct pwrctl_filter_params *params;
	bool known;
	uint64_t ns;
	double value;
	uint64_t told;
	uint64_t quantum;
	double step_from;
	double step_to;
	double step_ns;
	bool stepping;
	double weighted;
	struct pwrctl_replay_result *result;
	struct pwrctl_replay_samples *samples;
	size_t sampled;
};

static double part(uint64_t q62)
{
	return (double)q62 / (double)PWRCTL_FILTER_ONE;
}

static double half_life_ns(const struct pwrctl_filter *filter, bool falling)
{
	if (filter->mode == PWRCTL_FILTER_PELT)
		return ldexp(PELT_HALF_NS, filter->pelt_shift);
	return 1e6 * (falling && filter->fall_ms ? filter->fall_ms : filter->decay_ms);
}

static bool gradual(const struct pwrctl_filter *filter)
{
	return filter->mode == PWRCTL_FILTER_PELT || filter->mode == PWRCTL_FILTER_DECAY;
}

/* ns from @from until @level is passed on the way to @to, half of the way taking @half. */
static double crossing(double from, double to, double level, double half)
{
	return half * log2((from - to) / (level - to));
}

/* Seconds above a level; between two times the average goes one way only. */
static double time_above(const struct player *player, double next, double elapsed, double level)
{
	double from = player->value, to = part(player->filter.in), at;

	if (from > level && next > level)
		return elapsed;
	if (from <= level && next <= level)
		return 0;
	at = crossing(from, to, level, half_life_ns(&player->filter, next < from));
	at = at > 0 ? at : 0;
	at = at < elapsed ? at : elapsed;
	return from > level ? at : elapsed - at;
}

/*
 * The integral of a decay: d(avg)/dt = (in - avg) ln 2 / H, so that the area between the average
 * and its input is what it moved, times H / ln 2.
 */
static double area(const struct player *player, double next, double elapsed)
{
	double in = part(player->filter.in), half, value, low, high;

	if (!gradual(&player->filter))
		return player->value * elapsed;
	half = half_life_ns(&player->filter, next < player->value);
	value = in * elapsed + (player->value - next) * half / M_LN2;
	low = fmin(player->value, next) * elapsed;
	high = fmax(player->value, next) * elapsed;
	return fmin(fmax(value, low), high);
}

static struct pwrctl_replay_lag *lag_of(struct player *player)
{
	return player->step_to > player->step_from ? &player->result->cap :
						     &player->result->release;
}

static void end_step(struct player *player, double ns, bool over)
{
	struct pwrctl_replay_lag *lag = lag_of(player);

	if (!player->stepping)
		return;
	player->stepping = false;
	lag->seconds += ns / 1e9;
	lag->steps++;
	lag->over += over;
}

static void follow_step(struct player *player, double next, double elapsed)
{
	double level = player->step_from + LAG_PART * (player->step_to - player->step_from);
	double at;

	if (player->stepping && fabs(next - player->step_to) <= fabs(level - player->step_to)) {
		at = fabs(player->value - player->step_to) <= fabs(level - player->step_to) ? 0 :
		     crossing(player->value, player->step_to, level,
			      half_life_ns(&player->filter, next < player->value));
		end_step(player, player->step_ns + fmin(fmax(at, 0), elapsed), false);
	}
	player->step_ns += elapsed;
}

/* What the module would have pushed from the player's time on until @until. */
static void push(struct player *player, uint64_t until)
{
	uint64_t now = player->ns, next;

	for (;;) {
		next = pwrctl_filter_next(&player->filter, now, player->told, player->quantum);
		if (next == PWRCTL_FILTER_NEVER)
			return;
		/* The module's limit: one push a millisecond. */
		if (next < now + NS_PER_MS)
			next = now + NS_PER_MS;
		if (next >= until)
			return;
		now = next;
		player->told = pwrctl_filter_settled(&player->filter, now) ?
			       pwrctl_filter_target(&player->filter) :
			       pwrctl_filter_read(&player->filter, now);
		player->result->pushes++;
	}
}

static void sample(struct player *player, uint64_t until)
{
	struct pwrctl_replay_samples *samples = player->samples;

	for (; samples && player->sampled < samples->count &&
	     samples->ns[player->sampled] < until; player->sampled++) {
		uint64_t ns = samples->ns[player->sampled];
		bool known = player->known && ns >= player->ns;

		samples->value[player->sampled] =
			known ? part(pwrctl_filter_read(&player->filter, ns)) : NAN;
		if (samples->pressure)
			samples->pressure[player->sampled] =
				known ? part(player->filter.in) : NAN;
	}
}

/* Lets time pass. */
static void advance(struct player *player, uint64_t until)
{
	struct pwrctl_replay_result *result = player->result;
	double elapsed, next;
	int i;

	sample(player, until);
	if (!player->known || until <= player->ns)
		return;
	elapsed = (double)(until - player->ns);
	next = part(pwrctl_filter_read(&player->filter, until));
	push(player, until);
	result->seconds += elapsed / 1e9;
	player->weighted += area(player, next, elapsed) / 1e9;
	for (i = 0; i < PWRCTL_REPLAY_LEVELS; i++)
		result->above[i] += time_above(player, next, elapsed,
					       pwrctl_replay_percent[i] / 100.0) / 1e9;
	follow_step(player, next, elapsed);
	result->most = fmax(result->most, fmax(next, player->value));
	player->ns = until;
	player->value = next;
}

/*
 * pelt evaluates in whole periods, and they began when the module entered that mode: what was
 * recorded in it goes on in the same periods. A filter told to be at the event's time has the
 * rest right already.
 */
static void resume_pelt(struct pwrctl_filter *filter, const struct pwrctl_trace_event *event)
{
	const struct pwrctl_pelt *pelt = &event->pelt;

	if (!pelt->stamp || filter->mode != PWRCTL_FILTER_PELT ||
	    filter->pelt_shift != event->params.pelt_shift)
		return;
	filter->stamp = pelt->stamp;
	filter->load_sum = pelt->sum;
	filter->load_avg = pelt->avg;
	filter->period_contrib = pelt->contrib;
}

/* The state of the module's own filter: leaving "instant" starts from the input. */
static void seed(struct player *player, const struct pwrctl_trace_event *event)
{
	struct pwrctl_filter_params instant = { .mode = PWRCTL_FILTER_INSTANT, .decay_ms = 1 };

	pwrctl_filter_init(&player->filter, &instant, event->ns);
	pwrctl_filter_input(&player->filter, event->ns, event->average);
	pwrctl_filter_set(&player->filter, event->ns,
			  player->params ? player->params : &event->params);
	pwrctl_filter_input(&player->filter, event->ns, event->pressure);
	resume_pelt(&player->filter, event);
	player->known = true;
	player->ns = event->ns;
	player->value = part(pwrctl_filter_read(&player->filter, event->ns));
	player->told = pwrctl_filter_read(&player->filter, event->ns);
	player->stepping = false;
	player->result->most = fmax(player->result->most, player->value);
}

static void step(struct player *player, uint64_t pressure)
{
	double before = player->value;

	end_step(player, player->step_ns, true);
	pwrctl_filter_input(&player->filter, player->ns, pressure);
	/* An event is told at once. */
	player->told = pwrctl_filter_read(&player->filter, player->ns);
	player->result->pushes++;
	player->value = part(player->told);
	player->result->most = fmax(player->result->most, player->value);
	player->step_from = before;
	player->step_to = part(pressure);
	player->step_ns = 0;
	player->stepping = fabs(player->step_to - player->step_from) >= STEP_LEAST;
	if (player->filter.mode == PWRCTL_FILTER_OFF)
		player->stepping = false;
	if (player->filter.mode == PWRCTL_FILTER_INSTANT)
		end_step(player, 0, false);
}

/* New settings in force, as far as it is the recorded ones that are followed. */
static void take_set(struct player *player, const struct pwrctl_trace_event *event)
{
	if (!player->known || player->params)
		return;
	advance(player, event->ns);
	pwrctl_filter_set(&player->filter, event->ns, &event->params);
	player->told = pwrctl_filter_read(&player->filter, event->ns);
	player->value = part(player->told);
	player->result->pushes++;
	player->result->most = fmax(player->result->most, player->value);
	if (player->filter.mode == PWRCTL_FILTER_OFF)
		player->stepping = false;
}

static void take_event(struct player *player, const struct pwrctl_trace_event *event)
{
	uint64_t ns = event->ns;

	if (event->kind == PWRCTL_TRACE_GAP) {
		sample(player, player->ns);
		player->known = false;
		player->stepping = false;
		return;
	}
	if (event->kind == PWRCTL_TRACE_SET) {
		take_set(player, event);
		return;
	}
	if (!player->known) {
		sample(player, event->ns);
		if (event->kind == PWRCTL_TRACE_STATE)
			seed(player, event);
		return;
	}
	if (event->pressure != player->filter.in) {
		if (event->changed_ns > player->ns)
			ns = event->changed_ns;
		advance(player, ns);
		step(player, event->pressure);
	}
	advance(player, event->ns);
	if (event->kind == PWRCTL_TRACE_STATE && !player->params)
		seed(player, event);
}

/**
 * pwrctl_replay_domain - play a domain's events under one setting
 * @events: of the domain, in order
 * @count: how many
 * @end_ns: when the trace ends
 * @params: the setting; NULL follows the settings that were recorded
 * @quantum: movement worth telling outlets, of 1024
 * @result: the answer
 * @samples: times at which to note the average, or NULL
 *
 * Starts from the average that was recorded: as if the module had been switched to the setting
 * when the recording began. Between events the average is the filter's; its mean, its crossings
 * and lags are worked out from the closed form of its half-life.
 */
void pwrctl_replay_domain(const struct pwrctl_trace_event *events, size_t count, uint64_t end_ns,
			  const struct pwrctl_filter_params *params, uint32_t quantum,
			  struct pwrctl_replay_result *result,
			  struct pwrctl_replay_samples *samples)
{
	struct player player = {
		.params = params, .result = result, .samples = samples,
		.quantum = pwrctl_filter_fraction(quantum, PWRCTL_SCALE),
	};
	size_t i;

	memset(result, 0, sizeof(*result));
	for (i = 0; i < count; i++)
		take_event(&player, &events[i]);
	advance(&player, end_ns);
	sample(&player, UINT64_MAX);
	end_step(&player, player.step_ns, true);
	result->mean = result->seconds > 0 ? player.weighted / result->seconds : NAN;
}

/* A change of settings goes in front of what happened after it. */
static void sort_settings(struct pwrctl_trace_event *events, size_t count)
{
	struct pwrctl_trace_event event;
	size_t i, at;

	for (i = 1; i < count; i++) {
		if (events[i].kind != PWRCTL_TRACE_SET)
			continue;
		event = events[i];
		for (at = i; at && events[at - 1].domain == event.domain &&
		     events[at - 1].kind == PWRCTL_TRACE_CAP && events[at - 1].ns > event.ns; at--)
			events[at] = events[at - 1];
		events[at] = event;
	}
}

/**
 * pwrctl_replay_sort - put the events of each domain next to each other
 * @trace: whose events to move
 * @first: index of each domain's first event, and of the end; to be freed
 *
 * Return: 0 or -ENOMEM.
 */
int pwrctl_replay_sort(struct pwrctl_trace *trace, size_t **first)
{
	struct pwrctl_trace_event *sorted = calloc(trace->n_events + 1, sizeof(*sorted));
	size_t *start = calloc(trace->n_domains + 2, sizeof(*start)), i;

	if (!sorted || !start) {
		free(sorted);
		free(start);
		return -ENOMEM;
	}
	/* One further on than it ends up: filling moves each start to the next one's place. */
	for (i = 0; i < trace->n_events; i++)
		start[trace->events[i].domain + 2]++;
	for (i = 2; i < trace->n_domains + 2; i++)
		start[i] += start[i - 1];
	for (i = 0; i < trace->n_events; i++)
		sorted[start[trace->events[i].domain + 1]++] = trace->events[i];
	sort_settings(sorted, trace->n_events);
	free(trace->events);
	trace->events = sorted;
	trace->room = trace->n_events + 1;
	*first = start;
	return 0;
}
