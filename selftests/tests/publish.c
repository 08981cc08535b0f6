// SPDX-License-Identifier: GPL-2.0-only
/*
 * Publishing: consumers are told what they need and no more, and nothing runs when all is still.
 *
 * Two witnesses: the module's own counters and the kernel's tracing of its functions.
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

#define CAPPED		"policy0"
#define QOS_CAP		SYS_DEBUGFS "/pwrctl_test_qos/cap"
#define CONSUMER	SYS_DEBUGFS "/pwrctl_test_consumer"
#define EVENTS		SYS_TRACING "/events"

#define NSEC_PER_MSEC	1000000ULL
#define STEADY_NS	(10000 * NSEC_PER_MSEC)
#define MOST		2048

/* One call of the notifier, and what the timer was armed for before it, 0 if not seen. */
struct push {
	uint64_t evaluated;
	uint64_t called;
	uint64_t due;
	unsigned int average;
};

/* What the timer was armed for at some time between two clocks. */
struct sample {
	uint64_t before;
	uint64_t after;
	uint64_t due;
};

static struct push pushes[MOST];
static struct sample samples[MOST];
static int sample_count;

static int set(struct nl *nl, uint32_t mode, uint32_t decay_ms, uint32_t quantum)
{
	const struct nl_settings settings = {
		.has = 1u << PWRCTL_A_SET_MODE | 1u << PWRCTL_A_SET_DECAY_MS |
		       1u << PWRCTL_A_SET_QUANTUM,
		.value = {
			[PWRCTL_A_SET_MODE] = mode,
			[PWRCTL_A_SET_DECAY_MS] = decay_ms,
			[PWRCTL_A_SET_QUANTUM] = quantum,
		},
	};

	return nl_set(nl, NULL, &settings, 0);
}

static int load(void)
{
	int ret = sys_insert("pwrctl");

	return ret ? ret : sys_insert_test_module("pwrctl_test_qos", "");
}

static int unload(void)
{
	int ret = sys_remove("pwrctl_test_consumer");

	if (!ret)
		ret = sys_remove("pwrctl_test_qos");
	return ret ? ret : sys_remove("pwrctl");
}

/* How many lines of a file contain all of these words */
static int count_lines(const char *path, const char *word, const char *second)
{
	char *text = sys_read_all(path), *line, *rest = NULL;
	int count = 0;

	if (!text)
		return -1;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		count += line[0] != '#' && strstr(line, word) && strstr(line, second);
	free(text);
	return count;
}

static void show_lines(struct __test_metadata *_metadata, const char *path, const char *word)
{
	char *text = sys_read_all(path), *line, *rest = NULL;
	int most = 20;

	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line && most;
	     line = strtok_r(NULL, "\n", &rest))
		if (line[0] != '#' && strstr(line, word)) {
			TH_LOG("%s", line);
			most--;
		}
	free(text);
}

/* Timers of the module that are armed now. */
static int armed_timers(void)
{
	return count_lines("/proc/timer_list", "[pwrctl]", "");
}

static int wait_until_no_timer(void)
{
	uint64_t start = sys_now();

	while (armed_timers() > 0 && sys_now() - start < SYS_PATIENCE_NS)
		sys_sleep_until(sys_now() + 20 * NSEC_PER_MSEC);
	return armed_timers();
}

static int wait_for_rest(struct nl *nl)
{
	uint64_t start = sys_now();
	struct nl_domain domain;
	int ret;

	do {
		ret = nl_domain(nl, CAPPED, &domain);
		if (ret || domain.average_fine == domain.pressure_fine)
			return ret;
		sys_sleep_until(sys_now() + 10 * NSEC_PER_MSEC);
	} while (sys_now() - start < SYS_PATIENCE_NS);
	return -ETIMEDOUT;
}

static int trace_reset(void)
{
	int ret = sys_write(SYS_TRACING "/tracing_on", "0");

	if (!ret)
		ret = sys_write(SYS_TRACING "/current_tracer", "nop");
	if (!ret)
		ret = sys_write(EVENTS "/enable", "0");
	if (!ret)
		ret = sys_write(SYS_TRACING "/buffer_size_kb", "4096");
	if (!ret)
		ret = sys_write(SYS_TRACING "/trace", " ");
	return ret;
}

/*
 * The second witness: every call of a function of the module. The kernel's own timer events would
 * do as well, but switching them rewrites code that all CPUs are running, and emulators have been
 * seen to stumble over that.
 */
static int trace_module(void)
{
	int ret = trace_reset();

	if (!ret)
		ret = sys_write(SYS_TRACING "/set_ftrace_filter", ":mod:pwrctl");
	if (!ret)
		ret = sys_write(SYS_TRACING "/current_tracer", "function");
	return ret ? ret : sys_write(SYS_TRACING "/tracing_on", "1");
}

/* Nobody is told, so nothing has to run: not for a cap, not while the average moves. */
TEST(no_consumer_no_timer)
{
	struct nl_stats before, after;
	struct nl_domain domain;
	struct nl nl;
	int i;

	ASSERT_EQ(0, load());
	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, set(&nl, PWRCTL_MODE_DECAY, 60, 4));
	ASSERT_EQ(0, nl_stats(&nl, &before));
	ASSERT_EQ(0, trace_module());
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, sys_write(QOS_CAP, "0 %u", i % 2 ? 0 : 1000000));
		EXPECT_EQ(0, armed_timers());
		sys_sleep_until(sys_now() + 120 * NSEC_PER_MSEC);
		EXPECT_EQ(0, nl_domain(&nl, CAPPED, &domain));
		EXPECT_EQ(0, armed_timers());
	}
	ASSERT_EQ(0, sys_write(SYS_TRACING "/tracing_on", "0"));
	ASSERT_EQ(0, nl_stats(&nl, &after));
	/* it saw the caps all right */
	EXPECT_LE(before.events + 4, after.events);
	EXPECT_EQ(before.timer_fires, after.timer_fires);
	EXPECT_EQ(before.pushes, after.pushes);
	EXPECT_EQ(0, count_lines(SYS_TRACING "/trace", "timer_fired", ""));
	EXPECT_EQ(0, count_lines(SYS_TRACING "/trace", "_push", ""));
	EXPECT_LE(4, count_lines(SYS_TRACING "/trace", "qos_changed", ""));
	EXPECT_EQ(0, trace_reset());
	nl_close(&nl);
	EXPECT_EQ(0, unload());
}

FIXTURE(transition) {
	struct nl nl;
};

FIXTURE_VARIANT(transition) {
	uint32_t mode;
	uint32_t decay_ms;
	uint32_t quantum;
	bool slow;
};

FIXTURE_VARIANT_ADD(transition, decay) {
	.mode = PWRCTL_MODE_DECAY, .decay_ms = 150, .quantum = 16
};
FIXTURE_VARIANT_ADD(transition, slow) {
	.mode = PWRCTL_MODE_DECAY, .decay_ms = 300, .quantum = 128, .slow = true
};
FIXTURE_VARIANT_ADD(transition, fine) {
	.mode = PWRCTL_MODE_DECAY, .decay_ms = 300, .quantum = 4
};
FIXTURE_VARIANT_ADD(transition, pelt) {
	.mode = PWRCTL_MODE_PELT, .decay_ms = 100, .quantum = 32
};
FIXTURE_VARIANT_ADD(transition, instant) {
	.mode = PWRCTL_MODE_INSTANT, .decay_ms = 100, .quantum = 16
};

FIXTURE_SETUP(transition)
{
	ASSERT_EQ(0, load());
	ASSERT_EQ(0, sys_insert_test_module("pwrctl_test_consumer", ""));
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, set(&self->nl, variant->mode, variant->decay_ms, variant->quantum));
	ASSERT_EQ(0, wait_until_no_timer());
}

FIXTURE_TEARDOWN(transition)
{
	nl_close(&self->nl);
	EXPECT_EQ(0, unload());
}

/* What the consumer was told about the capped domain */
static int read_log(void)
{
	char *text = sys_read_all(CONSUMER "/log"), *line, *rest = NULL;
	unsigned long long evaluated, called;
	unsigned int cpu, pressure, average;
	char domain[32];
	int count = 0;

	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line && count < MOST;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (sscanf(line, "%31s %u %llu %llu %u %u", domain, &cpu, &evaluated, &called,
			   &pressure, &average) != 6 || strcmp(domain, CAPPED))
			continue;
		pushes[count++] = (struct push){
			.evaluated = evaluated, .called = called, .average = average
		};
	}
	free(text);
	return count;
}

/* What the module's timer is armed for, 0 for no timer. */
static uint64_t armed_for(void)
{
	char *text = sys_read_all("/proc/timer_list"), *at;
	uint64_t when = 0;

	at = text ? strstr(text, "[pwrctl]") : NULL;
	at = at ? strstr(at, " expires at ") : NULL;
	if (at)
		when = strtoull(at + strlen(" expires at "), NULL, 10);
	free(text);
	return when;
}

static void take_sample(void)
{
	struct sample sample = { .before = sys_now() };

	sample.due = armed_for();
	sample.after = sys_now();
	if (sample.due && sample_count < MOST)
		samples[sample_count++] = sample;
}

/*
 * A timer that was seen waiting between two pushes is the one that the second was to come from.
 * One that was due already when it was started tells nothing: who started it was held up.
 */
static int read_due(int count)
{
	int i, j, found = 0;

	for (i = 1, j = 0; i < count; i++) {
		while (j < sample_count && (samples[j].before < pushes[i - 1].called ||
					    samples[j].due < samples[j].after))
			j++;
		if (j < sample_count && samples[j].after < pushes[i].evaluated) {
			pushes[i].due = samples[j].due;
			found++;
		}
	}
	return found;
}

/* Until the log has the exact value last, all that was counted, and no timer is armed. */
static int wait_for_last(struct nl *nl, unsigned int average, uint64_t pushes_before)
{
	uint64_t start = sys_now();
	struct nl_domain domain;
	int count;

	sample_count = 0;
	do {
		for (count = 0; count < 10; count++)
			take_sample();
		count = read_log();
		if (nl_domain(nl, CAPPED, &domain))
			return -1;
		if (count && pushes[count - 1].average == average && !armed_timers() &&
		    domain.pushes == pushes_before + count)
			return count;
	} while (sys_now() - start < SYS_PATIENCE_NS);
	return -1;
}

/* How far the average moves from when push @i was due to when it was evaluated. */
static long double moved_late(const struct model *model, const struct push *push)
{
	if (!push->due || push->due > push->evaluated)
		return 0;
	return fabsl(model_at(model, push->evaluated) - model_at(model, push->due)) * 1024;
}

/* PELT moves in whole periods, each this part of the way that is left. */
static long double period_slack(const struct model *model, const struct push *before, uint32_t mode)
{
	if (mode != PWRCTL_MODE_PELT)
		return 0;
	return fabsl(model->in * 1024 - before->average) * (1 - exp2l(-1 / 32.0L));
}

static void check_steps(struct __test_metadata *_metadata, int count, const struct model *model,
			uint32_t mode, uint32_t quantum)
{
	long double late, worst_late = 0;
	int i, step, worst = 0;

	for (i = 1; i < count; i++) {
		step = abs((int)pushes[i].average - (int)pushes[i - 1].average);
		EXPECT_LE(pushes[i].evaluated, pushes[i].called);
		EXPECT_LE(pushes[i - 1].evaluated + NSEC_PER_MSEC, pushes[i].evaluated);
		/* none too early: only the last one tells less than a quantum (both are rounded) */
		if (i + 1 < count) {
			EXPECT_LE(quantum - 1, step);
		}
		if (!pushes[i].due)
			continue;
		late = moved_late(model, &pushes[i]) + period_slack(model, &pushes[i - 1], mode);
		/* the time of the crossing was rounded up, too */
		EXPECT_TRUE(step <= quantum + late + 2) {
			TH_LOG("push %d: %u after %u, quantum %u; lateness moved it by %Lf", i,
			       pushes[i].average, pushes[i - 1].average, quantum, late);
		}
		worst = step > worst ? step : worst;
		worst_late = fmaxl(worst_late, late);
	}
	TH_LOG("%d pushes, largest step %d, movement during lateness at most %.1Lf", count, worst,
	       worst_late);
}

/* Returns how many steps could be judged by what their timer was armed for. */
static int check_transition(struct __test_metadata *_metadata, struct nl *nl, uint32_t mode,
			    uint32_t decay_ms, uint32_t quantum, uint32_t khz)
{
	struct nl_domain before, after;
	struct model model = { 0 };
	int count, judged;

	EXPECT_EQ(0, nl_domain(nl, CAPPED, &before));
	EXPECT_EQ(0, sys_write(CONSUMER "/log", " "));
	EXPECT_EQ(0, sys_write(QOS_CAP, "0 %u", khz));
	model.in = model_pressure(khz, before.reference);
	count = wait_for_last(nl, lrintl(model.in * 1024), before.pushes);
	EXPECT_LT(0, count) {
		count = read_log();
		TH_LOG("%d pushes, the last one %u", count, count ? pushes[count - 1].average : 0);
	}
	judged = read_due(count);
	EXPECT_EQ(0, nl_domain(nl, CAPPED, &after));

	model.rise = mode == PWRCTL_MODE_DECAY ? decay_ms * 1e6L :
		     mode == PWRCTL_MODE_PELT ? model_pelt_half_life(0) : 0;
	model.fall = model.rise;
	model.avg = pushes[0].average / 1024.0L;
	model.when = pushes[0].evaluated;
	check_steps(_metadata, count, &model, mode, quantum);

	EXPECT_GE(1024 / quantum + 2, count);
	EXPECT_EQ(before.pushes + count, after.pushes);
	if (mode == PWRCTL_MODE_INSTANT) {
		EXPECT_EQ(1, count);
		EXPECT_EQ(before.timer_fires, after.timer_fires);
	}
	return judged;
}

TEST_F(transition, is_told_in_quanta_and_ends_exactly)
{
	int judged = 0, round;

	for (round = 0; round < 2 || (variant->slow && judged < 3 && round < 12); round++)
		judged += check_transition(_metadata, &self->nl, variant->mode, variant->decay_ms,
					   variant->quantum, round % 2 ? 0 : 600000);
	/* slow enough that the timer is seen between pushes even on a busy machine */
	if (variant->slow) {
		EXPECT_LE(3, judged);
	}
}

TEST(steady_state_costs_nothing)
{
	static const char *const never[] = {
		"timer_fired", "_push", "pwrctl_hint:",
	};
	struct nl_stats before, after;
	struct nl nl, listener;
	struct nl_event event;
	uint64_t pushed;
	unsigned int i;

	ASSERT_EQ(0, load());
	ASSERT_EQ(0, sys_insert_test_module("pwrctl_test_consumer", ""));
	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, nl_open(&listener));
	ASSERT_EQ(0, nl_listen(&listener));
	ASSERT_EQ(0, set(&nl, PWRCTL_MODE_DECAY, 50, 16));
	ASSERT_EQ(0, trace_module());
	ASSERT_EQ(0, sys_write(EVENTS "/pwrctl/pwrctl_hint/enable", "1"));
	ASSERT_EQ(0, sys_write(QOS_CAP, "0 1200000"));
	ASSERT_EQ(0, wait_for_rest(&nl));
	ASSERT_EQ(0, wait_until_no_timer());
	while (nl_event(&listener, 100, &event))
		;
	EXPECT_LT(0, count_lines(SYS_TRACING "/trace", "symbols_push", ""));
	EXPECT_LT(0, count_lines(SYS_TRACING "/trace", "pwrctl_hint:", CAPPED));

	ASSERT_EQ(0, nl_stats(&nl, &before));
	EXPECT_EQ(1, before.notifiers);
	EXPECT_EQ(1, before.listeners);
	EXPECT_EQ(1, before.traced);
	EXPECT_LE(2, before.domains);
	pushed = sys_read_number(CONSUMER "/pushes");
	ASSERT_EQ(0, sys_write(SYS_TRACING "/trace", " "));
	sys_sleep_until(sys_now() + STEADY_NS);
	ASSERT_EQ(0, sys_write(SYS_TRACING "/tracing_on", "0"));
	ASSERT_EQ(0, nl_stats(&nl, &after));

	EXPECT_EQ(before.pushes, after.pushes);
	EXPECT_EQ(before.timer_fires, after.timer_fires);
	EXPECT_EQ(before.events, after.events);
	EXPECT_EQ(pushed, sys_read_number(CONSUMER "/pushes"));
	EXPECT_EQ(0, nl_event(&listener, 0, &event));
	/* the second witness was awake */
	EXPECT_LT(0, count_lines(SYS_TRACING "/trace", "<-", ""));
	for (i = 0; i < sizeof(never) / sizeof(*never); i++) {
		EXPECT_EQ(0, count_lines(SYS_TRACING "/trace", never[i], "")) {
			show_lines(_metadata, SYS_TRACING "/trace", never[i]);
		}
	}
	EXPECT_EQ(0, trace_reset());
	EXPECT_EQ(0, sys_write(SYS_TRACING "/set_ftrace_filter", " "));
	nl_close(&listener);
	nl_close(&nl);
	EXPECT_EQ(0, unload());
}

TEST_HARNESS_MAIN
