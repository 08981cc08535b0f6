// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hints: when to tell the outlets, and telling them.
 *
 * Whoever reads gets the exact value at any time; only outlets that are told need pushing, and
 * only while they have a consumer. A push is due at every event, when the average has moved by
 * quantum since the last one, and once more when it has settled. The time of the next one is
 * known in advance: one timer for each domain waits for it, and none when all is still.
 */
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/sched/topology.h>
#include <linux/topology.h>

#include "compat.h"
#include "pwrctl.h"

/* At most one push by timer a millisecond. */
#define PUSH_GAP_NS	NSEC_PER_MSEC

/*
 * After somebody else wrote where an outlet writes: look at it after 1 ms, when his write, which
 * is traced before it is stored, is over; and again, should he have been held up in between.
 */
static const u32 confirm_ms[] = { 1, 10, 100 };

static u64 quantum(void)
{
	return pwrctl_filter_fraction(pwrctl_settings_quantum(), PWRCTL_SCALE);
}

/**
 * pwrctl_hint_wanted() - has any outlet a consumer?
 *
 * Context: Any.
 * Return: true if so
 */
bool pwrctl_hint_wanted(void)
{
	const struct pwrctl_outlet *const *outlet;

	for (outlet = pwrctl_outlets; *outlet; outlet++)
		if ((*outlet)->wanted())
			return true;
	return false;
}

/**
 * pwrctl_hint_scale() - a domain's fraction as capacity of a CPU
 * @fraction: in parts of PWRCTL_FILTER_ONE
 * @cpu: the CPU, below nr_cpu_ids
 *
 * Context: Any, NMI included.
 * Return: the nearest part of arch_scale_cpu_capacity(), 0 to 1024
 */
u32 pwrctl_hint_scale(u64 fraction, unsigned int cpu)
{
	u64 capacity = arch_scale_cpu_capacity(cpu);

	/* 2^62 * 1024 does not fit: 2^52 is plenty for an answer of 10 bits */
	return ((fraction >> 10) * capacity + BIT_ULL(PWRCTL_FILTER_SHIFT - 11)) >>
	       (PWRCTL_FILTER_SHIFT - 10);
}

/* Is there somebody who hears that an effective cap changed? */
static bool cap_wanted(void)
{
	const struct pwrctl_outlet *const *outlet;

	for (outlet = pwrctl_outlets; *outlet; outlet++)
		if ((*outlet)->cap && (*outlet)->cap_wanted())
			return true;
	return false;
}

static u64 distance(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

static bool is_due(const struct pwrctl_domain *domain, u64 average, u64 now)
{
	const struct pwrctl_filter *filter = &domain->state[0].filter;
	bool settled = pwrctl_filter_settled(filter, now);

	if (domain->event)
		return true;
	/* what a push would tell: once told it is not told again while the rest is still coming */
	if (settled)
		average = pwrctl_filter_target(filter);
	if (average == domain->told || now < domain->told_ns + PUSH_GAP_NS)
		return false;
	return settled || distance(average, domain->told) >= quantum();
}

/* When to look after another writer the next time */
static u64 next_confirm(const struct pwrctl_domain *domain)
{
	if (domain->confirms >= ARRAY_SIZE(confirm_ms))
		return PWRCTL_FILTER_NEVER;
	return domain->foreign_ns + (u64)confirm_ms[domain->confirms] * NSEC_PER_MSEC;
}

/* Start the timer for the next push or the end of an injected cap, or stop it. */
static void arm(struct pwrctl_domain *domain, bool wanted)
{
	const struct pwrctl_state *state = &domain->state[0];
	u64 next = PWRCTL_FILTER_NEVER;

	lockdep_assert_held(&domain->lock);

	if (domain->dead)
		return;
	if (wanted) {
		next = pwrctl_filter_next(&state->filter, pwrctl_now(), domain->told, quantum());
		if (next != PWRCTL_FILTER_NEVER)
			next = max(next, domain->told_ns + PUSH_GAP_NS);
	}
	next = min3(next, state->until, next_confirm(domain));
	if (next >= KTIME_MAX) {
		if (domain->armed && hrtimer_try_to_cancel(&domain->timer) >= 0)
			domain->armed = false;
		return;
	}
	domain->armed = true;
	hrtimer_start(&domain->timer, ns_to_ktime(next), HRTIMER_MODE_ABS_SOFT);
}

/* What may be due: that the effective cap changed, a hint, and to look after another writer. */
enum { DUE_CAP = 1, DUE_PUSH = 2, DUE_CONFIRM = 4 };

static void tell(const struct pwrctl_view *view, unsigned int due)
{
	const struct pwrctl_outlet *const *outlet;

	for (outlet = pwrctl_outlets; *outlet; outlet++) {
		bool push = due & DUE_PUSH || (due & DUE_CONFIRM && (*outlet)->confirm);

		if (due & DUE_CAP && (*outlet)->cap && (*outlet)->cap_wanted())
			(*outlet)->cap(view);
		if (push && (*outlet)->wanted())
			(*outlet)->push(view);
	}
}

/* What is due, and that it will have been told: bits of tell(). */
static unsigned int take_due(struct pwrctl_domain *domain, struct pwrctl_view *view, bool wanted)
{
	const struct pwrctl_filter *filter = &domain->state[0].filter;
	unsigned int due = 0;

	lockdep_assert_held(&domain->lock);

	pwrctl_domain_view_locked(domain, view);
	if (domain->cap_event)
		due |= DUE_CAP;
	if (view->clock_ns >= next_confirm(domain)) {
		domain->confirms++;
		due |= DUE_CONFIRM;
	}
	if (wanted && is_due(domain, view->average, view->clock_ns)) {
		if (pwrctl_filter_settled(filter, view->clock_ns))
			view->average = pwrctl_filter_target(filter);
		domain->told = view->average;
		domain->told_ns = view->clock_ns;
		view->tally.pushes = ++domain->tally.pushes;
		due |= DUE_PUSH;
	}
	return due;
}

/**
 * pwrctl_hint_publish() - tell the outlets what is due and see to it that the rest follows
 * @domain: the domain, kept alive by the caller
 *
 * The outlets are called without a lock, yet one after the other: who comes while somebody else
 * is telling leaves it to him.
 *
 * Context: Any but NMI and hard interrupts; no lock that an outlet takes.
 */
void pwrctl_hint_publish(struct pwrctl_domain *domain)
{
	struct pwrctl_view view;
	unsigned long flags;
	unsigned int due;
	bool wanted;

	raw_spin_lock_irqsave(&domain->lock, flags);
	if (domain->publishing) {
		domain->publish_again = true;
		raw_spin_unlock_irqrestore(&domain->lock, flags);
		return;
	}
	domain->publishing = true;
	do {
		domain->publish_again = false;
		wanted = pwrctl_hint_wanted();
		due = 0;
		/* nobody to tell, nothing to look after: no view is needed */
		if (wanted || cap_wanted() || domain->inject_khz != PWRCTL_NO_CAP ||
		    next_confirm(domain) != PWRCTL_FILTER_NEVER)
			due = take_due(domain, &view, wanted);
		domain->cap_event = false;
		domain->event = false;
		if (!due)
			continue;
		raw_spin_unlock_irqrestore(&domain->lock, flags);
		tell(&view, due);
		raw_spin_lock_irqsave(&domain->lock, flags);
	} while (domain->publish_again);
	domain->publishing = false;
	arm(domain, wanted);
	raw_spin_unlock_irqrestore(&domain->lock, flags);
}

static enum hrtimer_restart timer_fired(struct hrtimer *timer)
{
	struct pwrctl_domain *domain = container_of(timer, struct pwrctl_domain, timer);
	unsigned long flags;
	bool confirm;

	raw_spin_lock_irqsave(&domain->lock, flags);
	domain->tally.timer_fires++;
	domain->armed = false;
	confirm = pwrctl_now() >= next_confirm(domain);
	raw_spin_unlock_irqrestore(&domain->lock, flags);
	if (confirm)
		pwrctl_domain_refresh(domain);
	else
		pwrctl_hint_publish(domain);
	return HRTIMER_NORESTART;
}

/**
 * pwrctl_hint_init() - prepare a domain's timer
 * @domain: the domain
 *
 * The timer is not pinned: a CPU that is kept free of housekeeping lets another one have it.
 *
 * Context: Any.
 */
void pwrctl_hint_init(struct pwrctl_domain *domain)
{
	pwrctl_hrtimer_setup(&domain->timer, timer_fired, CLOCK_BOOTTIME, HRTIMER_MODE_ABS_SOFT);
}

/**
 * pwrctl_hint_rearm_all() - a consumer may have come
 *
 * Context: Process context; takes pwrctl_attach_mutex.
 */
void pwrctl_hint_rearm_all(void)
{
	struct pwrctl_domain *domain;

	if (!pwrctl_hint_wanted())
		return;
	mutex_lock(&pwrctl_attach_mutex);
	list_for_each_entry(domain, &pwrctl_domains, list)
		pwrctl_hint_publish(domain);
	mutex_unlock(&pwrctl_attach_mutex);
}

/**
 * pwrctl_hint_confirm() - somebody else wrote where an outlet writes
 * @cpu: for the domain of this CPU; below nr_cpu_ids
 *
 * Only notes it and starts the timer. A wait that has not ended is not prolonged.
 *
 * Context: Any but NMI, hard interrupts included.
 */
void pwrctl_hint_confirm(unsigned int cpu)
{
	struct pwrctl_domain *domain;
	unsigned long flags;

	/* a region without preemption is an RCU reader, wherever we are called */
	preempt_disable_notrace();
	domain = pwrctl_domain_of_cpu(cpu);
	if (domain) {
		raw_spin_lock_irqsave(&domain->lock, flags);
		if (domain->confirms) {
			domain->confirms = 0;
			domain->foreign_ns = pwrctl_now();
			arm(domain, pwrctl_hint_wanted());
		}
		raw_spin_unlock_irqrestore(&domain->lock, flags);
	}
	preempt_enable_notrace();
}

/**
 * pwrctl_hint_tell_settings() - tell the outlets that settings changed
 * @domain: of this domain, or NULL for the global ones
 *
 * Context: Process context; pwrctl_attach_mutex held.
 */
void pwrctl_hint_tell_settings(const struct pwrctl_domain *domain)
{
	const struct pwrctl_outlet *const *outlet;

	for (outlet = pwrctl_outlets; *outlet; outlet++)
		if ((*outlet)->settings)
			(*outlet)->settings(domain);
}

/**
 * pwrctl_hint_tell_domain() - tell the outlets that a domain came or leaves
 * @domain: the domain
 * @came: it came
 *
 * Context: Process context; pwrctl_attach_mutex held.
 */
void pwrctl_hint_tell_domain(const struct pwrctl_domain *domain, bool came)
{
	const struct pwrctl_outlet *const *outlet;

	for (outlet = pwrctl_outlets; *outlet; outlet++)
		if ((*outlet)->domain)
			(*outlet)->domain(domain, came);
}
