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
 * plant=states     all dynamic CPU hotplug states are taken
 */
#include <linux/cpuhotplug.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/genetlink.h>

static char *plant = "";
module_param(plant, charp, 0444);
MODULE_PARM_DESC(plant, "leak, free, inversion, family or states");

#define MOST_STATES	64
#define LEAKED		32

static DEFINE_MUTEX(one);
static DEFINE_MUTEX(other);
static enum cpuhp_state states[MOST_STATES];
static unsigned int state_count;
static bool has_family;

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

static int nothing(unsigned int cpu)
{
	return 0;
}

static int take_states(void)
{
	int ret;

	while (state_count < MOST_STATES) {
		ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "pwrctl_test:planted",
						nothing, NULL);
		if (ret < 0)
			break;
		states[state_count++] = ret;
	}
	return state_count ? 0 : -ENOSPC;
}

static const struct {
	const char *name;
	int (*plant)(void);
} plants[] = {
	{ "leak", leak },
	{ "free", use_after_free },
	{ "inversion", inversion },
	{ "family", take_family },
	{ "states", take_states },
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
	while (state_count)
		cpuhp_remove_state_nocalls(states[--state_count]);
	if (has_family)
		genl_unregister_family(&family);
}

module_init(pwrctl_test_planted_init);
module_exit(pwrctl_test_planted_exit);

MODULE_DESCRIPTION("Test only: faults on purpose");
MODULE_AUTHOR("The pwrctl developers");
MODULE_LICENSE("GPL");
