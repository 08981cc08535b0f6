// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first success on real hardware: a cap that is only pretended, and what the filter makes of
 * it. The clock of every sample is the module's own.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"
#include "out.h"
#include "parse.h"
#include "stop.h"
#include "tool.h"

#define HOLD_NS		10000000000ull
#define FALL_NS		10000000000ull
#define STEP_MS		250
/* The cap outlives its ten seconds a little, so that clearing it is what ends it. */
#define TTL_MS		15000
#define BAR		32

struct attempt {
	struct pwrctl_client *client;
	struct pwrctl_out *out;
	const char *name;
	uint32_t khz;
	uint64_t start_ns;
	uint32_t highest;
};

static const struct pwrctl_cap *injected(const struct pwrctl_domain *domain)
{
	unsigned int i;

	for (i = 0; i < domain->n_caps; i++)
		if (domain->caps[i].cause == PWRCTL_CAUSE_INJECTED && domain->caps[i].khz)
			return &domain->caps[i];
	return NULL;
}

/* What keeps people from seeing the curve that they expect. */
static void warn(struct attempt *attempt, const struct pwrctl_settings *here,
		 const struct pwrctl_settings *global, const struct pwrctl_domain *domain)
{
	uint32_t mode = here->value[PWRCTL_A_SET_MODE];
	uint32_t decay_ms = here->value[PWRCTL_A_SET_DECAY_MS];
	uint32_t fall_ms = here->value[PWRCTL_A_SET_FALL_MS];
	struct pwrctl_out *out = attempt->out;

	if (mode == PWRCTL_MODE_OFF)
		pwrctl_out_say(out, "mode is off: the average stays 0 (pwrctl set mode decay)");
	if (mode == PWRCTL_MODE_INSTANT)
		pwrctl_out_say(out, "mode is instant: the average is the pressure, without a "
			       "curve");
	if (mode == PWRCTL_MODE_DECAY && decay_ms > 3000)
		pwrctl_out_say(out, "decay_ms is %u: ten seconds show only the beginning of the "
			       "rise", decay_ms);
	if (mode == PWRCTL_MODE_DECAY && (fall_ms ? fall_ms : decay_ms) > 3000)
		pwrctl_out_say(out, "the half-life of the fall is %u ms: only its beginning is "
			       "shown", fall_ms ? fall_ms : decay_ms);
	if (mode == PWRCTL_MODE_DECAY && decay_ms < STEP_MS / 5)
		pwrctl_out_say(out, "decay_ms is %u: the rise is over between two lines",
			       decay_ms);
	if (!(global->value[PWRCTL_A_SET_COUNT] & (1u << PWRCTL_CAUSE_INJECTED)))
		pwrctl_out_say(out, "count has no injected: an injected cap makes no pressure "
			       "(pwrctl set count thermal,hw,other,injected)");
	if (domain->cap_khz && domain->cap_khz <= attempt->khz)
		pwrctl_out_say(out, "%s is capped below that already (%s): nothing will change",
			       attempt->name,
			       pwrctl_model_word(pwrctl_model_causes, domain->cause));
}

static void tell_sample(struct attempt *attempt, const struct pwrctl_domain *domain,
			const char *phase)
{
	uint64_t since = domain->clock_ns - attempt->start_ns;
	char bar[BAR + 1], cap[64] = "-";
	unsigned int full = domain->average * BAR / PWRCTL_SCALE;

	if (domain->average > attempt->highest)
		attempt->highest = domain->average;
	if (!pwrctl_out_is_json(attempt->out)) {
		memset(bar, ' ', BAR);
		memset(bar, '#', full < BAR ? full : BAR);
		bar[BAR] = '\0';
		if (domain->cap_khz)
			pwrctl_out_unit(PWRCTL_UNIT_KHZ, domain->cap_khz, cap, sizeof(cap));
		pwrctl_out_say(attempt->out, "%6.2f s %12s %9u %8u |%s|", (double)since / 1e9, cap,
			       domain->pressure, domain->average, bar);
		return;
	}
	pwrctl_out_object(attempt->out, NULL, NULL);
	pwrctl_out_string(attempt->out, "phase", NULL, phase);
	pwrctl_out_string(attempt->out, "name", NULL, domain->name);
	pwrctl_out_number(attempt->out, "clock_ns", NULL, PWRCTL_UNIT_NS, domain->clock_ns);
	if (domain->cap_khz)
		pwrctl_out_number(attempt->out, "cap_khz", NULL, PWRCTL_UNIT_KHZ, domain->cap_khz);
	else
		pwrctl_out_null(attempt->out, "cap_khz", NULL);
	pwrctl_out_number(attempt->out, "pressure", NULL, PWRCTL_UNIT_NONE, domain->pressure);
	pwrctl_out_number(attempt->out, "average", NULL, PWRCTL_UNIT_NONE, domain->average);
	pwrctl_out_object_end(attempt->out);
}

/* Returns 0 when @span_ns of the module's clock are over, 1 when interrupted, -1 on failure. */
static int sample(struct attempt *attempt, const char *phase, uint64_t span_ns, bool until_still)
{
	struct pwrctl_domain domain;
	uint64_t begin_ns = 0;
	int error;

	for (;;) {
		if (pwrctl_client_get_domain(attempt->client, attempt->name, &domain))
			return -1;
		if (!begin_ns)
			begin_ns = domain.clock_ns;
		if (!attempt->start_ns)
			attempt->start_ns = domain.clock_ns;
		tell_sample(attempt, &domain, phase);
		error = pwrctl_out_flush(attempt->out);
		if (!error && domain.clock_ns - begin_ns >= span_ns)
			return 0;
		if (!error && until_still && domain.average == domain.pressure)
			return 0;
		if (!error)
			error = pwrctl_client_wait(attempt->client, STEP_MS);
		if (error < 0)
			return 1;
	}
}

/* Only what is still ours is cleared: another one may have replaced it meanwhile. */
static int clean_up(struct attempt *attempt)
{
	const struct pwrctl_cap *cap;
	struct pwrctl_domain domain;

	if (pwrctl_client_get_domain(attempt->client, attempt->name, &domain))
		return -1;
	cap = injected(&domain);
	if (!cap || cap->khz != attempt->khz)
		return 0;
	return pwrctl_client_inject(attempt->client, attempt->name, 0, 0);
}

static int run_attempt(struct attempt *attempt)
{
	int held, fell = 0, left;

	if (pwrctl_client_inject(attempt->client, attempt->name, attempt->khz, TTL_MS)) {
		pwrctl_out_error("cannot inject a cap into %s: %s", attempt->name,
				 pwrctl_client_fault(attempt->client)->text);
		return PWRCTL_EXIT_FAILED;
	}
	pwrctl_out_say(attempt->out, "%8s %12s %9s %8s", "TIME", "CAP", "PRESSURE", "AVERAGE");
	held = sample(attempt, "rise", HOLD_NS, false);
	if (held < 0)
		pwrctl_main_fail(attempt->client);
	left = clean_up(attempt);
	if (!held && !left)
		fell = sample(attempt, "fall", FALL_NS, true);
	if (left || fell < 0)
		pwrctl_main_fail(attempt->client);
	if (left) {
		pwrctl_out_error("the injected cap could not be cleared; it ends by itself within "
				 "%u s", TTL_MS / 1000);
		return PWRCTL_EXIT_PARTLY;
	}
	if (held || fell) {
		pwrctl_out_say(attempt->out, "ended early; the injected cap is cleared");
		return PWRCTL_EXIT_PARTLY;
	}
	pwrctl_out_say(attempt->out, "the average rose to %u of %u and fell again; the injected "
		       "cap is cleared", attempt->highest, PWRCTL_SCALE);
	return PWRCTL_EXIT_OK;
}

/* The domain that was named, or the first one. */
static int find_domain(struct pwrctl_client *client, const char *name,
		       struct pwrctl_domain *domain)
{
	struct pwrctl_domain *domains;
	size_t count;
	int error;

	if (name) {
		error = pwrctl_client_get_domain(client, name, domain);
		if (error)
			pwrctl_out_error("cannot try %s: %s", name,
					 pwrctl_client_fault(client)->text);
		return error;
	}
	error = pwrctl_client_get_domains(client, &domains, &count);
	if (error)
		pwrctl_main_fail(client);
	else if (count)
		*domain = domains[0];
	else
		pwrctl_out_error("there is no domain to try: no cpufreq policy is there; "
				 "pwrctl doctor tells more");
	free(domains);
	return error ? error : count ? 0 : -ENODEV;
}

static int attempt_on(struct attempt *attempt, struct pwrctl_domain *domain)
{
	struct pwrctl_settings here, global;
	char text[64];

	attempt->name = domain->name;
	attempt->khz = domain->reference_khz / 2 ? domain->reference_khz / 2 : 1;
	if (injected(domain)) {
		pwrctl_out_error("%s has an injected cap already, which is not to be replaced: "
				 "pwrctl inject %s clear ends it", domain->name, domain->name);
		return PWRCTL_EXIT_FAILED;
	}
	if (pwrctl_client_get_settings(attempt->client, attempt->name, &here) ||
	    pwrctl_client_get_settings(attempt->client, NULL, &global))
		return pwrctl_main_fail(attempt->client);
	pwrctl_out_say(attempt->out, "pretending for ten seconds that %s (CPUs %s) is capped to "
		       "%s, half of its reference", domain->name, domain->cpus,
		       pwrctl_out_unit(PWRCTL_UNIT_KHZ, attempt->khz, text, sizeof(text)));
	warn(attempt, &here, &global, domain);
	return run_attempt(attempt);
}

static int run_try(struct pwrctl_run *run)
{
	struct attempt attempt = { 0 };
	struct pwrctl_domain domain;
	int status;

	if (run->argc > 1)
		return pwrctl_main_usage(run, "too much: %s", run->argv[1]);
	if (run->argc && !pwrctl_parse_is_domain(run->argv[0]))
		return pwrctl_main_usage(run, "%s is no domain: it must be like policy0",
					 run->argv[0]);
	attempt.client = pwrctl_main_connect(&status);
	if (!attempt.client)
		return status;
	pwrctl_stop_begin();
	setvbuf(stdout, NULL, _IOLBF, 0);
	attempt.out = pwrctl_out_open(stdout, run->json);
	status = PWRCTL_EXIT_FAILED;
	if (!find_domain(attempt.client, run->argv[0], &domain))
		status = attempt_on(&attempt, &domain);
	else if (pwrctl_client_fault(attempt.client)->kind == PWRCTL_FAULT_VERSION)
		status = PWRCTL_EXIT_MODULE;
	pwrctl_out_close(attempt.out);
	pwrctl_client_close(attempt.client);
	return status;
}

const struct pwrctl_verb pwrctl_verb_try = {
	.name = "try",
	.synopsis = "[policyN]",
	.summary = "pretend a cap for ten seconds and watch the average rise and fall",
	.help =
"Injects half of the domain's reference frequency (the first domain's, when none is named),\n"
"prints cap, pressure and average four times a second, clears the cap and prints the fall.\n"
"No frequency changes. Ctrl-C clears the cap, too. Needs CAP_NET_ADMIN (root). With -j one\n"
"object a line. Exit status 4 when it ended early.\n",
	.run = run_try,
};
