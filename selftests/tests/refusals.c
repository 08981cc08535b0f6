// SPDX-License-Identifier: GPL-2.0-only
/*
 * A value just outside what a setting takes, or of no kind at all, through each of the three
 * channels: netlink, debugfs and module parameters refuse the same values for the same reason,
 * and change nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/harness.h"

#include "../lib/nl.h"
#include "snapshot.h"
#include "../lib/sys.h"

#define DEBUGFS	SYS_DEBUGFS "/pwrctl/"

enum kind { NUMBER, MODE, OUTLET, CAUSES };
enum scope { GLOBAL = 1, DOMAIN = 2, BOTH = 3 };

static const struct setting {
	const char *name;
	const char *refusal;
	enum kind kind;
	enum scope scope;
	uint32_t least;
	uint32_t most;
} settings[] = {
#define PWRCTL_SETTING(id, _name, _kind, _least, _most, preset, unit, _scope, _refusal, help) \
	[PWRCTL_A_SET_##id] = {						\
		.name = #_name,						\
		.refusal = _refusal,					\
		.kind = _kind,						\
		.scope = _scope,					\
		.least = _least,					\
		.most = _most,						\
	},
#include "../../module/settings_table.h"
#undef PWRCTL_SETTING
};

/* No value of any setting. */
static const char *const nonsense[] = {
	"-1", "1.5", "0x10", "1 2", "250ms", "4294967296", "18446744073709551617", "Decay",
	"decay,", "thermal,,hw", "thermal,none", ",thermal", "none,", "unspec", "globa", "'",
};

FIXTURE(refusals) {
	struct nl nl;
	char name[PWRCTL_NAME_LEN];
	struct snapshot before;
};

FIXTURE_SETUP(refusals)
{
	ASSERT_EQ(0, sys_insert("pwrctl"));
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, nl_reset(&self->nl));
	ASSERT_EQ(0, snapshot_take(&self->nl, &self->before));
	ASSERT_LT(0, self->before.count);
	memcpy(self->name, self->before.domains[0].name, sizeof(self->name));
}

FIXTURE_TEARDOWN(refusals)
{
	nl_close(&self->nl);
}

/* The attribute that a refusal blames, of the last message: its type, or -1. */
static int blamed(const struct nl *nl, const struct nl_message *message)
{
	const struct nlattr *attr;

	if (!nl->refused_at || nl->refused_at + sizeof(*attr) > message->header->nlmsg_len)
		return -1;
	attr = (const void *)(message->buffer + nl->refused_at);
	return mnl_attr_get_type(attr);
}

static int set(struct nl *nl, struct nl_message *message, const char *domain, uint16_t key,
	       uint32_t value)
{
	struct nlattr *nest;

	nl_begin(nl, message, PWRCTL_CMD_SETTINGS_SET, NLM_F_ACK);
	if (domain)
		mnl_attr_put_strz(message->header, PWRCTL_A_DOMAIN_NAME, domain);
	nest = mnl_attr_nest_start(message->header, PWRCTL_A_SETTINGS);
	mnl_attr_put_u32(message->header, key, value);
	mnl_attr_nest_end(message->header, nest);
	return nl_ask(nl, message, NULL, NULL);
}

static void refuse_netlink(struct __test_metadata *_metadata, struct nl *nl, const char *domain,
			   uint16_t key, uint32_t value)
{
	struct nl_message message;

	EXPECT_EQ(-ERANGE, set(nl, &message, domain, key, value)) {
		TH_LOG("%s=%u", settings[key].name, value);
	}
	EXPECT_STREQ(settings[key].refusal, nl->refusal);
	EXPECT_EQ(key, blamed(nl, &message));
}

TEST_F(refusals, through_netlink)
{
	const char *domain;
	unsigned int key;

	for (key = 1; key < ARRAY_SIZE(settings); key++) {
		domain = settings[key].scope == DOMAIN ? self->name : NULL;
		refuse_netlink(_metadata, &self->nl, domain, key, settings[key].most + 1);
		refuse_netlink(_metadata, &self->nl, domain, key, UINT32_MAX);
		if (settings[key].least)
			refuse_netlink(_metadata, &self->nl, domain, key, settings[key].least - 1);
		if (settings[key].kind == CAUSES)
			refuse_netlink(_metadata, &self->nl, domain, key, 1);
		if (settings[key].scope == BOTH)
			refuse_netlink(_metadata, &self->nl, self->name, key,
				       settings[key].most + 1);
	}
	EXPECT_TRUE(snapshot_same(&self->nl, &self->before));
}

TEST_F(refusals, of_a_key_in_the_wrong_place)
{
	struct nl_message message;
	unsigned int key;

	for (key = 1; key < ARRAY_SIZE(settings); key++) {
		if (settings[key].scope == BOTH)
			continue;
		EXPECT_EQ(-EINVAL, set(&self->nl, &message,
				       settings[key].scope == DOMAIN ? NULL : self->name, key,
				       settings[key].least));
		EXPECT_EQ(key, (unsigned int)blamed(&self->nl, &message));
		EXPECT_NE('\0', self->nl.refusal[0]);
	}
	EXPECT_TRUE(snapshot_same(&self->nl, &self->before));
}

TEST_F(refusals, not_of_the_limits_themselves)
{
	const char *domain;
	unsigned int key;

	for (key = 1; key < ARRAY_SIZE(settings); key++) {
		/* which of these a kernel takes depends on the kernel */
		if (settings[key].kind == OUTLET)
			continue;
		domain = settings[key].scope == DOMAIN ? self->name : NULL;
		EXPECT_EQ(0, nl_set_one(&self->nl, domain, key, settings[key].least));
		EXPECT_EQ(0, nl_set_one(&self->nl, domain, key, settings[key].most));
	}
	EXPECT_EQ(0, nl_reset(&self->nl));
}

/* Write to a file of debugfs: refused with @errors, and "error" says why. */
static void refuse_debugfs(struct __test_metadata *_metadata, const char *file,
			   const struct setting *setting, const char *value, bool range)
{
	char path[256], error[512], end[256];
	int ret;

	snprintf(path, sizeof(path), DEBUGFS "%s", file);
	ret = sys_write(path, "%s\n", value);
	if (range)
		EXPECT_EQ(-ERANGE, ret);
	EXPECT_TRUE(ret == -EINVAL || ret == -ERANGE) {
		TH_LOG("%s=%s: %d", file, value, ret);
	}
	ASSERT_LT(0, sys_read(DEBUGFS "error", error, sizeof(error)));
	snprintf(end, sizeof(end), "%s=%.100s", setting->name, value);
	EXPECT_NE(NULL, strstr(error, end)) {
		TH_LOG("%s", error);
	}
	EXPECT_NE(NULL, strstr(error, setting->refusal)) {
		TH_LOG("%s", error);
	}
}

static void refuse_file(struct __test_metadata *_metadata, const char *file,
			const struct setting *setting)
{
	char value[201] = "";
	unsigned int i;

	memset(value, '9', sizeof(value) - 1);
	refuse_debugfs(_metadata, file, setting, value, false);
	for (i = 0; i < ARRAY_SIZE(nonsense); i++)
		refuse_debugfs(_metadata, file, setting, nonsense[i], false);
	if (setting->kind != NUMBER)
		return;
	snprintf(value, sizeof(value), "%llu", setting->most + 1ULL);
	refuse_debugfs(_metadata, file, setting, value, true);
	if (setting->least) {
		snprintf(value, sizeof(value), "%u", setting->least - 1);
		refuse_debugfs(_metadata, file, setting, value, true);
	}
}

TEST_F(refusals, through_debugfs)
{
	char file[128];
	unsigned int key;

	for (key = 1; key < ARRAY_SIZE(settings); key++) {
		if (settings[key].scope & GLOBAL)
			refuse_file(_metadata, settings[key].name, &settings[key]);
		if (settings[key].scope & DOMAIN) {
			snprintf(file, sizeof(file), "domains/%s/%s", self->name,
				 settings[key].name);
			refuse_file(_metadata, file, &settings[key]);
		}
	}
	EXPECT_TRUE(snapshot_same(&self->nl, &self->before));
}

/* What the kernel logs from now on: reading /dev/kmsg gives one record at a time. */
static int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

static char *log_close(int fd)
{
	char *all = calloc(1, 1 << 20), record[8192];
	size_t length = 0;
	ssize_t got;

	for (;;) {
		got = read(fd, record, sizeof(record));
		if (got < 0 && errno == EPIPE)
			continue;
		if (got <= 0 || length + got >= 1 << 20)
			break;
		memcpy(all + length, record, got);
		length += got;
	}
	close(fd);
	return all;
}

/* Load the module with these values for its parameters, by key; NULL leaves one out. */
static int load(const char *const *values)
{
	char texts[ARRAY_SIZE(settings)][64];
	char *args[ARRAY_SIZE(settings) + 3] = { "modprobe", "pwrctl" };
	unsigned int key, count = 2;
	int status, ret;
	pid_t pid;

	for (key = 1; key < ARRAY_SIZE(settings); key++) {
		if (!(settings[key].scope & GLOBAL) || !values[key])
			continue;
		snprintf(texts[key], sizeof(texts[key]), "%s=%s", settings[key].name, values[key]);
		args[count++] = texts[key];
	}
	ret = posix_spawnp(&pid, args[0], NULL, NULL, args, environ);
	if (ret)
		return -ret;
	if (waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -ECHILD;
}

/* Start with one bad value for every parameter. */
static void refuse_parameters(struct __test_metadata *_metadata, struct nl *nl,
			      const char *const *values, const struct snapshot *before)
{
	char line[512];
	struct snapshot after;
	unsigned int key;
	char *log;
	int fd;

	ASSERT_EQ(0, sys_remove("pwrctl"));
	fd = log_open();
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, load(values));
	log = log_close(fd);
	for (key = 1; key < ARRAY_SIZE(settings); key++) {
		if (!(settings[key].scope & GLOBAL))
			continue;
		snprintf(line, sizeof(line), "parameter %s=%s refused: %s", settings[key].name,
			 values[key], settings[key].refusal);
		EXPECT_NE(NULL, strstr(log, line)) {
			TH_LOG("%s", line);
		}
	}
	free(log);
	nl_close(nl);
	ASSERT_EQ(0, nl_open(nl));
	ASSERT_EQ(0, snapshot_take(nl, &after));
	EXPECT_TRUE(snapshot_same_settings(before, &after));
}

TEST_F(refusals, through_parameters)
{
	static char texts[2][ARRAY_SIZE(settings)][32];
	const char *values[ARRAY_SIZE(settings)];
	unsigned int key, i;

	for (key = 1; key < ARRAY_SIZE(settings); key++) {
		snprintf(texts[0][key], sizeof(texts[0][key]), "%llu", settings[key].most + 1ULL);
		if (settings[key].least && settings[key].kind == NUMBER)
			snprintf(texts[1][key], sizeof(texts[1][key]), "%u",
				 settings[key].least - 1);
		else
			snprintf(texts[1][key], sizeof(texts[1][key]), "-1");
	}
	for (i = 0; i < 2; i++) {
		for (key = 1; key < ARRAY_SIZE(settings); key++)
			values[key] = texts[i][key];
		refuse_parameters(_metadata, &self->nl, values, &self->before);
	}
}

TEST_F(refusals, not_of_good_parameters)
{
	static const char *const values[ARRAY_SIZE(settings)] = {
		[PWRCTL_A_SET_MODE] = "pelt",
		[PWRCTL_A_SET_DECAY_MS] = "60000",
		[PWRCTL_A_SET_FALL_MS] = "1",
		[PWRCTL_A_SET_PELT_SHIFT] = "10",
		[PWRCTL_A_SET_COUNT] = "user,boost",
		[PWRCTL_A_SET_QUANTUM] = "1",
		[PWRCTL_A_SET_OUTLET] = "none",
	};
	struct nl_settings all;

	ASSERT_EQ(0, sys_remove("pwrctl"));
	ASSERT_EQ(0, load(values));
	nl_close(&self->nl);
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, nl_settings(&self->nl, NULL, &all));
	EXPECT_EQ(PWRCTL_MODE_PELT, all.value[PWRCTL_A_SET_MODE]);
	EXPECT_EQ(60000, all.value[PWRCTL_A_SET_DECAY_MS]);
	EXPECT_EQ(1, all.value[PWRCTL_A_SET_FALL_MS]);
	EXPECT_EQ(10, all.value[PWRCTL_A_SET_PELT_SHIFT]);
	EXPECT_EQ(1 << PWRCTL_CAUSE_USER | 1 << PWRCTL_CAUSE_BOOST,
		  all.value[PWRCTL_A_SET_COUNT]);
	EXPECT_EQ(1, all.value[PWRCTL_A_SET_QUANTUM]);
	EXPECT_EQ(PWRCTL_OUTLET_NONE, all.value[PWRCTL_A_SET_OUTLET]);
	ASSERT_EQ(0, sys_remove("pwrctl"));
	ASSERT_EQ(0, sys_insert("pwrctl"));
}

/* The harness leaves by exit(), its children by _exit(). */
static void leave_nothing(void)
{
	sys_remove("pwrctl");
}

int main(int argc, char **argv)
{
	atexit(leave_nothing);
	return test_harness_run(argc, argv);
}
