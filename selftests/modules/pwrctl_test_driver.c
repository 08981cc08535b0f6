// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: a cpufreq driver for any machine, without hardware. The CPUs are split into policies
 * of the same size with four frequencies each: all, 80, 60 and 40 percent of max_khz.
 *
 * With boost_khz there is a fifth one, marked boost, and cpuinfo_max_freq is that one, as drivers
 * with a boost range do it. With boost_switch=1, too, cpufreq's file "boost" switches it, as with
 * cpufreq-dt, and it is off at first. With cooling=1 each policy has a cooling device,
 * "pwrctl_test_cpuN", that works as the kernel's cpufreq_cooling does on device tree machines: the
 * request first, the state afterwards, and nothing announced.
 */
#include <linux/cpufreq.h>
#include <linux/module.h>
#include <linux/pm_qos.h>
#include <linux/slab.h>
#include <linux/thermal.h>

static unsigned int max_khz = 3000000;
module_param(max_khz, uint, 0444);
MODULE_PARM_DESC(max_khz, "highest frequency that is no boost frequency");

static unsigned int boost_khz;
module_param(boost_khz, uint, 0444);
MODULE_PARM_DESC(boost_khz, "boost frequency, 0 for none");

static bool boost_switch;
module_param(boost_switch, bool, 0444);
MODULE_PARM_DESC(boost_switch, "the boost frequency can be switched, and is off at first");

static unsigned int policies = 2;
module_param(policies, uint, 0444);
MODULE_PARM_DESC(policies, "into how many policies the CPUs are split");

static bool cooling;
module_param(cooling, bool, 0444);
MODULE_PARM_DESC(cooling, "a cooling device for each policy");

#define STATES	4

static struct cpufreq_frequency_table table[STATES + 2];

struct cooler {
	struct cpufreq_policy *policy;
	struct thermal_cooling_device *cdev;
	struct freq_qos_request request;
	unsigned long state;
};

/* By the policy's first CPU. */
static struct cooler *coolers;

static int policy_init(struct cpufreq_policy *policy)
{
	unsigned int size = DIV_ROUND_UP(nr_cpu_ids, policies);
	unsigned int first = policy->cpu / size * size;
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (cpu >= first && cpu < first + size)
			cpumask_set_cpu(cpu, policy->cpus);
	policy->freq_table = table;
	policy->cur = max_khz;
	policy->cpuinfo.transition_latency = NSEC_PER_MSEC;
	if (!boost_switch)
		policy->cpuinfo.max_freq = boost_khz;
	return 0;
}

static int policy_target_index(struct cpufreq_policy *policy, unsigned int index)
{
	return 0;
}

static struct cpufreq_driver driver = {
	.name = "pwrctl_test",
	.init = policy_init,
	.verify = cpufreq_generic_frequency_table_verify,
	.target_index = policy_target_index,
};

static int get_max_state(struct thermal_cooling_device *cdev, unsigned long *state)
{
	*state = STATES - 1;
	return 0;
}

static int get_cur_state(struct thermal_cooling_device *cdev, unsigned long *state)
{
	*state = ((struct cooler *)cdev->devdata)->state;
	return 0;
}

static int set_cur_state(struct thermal_cooling_device *cdev, unsigned long state)
{
	struct cooler *cooler = cdev->devdata;
	int ret;

	if (state >= STATES)
		return -EINVAL;
	if (state == cooler->state)
		return 0;
	ret = freq_qos_update_request(&cooler->request, table[STATES - 1 - state].frequency);
	if (ret < 0)
		return ret;
	cooler->state = state;
	return 0;
}

static const struct thermal_cooling_device_ops cooling_ops = {
	.get_max_state = get_max_state,
	.get_cur_state = get_cur_state,
	.set_cur_state = set_cur_state,
};

static int start_cooler(struct cooler *cooler, struct cpufreq_policy *policy)
{
	struct thermal_cooling_device *cdev;
	char name[THERMAL_NAME_LENGTH];
	int ret;

	ret = freq_qos_add_request(&policy->constraints, &cooler->request, FREQ_QOS_MAX, max_khz);
	if (ret < 0)
		return ret;
	snprintf(name, sizeof(name), "pwrctl_test_cpu%u", policy->cpu);
	cdev = thermal_cooling_device_register(name, cooler, &cooling_ops);
	if (IS_ERR(cdev)) {
		freq_qos_remove_request(&cooler->request);
		return PTR_ERR(cdev);
	}
	cooler->cdev = cdev;
	cooler->policy = policy;
	down_write(&policy->rwsem);
	policy->cdev = cdev;
	up_write(&policy->rwsem);
	return 0;
}

static void stop_coolers(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct cooler *cooler = &coolers[cpu];

		if (!cooler->policy)
			continue;
		down_write(&cooler->policy->rwsem);
		cooler->policy->cdev = NULL;
		up_write(&cooler->policy->rwsem);
		thermal_cooling_device_unregister(cooler->cdev);
		freq_qos_remove_request(&cooler->request);
		cooler->policy = NULL;
	}
}

static int start_coolers(void)
{
	unsigned int cpu;
	int ret = 0;

	for_each_possible_cpu(cpu) {
		struct cpufreq_policy *policy = cpufreq_cpu_get(cpu);

		if (!policy)
			continue;
		if (cpu == cpumask_first(policy->cpus))
			ret = start_cooler(&coolers[cpu], policy);
		cpufreq_cpu_put(policy);
		if (ret) {
			stop_coolers();
			return ret;
		}
	}
	return 0;
}

static void make_table(void)
{
	unsigned int i;

	/* ascending, as most drivers have it */
	for (i = 0; i < STATES; i++)
		table[i].frequency = max_khz / 10 * (4 + 2 * i);
	if (boost_khz) {
		table[i].frequency = boost_khz;
		table[i++].flags = CPUFREQ_BOOST_FREQ;
	}
	table[i].frequency = CPUFREQ_TABLE_END;
}

/* The kernel's own way to switch, once before and once after the driver is there */
static void boost_before(void)
{
#ifdef PWRCTL_HAVE_BOOST_SET_SW
	if (boost_switch)
		driver.set_boost = cpufreq_boost_set_sw;
#endif
}

static int boost_after(void)
{
#ifndef PWRCTL_HAVE_BOOST_SET_SW
	if (boost_switch)
		return cpufreq_enable_boost_support();
#endif
	return 0;
}

static int __init pwrctl_test_driver_init(void)
{
	int ret;

	if (!policies || policies > nr_cpu_ids)
		return -EINVAL;
	make_table();
	coolers = kcalloc(nr_cpu_ids, sizeof(*coolers), GFP_KERNEL);
	if (!coolers)
		return -ENOMEM;
	boost_before();
	ret = cpufreq_register_driver(&driver);
	if (ret)
		goto free;
	ret = boost_after();
	if (!ret && cooling)
		ret = start_coolers();
	if (ret)
		goto unregister;
	return 0;

unregister:
	cpufreq_unregister_driver(&driver);
free:
	kfree(coolers);
	return ret;
}

static void __exit pwrctl_test_driver_exit(void)
{
	stop_coolers();
	cpufreq_unregister_driver(&driver);
	kfree(coolers);
}

module_init(pwrctl_test_driver_init);
module_exit(pwrctl_test_driver_exit);

MODULE_DESCRIPTION("Test only: a cpufreq driver without hardware");
MODULE_AUTHOR("The pwrctl developers");
MODULE_LICENSE("GPL");
