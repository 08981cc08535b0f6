// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "recorder.h"
#include "trace_file.h"

/**
 * pwrctl_recorder_clock - the clock of the module's events
 *
 * Return: CLOCK_BOOTTIME in nanoseconds.
 */
uint64_t pwrctl_recorder_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct pwrctl_track *track_of(struct pwrctl_recorder *recorder, const char *name)
{
	struct pwrctl_track *track;
	size_t i;

	for (i = 0; i < recorder->n_tracks; i++)
		if (!strcmp(recorder->tracks[i].state.name, name))
			return &recorder->tracks[i];
	track = reallocarray(recorder->tracks, recorder->n_tracks + 1, sizeof(*track));
	if (!track)
		return NULL;
	recorder->tracks = track;
	track += recorder->n_tracks++;
	memset(track, 0, sizeof(*track));
	snprintf(track->state.name, sizeof(track->state.name), "%s", name);
	return track;
}

static void write_held(struct pwrctl_recorder *recorder, struct pwrctl_track *track)
{
	if (!track->held)
		return;
	track->held = false;
	track->written = true;
	track->last_ns = track->state.clock_ns;
	track->now = track->state;
	pwrctl_trace_settings(recorder->stream, track->state.clock_ns, track->state.name,
			      &track->settings);
	pwrctl_trace_domain(recorder->stream, "domain", &track->state);
}

static int hold(struct pwrctl_recorder *recorder, const struct pwrctl_domain *domain)
{
	struct pwrctl_track *track = track_of(recorder, domain->name);

	if (!track)
		return -ENOMEM;
	track->state = *domain;
	track->held = true;
	track->here = true;
	return pwrctl_client_get_settings(recorder->client, domain->name, &track->settings);
}

/* Reads everything. The lines wait for events that are older and still in the queue. */
static int read_all(struct pwrctl_recorder *recorder)
{
	struct pwrctl_settings settings;
	struct pwrctl_domain *domains = NULL;
	struct pwrctl_cpu *cpus = NULL;
	size_t count = 0, i;
	int error;

	recorder->stale = false;
	error = pwrctl_client_get_settings(recorder->client, NULL, &settings);
	if (!error) {
		pwrctl_trace_settings(recorder->stream, pwrctl_recorder_clock(), "", &settings);
		error = pwrctl_client_get_domains(recorder->client, &domains, &count);
	}
	for (i = 0; !error && i < count; i++)
		error = hold(recorder, &domains[i]);
	free(domains);
	count = 0;
	if (!error)
		error = pwrctl_client_get_cpus(recorder->client, &cpus, &count);
	if (!error)
		pwrctl_trace_cpus(recorder->stream, pwrctl_recorder_clock(), cpus, count);
	free(cpus);
	return error;
}

/**
 * pwrctl_recorder_snapshot - write the state that the following events change
 * @recorder: with a client that listens already: so nothing falls between
 *
 * Return: 0 or -errno; the client's fault tells why.
 */
int pwrctl_recorder_snapshot(struct pwrctl_recorder *recorder)
{
	size_t i;
	int error;

	/* What is older than this is not known in full. */
	for (i = 0; i < recorder->n_tracks; i++)
		recorder->tracks[i].written = false;
	error = read_all(recorder);
	for (i = 0; i < recorder->n_tracks; i++)
		write_held(recorder, &recorder->tracks[i]);
	return error;
}

static int take_cap(struct pwrctl_recorder *recorder, const struct pwrctl_domain *domain)
{
	struct pwrctl_track *track = track_of(recorder, domain->name);

	if (!track)
		return -ENOMEM;
	if (track->held && domain->clock_ns > track->state.clock_ns)
		write_held(recorder, track);
	if (!track->here && !track->held) {
		recorder->stale = true;
		return 0;
	}
	if (!track->written || domain->clock_ns <= track->last_ns)
		return 0;
	pwrctl_trace_domain(recorder->stream, "cap", domain);
	track->last_ns = domain->clock_ns;
	track->now = *domain;
	recorder->caps++;
	return 0;
}

/* A reference that changes under a cap, as when boost is switched, is told as a hint alone. */
static int take_hint(struct pwrctl_recorder *recorder, const struct pwrctl_domain *domain)
{
	struct pwrctl_track *track = track_of(recorder, domain->name);
	const struct pwrctl_domain *known;

	if (!track)
		return -ENOMEM;
	known = track->held ? &track->state : &track->now;
	if (domain->pressure_fine == known->pressure_fine &&
	    domain->reference_khz == known->reference_khz)
		return 0;
	return take_cap(recorder, domain);
}

static int take_gone(struct pwrctl_recorder *recorder, const char *name)
{
	struct pwrctl_track *track = track_of(recorder, name);

	if (!track)
		return -ENOMEM;
	write_held(recorder, track);
	if (track->here)
		pwrctl_trace_mark(recorder->stream, "gone", pwrctl_recorder_clock(), name);
	track->here = false;
	track->written = false;
	return 0;
}

static int take_event(struct pwrctl_recorder *recorder, const struct pwrctl_event *event)
{
	size_t i;
	int error = 0;

	switch (event->cmd) {
	case PWRCTL_CMD_CAP_NTF:
		return take_cap(recorder, &event->domain);
	case PWRCTL_CMD_HINT_NTF:
		return take_hint(recorder, &event->domain);
	case PWRCTL_CMD_SETTINGS_NTF:
	case PWRCTL_CMD_DOMAIN_NEW_NTF:
		recorder->stale = true;
		return 0;
	case PWRCTL_CMD_DOMAIN_DEL_NTF:
		return take_gone(recorder, event->name);
	case 0:
		for (i = 0; i < recorder->n_tracks && !error; i++)
			error = take_gone(recorder, recorder->tracks[i].state.name);
		recorder->left = true;
		return error;
	default:
		return 0;
	}
}

static int resync(struct pwrctl_recorder *recorder)
{
	recorder->resyncs++;
	pwrctl_trace_mark(recorder->stream, "resync", pwrctl_recorder_clock(), NULL);
	return pwrctl_recorder_snapshot(recorder);
}

static int drain_queue(struct pwrctl_recorder *recorder)
{
	struct pwrctl_event event;
	int result;

	while (!recorder->left) {
		result = pwrctl_client_receive(recorder->client, &event);
		if (result == -ENOBUFS)
			result = resync(recorder);
		else if (result > 0)
			result = take_event(recorder, &event);
		else
			return result;
		if (result)
			return result;
	}
	return 0;
}

/**
 * pwrctl_recorder_drain - write everything that has happened
 * @recorder: after its snapshot
 *
 * Settings that changed are read once the queue is empty, and written behind the events that
 * came into it meanwhile but are older.
 *
 * Return: 0 or -errno; the client's fault tells why.
 */
int pwrctl_recorder_drain(struct pwrctl_recorder *recorder)
{
	size_t i;
	int error;

	error = drain_queue(recorder);
	if (!error && recorder->stale && !recorder->left) {
		error = read_all(recorder);
		if (!error)
			error = drain_queue(recorder);
		for (i = 0; i < recorder->n_tracks; i++)
			write_held(recorder, &recorder->tracks[i]);
	}
	return error;
}

/**
 * pwrctl_recorder_free - forget the domains
 * @recorder: not used afterwards
 */
void pwrctl_recorder_free(struct pwrctl_recorder *recorder)
{
	free(recorder->tracks);
	recorder->tracks = NULL;
	recorder->n_tracks = 0;
}
