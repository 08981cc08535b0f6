// SPDX-License-Identifier: GPL-2.0-only
/* Outlet: other kernel modules, by exported symbols and a notifier. */
#include <linux/atomic.h>
#include <linux/btf.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/rcupdate.h>
#include <linux/topology.h>
#include <linux/sched/topology.h>

#include "include/pwrctl_hint.h"
#include "compat.h"
#include "pwrctl.h"

static ATOMIC_NOTIFIER_HEAD(chain);
static atomic_t consumers;

/**
 * pwrctl_cpu_pressure() - capacity that a CPU lacks, averaged
 * @cpu: the CPU
 *
 * Exact at the moment of the call, whatever was pushed last.
 *
 * Context: Any, NMI included.
 * Return: 0 to arch_scale_cpu_capacity(); 0 for a CPU without a domain or that cannot exist
 */
pwrctl_kfunc unsigned long pwrctl_cpu_pressure(int cpu)
{
	struct pwrctl_domain *domain;
	unsigned long pressure = 0;

	if (cpu < 0 || cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return 0;
	/* a region without preemption is an RCU reader, wherever we are called */
	preempt_disable_notrace();
	domain = pwrctl_domain_of_cpu(cpu);
	if (domain)
		pressure = pwrctl_hint_scale(pwrctl_domain_average(domain, pwrctl_now()), cpu);
	preempt_enable_notrace();
	return pressure;
}
EXPORT_SYMBOL_GPL(pwrctl_cpu_pressure);

/**
 * pwrctl_cpu_capacity() - capacity that a CPU has left, averaged
 * @cpu: the CPU
 *
 * Context: Any, NMI included.
 * Return: arch_scale_cpu_capacity() minus pwrctl_cpu_pressure(); 0 for a CPU that cannot exist
 */
pwrctl_kfunc unsigned long pwrctl_cpu_capacity(int cpu)
{
	if (cpu < 0 || cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return 0;
	return arch_scale_cpu_capacity(cpu) - pwrctl_cpu_pressure(cpu);
}
EXPORT_SYMBOL_GPL(pwrctl_cpu_capacity);

/**
 * pwrctl_hint_register_notifier() - be told hints
 * @nb: called with PWRCTL_HINT_MOVED and a struct pwrctl_hint, from any context but NMI
 *
 * Context: Process context; not from a notifier call.
 * Return: 0 or -EEXIST
 */
int pwrctl_hint_register_notifier(struct notifier_block *nb)
{
	int ret = atomic_notifier_chain_register(&chain, nb);

	if (ret)
		return ret;
	atomic_inc(&consumers);
	pwrctl_hint_rearm_all();
	return 0;
}
EXPORT_SYMBOL_GPL(pwrctl_hint_register_notifier);

/**
 * pwrctl_hint_unregister_notifier() - be told no more
 * @nb: is not called any more when this returns
 *
 * Context: Process context; not from a notifier call.
 * Return: 0 or -ENOENT
 */
int pwrctl_hint_unregister_notifier(struct notifier_block *nb)
{
	int ret = atomic_notifier_chain_unregister(&chain, nb);

	if (!ret)
		atomic_dec(&consumers);
	return ret;
}
EXPORT_SYMBOL_GPL(pwrctl_hint_unregister_notifier);

/**
 * pwrctl_outlet_symbols_count() - consumers at the moment
 *
 * Context: Any.
 * Return: how many notifiers are registered
 */
unsigned int pwrctl_outlet_symbols_count(void)
{
	return atomic_read(&consumers);
}

static bool symbols_wanted(void)
{
	return atomic_read(&consumers);
}

static void symbols_push(const struct pwrctl_view *view)
{
	struct pwrctl_hint hint = {
		.domain = view->domain->name,
		.cpu = cpumask_first(view->domain->cpus),
		.clock_ns = view->clock_ns,
		.pressure = pwrctl_filter_to_1024(view->pressure),
		.average = pwrctl_filter_to_1024(view->average),
	};

	atomic_notifier_call_chain(&chain, PWRCTL_HINT_MOVED, &hint);
}

const struct pwrctl_outlet pwrctl_outlet_symbols = {
	.name = "symbols",
	.wanted = symbols_wanted,
	.push = symbols_push,
};
