// SPDX-License-Identifier: GPL-2.0-only
/*
 * Test only: faults on purpose. The debug kernel must find the first three, or its silence about
 * the module means nothing; the others make the module's own start fail where no lack of memory
 * would.
 *
 * plant=leak       memory that nobody refers to any more
 * plant=free       memory is read after it was freed
 * plant=inversion  two mutexes in one order, then in the other
 * plant=family     a generic netlink family with pwrctl's name
 * plant=state      CPU hotplug states of pwrctl are refused
 * plant=notifier   cpufreq notifiers are refused
 *
 * The last two spoil an argument, so that the kernel's own function refuses it without a warning.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/genetlink.h>

static char *plant = "";
module_param(plant, charp, 0444);
MODULE_PARM_DESC(plant, "leak, free, inversion, family, state or notifier");

#define LEAKED		32

static DEFINE_MUTEX(one);
static DEFINE_MUTEX(other);
static bool has_family;
static bool has_probe;

static struct genl_family family = {
	.name = "pwrctl",
	.version = 1,
	.module = THIS_MODULE,
};

static int leak(void)
{
	unsigned int i;

	/* more than one: a stale pointer on a stack may hide the last */
	for (i = 0; i < LEAKED; i++)
		if (!kzalloc(128, GFP_KERNEL))
			return -ENOMEM;
	return 0;
}

static int use_after_free(void)
{
	u8 *memory = kzalloc(128, GFP_KERNEL);
	u8 seen;

	if (!memory)
		return -ENOMEM;
	kfree(memory);
	seen = READ_ONCE(memory[5]);
	return seen ? 0 : 0;
}

static int inversion(void)
{
	mutex_lock(&one);
	mutex_lock(&other);
	mutex_unlock(&other);
	mutex_unlock(&one);

	mutex_lock(&other);
	mutex_lock(&one);
	mutex_unlock(&one);
	mutex_unlock(&other);
	return 0;
}

static int take_family(void)
{
	int ret = genl_register_family(&family);

	has_family = !ret;
	return ret;
}

static unsigned long *second_argument(struct pt_regs *regs)
{
#if defined(CONFIG_X86_64)
	return &regs->si;
#elif defined(CONFIG_ARM64)
	return (unsigned long *)&regs->regs[1];
#else
	return NULL;
#endif
}

/* __cpuhp_setup_state(state, name, ...): one without a name is refused. */
static int without_name(struct kprobe *probe, struct pt_regs *regs)
{
	unsigned long *name = second_argument(regs);

	if (name && *name && !strcmp((const char *)*name, "pwrctl:online"))
		*name = 0;
	return 0;
}

/* cpufreq_register_notifier(nb, list): there is no such list. */
static int without_list(struct kprobe *probe, struct pt_regs *regs)
{
	unsigned long *list = second_argument(regs);

	if (list)
		*list = 99;
	return 0;
}

static struct kprobe probe;

static int spoil(const char *function, kprobe_pre_handler_t handler)
{
	int ret;

	probe.symbol_name = function;
	probe.pre_handler = handler;
	ret = register_kprobe(&probe);
	has_probe = !ret;
	return ret;
}

static int refuse_state(void)
{
	return spoil("__cpuhp_setup_state", without_name);
}

static int refuse_notifier(void)
{
	return spoil("cpufreq_register_notifier", without_list);
}

static const struct {
	const char *name;
	int (*plant)(void);
} plants[] = {
	{ "leak", leak },
	{ "free", use_after_free },
	{ "inversion", inversion },
	{ "family", take_family },
	{ "state", refuse_state },
	{ "notifier", refuse_notifier },
};

static int __init pwrctl_test_planted_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(plants); i++)
		if (!strcmp(plant, plants[i].name))
			return plants[i].plant();
	return -EINVAL;
}

static void __exit pwrctl_test_planted_exit(void)
{
	if (has_probe)
		unregister_kprobe(&probe);
	if (has_family)
		genl_unregister_family(&family);
}

module_init(pwrctl_test_planted_init);
module_exit(pwrctl_test_planted_exit);

MODULE_DESCRIPTION("Test only: faults on purpose");
MODULE_AUTHOR("The pwrctl developers");
MODULE_LICENSE("GPL");
