// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "client.h"
#include "out.h"
#include "parse.h"
#include "show.h"
#include "tool.h"

#define TTL_DEFAULT_MS	10000

static int answer(struct pwrctl_run *run, struct pwrctl_client *client, const char *name)
{
	struct pwrctl_domain domain;
	struct pwrctl_settings settings;
	struct pwrctl_out *out;

	if (!run->json)
		return PWRCTL_EXIT_OK;
	if (pwrctl_client_get_domain(client, name, &domain) ||
	    pwrctl_client_get_settings(client, name, &settings))
		return pwrctl_main_fail(client);
	out = pwrctl_out_open(stdout, true);
	pwrctl_out_object(out, NULL, NULL);
	pwrctl_show_domain(out, &domain, &settings);
	pwrctl_out_object_end(out);
	pwrctl_out_close(out);
	return PWRCTL_EXIT_OK;
}

static int refuse(struct pwrctl_run *run, struct pwrctl_client *client)
{
	const struct pwrctl_fault *fault = pwrctl_client_fault(client);

	if (fault->attr == PWRCTL_A_INJECT_TTL_MS && run->argc == 4)
		pwrctl_out_error("cannot inject for %s: %s; nothing was changed", run->argv[3],
				 fault->text);
	else if (fault->kind == PWRCTL_FAULT_FAILED)
		pwrctl_out_error("cannot inject %s into %s: %s; nothing was changed", run->argv[1],
				 run->argv[0], fault->text);
	else
		return pwrctl_main_fail(client);
	return PWRCTL_EXIT_FAILED;
}

static int run_inject(struct pwrctl_run *run)
{
	uint32_t khz = 0, ttl_ms = TTL_DEFAULT_MS;
	struct pwrctl_client *client;
	bool clear;
	int status;

	if (run->argc < 2)
		return pwrctl_main_usage(run, "needs a domain and a frequency or clear");
	if (!pwrctl_parse_is_domain(run->argv[0]))
		return pwrctl_main_usage(run, "%s is no domain: it must be like policy0",
					 run->argv[0]);
	clear = !strcmp(run->argv[1], "clear");
	if (!clear && (pwrctl_parse_number(run->argv[1], "kHz", &khz) || !khz))
		return pwrctl_main_usage(run, "cannot inject %s: it must be a frequency, 1 kHz or "
					 "more (1200000, 1.2GHz), or clear", run->argv[1]);
	if (run->argc > 2 && (clear || run->argc != 4 || strcmp(run->argv[2], "ttl")))
		return pwrctl_main_usage(run, "cannot use %s here", run->argv[2]);
	if (run->argc == 4 && pwrctl_parse_number(run->argv[3], "ms", &ttl_ms))
		return pwrctl_main_usage(run, "cannot inject for %s: ttl must be 1 ms to 1 h "
					 "(500ms, 30s)", run->argv[3]);
	client = pwrctl_main_connect(&status);
	if (!client)
		return status;
	if (pwrctl_client_inject(client, run->argv[0], khz, ttl_ms))
		status = refuse(run, client);
	else
		status = answer(run, client, run->argv[0]);
	pwrctl_client_close(client);
	return status;
}

const struct pwrctl_verb pwrctl_verb_inject = {
	.name = "inject",
	.synopsis = "policyN CAP [ttl T]\npolicyN clear",
	.summary = "pretend a cap: it changes hints, never a frequency",
	.help =
"CAP is a frequency in kHz or with a unit (1.2GHz, 800MHz). The cap ends by itself after T\n"
"(1ms to 1h, default 10s); a second one replaces the first. clear ends it now. Needs\n"
"CAP_NET_ADMIN (root). Prints nothing; with -j the domain as it is now.\n",
	.run = run_inject,
};
