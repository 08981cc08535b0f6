// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "out.h"
#include "parse.h"
#include "show.h"
#include "tool.h"

/* The short form of a domain: what fits a row of a table. JSON always has everything. */
static void domain_row(struct pwrctl_out *out, const struct pwrctl_domain *domain,
		       const struct pwrctl_settings *settings)
{
	bool has_mode = settings && settings->have & (1u << PWRCTL_A_SET_MODE);

	pwrctl_out_string(out, NULL, "DOMAIN", domain->name);
	pwrctl_out_string(out, NULL, "CPUS", domain->cpus);
	pwrctl_out_number(out, NULL, "REFERENCE", PWRCTL_UNIT_KHZ, domain->reference_khz);
	if (domain->cap_khz)
		pwrctl_out_number(out, NULL, "CAP", PWRCTL_UNIT_KHZ, domain->cap_khz);
	else
		pwrctl_out_null(out, NULL, "CAP");
	pwrctl_out_string(out, NULL, "CAUSE",
			  pwrctl_model_word(pwrctl_model_causes, domain->cause));
	pwrctl_out_number(out, NULL, "PRESSURE", PWRCTL_UNIT_NONE, domain->pressure);
	pwrctl_out_number(out, NULL, "AVERAGE", PWRCTL_UNIT_NONE, domain->average);
	pwrctl_out_string(out, NULL, "MODE", has_mode ?
			  pwrctl_model_word(pwrctl_model_modes,
					    settings->value[PWRCTL_A_SET_MODE]) : "-");
}

/* A domain may leave between the list and its settings: then they are not known. */
static int settings_of(struct pwrctl_client *client, const char *name,
		       struct pwrctl_settings *settings, const struct pwrctl_settings **known)
{
	int error = pwrctl_client_get_settings(client, name, settings);

	*known = error ? NULL : settings;
	return error == -ENODEV || error == -ENOENT ? 0 : error;
}

static int show_domains(struct pwrctl_run *run, struct pwrctl_client *client,
			struct pwrctl_out *out)
{
	struct pwrctl_domain *domains;
	const struct pwrctl_settings *known;
	struct pwrctl_settings settings;
	size_t count, i;
	int error;

	error = pwrctl_client_get_domains(client, &domains, &count);
	if (error) {
		free(domains);
		return pwrctl_main_fail(client);
	}
	pwrctl_out_list(out, NULL, NULL,
			"no domains: no cpufreq policy is there; pwrctl doctor tells more");
	for (i = 0; i < count && !error; i++) {
		error = settings_of(client, domains[i].name, &settings, &known);
		pwrctl_out_object(out, NULL, NULL);
		if (run->json)
			pwrctl_show_domain(out, &domains[i], known);
		else
			domain_row(out, &domains[i], known);
		pwrctl_out_object_end(out);
	}
	pwrctl_out_list_end(out);
	free(domains);
	return error ? pwrctl_main_fail(client) : PWRCTL_EXIT_OK;
}

static int show_one(struct pwrctl_client *client, struct pwrctl_out *out, const char *name)
{
	const struct pwrctl_settings *known;
	struct pwrctl_settings settings;
	struct pwrctl_domain domain;

	if (pwrctl_client_get_domain(client, name, &domain)) {
		pwrctl_out_error("cannot show %s: %s", name, pwrctl_client_fault(client)->text);
		return PWRCTL_EXIT_FAILED + 2 *
		       (pwrctl_client_fault(client)->kind == PWRCTL_FAULT_VERSION);
	}
	if (settings_of(client, name, &settings, &known))
		return pwrctl_main_fail(client);
	pwrctl_out_object(out, NULL, NULL);
	pwrctl_show_domain(out, &domain, known);
	pwrctl_out_object_end(out);
	return PWRCTL_EXIT_OK;
}

static int show_cpus(struct pwrctl_client *client, struct pwrctl_out *out)
{
	struct pwrctl_cpu *cpus;
	size_t count, i;

	if (pwrctl_client_get_cpus(client, &cpus, &count)) {
		free(cpus);
		return pwrctl_main_fail(client);
	}
	pwrctl_out_list(out, NULL, NULL, "no CPU belongs to a domain");
	for (i = 0; i < count; i++) {
		const struct pwrctl_cpu *cpu = &cpus[i];

		pwrctl_out_object(out, NULL, NULL);
		pwrctl_out_number(out, "cpu", "CPU", PWRCTL_UNIT_NONE, cpu->cpu);
		pwrctl_out_string(out, "domain", "DOMAIN", cpu->domain);
		pwrctl_out_number(out, "clock_ns", NULL, PWRCTL_UNIT_NS, cpu->clock_ns);
		pwrctl_out_number(out, "capacity", "CAPACITY", PWRCTL_UNIT_NONE, cpu->capacity);
		pwrctl_out_number(out, "pressure", "PRESSURE", PWRCTL_UNIT_NONE, cpu->pressure);
		pwrctl_out_number(out, "average", "AVERAGE", PWRCTL_UNIT_NONE, cpu->average);
		pwrctl_out_number(out, "hint", "HINT", PWRCTL_UNIT_NONE, cpu->hint);
		pwrctl_out_object_end(out);
	}
	pwrctl_out_list_end(out);
	free(cpus);
	return PWRCTL_EXIT_OK;
}

static int show_stats(struct pwrctl_client *client, struct pwrctl_out *out)
{
	const struct pwrctl_word *word;
	struct pwrctl_stats stats;
	char text[128];

	if (pwrctl_client_get_stats(client, &stats))
		return pwrctl_main_fail(client);
	pwrctl_out_object(out, NULL, NULL);
	pwrctl_out_string(out, "version", "module version", stats.version);
	pwrctl_out_number(out, "domains", "domains", PWRCTL_UNIT_NONE, stats.domains);
	pwrctl_out_number(out, "events", "events", PWRCTL_UNIT_NONE, stats.events);
	pwrctl_out_number(out, "pushes", "pushes", PWRCTL_UNIT_NONE, stats.pushes);
	pwrctl_out_number(out, "timer_fires", "timer fires", PWRCTL_UNIT_NONE, stats.timer_fires);
	pwrctl_out_number(out, "notifiers", "consumers in the kernel", PWRCTL_UNIT_NONE,
			  stats.notifiers);
	pwrctl_out_flag(out, "listeners", "somebody listens", stats.listeners);
	pwrctl_out_flag(out, "traced", "somebody traces", stats.traced);
	pwrctl_out_string(out, NULL, "causes told apart",
			  pwrctl_model_causes_text(stats.causes, text, sizeof(text)));
	if (pwrctl_out_is_json(out)) {
		pwrctl_out_list(out, "causes", NULL, NULL);
		for (word = pwrctl_model_causes; word->word; word++)
			if (word->number && stats.causes & (1u << word->number))
				pwrctl_out_string(out, NULL, NULL, word->word);
		pwrctl_out_list_end(out);
	}
	pwrctl_out_number(out, "attach_errors", "policies not watched", PWRCTL_UNIT_NONE,
			  stats.attach_errors);
	pwrctl_out_number(out, "lost_events", "events lost", PWRCTL_UNIT_NONE, stats.lost_events);
	pwrctl_out_number(out, "kfuncs", "BPF can ask", PWRCTL_UNIT_NONE, stats.kfuncs);
	pwrctl_out_object_end(out);
	return PWRCTL_EXIT_OK;
}

static int run_show(struct pwrctl_run *run)
{
	const char *what = run->argc ? run->argv[0] : "domain";
	bool one = pwrctl_parse_is_domain(what);
	struct pwrctl_client *client;
	struct pwrctl_out *out;
	int status;

	if (run->argc > 1)
		return pwrctl_main_usage(run, "too much: %s", run->argv[1]);
	if (!one && strcmp(what, "domain") && strcmp(what, "cpu") && strcmp(what, "stats"))
		return pwrctl_main_usage(run, "cannot show %s: it must be domain, cpu, stats or "
					 "the name of a domain (policy0)", what);
	client = pwrctl_main_connect(&status);
	if (!client)
		return status;
	out = pwrctl_out_open(stdout, run->json);
	if (one)
		status = show_one(client, out, what);
	else if (!strcmp(what, "cpu"))
		status = show_cpus(client, out);
	else if (!strcmp(what, "stats"))
		status = show_stats(client, out);
	else
		status = show_domains(run, client, out);
	pwrctl_out_close(out);
	pwrctl_client_close(client);
	return status;
}

const struct pwrctl_verb pwrctl_verb_show = {
	.name = "show",
	.synopsis = "[domain | cpu | stats | policyN]",
	.summary = "what is capped, why, and what that costs",
	.help =
"Shows all domains (also: show domain), all CPUs, the module's own counters, or one domain in\n"
"full. Pressure, average, capacity and hint are parts of 1024: pressure is the capacity lost\n"
"now, average the same after the filter, hint the capacity that is left on average.\n",
	.run = run_show,
};
