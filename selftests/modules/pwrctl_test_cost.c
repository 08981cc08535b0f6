// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: what reading and pushing cost, in ns of the clock, which under QEMU's -icount are
 * instructions.
 *
 * debugfs pwrctl_test_cost/cost, read: measures on policy0 and says "NAME LEAST MEDIAN" a line.
 */
#include <linux/cpufreq.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/pm_qos.h>
#include <linux/sched/topology.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>

#include "pwrctl_hint.h"

#define RUNS	201
/* The first runs fill caches and QEMU's translations. */
#define DROPPED	20
/* So many reads are measured at once: arm64's counter has one tick in 16 instructions. */
#define READS	100

static struct freq_qos_request request;
static struct dentry *dir;
static u64 results[RUNS];
static unsigned long sink;
static unsigned int max_khz;

static int hint_moved(struct notifier_block *nb, unsigned long action, void *data)
{
	return NOTIFY_OK;
}

static struct notifier_block hint_nb = {
	.notifier_call = hint_moved,
};

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static u64 now(void)
{
	return ktime_get_raw_fast_ns();
}

static void say(struct seq_file *m, const char *name)
{
	sort(results + DROPPED, RUNS - DROPPED, sizeof(*results), compare, NULL);
	seq_printf(m, "%s %llu %llu\n", name, results[DROPPED],
		   results[DROPPED + (RUNS - DROPPED) / 2]);
}

/* What nobody reads the compiler would not make */
static void take(unsigned long value)
{
	WRITE_ONCE(sink, value);
}

static void read_nothing(void)
{
	take(1);
}

static void read_clock(void)
{
	take(ktime_get_boot_fast_ns());
}

static void read_pressure(void)
{
	take(pwrctl_cpu_pressure(0));
}

static void read_capacity(void)
{
	take(pwrctl_cpu_capacity(0));
}

#ifdef CONFIG_GENERIC_ARCH_TOPOLOGY
/* What capacity the kernel itself keeps as two words for each CPU */
static void read_words(void)
{
	take(topology_get_cpu_scale(0) * topology_get_freq_scale(0) >> SCHED_CAPACITY_SHIFT);
}
#endif

static noinline void measure(struct seq_file *m, const char *name, void (*what)(void))
{
	unsigned long flags;
	u64 begin;
	int i, n;

	for (i = 0; i < RUNS; i++) {
		local_irq_save(flags);
		begin = now();
		for (n = 0; n < READS; n++)
			what();
		results[i] = div_u64(now() - begin, READS);
		local_irq_restore(flags);
	}
	say(m, name);
}

static void set_cap(unsigned int tenths)
{
	freq_qos_update_request(&request, max_khz / 10 * tenths);
}

/* Changes of the cap, up and down in turn, with whatever is told by them. */
static void measure_cap(struct seq_file *m, const char *name)
{
	u64 begin;
	int i;

	for (i = 0; i < RUNS; i++) {
		begin = now();
		set_cap(i & 1 ? 6 : 8);
		results[i] = now() - begin;
	}
	say(m, name);
}

static int cost_show(struct seq_file *m, void *unused)
{
	int ret;

	freq_qos_update_request(&request, FREQ_QOS_MAX_DEFAULT_VALUE);
	measure(m, "nothing", read_nothing);
	measure(m, "clock", read_clock);
	measure(m, "pressure_at_rest", read_pressure);
#ifdef CONFIG_GENERIC_ARCH_TOPOLOGY
	measure(m, "words", read_words);
#endif
	set_cap(4);
	measure(m, "pressure_mid_decay", read_pressure);
	measure(m, "capacity_mid_decay", read_capacity);
	measure_cap(m, "cap_change_untold");
	ret = pwrctl_hint_register_notifier(&hint_nb);
	if (ret)
		return ret;
	measure_cap(m, "cap_change_told");
	pwrctl_hint_unregister_notifier(&hint_nb);
	freq_qos_update_request(&request, FREQ_QOS_MAX_DEFAULT_VALUE);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cost);

static int __init cost_init(void)
{
	struct cpufreq_policy *policy = cpufreq_cpu_get(0);
	int ret;

	if (!policy)
		return -ENODEV;
	ret = freq_qos_add_request(&policy->constraints, &request, FREQ_QOS_MAX,
				   FREQ_QOS_MAX_DEFAULT_VALUE);
	max_khz = policy->cpuinfo.max_freq;
	cpufreq_cpu_put(policy);
	if (ret < 0)
		return ret;
	dir = debugfs_create_dir("pwrctl_test_cost", NULL);
	debugfs_create_file("cost", 0400, dir, NULL, &cost_fops);
	return 0;
}

static void __exit cost_exit(void)
{
	debugfs_remove(dir);
	freq_qos_remove_request(&request);
}

module_init(cost_init);
module_exit(cost_exit);

MODULE_DESCRIPTION("Test only: what pwrctl costs");
MODULE_LICENSE("GPL");
