// SPDX-License-Identifier: GPL-2.0-only
/*
 * Domains: the CPUs of one cpufreq policy, what caps them and what that comes to.
 *
 * Whatever happens, the same thing is done: every source is read anew under the domain's lock
 * (a notification's own value may be overtaken by a later one), the lowest cap that counts
 * becomes the pressure, and if that changed the filter is folded.
 *
 * This runs inside whoever changes a cap, so it takes no more than it must: a change that makes
 * no other effective cap, as a user's limit by default, needs no clock, and nobody is told.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/slab.h>

#include "compat.h"
#include "pwrctl.h"

static u64 fraction_lost(u32 cap_khz, u32 reference_khz)
{
	if (!reference_khz || cap_khz >= reference_khz)
		return 0;
	return PWRCTL_FILTER_ONE - pwrctl_filter_fraction(cap_khz, reference_khz);
}

static u32 reference_from_table(const struct cpufreq_policy *policy)
{
	struct cpufreq_frequency_table *entry;
	u32 highest = 0;

	if (!policy->freq_table)
		return 0;
	cpufreq_for_each_valid_entry(entry, policy->freq_table)
		if (!(entry->flags & CPUFREQ_BOOST_FREQ))
			highest = max(highest, entry->frequency);
	return highest;
}

/*
 * The frequency that means full capacity. A boost maximum must not serve: it would be a pressure
 * that never ends on a machine that nobody caps.
 */
static u32 read_reference(const struct pwrctl_domain *domain, u8 *origin)
{
	const struct cpufreq_policy *policy = domain->policy;
	u32 khz;

	lockdep_assert_held(&domain->lock);

	if (domain->reference_set) {
		*origin = PWRCTL_ORIGIN_SETTING;
		return domain->reference_set;
	}
	khz = pwrctl_arch_freq_ref(cpumask_first(domain->cpus));
	if (khz > 1) {
		*origin = PWRCTL_ORIGIN_ARCH;
		return khz;
	}
	khz = reference_from_table(policy);
	if (khz) {
		*origin = PWRCTL_ORIGIN_TABLE;
		return khz;
	}
	*origin = PWRCTL_ORIGIN_CPUINFO;
	return policy->cpuinfo.max_freq;
}

static void read_caps(struct pwrctl_domain *domain, u32 reference_khz, struct pwrctl_caps *caps)
{
	const struct pwrctl_source *const *source;
	u32 explained = PWRCTL_NO_CAP;
	unsigned int cause;

	lockdep_assert_held(&domain->lock);

	for (cause = 0; cause < ARRAY_SIZE(caps->khz); cause++)
		caps->khz[cause] = PWRCTL_NO_CAP;
	caps->aggregate_khz = PWRCTL_NO_CAP;
	for (source = pwrctl_sources; *source; source++)
		(*source)->read(domain, caps);

	for (cause = PWRCTL_CAUSE_THERMAL; cause < PWRCTL_CAUSE_INJECTED; cause++) {
		if (cause == PWRCTL_CAUSE_HW)
			continue;
		/* Below what all requests come to it is out of date: the poll will tell. */
		if (caps->khz[cause] < caps->aggregate_khz)
			caps->khz[cause] = PWRCTL_NO_CAP;
		explained = min(explained, caps->khz[cause]);
	}
	/* What nobody we know asked for is somebody else's. */
	if (caps->aggregate_khz < explained)
		caps->khz[PWRCTL_CAUSE_OTHER] = caps->aggregate_khz;

	/* At full capacity or above, a cap is none. */
	for (cause = 0; cause < ARRAY_SIZE(caps->khz); cause++)
		if (caps->khz[cause] >= reference_khz)
			caps->khz[cause] = PWRCTL_NO_CAP;
}

static u8 lowest_cause(const struct pwrctl_caps *caps, u32 count)
{
	u8 lowest = PWRCTL_CAUSE_NONE;
	unsigned int cause;

	/* caps->khz[PWRCTL_CAUSE_NONE] is PWRCTL_NO_CAP */
	for (cause = PWRCTL_CAUSE_THERMAL; cause < __PWRCTL_CAUSE_END; cause++)
		if (count & BIT(cause) && caps->khz[cause] < caps->khz[lowest])
			lowest = cause;
	return lowest;
}

static void write_state(struct pwrctl_domain *domain, const struct pwrctl_state *state)
{
	lockdep_assert_held(&domain->lock);

	pwrctl_latch_write(&domain->latch);
	domain->state[0] = *state;
	pwrctl_latch_write_next(&domain->latch);
	domain->state[1] = *state;
	pwrctl_latch_write_end(&domain->latch);
}

/* Bring the integrals up to now, with the values that held until now. */
static void integrate(struct pwrctl_domain *domain, u64 now)
{
	struct pwrctl_exposure *sum = &domain->exposure;
	u32 khz = min(domain->cap_khz, domain->reference_khz);
	u64 elapsed, ms;
	u32 ns;

	lockdep_assert_held(&domain->lock);

	if (now <= sum->last_ns)
		return;
	elapsed = now - sum->last_ns;
	sum->last_ns = now;
	if (domain->pressure) {
		sum->capped_ns += elapsed;
		sum->lost_ns += mul_u64_u64_shr(domain->pressure, elapsed, PWRCTL_FILTER_SHIFT);
	}
	ms = div_u64_rem(elapsed, NSEC_PER_MSEC, &ns);
	sum->cap_khz_ms += khz * ms;
	sum->cap_khz_ns += (u64)khz * ns;
	sum->cap_khz_ms += div_u64_rem(sum->cap_khz_ns, NSEC_PER_MSEC, &ns);
	sum->cap_khz_ns = ns;
}

static void fold(struct pwrctl_domain *domain, u64 now, u64 pressure, u64 after)
{
	struct pwrctl_state state = domain->state[0];

	lockdep_assert_held(&domain->lock);

	pwrctl_filter_input(&state.filter, now, pressure);
	state.until = domain->inject_khz == PWRCTL_NO_CAP ? U64_MAX : domain->inject_until;
	state.after = after;
	write_state(domain, &state);
}

/* The pressure now, and after an injected cap. */
static void pressures(const struct pwrctl_domain *domain, const struct pwrctl_caps *caps,
		      u32 reference_khz, u64 *pressure, u64 *after)
{
	u32 count = domain->count;

	*pressure = fraction_lost(caps->khz[lowest_cause(caps, count)], reference_khz);
	*after = *pressure;
	if (domain->inject_khz == PWRCTL_NO_CAP)
		return;
	count &= ~BIT(PWRCTL_CAUSE_INJECTED);
	*after = fraction_lost(caps->khz[lowest_cause(caps, count)], reference_khz);
}

/* Take over another effective cap or reference, or an injected cap, as of @now. */
static void take_over(struct pwrctl_domain *domain, u64 now, u8 cause, u32 reference_khz)
{
	const struct pwrctl_state *state = &domain->state[0];
	u64 until = domain->inject_khz == PWRCTL_NO_CAP ? U64_MAX : domain->inject_until;
	u32 khz = domain->caps.khz[cause];
	u64 pressure, after;

	lockdep_assert_held(&domain->lock);

	/* before what they are taken over changes */
	integrate(domain, now);
	domain->reference_khz = reference_khz;
	if (cause != domain->cause || khz != domain->cap_khz) {
		domain->cause = cause;
		domain->cap_khz = khz;
		domain->since = now;
		domain->cap_event = true;
	}
	pressures(domain, &domain->caps, reference_khz, &pressure, &after);
	if (pressure != domain->pressure) {
		domain->pressure = pressure;
		domain->changed = now;
		domain->event = true;
		fold(domain, now, pressure, after);
	} else if (until != state->until || after != state->after) {
		struct pwrctl_state changed = *state;

		changed.until = until;
		changed.after = after;
		write_state(domain, &changed);
	}
}

/*
 * Read every source and take over what changed, as of @now; 0: the clock is read if it is needed.
 * Returns whether an outlet or a reader may see a difference.
 */
static bool update(struct pwrctl_domain *domain, u64 now)
{
	struct pwrctl_caps caps;
	u32 reference_khz;
	u8 cause;

	lockdep_assert_held(&domain->lock);

	reference_khz = read_reference(domain, &domain->origin);
	read_caps(domain, reference_khz, &caps);
	if (memcmp(&caps, &domain->caps, sizeof(caps))) {
		domain->caps = caps;
		domain->tally.events++;
	}
	cause = lowest_cause(&caps, domain->count);
	if (cause == domain->cause && caps.khz[cause] == domain->cap_khz &&
	    reference_khz == domain->reference_khz && domain->inject_khz == PWRCTL_NO_CAP &&
	    domain->state[0].until == U64_MAX)
		return false;
	take_over(domain, now ?: pwrctl_now(), cause, reference_khz);
	return true;
}

/* An injected cap ends when its time is over, even if its timer comes late. */
static void expire(struct pwrctl_domain *domain, u64 now)
{
	u64 until = domain->inject_until;

	lockdep_assert_held(&domain->lock);

	if (domain->inject_khz == PWRCTL_NO_CAP || now < until)
		return;
	domain->inject_khz = PWRCTL_NO_CAP;
	update(domain, until);
}

static bool refresh(struct pwrctl_domain *domain)
{
	unsigned long flags;
	bool changed = false;
	u64 now = 0;

	raw_spin_lock_irqsave(&domain->lock, flags);
	if (domain->policy) {
		if (domain->inject_khz != PWRCTL_NO_CAP) {
			now = pwrctl_now();
			expire(domain, now);
			changed = true;
		}
		changed |= update(domain, now);
	}
	raw_spin_unlock_irqrestore(&domain->lock, flags);
	return changed;
}

/**
 * pwrctl_domain_refresh() - look at a domain's caps, and at what is due to be told
 * @domain: the domain, kept alive by the caller
 *
 * Context: Any but NMI and hard interrupts; no lock that an outlet takes.
 */
void pwrctl_domain_refresh(struct pwrctl_domain *domain)
{
	refresh(domain);
	pwrctl_hint_publish(domain);
}

/**
 * pwrctl_domain_cap_changed() - something about a domain's caps may have changed
 * @domain: the domain, kept alive by the caller
 *
 * As pwrctl_domain_refresh(), but when it changed nothing that anybody is told, what was due
 * before is left to the timer that is armed for it.
 *
 * Context: Any but NMI and hard interrupts; no lock that an outlet takes.
 */
void pwrctl_domain_cap_changed(struct pwrctl_domain *domain)
{
	if (refresh(domain))
		pwrctl_hint_publish(domain);
}

static bool same_params(const struct pwrctl_filter_params *a,
			const struct pwrctl_filter_params *b)
{
	return a->mode == b->mode && a->pelt_shift == b->pelt_shift &&
	       a->decay_ms == b->decay_ms && a->fall_ms == b->fall_ms;
}

static void take_settings(struct pwrctl_domain *domain, u64 now)
{
	struct pwrctl_filter_params params;
	struct pwrctl_state state;

	lockdep_assert_held(&pwrctl_attach_mutex);
	lockdep_assert_held(&domain->lock);

	domain->count = pwrctl_settings_get(NULL, PWRCTL_A_SET_COUNT);
	domain->reference_set = pwrctl_settings_get(domain, PWRCTL_A_SET_REFERENCE_KHZ);
	pwrctl_settings_params(domain, &params);
	if (same_params(&params, &domain->params))
		return;
	domain->params = params;
	domain->set_ns = now;
	state = domain->state[0];
	pwrctl_filter_set(&state.filter, now, &params);
	write_state(domain, &state);
}

/**
 * pwrctl_domain_reconfigure() - take over settings that changed
 * @domain: the domain
 *
 * Context: Process context; pwrctl_attach_mutex held.
 */
void pwrctl_domain_reconfigure(struct pwrctl_domain *domain)
{
	u64 now;

	lockdep_assert_held(&pwrctl_attach_mutex);

	raw_spin_lock_irq(&domain->lock);
	now = pwrctl_now();
	expire(domain, now);
	take_settings(domain, now);
	update(domain, now);
	domain->tally.events++;
	domain->event = true;
	raw_spin_unlock_irq(&domain->lock);
	pwrctl_hint_publish(domain);
}

/* A state at a time: readers end an injected cap themselves. */
static u64 average_of(const struct pwrctl_state *state, u64 now)
{
	struct pwrctl_filter ended;

	if (likely(now < state->until))
		return pwrctl_filter_read(&state->filter, now);
	ended = state->filter;
	pwrctl_filter_input(&ended, state->until, state->after);
	return pwrctl_filter_read(&ended, now);
}

/**
 * pwrctl_domain_average() - the average, exactly, without a lock
 * @domain: the domain, kept alive by the caller
 * @now: pwrctl_now()
 *
 * Context: Any, NMI included.
 * Return: in parts of PWRCTL_FILTER_ONE
 */
u64 pwrctl_domain_average(const struct pwrctl_domain *domain, u64 now)
{
	unsigned int seq;
	u64 average;

	do {
		seq = pwrctl_latch_read(&domain->latch);
		average = average_of(&domain->state[seq & 1], now);
	} while (pwrctl_latch_retry(&domain->latch, seq));
	return average;
}

/**
 * pwrctl_domain_view_locked() - a domain as it is now
 * @domain: the domain
 * @view: filled in
 *
 * Context: domain->lock held.
 */
void pwrctl_domain_view_locked(struct pwrctl_domain *domain, struct pwrctl_view *view)
{
	u64 now = pwrctl_now();

	lockdep_assert_held(&domain->lock);

	if (domain->policy)
		expire(domain, now);
	integrate(domain, now);
	*view = (struct pwrctl_view) {
		.domain = domain,
		.clock_ns = now,
		.reference_khz = domain->reference_khz,
		.origin = domain->origin,
		.cause = domain->cause,
		.cap_khz = domain->cap_khz,
		.since_ns = domain->since,
		.changed_ns = domain->changed,
		.pressure = domain->pressure,
		.average = average_of(&domain->state[0], now),
		.caps = domain->caps,
		.inject_until_ns = domain->inject_until,
		.params = domain->params,
		.set_ns = domain->set_ns,
		.filter = domain->state[0].filter,
		.tally = domain->tally,
		.exposure = domain->exposure,
	};
}

/**
 * pwrctl_domain_view() - a domain as it is now
 * @domain: the domain, kept alive by the caller
 * @view: filled in
 *
 * Context: Any but NMI.
 */
void pwrctl_domain_view(struct pwrctl_domain *domain, struct pwrctl_view *view)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&domain->lock, flags);
	pwrctl_domain_view_locked(domain, view);
	raw_spin_unlock_irqrestore(&domain->lock, flags);
}

/**
 * pwrctl_domain_means() - time-weighted means since the domain came
 * @view: of the domain
 * @cap_khz: set to the mean of the cap, at most the reference, in kHz
 * @pressure: set to the mean pressure in parts of 1024
 *
 * Context: Any.
 */
void pwrctl_domain_means(const struct pwrctl_view *view, u32 *cap_khz, u32 *pressure)
{
	const struct pwrctl_exposure *sum = &view->exposure;
	u64 total = sum->last_ns - sum->start_ns;

	*cap_khz = min(view->cap_khz, view->reference_khz);
	*pressure = 0;
	if (!total)
		return;
	*cap_khz = mul_u64_u64_div_u64(sum->cap_khz_ms, NSEC_PER_MSEC, total);
	*pressure = mul_u64_u64_div_u64(sum->lost_ns, PWRCTL_SCALE, total);
}

/**
 * pwrctl_domain_new() - a domain for a policy, on no list yet
 * @policy: the policy; its rwsem is held
 *
 * Context: Process context; pwrctl_attach_mutex held.
 * Return: the domain, or NULL without memory or with a name that is no policy's
 */
struct pwrctl_domain *pwrctl_domain_new(struct cpufreq_policy *policy)
{
	const char *name = kobject_name(&policy->kobj);
	struct pwrctl_domain *domain;
	u64 now = pwrctl_now();

	domain = kzalloc(sizeof(*domain) + cpumask_size(), GFP_KERNEL);
	if (!domain)
		return NULL;
	if (strscpy(domain->name, name, sizeof(domain->name)) < 0 ||
	    sscanf(name, "policy%u", &domain->id) != 1 || domain->id >= nr_cpu_ids) {
		kfree(domain);
		return NULL;
	}

	domain->cpus = to_cpumask(domain->cpu_bits);
	cpumask_copy(domain->cpus, policy->related_cpus);
	seqcount_latch_init(&domain->latch);
	raw_spin_lock_init(&domain->lock);
	domain->policy = policy;
	domain->cooling_khz = PWRCTL_NO_CAP;
	domain->inject_khz = PWRCTL_NO_CAP;
	domain->cap_khz = PWRCTL_NO_CAP;
	domain->confirms = U8_MAX;
	domain->since = now;
	domain->changed = now;
	domain->set_ns = now;
	domain->exposure.start_ns = now;
	domain->exposure.last_ns = now;
	domain->count = pwrctl_settings_get(NULL, PWRCTL_A_SET_COUNT);
	domain->reference_set = pwrctl_settings_get(domain, PWRCTL_A_SET_REFERENCE_KHZ);
	raw_spin_lock_irq(&domain->lock);
	domain->reference_khz = read_reference(domain, &domain->origin);
	raw_spin_unlock_irq(&domain->lock);
	pwrctl_settings_params(domain, &domain->params);
	pwrctl_filter_init(&domain->state[0].filter, &domain->params, now);
	domain->state[0].until = U64_MAX;
	domain->state[1] = domain->state[0];
	pwrctl_hint_init(domain);
	pwrctl_door_init(domain);
	return domain;
}

static void domain_free_rcu(struct rcu_head *rcu)
{
	struct pwrctl_domain *domain = container_of(rcu, struct pwrctl_domain, rcu);

	kfree(domain);
}

/**
 * pwrctl_domain_end() - a domain that no source calls any more, and that is on no list
 * @domain: the domain; freed when its readers are done
 *
 * Context: Process context.
 */
void pwrctl_domain_end(struct pwrctl_domain *domain)
{
	raw_spin_lock_irq(&domain->lock);
	domain->policy = NULL;
	domain->dead = true;
	raw_spin_unlock_irq(&domain->lock);
	hrtimer_cancel(&domain->timer);
	call_rcu(&domain->rcu, domain_free_rcu);
}
