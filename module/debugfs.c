// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs: the same settings, values and refusals as netlink, for people.
 *
 * Files that show are exactly 0444, so that a locked-down kernel still lets them be read; they
 * show everything, the settings included, whose own files lockdown hides.
 *
 * A domain's files know its number only and look for it at each access. Their directory comes and
 * goes with the domain, but later, in a work item: removing a file waits for its readers, who
 * take pwrctl_attach_mutex, which is held when domains come and go.
 */
#include <linux/ctype.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/sched/topology.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "pwrctl.h"
#include "version.h"

/* Longer than the longest legal value by far. */
#define VALUE_LEN	128

/* What a file is about: its domain's number plus 1 (0: none), and a setting. */
#define FILE_KEY_BITS	8
#define FILE_DATA(id, key)	((void *)(((unsigned long)(id) << FILE_KEY_BITS) | (key)))
#define FILE_GLOBAL		0

static struct dentry *root, *domains_dir;
/* pwrctl_attach_mutex: set while the work may be queued. */
static bool started;
/* pwrctl_attach_mutex. */
static char last_refusal[VALUE_LEN + 192];
/*
 * Domains' directories, by the number in the domain's name; NULL without memory. The work item
 * only, and pwrctl_debugfs_stop() after it.
 */
static struct dentry **directories;

static unsigned long file_data(const struct seq_file *m)
{
	return (unsigned long)m->private;
}

static unsigned int data_key(unsigned long data)
{
	return data & (BIT(FILE_KEY_BITS) - 1);
}

/* The domain of a file: NULL for a global file, an error when it is gone. */
static struct pwrctl_domain *data_domain(unsigned long data)
{
	struct pwrctl_domain *domain;
	unsigned long id = data >> FILE_KEY_BITS;

	lockdep_assert_held(&pwrctl_attach_mutex);

	if (id == FILE_GLOBAL)
		return NULL;
	list_for_each_entry(domain, &pwrctl_domains, list)
		if (domain->id == id - 1)
			return domain;
	return ERR_PTR(-ENODEV);
}

/* A domain as it is now; only what is marked constant may be used of view->domain. */
static int show_view(struct seq_file *m,
		     void (*show)(struct seq_file *m, const struct pwrctl_view *view))
{
	struct pwrctl_domain *domain;
	struct pwrctl_view view;
	int ret;

	mutex_lock(&pwrctl_attach_mutex);
	domain = data_domain(file_data(m));
	ret = PTR_ERR_OR_ZERO(domain);
	if (!ret) {
		pwrctl_domain_view(domain, &view);
		show(m, &view);
	}
	mutex_unlock(&pwrctl_attach_mutex);
	return ret;
}

static void put_khz(struct seq_file *m, u32 khz)
{
	if (khz == PWRCTL_NO_CAP)
		seq_puts(m, "none");
	else
		seq_printf(m, "%u", khz);
}

static void put_causes(struct seq_file *m, u32 causes)
{
	char text[VALUE_LEN];

	pwrctl_settings_format(PWRCTL_A_SET_COUNT, causes, text, sizeof(text));
	seq_puts(m, text);
}

static void put_setting(struct seq_file *m, const struct pwrctl_domain *domain, unsigned int key)
{
	char text[VALUE_LEN];

	pwrctl_settings_format(key, pwrctl_settings_get(domain, key), text, sizeof(text));
	seq_puts(m, text);
}

static void put_cpus(struct seq_file *m, const struct pwrctl_view *view)
{
	seq_printf(m, "%*pbl\n", cpumask_pr_args(view->domain->cpus));
}

static void put_reference(struct seq_file *m, const struct pwrctl_view *view)
{
	seq_printf(m, "%u %s\n", view->reference_khz, pwrctl_settings_origin_word(view->origin));
}

static void put_cap_khz(struct seq_file *m, const struct pwrctl_view *view)
{
	put_khz(m, view->cap_khz);
	seq_putc(m, '\n');
}

static void put_cause(struct seq_file *m, const struct pwrctl_view *view)
{
	seq_printf(m, "%s\n", pwrctl_settings_cause_word(view->cause));
}

static void put_since(struct seq_file *m, const struct pwrctl_view *view)
{
	seq_printf(m, "%llu clock_ns=%llu\n", view->since_ns, view->clock_ns);
}

static void put_pressure(struct seq_file *m, const struct pwrctl_view *view)
{
	seq_printf(m, "%u clock_ns=%llu\n", pwrctl_filter_to_1024(view->pressure),
		   view->clock_ns);
}

static void put_average(struct seq_file *m, const struct pwrctl_view *view)
{
	seq_printf(m, "%u clock_ns=%llu\n", pwrctl_filter_to_1024(view->average),
		   view->clock_ns);
}

static void put_caps(struct seq_file *m, const struct pwrctl_view *view)
{
	u32 known = pwrctl_domain_causes();
	unsigned int cause;

	for (cause = PWRCTL_CAUSE_NONE + 1; cause < __PWRCTL_CAUSE_END; cause++) {
		u32 khz = view->caps.khz[cause];

		seq_printf(m, "%-8s ", pwrctl_settings_cause_word(cause));
		if (known & BIT(cause))
			put_khz(m, khz);
		else
			seq_puts(m, "not available");
		if (cause == PWRCTL_CAUSE_INJECTED && khz != PWRCTL_NO_CAP)
			seq_printf(m, " until_ns=%llu", view->inject_until_ns);
		seq_putc(m, '\n');
	}
}

static void put_stats(struct seq_file *m, const struct pwrctl_view *view)
{
	const struct pwrctl_exposure *sum = &view->exposure;
	u32 cap_khz, pressure;

	pwrctl_domain_means(view, &cap_khz, &pressure);
	seq_printf(m, "events %llu\n", view->tally.events);
	seq_printf(m, "pushes %llu\n", view->tally.pushes);
	seq_printf(m, "timer_fires %llu\n", view->tally.timer_fires);
	seq_printf(m, "total_ns %llu\n", sum->last_ns - sum->start_ns);
	seq_printf(m, "capped_ns %llu\n", sum->capped_ns);
	seq_printf(m, "lost_ns %llu\n", sum->lost_ns);
	seq_printf(m, "mean_cap_khz %u\n", cap_khz);
	seq_printf(m, "mean_pressure %u\n", pressure);
}

static void put_door(struct seq_file *m, const struct pwrctl_view *view)
{
	struct pwrctl_door_view door;

	pwrctl_door_view(view, &door);
	seq_printf(m, "state %s\n", pwrctl_settings_door_word(door.state));
	if (door.state == PWRCTL_DOOR_NONE)
		return;
	seq_printf(m, "cannot_follow %u\n", !!(door.flags & PWRCTL_DOOR_CANNOT_FOLLOW));
	seq_printf(m, "release_only %u\n", !!(door.flags & PWRCTL_DOOR_RELEASE_ONLY));
	seq_printf(m, "pushes %llu\n", door.pushes);
	if (door.pushed_ns)
		seq_printf(m, "pushed %u clock_ns=%llu\n", door.pushed, door.pushed_ns);
	seq_printf(m, "foreign_writes %llu\n", door.foreign.writes);
	if (door.foreign.when_ns)
		seq_printf(m, "foreign %u clock_ns=%llu\n", door.foreign.pressure,
			   door.foreign.when_ns);
	else
		seq_puts(m, "foreign unknown\n");
}

#define DOMAIN_FILE(name)						\
static int domain_##name##_show(struct seq_file *m, void *unused)	\
{									\
	return show_view(m, put_##name);				\
}									\
DEFINE_SHOW_ATTRIBUTE(domain_##name)

DOMAIN_FILE(cpus);
DOMAIN_FILE(reference);
DOMAIN_FILE(cap_khz);
DOMAIN_FILE(cause);
DOMAIN_FILE(since);
DOMAIN_FILE(pressure);
DOMAIN_FILE(average);
DOMAIN_FILE(caps);
DOMAIN_FILE(door);
DOMAIN_FILE(stats);

static const struct {
	const char *name;
	const struct file_operations *fops;
} domain_files[] = {
	{ "cpus", &domain_cpus_fops },
	{ "reference", &domain_reference_fops },
	{ "cap_khz", &domain_cap_khz_fops },
	{ "cause", &domain_cause_fops },
	{ "since", &domain_since_fops },
	{ "pressure", &domain_pressure_fops },
	{ "average", &domain_average_fops },
	{ "caps", &domain_caps_fops },
	{ "door", &domain_door_fops },
	{ "stats", &domain_stats_fops },
};

/* Settings, which can be written. */

static int setting_show(struct seq_file *m, void *unused)
{
	unsigned long data = file_data(m);
	struct pwrctl_domain *domain;
	int ret;

	mutex_lock(&pwrctl_attach_mutex);
	domain = data_domain(data);
	ret = PTR_ERR_OR_ZERO(domain);
	if (!ret) {
		put_setting(m, domain, data_key(data));
		seq_putc(m, '\n');
	}
	mutex_unlock(&pwrctl_attach_mutex);
	return ret;
}

static int setting_open(struct inode *inode, struct file *file)
{
	return single_open(file, setting_show, inode->i_private);
}

/* Keep what was refused and why. What was written may be anything: nothing odd gets out again. */
static void keep_refusal(const struct pwrctl_domain *domain, unsigned int key, char *text,
			 const struct pwrctl_refusal *why)
{
	char *c;

	lockdep_assert_held(&pwrctl_attach_mutex);

	for (c = text; *c; c++)
		if (!isascii(*c) || !isprint(*c))
			*c = '?';
	scnprintf(last_refusal, sizeof(last_refusal), "%s%s%s=%s: %s", domain ? domain->name : "",
		  domain ? "/" : "", pwrctl_settings_table[key].name, text, why->sentence);
}

static int set(struct pwrctl_domain *domain, unsigned int key, const char *text,
	       struct pwrctl_refusal *why)
{
	struct pwrctl_change change = {};
	int ret;

	lockdep_assert_held(&pwrctl_attach_mutex);

	if (domain && !strcmp(text, "global")) {
		change.unset = BIT(key);
	} else {
		change.set = BIT(key);
		ret = pwrctl_settings_parse(key, text, &change.value[key], why);
		if (ret)
			return ret;
	}
	return pwrctl_settings_apply(&change, domain, why);
}

static ssize_t setting_write(struct file *file, const char __user *from, size_t count,
			     loff_t *pos)
{
	unsigned long data = file_data(file->private_data);
	size_t length = min_t(size_t, count, VALUE_LEN - 1);
	unsigned int key = data_key(data);
	struct pwrctl_refusal why = {
		.key = key,
		.sentence = pwrctl_settings_table[key].refusal,
	};
	struct pwrctl_domain *domain;
	char buffer[VALUE_LEN];
	bool whole;
	char *text;
	int ret;

	if (copy_from_user(buffer, from, length))
		return -EFAULT;
	buffer[length] = '\0';
	whole = length == count && strlen(buffer) == length;
	text = strim(buffer);

	mutex_lock(&pwrctl_attach_mutex);
	domain = data_domain(data);
	ret = PTR_ERR_OR_ZERO(domain);
	if (ret)
		goto unlock;
	/* one write is one whole value, without a hidden end */
	if (whole)
		ret = set(domain, key, text, &why);
	else
		ret = -EINVAL;
	if (ret)
		keep_refusal(domain, key, text, &why);
unlock:
	mutex_unlock(&pwrctl_attach_mutex);
	return ret ?: count;
}

static const struct file_operations setting_fops = {
	.owner = THIS_MODULE,
	.open = setting_open,
	.read = seq_read,
	.write = setting_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static void make_settings(struct dentry *dir, unsigned long id)
{
	u32 scope = id == FILE_GLOBAL ? PWRCTL_SCOPE_GLOBAL : PWRCTL_SCOPE_DOMAIN;
	unsigned int key;

	for (key = 1; key < PWRCTL_SETTINGS_END; key++)
		if (pwrctl_settings_table[key].scope & scope)
			debugfs_create_file(pwrctl_settings_table[key].name, 0644, dir,
					    FILE_DATA(id, key), &setting_fops);
}

/* The module as a whole. */

static int error_show(struct seq_file *m, void *unused)
{
	mutex_lock(&pwrctl_attach_mutex);
	if (last_refusal[0])
		seq_printf(m, "%s\n", last_refusal);
	mutex_unlock(&pwrctl_attach_mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(error);

static void put_cpu_rows(struct seq_file *m, const struct pwrctl_view *view)
{
	unsigned int cpu;

	for_each_cpu(cpu, view->domain->cpus) {
		u32 capacity = arch_scale_cpu_capacity(cpu);
		u32 average = pwrctl_hint_scale(view->average, cpu);

		seq_printf(m, "%-5u %-12s %8u %8u %8u %8u %llu\n", cpu, view->domain->name,
			   capacity, pwrctl_hint_scale(view->pressure, cpu), average,
			   capacity - min(capacity, average), view->clock_ns);
	}
}

static void put_cpu_table(struct seq_file *m)
{
	struct pwrctl_domain *domain;
	struct pwrctl_view view;

	lockdep_assert_held(&pwrctl_attach_mutex);

	seq_printf(m, "%-5s %-12s %8s %8s %8s %8s %s\n", "cpu", "domain", "capacity", "pressure",
		   "average", "hint", "clock_ns");
	list_for_each_entry(domain, &pwrctl_domains, list) {
		pwrctl_domain_view(domain, &view);
		put_cpu_rows(m, &view);
	}
}

static int cpus_show(struct seq_file *m, void *unused)
{
	mutex_lock(&pwrctl_attach_mutex);
	put_cpu_table(m);
	mutex_unlock(&pwrctl_attach_mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(cpus);

static void put_totals(struct seq_file *m)
{
	struct pwrctl_domain *domain;
	struct pwrctl_tally sum;
	unsigned int domains = 0;

	lockdep_assert_held(&pwrctl_attach_mutex);

	list_for_each_entry(domain, &pwrctl_domains, list)
		domains++;
	pwrctl_domain_tally(&sum);
	seq_printf(m, "version %s\n", PWRCTL_VERSION);
	seq_printf(m, "api_version %u\n", PWRCTL_API_VERSION);
	seq_printf(m, "domains %u\n", domains);
	seq_printf(m, "events %llu\n", sum.events);
	seq_printf(m, "pushes %llu\n", sum.pushes);
	seq_printf(m, "timer_fires %llu\n", sum.timer_fires);
	seq_printf(m, "notifiers %u\n", pwrctl_outlet_symbols_count());
	seq_printf(m, "listeners %u\n", pwrctl_netlink_has_listeners());
	seq_printf(m, "traced %u\n", pwrctl_outlet_trace_enabled());
	seq_puts(m, "causes ");
	put_causes(m, pwrctl_domain_causes());
	seq_printf(m, "\nattach_errors %llu\n", pwrctl_domain_attach_errors());
	seq_printf(m, "lost_events %llu\n", pwrctl_netlink_lost_events());
	seq_printf(m, "door_kind %u\n", pwrctl_door_kind());
	seq_printf(m, "kfuncs %u\n", pwrctl_bpf_registered());
}

static void put_history_row(struct seq_file *m, const struct pwrctl_view *view)
{
	const struct pwrctl_exposure *sum = &view->exposure;
	u32 cap_khz, pressure;

	pwrctl_domain_means(view, &cap_khz, &pressure);
	seq_printf(m, "%-12s %8llu %8llu %11llu %20llu %20llu %20llu %12u %13u\n",
		   view->domain->name, view->tally.events, view->tally.pushes,
		   view->tally.timer_fires, sum->last_ns - sum->start_ns, sum->capped_ns,
		   sum->lost_ns, cap_khz, pressure);
}

static int stats_show(struct seq_file *m, void *unused)
{
	struct pwrctl_domain *domain;
	struct pwrctl_view view;

	mutex_lock(&pwrctl_attach_mutex);
	put_totals(m);
	seq_printf(m, "\n%-12s %8s %8s %11s %20s %20s %20s %12s %13s\n", "domain", "events",
		   "pushes", "timer_fires", "total_ns", "capped_ns", "lost_ns", "mean_cap_khz",
		   "mean_pressure");
	list_for_each_entry(domain, &pwrctl_domains, list) {
		pwrctl_domain_view(domain, &view);
		put_history_row(m, &view);
	}
	mutex_unlock(&pwrctl_attach_mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(stats);

static void put_domain_row(struct seq_file *m, const struct pwrctl_view *view)
{
	seq_printf(m, "%-12s %-10s ", view->domain->name,
		   pwrctl_settings_mode_word(view->params.mode));
	if (view->cap_khz == PWRCTL_NO_CAP)
		seq_printf(m, "%10s", "none");
	else
		seq_printf(m, "%10u", view->cap_khz);
	seq_printf(m, " %-8s %13u %-20s %8u %7u %20llu  %*pbl\n",
		   pwrctl_settings_cause_word(view->cause), view->reference_khz,
		   pwrctl_settings_origin_word(view->origin),
		   pwrctl_filter_to_1024(view->pressure), pwrctl_filter_to_1024(view->average),
		   view->clock_ns, cpumask_pr_args(view->domain->cpus));
}

static void put_domain_table(struct seq_file *m)
{
	struct pwrctl_domain *domain;
	struct pwrctl_view view;

	lockdep_assert_held(&pwrctl_attach_mutex);

	seq_printf(m, "%-12s %-10s %10s %-8s %13s %-20s %8s %7s %20s  %s\n", "domain", "mode",
		   "cap_khz", "cause", "reference_khz", "origin", "pressure", "average",
		   "clock_ns", "cpus");
	list_for_each_entry(domain, &pwrctl_domains, list) {
		pwrctl_domain_view(domain, &view);
		put_domain_row(m, &view);
	}
}

/* Global settings, and those of the domains that differ. */
static void put_settings(struct seq_file *m)
{
	struct pwrctl_domain *domain;
	unsigned int key;

	lockdep_assert_held(&pwrctl_attach_mutex);

	for (key = 1; key < PWRCTL_SETTINGS_END; key++) {
		if (!(pwrctl_settings_table[key].scope & PWRCTL_SCOPE_GLOBAL))
			continue;
		seq_printf(m, "%s ", pwrctl_settings_table[key].name);
		put_setting(m, NULL, key);
		seq_putc(m, '\n');
	}
	list_for_each_entry(domain, &pwrctl_domains, list) {
		u32 own = pwrctl_settings_own(domain);

		for (key = 1; key < PWRCTL_SETTINGS_END; key++) {
			if (!(own & BIT(key)))
				continue;
			seq_printf(m, "%s/%s ", domain->name, pwrctl_settings_table[key].name);
			put_setting(m, domain, key);
			seq_putc(m, '\n');
		}
	}
}

static int summary_show(struct seq_file *m, void *unused)
{
	mutex_lock(&pwrctl_attach_mutex);
	put_domain_table(m);
	seq_putc(m, '\n');
	put_cpu_table(m);
	seq_putc(m, '\n');
	put_settings(m);
	mutex_unlock(&pwrctl_attach_mutex);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(summary);

/* Directories of domains, kept in step by a work item. */

static bool has_domain(unsigned int id)
{
	bool has;

	mutex_lock(&pwrctl_attach_mutex);
	has = !IS_ERR(data_domain((unsigned long)FILE_DATA(id + 1UL, 0)));
	mutex_unlock(&pwrctl_attach_mutex);
	return has;
}

static void make_directory(unsigned int id)
{
	char name[PWRCTL_NAME_LEN];
	struct dentry *dir;
	size_t i;

	scnprintf(name, sizeof(name), "policy%u", id);
	dir = debugfs_create_dir(name, domains_dir);
	/* the next change of the list tries again */
	if (IS_ERR(dir))
		return;
	directories[id] = dir;
	for (i = 0; i < ARRAY_SIZE(domain_files); i++)
		debugfs_create_file(domain_files[i].name, 0444, dir, FILE_DATA(id + 1UL, 0),
				    domain_files[i].fops);
	make_settings(dir, id + 1UL);
}

static void reconcile(struct work_struct *unused)
{
	unsigned int id;

	for (id = 0; directories && id < nr_cpu_ids; id++) {
		bool wanted = has_domain(id);

		if (wanted && !directories[id])
			make_directory(id);
		if (!wanted && directories[id]) {
			debugfs_remove(directories[id]);
			directories[id] = NULL;
		}
	}
}

static DECLARE_WORK(reconcile_work, reconcile);

/**
 * pwrctl_debugfs_domains_changed() - a domain came or went
 *
 * Context: pwrctl_attach_mutex held.
 */
void pwrctl_debugfs_domains_changed(void)
{
	lockdep_assert_held(&pwrctl_attach_mutex);
	if (started)
		schedule_work(&reconcile_work);
}

/**
 * pwrctl_debugfs_start() - make the tree
 *
 * A kernel without debugfs, or with it locked, is no reason to fail.
 *
 * Context: Process context, no lock held.
 */
void pwrctl_debugfs_start(void)
{
	root = debugfs_create_dir("pwrctl", NULL);
	make_settings(root, FILE_GLOBAL);
	debugfs_create_file("error", 0444, root, NULL, &error_fops);
	debugfs_create_file("cpus", 0444, root, NULL, &cpus_fops);
	debugfs_create_file("summary", 0444, root, NULL, &summary_fops);
	debugfs_create_file("stats", 0444, root, NULL, &stats_fops);
	domains_dir = debugfs_create_dir("domains", root);
	directories = kcalloc(nr_cpu_ids, sizeof(*directories), GFP_KERNEL);

	mutex_lock(&pwrctl_attach_mutex);
	started = true;
	pwrctl_debugfs_domains_changed();
	mutex_unlock(&pwrctl_attach_mutex);
	flush_work(&reconcile_work);
}

/**
 * pwrctl_debugfs_stop() - remove the tree
 *
 * Context: Process context, no lock held.
 */
void pwrctl_debugfs_stop(void)
{
	mutex_lock(&pwrctl_attach_mutex);
	started = false;
	mutex_unlock(&pwrctl_attach_mutex);
	cancel_work_sync(&reconcile_work);

	debugfs_remove(root);
	kfree(directories);
}
