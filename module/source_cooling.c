// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source: heat. What cooling devices ask for, even behind a lower limit of somebody else.
 *
 * On ACPI it can be read exactly at any moment: every processor has one request for heat and one
 * for firmware (_PPC). On device tree the policy's cooling device knows, but it stores its new
 * state only after the QoS callback, and a state written from user space is announced by nobody:
 * there it is read by the poll, a millisecond after each event and once a second while capped.
 */
#include <linux/cpufreq.h>
#include <linux/pm_qos.h>
#include <linux/thermal.h>
#include <linux/tracepoint.h>

#ifdef CONFIG_ACPI_PROCESSOR
#include <linux/acpi.h>
#include <acpi/processor.h>
#endif

#include "compat.h"
#include "pwrctl.h"

static struct tracepoint *cdev_update;

static u32 cooling_causes(void)
{
	return BIT(PWRCTL_CAUSE_THERMAL) | BIT(PWRCTL_CAUSE_OTHER);
}

#ifdef CONFIG_ACPI_PROCESSOR
static u32 lowest_request(const struct freq_qos_request *request, u32 khz)
{
	s32 asked;

	if (!request->qos)
		return khz;
	asked = READ_ONCE(request->pnode.prio);
	return asked >= 0 && asked < FREQ_QOS_MAX_DEFAULT_VALUE ? min_t(u32, khz, asked) : khz;
}

static void read_acpi(struct pwrctl_domain *domain, struct pwrctl_caps *caps)
{
	u32 thermal = caps->khz[PWRCTL_CAUSE_THERMAL];
	u32 firmware = caps->khz[PWRCTL_CAUSE_OTHER];
	unsigned int cpu;

	for_each_cpu(cpu, domain->cpus) {
		const struct acpi_processor *processor = per_cpu(processors, cpu);

		if (!processor)
			continue;
		thermal = lowest_request(&processor->thermal_req, thermal);
		firmware = lowest_request(&processor->perflib_req, firmware);
	}
	caps->khz[PWRCTL_CAUSE_THERMAL] = thermal;
	caps->khz[PWRCTL_CAUSE_OTHER] = firmware;
}
#else
static void read_acpi(struct pwrctl_domain *domain, struct pwrctl_caps *caps)
{
}
#endif

static void cooling_read(struct pwrctl_domain *domain, struct pwrctl_caps *caps)
{
	lockdep_assert_held(&domain->lock);

	caps->khz[PWRCTL_CAUSE_THERMAL] = domain->cooling_khz;
	read_acpi(domain, caps);
}

/* A cooling state is the number of table entries given up, counted from the highest. */
static u32 khz_of_state(const struct cpufreq_policy *policy, unsigned long state)
{
	struct cpufreq_frequency_table *entry;
	u32 khz = U32_MAX;

	if (!policy->freq_table)
		return PWRCTL_NO_CAP;
	do {
		u32 below = 0;

		cpufreq_for_each_valid_entry(entry, policy->freq_table)
			if (entry->frequency < khz)
				below = max(below, entry->frequency);
		if (!below)
			break;
		khz = below;
	} while (state--);
	return khz;
}

static u32 read_cooling_device(struct cpufreq_policy *policy)
{
	struct thermal_cooling_device *cdev = policy->cdev;
	unsigned long state = 0;
	int ret;

	if (IS_ERR_OR_NULL(cdev))
		return PWRCTL_NO_CAP;
	mutex_lock(&cdev->lock);
	ret = cdev->ops->get_cur_state(cdev, &state);
	mutex_unlock(&cdev->lock);
	return ret || !state ? PWRCTL_NO_CAP : khz_of_state(policy, state);
}

static void poll_policy(struct cpufreq_policy *policy)
{
	struct pwrctl_domain *domain;
	u32 khz = read_cooling_device(policy);

	mutex_lock(&pwrctl_attach_mutex);
	domain = pwrctl_domain_of_policy(policy);
	if (domain) {
		raw_spin_lock_irq(&domain->lock);
		domain->cooling_khz = khz;
		raw_spin_unlock_irq(&domain->lock);
	}
	mutex_unlock(&pwrctl_attach_mutex);
}

/* The poll refreshes every domain when all sources have looked. */
static void cooling_poll(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct cpufreq_policy *policy = cpufreq_cpu_get(cpu);

		if (!policy)
			continue;
		/* with its rwsem held the cooling device cannot be unregistered */
		down_read(&policy->rwsem);
		if (cpu == cpumask_first(policy->cpus))
			poll_policy(policy);
		up_read(&policy->rwsem);
		cpufreq_cpu_put(policy);
	}
}

static void cdev_updated(void *data, struct thermal_cooling_device *cdev, unsigned long state)
{
	pwrctl_domain_poll_soon();
}

static void find_cdev_update(struct tracepoint *tracepoint, void *data)
{
	if (!strcmp(tracepoint->name, "cdev_update"))
		cdev_update = tracepoint;
}

/* Without the tracepoint, changes behind a lower limit are seen by the poll a second later. */
static int cooling_start(void)
{
	for_each_kernel_tracepoint(find_cdev_update, NULL);
	if (cdev_update && tracepoint_probe_register(cdev_update, cdev_updated, NULL))
		cdev_update = NULL;
	return 0;
}

static void cooling_stop(void)
{
	if (!cdev_update)
		return;
	tracepoint_probe_unregister(cdev_update, cdev_updated, NULL);
	tracepoint_synchronize_unregister();
}

const struct pwrctl_source pwrctl_source_cooling = {
	.name = "cooling",
	.causes = cooling_causes,
	.start = cooling_start,
	.stop = cooling_stop,
	.read = cooling_read,
	.poll = cooling_poll,
};
