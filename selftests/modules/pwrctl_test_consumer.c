// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: a consumer of hints outside pwrctl. While it is loaded pwrctl cannot be unloaded.
 *
 * debugfs pwrctl_test_consumer/
 *   notifier  write 1 to register the notifier (as loading does, unless notifier=0), 0 to
 *             unregister it
 *   pushes    read: how many calls so far
 *   log       read: "DOMAIN CPU EVALUATED_NS CALLED_NS PRESSURE AVERAGE", one a call; write: clear
 *   hints     read: "CPU BEFORE_NS AFTER_NS PRESSURE CAPACITY", one a CPU, the clock being read
 *             before and after the exported functions
 */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>

#include "pwrctl_hint.h"

#define LOG_SIZE	4096

struct record {
	char domain[20];
	unsigned int cpu;
	u64 evaluated;
	u64 called;
	u32 pressure;
	u32 average;
};

static DEFINE_SPINLOCK(log_lock);
/* Both: log_lock. */
static struct record records[LOG_SIZE];
static u64 pushes, logged;

static DEFINE_MUTEX(register_mutex);
static bool registered;
static struct dentry *dir;

static bool notifier = true;
module_param(notifier, bool, 0444);
MODULE_PARM_DESC(notifier, "register the notifier when loaded");

static int hint_moved(struct notifier_block *nb, unsigned long action, void *data)
{
	const struct pwrctl_hint *hint = data;
	u64 now = ktime_get_boot_fast_ns();
	struct record *record;
	unsigned long flags;

	if (action != PWRCTL_HINT_MOVED)
		return NOTIFY_DONE;
	spin_lock_irqsave(&log_lock, flags);
	pushes++;
	if (logged < LOG_SIZE) {
		record = &records[logged++];
		strscpy(record->domain, hint->domain, sizeof(record->domain));
		record->cpu = hint->cpu;
		record->evaluated = hint->clock_ns;
		record->called = now;
		record->pressure = hint->pressure;
		record->average = hint->average;
	}
	spin_unlock_irqrestore(&log_lock, flags);
	return NOTIFY_OK;
}

static struct notifier_block hint_nb = {
	.notifier_call = hint_moved,
};

static int set_registered(bool on)
{
	int ret = 0;

	mutex_lock(&register_mutex);
	if (on != registered) {
		ret = on ? pwrctl_hint_register_notifier(&hint_nb) :
			   pwrctl_hint_unregister_notifier(&hint_nb);
		if (!ret)
			registered = on;
	}
	mutex_unlock(&register_mutex);
	return ret;
}

static int notifier_set(void *data, u64 value)
{
	return set_registered(value);
}

static int notifier_get(void *data, u64 *value)
{
	*value = registered;
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(notifier_fops, notifier_get, notifier_set, "%llu\n");

static int pushes_get(void *data, u64 *value)
{
	spin_lock_irq(&log_lock);
	*value = pushes;
	spin_unlock_irq(&log_lock);
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(pushes_fops, pushes_get, NULL, "%llu\n");

static void *log_start(struct seq_file *m, loff_t *pos)
{
	return *pos < READ_ONCE(logged) ? &records[*pos] : NULL;
}

static void *log_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return log_start(m, pos);
}

static void log_stop(struct seq_file *m, void *v)
{
}

static int log_show(struct seq_file *m, void *v)
{
	struct record record;

	spin_lock_irq(&log_lock);
	record = *(struct record *)v;
	spin_unlock_irq(&log_lock);
	seq_printf(m, "%s %u %llu %llu %u %u\n", record.domain, record.cpu, record.evaluated,
		   record.called, record.pressure, record.average);
	return 0;
}

static const struct seq_operations log_ops = {
	.start = log_start,
	.next = log_next,
	.stop = log_stop,
	.show = log_show,
};

static int log_open(struct inode *inode, struct file *file)
{
	return seq_open(file, &log_ops);
}

static ssize_t log_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	spin_lock_irq(&log_lock);
	logged = 0;
	spin_unlock_irq(&log_lock);
	return count;
}

static const struct file_operations log_fops = {
	.owner = THIS_MODULE,
	.open = log_open,
	.read = seq_read,
	.write = log_write,
	.llseek = seq_lseek,
	.release = seq_release,
};

static int hints_show(struct seq_file *m, void *unused)
{
	unsigned long pressure, capacity;
	unsigned int cpu;
	u64 before;

	for_each_possible_cpu(cpu) {
		before = ktime_get_boot_fast_ns();
		pressure = pwrctl_cpu_pressure(cpu);
		capacity = pwrctl_cpu_capacity(cpu);
		seq_printf(m, "%u %llu %llu %lu %lu\n", cpu, before, ktime_get_boot_fast_ns(),
			   pressure, capacity);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(hints);

static int __init pwrctl_test_consumer_init(void)
{
	int ret;

	if (notifier) {
		ret = set_registered(true);
		if (ret)
			return ret;
	}
	dir = debugfs_create_dir("pwrctl_test_consumer", NULL);
	debugfs_create_file("notifier", 0600, dir, NULL, &notifier_fops);
	debugfs_create_file("pushes", 0400, dir, NULL, &pushes_fops);
	debugfs_create_file("log", 0600, dir, NULL, &log_fops);
	debugfs_create_file("hints", 0400, dir, NULL, &hints_fops);
	return 0;
}

static void __exit pwrctl_test_consumer_exit(void)
{
	debugfs_remove(dir);
	set_registered(false);
}

module_init(pwrctl_test_consumer_init);
module_exit(pwrctl_test_consumer_exit);

MODULE_DESCRIPTION("Test only: a consumer of capacity hints");
MODULE_AUTHOR("The pwrctl developers");
MODULE_LICENSE("GPL");
