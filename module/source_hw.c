// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source: another writer of the kernel's hardware pressure. The kernel keeps the value to itself
 * but traces each write, before it stores it and without a lock: so the probe only takes down
 * what was said, and the domain looks at it, and has it confirmed, a little later.
 *
 * What stood there before we listened is unknown, and said to be.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/sched/topology.h>
#include <linux/spinlock.h>
#include <linux/topology.h>
#include <linux/tracepoint.h>

#include "compat.h"
#include "pwrctl.h"

/**
 * struct writer - what one CPU knows of hardware pressure; small, there is one for every CPU
 * @pressure: see struct pwrctl_foreign; a write says only the first of the CPUs that it is for
 * @cooling: as there
 * @muted: writes on this CPU are our own; changed on it with interrupts off
 * @when_ns: see struct pwrctl_foreign
 * @writes: as there
 *
 * All but @muted is guarded by foreign_lock.
 */
struct writer {
	u32 pressure;
	bool cooling;
	bool muted;
	u64 when_ns;
	u64 writes;
};

static DEFINE_PER_CPU(struct writer, writer_of_cpu);
static DEFINE_RAW_SPINLOCK(foreign_lock);

static struct tracepoint *update;

static u32 hw_causes(void)
{
	return update ? BIT(PWRCTL_CAUSE_HW) : 0;
}

/**
 * pwrctl_source_hw_mute() - writes on this CPU are our own for a while
 * @mute: begin or end
 *
 * Context: Interrupts off, from the beginning to the end.
 */
void pwrctl_source_hw_mute(bool mute)
{
	this_cpu_write(writer_of_cpu.muted, mute);
}

/**
 * pwrctl_source_hw_foreign() - what somebody else wrote for these CPUs last
 * @cpus: CPUs of a domain
 * @foreign: filled in; all 0 while that is unknown
 *
 * Context: Any but NMI.
 */
void pwrctl_source_hw_foreign(const struct cpumask *cpus, struct pwrctl_foreign *foreign)
{
	unsigned long flags;
	unsigned int cpu;

	*foreign = (struct pwrctl_foreign) { };
	raw_spin_lock_irqsave(&foreign_lock, flags);
	for_each_cpu(cpu, cpus) {
		const struct writer *each = per_cpu_ptr(&writer_of_cpu, cpu);

		if (each->when_ns <= foreign->when_ns)
			continue;
		*foreign = (struct pwrctl_foreign) {
			.pressure = each->pressure,
			.cooling = each->cooling,
			.when_ns = each->when_ns,
			.writes = each->writes,
		};
	}
	raw_spin_unlock_irqrestore(&foreign_lock, flags);
}

static void written(void *data, int cpu, unsigned long pressure)
{
	struct writer *writer;
	unsigned long flags;

	if (this_cpu_read(writer_of_cpu.muted) || cpu < 0 || cpu >= nr_cpu_ids)
		return;
	raw_spin_lock_irqsave(&foreign_lock, flags);
	writer = per_cpu_ptr(&writer_of_cpu, cpu);
	writer->pressure = min(pressure, 1024UL);
	writer->cooling = false;
	writer->when_ns = pwrctl_now();
	writer->writes++;
	raw_spin_unlock_irqrestore(&foreign_lock, flags);
	pwrctl_hint_confirm(cpu);
}

/*
 * Before 6.10 cpufreq's cooling device says here what it also asks of cpufreq: one cap, not two.
 * It asks first, so that by the time we look its request is in the aggregate, unless somebody
 * asks for less still; then the poll reads the device.
 */
static bool is_cooling(const struct pwrctl_domain *domain, const struct pwrctl_foreign *foreign,
		       u64 capacity, u32 reference)
{
	s32 aggregate = READ_ONCE(domain->policy->constraints.max_freq.target_value);
	const u32 asked[] = { domain->cooling_khz, aggregate };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(asked); i++)
		if (asked[i] < reference &&
		    foreign->pressure == capacity - div_u64(capacity * (asked[i] / PWRCTL_DOOR_KHZ),
							    reference / PWRCTL_DOOR_KHZ))
			return true;
	return false;
}

/* What was written meanwhile has another time and is left alone. */
static void note_cooling(const struct cpumask *cpus, const struct pwrctl_foreign *foreign)
{
	unsigned long flags;
	unsigned int cpu;

	raw_spin_lock_irqsave(&foreign_lock, flags);
	for_each_cpu(cpu, cpus)
		if (per_cpu(writer_of_cpu, cpu).when_ns == foreign->when_ns)
			per_cpu(writer_of_cpu, cpu).cooling = true;
	raw_spin_unlock_irqrestore(&foreign_lock, flags);
}

static void hw_read(struct pwrctl_domain *domain, struct pwrctl_caps *caps)
{
	struct pwrctl_foreign foreign;
	u32 reference, khz;
	u64 capacity;

	lockdep_assert_held(&domain->lock);

	if (!update)
		return;
	pwrctl_source_hw_foreign(domain->cpus, &foreign);
	capacity = arch_scale_cpu_capacity(cpumask_first(domain->cpus));
	if (!foreign.pressure || !capacity)
		return;
	reference = pwrctl_arch_freq_ref(cpumask_first(domain->cpus));
	if (reference <= 1)
		reference = domain->policy->cpuinfo.max_freq;
	if (PWRCTL_DOOR_KIND == PWRCTL_DOOR_KIND_THERMAL_PRESSURE) {
		if (is_cooling(domain, &foreign, capacity, reference)) {
			note_cooling(domain->cpus, &foreign);
			return;
		}
	}
	khz = div64_u64((capacity - min_t(u64, foreign.pressure, capacity)) * reference, capacity);
	caps->khz[PWRCTL_CAUSE_HW] = khz;
}

static void find_update(struct tracepoint *tracepoint, void *data)
{
	if (!strcmp(tracepoint->name, "hw_pressure_update") ||
	    !strcmp(tracepoint->name, "thermal_pressure_update"))
		update = tracepoint;
}

static int hw_start(void)
{
	if (!pwrctl_door_present())
		return 0;
	for_each_kernel_tracepoint(find_update, NULL);
	if (update && tracepoint_probe_register(update, written, NULL))
		update = NULL;
	return 0;
}

static void hw_stop(void)
{
	if (!update)
		return;
	tracepoint_probe_unregister(update, written, NULL);
	tracepoint_synchronize_unregister();
}

const struct pwrctl_source pwrctl_source_hw = {
	.name = "hw",
	.causes = hw_causes,
	.start = hw_start,
	.stop = hw_stop,
	.read = hw_read,
};
