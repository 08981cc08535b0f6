// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: two writers that change their requests on one policy at the same moment.
 *
 * debugfs pwrctl_test_race/run
 *   write "CPU REFERENCE_KHZ ROUNDS"; pwrctl's mode must be instant and the cause "other" count
 *   read: "rounds N wrong N overlapped N first_wrong TEXT"
 *
 * Most rounds run with the policy's rwsem held, as writes of scaling_max_freq do: cpufreq's own
 * work then waits instead of taking the time of all.
 *
 * When both updates of a round have returned, what pwrctl says must be the aggregate of the two,
 * every time. Whoever takes the value that the notifier is called with for the cap will be
 * wrong: the calls overtake each other.
 */
#include <linux/cpufreq.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pm_qos.h>
#include <linux/sched/signal.h>
#include <linux/sched/topology.h>
#include <linux/seq_file.h>
#include <linux/topology.h>
#include <linux/uaccess.h>

#include "pwrctl_hint.h"

#define SPINS_BEFORE_SLEEP	20000
#define FREE_ROUNDS		50UL
#define HELD_ROUNDS		950UL

static DEFINE_MUTEX(run_mutex);
static struct dentry *dir;
static struct freq_qos_request first, second;

/* The round that the second writer is to do, and the one it has done last. */
static unsigned long go, done;
/* Set by the first writer before @go, read by the second after it. */
static s32 second_khz;
/* The second writer was inside its update when the first one came out. */
static unsigned long overlapped;
static unsigned long rounds, wrong;
static char first_wrong[96] = "none";

static void relax(unsigned int *spins)
{
	cpu_relax();
	if (++*spins % SPINS_BEFORE_SLEEP == 0)
		usleep_range(50, 100);
}

static int second_writer(void *data)
{
	unsigned int spins = 0;

	while (!kthread_should_stop()) {
		/* pairs with the release in one_round(): the second cap is there */
		unsigned long round = smp_load_acquire(&go);

		if (round == done) {
			relax(&spins);
			continue;
		}
		freq_qos_update_request(&second, second_khz);
		/* pairs with the acquires in one_round() */
		smp_store_release(&done, round);
	}
	return 0;
}

static u32 next_random(u32 *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 16;
}

/* 10 to 95 percent of the reference in steps of 5, so that two are easily told apart. */
static s32 some_khz(u32 *state, u32 reference)
{
	return reference / 20 * (2 + next_random(state) % 18);
}

static void check(int cpu, u32 reference, s32 a, s32 b)
{
	s32 khz = min(a, b);
	u64 lost = (u64)(reference - khz) * arch_scale_cpu_capacity(cpu);
	long expected = div_u64(lost + reference / 2, reference);
	long said = pwrctl_cpu_pressure(cpu);

	if (abs(said - expected) <= 1)
		return;
	if (!wrong++)
		snprintf(first_wrong, sizeof(first_wrong),
			 "round %lu: %d and %d kHz, pressure %ld instead of %ld", rounds, a, b,
			 said, expected);
}

static void one_round(int cpu, u32 reference, u32 *state)
{
	unsigned int spins = 0;
	s32 khz;

	khz = some_khz(state, reference);
	second_khz = some_khz(state, reference);
	/* pairs with the acquire in the other writer */
	smp_store_release(&go, rounds + 1);
	freq_qos_update_request(&first, khz);
	/* pairs with the release in the other writer: its update is over */
	if (smp_load_acquire(&done) != rounds + 1)
		overlapped++;
	/* the same */
	while (smp_load_acquire(&done) != rounds + 1)
		relax(&spins);
	check(cpu, reference, khz, second_khz);
}

static int race(struct cpufreq_policy *policy, int cpu, u32 reference, unsigned long count)
{
	struct task_struct *task;
	unsigned long end;
	u32 state = 1;

	task = kthread_create(second_writer, NULL, "pwrctl_test_race");
	if (IS_ERR(task))
		return PTR_ERR(task);
	go = 0;
	done = 0;
	wake_up_process(task);
	for (rounds = 0; rounds < count && !fatal_signal_pending(current);) {
		/* some rounds with cpufreq's work running between them */
		for (end = min(rounds + FREE_ROUNDS, count); rounds < end; rounds++)
			one_round(cpu, reference, &state);
		down_write(&policy->rwsem);
		for (end = min(rounds + HELD_ROUNDS, count); rounds < end; rounds++) {
			one_round(cpu, reference, &state);
			cond_resched();
		}
		up_write(&policy->rwsem);
	}
	return kthread_stop(task);
}

static int prepare_and_race(int cpu, u32 reference, unsigned long count)
{
	struct cpufreq_policy *policy = cpufreq_cpu_get(cpu);
	int ret;

	if (!policy)
		return -ENODEV;
	wrong = 0;
	overlapped = 0;
	strscpy(first_wrong, "none", sizeof(first_wrong));
	ret = freq_qos_add_request(&policy->constraints, &first, FREQ_QOS_MAX,
				   FREQ_QOS_MAX_DEFAULT_VALUE);
	if (ret < 0)
		goto put;
	ret = freq_qos_add_request(&policy->constraints, &second, FREQ_QOS_MAX,
				   FREQ_QOS_MAX_DEFAULT_VALUE);
	if (ret < 0)
		goto remove_first;
	ret = race(policy, cpu, reference, count);
	freq_qos_remove_request(&second);
remove_first:
	freq_qos_remove_request(&first);
put:
	cpufreq_cpu_put(policy);
	return ret < 0 ? ret : 0;
}

static ssize_t run_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	unsigned long how_many;
	unsigned int cpu;
	char text[48];
	u32 reference;
	ssize_t len;
	int ret;

	len = simple_write_to_buffer(text, sizeof(text) - 1, pos, buf, count);
	if (len < 0)
		return len;
	text[len] = '\0';
	if (sscanf(text, "%u %u %lu", &cpu, &reference, &how_many) != 3 || cpu >= nr_cpu_ids ||
	    reference < 20)
		return -EINVAL;
	mutex_lock(&run_mutex);
	ret = prepare_and_race(cpu, reference, how_many);
	mutex_unlock(&run_mutex);
	return ret ?: count;
}

static ssize_t run_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	char text[256];
	int len;

	mutex_lock(&run_mutex);
	len = scnprintf(text, sizeof(text), "rounds %lu wrong %lu overlapped %lu first_wrong %s\n",
			rounds, wrong, overlapped, first_wrong);
	mutex_unlock(&run_mutex);
	return simple_read_from_buffer(buf, count, pos, text, len);
}

static const struct file_operations run_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = run_read,
	.write = run_write,
};

static int __init pwrctl_test_race_init(void)
{
	dir = debugfs_create_dir("pwrctl_test_race", NULL);
	debugfs_create_file("run", 0600, dir, NULL, &run_fops);
	return 0;
}

static void __exit pwrctl_test_race_exit(void)
{
	debugfs_remove(dir);
}

module_init(pwrctl_test_race_init);
module_exit(pwrctl_test_race_exit);

MODULE_DESCRIPTION("Test only: two writers race for one policy's maximum");
MODULE_AUTHOR("The pwrctl developers");
MODULE_LICENSE("GPL");
