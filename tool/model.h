/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module tells, as plain structs: no netlink above the client, no text below the verbs.
 * Units are in the names; pressure, average, capacity and hint are parts of PWRCTL_SCALE.
 */
#ifndef PWRCTL_TOOL_MODEL_H
#define PWRCTL_TOOL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/pwrctl.h>

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif

enum pwrctl_kind {
	PWRCTL_KIND_NUMBER,
	PWRCTL_KIND_MODE,
	PWRCTL_KIND_OUTLET,
	PWRCTL_KIND_CAUSES,
};

enum pwrctl_scope {
	PWRCTL_SCOPE_GLOBAL,
	PWRCTL_SCOPE_DOMAIN,
	PWRCTL_SCOPE_BOTH,
};

/**
 * struct pwrctl_setting - one row of the module's settings table
 * @id: PWRCTL_A_SET_*
 * @name: the key
 * @kind: what its values look like
 * @least: smallest legal number
 * @most: largest legal number
 * @preset: the default
 * @unit: what a bare number counts, or ""
 * @scope: where the key can be set
 * @refusal: the sentence that says what is allowed
 * @help: one line for people
 */
struct pwrctl_setting {
	uint32_t id;
	const char *name;
	enum pwrctl_kind kind;
	uint32_t least;
	uint32_t most;
	uint32_t preset;
	const char *unit;
	enum pwrctl_scope scope;
	const char *refusal;
	const char *help;
};

#define PWRCTL_SETTINGS_MAX	16

/**
 * struct pwrctl_settings - values of several keys
 * @value: by PWRCTL_A_SET_*
 * @have: mask of the keys that have a value here (1 << PWRCTL_A_SET_*)
 * @own: mask of the keys set here themselves, as the module answers it
 */
struct pwrctl_settings {
	uint32_t value[PWRCTL_SETTINGS_MAX];
	uint32_t have;
	uint32_t own;
};

/**
 * struct pwrctl_cap - what one cause does to a domain
 * @cause: enum pwrctl_cause
 * @khz: the cap, 0 while this cause does not cap
 * @until_ns: when an injected cap ends, 0 for none
 */
struct pwrctl_cap {
	uint32_t cause;
	uint32_t khz;
	uint64_t until_ns;
};

#define PWRCTL_CAPS_MAX		16

/**
 * struct pwrctl_door - what the kernel's own scheduler was told, members as in enum pwrctl_door_attr
 * @state: enum pwrctl_door_state; PWRCTL_DOOR_NONE also when the module does not say
 * @flags: set of enum pwrctl_door_flags
 * @pushed: pressure told last, in parts of the first CPU's capacity
 * @pushed_ns: when, 0 for never
 * @pushes: how often
 * @foreign: what somebody else told it
 * @foreign_ns: when, 0 while that is unknown
 * @foreign_writes: how often
 */
struct pwrctl_door {
	uint32_t state;
	uint32_t flags;
	uint32_t pushed;
	uint64_t pushed_ns;
	uint64_t pushes;
	uint32_t foreign;
	uint64_t foreign_ns;
	uint64_t foreign_writes;
};

/**
 * struct pwrctl_pelt - the state of mode pelt, members as in enum pwrctl_pelt_attr
 * @stamp: when it was updated last, in ns >> pelt_shift; 0 where the mode is another one
 * @sum: load_sum
 * @avg: load_avg
 * @contrib: period_contrib
 */
struct pwrctl_pelt {
	uint64_t stamp;
	uint64_t sum;
	uint32_t avg;
	uint32_t contrib;
};

/**
 * struct pwrctl_domain - one frequency domain, members as in enum pwrctl_dom_attr
 * @name: of the cpufreq policy
 * @cpus: a CPU list
 * @driver: the cpufreq driver
 * @clock_ns: when all of this was evaluated
 * @reference_khz: the frequency of full capacity
 * @reference_origin: enum pwrctl_origin
 * @cap_khz: the effective cap, 0 while nobody caps
 * @cause: of the effective cap
 * @since_ns: since when cap and cause hold
 * @pressure: now
 * @average: after the filter
 * @changed_ns: when pressure last changed
 * @pressure_fine: in parts of 2^62
 * @average_fine: in parts of 2^62
 * @caps: by cause
 * @n_caps: how many of @caps are valid
 * @events: changes seen
 * @pushes: hints told
 * @timer_fires: of the domain's timer
 * @total_ns: how long it has been watched
 * @capped_ns: how much of that was under pressure
 * @mean_cap_khz: time-weighted
 * @mean_pressure: time-weighted
 * @lost_ns: integral of pressure
 * @door: what the kernel's own scheduler was told
 * @set_ns: when the filter's settings last changed, 0 when not known
 * @pelt: @pelt.stamp is 0 in other modes
 */
struct pwrctl_domain {
	char name[PWRCTL_NAME_LEN];
	char cpus[512];
	char driver[32];
	uint64_t clock_ns;
	uint32_t reference_khz;
	uint32_t reference_origin;
	uint32_t cap_khz;
	uint32_t cause;
	uint64_t since_ns;
	uint32_t pressure;
	uint32_t average;
	uint64_t changed_ns;
	uint64_t pressure_fine;
	uint64_t average_fine;
	struct pwrctl_cap caps[PWRCTL_CAPS_MAX];
	unsigned int n_caps;
	uint64_t events;
	uint64_t pushes;
	uint64_t timer_fires;
	uint64_t total_ns;
	uint64_t capped_ns;
	uint32_t mean_cap_khz;
	uint32_t mean_pressure;
	uint64_t lost_ns;
	struct pwrctl_door door;
	uint64_t set_ns;
	struct pwrctl_pelt pelt;
};

/**
 * struct pwrctl_cpu - one CPU, members as in enum pwrctl_cpu_attr
 * @cpu: its number
 * @domain: the domain's name
 * @clock_ns: when this was evaluated
 * @capacity: full capacity of this CPU
 * @pressure: capacity lost now
 * @average: capacity lost on average
 * @hint: @capacity minus @average
 */
struct pwrctl_cpu {
	uint32_t cpu;
	char domain[PWRCTL_NAME_LEN];
	uint64_t clock_ns;
	uint32_t capacity;
	uint32_t pressure;
	uint32_t average;
	uint32_t hint;
};

/**
 * struct pwrctl_stats - the module as a whole, members as in enum pwrctl_stats_attr
 * @version: of the module
 * @domains: how many
 * @events: changes seen
 * @pushes: hints told
 * @timer_fires: of all domains' timers
 * @notifiers: consumers in the kernel
 * @listeners: whether somebody listens to netlink events
 * @traced: whether the tracepoint pwrctl_hint is enabled
 * @causes: set of 1 << cause that this kernel can tell apart
 * @attach_errors: policies that could not be watched
 * @lost_events: events that no memory was left to send
 * @door_kind: enum pwrctl_door_kind
 * @kfuncs: BPF programs can ask for hints
 */
struct pwrctl_stats {
	char version[64];
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
	uint32_t door_kind;
	uint32_t kfuncs;
};

/**
 * struct pwrctl_word - a word for a number
 * @number: of an enum in the UAPI
 * @word: what people say; NULL ends a table
 */
struct pwrctl_word {
	uint32_t number;
	const char *word;
};

extern const struct pwrctl_setting pwrctl_model_settings[];
extern const unsigned int pwrctl_model_settings_count;
extern const struct pwrctl_word pwrctl_model_modes[];
extern const struct pwrctl_word pwrctl_model_outlets[];
extern const struct pwrctl_word pwrctl_model_causes[];
extern const struct pwrctl_word pwrctl_model_origins[];
extern const struct pwrctl_word pwrctl_model_doors[];

const struct pwrctl_setting *pwrctl_model_setting(const char *name);
const struct pwrctl_setting *pwrctl_model_setting_by_id(uint32_t id);
const char *pwrctl_model_word(const struct pwrctl_word *words, uint32_t number);
const struct pwrctl_word *pwrctl_model_words_of(enum pwrctl_kind kind);
const char *pwrctl_model_causes_text(uint32_t set, char *text, size_t size);
const char *pwrctl_model_value_text(const struct pwrctl_setting *setting, uint32_t value,
				    char *text, size_t size);

#endif
