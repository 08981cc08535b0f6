// SPDX-License-Identifier: GPL-2.0-only
/* An outside module that asks for hints and is told of them. */
#include <linux/module.h>
#include <linux/notifier.h>

#include <pwrctl_hint.h>

static int told(struct notifier_block *nb, unsigned long action, void *data)
{
	const struct pwrctl_hint *hint = data;

	pr_debug("%s %u\n", hint->domain, hint->average);
	return NOTIFY_OK;
}

static struct notifier_block block = { .notifier_call = told };

static int __init outside_init(void)
{
	pr_info("CPU 0 has %lu of 1024 left, pressure %lu\n", pwrctl_cpu_capacity(0),
		pwrctl_cpu_pressure(0));
	return pwrctl_hint_register_notifier(&block);
}

static void __exit outside_exit(void)
{
	pwrctl_hint_unregister_notifier(&block);
}

module_init(outside_init);
module_exit(outside_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("builds against an installed pwrctl");
