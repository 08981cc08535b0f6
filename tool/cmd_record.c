// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "child.h"
#include "file.h"
#include "out.h"
#include "progress.h"
#include "recorder.h"
#include "sensors.h"
#include "stop.h"
#include "tool.h"
#include "trace_file.h"

/**
 * struct record - one call of record
 * @run: the call
 * @recorder: the events
 * @file: the trace
 * @sensors: sampled once a second
 * @child: the command
 * @running: it runs
 * @poll: readable when the module tells something or the command has ended
 * @start_ns: of the recording
 * @sample_ns: when the sensors are due
 */
struct record {
	struct pwrctl_run *run;
	struct pwrctl_recorder recorder;
	struct pwrctl_file file;
	struct pwrctl_sensors *sensors;
	struct pwrctl_child child;
	bool running;
	int poll;
	uint64_t start_ns;
	uint64_t sample_ns;
};

static int watch(struct record *record, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	/* A client that is made up for a test has nothing to poll. */
	if (fd < 0 || !epoll_ctl(record->poll, EPOLL_CTL_ADD, fd, &event))
		return 0;
	pwrctl_out_error("cannot wait for events: %s", strerror(errno));
	return -errno;
}

static void show_progress(const struct record *record)
{
	const struct pwrctl_recorder *recorder = &record->recorder;
	char text[400] = "", cap[32], span[32];
	size_t i, used = 0;

	for (i = 0; i < recorder->n_tracks && used < sizeof(text); i++) {
		const struct pwrctl_domain *now = &recorder->tracks[i].now;

		if (now->cap_khz)
			used += (size_t)snprintf(text + used, sizeof(text) - used, " %s %s",
						 now->name, pwrctl_out_unit(PWRCTL_UNIT_KHZ,
									    now->cap_khz, cap,
									    sizeof(cap)));
	}
	pwrctl_progress("%s  %lu changes%s%s", pwrctl_progress_time((double)
			(pwrctl_recorder_clock() - record->start_ns) / 1e9, span, sizeof(span)),
			(unsigned long)recorder->caps, used ? ", capped:" : "", text);
}

static void sample(struct record *record)
{
	uint64_t now = pwrctl_recorder_clock();

	pwrctl_sensors_sample(record->sensors);
	pwrctl_trace_sensors(record->file.stream, now, record->sensors);
	fflush(record->file.stream);
	record->sample_ns = now + PWRCTL_SENSORS_PERIOD_MS * 1000000ULL;
	show_progress(record);
}

static int begin(struct record *record)
{
	record->start_ns = pwrctl_recorder_clock();
	pwrctl_trace_header(record->file.stream, record->start_ns, record->run->command);
	if (pwrctl_client_listen(record->recorder.client) ||
	    pwrctl_recorder_snapshot(&record->recorder))
		return pwrctl_main_fail(record->recorder.client);
	if (watch(record, pwrctl_client_fd(record->recorder.client)))
		return PWRCTL_EXIT_FAILED;
	pwrctl_sensors_begin(record->sensors);
	sample(record);
	if (!record->run->command)
		return 0;
	if (pwrctl_child_start(&record->child, record->run->command, false))
		return record->child.status;
	record->running = true;
	return watch(record, record->child.fd) ? PWRCTL_EXIT_RUNNER : 0;
}

static bool child_ended(const struct record *record)
{
	struct epoll_event events[2];
	int count = epoll_wait(record->poll, events, 2, 0), i;
	struct pollfd poll_fd = { .fd = record->child.fd, .events = POLLIN };

	for (i = 0; i < count; i++)
		if (poll(&poll_fd, 1, 0) == 1)
			return true;
	return false;
}

static int wait_ms(const struct record *record)
{
	uint64_t now = pwrctl_recorder_clock();

	return record->sample_ns > now ? (int)((record->sample_ns - now) / 1000000) + 1 : 0;
}

/* Until the command ends, somebody asks to stop, or recording fails. 0 or an exit status. */
static int go(struct record *record)
{
	for (;;) {
		if (pwrctl_recorder_drain(&record->recorder))
			return pwrctl_main_fail(record->recorder.client);
		if (record->running && child_ended(record))
			return 0;
		if (record->recorder.left && !record->running)
			return 0;
		if (record->recorder.left)
			epoll_ctl(record->poll, EPOLL_CTL_DEL,
				  pwrctl_client_fd(record->recorder.client), NULL);
		if (!wait_ms(record))
			sample(record);
		/* A full disk will not get better; the command is none of its concern. */
		if (ferror(record->file.stream))
			return PWRCTL_EXIT_FAILED;
		if (pwrctl_stop_wait(record->poll, wait_ms(record)) < 0)
			return 0;
	}
}

static void end_child(struct record *record)
{
	if (!record->running)
		return;
	if (child_ended(record) || !pwrctl_stop_asked())
		pwrctl_child_finish(&record->child);
	else
		pwrctl_child_kill(&record->child);
	record->running = false;
}

static int end(struct record *record)
{
	int error = 0;

	end_child(record);
	if (!record->recorder.left)
		error = pwrctl_recorder_drain(&record->recorder);
	sample(record);
	pwrctl_trace_end(record->file.stream, pwrctl_recorder_clock(),
			 record->run->command ? &record->child.status : NULL);
	pwrctl_progress_end();
	if (record->recorder.left)
		pwrctl_out_error("the module was unloaded: the trace ends there");
	if (record->recorder.resyncs)
		pwrctl_out_error("events came faster than they could be read, %u times: the trace "
				 "has gaps there, marked resync", record->recorder.resyncs);
	if (error)
		return pwrctl_main_fail(record->recorder.client);
	return pwrctl_file_commit(&record->file) ? PWRCTL_EXIT_FAILED : 0;
}

static int work(struct record *record)
{
	int status = begin(record);

	if (!status) {
		status = go(record);
		status = status ? status : end(record);
	}
	end_child(record);
	pwrctl_progress_end();
	if (status && record->file.stream && ferror(record->file.stream))
		pwrctl_file_commit(&record->file);
	pwrctl_file_abandon(&record->file);
	if (!record->run->command || (status && status == record->child.status))
		return status;
	return status ? PWRCTL_EXIT_RUNNER : record->child.status;
}

static int run_record(struct pwrctl_run *run)
{
	const struct pwrctl_option *name = pwrctl_main_option(run, "o");
	const struct pwrctl_option *root = pwrctl_main_option(run, "root");
	struct record record = { .run = run };
	int status;

	if (!name)
		return pwrctl_main_usage(run, "needs -o FILE");
	if (run->argc)
		return pwrctl_main_usage(run, "cannot use %s here", run->argv[0]);
	if (run->command && !*run->command)
		return pwrctl_main_usage(run, "there is no command behind --");
	record.recorder.client = pwrctl_main_connect(&status);
	if (!record.recorder.client)
		return run->command ? PWRCTL_EXIT_RUNNER : status;
	record.sensors = calloc(1, sizeof(*record.sensors));
	record.poll = epoll_create1(EPOLL_CLOEXEC);
	if (!record.sensors || record.poll < 0) {
		pwrctl_out_error("cannot record: %s", strerror(errno));
		status = PWRCTL_EXIT_FAILED;
	} else if (pwrctl_file_create(&record.file, name->value,
				      pwrctl_main_option(run, "force"))) {
		status = run->command ? PWRCTL_EXIT_RUNNER : PWRCTL_EXIT_FAILED;
	} else {
		pwrctl_sensors_open(record.sensors, root ? root->value : "");
		record.recorder.stream = record.file.stream;
		pwrctl_stop_begin();
		status = work(&record);
	}
	if (record.poll >= 0)
		close(record.poll);
	free(record.sensors);
	pwrctl_recorder_free(&record.recorder);
	pwrctl_client_close(record.recorder.client);
	return status;
}

static const char *const options[] = { "o=", "force", "root=", NULL };

const struct pwrctl_verb pwrctl_verb_record = {
	.name = "record",
	.synopsis = "[--force] -o FILE [-- CMD...]",
	.summary = "write every change of caps and settings to a trace",
	.help =
"Records until CMD ends, or until Ctrl-C (SIGINT, SIGTERM, SIGHUP). The trace is one JSON object\n"
"a line: the state at the beginning, every cap with its cause, reference and time, settings that\n"
"change, and once a second the temperatures and energy that can be read. Where events were lost\n"
"it says so. replay shows what any setting would have made of it. --force replaces a file that\n"
"exists. Returns CMD's status, 126 or 127 when it cannot be run, 125 when recording failed.\n",
	.options = options,
	.takes_command = true,
	.run = run_record,
};
