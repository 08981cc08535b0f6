// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source: cpufreq's own limits. Every policy's maximum is watched through its QoS notifier; the
 * user's and boost's requests are told apart from the rest.
 *
 * Policies are found in three ways: they are announced (CREATE), they are there when the module
 * starts, or all their CPUs were offline then and one of them comes back, which cpufreq does not
 * announce.
 */
#include <linux/cpu.h>
#include <linux/cpufreq.h>
#include <linux/cpuhotplug.h>
#include <linux/pm_qos.h>

#include "compat.h"
#include "pwrctl.h"

static enum cpuhp_state online_state;

static u32 cpufreq_causes(void)
{
	return BIT(PWRCTL_CAUSE_USER) | BIT(PWRCTL_CAUSE_BOOST) | BIT(PWRCTL_CAUSE_OTHER);
}

static u32 request_khz(const struct freq_qos_request *request)
{
	s32 khz;

	if (!request || !request->qos)
		return PWRCTL_NO_CAP;
	khz = READ_ONCE(request->pnode.prio);
	return khz < 0 || khz == FREQ_QOS_MAX_DEFAULT_VALUE ? PWRCTL_NO_CAP : khz;
}

/*
 * The callback's value may have been overtaken: it is not looked at. Only a policy with a cooling
 * device of its own has something that is there a moment later; what else comes unannounced can
 * wait for the ordinary poll. With a work item here for each event cpufreq's own, on the same CPU,
 * would have to wait.
 */
static int qos_changed(struct notifier_block *nb, unsigned long khz, void *data)
{
	struct pwrctl_domain *domain = container_of(nb, struct pwrctl_domain, qos);

	pwrctl_domain_cap_changed(domain);
	if (IS_ERR_OR_NULL(READ_ONCE(domain->policy->cdev)))
		pwrctl_domain_poll_later();
	else
		pwrctl_domain_poll_soon();
	return NOTIFY_OK;
}

static int cpufreq_attach(struct pwrctl_domain *domain, struct cpufreq_policy *policy)
{
	domain->qos.notifier_call = qos_changed;
	return freq_qos_add_notifier(&policy->constraints, FREQ_QOS_MAX, &domain->qos);
}

static void cpufreq_detach(struct pwrctl_domain *domain, struct cpufreq_policy *policy)
{
	freq_qos_remove_notifier(&policy->constraints, FREQ_QOS_MAX, &domain->qos);
}

static void cpufreq_read(struct pwrctl_domain *domain, struct pwrctl_caps *caps)
{
	struct cpufreq_policy *policy = domain->policy;
	const struct freq_qos_request *user = pwrctl_qos_request(policy->max_freq_req);
	s32 aggregate = READ_ONCE(policy->constraints.max_freq.target_value);
	unsigned int cause = PWRCTL_CAUSE_USER;

	lockdep_assert_held(&domain->lock);

	if (aggregate >= 0 && aggregate != FREQ_QOS_MAX_DEFAULT_VALUE)
		caps->aggregate_khz = aggregate;
#ifdef PWRCTL_HAVE_BOOST_REQUEST
	caps->khz[PWRCTL_CAUSE_BOOST] = request_khz(pwrctl_qos_request(policy->boost_freq_req));
#else
	/* Here switching boost off rewrites the user's request. */
	if (!cpufreq_boost_enabled() && request_khz(user) == policy->cpuinfo.max_freq)
		cause = PWRCTL_CAUSE_BOOST;
#endif
	caps->khz[cause] = request_khz(user);
}

static int policy_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct cpufreq_policy *policy = data;

	if (event == CPUFREQ_CREATE_POLICY)
		pwrctl_domain_attach(policy, -1);
	else if (event == CPUFREQ_REMOVE_POLICY)
		pwrctl_domain_detach(policy);
	return NOTIFY_OK;
}

static struct notifier_block policy_nb = {
	.notifier_call = policy_event,
};

/*
 * With its rwsem held a policy is complete. Its end may have been announced already, though, and
 * then the reference only keeps its memory: pwrctl_domain_attach() sees to that.
 */
static int watch_cpu(unsigned int cpu)
{
	struct cpufreq_policy *policy = cpufreq_cpu_get(cpu);

	if (policy) {
		down_read(&policy->rwsem);
		pwrctl_domain_attach(policy, cpu);
		up_read(&policy->rwsem);
		cpufreq_cpu_put(policy);
	}
	/* a CPU comes online whether we can watch it or not */
	return 0;
}

static int cpufreq_start(void)
{
	int ret;

	ret = cpufreq_register_notifier(&policy_nb, CPUFREQ_POLICY_NOTIFIER);
	if (ret)
		return ret;

	/* calls watch_cpu() for every CPU that is online */
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "pwrctl:online", watch_cpu, NULL);
	if (ret < 0) {
		/* as in cpufreq_stop(): a policy that is watched must not vanish unannounced */
		pwrctl_domain_detach_all();
		cpufreq_unregister_notifier(&policy_nb, CPUFREQ_POLICY_NOTIFIER);
		return ret;
	}
	online_state = ret;
	return 0;
}

static void cpufreq_stop(void)
{
	cpuhp_remove_state_nocalls(online_state);
	/* detach first: once the notifier is gone a policy may vanish unannounced */
	pwrctl_domain_detach_all();
	cpufreq_unregister_notifier(&policy_nb, CPUFREQ_POLICY_NOTIFIER);
}

const struct pwrctl_source pwrctl_source_cpufreq = {
	.name = "cpufreq",
	.causes = cpufreq_causes,
	.start = cpufreq_start,
	.stop = cpufreq_stop,
	.attach = cpufreq_attach,
	.detach = cpufreq_detach,
	.read = cpufreq_read,
};
