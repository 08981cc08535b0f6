/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * pwrctl: frequency caps as averaged pressure, generic netlink interface
 *
 * The family is called "pwrctl"; its multicast group "events" carries the notifications. It
 * lives in the initial network namespace. Reading and listening is open to everyone, writing
 * (marked W) needs CAP_NET_ADMIN in the initial user namespace. Every message that the kernel
 * sends begins with API_VERSION. Numbers are only ever appended.
 *
 * Requests and what answers them:
 *
 *   SETTINGS_GET  do    [DOMAIN_NAME]                  -> API_VERSION [DOMAIN_NAME] SETTINGS
 *   SETTINGS_SET  do W  [DOMAIN_NAME] SETTINGS [UNSET] -> ack; all keys apply or none
 *   DOMAIN_GET    do    DOMAIN_NAME                    -> API_VERSION DOMAIN
 *   DOMAIN_GET    dump                                 -> API_VERSION DOMAIN, one each
 *   CPU_GET       do    CPU_ID                         -> API_VERSION CPU
 *   CPU_GET       dump                                 -> API_VERSION CPU, one each
 *   STATS_GET     do                                   -> API_VERSION STATS
 *   INJECT        do W  DOMAIN_NAME INJECT_KHZ INJECT_TTL_MS -> ack
 *   INJECT        do W  DOMAIN_NAME (neither)          -> ack; the injected cap is cleared
 *
 * Notifications to the group "events":
 *
 *   SETTINGS_NTF  API_VERSION [DOMAIN_NAME] SETTINGS    settings that hold now
 *   CAP_NTF       API_VERSION DOMAIN                    the effective cap or its cause changed
 *   HINT_NTF      API_VERSION DOMAIN                    the average moved by quantum, or settled
 *   DOMAIN_NEW_NTF, DOMAIN_DEL_NTF  API_VERSION DOMAIN_NAME
 *
 * Nests:
 *
 *   SETTINGS (PWRCTL_A_SET_*)  MODE DECAY_MS FALL_MS PELT_SHIFT COUNT QUANTUM REFERENCE_KHZ OUTLET
 *            and, in answers, OWN: a mask of the keys (1 << PWRCTL_A_SET_*) set for this domain
 *            itself (without DOMAIN_NAME: set away from the default)
 *   UNSET    a u32 mask of keys (1 << PWRCTL_A_SET_*)
 *   DOMAIN   (PWRCTL_A_DOM_*)  see enum pwrctl_dom_attr
 *   CAPS     a list of CAP, each with PWRCTL_A_CAP_*; a cause of which the kernel tells nothing
 *            is absent, a cause that does not cap at present has no KHZ
 *   DOOR     (PWRCTL_A_DOOR_*)  inside DOMAIN: what the kernel's own scheduler was told, and by
 *            whom else; in parts of the first CPU's capacity
 *   PELT     (PWRCTL_A_PELT_*)  inside DOMAIN: with what mode pelt can be taken up elsewhere
 *   CPU      (PWRCTL_A_CPU_*)  see enum pwrctl_cpu_attr
 *   STATS    (PWRCTL_A_STATS_*)  see enum pwrctl_stats_attr
 *
 * Pressure, average, capacity and hint are parts of 1024. Times are CLOCK_BOOTTIME nanoseconds.
 */
#ifndef _UAPI_LINUX_PWRCTL_H
#define _UAPI_LINUX_PWRCTL_H

#define PWRCTL_GENL_NAME	"pwrctl"
#define PWRCTL_GENL_VERSION	1
#define PWRCTL_MCGRP_EVENTS	"events"

/* Raised when attributes or commands are appended. */
#define PWRCTL_API_VERSION	1

/* "policy" and ten digits, with the final 0 */
#define PWRCTL_NAME_LEN		20

/* What pressure, average, capacity and hints are parts of. */
#define PWRCTL_SCALE		1024

/**
 * enum pwrctl_mode - how pressure becomes the average
 * @PWRCTL_MODE_OFF: it does not: every hint says full capacity
 * @PWRCTL_MODE_INSTANT: the average is the pressure
 * @PWRCTL_MODE_PELT: as the kernel's per-entity load tracking would
 * @PWRCTL_MODE_DECAY: exponential, with a half-life of decay_ms
 */
enum pwrctl_mode {
	PWRCTL_MODE_OFF = 0,
	PWRCTL_MODE_INSTANT = 1,
	PWRCTL_MODE_PELT = 2,
	PWRCTL_MODE_DECAY = 3,
};

/**
 * enum pwrctl_outlet_kind - what the kernel's own scheduler is told
 * @PWRCTL_OUTLET_AUTO: the hint, where this kernel can be told
 * @PWRCTL_OUTLET_NONE: nothing
 * @PWRCTL_OUTLET_HW_PRESSURE: the hint; refused where this kernel cannot be told
 */
enum pwrctl_outlet_kind {
	PWRCTL_OUTLET_AUTO = 0,
	PWRCTL_OUTLET_NONE = 1,
	PWRCTL_OUTLET_HW_PRESSURE = 2,
};

/**
 * enum pwrctl_cause - who caps
 * @PWRCTL_CAUSE_NONE: nobody
 * @PWRCTL_CAUSE_THERMAL: a cooling device
 * @PWRCTL_CAUSE_HW: another writer of the kernel's hardware pressure
 * @PWRCTL_CAUSE_USER: a person or program, through scaling_max_freq
 * @PWRCTL_CAUSE_BOOST: boost frequencies are switched off
 * @PWRCTL_CAUSE_OTHER: firmware (_PPC), a driver, or what cannot be decided
 * @PWRCTL_CAUSE_INJECTED: an INJECT request; changes hints, never a frequency
 *
 * The set "count" has the bit 1 << cause for each.
 */
enum pwrctl_cause {
	PWRCTL_CAUSE_NONE = 0,
	PWRCTL_CAUSE_THERMAL = 1,
	PWRCTL_CAUSE_HW = 2,
	PWRCTL_CAUSE_USER = 3,
	PWRCTL_CAUSE_BOOST = 4,
	PWRCTL_CAUSE_OTHER = 5,
	PWRCTL_CAUSE_INJECTED = 6,

	/* private: */
	__PWRCTL_CAUSE_END,
};

/**
 * enum pwrctl_origin - where a domain's reference frequency comes from
 * @PWRCTL_ORIGIN_SETTING: reference_khz was set
 * @PWRCTL_ORIGIN_ARCH: arch_scale_freq_ref()
 * @PWRCTL_ORIGIN_TABLE: the highest entry of the frequency table that is no boost entry
 * @PWRCTL_ORIGIN_CPUINFO: cpuinfo_max_freq, for drivers without a table
 */
enum pwrctl_origin {
	PWRCTL_ORIGIN_SETTING = 0,
	PWRCTL_ORIGIN_ARCH = 1,
	PWRCTL_ORIGIN_TABLE = 2,
	PWRCTL_ORIGIN_CPUINFO = 3,
};

/**
 * enum pwrctl_door_kind - the call by which this kernel's own scheduler is told ("the door")
 * @PWRCTL_DOOR_KIND_NONE: there is none
 * @PWRCTL_DOOR_KIND_HW_PRESSURE: topology_update_hw_pressure(), 6.10 and later
 * @PWRCTL_DOOR_KIND_THERMAL_PRESSURE: topology_update_thermal_pressure()
 */
enum pwrctl_door_kind {
	PWRCTL_DOOR_KIND_NONE = 0,
	PWRCTL_DOOR_KIND_HW_PRESSURE = 1,
	PWRCTL_DOOR_KIND_THERMAL_PRESSURE = 2,
};

/**
 * enum pwrctl_door_state - is the scheduler told about a domain?
 * @PWRCTL_DOOR_NONE: this kernel cannot be told
 * @PWRCTL_DOOR_DEAD: it could, but does not know this domain's frequencies: nothing is told
 * @PWRCTL_DOOR_CLOSED: not at present: mode off, outlet none, or nothing happened yet
 * @PWRCTL_DOOR_OPEN: yes
 */
enum pwrctl_door_state {
	PWRCTL_DOOR_NONE = 0,
	PWRCTL_DOOR_DEAD = 1,
	PWRCTL_DOOR_CLOSED = 2,
	PWRCTL_DOOR_OPEN = 3,
};

/**
 * enum pwrctl_door_flags - what the scheduler makes of what it is told
 * @PWRCTL_DOOR_CANNOT_FOLLOW: its own average is slower than the module's
 * @PWRCTL_DOOR_RELEASE_ONLY: it knows cpufreq's caps at once; only their release is shaped
 */
enum pwrctl_door_flags {
	PWRCTL_DOOR_CANNOT_FOLLOW = 1,
	PWRCTL_DOOR_RELEASE_ONLY = 2,
};

enum pwrctl_cmd {
	PWRCTL_CMD_UNSPEC = 0,
	PWRCTL_CMD_SETTINGS_GET = 1,
	PWRCTL_CMD_SETTINGS_SET = 2,
	PWRCTL_CMD_DOMAIN_GET = 3,
	PWRCTL_CMD_CPU_GET = 4,
	PWRCTL_CMD_STATS_GET = 5,
	PWRCTL_CMD_INJECT = 6,
	PWRCTL_CMD_SETTINGS_NTF = 7,
	PWRCTL_CMD_CAP_NTF = 8,
	PWRCTL_CMD_HINT_NTF = 9,
	PWRCTL_CMD_DOMAIN_NEW_NTF = 10,
	PWRCTL_CMD_DOMAIN_DEL_NTF = 11,

	/* private: */
	__PWRCTL_CMD_END,
};

/**
 * enum pwrctl_attr - what stands at the top of a message
 * @PWRCTL_A_UNSPEC: never used
 * @PWRCTL_A_API_VERSION: u32, PWRCTL_API_VERSION of the module
 * @PWRCTL_A_DOMAIN_NAME: string, the cpufreq policy's name ("policy0")
 * @PWRCTL_A_CPU_ID: u32
 * @PWRCTL_A_SETTINGS: nest of PWRCTL_A_SET_*
 * @PWRCTL_A_UNSET: u32, mask of 1 << PWRCTL_A_SET_*
 * @PWRCTL_A_DOMAIN: nest of PWRCTL_A_DOM_*
 * @PWRCTL_A_CPU: nest of PWRCTL_A_CPU_*
 * @PWRCTL_A_STATS: nest of PWRCTL_A_STATS_*
 * @PWRCTL_A_INJECT_KHZ: u32, at least 1
 * @PWRCTL_A_INJECT_TTL_MS: u32, 1 to 3600000
 */
enum pwrctl_attr {
	PWRCTL_A_UNSPEC = 0,
	PWRCTL_A_API_VERSION = 1,
	PWRCTL_A_DOMAIN_NAME = 2,
	PWRCTL_A_CPU_ID = 3,
	PWRCTL_A_SETTINGS = 4,
	PWRCTL_A_UNSET = 5,
	PWRCTL_A_DOMAIN = 6,
	PWRCTL_A_CPU = 7,
	PWRCTL_A_STATS = 8,
	PWRCTL_A_INJECT_KHZ = 9,
	PWRCTL_A_INJECT_TTL_MS = 10,

	/* private: */
	__PWRCTL_A_END,
};

/**
 * enum pwrctl_set_attr - settings; ranges and defaults are in the module's settings table
 * @PWRCTL_A_SET_UNSPEC: never used
 * @PWRCTL_A_SET_MODE: u32, enum pwrctl_mode
 * @PWRCTL_A_SET_DECAY_MS: u32, half-life while the pressure rises, 1 to 60000
 * @PWRCTL_A_SET_FALL_MS: u32, half-life while it falls, 0 to 60000; 0 is decay_ms
 * @PWRCTL_A_SET_PELT_SHIFT: u32, PELT's half-life is 33.554 ms << pelt_shift, 0 to 10
 * @PWRCTL_A_SET_COUNT: u32, set of 1 << enum pwrctl_cause
 * @PWRCTL_A_SET_QUANTUM: u32, parts of 1024 that make a change worth telling, 1 to 256
 * @PWRCTL_A_SET_REFERENCE_KHZ: u32, the frequency of full capacity; 0 is automatic
 * @PWRCTL_A_SET_OUTLET: u32, enum pwrctl_outlet_kind
 * @PWRCTL_A_SET_OWN: u32, answers only: mask of the keys that were set here
 */
enum pwrctl_set_attr {
	PWRCTL_A_SET_UNSPEC = 0,
	PWRCTL_A_SET_MODE = 1,
	PWRCTL_A_SET_DECAY_MS = 2,
	PWRCTL_A_SET_FALL_MS = 3,
	PWRCTL_A_SET_PELT_SHIFT = 4,
	PWRCTL_A_SET_COUNT = 5,
	PWRCTL_A_SET_QUANTUM = 6,
	PWRCTL_A_SET_REFERENCE_KHZ = 7,
	PWRCTL_A_SET_OUTLET = 8,
	PWRCTL_A_SET_OWN = 9,

	/* private: */
	__PWRCTL_A_SET_END,
};

/**
 * enum pwrctl_dom_attr - one frequency domain
 * @PWRCTL_A_DOM_UNSPEC: never used
 * @PWRCTL_A_DOM_PAD: padding of 64 bit values
 * @PWRCTL_A_DOM_NAME: string
 * @PWRCTL_A_DOM_CPUS: string, a CPU list ("0-3"), offline CPUs included
 * @PWRCTL_A_DOM_DRIVER: string, the cpufreq driver
 * @PWRCTL_A_DOM_CLOCK_NS: u64, the time at which all of this was evaluated
 * @PWRCTL_A_DOM_REFERENCE_KHZ: u32, the frequency of full capacity in force
 * @PWRCTL_A_DOM_REFERENCE_ORIGIN: u32, enum pwrctl_origin
 * @PWRCTL_A_DOM_CAP_KHZ: u32, the effective cap; absent while nobody caps
 * @PWRCTL_A_DOM_CAUSE: u32, enum pwrctl_cause of the effective cap
 * @PWRCTL_A_DOM_SINCE_NS: u64, since when the effective cap and cause are what they are
 * @PWRCTL_A_DOM_PRESSURE: u32, parts of 1024
 * @PWRCTL_A_DOM_AVERAGE: u32, parts of 1024
 * @PWRCTL_A_DOM_CHANGED_NS: u64, when pressure last changed: a filter fed with
 *	pressure from that time on reproduces average
 * @PWRCTL_A_DOM_PRESSURE_FINE: u64, pressure in parts of 2^62
 * @PWRCTL_A_DOM_AVERAGE_FINE: u64, average in parts of 2^62
 * @PWRCTL_A_DOM_CAPS: nest of PWRCTL_A_CAPS_CAP
 * @PWRCTL_A_DOM_EVENTS: u64, changes of a cap or setting seen
 * @PWRCTL_A_DOM_PUSHES: u64, hints told to outlets
 * @PWRCTL_A_DOM_TIMER_FIRES: u64
 * @PWRCTL_A_DOM_TOTAL_NS: u64, how long this domain has been watched
 * @PWRCTL_A_DOM_CAPPED_NS: u64, how much of that time pressure was above 0
 * @PWRCTL_A_DOM_MEAN_CAP_KHZ: u32, time-weighted mean of min(cap, reference)
 * @PWRCTL_A_DOM_MEAN_PRESSURE: u32, time-weighted mean, parts of 1024
 * @PWRCTL_A_DOM_LOST_NS: u64, integral of the pressure: capacity lost, as time
 * @PWRCTL_A_DOM_DOOR: nest of PWRCTL_A_DOOR_*; absent where there is no door
 * @PWRCTL_A_DOM_SET_NS: u64, when mode, decay_ms, fall_ms or pelt_shift in force last changed
 * @PWRCTL_A_DOM_PELT: nest of PWRCTL_A_PELT_*; in mode pelt only
 */
enum pwrctl_dom_attr {
	PWRCTL_A_DOM_UNSPEC = 0,
	PWRCTL_A_DOM_PAD = 1,
	PWRCTL_A_DOM_NAME = 2,
	PWRCTL_A_DOM_CPUS = 3,
	PWRCTL_A_DOM_DRIVER = 4,
	PWRCTL_A_DOM_CLOCK_NS = 5,
	PWRCTL_A_DOM_REFERENCE_KHZ = 6,
	PWRCTL_A_DOM_REFERENCE_ORIGIN = 7,
	PWRCTL_A_DOM_CAP_KHZ = 8,
	PWRCTL_A_DOM_CAUSE = 9,
	PWRCTL_A_DOM_SINCE_NS = 10,
	PWRCTL_A_DOM_PRESSURE = 11,
	PWRCTL_A_DOM_AVERAGE = 12,
	PWRCTL_A_DOM_CHANGED_NS = 13,
	PWRCTL_A_DOM_PRESSURE_FINE = 14,
	PWRCTL_A_DOM_AVERAGE_FINE = 15,
	PWRCTL_A_DOM_CAPS = 16,
	PWRCTL_A_DOM_EVENTS = 17,
	PWRCTL_A_DOM_PUSHES = 18,
	PWRCTL_A_DOM_TIMER_FIRES = 19,
	PWRCTL_A_DOM_TOTAL_NS = 20,
	PWRCTL_A_DOM_CAPPED_NS = 21,
	PWRCTL_A_DOM_MEAN_CAP_KHZ = 22,
	PWRCTL_A_DOM_MEAN_PRESSURE = 23,
	PWRCTL_A_DOM_LOST_NS = 24,
	PWRCTL_A_DOM_DOOR = 25,
	PWRCTL_A_DOM_SET_NS = 26,
	PWRCTL_A_DOM_PELT = 27,

	/* private: */
	__PWRCTL_A_DOM_END,
};

/**
 * enum pwrctl_pelt_attr - inside PWRCTL_A_DOM_PELT: the state of mode pelt at its last update
 * @PWRCTL_A_PELT_UNSPEC: never used
 * @PWRCTL_A_PELT_PAD: padding of 64 bit values
 * @PWRCTL_A_PELT_STAMP: u64, last_update_time: of the clock, in ns >> pelt_shift
 * @PWRCTL_A_PELT_SUM: u64, load_sum
 * @PWRCTL_A_PELT_AVG: u32, load_avg, parts of 1024
 * @PWRCTL_A_PELT_CONTRIB: u32, period_contrib: how far into a period of 1024 units of 1024 ns
 *	<< pelt_shift the update was
 *
 * The names are those of the scheduler's struct sched_avg.
 */
enum pwrctl_pelt_attr {
	PWRCTL_A_PELT_UNSPEC = 0,
	PWRCTL_A_PELT_PAD = 1,
	PWRCTL_A_PELT_STAMP = 2,
	PWRCTL_A_PELT_SUM = 3,
	PWRCTL_A_PELT_AVG = 4,
	PWRCTL_A_PELT_CONTRIB = 5,

	/* private: */
	__PWRCTL_A_PELT_END,
};

/**
 * enum pwrctl_door_attr - inside PWRCTL_A_DOM_DOOR
 * @PWRCTL_A_DOOR_UNSPEC: never used
 * @PWRCTL_A_DOOR_PAD: padding of 64 bit values
 * @PWRCTL_A_DOOR_STATE: u32, enum pwrctl_door_state
 * @PWRCTL_A_DOOR_FLAGS: u32, set of enum pwrctl_door_flags
 * @PWRCTL_A_DOOR_PUSHED: u32, pressure told last; absent if never
 * @PWRCTL_A_DOOR_PUSHED_NS: u64, when; absent if never
 * @PWRCTL_A_DOOR_PUSHES: u64
 * @PWRCTL_A_DOOR_FOREIGN: u32, pressure that somebody else told last; absent while unknown
 * @PWRCTL_A_DOOR_FOREIGN_NS: u64, when; absent while unknown
 * @PWRCTL_A_DOOR_FOREIGN_WRITES: u64
 */
enum pwrctl_door_attr {
	PWRCTL_A_DOOR_UNSPEC = 0,
	PWRCTL_A_DOOR_PAD = 1,
	PWRCTL_A_DOOR_STATE = 2,
	PWRCTL_A_DOOR_FLAGS = 3,
	PWRCTL_A_DOOR_PUSHED = 4,
	PWRCTL_A_DOOR_PUSHED_NS = 5,
	PWRCTL_A_DOOR_PUSHES = 6,
	PWRCTL_A_DOOR_FOREIGN = 7,
	PWRCTL_A_DOOR_FOREIGN_NS = 8,
	PWRCTL_A_DOOR_FOREIGN_WRITES = 9,

	/* private: */
	__PWRCTL_A_DOOR_END,
};

/**
 * enum pwrctl_caps_attr - inside PWRCTL_A_DOM_CAPS
 * @PWRCTL_A_CAPS_UNSPEC: never used
 * @PWRCTL_A_CAPS_CAP: nest of PWRCTL_A_CAP_*, repeated
 */
enum pwrctl_caps_attr {
	PWRCTL_A_CAPS_UNSPEC = 0,
	PWRCTL_A_CAPS_CAP = 1,

	/* private: */
	__PWRCTL_A_CAPS_END,
};

/**
 * enum pwrctl_cap_attr - what one cause does to a domain
 * @PWRCTL_A_CAP_UNSPEC: never used
 * @PWRCTL_A_CAP_PAD: padding of 64 bit values
 * @PWRCTL_A_CAP_CAUSE: u32, enum pwrctl_cause
 * @PWRCTL_A_CAP_KHZ: u32; absent while this cause does not cap
 * @PWRCTL_A_CAP_UNTIL_NS: u64, when an injected cap ends
 */
enum pwrctl_cap_attr {
	PWRCTL_A_CAP_UNSPEC = 0,
	PWRCTL_A_CAP_PAD = 1,
	PWRCTL_A_CAP_CAUSE = 2,
	PWRCTL_A_CAP_KHZ = 3,
	PWRCTL_A_CAP_UNTIL_NS = 4,

	/* private: */
	__PWRCTL_A_CAP_END,
};

/**
 * enum pwrctl_cpu_attr - one CPU of a domain
 * @PWRCTL_A_CPU_UNSPEC: never used
 * @PWRCTL_A_CPU_PAD: padding of 64 bit values
 * @PWRCTL_A_CPU_CPU: u32
 * @PWRCTL_A_CPU_DOMAIN: string
 * @PWRCTL_A_CPU_CLOCK_NS: u64, the time of evaluation, one for all CPUs of a domain
 * @PWRCTL_A_CPU_CAPACITY: u32, arch_scale_cpu_capacity()
 * @PWRCTL_A_CPU_PRESSURE: u32, capacity lost now
 * @PWRCTL_A_CPU_AVERAGE: u32, capacity lost on average
 * @PWRCTL_A_CPU_HINT: u32, capacity minus average
 */
enum pwrctl_cpu_attr {
	PWRCTL_A_CPU_UNSPEC = 0,
	PWRCTL_A_CPU_PAD = 1,
	PWRCTL_A_CPU_CPU = 2,
	PWRCTL_A_CPU_DOMAIN = 3,
	PWRCTL_A_CPU_CLOCK_NS = 4,
	PWRCTL_A_CPU_CAPACITY = 5,
	PWRCTL_A_CPU_PRESSURE = 6,
	PWRCTL_A_CPU_AVERAGE = 7,
	PWRCTL_A_CPU_HINT = 8,

	/* private: */
	__PWRCTL_A_CPU_END,
};

/**
 * enum pwrctl_stats_attr - the module as a whole
 * @PWRCTL_A_STATS_UNSPEC: never used
 * @PWRCTL_A_STATS_PAD: padding of 64 bit values
 * @PWRCTL_A_STATS_VERSION: string, the module's version
 * @PWRCTL_A_STATS_DOMAINS: u32
 * @PWRCTL_A_STATS_EVENTS: u64, changes of a cap or setting seen, domains that left included
 * @PWRCTL_A_STATS_PUSHES: u64
 * @PWRCTL_A_STATS_TIMER_FIRES: u64
 * @PWRCTL_A_STATS_NOTIFIERS: u32, consumers in the kernel at the moment
 * @PWRCTL_A_STATS_LISTENERS: u32, 1 when somebody listens to the group "events"
 * @PWRCTL_A_STATS_TRACED: u32, 1 when the tracepoint pwrctl_hint is enabled
 * @PWRCTL_A_STATS_CAUSES: u32, set of 1 << cause that this kernel can tell apart
 * @PWRCTL_A_STATS_ATTACH_ERRORS: u64, policies that could not be watched
 * @PWRCTL_A_STATS_LOST_EVENTS: u64, events that no memory was left to send
 * @PWRCTL_A_STATS_DOOR_KIND: u32, enum pwrctl_door_kind
 * @PWRCTL_A_STATS_KFUNCS: u32, 1 when BPF programs can ask for hints
 */
enum pwrctl_stats_attr {
	PWRCTL_A_STATS_UNSPEC = 0,
	PWRCTL_A_STATS_PAD = 1,
	PWRCTL_A_STATS_VERSION = 2,
	PWRCTL_A_STATS_DOMAINS = 3,
	PWRCTL_A_STATS_EVENTS = 4,
	PWRCTL_A_STATS_PUSHES = 5,
	PWRCTL_A_STATS_TIMER_FIRES = 6,
	PWRCTL_A_STATS_NOTIFIERS = 7,
	PWRCTL_A_STATS_LISTENERS = 8,
	PWRCTL_A_STATS_TRACED = 9,
	PWRCTL_A_STATS_CAUSES = 10,
	PWRCTL_A_STATS_ATTACH_ERRORS = 11,
	PWRCTL_A_STATS_LOST_EVENTS = 12,
	PWRCTL_A_STATS_DOOR_KIND = 13,
	PWRCTL_A_STATS_KFUNCS = 14,

	/* private: */
	__PWRCTL_A_STATS_END,
};

#endif /* _UAPI_LINUX_PWRCTL_H */
