/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small client of pwrctl's generic netlink family on libmnl, for the tests: independent of the
 * command and of libnl, and able to send what no sane client would (struct nl_message).
 */
#ifndef SELFTESTS_NL_H
#define SELFTESTS_NL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libmnl/libmnl.h>
#include <linux/pwrctl.h>

#define NL_BUFFER	65536

/**
 * struct nl - a connection
 * @socket: libmnl's
 * @portid: our address
 * @family: number of the family
 * @group: number of its multicast group
 * @seq: sequence number of the last request
 * @refusal: sentence of the last refusal, "" without one
 * @refused_at: offset of the attribute it blames in the request, 0 without one
 * @missing: type of the attribute it misses, 0 without one
 */
struct nl {
	struct mnl_socket *socket;
	unsigned int portid;
	uint16_t family;
	uint32_t group;
	uint32_t seq;
	char refusal[256];
	uint32_t refused_at;
	uint32_t missing;
};

/**
 * struct nl_domain - a frequency domain as the kernel tells it
 * @name: "policy0"
 * @cpus: "0-3"
 * @driver: cpufreq driver
 * @clock: time of evaluation, ns
 * @reference: kHz
 * @origin: enum pwrctl_origin
 * @cap: kHz, 0 without a cap
 * @cause: enum pwrctl_cause
 * @since: ns
 * @pressure: of 1024
 * @average: of 1024
 * @changed: ns
 * @pressure_fine: of 2^62
 * @average_fine: of 2^62
 * @told: set of causes that CAPS has
 * @caps: each cause's cap in kHz, 0 without one
 * @inject_until: ns, 0 without one
 * @events: counter
 * @pushes: counter
 * @timer_fires: counter
 * @total: ns
 * @capped: ns
 * @mean_cap: kHz
 * @mean_pressure: of 1024
 * @lost: ns
 */
struct nl_domain {
	char name[PWRCTL_NAME_LEN];
	char cpus[128];
	char driver[32];
	uint64_t clock;
	uint32_t reference;
	uint32_t origin;
	uint32_t cap;
	uint32_t cause;
	uint64_t since;
	uint32_t pressure;
	uint32_t average;
	uint64_t changed;
	uint64_t pressure_fine;
	uint64_t average_fine;
	uint32_t told;
	uint32_t caps[__PWRCTL_CAUSE_END];
	uint64_t inject_until;
	uint64_t events;
	uint64_t pushes;
	uint64_t timer_fires;
	uint64_t total;
	uint64_t capped;
	uint32_t mean_cap;
	uint32_t mean_pressure;
	uint64_t lost;
};

/**
 * struct nl_cpu - a CPU as the kernel tells it
 * @cpu: its number
 * @domain: "policy0"
 * @clock: time of evaluation, ns
 * @capacity: of 1024
 * @pressure: of 1024
 * @average: of 1024
 * @hint: of 1024
 */
struct nl_cpu {
	uint32_t cpu;
	char domain[PWRCTL_NAME_LEN];
	uint64_t clock;
	uint32_t capacity;
	uint32_t pressure;
	uint32_t average;
	uint32_t hint;
};

/**
 * struct nl_stats - the module as a whole
 * @version: of the module
 * @domains: how many
 * @events: counter
 * @pushes: counter
 * @timer_fires: counter
 * @notifiers: consumers in the kernel
 * @listeners: 1 with a listener
 * @traced: 1 while the tracepoint is enabled
 * @causes: set of causes that can be told apart
 * @attach_errors: counter
 * @lost_events: counter
 */
struct nl_stats {
	char version[32];
	uint32_t domains;
	uint64_t events;
	uint64_t pushes;
	uint64_t timer_fires;
	uint32_t notifiers;
	uint32_t listeners;
	uint32_t traced;
	uint32_t causes;
	uint64_t attach_errors;
	uint64_t lost_events;
};

/**
 * struct nl_settings - settings, by PWRCTL_A_SET_*
 * @has: mask of what @value has
 * @value: the values
 */
struct nl_settings {
	uint32_t has;
	uint32_t value[__PWRCTL_A_SET_END];
};

/**
 * struct nl_event - a notification
 * @cmd: PWRCTL_CMD_*_NTF
 * @domain: filled in for CAP_NTF and HINT_NTF; for the others at most its name
 * @settings: filled in for SETTINGS_NTF
 */
struct nl_event {
	uint8_t cmd;
	struct nl_domain domain;
	struct nl_settings settings;
};

/**
 * struct nl_message - a request under construction
 * @header: starts it
 * @buffer: holds it
 */
struct nl_message {
	struct nlmsghdr *header;
	char buffer[8192];
};

typedef int (*nl_answer)(const struct nlmsghdr *header, void *data);

int nl_open(struct nl *nl);
void nl_close(struct nl *nl);
int nl_listen(struct nl *nl);
int nl_event(struct nl *nl, int timeout_ms, struct nl_event *event);

void nl_begin(struct nl *nl, struct nl_message *message, uint8_t cmd, uint16_t flags);
int nl_ask(struct nl *nl, struct nl_message *message, nl_answer answer, void *data);

int nl_domain(struct nl *nl, const char *name, struct nl_domain *domain);
int nl_domains(struct nl *nl, struct nl_domain *domains, size_t most);
int nl_cpu(struct nl *nl, uint32_t number, struct nl_cpu *cpu);
int nl_cpus(struct nl *nl, struct nl_cpu *cpus, size_t most);
int nl_stats(struct nl *nl, struct nl_stats *stats);
int nl_settings(struct nl *nl, const char *domain, struct nl_settings *settings);
int nl_set(struct nl *nl, const char *domain, const struct nl_settings *settings, uint32_t unset);
int nl_set_one(struct nl *nl, const char *domain, uint16_t key, uint32_t value);
int nl_reset(struct nl *nl);
int nl_inject(struct nl *nl, const char *domain, uint32_t khz, uint32_t ttl_ms);
int nl_inject_clear(struct nl *nl, const char *domain);

#endif /* SELFTESTS_NL_H */
