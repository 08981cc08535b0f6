// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "keys.h"
#include "out.h"
#include "parse.h"

/* Values as typed, by PWRCTL_A_SET_*, for what a refusal says. */
struct typed {
	const char *value[PWRCTL_SETTINGS_MAX];
};

static int refuse(struct pwrctl_client *client, const struct typed *typed, const char *domain)
{
	const struct pwrctl_fault *fault = pwrctl_client_fault(client);
	const struct pwrctl_setting *setting = pwrctl_model_setting_by_id(fault->key);

	if (!setting || !typed->value[fault->key])
		return pwrctl_keys_fail(client, "set", domain);
	pwrctl_out_error("cannot set %s to %s: %s; nothing was changed", setting->name,
			 typed->value[fault->key], fault->text);
	return PWRCTL_EXIT_FAILED;
}

static int take_value(struct pwrctl_run *run, const struct pwrctl_setting *setting,
		      const char *text, struct pwrctl_settings *settings, struct typed *typed)
{
	uint32_t value;

	if (settings->have & (1u << setting->id))
		return pwrctl_main_usage(run, "%s is given twice", setting->name);
	if (pwrctl_parse_value(text, setting, &value))
		return pwrctl_main_usage(run, "cannot set %s to %s: %s", setting->name, text,
					 setting->refusal);
	settings->value[setting->id] = value;
	settings->have |= 1u << setting->id;
	typed->value[setting->id] = text;
	return 0;
}

static int run_set(struct pwrctl_run *run)
{
	struct pwrctl_settings settings = { 0 };
	const struct pwrctl_setting *setting;
	struct typed typed = { 0 };
	struct pwrctl_client *client;
	const char *domain;
	int next, status;

	domain = pwrctl_keys_domain(run, &next);
	if (next == run->argc)
		return pwrctl_main_usage(run, "needs a key and a value");
	for (; next < run->argc; next += 2) {
		setting = pwrctl_keys_find(run, run->argv[next], domain);
		if (!setting)
			return PWRCTL_EXIT_USAGE;
		if (next + 1 == run->argc)
			return pwrctl_main_usage(run, "%s needs a value: %s", setting->name,
						 setting->refusal);
		status = take_value(run, setting, run->argv[next + 1], &settings, &typed);
		if (status)
			return status;
	}
	client = pwrctl_main_connect(&status);
	if (!client)
		return status;
	if (pwrctl_client_set_settings(client, domain, &settings, 0))
		status = refuse(client, &typed, domain);
	else
		status = pwrctl_keys_answer(run, client, domain);
	pwrctl_client_close(client);
	return status;
}

const struct pwrctl_verb pwrctl_verb_set = {
	.name = "set",
	.synopsis = "[policyN] KEY VALUE [KEY VALUE]...",
	.summary = "change settings, all of them or none",
	.help =
"Without a domain it sets what holds for every domain that has no value of its own. Several\n"
"keys are one change: when one is refused, nothing changes. Needs CAP_NET_ADMIN (root).\n"
"Prints nothing; with -j the settings that hold now.\n",
	.keys = true,
	.run = run_set,
};
