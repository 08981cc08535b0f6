// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "keys.h"
#include "out.h"
#include "show.h"

static int get(struct pwrctl_run *run, struct pwrctl_client *client, const char *domain,
	       uint32_t keys)
{
	struct pwrctl_settings settings;
	char text[128];
	unsigned int i;

	if (pwrctl_client_get_settings(client, domain, &settings))
		return pwrctl_keys_fail(client, "get", domain);
	if (run->json) {
		struct pwrctl_out *out = pwrctl_out_open(stdout, true);

		pwrctl_out_object(out, NULL, NULL);
		pwrctl_show_settings(out, &settings, keys, false);
		pwrctl_show_own(out, &settings);
		pwrctl_out_object_end(out);
		pwrctl_out_close(out);
		return PWRCTL_EXIT_OK;
	}
	/* Plain lines: what get prints, set takes. */
	for (i = 0; i < pwrctl_model_settings_count; i++) {
		const struct pwrctl_setting *setting = &pwrctl_model_settings[i];

		if (settings.have & keys & (1u << setting->id))
			printf("%s %s\n", setting->name,
			       pwrctl_model_value_text(setting, settings.value[setting->id], text,
						       sizeof(text)));
	}
	return PWRCTL_EXIT_OK;
}

static int run_get(struct pwrctl_run *run)
{
	const struct pwrctl_setting *setting;
	struct pwrctl_client *client;
	const char *domain;
	uint32_t keys = 0;
	int next, status;

	domain = pwrctl_keys_domain(run, &next);
	for (; next < run->argc; next++) {
		setting = pwrctl_keys_find(run, run->argv[next], domain);
		if (!setting)
			return PWRCTL_EXIT_USAGE;
		keys |= 1u << setting->id;
	}
	client = pwrctl_main_connect(&status);
	if (!client)
		return status;
	status = get(run, client, domain, keys ? keys : UINT32_MAX);
	pwrctl_client_close(client);
	return status;
}

const struct pwrctl_verb pwrctl_verb_get = {
	.name = "get",
	.synopsis = "[policyN] [KEY]...",
	.summary = "print settings",
	.help =
"Prints \"key value\" lines, of all keys when none is named. With a domain: what is in force\n"
"there. Which values are the domain's own is shown by show policyN, and by -j in \"own\".\n",
	.keys = true,
	.run = run_get,
};
