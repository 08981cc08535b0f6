// SPDX-License-Identifier: GPL-2.0-only
/*
 * lab: kernels=7.3-debug alone seconds=1200
 *
 * Storms: everything at once, bounded and counted. After each the pressure is the closed form of
 * the last cap, nobody is counted who is not there, and the module can be removed.
 *
 * lab.full on the kernel's command line: as often as the figures in the README say.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../lib/harness.h"
#include "../lib/nl.h"
#include "../lib/sys.h"

#define PWRCTL		SYS_DEBUGFS "/pwrctl"
#define POLICIES	2
#define READERS		4

static const char *const names[POLICIES] = { "policy0", "policy2" };

static atomic_bool stop;
static atomic_ulong reads, wrong;
/* The average must lie between these, in parts of 1024. */
static atomic_uint least, most;

static unsigned long how_many(unsigned long few, unsigned long many)
{
	return sys_option("lab.full", 0) ? many : few;
}

/* Readers wait while this is held: only with none of them inside can the module be removed. */
static pthread_rwlock_t gate = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

/* Whoever reads while modules come and go may find nothing; what is found is right. */
static void *read_everything(void *unused)
{
	static const char *const files[] = {
		PWRCTL "/summary", PWRCTL "/stats", PWRCTL "/cpus",
		PWRCTL "/domains/policy0/average", PWRCTL "/domains/policy2/caps",
	};
	struct nl_domain domains[8];
	char text[16384];
	struct nl nl;
	unsigned int i;
	int count;

	while (!stop) {
		pthread_rwlock_rdlock(&gate);
		for (i = 0; i < sizeof(files) / sizeof(*files); i++)
			if (sys_read(files[i], text, sizeof(text)) >= 0)
				reads++;
		if (!nl_open(&nl)) {
			count = nl_domains(&nl, domains, 8);
			while (count-- > 0)
				if (domains[count].average > PWRCTL_SCALE)
					wrong++;
			reads++;
			nl_close(&nl);
		}
		pthread_rwlock_unlock(&gate);
	}
	return NULL;
}

/* No value outside what the caps so far allow. */
static void *check_range(void *unused)
{
	struct nl_cpu cpus[64];
	struct nl nl;
	int count;

	if (nl_open(&nl)) {
		wrong++;
		return NULL;
	}
	while (!stop) {
		count = nl_cpus(&nl, cpus, 64);
		if (count <= 0)
			continue;
		while (count-- > 0) {
			reads++;
			if (cpus[count].average < least || cpus[count].average > most)
				wrong++;
		}
	}
	nl_close(&nl);
	return NULL;
}

static int start(pthread_t *threads, void *(*what)(void *))
{
	unsigned int i;

	stop = false;
	reads = 0;
	wrong = 0;
	for (i = 0; i < READERS; i++)
		if (pthread_create(&threads[i], NULL, what, NULL))
			return -EAGAIN;
	return 0;
}

static void finish(pthread_t *threads)
{
	unsigned int i;

	stop = true;
	for (i = 0; i < READERS; i++)
		pthread_join(threads[i], NULL);
}

static int set_max(const char *policy, unsigned int khz)
{
	char path[128];

	snprintf(path, sizeof(path), SYS_CPUFREQ "/%s/scaling_max_freq", policy);
	return sys_write(path, "%u", khz);
}

/* The pressure of a cap that counts is its closed form. */
static int settled(struct nl *nl, const char *policy, unsigned int khz)
{
	struct nl_domain domain;
	int ret = nl_domain(nl, policy, &domain);
	unsigned int expected;

	if (ret)
		return ret;
	expected = khz >= domain.reference ? 0 :
		   (PWRCTL_SCALE * (unsigned long long)(domain.reference - khz) +
		    domain.reference / 2) / domain.reference;
	if (abs((int)domain.pressure - (int)expected) <= 1)
		return 0;
	printf("# %s at %u kHz has pressure %u instead of %u\n", policy, khz, domain.pressure,
	       expected);
	return -ERANGE;
}

static int count_user(struct nl *nl)
{
	return nl_set_one(nl, NULL, PWRCTL_A_SET_COUNT,
			  1u << PWRCTL_CAUSE_USER | 1u << PWRCTL_CAUSE_INJECTED);
}

TEST(loads_with_readers)
{
	unsigned long loads = how_many(40, 1000), busy = 0, i;
	pthread_t threads[READERS];
	int ret = 0;

	ASSERT_EQ(0, start(threads, read_everything));
	for (i = 0; i < loads && !ret; i++) {
		ret = sys_insert("pwrctl");
		if (!ret)
			ret = sys_remove("pwrctl");
		/* an open file or a request under way holds the module: once more without any */
		if (ret == -EAGAIN) {
			busy++;
			pthread_rwlock_wrlock(&gate);
			ret = sys_remove("pwrctl");
			pthread_rwlock_unlock(&gate);
		}
	}
	finish(threads);
	EXPECT_EQ(0, ret);
	EXPECT_EQ(loads, i);
	EXPECT_EQ(0, wrong);
	EXPECT_NE(0, access("/sys/module/pwrctl", F_OK));
	printf("# %lu removals were refused while somebody read\n", busy);
	sys_count("loads", i);
	sys_count("reads", reads);
}

FIXTURE(storm) {
	struct nl nl;
	struct nl_domain domain;
	struct nl_stats before;
	pthread_t threads[READERS];
};

FIXTURE_SETUP(storm)
{
	ASSERT_EQ(0, sys_insert("pwrctl"));
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, count_user(&self->nl));
	ASSERT_EQ(0, nl_domain(&self->nl, names[0], &self->domain));
	ASSERT_EQ(0, nl_stats(&self->nl, &self->before));
}

FIXTURE_TEARDOWN(storm)
{
	struct nl_stats after;
	unsigned int i;

	for (i = 0; i < POLICIES; i++)
		EXPECT_EQ(0, set_max(names[i], self->domain.reference));
	EXPECT_EQ(0, nl_stats(&self->nl, &after));
	EXPECT_EQ(self->before.domains, after.domains);
	EXPECT_EQ(self->before.notifiers, after.notifiers);
	EXPECT_EQ(self->before.listeners, after.listeners);
	EXPECT_EQ(self->before.attach_errors, after.attach_errors);
	nl_close(&self->nl);
	EXPECT_EQ(0, sys_remove("pwrctl"));
}

TEST_F(storm, caps_at_full_speed)
{
	unsigned long changes = how_many(2000, 10000), i;
	static const unsigned int percent[] = { 80, 40, 60 };
	unsigned int khz = 0, p;
	int ret = 0;

	/* from a settled average on: 20 to 60 percent are missing at any time */
	for (p = 0; p < POLICIES; p++)
		ASSERT_EQ(0, set_max(names[p], self->domain.reference / 100 * 80));
	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_MODE, PWRCTL_MODE_INSTANT));
	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_MODE, PWRCTL_MODE_DECAY));
	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_DECAY_MS, 2));
	least = PWRCTL_SCALE * 20 / 100 - 1;
	most = PWRCTL_SCALE * 60 / 100 + 1;
	ASSERT_EQ(0, start(self->threads, check_range));
	for (i = 0; i < changes && !ret; i++) {
		khz = self->domain.reference / 100 * percent[i % 3];
		for (p = 0; p < POLICIES && !ret; p++)
			ret = set_max(names[p], khz);
	}
	finish(self->threads);
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, wrong);
	EXPECT_LT(0, reads);
	for (p = 0; p < POLICIES; p++)
		EXPECT_EQ(0, settled(&self->nl, names[p], khz));
	sys_count("caps", i * POLICIES);
	sys_count("reads", reads);
}

static int online(unsigned int cpu, int on)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	return sys_write(path, "%d", on);
}

TEST_F(storm, hotplug_under_caps)
{
	unsigned long rounds = how_many(10, 100), i;
	unsigned int khz = 0, cpu;
	int ret = 0;

	least = 0;
	most = PWRCTL_SCALE;
	ASSERT_EQ(0, start(self->threads, read_everything));
	for (i = 0; i < rounds && !ret; i++) {
		/* policy2 loses both of its CPUs */
		for (cpu = 1; cpu < 4 && !ret; cpu++)
			ret = online(cpu, 0);
		khz = self->domain.reference / 100 * (i % 2 ? 40 : 60);
		ret = ret ? ret : set_max(names[0], khz);
		for (cpu = 3; cpu >= 1 && !ret; cpu--)
			ret = online(cpu, 1);
		ret = ret ? ret : set_max(names[1], khz);
	}
	finish(self->threads);
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, wrong);
	EXPECT_EQ(0, settled(&self->nl, names[0], khz));
	EXPECT_EQ(0, settled(&self->nl, names[1], khz));
	sys_count("hotplugs", i * 6);
}

TEST_F(storm, driver_goes_and_returns)
{
	unsigned long rounds = how_many(5, 50), i;
	unsigned int khz = 0, p;
	int ret = 0;

	ASSERT_EQ(0, start(self->threads, read_everything));
	for (i = 0; i < rounds && !ret; i++) {
		khz = self->domain.reference / 100 * (i % 2 ? 40 : 60);
		for (p = 0; p < POLICIES && !ret; p++)
			ret = set_max(names[p], khz);
		ret = ret ? ret : sys_remove("acpi_cpufreq");
		ret = ret ? ret : sys_insert("acpi_cpufreq");
	}
	finish(self->threads);
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, wrong);
	/* a policy that returns has forgotten its limits, and the module has, too */
	for (p = 0; p < POLICIES; p++) {
		EXPECT_EQ(0, settled(&self->nl, names[p], self->domain.reference));
		EXPECT_EQ(0, set_max(names[p], khz));
		EXPECT_EQ(0, settled(&self->nl, names[p], khz));
	}
	sys_count("driver_returns", i);
}

static void *write_debugfs(void *unused)
{
	static const char *const values[] = { "100", "200", "60000", "0", "x" };
	unsigned long i;
	int ret;

	for (i = 0; !stop; i++) {
		ret = sys_write(PWRCTL "/decay_ms", "%s", values[i % 5]);
		/* 0 and x are refused */
		if (!ret != (i % 5 <= 2))
			wrong++;
		ret = sys_write(PWRCTL "/domains/policy0/mode", "%s", i % 2 ? "pelt" : "global");
		if (ret)
			wrong++;
		reads++;
	}
	return NULL;
}

TEST_F(storm, settings_from_two_sides)
{
	unsigned long changes = how_many(2000, 20000), i;
	struct nl_settings settings;
	char text[32] = "";
	int ret = 0;

	ASSERT_EQ(0, start(self->threads, write_debugfs));
	for (i = 0; i < changes && !ret; i++) {
		ret = nl_set_one(&self->nl, NULL, PWRCTL_A_SET_DECAY_MS, 1 + i % 60000);
		if (!ret)
			ret = nl_set_one(&self->nl, names[0], PWRCTL_A_SET_MODE, i % 4);
	}
	finish(self->threads);
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, wrong);
	/* the last one has won, and both sides say so */
	EXPECT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_DECAY_MS, 321));
	EXPECT_EQ(0, nl_set(&self->nl, names[0], NULL, 1u << PWRCTL_A_SET_MODE));
	EXPECT_LT(0, sys_read(PWRCTL "/decay_ms", text, sizeof(text)));
	EXPECT_EQ(0, strncmp(text, "321", 3));
	EXPECT_EQ(0, nl_settings(&self->nl, names[0], &settings));
	EXPECT_EQ(321, settings.value[PWRCTL_A_SET_DECAY_MS]);
	EXPECT_EQ(PWRCTL_MODE_DECAY, settings.value[PWRCTL_A_SET_MODE]);
	sys_count("settings", i * 2 + reads * 2);
}

TEST_F(storm, listeners_that_never_read)
{
	unsigned long changes = how_many(2000, 10000), i;
	struct nl deaf[16];
	struct nl_stats stats;
	struct nl_event event;
	int ret = 0, lost = 0;
	unsigned int d, khz = 0;

	for (d = 0; d < 16; d++) {
		ASSERT_EQ(0, nl_open(&deaf[d]));
		ASSERT_EQ(0, nl_listen(&deaf[d]));
	}
	for (i = 0; i < changes && !ret; i++) {
		khz = self->domain.reference / 100 * (i % 2 ? 40 : 60);
		ret = set_max(names[0], khz);
	}
	EXPECT_EQ(0, ret);
	EXPECT_EQ(0, settled(&self->nl, names[0], khz));
	EXPECT_EQ(0, nl_stats(&self->nl, &stats));
	EXPECT_EQ(1, stats.listeners);
	/* they were told that they missed something, and that is all that happened */
	for (d = 0; d < 16; d++) {
		while ((ret = nl_event(&deaf[d], 0, &event)) > 0)
			;
		lost += ret == -ENOBUFS;
		nl_close(&deaf[d]);
	}
	EXPECT_EQ(16, lost);
	sys_count("events_unread", i * 16);
}

TEST_HARNESS_MAIN
