// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module that is made up: the command is linked with this instead of its client, and is then
 * tested on any machine. PWRCTL_FAKE names what it is like; PWRCTL_FAKE_LOG is a file that gets a
 * line for every change; PWRCTL_FAKE_STATE one that gets the settings at the end;
 * with PWRCTL_FAKE_STOP=N the Nth wait meets Ctrl-C. PWRCTL_FAKE_TIMES holds how many ms commands
 * take, one after the other, whatever they really take. Time is made up too:
 * it passes only in waits, so that nothing here depends on how fast the machine is.
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "child.h"
#include "client.h"
#include "stop.h"

#define DOMAINS		2
#define CPUS		6
#define SECOND_NS	1000000000ull

struct pwrctl_client {
	struct pwrctl_fault fault;
	struct pwrctl_settings global;
	struct pwrctl_settings own[DOMAINS];
	struct pwrctl_domain domains[DOMAINS];
	uint64_t clock_ns;
	unsigned int waits;
	unsigned int events;
	uint64_t pushes;
	bool listening;
};

static bool is(const char *scenario)
{
	const char *fake = getenv("PWRCTL_FAKE");

	return fake && !strcmp(fake, scenario);
}

__attribute__((format(printf, 1, 2)))
static void note(const char *format, ...)
{
	const char *path = getenv("PWRCTL_FAKE_LOG");
	FILE *file = path ? fopen(path, "a") : NULL;
	va_list arguments;

	if (!file)
		return;
	va_start(arguments, format);
	vfprintf(file, format, arguments);
	va_end(arguments);
	fclose(file);
}

static int fail(struct pwrctl_client *client, enum pwrctl_fault_kind kind, int error,
		const char *text)
{
	memset(&client->fault, 0, sizeof(client->fault));
	client->fault.kind = kind;
	client->fault.error = error;
	snprintf(client->fault.text, sizeof(client->fault.text), "%s", text);
	return -error;
}

static void make_domain(struct pwrctl_client *client, int number)
{
	struct pwrctl_domain *domain = &client->domains[number];
	bool hostile = is("hostile");

	snprintf(domain->name, sizeof(domain->name), "policy%d", number * 4);
	snprintf(domain->cpus, sizeof(domain->cpus), "%s", number ? "4-5" : "0-3");
	snprintf(domain->driver, sizeof(domain->driver), "%s",
		 hostile ? "bad\033[31m\"\\\xff\xc2\x9b" : "fake-cpufreq");
	domain->reference_khz = number ? 2400000 : 1800000;
	domain->reference_origin = PWRCTL_ORIGIN_TABLE;
	domain->since_ns = SECOND_NS;
	domain->set_ns = SECOND_NS;
	if (is("mode-pelt"))
		domain->pelt = (struct pwrctl_pelt){ SECOND_NS, 1024, 512, 7 };
	domain->changed_ns = SECOND_NS;
	domain->events = UINT64_MAX;
	domain->total_ns = 100 * SECOND_NS;
	domain->mean_cap_khz = domain->reference_khz;
	domain->n_caps = 3;
	domain->caps[0].cause = PWRCTL_CAUSE_THERMAL;
	domain->caps[1].cause = PWRCTL_CAUSE_USER;
	domain->caps[2].cause = PWRCTL_CAUSE_INJECTED;
	if (number && is("left-behind")) {
		domain->door = (struct pwrctl_door){ .state = PWRCTL_DOOR_OPEN, .foreign = 300,
						     .foreign_ns = 40 * SECOND_NS, .pushed = 300,
						     .pushed_ns = 40 * SECOND_NS };
		domain->cause = PWRCTL_CAUSE_HW;
		domain->pressure = 300;
		return;
	}
	if (number && is("not-taken-back"))
		domain->door = (struct pwrctl_door){ .state = PWRCTL_DOOR_OPEN, .pushed = 44,
						     .pushed_ns = 40 * SECOND_NS };
	if (is("dead-door"))
		domain->door = (struct pwrctl_door){ .state = PWRCTL_DOOR_DEAD };
	if (number && is("user-limit"))
		domain->caps[1].khz = 1200000;
	if (!number || is("uncapped") || is("not-taken-back") || is("user-limit"))
		return;
	domain->caps[0].khz = is("deep") ? 300000 : 1800000;
	domain->cap_khz = domain->caps[0].khz;
	domain->cause = PWRCTL_CAUSE_THERMAL;
	domain->pressure = 256;
	domain->average = 200;
	domain->pressure_fine = 1ull << 60;
	domain->average_fine = 200ull << 52;
}

/* Every other call is a command's end. */
uint64_t pwrctl_child_clock_ns(void)
{
	static uint64_t now_ns = SECOND_NS;
	static const char *next;
	static bool runs;
	struct timespec real;
	char *end;
	double ms;

	if (!next)
		next = getenv("PWRCTL_FAKE_TIMES");
	if (!next) {
		clock_gettime(CLOCK_MONOTONIC, &real);
		return (uint64_t)real.tv_sec * SECOND_NS + (uint64_t)real.tv_nsec;
	}
	if (runs) {
		ms = strtod(next, &end);
		if (end == next)
			abort();
		now_ns += (uint64_t)(ms * 1e6);
		next = end;
	}
	runs = !runs;
	return now_ns;
}

struct pwrctl_client *pwrctl_client_open(struct pwrctl_fault *fault)
{
	struct pwrctl_client *client;
	unsigned int i;

	memset(fault, 0, sizeof(*fault));
	if (is("absent")) {
		fault->kind = PWRCTL_FAULT_ABSENT;
		fault->error = ENOENT;
		snprintf(fault->text, sizeof(fault->text), "the module pwrctl is not loaded");
		return NULL;
	}
	client = calloc(1, sizeof(*client));
	if (!client)
		abort();
	client->clock_ns = 100 * SECOND_NS;
	for (i = 0; i < pwrctl_model_settings_count; i++) {
		const struct pwrctl_setting *setting = &pwrctl_model_settings[i];

		client->global.value[setting->id] = setting->preset;
		if (setting->scope != PWRCTL_SCOPE_DOMAIN)
			client->global.have |= 1u << setting->id;
	}
	if (is("mode-off"))
		client->global.value[PWRCTL_A_SET_MODE] = PWRCTL_MODE_OFF;
	if (is("mode-instant"))
		client->global.value[PWRCTL_A_SET_MODE] = PWRCTL_MODE_INSTANT;
	if (is("slow"))
		client->global.value[PWRCTL_A_SET_DECAY_MS] = 60000;
	if (is("uncounted"))
		client->global.value[PWRCTL_A_SET_COUNT] = 1u << PWRCTL_CAUSE_THERMAL;
	client->own[1].value[PWRCTL_A_SET_FALL_MS] = 100;
	client->own[1].own = 1u << PWRCTL_A_SET_FALL_MS;
	make_domain(client, 0);
	make_domain(client, 1);
	if (is("injected"))
		client->domains[0].caps[2].khz = 1000000;
	return client;
}

/* The keys that a sweep sets, global and of the second domain (0 where it has none). */
static void note_state(const struct pwrctl_client *client)
{
	const char *path = getenv("PWRCTL_FAKE_STATE");
	FILE *file = path ? fopen(path, "w") : NULL;
	const uint32_t *global = client->global.value;

	if (!file)
		return;
	fprintf(file, "mode %u decay_ms %u fall_ms %u pelt_shift %u own %#x fall_ms %u\n",
		global[PWRCTL_A_SET_MODE], global[PWRCTL_A_SET_DECAY_MS],
		global[PWRCTL_A_SET_FALL_MS], global[PWRCTL_A_SET_PELT_SHIFT],
		client->own[1].own, client->own[1].own & (1u << PWRCTL_A_SET_FALL_MS) ?
		client->own[1].value[PWRCTL_A_SET_FALL_MS] : 0);
	fclose(file);
}

void pwrctl_client_close(struct pwrctl_client *client)
{
	if (client)
		note_state(client);
	free(client);
}

const struct pwrctl_fault *pwrctl_client_fault(const struct pwrctl_client *client)
{
	return &client->fault;
}

/* What every call meets in some scenarios. */
static int meet(struct pwrctl_client *client)
{
	if (is("older"))
		return fail(client, PWRCTL_FAULT_VERSION, EPROTO, "the module is older");
	if (is("broken"))
		return fail(client, PWRCTL_FAULT_FAILED, EIO, "broken");
	return 0;
}

static int number_of(struct pwrctl_client *client, const char *name)
{
	int i;

	for (i = 0; i < DOMAINS && !is("empty"); i++)
		if (!strcmp(client->domains[i].name, name))
			return i;
	return fail(client, PWRCTL_FAULT_FAILED, ENODEV, "there is no such domain");
}

int pwrctl_client_get_settings(struct pwrctl_client *client, const char *domain,
			       struct pwrctl_settings *settings)
{
	int error = meet(client), number;
	unsigned int i;

	*settings = client->global;
	if (error || !domain)
		return error;
	number = number_of(client, domain);
	if (number < 0)
		return number;
	settings->own = client->own[number].own;
	for (i = 0; i < pwrctl_model_settings_count; i++) {
		const struct pwrctl_setting *setting = &pwrctl_model_settings[i];
		uint32_t bit = 1u << setting->id;

		if (settings->own & bit)
			settings->value[setting->id] = client->own[number].value[setting->id];
		settings->have |= bit;
		if (setting->scope == PWRCTL_SCOPE_GLOBAL)
			settings->have &= ~bit;
	}
	return 0;
}

static int check(struct pwrctl_client *client, const struct pwrctl_settings *settings)
{
	unsigned int i;

	for (i = 0; i < pwrctl_model_settings_count; i++) {
		const struct pwrctl_setting *setting = &pwrctl_model_settings[i];
		uint32_t value = settings->value[setting->id];

		if (!(settings->have & (1u << setting->id)) ||
		    (value >= setting->least && value <= setting->most))
			continue;
		fail(client, PWRCTL_FAULT_FAILED, ERANGE, setting->refusal);
		client->fault.key = setting->id;
		return -ERANGE;
	}
	return 0;
}

int pwrctl_client_set_settings(struct pwrctl_client *client, const char *domain,
			       const struct pwrctl_settings *settings, uint32_t unset)
{
	struct pwrctl_settings *target = &client->global;
	int error = meet(client), number = 0;
	unsigned int i;

	if (!error && is("plain-user"))
		error = fail(client, PWRCTL_FAULT_FAILED, EPERM, "not permitted: run it as root");
	if (!error && domain)
		number = number_of(client, domain);
	if (!error && number < 0)
		error = number;
	if (!error)
		error = check(client, settings);
	if (!error && domain && is("refuses-domains"))
		error = fail(client, PWRCTL_FAULT_FAILED, EIO, "domains are refused");
	if (error)
		return error;
	if (domain)
		target = &client->own[number];
	for (i = 0; i < pwrctl_model_settings_count; i++) {
		const struct pwrctl_setting *setting = &pwrctl_model_settings[i];
		uint32_t bit = 1u << setting->id;

		if (settings->have & bit)
			target->value[setting->id] = settings->value[setting->id];
		if (unset & bit)
			target->value[setting->id] = setting->preset;
		target->own = (target->own | (settings->have & bit)) & ~(unset & bit);
	}
	note("set %s have %#x unset %#x\n", domain ? domain : "global", settings->have, unset);
	return 0;
}

int pwrctl_client_get_domain(struct pwrctl_client *client, const char *name,
			     struct pwrctl_domain *domain)
{
	int error = meet(client), number;

	if (error)
		return error;
	number = number_of(client, name);
	if (number < 0)
		return number;
	*domain = client->domains[number];
	domain->clock_ns = client->clock_ns;
	return 0;
}

/* In some scenarios a second passes from one look to the next, a quarter of it lost to heat. */
static void pass_time(struct pwrctl_client *client)
{
	if (is("meddled")) {
		client->global.value[PWRCTL_A_SET_DECAY_MS] = 777;
		client->global.own |= 1u << PWRCTL_A_SET_DECAY_MS;
	}
	if (!is("heating") && !is("unconsumed") && !is("idle"))
		return;
	client->domains[0].total_ns += SECOND_NS;
	client->domains[1].total_ns += SECOND_NS;
	if (!is("idle"))
		client->domains[1].lost_ns += SECOND_NS / 4;
	client->pushes += is("heating");
}

int pwrctl_client_get_domains(struct pwrctl_client *client, struct pwrctl_domain **domains,
			      size_t *count)
{
	int error = meet(client), i;

	*domains = NULL;
	*count = 0;
	if (error || is("empty"))
		return error;
	*count = is("single") ? 1 : DOMAINS;
	pass_time(client);
	*domains = calloc(DOMAINS, sizeof(**domains));
	if (!*domains)
		abort();
	for (i = 0; i < DOMAINS; i++) {
		(*domains)[i] = client->domains[i];
		(*domains)[i].clock_ns = client->clock_ns;
	}
	return 0;
}

int pwrctl_client_get_cpus(struct pwrctl_client *client, struct pwrctl_cpu **cpus, size_t *count)
{
	int error = meet(client);
	unsigned int i;

	*cpus = NULL;
	*count = 0;
	if (error || is("empty"))
		return error;
	*count = CPUS;
	*cpus = calloc(CPUS, sizeof(**cpus));
	if (!*cpus)
		abort();
	for (i = 0; i < CPUS; i++) {
		const struct pwrctl_domain *domain = &client->domains[i / 4];

		(*cpus)[i] = (struct pwrctl_cpu){
			.cpu = i, .clock_ns = client->clock_ns, .capacity = PWRCTL_SCALE,
			.pressure = domain->pressure, .average = domain->average,
			.hint = PWRCTL_SCALE - domain->average,
		};
		snprintf((*cpus)[i].domain, sizeof((*cpus)[i].domain), "%s", domain->name);
	}
	return 0;
}

int pwrctl_client_get_stats(struct pwrctl_client *client, struct pwrctl_stats *stats)
{
	int error = meet(client);

	memset(stats, 0, sizeof(*stats));
	snprintf(stats->version, sizeof(stats->version), "0.1.0");
	stats->domains = is("empty") ? 0 : DOMAINS;
	stats->causes = 0x7a;
	stats->notifiers = is("consumed") ? 2 : 0;
	stats->listeners = is("consumed");
	stats->pushes = client->pushes;
	return error;
}

int pwrctl_client_inject(struct pwrctl_client *client, const char *domain, uint32_t khz,
			 uint32_t ttl_ms)
{
	int error = meet(client), number;

	if (!error && is("plain-user"))
		error = fail(client, PWRCTL_FAULT_FAILED, EPERM, "not permitted: run it as root");
	if (error)
		return error;
	number = number_of(client, domain);
	if (number < 0)
		return number;
	if (khz && (ttl_ms < 1 || ttl_ms > 3600000)) {
		fail(client, PWRCTL_FAULT_FAILED, ERANGE, "the time to live must be 1 ms to 1 h");
		client->fault.attr = PWRCTL_A_INJECT_TTL_MS;
		return -ERANGE;
	}
	client->domains[number].caps[2].khz = khz;
	client->domains[number].caps[2].until_ns = khz ? client->clock_ns + ttl_ms * 1000000ull : 0;
	client->domains[number].cap_khz = khz;
	client->domains[number].cause = khz ? PWRCTL_CAUSE_INJECTED : PWRCTL_CAUSE_NONE;
	client->domains[number].pressure = khz ? 512 : 0;
	note("inject %s %u for %u\n", domain, khz, ttl_ms);
	return 0;
}

int pwrctl_client_listen(struct pwrctl_client *client)
{
	client->listening = true;
	return meet(client);
}

int pwrctl_client_fd(const struct pwrctl_client *client)
{
	(void)client;
	return -1;
}

/* A short story; at its end either the module leaves or the user has seen enough. */
int pwrctl_client_receive(struct pwrctl_client *client, struct pwrctl_event *event)
{
	memset(event, 0, sizeof(*event));
	if (!client->listening)
		return fail(client, PWRCTL_FAULT_FAILED, EBADF, "does not listen");
	event->domain = client->domains[1];
	event->domain.clock_ns = client->clock_ns;
	snprintf(event->name, sizeof(event->name), "policy4");
	switch (client->events++) {
	case 0:
		/* From before the snapshot: not to be told again. */
		event->cmd = PWRCTL_CMD_HINT_NTF;
		event->domain.clock_ns--;
		return 1;
	case 1:
		event->cmd = PWRCTL_CMD_CAP_NTF;
		return 1;
	case 2:
		event->cmd = PWRCTL_CMD_HINT_NTF;
		return 1;
	case 3:
		event->cmd = PWRCTL_CMD_SETTINGS_NTF;
		event->name[0] = '\0';
		event->settings = client->global;
		return 1;
	case 4:
		if (is("lost"))
			return fail(client, PWRCTL_FAULT_FAILED, ENOBUFS, "lost");
		event->cmd = PWRCTL_CMD_DOMAIN_DEL_NTF;
		return 1;
	case 5:
		event->cmd = PWRCTL_CMD_DOMAIN_NEW_NTF;
		return 1;
	default:
		if (is("unloaded"))
			return 1;
		raise(is("terminated") ? SIGTERM : SIGINT);
		return 0;
	}
}

int pwrctl_client_wait(struct pwrctl_client *client, int timeout_ms)
{
	const char *stop = getenv("PWRCTL_FAKE_STOP");
	int result, i;

	if (stop && ++client->waits == (unsigned int)atoi(stop))
		raise(SIGINT);
	result = pwrctl_stop_wait(-1, 0);
	if (result < 0 || timeout_ms < 0)
		return result;
	client->clock_ns += (uint64_t)timeout_ms * 1000000;
	/* A filter of sorts: half of the way in every wait, then exact. */
	for (i = 0; i < DOMAINS; i++) {
		struct pwrctl_domain *domain = &client->domains[i];
		int way = (int)domain->pressure - (int)domain->average;

		domain->average = (uint32_t)((int)domain->average +
					     (way / 2 ? way / 2 : way));
		if (is("replaced") && domain->caps[2].khz)
			domain->caps[2].khz = 777000;
	}
	return 0;
}
