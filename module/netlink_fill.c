// SPDX-License-Identifier: GPL-2.0-only
/*
 * Objects as netlink attributes. uapi/linux/pwrctl.h has the grammar; a value that does not exist
 * is an attribute that is absent, never a 0.
 */
#include <linux/cpufreq.h>
#include <linux/kernel.h>
#include <linux/sched/topology.h>
#include <linux/topology.h>
#include <net/netlink.h>

#include "netlink_fill.h"
#include "pwrctl.h"
#include "version.h"

/**
 * pwrctl_netlink_fill_settings() - the settings that hold, as PWRCTL_A_SETTINGS
 * @skb: the message
 * @domain: of this domain, or NULL for the global ones
 *
 * Context: pwrctl_attach_mutex held.
 * Return: 0, or -EMSGSIZE when the message is full
 */
int pwrctl_netlink_fill_settings(struct sk_buff *skb, const struct pwrctl_domain *domain)
{
	u32 scope = domain ? PWRCTL_SCOPE_DOMAIN : PWRCTL_SCOPE_GLOBAL;
	struct nlattr *nest;
	unsigned int key;

	nest = nla_nest_start(skb, PWRCTL_A_SETTINGS);
	if (!nest)
		return -EMSGSIZE;
	for (key = 1; key < PWRCTL_SETTINGS_END; key++)
		if (pwrctl_settings_table[key].scope & scope &&
		    nla_put_u32(skb, key, pwrctl_settings_get(domain, key)))
			return -EMSGSIZE;
	if (nla_put_u32(skb, PWRCTL_A_SET_OWN, pwrctl_settings_own(domain)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_dom_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, PWRCTL_A_DOM_PAD);
}

static int put_cpu_list(struct sk_buff *skb, const struct cpumask *cpus)
{
	int length = snprintf(NULL, 0, "%*pbl", cpumask_pr_args(cpus));
	struct nlattr *attr = nla_reserve(skb, PWRCTL_A_DOM_CPUS, length + 1);

	if (!attr)
		return -EMSGSIZE;
	snprintf(nla_data(attr), length + 1, "%*pbl", cpumask_pr_args(cpus));
	return 0;
}

static int put_cap(struct sk_buff *skb, const struct pwrctl_view *view, unsigned int cause)
{
	u32 khz = view->caps.khz[cause];
	struct nlattr *nest;

	nest = nla_nest_start(skb, PWRCTL_A_CAPS_CAP);
	if (!nest || nla_put_u32(skb, PWRCTL_A_CAP_CAUSE, cause))
		return -EMSGSIZE;
	if (khz != PWRCTL_NO_CAP && nla_put_u32(skb, PWRCTL_A_CAP_KHZ, khz))
		return -EMSGSIZE;
	if (khz != PWRCTL_NO_CAP && cause == PWRCTL_CAUSE_INJECTED &&
	    nla_put_u64_64bit(skb, PWRCTL_A_CAP_UNTIL_NS, view->inject_until_ns,
			      PWRCTL_A_CAP_PAD))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_caps(struct sk_buff *skb, const struct pwrctl_view *view)
{
	u32 known = pwrctl_domain_causes();
	struct nlattr *nest;
	unsigned int cause;

	nest = nla_nest_start(skb, PWRCTL_A_DOM_CAPS);
	if (!nest)
		return -EMSGSIZE;
	for (cause = PWRCTL_CAUSE_NONE + 1; cause < __PWRCTL_CAUSE_END; cause++)
		if (known & BIT(cause) && put_cap(skb, view, cause))
			return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* The driver stays while it has a policy, and the policy while the domain is there. */
static int put_identity(struct sk_buff *skb, const struct pwrctl_domain *domain)
{
	const char *driver = cpufreq_get_current_driver();

	if (nla_put_string(skb, PWRCTL_A_DOM_NAME, domain->name) ||
	    put_cpu_list(skb, domain->cpus) ||
	    (driver && nla_put_string(skb, PWRCTL_A_DOM_DRIVER, driver)))
		return -EMSGSIZE;
	return 0;
}

static int put_pressure(struct sk_buff *skb, const struct pwrctl_view *view)
{
	if (put_dom_u64(skb, PWRCTL_A_DOM_CLOCK_NS, view->clock_ns) ||
	    nla_put_u32(skb, PWRCTL_A_DOM_REFERENCE_KHZ, view->reference_khz) ||
	    nla_put_u32(skb, PWRCTL_A_DOM_REFERENCE_ORIGIN, view->origin) ||
	    (view->cap_khz != PWRCTL_NO_CAP &&
	     nla_put_u32(skb, PWRCTL_A_DOM_CAP_KHZ, view->cap_khz)) ||
	    nla_put_u32(skb, PWRCTL_A_DOM_CAUSE, view->cause) ||
	    put_dom_u64(skb, PWRCTL_A_DOM_SINCE_NS, view->since_ns) ||
	    nla_put_u32(skb, PWRCTL_A_DOM_PRESSURE, pwrctl_filter_to_1024(view->pressure)) ||
	    nla_put_u32(skb, PWRCTL_A_DOM_AVERAGE, pwrctl_filter_to_1024(view->average)) ||
	    put_dom_u64(skb, PWRCTL_A_DOM_CHANGED_NS, view->changed_ns) ||
	    put_dom_u64(skb, PWRCTL_A_DOM_PRESSURE_FINE, view->pressure) ||
	    put_dom_u64(skb, PWRCTL_A_DOM_AVERAGE_FINE, view->average))
		return -EMSGSIZE;
	return 0;
}

static int put_history(struct sk_buff *skb, const struct pwrctl_view *view)
{
	const struct pwrctl_exposure *sum = &view->exposure;
	u32 cap_khz, pressure;

	pwrctl_domain_means(view, &cap_khz, &pressure);
	if (put_dom_u64(skb, PWRCTL_A_DOM_EVENTS, view->tally.events) ||
	    put_dom_u64(skb, PWRCTL_A_DOM_PUSHES, view->tally.pushes) ||
	    put_dom_u64(skb, PWRCTL_A_DOM_TIMER_FIRES, view->tally.timer_fires) ||
	    put_dom_u64(skb, PWRCTL_A_DOM_TOTAL_NS, sum->last_ns - sum->start_ns) ||
	    put_dom_u64(skb, PWRCTL_A_DOM_CAPPED_NS, sum->capped_ns) ||
	    nla_put_u32(skb, PWRCTL_A_DOM_MEAN_CAP_KHZ, cap_khz) ||
	    nla_put_u32(skb, PWRCTL_A_DOM_MEAN_PRESSURE, pressure) ||
	    put_dom_u64(skb, PWRCTL_A_DOM_LOST_NS, sum->lost_ns))
		return -EMSGSIZE;
	return 0;
}

static int put_pelt_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, PWRCTL_A_PELT_PAD);
}

/* What another filter needs to go on as this one does: pelt's periods begin when it likes. */
static int put_filter(struct sk_buff *skb, const struct pwrctl_view *view)
{
	const struct pwrctl_filter *filter = &view->filter;
	struct nlattr *nest;

	if (put_dom_u64(skb, PWRCTL_A_DOM_SET_NS, view->set_ns))
		return -EMSGSIZE;
	if (filter->mode != PWRCTL_FILTER_PELT)
		return 0;
	nest = nla_nest_start(skb, PWRCTL_A_DOM_PELT);
	if (!nest || put_pelt_u64(skb, PWRCTL_A_PELT_STAMP, filter->stamp) ||
	    put_pelt_u64(skb, PWRCTL_A_PELT_SUM, filter->load_sum) ||
	    nla_put_u32(skb, PWRCTL_A_PELT_AVG, filter->load_avg) ||
	    nla_put_u32(skb, PWRCTL_A_PELT_CONTRIB, filter->period_contrib))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_door_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, PWRCTL_A_DOOR_PAD);
}

static int put_door(struct sk_buff *skb, const struct pwrctl_view *view)
{
	struct pwrctl_door_view door;
	struct nlattr *nest;

	if (!pwrctl_door_present())
		return 0;
	pwrctl_door_view(view, &door);
	nest = nla_nest_start(skb, PWRCTL_A_DOM_DOOR);
	if (!nest || nla_put_u32(skb, PWRCTL_A_DOOR_STATE, door.state) ||
	    nla_put_u32(skb, PWRCTL_A_DOOR_FLAGS, door.flags) ||
	    put_door_u64(skb, PWRCTL_A_DOOR_PUSHES, door.pushes) ||
	    put_door_u64(skb, PWRCTL_A_DOOR_FOREIGN_WRITES, door.foreign.writes))
		return -EMSGSIZE;
	if (door.pushed_ns && (nla_put_u32(skb, PWRCTL_A_DOOR_PUSHED, door.pushed) ||
			       put_door_u64(skb, PWRCTL_A_DOOR_PUSHED_NS, door.pushed_ns)))
		return -EMSGSIZE;
	if (door.foreign.when_ns &&
	    (nla_put_u32(skb, PWRCTL_A_DOOR_FOREIGN, door.foreign.pressure) ||
	     put_door_u64(skb, PWRCTL_A_DOOR_FOREIGN_NS, door.foreign.when_ns)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * pwrctl_netlink_fill_domain() - a domain as PWRCTL_A_DOMAIN
 * @skb: the message
 * @view: the domain as it was at one moment
 *
 * Context: Any but NMI, the domain being kept alive by the caller.
 * Return: 0, or -EMSGSIZE when the message is full
 */
int pwrctl_netlink_fill_domain(struct sk_buff *skb, const struct pwrctl_view *view)
{
	struct nlattr *nest;

	nest = nla_nest_start(skb, PWRCTL_A_DOMAIN);
	if (!nest || put_identity(skb, view->domain) || put_pressure(skb, view) ||
	    put_caps(skb, view) || put_history(skb, view) || put_door(skb, view) ||
	    put_filter(skb, view))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * pwrctl_netlink_fill_cpu() - a CPU as PWRCTL_A_CPU
 * @skb: the message
 * @view: its domain as it was at one moment
 * @cpu: the CPU
 *
 * Context: Any but NMI, the domain being kept alive by the caller.
 * Return: 0, or -EMSGSIZE when the message is full
 */
int pwrctl_netlink_fill_cpu(struct sk_buff *skb, const struct pwrctl_view *view,
			    unsigned int cpu)
{
	u32 capacity = arch_scale_cpu_capacity(cpu);
	u32 average = pwrctl_hint_scale(view->average, cpu);
	struct nlattr *nest;

	nest = nla_nest_start(skb, PWRCTL_A_CPU);
	if (!nest ||
	    nla_put_u32(skb, PWRCTL_A_CPU_CPU, cpu) ||
	    nla_put_string(skb, PWRCTL_A_CPU_DOMAIN, view->domain->name) ||
	    nla_put_u64_64bit(skb, PWRCTL_A_CPU_CLOCK_NS, view->clock_ns, PWRCTL_A_CPU_PAD) ||
	    nla_put_u32(skb, PWRCTL_A_CPU_CAPACITY, capacity) ||
	    nla_put_u32(skb, PWRCTL_A_CPU_PRESSURE, pwrctl_hint_scale(view->pressure, cpu)) ||
	    nla_put_u32(skb, PWRCTL_A_CPU_AVERAGE, average) ||
	    nla_put_u32(skb, PWRCTL_A_CPU_HINT, capacity - min(capacity, average)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_stats_u64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, PWRCTL_A_STATS_PAD);
}

/**
 * pwrctl_netlink_fill_stats() - the module as a whole, as PWRCTL_A_STATS
 * @skb: the message
 *
 * Context: pwrctl_attach_mutex held.
 * Return: 0, or -EMSGSIZE when the message is full
 */
int pwrctl_netlink_fill_stats(struct sk_buff *skb)
{
	struct pwrctl_domain *domain;
	struct pwrctl_tally sum;
	struct nlattr *nest;
	u32 domains = 0;

	list_for_each_entry(domain, &pwrctl_domains, list)
		domains++;
	pwrctl_domain_tally(&sum);

	nest = nla_nest_start(skb, PWRCTL_A_STATS);
	if (!nest ||
	    nla_put_string(skb, PWRCTL_A_STATS_VERSION, PWRCTL_VERSION) ||
	    nla_put_u32(skb, PWRCTL_A_STATS_DOMAINS, domains) ||
	    put_stats_u64(skb, PWRCTL_A_STATS_EVENTS, sum.events) ||
	    put_stats_u64(skb, PWRCTL_A_STATS_PUSHES, sum.pushes) ||
	    put_stats_u64(skb, PWRCTL_A_STATS_TIMER_FIRES, sum.timer_fires) ||
	    nla_put_u32(skb, PWRCTL_A_STATS_NOTIFIERS, pwrctl_outlet_symbols_count()) ||
	    nla_put_u32(skb, PWRCTL_A_STATS_LISTENERS, pwrctl_netlink_has_listeners()) ||
	    nla_put_u32(skb, PWRCTL_A_STATS_TRACED, pwrctl_outlet_trace_enabled()) ||
	    nla_put_u32(skb, PWRCTL_A_STATS_CAUSES, pwrctl_domain_causes()) ||
	    put_stats_u64(skb, PWRCTL_A_STATS_ATTACH_ERRORS, pwrctl_domain_attach_errors()) ||
	    put_stats_u64(skb, PWRCTL_A_STATS_LOST_EVENTS, pwrctl_netlink_lost_events()) ||
	    nla_put_u32(skb, PWRCTL_A_STATS_DOOR_KIND, pwrctl_door_kind()) ||
	    nla_put_u32(skb, PWRCTL_A_STATS_KFUNCS, pwrctl_bpf_registered()))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}
