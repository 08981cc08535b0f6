// SPDX-License-Identifier: GPL-2.0-only
#include "keys.h"

static int run_unset(struct pwrctl_run *run)
{
	static const struct pwrctl_settings nothing;
	const struct pwrctl_setting *setting;
	struct pwrctl_client *client;
	const char *domain;
	uint32_t keys = 0;
	int next, status;

	domain = pwrctl_keys_domain(run, &next);
	if (next == run->argc)
		return pwrctl_main_usage(run, "needs a key");
	for (; next < run->argc; next++) {
		setting = pwrctl_keys_find(run, run->argv[next], domain);
		if (!setting)
			return PWRCTL_EXIT_USAGE;
		keys |= 1u << setting->id;
	}
	client = pwrctl_main_connect(&status);
	if (!client)
		return status;
	if (pwrctl_client_set_settings(client, domain, &nothing, keys))
		status = pwrctl_keys_fail(client, "unset", domain);
	else
		status = pwrctl_keys_answer(run, client, domain);
	pwrctl_client_close(client);
	return status;
}

const struct pwrctl_verb pwrctl_verb_unset = {
	.name = "unset",
	.synopsis = "[policyN] KEY...",
	.summary = "let a domain follow the global value again, or restore a default",
	.help =
"With a domain: its own values of these keys are dropped, the global ones hold again. Without:\n"
"the keys return to their defaults. Needs CAP_NET_ADMIN (root). Prints nothing; with -j the\n"
"settings that hold now.\n",
	.keys = true,
	.run = run_unset,
};
