/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pwrctl: what the module's files share
 *
 * Data flows one way: sources -> domain -> filter -> hint -> outlets. A source says what caps a
 * domain; the domain turns the lowest cap that counts into pressure; the filter averages it; a
 * hint is published to the outlets. Settings change the domain from the side.
 *
 * Locks, outermost first:
 *
 *   genl_mutex                   generic netlink requests
 *   policy->rwsem                cpufreq; held around CREATE and REMOVE
 *   pwrctl_attach_mutex          the list of domains, all settings, injecting
 *   QoS notifier chain's rwsem   held around the QoS callback
 *   domain->lock                 raw; everything in a domain that is not marked constant
 *   door->lock                   raw; what the scheduler was told, never inside domain->lock
 *   source_hw's lock             raw; what others told it
 *   timer and work queue locks   starting the timer, queueing the poll
 *
 * Whoever holds pwrctl_attach_mutex takes no policy->rwsem and removes no debugfs file.
 *
 * Contexts (on PREEMPT_RT the same; only domain->lock is never a sleeping lock there):
 *
 *   what                       runs in                     may take
 *   CREATE, REMOVE             process, policy->rwsem      pwrctl_attach_mutex
 *   CPU online callback        hotplug thread              policy->rwsem, pwrctl_attach_mutex
 *   QoS callback               process, chain's rwsem,     domain->lock
 *                              policy->rwsem or not
 *   cdev_update probe          preemption off or RCU       nothing; queues the poll
 *   poll                       work item                   policy->rwsem, cooling device's lock,
 *                                                          pwrctl_attach_mutex, one at a time
 *   publishing timer           softirq (thread on RT)      domain->lock; outlets without a lock
 *   netlink, debugfs           process                     pwrctl_attach_mutex
 *   hw_pressure_update probe   any but NMI                 source_hw's lock, then domain->lock
 *   reading a hint             anywhere, NMI included      nothing
 *   suspend notifier           process                     has the poll run and waits for it
 *
 * Lifetimes: a domain lives from CREATE (or the module's start) to REMOVE (or the module's stop).
 * pwrctl_domain_detach() takes it off the list and the CPUs, removes the QoS notifier (which
 * waits for a running callback), cancels the timer (which waits for a running push) and frees it
 * after an RCU grace period, which is what readers rely on. Everybody else uses a domain under
 * pwrctl_attach_mutex only.
 *
 * Suspend: nothing is done on the way down: caps may change at any stage of it, and their QoS
 * callbacks are only filter arithmetic. The clock counts suspended time; the timer does not wake
 * the machine. Once tasks run again (PM_POST_SUSPEND) every cap is read anew.
 */
#ifndef _PWRCTL_H
#define _PWRCTL_H

#include <linux/cpufreq.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>
#include <linux/types.h>

#include <linux/pwrctl.h>

#include "filter.h"
#include "settings.h"

/* No cap, in kHz: above every frequency. */
#define PWRCTL_NO_CAP	U32_MAX

/**
 * struct pwrctl_caps - what each cause does to a domain at one moment
 * @khz: cap of each cause in kHz, PWRCTL_NO_CAP where it does not cap
 * @aggregate_khz: what cpufreq's QoS says all its requests come to, in kHz
 */
struct pwrctl_caps {
	u32 khz[__PWRCTL_CAUSE_END];
	u32 aggregate_khz;
};

/**
 * struct pwrctl_state - what a reader needs, all of it
 * @filter: the average
 * @until: when an injected cap ends, in ns of the boot clock; U64_MAX without one
 * @after: the pressure from then on, in parts of PWRCTL_FILTER_ONE
 */
struct pwrctl_state {
	struct pwrctl_filter filter;
	u64 until;
	u64 after;
};

/**
 * struct pwrctl_tally - what happened so far
 * @events: changes of a cap or setting
 * @pushes: hints told
 * @timer_fires: how often a publishing timer ran
 */
struct pwrctl_tally {
	u64 events;
	u64 pushes;
	u64 timer_fires;
};

/**
 * struct pwrctl_exposure - how far a domain was capped, integrated over time
 * @start_ns: since when
 * @last_ns: up to when the sums below go
 * @capped_ns: time with pressure above 0
 * @lost_ns: integral of the pressure
 * @cap_khz_ms: integral of the effective cap, no more than the reference, in kHz times ms
 * @cap_khz_ns: what is left of that integral below one ms, in kHz times ns
 */
struct pwrctl_exposure {
	u64 start_ns;
	u64 last_ns;
	u64 capped_ns;
	u64 lost_ns;
	u64 cap_khz_ms;
	u64 cap_khz_ns;
};

/**
 * struct pwrctl_door - what the kernel's scheduler was told of one domain's CPUs
 * @lock: raw, guards the rest; nothing but source_hw's lock is taken inside
 * @cpus: all CPUs of the domain; NULL while it is not shown
 * @reference: the kernel's own reference there, in kHz, or MHz before 6.8
 * @capacity: capacity of the first CPU, in which the kernel reckons
 * @state: enum pwrctl_door_state
 * @fed: what we alone would have told then, in parts of PWRCTL_FILTER_ONE
 * @input: the pressure that it was made from, in the same parts
 * @told: something other than 0 of ours may stand there
 * @pushed: pressure told last, in parts of @capacity; what counts is what stands there
 * @pushed_ns: when, 0 for never
 * @pushes: how often
 */
struct pwrctl_door {
	raw_spinlock_t lock;
	const struct cpumask *cpus;
	u32 reference;
	u32 capacity;
	u8 state;
	bool told;
	u32 pushed;
	u64 fed;
	u64 input;
	u64 pushed_ns;
	u64 pushes;
};

/**
 * struct pwrctl_domain - the CPUs of one cpufreq policy, in one piece of at most 1 KiB
 * @latch: guards @state against torn reads
 * @state: two copies; a reader uses the one that is not being written
 * @lock: guards all that follows up to @door
 * @policy: the policy, NULL once it is leaving
 * @caps: what the sources said last
 * @cooling_khz: what source_cooling read last from a cooling device, PWRCTL_NO_CAP without a cap
 * @inject_khz: the injected cap, PWRCTL_NO_CAP without one
 * @inject_until: when it ends, in ns
 * @params: filter parameters in force
 * @set_ns: since when
 * @count: set of causes that count
 * @reference_khz: frequency of full capacity in force
 * @reference_set: the setting reference_khz, 0 for automatic
 * @origin: where @reference_khz comes from
 * @cause: cause of the effective cap
 * @cap_khz: the effective cap, PWRCTL_NO_CAP without one
 * @since: when @cap_khz and @cause became what they are, in ns
 * @pressure: the present pressure, in parts of PWRCTL_FILTER_ONE
 * @changed: when @pressure became what it is, in ns
 * @exposure: integrals
 * @tally: counters
 * @told: average that was pushed last, in parts of PWRCTL_FILTER_ONE
 * @told_ns: when, 0 for never
 * @foreign_ns: when another writer of the hardware pressure was seen
 * @confirms: how often what he made of it has been looked at since
 * @event: pushing is due whatever the average did
 * @cap_event: the effective cap changed since it was told last
 * @publishing: somebody is telling the outlets right now
 * @publish_again: and shall look again when done
 * @dead: on its way out, arm no timer
 * @armed: @timer has been started and has not run yet
 * @timer: next push, or the end of an injected cap
 * @door: the outlet to the kernel's scheduler; a lock of its own
 * @list: in the list of domains; pwrctl_attach_mutex
 * @qos: the notifier on the policy's maximum; constant while attached
 * @cpus: related CPUs, offline ones included, kept in @cpu_bits; constant
 * @id: number in @name; constant
 * @name: the policy's name; constant
 * @rcu: for freeing
 * @cpu_bits: as many as there are possible CPUs
 */
struct pwrctl_domain {
	seqcount_latch_t latch;
	struct pwrctl_state state[2];

	raw_spinlock_t lock;
	struct cpufreq_policy *policy;
	struct pwrctl_caps caps;
	u32 cooling_khz;
	u32 inject_khz;
	u64 inject_until;
	struct pwrctl_filter_params params;
	u64 set_ns;
	u32 count;
	u32 reference_khz;
	u32 reference_set;
	u8 origin;
	u8 cause;
	u32 cap_khz;
	u64 since;
	u64 pressure;
	u64 changed;
	struct pwrctl_exposure exposure;
	struct pwrctl_tally tally;
	u64 told;
	u64 told_ns;
	u64 foreign_ns;
	u8 confirms;
	bool event;
	bool cap_event;
	bool publishing;
	bool publish_again;
	bool dead;
	bool armed;
	struct hrtimer timer;

	struct pwrctl_door door;

	struct list_head list;
	struct notifier_block qos;
	struct cpumask *cpus;
	unsigned int id;
	char name[PWRCTL_NAME_LEN];
	struct rcu_head rcu;
	unsigned long cpu_bits[];
};

/**
 * struct pwrctl_view - a domain at one moment, for the outlets
 * @domain: whose view this is; only what is marked constant there may be used
 * @clock_ns: the moment
 * @reference_khz: frequency of full capacity
 * @origin: enum pwrctl_origin of it
 * @cause: enum pwrctl_cause of the effective cap
 * @cap_khz: effective cap, PWRCTL_NO_CAP without one
 * @since_ns: since when these two
 * @changed_ns: when @pressure last changed
 * @pressure: in parts of PWRCTL_FILTER_ONE
 * @average: in parts of PWRCTL_FILTER_ONE
 * @caps: each cause's cap
 * @inject_until_ns: when an injected cap ends
 * @params: filter parameters in force
 * @set_ns: since when
 * @filter: from which @average follows
 * @tally: counters
 * @exposure: integrals up to @clock_ns
 */
struct pwrctl_view {
	const struct pwrctl_domain *domain;
	u64 clock_ns;
	u32 reference_khz;
	u8 origin;
	u8 cause;
	u32 cap_khz;
	u64 since_ns;
	u64 changed_ns;
	u64 pressure;
	u64 average;
	struct pwrctl_caps caps;
	u64 inject_until_ns;
	struct pwrctl_filter_params params;
	u64 set_ns;
	struct pwrctl_filter filter;
	struct pwrctl_tally tally;
	struct pwrctl_exposure exposure;
};

/**
 * struct pwrctl_source - somebody who knows caps
 * @name: for messages
 * @causes: returns the set of causes that this source can tell on this kernel
 * @start: begin to listen; may be NULL
 * @stop: undo @start; may be NULL
 * @attach: begin to watch a policy; may be NULL. Process context, pwrctl_attach_mutex held
 * @detach: undo @attach; may be NULL. The same context
 * @read: fill in the caps of this source's causes. domain->lock held
 * @poll: look for changes that nobody announces; may be NULL. Work item, no lock held
 */
struct pwrctl_source {
	const char *name;
	u32 (*causes)(void);
	int (*start)(void);
	void (*stop)(void);
	int (*attach)(struct pwrctl_domain *domain, struct cpufreq_policy *policy);
	void (*detach)(struct pwrctl_domain *domain, struct cpufreq_policy *policy);
	void (*read)(struct pwrctl_domain *domain, struct pwrctl_caps *caps);
	void (*poll)(void);
};

/**
 * struct pwrctl_outlet - somebody who is told hints
 * @name: for messages
 * @start: get ready; may be NULL
 * @stop: undo @start; may be NULL
 * @wanted: is there a consumer? Any context
 * @push: tell a hint. No lock held, any context but NMI, one at a time for each domain
 * @cap_wanted: does somebody hear @cap? NULL without that one. Any context
 * @cap: tell that the effective cap changed; may be NULL. The context of @push
 * @confirm: push again after somebody else wrote where this outlet writes
 * @settings: tell that settings changed; may be NULL. Process context, pwrctl_attach_mutex
 *	held; domain is NULL for the global ones
 * @domain: tell that a domain came or leaves; may be NULL. The same context
 */
struct pwrctl_outlet {
	const char *name;
	bool confirm;
	int (*start)(void);
	void (*stop)(void);
	bool (*wanted)(void);
	void (*push)(const struct pwrctl_view *view);
	bool (*cap_wanted)(void);
	void (*cap)(const struct pwrctl_view *view);
	void (*settings)(const struct pwrctl_domain *domain);
	void (*domain)(const struct pwrctl_domain *domain, bool came);
};

/* main.c: who there is, NULL-terminated */
extern const struct pwrctl_source *const pwrctl_sources[];
extern const struct pwrctl_outlet *const pwrctl_outlets[];

extern const struct pwrctl_source pwrctl_source_cpufreq;
extern const struct pwrctl_source pwrctl_source_cooling;
extern const struct pwrctl_source pwrctl_source_inject;
extern const struct pwrctl_source pwrctl_source_hw;

extern const struct pwrctl_outlet pwrctl_outlet_hw_pressure;
extern const struct pwrctl_outlet pwrctl_outlet_symbols;
extern const struct pwrctl_outlet pwrctl_outlet_trace;
extern const struct pwrctl_outlet pwrctl_outlet_netlink;

/* domain.c */
struct pwrctl_domain *pwrctl_domain_new(struct cpufreq_policy *policy);
void pwrctl_domain_end(struct pwrctl_domain *domain);
void pwrctl_domain_refresh(struct pwrctl_domain *domain);
void pwrctl_domain_cap_changed(struct pwrctl_domain *domain);
void pwrctl_domain_reconfigure(struct pwrctl_domain *domain);
void pwrctl_domain_view(struct pwrctl_domain *domain, struct pwrctl_view *view);
void pwrctl_domain_view_locked(struct pwrctl_domain *domain, struct pwrctl_view *view);
void pwrctl_domain_means(const struct pwrctl_view *view, u32 *cap_khz, u32 *pressure);
u64 pwrctl_domain_average(const struct pwrctl_domain *domain, u64 now);

/* domain_list.c */
extern struct mutex pwrctl_attach_mutex;
extern struct list_head pwrctl_domains;

int pwrctl_domain_start(void);
void pwrctl_domain_stop(void);
int pwrctl_domain_attach(struct cpufreq_policy *policy, int sighted);
void pwrctl_domain_detach(struct cpufreq_policy *policy);
void pwrctl_domain_detach_all(void);
void pwrctl_domain_poll_soon(void);
void pwrctl_domain_poll_later(void);
void pwrctl_domain_poll_flush(void);
struct pwrctl_domain *pwrctl_domain_find(const char *name);
struct pwrctl_domain *pwrctl_domain_of_policy(const struct cpufreq_policy *policy);
struct pwrctl_domain *pwrctl_domain_of_cpu(unsigned int cpu);
unsigned int pwrctl_domain_generation(void);
u32 pwrctl_domain_causes(void);
u64 pwrctl_domain_attach_errors(void);
void pwrctl_domain_tally(struct pwrctl_tally *sum);

/* hint.c */
void pwrctl_hint_init(struct pwrctl_domain *domain);
void pwrctl_hint_publish(struct pwrctl_domain *domain);
void pwrctl_hint_rearm_all(void);
void pwrctl_hint_confirm(unsigned int cpu);
bool pwrctl_hint_wanted(void);
u32 pwrctl_hint_scale(u64 fraction, unsigned int cpu);
void pwrctl_hint_tell_settings(const struct pwrctl_domain *domain);
void pwrctl_hint_tell_domain(const struct pwrctl_domain *domain, bool came);

/* source_inject.c */
void pwrctl_source_inject_set(struct pwrctl_domain *domain, u32 khz, u32 ttl_ms);
void pwrctl_source_inject_clear(struct pwrctl_domain *domain);

/**
 * struct pwrctl_foreign - what somebody else wrote as a CPU's hardware pressure
 * @pressure: in parts of the CPU's capacity, 0 to 1024
 * @cooling: it is only what cpufreq's own cooling device says as a cap, too
 * @when_ns: when last, 0 for never: then @pressure is unknown
 * @writes: how often
 */
struct pwrctl_foreign {
	u32 pressure;
	bool cooling;
	u64 when_ns;
	u64 writes;
};

/* source_hw.c */
void pwrctl_source_hw_mute(bool mute);
void pwrctl_source_hw_foreign(const struct cpumask *cpus, struct pwrctl_foreign *foreign);

/**
 * struct pwrctl_door_view - what the kernel's scheduler was told about a domain
 * @state: enum pwrctl_door_state
 * @flags: set of PWRCTL_DOOR_*
 * @pushed: pressure told last, in parts of the first CPU's capacity
 * @pushed_ns: when, 0 for never
 * @pushes: how often
 * @foreign: what somebody else told it
 */
struct pwrctl_door_view {
	u8 state;
	u8 flags;
	u32 pushed;
	u64 pushed_ns;
	u64 pushes;
	struct pwrctl_foreign foreign;
};

/* outlet_hw_pressure.c */
bool pwrctl_door_present(void);
u32 pwrctl_door_kind(void);
void pwrctl_door_init(struct pwrctl_domain *domain);
void pwrctl_door_view(const struct pwrctl_view *view, struct pwrctl_door_view *door_view);

/* outlet_bpf.c */
void pwrctl_bpf_start(void);
bool pwrctl_bpf_registered(void);

/* outlet_symbols.c, outlet_trace.c, netlink.c */
unsigned int pwrctl_outlet_symbols_count(void);
bool pwrctl_outlet_trace_enabled(void);
int pwrctl_netlink_start(void);
void pwrctl_netlink_stop(void);
bool pwrctl_netlink_has_listeners(void);
u64 pwrctl_netlink_lost_events(void);

/* debugfs.c */
void pwrctl_debugfs_start(void);
void pwrctl_debugfs_stop(void);
void pwrctl_debugfs_domains_changed(void);

/**
 * pwrctl_now() - the clock of everything here
 *
 * Suspended time counts. Unlike ktime_get_boottime() it may be read while timekeeping is
 * suspended and from NMIs; it may then jump back a little, which the filter takes as 0.
 *
 * Context: Any.
 * Return: nanoseconds since boot
 */
static inline u64 pwrctl_now(void)
{
	return ktime_get_boot_fast_ns();
}

#endif /* _PWRCTL_H */
