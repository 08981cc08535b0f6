// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: a cpufreq driver for the arm64 lab. CPUs that stand in a row and have the same
 * capacity-dmips-mhz in the device tree, or none, form a policy; those with the largest one are big. The
 * frequencies are only kept as numbers. Policies have an energy model, and the kernel's own
 * cpufreq_cooling, so that every thermal governor can cap them.
 */
#include <linux/cpu.h>
#include <linux/cpufreq.h>
#include <linux/energy_model.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/units.h>

static struct cpufreq_frequency_table big[] = {
	{ .frequency = 300000 }, { .frequency = 600000 }, { .frequency = 900000 },
	{ .frequency = 1200000 }, { .frequency = 1500000 }, { .frequency = 1800000 },
	{ .frequency = 2000000 }, { .frequency = CPUFREQ_TABLE_END },
};

static struct cpufreq_frequency_table little[] = {
	{ .frequency = 300000 }, { .frequency = 600000 }, { .frequency = 900000 },
	{ .frequency = 1200000 }, { .frequency = 1500000 }, { .frequency = CPUFREQ_TABLE_END },
};

/* The frequency each CPU's policy was set to last, in kHz. */
static DEFINE_PER_CPU(unsigned int, set_khz);

static u32 capacity_of(unsigned int cpu)
{
	struct device_node *node = of_get_cpu_node(cpu, NULL);
	u32 capacity = 0;

	of_property_read_u32(node, "capacity-dmips-mhz", &capacity);
	of_node_put(node);
	return capacity;
}

static bool is_big(unsigned int cpu)
{
	u32 largest = 0;
	unsigned int each;

	for_each_possible_cpu(each)
		largest = max(largest, capacity_of(each));
	return capacity_of(cpu) == largest;
}

static int policy_init(struct cpufreq_policy *policy)
{
	u32 capacity = capacity_of(policy->cpu);
	unsigned int cpu;

	cpumask_clear(policy->cpus);
	for (cpu = policy->cpu; cpu && capacity_of(cpu - 1) == capacity; cpu--)
		;
	for (; cpu < nr_cpu_ids && capacity_of(cpu) == capacity; cpu++)
		cpumask_set_cpu(cpu, policy->cpus);
	policy->freq_table = is_big(policy->cpu) ? big : little;
	policy->cpuinfo.transition_latency = 1000 * 1000;
	return 0;
}

static int policy_set(struct cpufreq_policy *policy, unsigned int index)
{
	unsigned int cpu;

	for_each_cpu(cpu, policy->related_cpus)
		per_cpu(set_khz, cpu) = policy->freq_table[index].frequency;
	return 0;
}

static unsigned int policy_get(unsigned int cpu)
{
	return per_cpu(set_khz, cpu);
}

/* A big CPU burns 1.5 W at its top, a little one 0.2 W; the cube of the frequency. */
static int active_power(struct device *dev, unsigned long *microwatts, unsigned long *khz)
{
	struct cpufreq_frequency_table *entry = is_big(dev->id) ? big : little;
	u64 mhz;

	while (entry->frequency < *khz)
		entry++;
	if (entry->frequency == CPUFREQ_TABLE_END)
		return -EINVAL;
	*khz = entry->frequency;
	mhz = entry->frequency / 1000;
	*microwatts = div_u64(mhz * mhz * mhz * (is_big(dev->id) ? 3 : 1), 16000);
	return 0;
}

static void policy_energy(struct cpufreq_policy *policy)
{
	struct em_data_callback callback = EM_DATA_CB(active_power);
	int states = 0;

	while (policy->freq_table[states].frequency != CPUFREQ_TABLE_END)
		states++;
	em_dev_register_perf_domain(get_cpu_device(policy->cpu), states, &callback,
				    policy->related_cpus, true);
}

static struct cpufreq_driver driver = {
	.name = "pwrctl_test",
	.flags = CPUFREQ_NEED_INITIAL_FREQ_CHECK | CPUFREQ_IS_COOLING_DEV,
	.init = policy_init,
	.verify = cpufreq_generic_frequency_table_verify,
	.target_index = policy_set,
	.get = policy_get,
	.register_em = policy_energy,
};

static int __init test_init(void)
{
	struct device_node *node = of_get_cpu_node(0, NULL);
	unsigned int cpu;

	/* a machine without a device tree has a driver of its own */
	of_node_put(node);
	if (!node)
		return -ENODEV;
	for_each_possible_cpu(cpu)
		per_cpu(set_khz, cpu) = little[0].frequency;
	return cpufreq_register_driver(&driver);
}

static void __exit test_exit(void)
{
	cpufreq_unregister_driver(&driver);
}

module_init(test_init);
module_exit(test_exit);

MODULE_DESCRIPTION("pwrctl test: frequencies and cooling for a device tree machine");
MODULE_LICENSE("GPL");
