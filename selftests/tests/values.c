// SPDX-License-Identifier: GPL-2.0-only
/*
 * Values: a cap of known kHz must become the pressure and the average that the closed form says.
 *
 * Nothing here depends on how fast the machine is. The boot clock is read before and after every
 * write and every read: the average must lie between what the model says for the shortest and
 * for the longest time that may have passed. How many points a case has is counted, not hoped
 * for: a transition in which the machine slept too much is run again.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/harness.h"
#include "../lib/model.h"
#include "../lib/nl.h"
#include "../lib/sys.h"

#define POLICY		"policy0"
#define QOS_CAP		SYS_DEBUGFS "/pwrctl_test_qos/cap"
#define HINTS		SYS_DEBUGFS "/pwrctl_test_consumer/hints"
#define MAX_FREQ	SYS_CPUFREQ "/" POLICY "/scaling_max_freq"

/* Of 1024. */
#define TOLERANCE	2.0L
/* A point counts when the clocks around it leave no more doubt than this, of 1024. */
#define SHARP		16.0L
#define POINTS		20
#define MIDDLE_POINTS	(POINTS / 2)
#define ATTEMPTS	12
#define FINE_ONE	((long double)(1ULL << 62))

enum way { BY_DRIVER, BY_USER, BY_INJECTION };
enum view { VIEW_DOMAIN, VIEW_CPU, VIEW_SYMBOL, VIEWS };

/* Clocks around something. */
struct bracket {
	uint64_t before;
	uint64_t after;
};

/*
 * A step of the cap, and how many points of what followed have been seen. PELT shows a new average
 * when one of its periods is over, not before: in mode pelt @period is how long the old one may
 * stand, otherwise 0.
 */
struct transition {
	struct model model;
	uint64_t period;
	struct bracket step;
	int points;
	int middle;
};

FIXTURE(values) {
	struct nl nl;
	struct nl_domain start;
};

FIXTURE_VARIANT(values) {
	uint32_t mode;
	uint32_t decay_ms;
	uint32_t fall_ms;
	uint32_t pelt_shift;
};

FIXTURE_VARIANT_ADD(values, instant) { .mode = PWRCTL_MODE_INSTANT, .decay_ms = 100 };
FIXTURE_VARIANT_ADD(values, decay) { .mode = PWRCTL_MODE_DECAY, .decay_ms = 120 };
FIXTURE_VARIANT_ADD(values, decay_and_fall) {
	.mode = PWRCTL_MODE_DECAY, .decay_ms = 150, .fall_ms = 90
};
FIXTURE_VARIANT_ADD(values, pelt) { .mode = PWRCTL_MODE_PELT, .decay_ms = 100 };
FIXTURE_VARIANT_ADD(values, pelt_shift_2) {
	.mode = PWRCTL_MODE_PELT, .decay_ms = 100, .pelt_shift = 2
};

static int reset(struct nl *nl)
{
	int ret;

	ret = sys_write(QOS_CAP, "0 0");
	if (!ret)
		ret = nl_inject_clear(nl, POLICY);
	if (!ret)
		ret = sys_write(MAX_FREQ, "%lld", sys_read_number(SYS_CPUFREQ "/" POLICY
								  "/cpuinfo_max_freq"));
	return ret ? ret : nl_reset(nl);
}

static int unload_all(void)
{
	int ret = sys_remove("pwrctl_test_consumer");

	if (!ret)
		ret = sys_remove("pwrctl_test_qos");
	return ret ? ret : sys_remove("pwrctl");
}

/* They stay for the tests that follow: loading takes longer than most of them. */
static int load_all(void)
{
	int ret;

	ret = sys_insert("pwrctl");
	if (ret)
		return ret;
	ret = sys_insert_test_module("pwrctl_test_qos", "");
	if (ret && ret != -EEXIST)
		return ret;
	ret = sys_insert_test_module("pwrctl_test_consumer", "notifier=0");
	return ret == -EEXIST ? 0 : ret;
}

FIXTURE_SETUP(values)
{
	ASSERT_EQ(0, load_all());
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, reset(&self->nl));
	ASSERT_EQ(0, nl_domain(&self->nl, POLICY, &self->start));
	ASSERT_EQ(0, self->start.cap);
	ASSERT_LT(1000000, self->start.reference);
}

FIXTURE_TEARDOWN(values)
{
	EXPECT_EQ(0, reset(&self->nl));
	nl_close(&self->nl);
}

static int write_cap(struct nl *nl, enum way way, uint32_t khz, uint32_t reference,
		     struct bracket *when)
{
	int ret = -EINVAL;

	when->before = sys_now();
	switch (way) {
	case BY_DRIVER:
		ret = sys_write(QOS_CAP, "0 %u", khz);
		break;
	case BY_USER:
		ret = sys_write(MAX_FREQ, "%u", khz ? khz : reference);
		break;
	case BY_INJECTION:
		ret = khz ? nl_inject(nl, POLICY, khz, 60000) : nl_inject_clear(nl, POLICY);
		break;
	}
	when->after = sys_now();
	return ret;
}

/* One CPU's line of the file "hints" */
static int read_symbol(uint32_t cpu, struct bracket *when, uint32_t *pressure, uint32_t *capacity)
{
	char *text = sys_read_all(HINTS), *line, *rest = NULL;
	unsigned int number, its_pressure, its_capacity;
	unsigned long long before, after;
	int ret = -ENOENT;

	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (sscanf(line, "%u %llu %llu %u %u", &number, &before, &after, &its_pressure,
			   &its_capacity) != 5 || number != cpu)
			continue;
		when->before = before;
		when->after = after;
		*pressure = its_pressure;
		*capacity = its_capacity;
		ret = 0;
	}
	free(text);
	return ret;
}

/* The average of 1024 as one of the views shows it, and the clocks around the look. */
static int look(struct nl *nl, enum view view, struct bracket *when, long double *average,
		struct nl_domain *domain)
{
	uint32_t pressure, capacity;
	struct nl_cpu cpu;
	int ret;

	when->before = sys_now();
	switch (view) {
	case VIEW_DOMAIN:
		ret = nl_domain(nl, POLICY, domain);
		*average = domain->average_fine / FINE_ONE * 1024;
		break;
	case VIEW_CPU:
		ret = nl_cpu(nl, 0, &cpu);
		*average = cpu.average * 1024.0L / cpu.capacity;
		break;
	default:
		ret = read_symbol(0, when, &pressure, &capacity);
		if (!ret)
			*average = pressure * 1024.0L / (pressure + capacity);
		return ret;
	}
	when->after = sys_now();
	return ret;
}

static long double doubt(const struct transition *t, const struct bracket *when, long double *low,
			 long double *high)
{
	struct model early = t->model, late = t->model;
	long double a, b;

	early.when = t->step.before;
	late.when = t->step.after;
	a = model_at(&early, when->after) * 1024;
	b = model_at(&late, when->before) * 1024;
	*low = fminl(a, b);
	*high = fmaxl(a, b);
	if (when->before < t->step.after + t->period) {
		*low = fminl(*low, t->model.avg * 1024);
		*high = fmaxl(*high, t->model.avg * 1024);
	}
	return *high - *low;
}

/* The module's own clocks say exactly what the average has to be. */
static void check_own_clocks(struct __test_metadata *_metadata, const struct transition *t,
			     const struct bracket *when, const struct nl_domain *domain)
{
	long double average = domain->average_fine / FINE_ONE * 1024, expected;
	struct model exact = t->model;

	EXPECT_LE(t->step.before, domain->changed);
	EXPECT_GE(t->step.after, domain->changed);
	EXPECT_LE(when->before, domain->clock);
	EXPECT_GE(when->after, domain->clock);
	exact.when = domain->changed;
	expected = model_at(&exact, domain->clock) * 1024;
	if (domain->clock < domain->changed + t->period)
		return;
	EXPECT_GE(TOLERANCE, fabsl(expected - average)) {
		TH_LOG("%Lf instead of %Lf, %llu ns after the step", average, expected,
		       (unsigned long long)(domain->clock - domain->changed));
	}
}

static void check_point(struct __test_metadata *_metadata, struct nl *nl, struct transition *t,
			enum view view)
{
	long double average = -1, low, high, width, way;
	struct nl_domain domain = { 0 };
	struct bracket when;

	ASSERT_EQ(0, look(nl, view, &when, &average, &domain));
	width = doubt(t, &when, &low, &high);
	EXPECT_TRUE(average >= low - TOLERANCE && average <= high + TOLERANCE) {
		TH_LOG("view %d: %Lf is not in %Lf..%Lf, %llu ns after the step", view, average,
		       low, high, (unsigned long long)(when.before - t->step.before));
	}
	if (view == VIEW_DOMAIN)
		check_own_clocks(_metadata, t, &when, &domain);
	if (width > SHARP)
		return;
	t->points++;
	/* how far of its way the average has come */
	way = t->model.avg == t->model.in ? 0.5L :
	      (low / 1024 - t->model.avg) / (t->model.in - t->model.avg);
	t->middle += way >= 0.1L && way <= 0.9L;
}

/* Follow the average from the step for five half-lives. */
static void follow(struct __test_metadata *_metadata, struct nl *nl, struct transition *t)
{
	long double half = t->model.avg > t->model.in ? t->model.fall : t->model.rise;
	uint64_t pace = half > 0 ? half / 8 : 1000000;
	uint64_t next = sys_now();
	int i;

	for (i = 0; i < 40; i++) {
		check_point(_metadata, nl, t, i % VIEWS);
		if (half <= 0 && t->points >= POINTS)
			break;
		next += pace;
		if (sys_now() < next)
			sys_sleep_until(next);
		else
			next = sys_now();
	}
	if (half <= 0)
		t->middle = t->points;
}

/* The model of what @variant asks for, at rest at @in. */
static struct model model_of(const FIXTURE_VARIANT(values) *variant, long double in)
{
	struct model model = { .in = in, .avg = in };

	switch (variant->mode) {
	case PWRCTL_MODE_DECAY:
		model.rise = variant->decay_ms * 1e6L;
		model.fall = variant->fall_ms ? variant->fall_ms * 1e6L : model.rise;
		break;
	case PWRCTL_MODE_PELT:
		model.rise = model_pelt_half_life(variant->pelt_shift);
		model.fall = model.rise;
		break;
	}
	return model;
}

/* At rest at once: instant is the input, and leaving it starts from there. */
static int rest_and_set_mode(struct nl *nl, const FIXTURE_VARIANT(values) *variant)
{
	struct nl_settings settings = {
		.has = 1u << PWRCTL_A_SET_MODE | 1u << PWRCTL_A_SET_DECAY_MS |
		       1u << PWRCTL_A_SET_FALL_MS | 1u << PWRCTL_A_SET_PELT_SHIFT,
		.value = {
			[PWRCTL_A_SET_MODE] = variant->mode,
			[PWRCTL_A_SET_DECAY_MS] = variant->decay_ms,
			[PWRCTL_A_SET_FALL_MS] = variant->fall_ms,
			[PWRCTL_A_SET_PELT_SHIFT] = variant->pelt_shift,
		},
	};
	int ret = nl_set_one(nl, NULL, PWRCTL_A_SET_MODE, PWRCTL_MODE_INSTANT);

	return ret ? ret : nl_set(nl, NULL, &settings, 0);
}

static void check_transition(struct __test_metadata *_metadata, struct nl *nl,
			     const FIXTURE_VARIANT(values) *variant, enum way way,
			     uint32_t from_khz, uint32_t to_khz, uint32_t reference)
{
	struct transition t = { 0 };
	struct bracket ignored;
	int attempt;

	for (attempt = 0; attempt < ATTEMPTS; attempt++) {
		ASSERT_EQ(0, write_cap(nl, way, from_khz, reference, &ignored));
		ASSERT_EQ(0, rest_and_set_mode(nl, variant));
		t.model = model_of(variant, model_pressure(from_khz, reference));
		ASSERT_EQ(0, write_cap(nl, way, to_khz, reference, &t.step));
		t.model.in = model_pressure(to_khz, reference);
		if (variant->mode == PWRCTL_MODE_PELT)
			t.period = t.model.rise / 32;
		if (variant->mode == PWRCTL_MODE_INSTANT)
			t.model.avg = t.model.in;
		follow(_metadata, nl, &t);
		if (t.points >= POINTS && t.middle >= MIDDLE_POINTS)
			break;
	}
	TH_LOG("%u -> %u kHz: %d points, %d of them between 10 and 90 %%, in %d runs", from_khz,
	       to_khz, t.points, t.middle, attempt + 1);
	EXPECT_LE(POINTS, t.points);
	EXPECT_LE(MIDDLE_POINTS, t.middle);
}

TEST_F(values, average_follows_a_drivers_cap)
{
	uint32_t ref = self->start.reference;

	check_transition(_metadata, &self->nl, variant, BY_DRIVER, 0, ref / 10 * 4, ref);
	check_transition(_metadata, &self->nl, variant, BY_DRIVER, ref / 10 * 4, 0, ref);
	check_transition(_metadata, &self->nl, variant, BY_DRIVER, ref / 3, ref / 4 * 3, ref);
}

/* What does not depend on the mode is not repeated for each. */
FIXTURE(plain) {
	struct nl nl;
	struct nl_domain start;
};

FIXTURE_SETUP(plain)
{
	ASSERT_EQ(0, load_all());
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, reset(&self->nl));
	ASSERT_EQ(0, nl_domain(&self->nl, POLICY, &self->start));
}

FIXTURE_TEARDOWN(plain)
{
	EXPECT_EQ(0, reset(&self->nl));
	nl_close(&self->nl);
}

TEST_F(plain, average_follows_a_users_limit)
{
	const FIXTURE_VARIANT(values) how = { .mode = PWRCTL_MODE_DECAY, .decay_ms = 110 };
	uint32_t ref = self->start.reference;

	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_COUNT, 1 << PWRCTL_CAUSE_USER));
	check_transition(_metadata, &self->nl, &how, BY_USER, 0, ref / 10 * 4, ref);
	check_transition(_metadata, &self->nl, &how, BY_USER, ref / 10 * 4, 0, ref);
}

TEST_F(plain, average_follows_an_injected_cap)
{
	const FIXTURE_VARIANT(values) how = { .mode = PWRCTL_MODE_DECAY, .decay_ms = 110 };
	uint32_t ref = self->start.reference;

	check_transition(_metadata, &self->nl, &how, BY_INJECTION, 0, ref / 10 * 4, ref);
	check_transition(_metadata, &self->nl, &how, BY_INJECTION, ref / 10 * 4, 0, ref);
}

TEST_F(plain, off_is_zero_whatever_caps)
{
	struct nl_domain domain;
	struct bracket step, when;
	long double average;
	int view;

	ASSERT_EQ(0, write_cap(&self->nl, BY_DRIVER, self->start.reference / 2, 0, &step));
	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_MODE, PWRCTL_MODE_OFF));
	for (view = 0; view < VIEWS; view++) {
		ASSERT_EQ(0, look(&self->nl, view, &when, &average, &domain));
		EXPECT_EQ(0, average);
	}
	/* off says nothing, it does not look away */
	ASSERT_EQ(0, nl_domain(&self->nl, POLICY, &domain));
	EXPECT_EQ(512, domain.pressure);
	EXPECT_EQ(self->start.reference / 2, domain.cap);
	/* and leaving it starts from 0 */
	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_DECAY_MS, 60000));
	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_MODE, PWRCTL_MODE_DECAY));
	ASSERT_EQ(0, nl_domain(&self->nl, POLICY, &domain));
	EXPECT_GE(512 * (1 - exp2l(-(long double)(domain.clock - step.before) / 60e9L)) + 1,
		  domain.average);
}

TEST_F(plain, pressure_is_one_minus_cap_by_reference)
{
	uint32_t ref = self->start.reference;
	const uint32_t caps[] = { ref - 1, ref / 10 * 8, ref / 10 * 6, 1234567, 1200000, 1000, 1 };
	struct nl_domain domain;
	long double expected;
	struct bracket when;
	unsigned int i;

	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_MODE, PWRCTL_MODE_INSTANT));
	for (i = 0; i < sizeof(caps) / sizeof(*caps); i++) {
		ASSERT_EQ(0, write_cap(&self->nl, BY_DRIVER, caps[i], ref, &when));
		ASSERT_EQ(0, nl_domain(&self->nl, POLICY, &domain));
		expected = model_pressure(caps[i], ref);
		EXPECT_EQ(caps[i], domain.cap);
		EXPECT_EQ(PWRCTL_CAUSE_OTHER, domain.cause);
		EXPECT_EQ(lrintl(expected * 1024), domain.pressure);
		EXPECT_EQ(domain.pressure_fine, domain.average_fine);
		EXPECT_GE(1e-9L, fabsl(expected - domain.pressure_fine / FINE_ONE));
		EXPECT_LE(when.before, domain.since);
		EXPECT_GE(when.after, domain.since);
	}
	/* at the reference and above it is no cap */
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, write_cap(&self->nl, BY_DRIVER, ref + i * 100000, ref, &when));
		ASSERT_EQ(0, nl_domain(&self->nl, POLICY, &domain));
		EXPECT_EQ(0, domain.cap);
		EXPECT_EQ(0, domain.pressure_fine);
		EXPECT_EQ(PWRCTL_CAUSE_NONE, domain.cause);
	}
}

TEST_F(plain, cpus_of_a_domain_agree)
{
	struct nl_cpu cpus[64];
	struct bracket when;
	int count, i, in_domain = 0;

	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_DECAY_MS, 400));
	ASSERT_EQ(0, write_cap(&self->nl, BY_DRIVER, self->start.reference / 4, 0, &when));
	count = nl_cpus(&self->nl, cpus, 64);
	ASSERT_LT(0, count);
	for (i = 0; i < count; i++) {
		EXPECT_EQ(cpus[i].capacity, cpus[i].average + cpus[i].hint);
		if (strcmp(cpus[i].domain, POLICY)) {
			EXPECT_EQ(0, cpus[i].pressure);
			EXPECT_EQ(0, cpus[i].average);
			continue;
		}
		in_domain++;
		EXPECT_EQ(cpus[0].clock, cpus[i].clock);
		EXPECT_EQ(cpus[0].average, cpus[i].average);
		EXPECT_EQ(cpus[0].pressure, cpus[i].pressure);
	}
	EXPECT_LT(1, in_domain);
}

static void expect_injected(struct __test_metadata *_metadata, struct nl *nl,
			    uint64_t until_before, uint64_t until_after, uint32_t khz)
{
	struct nl_domain domain;
	long double average;
	int before = 0, after = 0;
	uint64_t start = sys_now();
	struct bracket when;

	while (after < VIEWS && sys_now() - start < SYS_PATIENCE_NS) {
		enum view view = (before + after) % VIEWS;

		ASSERT_EQ(0, look(nl, view, &when, &average, &domain));
		if (when.after < until_before) {
			EXPECT_EQ(512, lrintl(average));
			before++;
			if (view == VIEW_DOMAIN) {
				EXPECT_EQ(khz, domain.cap);
				EXPECT_EQ(PWRCTL_CAUSE_INJECTED, domain.cause);
				EXPECT_LE(until_before, domain.inject_until);
				EXPECT_GE(until_after, domain.inject_until);
			}
		} else if (when.before > until_after) {
			EXPECT_EQ(0, average);
			after++;
			if (view == VIEW_DOMAIN)
				EXPECT_EQ(0, domain.cap);
		}
	}
	EXPECT_EQ(VIEWS, after);
}

TEST_F(plain, injected_cap_ends_by_itself)
{
	uint32_t khz = self->start.reference / 2;
	struct bracket when;

	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_MODE, PWRCTL_MODE_INSTANT));
	when.before = sys_now();
	ASSERT_EQ(0, nl_inject(&self->nl, POLICY, khz, 300));
	when.after = sys_now();
	expect_injected(_metadata, &self->nl, when.before + 300000000, when.after + 300000000,
			khz);

	/* the second one replaces the first, its end too */
	ASSERT_EQ(0, nl_inject(&self->nl, POLICY, khz / 2, 3600000));
	when.before = sys_now();
	ASSERT_EQ(0, nl_inject(&self->nl, POLICY, khz, 200));
	when.after = sys_now();
	expect_injected(_metadata, &self->nl, when.before + 200000000, when.after + 200000000,
			khz);
}

/* The end of an injected cap is an event at exactly that time, whenever it is noticed. */
TEST_F(plain, average_falls_from_the_injected_caps_end)
{
	uint32_t khz = self->start.reference / 4;
	const uint64_t ttl = 250000000;
	struct model early, late;
	struct nl_domain domain;
	long double average, a, b;
	struct bracket step, when;
	int i;

	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_DECAY_MS, 200));
	step.before = sys_now();
	ASSERT_EQ(0, nl_inject(&self->nl, POLICY, khz, ttl / 1000000));
	step.after = sys_now();
	sys_sleep_until(step.after + ttl);
	for (i = 0; i < 24; i++) {
		ASSERT_EQ(0, look(&self->nl, i % VIEWS, &when, &average, &domain));
		early = (struct model){ .rise = 200e6L, .fall = 200e6L };
		model_step(&early, step.before, 0.75L);
		model_step(&early, step.before + ttl, 0);
		late = (struct model){ .rise = 200e6L, .fall = 200e6L };
		model_step(&late, step.after, 0.75L);
		model_step(&late, step.after + ttl, 0);
		a = model_at(&early, when.after) * 1024;
		b = model_at(&late, when.before) * 1024;
		EXPECT_LE(a - TOLERANCE, average);
		EXPECT_GE(b + TOLERANCE, average);
		sys_sleep_until(sys_now() + 15000000);
	}
}

static void expect_nothing(struct __test_metadata *_metadata, struct nl *nl)
{
	struct nl_domain domains[16];
	uint32_t pressure, capacity;
	struct nl_cpu cpus[64];
	struct bracket when;
	int count, i;

	count = nl_cpus(nl, cpus, 64);
	ASSERT_LT(0, count);
	for (i = 0; i < count; i++) {
		EXPECT_EQ(0, cpus[i].pressure);
		EXPECT_EQ(0, cpus[i].average);
		EXPECT_EQ(cpus[i].capacity, cpus[i].hint);
	}
	count = nl_domains(nl, domains, 16);
	ASSERT_LT(0, count);
	for (i = 0; i < count; i++) {
		EXPECT_EQ(0, domains[i].cap);
		EXPECT_EQ(PWRCTL_CAUSE_NONE, domains[i].cause);
		EXPECT_EQ(0, domains[i].pressure_fine);
		EXPECT_EQ(0, domains[i].average_fine);
		EXPECT_EQ(0, domains[i].mean_pressure);
		EXPECT_EQ(0, domains[i].capped);
	}
	ASSERT_EQ(0, sys_insert_test_module("pwrctl_test_consumer", "notifier=0"));
	ASSERT_EQ(0, read_symbol(0, &when, &pressure, &capacity));
	EXPECT_EQ(0, pressure);
	EXPECT_EQ(cpus[0].capacity, capacity);
	EXPECT_EQ(0, sys_remove("pwrctl_test_consumer"));
}

TEST(uncapped_is_zero_from_the_first_read)
{
	struct nl nl;
	int i;

	ASSERT_EQ(0, unload_all());
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, sys_insert("pwrctl"));
		ASSERT_EQ(0, nl_open(&nl));
		expect_nothing(_metadata, &nl);
		nl_close(&nl);
		ASSERT_EQ(0, sys_remove("pwrctl"));
	}
}

/* The harness leaves by exit(), its children by _exit(). */
static void leave_nothing(void)
{
	int ret = unload_all();

	if (ret)
		fprintf(stderr, "# cannot unload: %s\n", strerror(-ret));
}

int main(int argc, char **argv)
{
	atexit(leave_nothing);
	return test_harness_run(argc, argv);
}
