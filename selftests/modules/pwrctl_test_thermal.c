// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: the sensor of the arm64 lab's thermal zone, whose trips and cooling devices stand in
 * the device tree.
 *
 * Parameter degrees sets the temperature. With plant=1 it follows what the CPUs do instead: each
 * one heats with the time it was busy and the cube of the frequency that its policy allows, and
 * the whole loses heat to surroundings of 30 degrees. heat_mc is what one big CPU at work heats
 * by in a second, lose_ms the time in which two thirds of the difference are lost.
 *
 * A sensor with an interrupt of its own is looked at when that comes, and not only when the zone
 * polls: poll_ms makes one so often.
 */
#include <linux/cpufreq.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/sched/topology.h>
#include <linux/thermal.h>
#include <linux/tick.h>
#include <linux/topology.h>
#include <linux/workqueue.h>

#define SURROUNDINGS_MC	30000
#define FULL		1024ULL

static unsigned int degrees = 30;
module_param(degrees, uint, 0644);
MODULE_PARM_DESC(degrees, "temperature without the plant");

static bool plant;
module_param(plant, bool, 0644);
MODULE_PARM_DESC(plant, "the temperature follows what the CPUs do");

static unsigned int heat_mc = 20000;
module_param(heat_mc, uint, 0644);
MODULE_PARM_DESC(heat_mc, "a big CPU at work heats by so many thousandths of a degree a second");

static unsigned int lose_ms = 2000;
module_param(lose_ms, uint, 0644);
MODULE_PARM_DESC(lose_ms, "time constant of the heat that is lost");

static void poll(struct work_struct *unused);
static DECLARE_DELAYED_WORK(poller, poll);
static struct thermal_zone_device *zone;
static unsigned int poll_ms;

static int set_poll_ms(const char *text, const struct kernel_param *kp)
{
	int ret = param_set_uint(text, kp);

	if (!ret && poll_ms)
		schedule_delayed_work(&poller, 0);
	return ret;
}

static const struct kernel_param_ops poll_ops = {
	.set = set_poll_ms,
	.get = param_get_uint,
};
module_param_cb(poll_ms, &poll_ops, &poll_ms, 0644);
MODULE_PARM_DESC(poll_ms, "time between the sensor's interrupts, 0: it has none");

/**
 * struct work - what a CPU had done at the last look
 * @idle_us: idle time since boot
 * @wall_us: all time since boot
 */
struct work {
	u64 idle_us;
	u64 wall_us;
};

static DEFINE_PER_CPU(struct work, work);
static DEFINE_MUTEX(plant_mutex);
/* Both: plant_mutex. */
static s64 plant_uc = SURROUNDINGS_MC * 1000LL;
static ktime_t looked;

/* How busy a CPU was since the last look, 0 to FULL */
static u64 busy(unsigned int cpu)
{
	struct work *last = per_cpu_ptr(&work, cpu);
	u64 wall, idle = get_cpu_idle_time(cpu, &wall, 1);
	u64 idle_us = idle - last->idle_us, wall_us = wall - last->wall_us;

	*last = (struct work) { .idle_us = idle, .wall_us = wall };
	if (!wall_us || idle_us >= wall_us)
		return 0;
	return div64_u64((wall_us - idle_us) * FULL, wall_us);
}

/* What it heats by, as a part of what a big one at its top does, 0 to FULL */
static u64 power(unsigned int cpu)
{
	u64 speed = FULL;
	struct cpufreq_policy *policy = cpufreq_cpu_get(cpu);

	if (policy) {
		speed = div_u64(policy->max * FULL, policy->cpuinfo.max_freq);
		cpufreq_cpu_put(policy);
	}
	speed = (speed * speed * speed) >> 20;
	return (busy(cpu) * speed * arch_scale_cpu_capacity(cpu)) >> 20;
}

/*
 * Heats and cools for so long. In steps: between looks more heat may come and go than a single step
 * could reckon with.
 */
static void plant_pass(s64 us, s64 heat)
{
	u32 lose_us = clamp(lose_ms, 1U, 1000000U) * 1000;
	s64 step;

	for (; us > 0; us -= step) {
		step = min_t(s64, us, lose_us / 16);
		/* thousandths of a degree a second times microseconds: millionths of a degree */
		plant_uc += div_s64(heat * heat_mc * step, FULL * 1000);
		plant_uc -= div_s64((plant_uc - SURROUNDINGS_MC * 1000LL) * step, lose_us);
	}
}

static int plant_look(void)
{
	ktime_t now = ktime_get();
	s64 us, heat = 0;
	unsigned int cpu;

	mutex_lock(&plant_mutex);
	us = min_t(s64, ktime_us_delta(now, looked), USEC_PER_SEC);
	looked = now;
	for_each_online_cpu(cpu)
		heat += power(cpu);
	plant_pass(us, heat);
	us = div_s64(plant_uc, 1000);
	mutex_unlock(&plant_mutex);
	return us;
}

static int get_temp(struct thermal_zone_device *unused, int *millidegrees)
{
	*millidegrees = plant ? plant_look() : degrees * 1000;
	return 0;
}

static const struct thermal_zone_device_ops ops = {
	.get_temp = get_temp,
};

static void poll(struct work_struct *unused)
{
	unsigned int ms = READ_ONCE(poll_ms);

	if (!ms || !zone)
		return;
	thermal_zone_device_update(zone, THERMAL_EVENT_UNSPECIFIED);
	schedule_delayed_work(&poller, msecs_to_jiffies(ms));
}

static void stop_polling(void *unused)
{
	poll_ms = 0;
	cancel_delayed_work_sync(&poller);
}

static int sensor_probe(struct platform_device *device)
{
	struct thermal_zone_device *registered;

	looked = ktime_get();
	registered = devm_thermal_of_zone_register(&device->dev, 0, NULL, &ops);
	if (IS_ERR(registered))
		return PTR_ERR(registered);
	zone = registered;
	schedule_delayed_work(&poller, 0);
	return devm_add_action_or_reset(&device->dev, stop_polling, NULL);
}

static const struct of_device_id sensor_ids[] = {
	{ .compatible = "pwrctl,test-sensor" },
	{ }
};
MODULE_DEVICE_TABLE(of, sensor_ids);

static struct platform_driver sensor = {
	.driver = {
		.name = "pwrctl_test_thermal",
		.of_match_table = sensor_ids,
	},
	.probe = sensor_probe,
};
module_platform_driver(sensor);

MODULE_DESCRIPTION("pwrctl test: a thermal zone that a plant or a number heats");
MODULE_LICENSE("GPL");
