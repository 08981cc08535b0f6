// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of domains: how they come and go, how they are found, and the poll that looks at what
 * nobody announces.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/suspend.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "pwrctl.h"

/* Cooling devices store their new state after the QoS callback: look a little later. */
#define POLL_SOON_MS	1
/* Changes behind a lower limit are announced by nobody: look after an event and while capped. */
#define POLL_CAPPED_MS	1000

/* The list of domains, settings and injecting. */
DEFINE_MUTEX(pwrctl_attach_mutex);
/* All domains, in the order in which they came. */
LIST_HEAD(pwrctl_domains);

static DEFINE_PER_CPU(struct pwrctl_domain __rcu *, domain_of_cpu);

/* All of these: pwrctl_attach_mutex. */
static unsigned int generation = 1;
static u64 attach_errors;
static struct pwrctl_tally departed;
static bool stopping;

static void poll_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(poll, poll_work);
/* The poll is due in a millisecond: further events must not put it off. */
static atomic_t poll_is_soon;

/**
 * pwrctl_domain_find() - a domain by name
 * @name: "policy0"
 *
 * Context: pwrctl_attach_mutex held.
 * Return: the domain or NULL
 */
struct pwrctl_domain *pwrctl_domain_find(const char *name)
{
	struct pwrctl_domain *domain;

	lockdep_assert_held(&pwrctl_attach_mutex);

	list_for_each_entry(domain, &pwrctl_domains, list)
		if (!strcmp(domain->name, name))
			return domain;
	return NULL;
}

/**
 * pwrctl_domain_of_policy() - a policy's domain
 * @policy: the policy
 *
 * Context: pwrctl_attach_mutex held.
 * Return: the domain or NULL
 */
struct pwrctl_domain *pwrctl_domain_of_policy(const struct cpufreq_policy *policy)
{
	struct pwrctl_domain *domain;

	lockdep_assert_held(&pwrctl_attach_mutex);

	list_for_each_entry(domain, &pwrctl_domains, list)
		if (domain->policy == policy)
			return domain;
	return NULL;
}

/**
 * pwrctl_domain_of_cpu() - a CPU's domain
 * @cpu: below nr_cpu_ids
 *
 * Context: Any; preemption off, an RCU reader or pwrctl_attach_mutex held.
 * Return: the domain or NULL
 */
struct pwrctl_domain *pwrctl_domain_of_cpu(unsigned int cpu)
{
	return rcu_dereference_raw(per_cpu(domain_of_cpu, cpu));
}

/**
 * pwrctl_domain_generation() - changes whenever a domain comes or goes
 *
 * Context: pwrctl_attach_mutex held.
 * Return: a number other than 0
 */
unsigned int pwrctl_domain_generation(void)
{
	lockdep_assert_held(&pwrctl_attach_mutex);
	return generation;
}

/**
 * pwrctl_domain_causes() - what this kernel lets us tell apart
 *
 * Context: Any.
 * Return: a set of BIT(enum pwrctl_cause)
 */
u32 pwrctl_domain_causes(void)
{
	const struct pwrctl_source *const *source;
	u32 causes = 0;

	for (source = pwrctl_sources; *source; source++)
		causes |= (*source)->causes();
	return causes;
}

/**
 * pwrctl_domain_attach_errors() - policies that could not be watched
 *
 * Context: pwrctl_attach_mutex held.
 * Return: how many times
 */
u64 pwrctl_domain_attach_errors(void)
{
	lockdep_assert_held(&pwrctl_attach_mutex);
	return attach_errors;
}

/**
 * pwrctl_domain_tally() - all counters together
 * @sum: filled in; domains that left are part of it
 *
 * Context: pwrctl_attach_mutex held.
 */
void pwrctl_domain_tally(struct pwrctl_tally *sum)
{
	struct pwrctl_domain *domain;

	lockdep_assert_held(&pwrctl_attach_mutex);

	*sum = departed;
	list_for_each_entry(domain, &pwrctl_domains, list) {
		raw_spin_lock_irq(&domain->lock);
		sum->events += domain->tally.events;
		sum->pushes += domain->tally.pushes;
		sum->timer_fires += domain->tally.timer_fires;
		raw_spin_unlock_irq(&domain->lock);
	}
}

static void attach_sources_undo(struct pwrctl_domain *domain, struct cpufreq_policy *policy,
				const struct pwrctl_source *const *source)
{
	while (source-- != pwrctl_sources)
		if ((*source)->detach)
			(*source)->detach(domain, policy);
}

static int attach_sources(struct pwrctl_domain *domain, struct cpufreq_policy *policy)
{
	const struct pwrctl_source *const *source;
	int ret;

	for (source = pwrctl_sources; *source; source++) {
		if (!(*source)->attach)
			continue;
		ret = (*source)->attach(domain, policy);
		if (ret) {
			attach_sources_undo(domain, policy, source);
			return ret;
		}
	}
	return 0;
}

static void detach_sources(struct pwrctl_domain *domain, struct cpufreq_policy *policy)
{
	const struct pwrctl_source *const *end = pwrctl_sources;

	while (*end)
		end++;
	attach_sources_undo(domain, policy, end);
}

static unsigned int next_generation(unsigned int now)
{
	return now + 1 ?: 1;
}

static void domain_show(struct pwrctl_domain *domain)
{
	unsigned int cpu;

	list_add_tail(&domain->list, &pwrctl_domains);
	for_each_cpu(cpu, domain->cpus)
		rcu_assign_pointer(per_cpu(domain_of_cpu, cpu), domain);
	generation = next_generation(generation);
	pwrctl_hint_tell_domain(domain, true);
	pwrctl_debugfs_domains_changed();
}

static void domain_hide(struct pwrctl_domain *domain)
{
	unsigned int cpu;

	list_del(&domain->list);
	for_each_cpu(cpu, domain->cpus)
		RCU_INIT_POINTER(per_cpu(domain_of_cpu, cpu), NULL);
	generation = next_generation(generation);
	pwrctl_hint_tell_domain(domain, false);
	pwrctl_debugfs_domains_changed();
}

static int attach(struct cpufreq_policy *policy, int sighted)
{
	struct pwrctl_domain *domain;
	int ret;

	if (stopping || pwrctl_domain_of_policy(policy))
		return 0;
	/*
	 * cpufreq takes a policy off its CPUs before it announces the end, and the announcement
	 * waits for pwrctl_attach_mutex: what is still on its CPU will be announced after this.
	 */
	if (sighted >= 0 && cpufreq_cpu_get_raw(sighted) != policy)
		return 0;

	domain = pwrctl_domain_new(policy);
	if (!domain)
		return -ENOMEM;
	ret = attach_sources(domain, policy);
	if (ret) {
		pwrctl_domain_end(domain);
		return ret;
	}
	pwrctl_domain_refresh(domain);
	domain_show(domain);
	pwrctl_domain_poll_soon();
	return 0;
}

/**
 * pwrctl_domain_attach() - begin to watch a policy; a second sighting is harmless
 * @policy: the policy
 * @sighted: the CPU on which it was found, or -1 when cpufreq announced it
 *
 * Context: Process context; policy->rwsem held.
 * Return: 0 or -errno
 */
int pwrctl_domain_attach(struct cpufreq_policy *policy, int sighted)
{
	int ret;

	mutex_lock(&pwrctl_attach_mutex);
	ret = attach(policy, sighted);
	if (ret) {
		attach_errors++;
		pr_warn("%s cannot be watched: error %d\n", kobject_name(&policy->kobj), ret);
	}
	mutex_unlock(&pwrctl_attach_mutex);
	return ret;
}

static void detach(struct pwrctl_domain *domain)
{
	struct cpufreq_policy *policy = domain->policy;

	lockdep_assert_held(&pwrctl_attach_mutex);

	domain_hide(domain);
	detach_sources(domain, policy);

	departed.events += domain->tally.events;
	departed.pushes += domain->tally.pushes;
	departed.timer_fires += domain->tally.timer_fires;
	pwrctl_domain_end(domain);
}

/**
 * pwrctl_domain_detach() - stop watching a policy, if we do
 * @policy: the policy, which may be freed afterwards
 *
 * Context: Process context; policy->rwsem held or not.
 */
void pwrctl_domain_detach(struct cpufreq_policy *policy)
{
	struct pwrctl_domain *domain;

	mutex_lock(&pwrctl_attach_mutex);
	domain = pwrctl_domain_of_policy(policy);
	if (domain)
		detach(domain);
	mutex_unlock(&pwrctl_attach_mutex);
}

/**
 * pwrctl_domain_detach_all() - stop watching; nothing is attached any more from now on
 *
 * Context: Process context.
 */
void pwrctl_domain_detach_all(void)
{
	struct pwrctl_domain *domain, *next;

	mutex_lock(&pwrctl_attach_mutex);
	stopping = true;
	list_for_each_entry_safe(domain, next, &pwrctl_domains, list)
		detach(domain);
	mutex_unlock(&pwrctl_attach_mutex);
}

static bool needs_poll(const struct pwrctl_domain *domain)
{
	return READ_ONCE(domain->caps.aggregate_khz) < READ_ONCE(domain->reference_khz);
}

static void poll_work(struct work_struct *work)
{
	const struct pwrctl_source *const *source;
	struct pwrctl_domain *domain;
	bool again = false;

	atomic_set(&poll_is_soon, 0);
	for (source = pwrctl_sources; *source; source++)
		if ((*source)->poll)
			(*source)->poll();

	mutex_lock(&pwrctl_attach_mutex);
	list_for_each_entry(domain, &pwrctl_domains, list) {
		pwrctl_domain_refresh(domain);
		again |= needs_poll(domain);
	}
	if (again && !stopping)
		queue_delayed_work(system_power_efficient_wq, &poll,
				   msecs_to_jiffies(POLL_CAPPED_MS));
	mutex_unlock(&pwrctl_attach_mutex);
}

/**
 * pwrctl_domain_poll_soon() - look at what nobody announces, in about a millisecond
 *
 * Context: Any but NMI.
 */
void pwrctl_domain_poll_soon(void)
{
	if (!READ_ONCE(stopping) && !atomic_xchg(&poll_is_soon, 1))
		mod_delayed_work(system_power_efficient_wq, &poll,
				 msecs_to_jiffies(POLL_SOON_MS));
}

/**
 * pwrctl_domain_poll_later() - look at it in about a second, if that is not due earlier
 *
 * Context: Any but NMI.
 */
void pwrctl_domain_poll_later(void)
{
	if (!READ_ONCE(stopping))
		queue_delayed_work(system_power_efficient_wq, &poll,
				   msecs_to_jiffies(POLL_CAPPED_MS));
}

/**
 * pwrctl_domain_poll_flush() - look at it now, and wait until that is done
 *
 * Context: Process context; no lock that the poll takes.
 */
void pwrctl_domain_poll_flush(void)
{
	mod_delayed_work(system_power_efficient_wq, &poll, 0);
	flush_delayed_work(&poll);
}

static int suspend_event(struct notifier_block *nb, unsigned long action, void *data)
{
	if (action == PM_POST_SUSPEND || action == PM_POST_HIBERNATION ||
	    action == PM_POST_RESTORE)
		pwrctl_domain_poll_flush();
	return NOTIFY_DONE;
}

static struct notifier_block suspend_nb = {
	.notifier_call = suspend_event,
};

/**
 * pwrctl_domain_start() - get ready to attach
 *
 * Context: Process context.
 * Return: 0 or -errno
 */
int pwrctl_domain_start(void)
{
	return register_pm_notifier(&suspend_nb);
}

/**
 * pwrctl_domain_stop() - undo pwrctl_domain_start(), all domains being detached
 *
 * Context: Process context; nobody listens for events any more.
 */
void pwrctl_domain_stop(void)
{
	unregister_pm_notifier(&suspend_nb);
	cancel_delayed_work_sync(&poll);
	/* the domains' memory is freed by a function of this module */
	rcu_barrier();
}
