// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client.h"
#include "out.h"
#include "show.h"
#include "stop.h"
#include "tool.h"

struct monitor {
	struct pwrctl_client *client;
	struct pwrctl_out *out;
	bool human_time;
	/* What was queued before the snapshot is part of it already. */
	uint64_t snapshot_ns;
};

static uint64_t boot_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Local time of the event, reckoned back from now: the clocks of the message are since boot. */
static void human(uint64_t clock_ns, char *text, size_t size)
{
	uint64_t now = boot_clock(), ago = now > clock_ns ? now - clock_ns : 0, wall_ns;
	struct timespec wall;
	struct tm local;
	time_t seconds;
	size_t used;

	clock_gettime(CLOCK_REALTIME, &wall);
	wall_ns = (uint64_t)wall.tv_sec * 1000000000 + (uint64_t)wall.tv_nsec - ago;
	seconds = (time_t)(wall_ns / 1000000000);
	localtime_r(&seconds, &local);
	used = strftime(text, size, "%Y-%m-%dT%H:%M:%S", &local);
	used += (size_t)snprintf(text + used, size - used, ".%06u",
				 (unsigned int)(wall_ns % 1000000000 / 1000));
	strftime(text + used, size - used, "%z", &local);
}

/* The beginning of every line: when, and what. */
static void begin(struct monitor *monitor, uint64_t clock_ns, const char *event, const char *name,
		  char *line, size_t size)
{
	char time[64] = "";

	if (monitor->human_time)
		human(clock_ns, time, sizeof(time));
	if (!pwrctl_out_is_json(monitor->out)) {
		snprintf(line, size, "%s%s%" PRIu64 ".%06" PRIu64 " %-8s %s", time,
			 *time ? " " : "", clock_ns / 1000000000, clock_ns % 1000000000 / 1000,
			 event, *name ? name : "global");
		return;
	}
	pwrctl_out_object(monitor->out, NULL, NULL);
	pwrctl_out_string(monitor->out, "event", NULL, event);
	pwrctl_out_number(monitor->out, "event_ns", NULL, PWRCTL_UNIT_NS, clock_ns);
	if (*time)
		pwrctl_out_string(monitor->out, "time", NULL, time);
}

static void tell_domain(struct monitor *monitor, const char *event,
			const struct pwrctl_domain *domain)
{
	char line[256], cap[64], reference[64];

	begin(monitor, domain->clock_ns, event, domain->name, line, sizeof(line));
	if (pwrctl_out_is_json(monitor->out)) {
		pwrctl_show_domain(monitor->out, domain, NULL);
		pwrctl_out_object_end(monitor->out);
		return;
	}
	pwrctl_out_unit(PWRCTL_UNIT_KHZ, domain->cap_khz, cap, sizeof(cap));
	pwrctl_out_unit(PWRCTL_UNIT_KHZ, domain->reference_khz, reference, sizeof(reference));
	pwrctl_out_say(monitor->out, "%s cap %s of %s cause %s pressure %u average %u", line,
		       domain->cap_khz ? cap : "-", reference,
		       pwrctl_model_word(pwrctl_model_causes, domain->cause), domain->pressure,
		       domain->average);
}

static void tell_settings(struct monitor *monitor, const char *event, const char *name,
			  const struct pwrctl_settings *settings)
{
	char line[1024], value[128];
	unsigned int i;
	size_t used;

	begin(monitor, boot_clock(), event, name, line, sizeof(line));
	if (pwrctl_out_is_json(monitor->out)) {
		if (*name)
			pwrctl_out_string(monitor->out, "name", NULL, name);
		else
			pwrctl_out_null(monitor->out, "name", NULL);
		pwrctl_show_settings(monitor->out, settings, settings->have, false);
		pwrctl_show_own(monitor->out, settings);
		pwrctl_out_object_end(monitor->out);
		return;
	}
	used = strlen(line);
	for (i = 0; i < pwrctl_model_settings_count && used < sizeof(line); i++) {
		const struct pwrctl_setting *setting = &pwrctl_model_settings[i];

		if (!(settings->have & (1u << setting->id)))
			continue;
		pwrctl_model_value_text(setting, settings->value[setting->id], value,
					sizeof(value));
		used += (size_t)snprintf(line + used, sizeof(line) - used, " %s %s", setting->name,
					 value);
	}
	pwrctl_out_say(monitor->out, "%s", line);
}

static void tell_plain(struct monitor *monitor, const char *event, const char *name,
		       const char *note)
{
	char line[256];

	begin(monitor, boot_clock(), event, name, line, sizeof(line));
	if (pwrctl_out_is_json(monitor->out)) {
		if (*name)
			pwrctl_out_string(monitor->out, "name", NULL, name);
		if (note)
			pwrctl_out_string(monitor->out, "note", NULL, note);
		pwrctl_out_object_end(monitor->out);
		return;
	}
	pwrctl_out_say(monitor->out, "%s%s%s", line, note ? ": " : "", note ? note : "");
}

/* The state that the following events change. */
static int tell_snapshot(struct monitor *monitor)
{
	struct pwrctl_settings settings;
	struct pwrctl_domain *domains;
	size_t count, i;

	if (pwrctl_client_get_settings(monitor->client, NULL, &settings))
		return pwrctl_main_fail(monitor->client);
	tell_settings(monitor, "settings", "", &settings);
	if (pwrctl_client_get_domains(monitor->client, &domains, &count)) {
		free(domains);
		return pwrctl_main_fail(monitor->client);
	}
	if (count)
		monitor->snapshot_ns = domains[0].clock_ns;
	for (i = 0; i < count; i++)
		tell_domain(monitor, "snapshot", &domains[i]);
	free(domains);
	return PWRCTL_EXIT_OK;
}

static void tell_event(struct monitor *monitor, const struct pwrctl_event *event)
{
	if (*event->domain.name && event->domain.clock_ns < monitor->snapshot_ns)
		return;
	switch (event->cmd) {
	case PWRCTL_CMD_SETTINGS_NTF:
		tell_settings(monitor, "settings", event->name, &event->settings);
		break;
	case PWRCTL_CMD_CAP_NTF:
		tell_domain(monitor, "cap", &event->domain);
		break;
	case PWRCTL_CMD_HINT_NTF:
		tell_domain(monitor, "hint", &event->domain);
		break;
	case PWRCTL_CMD_DOMAIN_NEW_NTF:
		tell_plain(monitor, "new", event->name, NULL);
		break;
	case PWRCTL_CMD_DOMAIN_DEL_NTF:
		tell_plain(monitor, "gone", event->name, NULL);
		break;
	}
}

/* Everything that has come. Returns PWRCTL_EXIT_OK to go on, else how to end. */
static int take_events(struct monitor *monitor)
{
	struct pwrctl_event event;
	int result;

	for (;;) {
		result = pwrctl_client_receive(monitor->client, &event);
		if (!result)
			return PWRCTL_EXIT_OK;
		if (result == -ENOBUFS) {
			tell_plain(monitor, "resync", "",
				   "events were lost; the state follows anew");
			result = tell_snapshot(monitor);
			if (result)
				return result;
			continue;
		}
		if (result < 0)
			return pwrctl_main_fail(monitor->client);
		if (!event.cmd) {
			pwrctl_out_error("the module pwrctl was unloaded");
			return PWRCTL_EXIT_MODULE;
		}
		tell_event(monitor, &event);
	}
}

static int watch(struct monitor *monitor)
{
	int status, error;

	status = tell_snapshot(monitor);
	while (!status) {
		error = pwrctl_out_flush(monitor->out);
		if (!error)
			error = pwrctl_client_wait(monitor->client, -1);
		if (error == -EINTR || error == -EPIPE)
			return PWRCTL_EXIT_OK;
		if (error < 0) {
			pwrctl_out_error("cannot go on: %s", strerror(-error));
			return PWRCTL_EXIT_FAILED;
		}
		status = take_events(monitor);
	}
	return status;
}

static int run_monitor(struct pwrctl_run *run)
{
	struct monitor monitor = { .human_time = pwrctl_main_option(run, "t") };
	int status;

	if (run->argc)
		return pwrctl_main_usage(run, "too much: %s", run->argv[0]);
	monitor.client = pwrctl_main_connect(&status);
	if (!monitor.client)
		return status;
	setvbuf(stdout, NULL, _IOLBF, 0);
	pwrctl_stop_begin();
	monitor.out = pwrctl_out_open(stdout, run->json);
	/* First listen, then look: nothing that happens between is missed. */
	if (pwrctl_client_listen(monitor.client))
		status = pwrctl_main_fail(monitor.client);
	else
		status = watch(&monitor);
	pwrctl_out_close(monitor.out);
	pwrctl_client_close(monitor.client);
	return status;
}

static const char *const options[] = { "t", NULL };

const struct pwrctl_verb pwrctl_verb_monitor = {
	.name = "monitor",
	.synopsis = "[-t]",
	.summary = "print changes of caps, hints and settings as they happen",
	.help =
"Prints the present state first, then one line for every event, with the seconds since boot;\n"
"-t puts local time before them. -j prints one object a line. When events come faster than they\n"
"can be read, some are lost: a line \"resync\" says so, and the state follows anew. Ends on\n"
"Ctrl-C, when nobody reads its output, and when the module is unloaded (exit status 3).\n",
	.options = options,
	.run = run_monitor,
};
