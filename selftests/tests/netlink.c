// SPDX-License-Identifier: GPL-2.0-only
/*
 * lab: --smp 12 --domain 1
 *
 * The generic netlink family, asked by a client that shares no line with the command: every
 * command, every event, what is malformed, and that a refused message changes nothing.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../lib/harness.h"

#include "../lib/nl.h"
#include "snapshot.h"
#include "../lib/sys.h"

#define MOST	256

/* Settings of each scope, from the one table. */
#define GLOBAL	1
#define DOMAIN	2
#define BOTH	3
static const struct {
	const char *name;
	uint32_t scope;
} settings[] = {
#define PWRCTL_SETTING(id, _name, kind, least, most, preset, unit, _scope, refusal, help) \
	[PWRCTL_A_SET_##id] = { .name = #_name, .scope = _scope },
#include "../../module/settings_table.h"
#undef PWRCTL_SETTING
};

static uint32_t keys_of(uint32_t scope)
{
	uint32_t keys = 1u << PWRCTL_A_SET_OWN;
	unsigned int key;

	for (key = 1; key < ARRAY_SIZE(settings); key++)
		if (settings[key].scope & scope)
			keys |= 1u << key;
	return keys;
}

FIXTURE(family) {
	struct nl nl;
	struct nl_domain domain;
	struct snapshot before;
};

FIXTURE_SETUP(family)
{
	struct nl_domain domains[MOST];

	ASSERT_EQ(0, sys_insert("pwrctl"));
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_LT(0, nl_domains(&self->nl, domains, MOST));
	self->domain = domains[0];
	ASSERT_EQ(0, nl_inject_clear(&self->nl, self->domain.name));
	ASSERT_EQ(0, nl_reset(&self->nl));
	ASSERT_EQ(0, snapshot_take(&self->nl, &self->before));
}

FIXTURE_TEARDOWN(family)
{
	nl_inject_clear(&self->nl, self->domain.name);
	EXPECT_EQ(0, nl_reset(&self->nl));
	nl_close(&self->nl);
}

static void begin(struct nl *nl, struct nl_message *message, uint8_t cmd)
{
	nl_begin(nl, message, cmd, NLM_F_ACK);
}

/* A dump, read with a small buffer: how many messages came in how many buffers. */
static int dump_slowly(struct nl *nl, uint8_t cmd, int *messages, int *buffers)
{
	const struct nlmsghdr *header;
	struct nl_message message;
	char buffer[4096];
	int size;

	*messages = 0;
	*buffers = 0;
	nl_begin(nl, &message, cmd, NLM_F_DUMP);
	message.header->nlmsg_seq = ++nl->seq;
	if (mnl_socket_sendto(nl->socket, message.header, message.header->nlmsg_len) < 0)
		return -errno;
	for (;;) {
		size = mnl_socket_recvfrom(nl->socket, buffer, sizeof(buffer));
		if (size < 0)
			return -errno;
		(*buffers)++;
		for (header = (void *)buffer; mnl_nlmsg_ok(header, size);
		     header = mnl_nlmsg_next(header, &size)) {
			if (header->nlmsg_type == NLMSG_DONE)
				return 0;
			if (header->nlmsg_type == NLMSG_ERROR ||
			    header->nlmsg_flags & NLM_F_DUMP_INTR)
				return -EBADMSG;
			(*messages)++;
		}
	}
}

/* What every answer begins with; counts messages. */
static int take_version(const struct nlmsghdr *header, void *data)
{
	const struct nlattr *attr = mnl_nlmsg_get_payload_offset(header,
								 sizeof(struct genlmsghdr));

	if (mnl_attr_get_type(attr) != PWRCTL_A_API_VERSION ||
	    mnl_attr_get_u32(attr) != PWRCTL_API_VERSION)
		return -EBADMSG;
	(*(int *)data)++;
	return 0;
}

TEST_F(family, every_answer_begins_with_the_version)
{
	static const uint8_t gets[] = { PWRCTL_CMD_SETTINGS_GET, PWRCTL_CMD_DOMAIN_GET,
					PWRCTL_CMD_CPU_GET, PWRCTL_CMD_STATS_GET };
	static const uint8_t dumps[] = { PWRCTL_CMD_DOMAIN_GET, PWRCTL_CMD_CPU_GET };
	struct nl_message message;
	unsigned int i;
	int count;

	for (i = 0; i < ARRAY_SIZE(gets); i++) {
		count = 0;
		begin(&self->nl, &message, gets[i]);
		if (gets[i] == PWRCTL_CMD_DOMAIN_GET)
			mnl_attr_put_strz(message.header, PWRCTL_A_DOMAIN_NAME, self->domain.name);
		if (gets[i] == PWRCTL_CMD_CPU_GET)
			mnl_attr_put_u32(message.header, PWRCTL_A_CPU_ID, 0);
		EXPECT_EQ(0, nl_ask(&self->nl, &message, take_version, &count));
		EXPECT_EQ(1, count);
	}
	for (i = 0; i < ARRAY_SIZE(dumps); i++) {
		count = 0;
		nl_begin(&self->nl, &message, dumps[i], NLM_F_DUMP);
		EXPECT_EQ(0, nl_ask(&self->nl, &message, take_version, &count));
		EXPECT_LT(0, count);
	}
}

TEST_F(family, settings_have_the_keys_of_their_scope)
{
	struct nl_settings all, one;

	ASSERT_EQ(0, nl_settings(&self->nl, NULL, &all));
	ASSERT_EQ(0, nl_settings(&self->nl, self->domain.name, &one));
	EXPECT_EQ(keys_of(GLOBAL), all.has);
	EXPECT_EQ(keys_of(DOMAIN), one.has);
	EXPECT_EQ(0, all.value[PWRCTL_A_SET_OWN]);
	EXPECT_EQ(0, one.value[PWRCTL_A_SET_OWN]);
}

TEST_F(family, a_domain_reads_alike_alone_and_in_the_dump)
{
	struct nl_domain domains[MOST], one;
	int count = nl_domains(&self->nl, domains, MOST);
	struct nl_stats stats;
	int i;

	ASSERT_LT(0, count);
	for (i = 0; i < count; i++) {
		ASSERT_EQ(0, nl_domain(&self->nl, domains[i].name, &one));
		EXPECT_STREQ(domains[i].name, one.name);
		EXPECT_STREQ(domains[i].cpus, one.cpus);
		EXPECT_STREQ(domains[i].driver, one.driver);
		EXPECT_EQ(domains[i].reference, one.reference);
		EXPECT_EQ(domains[i].told, one.told);
		EXPECT_LE(domains[i].clock, one.clock);
		EXPECT_NE('\0', one.driver[0]);
		EXPECT_LT(0, one.reference);
	}
	ASSERT_EQ(0, nl_stats(&self->nl, &stats));
	EXPECT_EQ(count, (int)stats.domains);
	EXPECT_NE('\0', stats.version[0]);
	/* what the kernel does not tell is absent; hw has no source so far */
	EXPECT_EQ(stats.causes, domains[0].told);
}

TEST_F(family, a_dump_goes_on_where_the_buffer_was_full)
{
	int messages, buffers, count, cpus;
	struct nl_domain domains[MOST];
	struct nl_cpu all[MOST];
	struct nl small;

	count = nl_domains(&self->nl, domains, MOST);
	cpus = nl_cpus(&self->nl, all, MOST);
	/* the kernel's buffers grow with what a socket was read with before */
	memset(&small, 0, sizeof(small));
	small.family = self->nl.family;
	small.socket = mnl_socket_open(NETLINK_GENERIC);
	ASSERT_NE(NULL, small.socket);
	ASSERT_EQ(0, mnl_socket_bind(small.socket, 0, MNL_SOCKET_AUTOPID));
	ASSERT_EQ(0, dump_slowly(&small, PWRCTL_CMD_DOMAIN_GET, &messages, &buffers));
	EXPECT_EQ(count, messages);
	if (count >= 12)
		EXPECT_LT(2, buffers);
	ASSERT_EQ(0, dump_slowly(&small, PWRCTL_CMD_CPU_GET, &messages, &buffers));
	EXPECT_EQ(cpus, messages);
	nl_close(&small);
}

TEST_F(family, all_cpus_of_a_domain_are_evaluated_at_one_moment)
{
	struct nl_cpu cpus[MOST], one;
	int count, i, j;

	ASSERT_EQ(0, nl_inject(&self->nl, self->domain.name, self->domain.reference / 2, 600000));
	count = nl_cpus(&self->nl, cpus, MOST);
	ASSERT_EQ(sysconf(_SC_NPROCESSORS_CONF), count);
	for (i = 0; i < count; i++) {
		for (j = 0; j < i; j++) {
			EXPECT_NE(cpus[i].cpu, cpus[j].cpu);
			if (strcmp(cpus[i].domain, cpus[j].domain))
				continue;
			EXPECT_EQ(cpus[i].clock, cpus[j].clock);
			if (cpus[i].capacity == cpus[j].capacity)
				EXPECT_EQ(cpus[i].average, cpus[j].average);
		}
		EXPECT_EQ(cpus[i].capacity, cpus[i].hint + cpus[i].average);
		ASSERT_EQ(0, nl_cpu(&self->nl, cpus[i].cpu, &one));
		EXPECT_STREQ(cpus[i].domain, one.domain);
		EXPECT_EQ(cpus[i].capacity, one.capacity);
		EXPECT_EQ(cpus[i].pressure, one.pressure);
	}
}

TEST_F(family, several_keys_apply_together)
{
	struct nl_settings want = {
		.has = 1u << PWRCTL_A_SET_MODE | 1u << PWRCTL_A_SET_DECAY_MS |
		       1u << PWRCTL_A_SET_FALL_MS | 1u << PWRCTL_A_SET_QUANTUM,
		.value = {
			[PWRCTL_A_SET_MODE] = PWRCTL_MODE_PELT,
			[PWRCTL_A_SET_DECAY_MS] = 60000,
			[PWRCTL_A_SET_FALL_MS] = 1,
			[PWRCTL_A_SET_QUANTUM] = 256,
		},
	}, have;
	unsigned int key;

	ASSERT_EQ(0, nl_set(&self->nl, NULL, &want, 1u << PWRCTL_A_SET_PELT_SHIFT));
	ASSERT_EQ(0, nl_settings(&self->nl, NULL, &have));
	for (key = 1; key < PWRCTL_A_SET_OWN; key++)
		if (want.has & 1u << key)
			EXPECT_EQ(want.value[key], have.value[key]);
	EXPECT_EQ(want.has, have.value[PWRCTL_A_SET_OWN]);
}

TEST_F(family, one_bad_key_keeps_the_others_from_applying)
{
	struct nl_settings bad = {
		.has = 1u << PWRCTL_A_SET_MODE | 1u << PWRCTL_A_SET_DECAY_MS |
		       1u << PWRCTL_A_SET_QUANTUM,
		.value = {
			[PWRCTL_A_SET_MODE] = PWRCTL_MODE_INSTANT,
			[PWRCTL_A_SET_DECAY_MS] = 100,
			[PWRCTL_A_SET_QUANTUM] = 257,
		},
	};

	EXPECT_EQ(-ERANGE, nl_set(&self->nl, NULL, &bad, 0));
	EXPECT_STREQ("quantum must be 1 to 256 (of 1024)", self->nl.refusal);
	bad.value[PWRCTL_A_SET_QUANTUM] = 1;
	bad.value[PWRCTL_A_SET_MODE] = 4;
	EXPECT_EQ(-ERANGE, nl_set(&self->nl, NULL, &bad, 0));
	bad.value[PWRCTL_A_SET_MODE] = PWRCTL_MODE_INSTANT;
	EXPECT_EQ(-EINVAL, nl_set(&self->nl, NULL, &bad, 1u << PWRCTL_A_SET_MODE));
	EXPECT_EQ(-EINVAL, nl_set(&self->nl, NULL, &bad, 1u << 31));
	EXPECT_EQ(-EINVAL, nl_set(&self->nl, NULL, &bad, 1));
	EXPECT_EQ(-EINVAL, nl_set(&self->nl, self->domain.name, &bad, 0));
	EXPECT_EQ(-ENODEV, nl_set(&self->nl, "policy4294967295", &bad, 0));
	EXPECT_EQ(-EINVAL, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_REFERENCE_KHZ, 1000000));
	EXPECT_EQ(-EINVAL, nl_set(&self->nl, NULL, NULL, 0));
	EXPECT_STREQ("no setting given", self->nl.refusal);
	EXPECT_TRUE(snapshot_same(&self->nl, &self->before));
}

TEST_F(family, a_domain_key_can_be_set_and_unset)
{
	const char *name = self->domain.name;
	struct nl_settings one;
	struct snapshot after;

	ASSERT_EQ(0, nl_set_one(&self->nl, name, PWRCTL_A_SET_DECAY_MS, 500));
	ASSERT_EQ(0, nl_settings(&self->nl, name, &one));
	EXPECT_EQ(500, one.value[PWRCTL_A_SET_DECAY_MS]);
	EXPECT_EQ(1u << PWRCTL_A_SET_DECAY_MS, one.value[PWRCTL_A_SET_OWN]);
	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_DECAY_MS, 125));
	ASSERT_EQ(0, nl_settings(&self->nl, name, &one));
	EXPECT_EQ(500, one.value[PWRCTL_A_SET_DECAY_MS]);
	ASSERT_EQ(0, nl_set(&self->nl, name, NULL, 1u << PWRCTL_A_SET_DECAY_MS));
	ASSERT_EQ(0, nl_settings(&self->nl, name, &one));
	EXPECT_EQ(125, one.value[PWRCTL_A_SET_DECAY_MS]);
	EXPECT_EQ(0, one.value[PWRCTL_A_SET_OWN]);
	ASSERT_EQ(0, nl_set(&self->nl, NULL, NULL, 1u << PWRCTL_A_SET_DECAY_MS));
	ASSERT_EQ(0, snapshot_take(&self->nl, &after));
	EXPECT_TRUE(snapshot_same_settings(&self->before, &after));
}

TEST_F(family, an_injected_cap_is_there_and_can_be_cleared)
{
	const char *name = self->domain.name;
	uint32_t half = self->domain.reference / 2;
	struct nl_domain domain;
	uint64_t before, after;

	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_MODE, PWRCTL_MODE_INSTANT));
	before = sys_now();
	ASSERT_EQ(0, nl_inject(&self->nl, name, half, 3600000));
	after = sys_now();
	ASSERT_EQ(0, nl_domain(&self->nl, name, &domain));
	EXPECT_EQ(half, domain.cap);
	EXPECT_EQ(half, domain.caps[PWRCTL_CAUSE_INJECTED]);
	EXPECT_EQ(PWRCTL_CAUSE_INJECTED, domain.cause);
	EXPECT_LE(before + 3600000000000ULL, domain.inject_until);
	EXPECT_GE(after + 3600000000000ULL, domain.inject_until);
	EXPECT_EQ(512, domain.pressure);
	EXPECT_EQ(512, domain.average);
	ASSERT_EQ(0, nl_inject_clear(&self->nl, name));
	ASSERT_EQ(0, nl_domain(&self->nl, name, &domain));
	EXPECT_EQ(0, domain.caps[PWRCTL_CAUSE_INJECTED]);
	EXPECT_EQ(0, domain.average);
}

static int ask_inject(struct nl *nl, const char *name, const uint32_t *khz, const uint32_t *ttl)
{
	struct nl_message message;

	begin(nl, &message, PWRCTL_CMD_INJECT);
	if (name)
		mnl_attr_put_strz(message.header, PWRCTL_A_DOMAIN_NAME, name);
	if (khz)
		mnl_attr_put_u32(message.header, PWRCTL_A_INJECT_KHZ, *khz);
	if (ttl)
		mnl_attr_put_u32(message.header, PWRCTL_A_INJECT_TTL_MS, *ttl);
	return nl_ask(nl, &message, NULL, NULL);
}

TEST_F(family, injecting_has_limits_and_a_default)
{
	static const uint32_t none, one = 1, most = 3600000, over = 3600001;
	const char *name = self->domain.name;
	uint32_t half = self->domain.reference / 2;
	struct nl *nl = &self->nl;
	struct nl_domain domain;

	EXPECT_EQ(-ERANGE, ask_inject(nl, name, &half, &none));
	EXPECT_STREQ("time to live must be 1 to 3600000 ms", nl->refusal);
	EXPECT_EQ(-ERANGE, ask_inject(nl, name, &half, &over));
	EXPECT_EQ(-ERANGE, ask_inject(nl, name, &none, &one));
	EXPECT_LT(0, nl->refused_at);
	EXPECT_EQ(-EINVAL, ask_inject(nl, name, NULL, &one));
	EXPECT_STREQ("a time to live needs a cap", nl->refusal);
	EXPECT_EQ(-EINVAL, ask_inject(nl, NULL, &half, &one));
	EXPECT_EQ(PWRCTL_A_DOMAIN_NAME, nl->missing);
	EXPECT_EQ(-ENODEV, ask_inject(nl, "policy", &half, &one));
	EXPECT_TRUE(snapshot_same(nl, &self->before));

	ASSERT_EQ(0, ask_inject(nl, name, &half, &most));
	/* a second one replaces the first; the default is 10 s */
	ASSERT_EQ(0, ask_inject(nl, name, &half, NULL));
	ASSERT_EQ(0, nl_domain(nl, name, &domain));
	EXPECT_GE(sys_now() + 10000000000ULL, domain.inject_until);
	ASSERT_EQ(0, ask_inject(nl, name, NULL, NULL));
}

/* The next event of a kind for our domain: others may come between. */
static int wait_for(struct nl *nl, uint8_t cmd, const char *name, struct nl_event *event)
{
	uint64_t until = sys_now() + SYS_PATIENCE_NS;
	int ret;

	while (sys_now() < until) {
		ret = nl_event(nl, 1000, event);
		if (ret < 0)
			return ret;
		if (ret && event->cmd == cmd && (!name || !strcmp(name, event->domain.name)))
			return 0;
	}
	return -ETIMEDOUT;
}

TEST_F(family, a_listener_is_told_everything)
{
	const char *name = self->domain.name;
	uint32_t half = self->domain.reference / 2;
	struct nl_event event;
	struct nl_stats stats;
	struct nl listener;

	ASSERT_EQ(0, nl_stats(&self->nl, &stats));
	EXPECT_EQ(0, stats.listeners);
	ASSERT_EQ(0, nl_open(&listener));
	ASSERT_EQ(0, nl_listen(&listener));
	ASSERT_EQ(0, nl_stats(&self->nl, &stats));
	EXPECT_EQ(1, stats.listeners);

	ASSERT_EQ(0, nl_set_one(&self->nl, NULL, PWRCTL_A_SET_MODE, PWRCTL_MODE_INSTANT));
	ASSERT_EQ(0, wait_for(&listener, PWRCTL_CMD_SETTINGS_NTF, NULL, &event));
	EXPECT_EQ(PWRCTL_MODE_INSTANT, event.settings.value[PWRCTL_A_SET_MODE]);
	EXPECT_EQ('\0', event.domain.name[0]);

	ASSERT_EQ(0, nl_set_one(&self->nl, name, PWRCTL_A_SET_FALL_MS, 7));
	ASSERT_EQ(0, wait_for(&listener, PWRCTL_CMD_SETTINGS_NTF, name, &event));
	EXPECT_EQ(7, event.settings.value[PWRCTL_A_SET_FALL_MS]);
	EXPECT_EQ(keys_of(DOMAIN), event.settings.has);

	ASSERT_EQ(0, nl_inject(&self->nl, name, half, 3600000));
	ASSERT_EQ(0, wait_for(&listener, PWRCTL_CMD_CAP_NTF, name, &event));
	EXPECT_EQ(half, event.domain.cap);
	EXPECT_EQ(PWRCTL_CAUSE_INJECTED, event.domain.cause);
	ASSERT_EQ(0, wait_for(&listener, PWRCTL_CMD_HINT_NTF, name, &event));
	EXPECT_EQ(512, event.domain.pressure);
	EXPECT_EQ(512, event.domain.average);

	/* this one ends by itself */
	ASSERT_EQ(0, nl_inject(&self->nl, name, half / 2, 20));
	ASSERT_EQ(0, wait_for(&listener, PWRCTL_CMD_CAP_NTF, name, &event));
	EXPECT_EQ(half / 2, event.domain.cap);
	ASSERT_EQ(0, wait_for(&listener, PWRCTL_CMD_CAP_NTF, name, &event));
	EXPECT_EQ(0, event.domain.caps[PWRCTL_CAUSE_INJECTED]);
	ASSERT_EQ(0, wait_for(&listener, PWRCTL_CMD_HINT_NTF, name, &event));
	EXPECT_EQ(0, event.domain.average);

	nl_close(&listener);
	ASSERT_EQ(0, nl_stats(&self->nl, &stats));
	EXPECT_EQ(0, stats.listeners);
	EXPECT_EQ(0, stats.lost_events);
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
