// SPDX-License-Identifier: GPL-2.0-only
/*
 * nlq: what the shell tests ask and tell the module, by a client that is not the command.
 *
 *   nlq get POLICY FIELD...        the fields' values on one line
 *   nlq is POLICY FIELD VALUE [FIELD VALUE]...   1 and what it is when one is not
 *   nlq cpus                       "CPU DOMAIN PRESSURE AVERAGE HINT", one a line
 *   nlq stats FIELD...
 *   nlq set [POLICY] KEY VALUE [KEY VALUE]...   numbers as in uapi/linux/pwrctl.h
 *   nlq reset                      every setting back to its default
 *   nlq inject POLICY KHZ TTL_MS | nlq inject POLICY clear
 *   nlq wait POLICY FIELD VALUE [FIELD VALUE]...
 *       until all are so; prints how long that took and by how much the waits in between came
 *       late altogether, both in ms; 1 and the last values when it does not come true
 *
 * Fields of a policy: cap cause pressure average reference origin events pushes timer_fires and
 * each cause's own cap: thermal hw user boost other injected. A cap is 0 when there is none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/nl.h"
#include "../lib/sys.h"

#define WAIT_STEP_NS	5000000ULL

static const char *const causes[] = {
	"none", "thermal", "hw", "user", "boost", "other", "injected",
};

static const char *const keys[] = {
	NULL, "mode", "decay_ms", "fall_ms", "pelt_shift", "count", "quantum", "reference_khz",
	"outlet",
};

static void die(const char *what, const char *which)
{
	fprintf(stderr, "nlq: %s %s\n", what, which);
	exit(2);
}

static void check(struct nl *nl, int ret, const char *what)
{
	if (!ret)
		return;
	fprintf(stderr, "nlq: %s: %s%s%s\n", what, strerror(-ret), nl->refusal[0] ? ": " : "",
		nl->refusal);
	exit(1);
}

/* A field as text, in one of a few buffers that are used in turn. */
static const char *number(unsigned long long value)
{
	static char texts[8][24];
	static unsigned int which;
	char *text = texts[which++ % 8];

	snprintf(text, sizeof(texts[0]), "%llu", value);
	return text;
}

static const char *domain_field(const struct nl_domain *domain, const char *field)
{
	unsigned int i;

	if (!strcmp(field, "cause"))
		return domain->cause < __PWRCTL_CAUSE_END ? causes[domain->cause] : "?";
	if (!strcmp(field, "cap"))
		return number(domain->cap);
	if (!strcmp(field, "pressure"))
		return number(domain->pressure);
	if (!strcmp(field, "average"))
		return number(domain->average);
	if (!strcmp(field, "reference"))
		return number(domain->reference);
	if (!strcmp(field, "origin"))
		return number(domain->origin);
	if (!strcmp(field, "events"))
		return number(domain->events);
	if (!strcmp(field, "pushes"))
		return number(domain->pushes);
	if (!strcmp(field, "timer_fires"))
		return number(domain->timer_fires);
	for (i = PWRCTL_CAUSE_THERMAL; i < __PWRCTL_CAUSE_END; i++)
		if (!strcmp(field, causes[i]))
			return domain->told & 1u << i ? number(domain->caps[i]) : "unknown";
	die("no field", field);
	return NULL;
}

static int cmd_get(struct nl *nl, int argc, char **argv)
{
	struct nl_domain domain;
	int i;

	if (argc < 2)
		die("which", "field?");
	check(nl, nl_domain(nl, argv[0], &domain), argv[0]);
	for (i = 1; i < argc; i++)
		printf("%s%s", domain_field(&domain, argv[i]), i + 1 < argc ? " " : "\n");
	return 0;
}

static int cmd_cpus(struct nl *nl, int argc, char **argv)
{
	static struct nl_cpu cpus[1024];
	int count, i;

	if (argc)
		die("what is", argv[0]);
	count = nl_cpus(nl, cpus, 1024);
	check(nl, count < 0 ? count : 0, "cpus");
	for (i = 0; i < count; i++)
		printf("%u %s %u %u %u\n", cpus[i].cpu, cpus[i].domain[0] ? cpus[i].domain : "-",
		       cpus[i].pressure, cpus[i].average, cpus[i].hint);
	return 0;
}

static int cmd_stats(struct nl *nl, int argc, char **argv)
{
	struct nl_stats stats;
	const char *text;
	int i;

	check(nl, nl_stats(nl, &stats), "stats");
	for (i = 0; i < argc; i++) {
		text = NULL;
		if (!strcmp(argv[i], "domains"))
			text = number(stats.domains);
		else if (!strcmp(argv[i], "events"))
			text = number(stats.events);
		else if (!strcmp(argv[i], "pushes"))
			text = number(stats.pushes);
		else if (!strcmp(argv[i], "timer_fires"))
			text = number(stats.timer_fires);
		else if (!strcmp(argv[i], "attach_errors"))
			text = number(stats.attach_errors);
		else
			die("no field", argv[i]);
		printf("%s%s", text, i + 1 < argc ? " " : "\n");
	}
	return 0;
}

static int cmd_set(struct nl *nl, int argc, char **argv)
{
	struct nl_settings settings = { 0 };
	const char *domain = NULL;
	unsigned int key;
	int i = 0;

	if (argc % 2)
		domain = argv[i++];
	for (; i < argc; i += 2) {
		for (key = 1; key < sizeof(keys) / sizeof(*keys); key++)
			if (!strcmp(argv[i], keys[key]))
				break;
		if (key == sizeof(keys) / sizeof(*keys))
			die("no key", argv[i]);
		settings.has |= 1u << key;
		settings.value[key] = strtoul(argv[i + 1], NULL, 0);
	}
	check(nl, nl_set(nl, domain, &settings, 0), "set");
	return 0;
}

static int cmd_reset(struct nl *nl, int argc, char **argv)
{
	if (argc)
		die("what is", argv[0]);
	check(nl, nl_reset(nl), "reset");
	return 0;
}

static int cmd_inject(struct nl *nl, int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "clear"))
		check(nl, nl_inject_clear(nl, argv[0]), argv[0]);
	else if (argc == 3)
		check(nl, nl_inject(nl, argv[0], strtoul(argv[1], NULL, 0),
				    strtoul(argv[2], NULL, 0)), argv[0]);
	else
		die("inject", "what?");
	return 0;
}

static bool all_so(const struct nl_domain *domain, int argc, char **argv)
{
	int i;

	for (i = 0; i + 1 < argc; i += 2)
		if (strcmp(domain_field(domain, argv[i]), argv[i + 1]))
			return false;
	return true;
}

static void tell_difference(const struct nl_domain *domain, const char *policy, int argc,
			    char **argv)
{
	int i;

	fprintf(stderr, "nlq: %s:", policy);
	for (i = 0; i + 1 < argc; i += 2)
		fprintf(stderr, " %s is %s, not %s;", argv[i], domain_field(domain, argv[i]),
			argv[i + 1]);
	fprintf(stderr, " caps:");
	for (i = PWRCTL_CAUSE_THERMAL; i < __PWRCTL_CAUSE_END; i++)
		fprintf(stderr, " %s %s", causes[i], domain_field(domain, causes[i]));
	fprintf(stderr, "\n");
}

static int cmd_is(struct nl *nl, int argc, char **argv)
{
	struct nl_domain domain;

	if (argc < 3 || argc % 2 == 0)
		die("is", "what?");
	check(nl, nl_domain(nl, argv[0], &domain), argv[0]);
	if (all_so(&domain, argc - 1, argv + 1))
		return 0;
	tell_difference(&domain, argv[0], argc - 1, argv + 1);
	return 1;
}

static int cmd_wait(struct nl *nl, int argc, char **argv)
{
	uint64_t start = sys_now(), late = 0, now = start, next;
	struct nl_domain domain = { 0 };
	int ret;

	if (argc < 3 || argc % 2 == 0)
		die("wait", "for what?");
	do {
		ret = nl_domain(nl, argv[0], &domain);
		now = sys_now();
		if (!ret && all_so(&domain, argc - 1, argv + 1)) {
			printf("%llu %llu\n", (unsigned long long)(now - start) / 1000000,
			       (unsigned long long)late / 1000000);
			return 0;
		}
		next = now + WAIT_STEP_NS;
		sys_sleep_until(next);
		late += sys_now() - next;
	} while (now - start < SYS_PATIENCE_NS);
	check(nl, ret, argv[0]);
	tell_difference(&domain, argv[0], argc - 1, argv + 1);
	return 1;
}

static const struct {
	const char *name;
	int (*run)(struct nl *nl, int argc, char **argv);
} verbs[] = {
	{ "get", cmd_get }, { "cpus", cmd_cpus }, { "stats", cmd_stats }, { "set", cmd_set },
	{ "reset", cmd_reset }, { "inject", cmd_inject }, { "is", cmd_is }, { "wait", cmd_wait },
};

int main(int argc, char **argv)
{
	struct nl nl;
	unsigned int i;
	int ret;

	if (argc < 2)
		die("what", "to do?");
	for (i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(argv[1], verbs[i].name))
			break;
	if (i == sizeof(verbs) / sizeof(*verbs))
		die("no verb", argv[1]);
	ret = nl_open(&nl);
	check(&nl, ret, "cannot connect");
	ret = verbs[i].run(&nl, argc - 2, argv + 2);
	nl_close(&nl);
	return ret;
}
