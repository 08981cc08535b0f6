// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "keys.h"
#include "out.h"
#include "parse.h"
#include "show.h"

/**
 * pwrctl_keys_domain - take the domain off the front of the operands, if there is one
 * @run: the call
 * @next: index of the operand behind it
 *
 * Return: the domain, or NULL for global.
 */
const char *pwrctl_keys_domain(struct pwrctl_run *run, int *next)
{
	*next = 0;
	if (!run->argc || !pwrctl_parse_is_domain(run->argv[0]))
		return NULL;
	*next = 1;
	return run->argv[0];
}

/**
 * pwrctl_keys_find - find a key that can be used here, or say why there is none
 * @run: the call
 * @name: as typed
 * @domain: of the call, or NULL
 *
 * Return: the setting, or NULL after telling the user.
 */
const struct pwrctl_setting *pwrctl_keys_find(struct pwrctl_run *run, const char *name,
					      const char *domain)
{
	const struct pwrctl_setting *setting = pwrctl_model_setting(name);

	if (!setting)
		pwrctl_main_usage(run, "there is no key %s", name);
	else if (domain && setting->scope == PWRCTL_SCOPE_GLOBAL)
		pwrctl_main_usage(run, "%s is global, a domain has none of its own: "
				  "leave out %s", name, domain);
	else if (!domain && setting->scope == PWRCTL_SCOPE_DOMAIN)
		pwrctl_main_usage(run, "%s belongs to a domain: put its name before it "
				  "(policy0)", name);
	else
		return setting;
	return NULL;
}

/**
 * pwrctl_keys_fail - tell what the last call met, and on which domain
 * @client: of that call
 * @what: the verb
 * @domain: or NULL
 *
 * Return: the exit status that fits.
 */
int pwrctl_keys_fail(struct pwrctl_client *client, const char *what, const char *domain)
{
	const struct pwrctl_fault *fault = pwrctl_client_fault(client);

	if (!domain || fault->kind != PWRCTL_FAULT_FAILED)
		return pwrctl_main_fail(client);
	pwrctl_out_error("cannot %s keys of %s: %s", what, domain, fault->text);
	return PWRCTL_EXIT_FAILED;
}

/**
 * pwrctl_keys_answer - after a change, with -j: the settings that hold now
 * @run: the call
 * @client: open
 * @domain: that was changed, or NULL
 *
 * Return: an exit status.
 */
int pwrctl_keys_answer(struct pwrctl_run *run, struct pwrctl_client *client, const char *domain)
{
	struct pwrctl_settings settings;
	struct pwrctl_out *out;

	if (!run->json)
		return PWRCTL_EXIT_OK;
	if (pwrctl_client_get_settings(client, domain, &settings))
		return pwrctl_main_fail(client);
	out = pwrctl_out_open(stdout, true);
	pwrctl_out_object(out, NULL, NULL);
	pwrctl_show_settings(out, &settings, settings.have, false);
	pwrctl_show_own(out, &settings);
	pwrctl_out_object_end(out);
	pwrctl_out_close(out);
	return PWRCTL_EXIT_OK;
}
