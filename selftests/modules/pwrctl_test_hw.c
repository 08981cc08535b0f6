// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: another writer of the kernel's hardware pressure, and a look at what stands there.
 *
 * debugfs pwrctl_test_hw/
 *   write   write "CPU KHZ": for that CPU's policy, now
 *   storm   write "CPU COUNT SEED": COUNT writes of random frequencies, a random time below 2 ms
 *           apart, every other one in a hard interrupt; done when all are written
 *   stands  read: "CPU PRESSURE" as it stands for each CPU, after a line with the clock, the last
 *           foreign write's clock and what was written
 *
 * With feed=1 it also hands every hint's average to the kernel as it is, as a module that does not
 * know of the scheduler's own averaging would.
 */
#include <linux/completion.h>
#include <linux/cpufreq.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/prandom.h>
#include <linux/sched/topology.h>
#include <linux/seq_file.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>
#include <linux/uaccess.h>

#include "pwrctl_hint.h"

#ifdef arch_update_hw_pressure
#define UPDATE	topology_update_hw_pressure
#define STANDS	"hw_pressure"
#else
#define UPDATE	topology_update_thermal_pressure
#define STANDS	"thermal_pressure"
#endif

static bool feed;
module_param(feed, bool, 0444);
MODULE_PARM_DESC(feed, "hand the hints' averages to the kernel");

static int away;
module_param(away, int, 0444);
MODULE_PARM_DESC(away, "for a kernel that names no variables: where its pressure lies, in bytes from cpu_scale");

/* One writer at a time; the rest is its. */
static DEFINE_MUTEX(writer);
static struct hrtimer timer;
static DECLARE_COMPLETION(fired);
static struct cpumask cpus;
static unsigned long next_khz, last_khz;
static u64 last_ns;

static unsigned long __percpu *stands;

static void write_now(void)
{
	UPDATE(&cpus, next_khz);
	last_khz = next_khz;
	last_ns = ktime_get_boot_fast_ns();
}

static enum hrtimer_restart write_fired(struct hrtimer *unused)
{
	write_now();
	complete(&fired);
	return HRTIMER_NORESTART;
}

static int take_policy(unsigned int cpu, unsigned int *max_khz)
{
	struct cpufreq_policy *policy = cpufreq_cpu_get(cpu);

	if (!policy)
		return -ENODEV;
	cpumask_copy(&cpus, policy->related_cpus);
	*max_khz = policy->cpuinfo.max_freq;
	cpufreq_cpu_put(policy);
	return 0;
}

static int read_line(const char __user *user, size_t size, char *text)
{
	if (size >= 64 || copy_from_user(text, user, size))
		return -EINVAL;
	text[size] = 0;
	return 0;
}

static ssize_t write_write(struct file *file, const char __user *user, size_t size, loff_t *pos)
{
	unsigned int cpu, khz, max_khz;
	char text[64];
	int ret;

	if (read_line(user, size, text) || sscanf(text, "%u %u", &cpu, &khz) != 2 ||
	    cpu >= nr_cpu_ids)
		return -EINVAL;
	mutex_lock(&writer);
	ret = take_policy(cpu, &max_khz);
	next_khz = khz;
	if (!ret)
		write_now();
	mutex_unlock(&writer);
	return ret ?: size;
}

static const struct file_operations write_fops = {
	.owner = THIS_MODULE,
	.write = write_write,
};

static void storm(u32 count, u64 seed, unsigned int max_khz)
{
	struct rnd_state random;
	u32 us;

	prandom_seed_state(&random, seed);
	while (count--) {
		next_khz = prandom_u32_state(&random) % (max_khz + 1);
		us = prandom_u32_state(&random) % 2000;
		if (count & 1) {
			reinit_completion(&fired);
			hrtimer_start(&timer, ns_to_ktime(us * NSEC_PER_USEC), HRTIMER_MODE_REL_HARD);
			wait_for_completion(&fired);
		} else {
			usleep_range(us, us + 1);
			write_now();
		}
	}
}

static ssize_t storm_write(struct file *file, const char __user *user, size_t size,
			   loff_t *pos)
{
	unsigned int cpu, count, seed, max_khz;
	char text[64];
	int ret;

	if (read_line(user, size, text) || sscanf(text, "%u %u %u", &cpu, &count, &seed) != 3 ||
	    cpu >= nr_cpu_ids)
		return -EINVAL;
	mutex_lock(&writer);
	ret = take_policy(cpu, &max_khz);
	if (!ret)
		storm(count, seed, max_khz);
	mutex_unlock(&writer);
	return ret ?: size;
}

static const struct file_operations storm_fops = {
	.owner = THIS_MODULE,
	.write = storm_write,
};

static int stands_show(struct seq_file *m, void *unused)
{
	unsigned int cpu;

	seq_printf(m, "%llu %llu %lu\n", ktime_get_boot_fast_ns(), last_ns, last_khz);
	for_each_possible_cpu(cpu)
		seq_printf(m, "%u %lu\n", cpu, READ_ONCE(*per_cpu_ptr(stands, cpu)));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stands);

static int hint_moved(struct notifier_block *nb, unsigned long action, void *data)
{
	const struct pwrctl_hint *hint = data;
	struct cpufreq_policy *policy = cpufreq_cpu_get(hint->cpu);

	if (!policy)
		return NOTIFY_DONE;
	UPDATE(policy->related_cpus,
	       policy->cpuinfo.max_freq - mult_frac(policy->cpuinfo.max_freq, hint->average, 1024));
	cpufreq_cpu_put(policy);
	return NOTIFY_OK;
}

static struct notifier_block hint_nb = {
	.notifier_call = hint_moved,
};

/*
 * The kernel exports neither its pressure nor the function that would find it: a probe can. Without
 * KALLSYMS_ALL not even that helps, but the kernel's types say how far it is from one that is exported.
 */
static int find_stands(void)
{
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };
	unsigned long (*lookup)(const char *name);
	int ret;

	if (away) {
		stands = (void __percpu *)((char __percpu *)&cpu_scale + away);
		return 0;
	}
	ret = register_kprobe(&probe);
	if (ret)
		return ret;
	lookup = (void *)probe.addr;
	unregister_kprobe(&probe);
	stands = (unsigned long __percpu *)lookup(STANDS);
	return stands ? 0 : -ENOENT;
}

/* Taken only for feeding: without that pwrctl can go while this stays. */
static int start_feeding(void)
{
	int (*start)(struct notifier_block *nb) = symbol_get(pwrctl_hint_register_notifier);
	int ret = start ? start(&hint_nb) : -ENOENT;

	if (start && ret)
		symbol_put(pwrctl_hint_register_notifier);
	return ret;
}

static void stop_feeding(void)
{
	int (*stop)(struct notifier_block *nb) = symbol_get(pwrctl_hint_unregister_notifier);

	if (stop) {
		stop(&hint_nb);
		symbol_put(pwrctl_hint_unregister_notifier);
	}
	symbol_put(pwrctl_hint_register_notifier);
}

static struct dentry *dir;

static int __init test_init(void)
{
	int ret = find_stands();

	if (ret)
		return ret;
#ifdef PWRCTL_HAVE_HRTIMER_SETUP
	hrtimer_setup(&timer, write_fired, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
#else
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer.function = write_fired;
#endif
	if (feed) {
		ret = start_feeding();
		if (ret)
			return ret;
	}
	dir = debugfs_create_dir("pwrctl_test_hw", NULL);
	debugfs_create_file("write", 0200, dir, NULL, &write_fops);
	debugfs_create_file("storm", 0200, dir, NULL, &storm_fops);
	debugfs_create_file("stands", 0444, dir, NULL, &stands_fops);
	return 0;
}

/* What was written does not outlive us. */
static void clear_all(void)
{
	unsigned int cpu, max_khz;

	for_each_possible_cpu(cpu) {
		if (take_policy(cpu, &max_khz))
			continue;
		next_khz = max_khz;
		write_now();
	}
}

static void __exit test_exit(void)
{
	debugfs_remove(dir);
	if (feed)
		stop_feeding();
	clear_all();
}

module_init(test_init);
module_exit(test_exit);

MODULE_DESCRIPTION("pwrctl test: another writer of hardware pressure");
MODULE_LICENSE("GPL");
