// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: caps of a driver's own, and a count of who watches.
 *
 * debugfs pwrctl_test_qos/
 *   cap       write "CPU KHZ": a FREQ_QOS_MAX request on that CPU's policy; KHZ 0 drops it. An
 *             existing request can be changed while the policy is offline: name its first CPU
 *   on_resume the same, done when the machine has slept next, before others look
 *   on_suspend the same, done when all other devices sleep already
 *   wake_ms   when all devices sleep, how long until this one wakes the machine; 0: not at all
 *   slept     read: how often this device was put to sleep
 *   watchers  read: blocks in each online policy's notifier chain, probes on cdev_update
 */
#include <linux/cpufreq.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/pm_qos.h>
#include <linux/pm_wakeup.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/suspend.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

struct held {
	struct cpufreq_policy *policy;
	struct freq_qos_request request;
};

static DEFINE_MUTEX(held_mutex);
/* By the policy's first related CPU; held_mutex. */
static struct held *held;
/* What to do once and when, with CPU -1 for nothing; held_mutex. */
struct later {
	int cpu;
	s32 khz;
};

static struct later on_resume = { .cpu = -1 };
static struct later on_suspend = { .cpu = -1 };
static u32 wake_ms;
static u32 slept;
static struct platform_device *sleeper;
static struct dentry *dir;
static struct tracepoint *cdev_update;

static void drop(struct held *entry)
{
	lockdep_assert_held(&held_mutex);

	if (!entry->policy)
		return;
	freq_qos_remove_request(&entry->request);
	entry->policy = NULL;
}

static int change(struct held *entry, s32 khz)
{
	int ret;

	lockdep_assert_held(&held_mutex);

	if (!khz) {
		drop(entry);
		return 0;
	}
	ret = freq_qos_update_request(&entry->request, khz);
	/* 1 says that the aggregate changed */
	return ret < 0 ? ret : 0;
}

static int add(unsigned int cpu, s32 khz)
{
	struct cpufreq_policy *policy = cpufreq_cpu_get(cpu);
	struct held *entry;
	int ret = 0;

	lockdep_assert_held(&held_mutex);

	if (!policy)
		return -ENODEV;
	entry = &held[cpumask_first(policy->related_cpus)];
	if (entry->policy) {
		ret = change(entry, khz);
	} else if (khz) {
		ret = freq_qos_add_request(&policy->constraints, &entry->request, FREQ_QOS_MAX,
					   khz);
		if (ret >= 0)
			entry->policy = policy;
	}
	cpufreq_cpu_put(policy);
	return ret < 0 ? ret : 0;
}

static int set_cap(unsigned int cpu, s32 khz)
{
	int ret;

	mutex_lock(&held_mutex);
	ret = held[cpu].policy ? change(&held[cpu], khz) : add(cpu, khz);
	mutex_unlock(&held_mutex);
	return ret;
}

static int parse(const char __user *buf, size_t count, unsigned int *cpu, s32 *khz)
{
	char text[32];
	loff_t pos = 0;
	ssize_t len;

	len = simple_write_to_buffer(text, sizeof(text) - 1, &pos, buf, count);
	if (len < 0)
		return len;
	text[len] = '\0';
	if (sscanf(text, "%u %d", cpu, khz) != 2 || *cpu >= nr_cpu_ids || *khz < 0)
		return -EINVAL;
	return 0;
}

static ssize_t cap_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	unsigned int cpu;
	s32 khz;
	int ret;

	ret = parse(buf, count, &cpu, &khz);
	if (!ret)
		ret = set_cap(cpu, khz);
	return ret ?: count;
}

static const struct file_operations cap_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = cap_write,
};

static ssize_t later_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	struct later *later = file->private_data;
	unsigned int cpu;
	s32 khz;
	int ret;

	ret = parse(buf, count, &cpu, &khz);
	if (ret)
		return ret;
	mutex_lock(&held_mutex);
	later->cpu = cpu;
	later->khz = khz;
	mutex_unlock(&held_mutex);
	return count;
}

static const struct file_operations later_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = later_write,
};

static void do_now(struct later *later)
{
	int cpu;
	s32 khz;

	mutex_lock(&held_mutex);
	cpu = later->cpu;
	khz = later->khz;
	later->cpu = -1;
	mutex_unlock(&held_mutex);
	if (cpu >= 0 && set_cap(cpu, khz))
		pr_warn("no cap on CPU %d when the machine slept\n", cpu);
}

static int suspend_event(struct notifier_block *nb, unsigned long action, void *data)
{
	if (action != PM_POST_SUSPEND)
		return NOTIFY_DONE;
	do_now(&on_resume);
	return NOTIFY_OK;
}

static struct notifier_block suspend_nb = {
	.notifier_call = suspend_event,
	.priority = INT_MAX,
};

/* What a lid or a button is to a real machine */
static void wake(struct work_struct *work)
{
	pm_system_wakeup();
}

static DECLARE_DELAYED_WORK(waking, wake);

/* The last step: whoever wakes the machine from now on wakes it, and aborts nothing. */
static int sleeper_suspend(struct device *dev)
{
	slept++;
	do_now(&on_suspend);
	if (wake_ms)
		schedule_delayed_work(&waking, msecs_to_jiffies(wake_ms));
	return 0;
}

/* Whatever woke the machine: the next sleep is not to be cut short. */
static int sleeper_resume(struct device *dev)
{
	cancel_delayed_work_sync(&waking);
	return 0;
}

static const struct dev_pm_ops sleeper_pm = {
	.suspend_noirq = sleeper_suspend,
	.resume_noirq = sleeper_resume,
};

static struct platform_driver sleeper_driver = {
	.driver = {
		.name = "pwrctl_test_sleeper",
		.pm = &sleeper_pm,
	},
};

/*
 * The lab's wire to the outside: QEMU's virtio ports take no more after they slept, and a guest
 * that cannot say how it ended has failed.
 */
static void keep_ports_awake(bool awake)
{
	struct pci_dev *pdev = NULL;

	for_each_pci_dev(pdev)
		if (pdev->vendor == PCI_VENDOR_ID_REDHAT_QUMRANET)
			dev_pm_syscore_device(&pdev->dev, awake);
}

static int start_sleeper(void)
{
	int ret = platform_driver_register(&sleeper_driver);

	if (ret)
		return ret;
	keep_ports_awake(true);
	sleeper = platform_device_register_simple("pwrctl_test_sleeper", -1, NULL, 0);
	if (!IS_ERR(sleeper))
		return 0;
	keep_ports_awake(false);
	platform_driver_unregister(&sleeper_driver);
	return PTR_ERR(sleeper);
}

static void stop_sleeper(void)
{
	platform_device_unregister(sleeper);
	platform_driver_unregister(&sleeper_driver);
	cancel_delayed_work_sync(&waking);
	keep_ports_awake(false);
}

static unsigned int count_blocks(struct blocking_notifier_head *chain)
{
	struct notifier_block *block;
	unsigned int count = 0;

	down_read(&chain->rwsem);
	for (block = rcu_dereference_protected(chain->head, 1); block;
	     block = rcu_dereference_protected(block->next, 1))
		count++;
	up_read(&chain->rwsem);
	return count;
}

static unsigned int count_probes(struct tracepoint *tracepoint)
{
	struct tracepoint_func *func;
	unsigned int count = 0;

	preempt_disable();
	for (func = rcu_dereference_raw(tracepoint->funcs); func && func->func; func++)
		count++;
	preempt_enable();
	return count;
}

static int watchers_show(struct seq_file *m, void *unused)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct cpufreq_policy *policy = cpufreq_cpu_get(cpu);

		if (!policy)
			continue;
		if (cpu == cpumask_first(policy->cpus))
			seq_printf(m, "%s %u\n", kobject_name(&policy->kobj),
				   count_blocks(&policy->constraints.max_freq_notifiers));
		cpufreq_cpu_put(policy);
	}
	if (cdev_update)
		seq_printf(m, "cdev_update %u\n", count_probes(cdev_update));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(watchers);

static int policy_event(struct notifier_block *nb, unsigned long event, void *data)
{
	struct cpufreq_policy *policy = data;

	if (event != CPUFREQ_REMOVE_POLICY)
		return NOTIFY_DONE;
	mutex_lock(&held_mutex);
	drop(&held[cpumask_first(policy->related_cpus)]);
	mutex_unlock(&held_mutex);
	return NOTIFY_OK;
}

static struct notifier_block policy_nb = {
	.notifier_call = policy_event,
};

static void find_cdev_update(struct tracepoint *tracepoint, void *data)
{
	if (!strcmp(tracepoint->name, "cdev_update"))
		cdev_update = tracepoint;
}

static int __init pwrctl_test_qos_init(void)
{
	int ret;

	held = kcalloc(nr_cpu_ids, sizeof(*held), GFP_KERNEL);
	if (!held)
		return -ENOMEM;
	ret = cpufreq_register_notifier(&policy_nb, CPUFREQ_POLICY_NOTIFIER);
	if (ret)
		goto free;
	ret = register_pm_notifier(&suspend_nb);
	if (ret)
		goto no_notifier;
	ret = start_sleeper();
	if (ret)
		goto no_sleeper;
	for_each_kernel_tracepoint(find_cdev_update, NULL);
	dir = debugfs_create_dir("pwrctl_test_qos", NULL);
	debugfs_create_file("cap", 0200, dir, NULL, &cap_fops);
	debugfs_create_file("on_resume", 0200, dir, &on_resume, &later_fops);
	debugfs_create_file("on_suspend", 0200, dir, &on_suspend, &later_fops);
	debugfs_create_u32("wake_ms", 0600, dir, &wake_ms);
	debugfs_create_u32("slept", 0400, dir, &slept);
	debugfs_create_file("watchers", 0400, dir, NULL, &watchers_fops);
	return 0;

no_sleeper:
	unregister_pm_notifier(&suspend_nb);
no_notifier:
	cpufreq_unregister_notifier(&policy_nb, CPUFREQ_POLICY_NOTIFIER);
free:
	kfree(held);
	return ret;
}

static void __exit pwrctl_test_qos_exit(void)
{
	unsigned int cpu;

	debugfs_remove(dir);
	stop_sleeper();
	unregister_pm_notifier(&suspend_nb);
	mutex_lock(&held_mutex);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		drop(&held[cpu]);
	mutex_unlock(&held_mutex);
	cpufreq_unregister_notifier(&policy_nb, CPUFREQ_POLICY_NOTIFIER);
	kfree(held);
}

module_init(pwrctl_test_qos_init);
module_exit(pwrctl_test_qos_exit);

MODULE_DESCRIPTION("Test only: frequency caps on demand");
MODULE_AUTHOR("The pwrctl developers");
MODULE_LICENSE("GPL");
