// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: reads hints in non-maskable interrupts, which stop a CPU wherever it is, the module's
 * own writers with interrupts off included. A guest without a performance counter has no other
 * source of them: a thread sends one to every CPU, again and again.
 *
 * debugfs pwrctl_test_nmi/counts, read: "handled N inside N wrong N longest_ns N". inside: it
 * stopped the CPU in the module's code; wrong: the pressure lay outside [least, most].
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#include <asm/ptrace.h>

#include "pwrctl_hint.h"

/* The module's code is not longer than this. */
#define NEAR	(64UL * 1024)

static unsigned int least;
module_param(least, uint, 0444);
MODULE_PARM_DESC(least, "no pressure is below this");

static unsigned int most = 1024;
module_param(most, uint, 0444);
MODULE_PARM_DESC(most, "no pressure is above this");

struct counts {
	unsigned long sent;
	unsigned long handled;
	unsigned long inside;
	unsigned long wrong;
	u64 longest;
};

static DEFINE_PER_CPU(struct counts, counts);
static struct task_struct *sender;
static struct dentry *dir;

static int read_hint(unsigned int type, struct pt_regs *regs)
{
	struct counts *mine = this_cpu_ptr(&counts);
	unsigned long pressure;
	u64 began;

	/* somebody else's */
	if (READ_ONCE(mine->sent) == mine->handled)
		return NMI_DONE;
	began = ktime_get_boot_fast_ns();
	pressure = pwrctl_cpu_pressure(smp_processor_id());
	mine->longest = max(mine->longest, ktime_get_boot_fast_ns() - began);
	if (pressure < least || pressure > most)
		mine->wrong++;
	if (regs->ip - (unsigned long)pwrctl_cpu_pressure + NEAR < 2 * NEAR)
		mine->inside++;
	WRITE_ONCE(mine->handled, mine->handled + 1);
	return NMI_HANDLED;
}

/* One that is still on its way gets no successor: two would become one. */
static void send_to(int cpu)
{
	struct counts *its = per_cpu_ptr(&counts, cpu);

	if (its->sent != READ_ONCE(its->handled))
		return;
	WRITE_ONCE(its->sent, its->sent + 1);
	apic->send_IPI(cpu, NMI_VECTOR);
}

static int send_all(void *unused)
{
	int cpu;

	while (!kthread_should_stop()) {
		cpus_read_lock();
		for_each_online_cpu(cpu)
			send_to(cpu);
		cpus_read_unlock();
		/* leaves the others time for what is to be interrupted */
		usleep_range(20, 50);
	}
	return 0;
}

static ssize_t counts_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	struct counts sum = {};
	char text[128];
	int cpu, len;

	for_each_possible_cpu(cpu) {
		struct counts *its = per_cpu_ptr(&counts, cpu);

		sum.handled += READ_ONCE(its->handled);
		sum.inside += READ_ONCE(its->inside);
		sum.wrong += READ_ONCE(its->wrong);
		sum.longest = max(sum.longest, READ_ONCE(its->longest));
	}
	len = scnprintf(text, sizeof(text), "handled %lu inside %lu wrong %lu longest_ns %llu\n",
			sum.handled, sum.inside, sum.wrong, sum.longest);
	return simple_read_from_buffer(buf, count, pos, text, len);
}

static const struct file_operations counts_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = counts_read,
};

static int __init pwrctl_test_nmi_init(void)
{
	int ret = register_nmi_handler(NMI_LOCAL, read_hint, 0, "pwrctl_test_nmi");

	if (ret)
		return ret;
	sender = kthread_run(send_all, NULL, "pwrctl_test_nmi");
	if (IS_ERR(sender)) {
		unregister_nmi_handler(NMI_LOCAL, "pwrctl_test_nmi");
		return PTR_ERR(sender);
	}
	dir = debugfs_create_dir("pwrctl_test_nmi", NULL);
	debugfs_create_file("counts", 0400, dir, NULL, &counts_fops);
	return 0;
}

/* An NMI without a handler would be reported as unknown: none is on its way any more. */
static void wait_for_the_last(void)
{
	int cpu;

	for_each_online_cpu(cpu)
		while (per_cpu(counts, cpu).sent != READ_ONCE(per_cpu(counts, cpu).handled))
			cond_resched();
}

static void __exit pwrctl_test_nmi_exit(void)
{
	debugfs_remove(dir);
	kthread_stop(sender);
	wait_for_the_last();
	unregister_nmi_handler(NMI_LOCAL, "pwrctl_test_nmi");
}

module_init(pwrctl_test_nmi_init);
module_exit(pwrctl_test_nmi_exit);

MODULE_DESCRIPTION("Test only: reads hints in non-maskable interrupts");
MODULE_AUTHOR("The pwrctl developers");
MODULE_LICENSE("GPL");
