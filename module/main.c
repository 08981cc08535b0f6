// SPDX-License-Identifier: GPL-2.0-only
/* pwrctl: who there is, and the order in which everything starts and stops. */
#include <linux/kernel.h>
#include <linux/module.h>

#include "pwrctl.h"
#include "version.h"

/* In the order in which they are read, started, and in reverse stopped. */
const struct pwrctl_source *const pwrctl_sources[] = {
	&pwrctl_source_hw,
	&pwrctl_source_cpufreq,
	&pwrctl_source_cooling,
	&pwrctl_source_inject,
	NULL
};

/* In the order in which they are told. */
const struct pwrctl_outlet *const pwrctl_outlets[] = {
	&pwrctl_outlet_hw_pressure,
	&pwrctl_outlet_symbols,
	&pwrctl_outlet_trace,
	&pwrctl_outlet_netlink,
	NULL
};

static void stop_sources_before(const struct pwrctl_source *const *source)
{
	while (source-- != pwrctl_sources)
		if ((*source)->stop)
			(*source)->stop();
}

static int start_sources(void)
{
	const struct pwrctl_source *const *source;
	int ret;

	for (source = pwrctl_sources; *source; source++) {
		ret = (*source)->start ? (*source)->start() : 0;
		if (ret) {
			pr_err("source %s does not start: error %d\n", (*source)->name, ret);
			stop_sources_before(source);
			return ret;
		}
	}
	return 0;
}

static void stop_sources(void)
{
	const struct pwrctl_source *const *end = pwrctl_sources;

	while (*end)
		end++;
	stop_sources_before(end);
}

static void stop_outlets_before(const struct pwrctl_outlet *const *outlet)
{
	while (outlet-- != pwrctl_outlets)
		if ((*outlet)->stop)
			(*outlet)->stop();
}

static int start_outlets(void)
{
	const struct pwrctl_outlet *const *outlet;
	int ret;

	for (outlet = pwrctl_outlets; *outlet; outlet++) {
		ret = (*outlet)->start ? (*outlet)->start() : 0;
		if (ret) {
			pr_err("outlet %s does not start: error %d\n", (*outlet)->name, ret);
			stop_outlets_before(outlet);
			return ret;
		}
	}
	return 0;
}

static void stop_outlets(void)
{
	const struct pwrctl_outlet *const *end = pwrctl_outlets;

	while (*end)
		end++;
	stop_outlets_before(end);
}

static int __init pwrctl_init(void)
{
	int ret;

	ret = pwrctl_settings_start();
	if (ret)
		return ret;
	ret = pwrctl_domain_start();
	if (ret)
		goto stop_settings;
	ret = start_outlets();
	if (ret)
		goto stop_domain;
	ret = start_sources();
	if (ret)
		goto stop_outlets;
	pwrctl_bpf_start();
	pwrctl_debugfs_start();
	return 0;

stop_outlets:
	stop_outlets();
stop_domain:
	pwrctl_domain_stop();
stop_settings:
	pwrctl_settings_stop();
	return ret;
}

static void __exit pwrctl_exit(void)
{
	pwrctl_debugfs_stop();
	stop_sources();
	stop_outlets();
	pwrctl_domain_stop();
	pwrctl_settings_stop();
}

module_init(pwrctl_init);
module_exit(pwrctl_exit);

MODULE_DESCRIPTION("Frequency caps as averaged pressure and capacity hints");
MODULE_AUTHOR("The pwrctl developers");
MODULE_LICENSE("GPL");
MODULE_VERSION(PWRCTL_VERSION);
