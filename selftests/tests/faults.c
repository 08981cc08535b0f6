// SPDX-License-Identifier: GPL-2.0-only
/*
 * lab: kernels=7.3-debug alone seconds=1200 --append lab.nocpufreq
 *
 * Memory that is not there: every allocation of the module's start, of watching a policy, of each
 * netlink request and its events, of debugfs files fails once, in turn. What was asked for fails
 * cleanly or goes on without; the next try works.
 *
 * Leaks are found by the look at the machine that follows each test on the debug kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../lib/harness.h"
#include "../lib/nl.h"
#include "../lib/sys.h"

#define FAILSLAB	SYS_DEBUGFS "/failslab"
#define FAIL_PAGE	SYS_DEBUGFS "/fail_page_alloc"
#define PWRCTL		SYS_DEBUGFS "/pwrctl"
#define MOST		2000

static unsigned long injected;

/* The address of a kernel symbol and, if wanted, of the next one. */
static int symbol(const char *wanted, unsigned long long *start, unsigned long long *end)
{
	unsigned long long address, next = ~0ULL;
	char line[512], name[256];
	FILE *file;
	int pass;

	*start = 0;
	for (pass = 0; pass < 2; pass++) {
		file = fopen("/proc/kallsyms", "re");
		if (!file)
			return -errno;
		while (fgets(line, sizeof(line), file)) {
			if (sscanf(line, "%llx %*c %255s", &address, name) != 2)
				continue;
			if (!pass && !strcmp(name, wanted))
				*start = address;
			else if (pass && address > *start && address < next)
				next = address;
		}
		fclose(file);
	}
	*end = next;
	return *start ? 0 : -ENOENT;
}

/* Only allocations below a function in this range fail; 0 to the end: all. */
static int restrict_to(unsigned long long start, unsigned long long end)
{
	static const char *const who[] = { FAILSLAB, FAIL_PAGE };
	char path[128];
	unsigned int i;
	int ret = 0;

	for (i = 0; i < 2 && !ret; i++) {
		snprintf(path, sizeof(path), "%s/require-start", who[i]);
		ret = sys_write(path, "%#llx", start);
		snprintf(path, sizeof(path), "%s/require-end", who[i]);
		ret = ret ? ret : sys_write(path, "%#llx", end);
		snprintf(path, sizeof(path), "%s/ignore-gfp-wait", who[i]);
		ret = ret ? ret : sys_write(path, "N");
		snprintf(path, sizeof(path), "%s/verbose", who[i]);
		ret = ret ? ret : sys_write(path, "0");
	}
	return ret;
}

/* From the module's first function to its last. */
static int module_text(unsigned long long *start, unsigned long long *end)
{
	unsigned long long address;
	char line[512], owner[64];
	FILE *file;
	char type;

	*start = ~0ULL;
	*end = 0;
	file = fopen("/proc/kallsyms", "re");
	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %c %*s [%63[^]]", &address, &type, owner) != 3)
			continue;
		if ((type != 't' && type != 'T') || strcmp(owner, "pwrctl"))
			continue;
		if (address < *start)
			*start = address;
		/* the last one has a length, too */
		if (address + 256 > *end)
			*end = address + 256;
	}
	fclose(file);
	return *end ? 0 : -ENOENT;
}

static int fail_open(void)
{
	return open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
}

/* The nth allocation of this thread from now on fails. */
static void fail_set(int fd, unsigned int nth)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", nth);

	if (pwrite(fd, text, len, 0) != len)
		abort();
}

/* Ends it; true if it did fail. */
static bool fail_end(int fd)
{
	char text[16] = "";
	bool failed;

	failed = pread(fd, text, sizeof(text) - 1, 0) > 0 && !strtoul(text, NULL, 0);
	fail_set(fd, 0);
	injected += failed;
	return failed;
}

static bool have_faults(void)
{
	return !access("/proc/self/fail-nth", W_OK) && !access(FAILSLAB "/require-start", W_OK);
}

static int insert(void)
{
	struct utsname name;
	char path[256];
	int fd, ret;

	uname(&name);
	snprintf(path, sizeof(path), "/lib/modules/%s/updates/dkms/pwrctl.ko", name.release);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return ret;
}

/*
 * Has @act fail at its first, second, ... allocation until one try meets no failure. Returns how
 * many failed, or -1 with a word about what is wrong.
 */
static int each(const char *what, int (*act)(void *), int (*again)(void *), void *data)
{
	int fd = fail_open(), ret, n;
	bool failed;

	if (fd < 0)
		return -1;
	for (n = 1; n < MOST; n++) {
		fail_set(fd, n);
		ret = act(data);
		failed = fail_end(fd);
		if (ret && ret != -ENOMEM && ret != -ENOBUFS) {
			printf("# %s: failing allocation %d gave %d\n", what, n, ret);
			break;
		}
		if (!failed) {
			close(fd);
			printf("# %s: %d allocations failed\n", what, n - 1);
			return ret ? -1 : n - 1;
		}
		ret = again ? again(data) : act(data);
		if (ret) {
			printf("# %s: the try after failing allocation %d gave %d\n", what, n, ret);
			break;
		}
	}
	close(fd);
	return -1;
}

static int start_and_stop(void *data)
{
	int ret = insert();

	return ret ? ret : sys_remove("pwrctl");
}

TEST(starting)
{
	unsigned long long start, end;

	if (!have_faults())
		SKIP(return, "no fault injection in this kernel");
	ASSERT_EQ(0, symbol("do_one_initcall", &start, &end));
	ASSERT_EQ(0, restrict_to(start, end));
	EXPECT_LT(10, each("starting", start_and_stop, NULL, NULL));
	EXPECT_EQ(0, restrict_to(0, ~0ULL));
	sys_count("faults", injected);
}

/* A policy comes; whether it is watched is another matter. */
static int come(void *data)
{
	return sys_insert_test_module("pwrctl_test_driver", "");
}

static int come_and_go(void *data)
{
	int ret = come(data);

	return ret ? ret : sys_remove("pwrctl_test_driver");
}

/* The driver went: when it comes back all of its policies are watched. */
static int come_again(void *data)
{
	struct nl_stats stats;
	int ret = come(data);

	if (!ret)
		ret = nl_stats(data, &stats);
	if (!ret && stats.domains != 2)
		ret = -ENODEV;
	return ret ? ret : sys_remove("pwrctl_test_driver");
}

TEST(watching)
{
	unsigned long long start, end;
	struct nl nl;

	if (!have_faults())
		SKIP(return, "no fault injection in this kernel");
	ASSERT_EQ(0, insert());
	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, module_text(&start, &end));
	ASSERT_EQ(0, restrict_to(start, end));
	EXPECT_LT(1, each("watching", come_and_go, come_again, &nl));
	EXPECT_EQ(0, restrict_to(0, ~0ULL));
	nl_close(&nl);
	EXPECT_EQ(0, sys_remove("pwrctl"));
	sys_count("faults", injected);
}

static int ask_settings(void *nl)
{
	struct nl_settings settings;

	return nl_settings(nl, NULL, &settings);
}

static int ask_domain(void *nl)
{
	struct nl_domain domain;

	return nl_domain(nl, "policy0", &domain);
}

static int ask_domains(void *nl)
{
	struct nl_domain domains[2];
	int ret = nl_domains(nl, domains, 2);

	return ret == 2 ? 0 : ret < 0 ? ret : -ENODEV;
}

static int ask_cpu(void *nl)
{
	struct nl_cpu cpu;

	return nl_cpu(nl, 0, &cpu);
}

static int ask_stats(void *nl)
{
	struct nl_stats stats;

	return nl_stats(nl, &stats);
}

static int set_and_unset(void *nl)
{
	int ret = nl_set_one(nl, NULL, PWRCTL_A_SET_DECAY_MS, 77);

	return ret ? ret : nl_set(nl, NULL, NULL, 1u << PWRCTL_A_SET_DECAY_MS);
}

static int set_domain(void *nl)
{
	return nl_set_one(nl, "policy0", PWRCTL_A_SET_FALL_MS, 99);
}

static int inject_and_clear(void *nl)
{
	int ret = nl_inject(nl, "policy0", 1000000, 10000);

	return ret ? ret : nl_inject_clear(nl, "policy0");
}

static const struct {
	const char *name;
	int (*act)(void *nl);
	int least;
} requests[] = {
	{ "settings", ask_settings, 1 },
	{ "domain", ask_domain, 1 },
	{ "domain dump", ask_domains, 0 },
	{ "cpu", ask_cpu, 1 },
	{ "stats", ask_stats, 1 },
	/* with a listener: each event is one, too */
	{ "set", set_and_unset, 1 },
	{ "set domain", set_domain, 1 },
	{ "inject", inject_and_clear, 1 },
};

TEST(asking_and_telling)
{
	unsigned long long start, end;
	struct nl nl, listener;
	struct nl_event event;
	struct nl_stats stats;
	unsigned int i;
	int lost = 0;

	if (!have_faults())
		SKIP(return, "no fault injection in this kernel");
	ASSERT_EQ(0, insert());
	ASSERT_EQ(0, come(NULL));
	ASSERT_EQ(0, nl_open(&nl));
	ASSERT_EQ(0, nl_open(&listener));
	ASSERT_EQ(0, nl_listen(&listener));
	ASSERT_EQ(0, module_text(&start, &end));
	ASSERT_EQ(0, restrict_to(start, end));
	for (i = 0; i < sizeof(requests) / sizeof(*requests); i++)
		EXPECT_LE(requests[i].least, each(requests[i].name, requests[i].act, NULL, &nl));
	EXPECT_EQ(0, restrict_to(0, ~0ULL));

	/* events that could not be sent were counted, and the listener was told */
	EXPECT_EQ(0, nl_stats(&nl, &stats));
	EXPECT_LT(0, stats.lost_events);
	for (i = 0; i < 1000 && !lost; i++)
		lost = nl_event(&listener, 0, &event) == -ENOBUFS;
	EXPECT_EQ(1, lost);

	nl_close(&listener);
	nl_close(&nl);
	EXPECT_EQ(0, sys_remove("pwrctl_test_driver"));
	EXPECT_EQ(0, sys_remove("pwrctl"));
	sys_count("faults", injected);
}

static int open_and_read(void *path)
{
	char text[16384];
	long len = sys_read(path, text, sizeof(text));

	return len < 0 ? len : 0;
}

static int write_value(void *path)
{
	return sys_write(path, "100");
}

TEST(debugfs)
{
	static const char *const files[] = {
		"mode", "error", "cpus", "summary", "stats", "domains/policy0/average",
		"domains/policy0/caps", "domains/policy0/decay_ms",
	};
	char path[128];
	unsigned int i;

	if (!have_faults())
		SKIP(return, "no fault injection in this kernel");
	ASSERT_EQ(0, come(NULL));
	ASSERT_EQ(0, insert());
	ASSERT_EQ(0, restrict_to(0, ~0ULL));
	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), PWRCTL "/%s", files[i]);
		EXPECT_LT(0, each(path, open_and_read, NULL, path));
	}
	EXPECT_LT(0, each(path, write_value, NULL, path));
	EXPECT_EQ(0, sys_remove("pwrctl_test_driver"));
	EXPECT_EQ(0, sys_remove("pwrctl"));
	sys_count("faults", injected);
}

TEST_HARNESS_MAIN
