// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages that no sane client sends. Each is answered with an error, none changes anything, and
 * none makes the kernel complain (guests panic on a warning).
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/harness.h"

#include "../lib/nl.h"
#include "snapshot.h"
#include "../lib/sys.h"

#define SEED		20191009
#define ROUNDS		5000

FIXTURE(malformed) {
	struct nl nl;
	char name[PWRCTL_NAME_LEN];
	struct snapshot before;
	struct nl_message message;
};

FIXTURE_SETUP(malformed)
{
	ASSERT_EQ(0, sys_insert("pwrctl"));
	ASSERT_EQ(0, nl_open(&self->nl));
	ASSERT_EQ(0, nl_reset(&self->nl));
	ASSERT_EQ(0, snapshot_take(&self->nl, &self->before));
	ASSERT_LT(0, self->before.count);
	memcpy(self->name, self->before.domains[0].name, sizeof(self->name));
}

FIXTURE_TEARDOWN(malformed)
{
	/* nothing changed, and the family still answers */
	EXPECT_TRUE(snapshot_same(&self->nl, &self->before));
	nl_close(&self->nl);
}

static struct nlmsghdr *begin(struct nl *nl, struct nl_message *message, uint8_t cmd)
{
	nl_begin(nl, message, cmd, NLM_F_ACK);
	return message->header;
}

static int ask(struct nl *nl, struct nl_message *message)
{
	return nl_ask(nl, message, NULL, NULL);
}

/* A raw attribute: its header may lie. */
static void put_raw(struct nlmsghdr *header, uint16_t type, uint16_t length, const void *data,
		    size_t size)
{
	struct nlattr *attr = mnl_nlmsg_get_payload_tail(header);

	attr->nla_type = type;
	attr->nla_len = length;
	memcpy((char *)attr + MNL_ATTR_HDRLEN, data, size);
	header->nlmsg_len += MNL_ALIGN(MNL_ATTR_HDRLEN + size);
}

TEST_F(malformed, commands_that_do_not_exist)
{
	unsigned int cmd;

	for (cmd = 0; cmd < 256; cmd++) {
		if (cmd >= PWRCTL_CMD_SETTINGS_GET && cmd <= PWRCTL_CMD_INJECT)
			continue;
		begin(&self->nl, &self->message, cmd);
		EXPECT_EQ(-EOPNOTSUPP, ask(&self->nl, &self->message));
		nl_begin(&self->nl, &self->message, cmd, NLM_F_DUMP);
		EXPECT_EQ(-EOPNOTSUPP, ask(&self->nl, &self->message));
	}
}

TEST_F(malformed, dumps_that_do_not_exist)
{
	static const uint8_t cmds[] = { PWRCTL_CMD_SETTINGS_GET, PWRCTL_CMD_SETTINGS_SET,
					PWRCTL_CMD_STATS_GET, PWRCTL_CMD_INJECT };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cmds); i++) {
		nl_begin(&self->nl, &self->message, cmds[i], NLM_F_DUMP);
		EXPECT_EQ(-EOPNOTSUPP, ask(&self->nl, &self->message));
	}
}

TEST_F(malformed, a_dump_with_attributes)
{
	nl_begin(&self->nl, &self->message, PWRCTL_CMD_DOMAIN_GET, NLM_F_DUMP);
	mnl_attr_put_strz(self->message.header, PWRCTL_A_DOMAIN_NAME, self->name);
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
	/* 6.1 has no place for words where a dump starts */
	if (self->nl.refusal[0])
		EXPECT_STREQ("a dump takes no attributes", self->nl.refusal);
	nl_begin(&self->nl, &self->message, PWRCTL_CMD_CPU_GET, NLM_F_DUMP);
	mnl_attr_put_u32(self->message.header, PWRCTL_A_CPU_ID, 0);
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
}

TEST_F(malformed, attributes_that_are_missing)
{
	begin(&self->nl, &self->message, PWRCTL_CMD_DOMAIN_GET);
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
	EXPECT_EQ(PWRCTL_A_DOMAIN_NAME, self->nl.missing);
	EXPECT_NE('\0', self->nl.refusal[0]);
	begin(&self->nl, &self->message, PWRCTL_CMD_CPU_GET);
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
	EXPECT_EQ(PWRCTL_A_CPU_ID, self->nl.missing);
	begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_SET);
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
	EXPECT_EQ(PWRCTL_A_SETTINGS, self->nl.missing);
	begin(&self->nl, &self->message, PWRCTL_CMD_INJECT);
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
	EXPECT_EQ(PWRCTL_A_DOMAIN_NAME, self->nl.missing);
}

TEST_F(malformed, attributes_that_a_command_does_not_know)
{
	static const uint32_t known[] = {
		[PWRCTL_CMD_SETTINGS_GET] = 1 << PWRCTL_A_DOMAIN_NAME,
		[PWRCTL_CMD_SETTINGS_SET] = 1 << PWRCTL_A_DOMAIN_NAME | 1 << PWRCTL_A_SETTINGS |
					    1 << PWRCTL_A_UNSET,
		[PWRCTL_CMD_DOMAIN_GET] = 1 << PWRCTL_A_DOMAIN_NAME,
		[PWRCTL_CMD_CPU_GET] = 1 << PWRCTL_A_CPU_ID,
		[PWRCTL_CMD_STATS_GET] = 0,
		[PWRCTL_CMD_INJECT] = 1 << PWRCTL_A_DOMAIN_NAME | 1 << PWRCTL_A_INJECT_KHZ |
				      1 << PWRCTL_A_INJECT_TTL_MS,
	};
	unsigned int cmd, type;

	for (cmd = PWRCTL_CMD_SETTINGS_GET; cmd <= PWRCTL_CMD_INJECT; cmd++) {
		for (type = 0; type < __PWRCTL_A_END + 3; type++) {
			if (known[cmd] & 1u << type)
				continue;
			begin(&self->nl, &self->message, cmd);
			mnl_attr_put_u32(self->message.header, type, 1);
			EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message)) {
				TH_LOG("command %u, attribute %u", cmd, type);
			}
			EXPECT_NE('\0', self->nl.refusal[0]);
		}
	}
}

TEST_F(malformed, settings_that_do_not_exist)
{
	uint16_t types[] = { 0, PWRCTL_A_SET_OWN, __PWRCTL_A_SET_END, 255, 0x3fff };
	struct nlattr *nest;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_SET);
		nest = mnl_attr_nest_start(self->message.header, PWRCTL_A_SETTINGS);
		mnl_attr_put_u32(self->message.header, PWRCTL_A_SET_DECAY_MS, 100);
		mnl_attr_put_u32(self->message.header, types[i], 1);
		mnl_attr_nest_end(self->message.header, nest);
		EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
	}
}

TEST_F(malformed, numbers_of_a_wrong_size)
{
	static const uint16_t sizes[] = { 0, 1, 2, 3, 5, 8, 64 };
	static const char ones[64] = { 1 };
	struct nlmsghdr *header;
	struct nlattr *nest;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_SET);
		nest = mnl_attr_nest_start(header, PWRCTL_A_SETTINGS);
		mnl_attr_put(header, PWRCTL_A_SET_QUANTUM, sizes[i], ones);
		mnl_attr_nest_end(header, nest);
		EXPECT_NE(0, ask(&self->nl, &self->message));

		header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_SET);
		mnl_attr_put(header, PWRCTL_A_UNSET, sizes[i], ones);
		EXPECT_NE(0, ask(&self->nl, &self->message));

		header = begin(&self->nl, &self->message, PWRCTL_CMD_CPU_GET);
		mnl_attr_put(header, PWRCTL_A_CPU_ID, sizes[i], ones);
		EXPECT_NE(0, ask(&self->nl, &self->message));

		header = begin(&self->nl, &self->message, PWRCTL_CMD_INJECT);
		mnl_attr_put_strz(header, PWRCTL_A_DOMAIN_NAME, self->name);
		mnl_attr_put(header, PWRCTL_A_INJECT_KHZ, sizes[i], ones);
		EXPECT_NE(0, ask(&self->nl, &self->message));
	}
}

TEST_F(malformed, names_that_are_none)
{
	static const char *const names[] = {
		"", "policy", "policy00", "Policy0", "policy0 ", "policy-1", "policy4294967295",
		"0", "../policy0", "policy0\n", "%s%s%s%n", "1234567890123456789",
	};
	char text[300];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		begin(&self->nl, &self->message, PWRCTL_CMD_DOMAIN_GET);
		mnl_attr_put_strz(self->message.header, PWRCTL_A_DOMAIN_NAME, names[i]);
		EXPECT_EQ(-ENODEV, ask(&self->nl, &self->message));
		EXPECT_STREQ("no such frequency domain", self->nl.refusal);
		EXPECT_EQ(sizeof(struct nlmsghdr) + sizeof(struct genlmsghdr),
			  self->nl.refused_at);
	}
	/* too long, and without an end */
	memset(text, 'p', sizeof(text));
	begin(&self->nl, &self->message, PWRCTL_CMD_DOMAIN_GET);
	mnl_attr_put(self->message.header, PWRCTL_A_DOMAIN_NAME, sizeof(text), text);
	EXPECT_NE(0, ask(&self->nl, &self->message));
	begin(&self->nl, &self->message, PWRCTL_CMD_DOMAIN_GET);
	mnl_attr_put(self->message.header, PWRCTL_A_DOMAIN_NAME, strlen(self->name), self->name);
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
	begin(&self->nl, &self->message, PWRCTL_CMD_DOMAIN_GET);
	mnl_attr_put(self->message.header, PWRCTL_A_DOMAIN_NAME, 0, NULL);
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
}

TEST_F(malformed, cpus_that_are_none)
{
	static const uint32_t cpus[] = { 8192, 65536, INT32_MAX, 1u << 31, UINT32_MAX };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cpus); i++) {
		begin(&self->nl, &self->message, PWRCTL_CMD_CPU_GET);
		mnl_attr_put_u32(self->message.header, PWRCTL_A_CPU_ID, cpus[i]);
		EXPECT_EQ(-ENODEV, ask(&self->nl, &self->message));
		EXPECT_LT(0, self->nl.refused_at);
	}
}

TEST_F(malformed, attributes_that_lie_about_their_length)
{
	static const uint16_t lengths[] = { 0, 1, 3, 9, 100, 0xffff };
	struct nlmsghdr *header;
	struct nlattr *nest;
	uint32_t one = 1;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_SET);
		put_raw(header, PWRCTL_A_UNSET, lengths[i], &one, sizeof(one));
		EXPECT_NE(0, ask(&self->nl, &self->message));

		header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_SET);
		nest = mnl_attr_nest_start(header, PWRCTL_A_SETTINGS);
		put_raw(header, PWRCTL_A_SET_DECAY_MS, lengths[i], &one, sizeof(one));
		mnl_attr_nest_end(header, nest);
		EXPECT_NE(0, ask(&self->nl, &self->message));

		header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_SET);
		put_raw(header, PWRCTL_A_SETTINGS | NLA_F_NESTED, lengths[i], &one, sizeof(one));
		EXPECT_NE(0, ask(&self->nl, &self->message));
	}
}

TEST_F(malformed, nests_that_are_none)
{
	struct nlmsghdr *header;
	struct nlattr *nest;

	/* not marked as a nest */
	header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_SET);
	nest = mnl_attr_nest_start(header, PWRCTL_A_SETTINGS);
	mnl_attr_put_u32(header, PWRCTL_A_SET_DECAY_MS, 100);
	mnl_attr_nest_end(header, nest);
	nest->nla_type &= ~NLA_F_NESTED;
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
	/* a number, marked as a nest */
	header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_SET);
	nest = mnl_attr_nest_start(header, PWRCTL_A_SETTINGS);
	mnl_attr_put_u32(header, PWRCTL_A_SET_DECAY_MS | NLA_F_NESTED, 100);
	mnl_attr_nest_end(header, nest);
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
	/* a number instead of a nest */
	header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_SET);
	mnl_attr_put_u32(header, PWRCTL_A_SETTINGS | NLA_F_NESTED, 100);
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
	/* nothing */
	header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_SET);
	nest = mnl_attr_nest_start(header, PWRCTL_A_SETTINGS);
	mnl_attr_nest_end(header, nest);
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
}

TEST_F(malformed, headers_and_tails)
{
	struct genlmsghdr *genl;
	struct nlmsghdr *header;

	/* bytes after the last attribute */
	header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_GET);
	memcpy(mnl_nlmsg_get_payload_tail(header), "abc", 3);
	header->nlmsg_len += 3;
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
	/* a reserved field that is not 0 */
	header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_GET);
	genl = mnl_nlmsg_get_payload(header);
	genl->reserved = 1;
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
	/* no header of the family at all, or half of one */
	header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_GET);
	header->nlmsg_len = sizeof(*header);
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
	header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_GET);
	header->nlmsg_len = sizeof(*header) + 2;
	EXPECT_EQ(-EINVAL, ask(&self->nl, &self->message));
}

/*
 * Noise, the same in every run: a change that must be refused, and behind it bytes of all kinds.
 * Requests that only read get nothing but noise, and may even be right.
 */
TEST_F(malformed, noise)
{
	struct nlmsghdr *header;
	struct nlattr *nest;
	unsigned int round, size, i, refused = 0;
	unsigned char *tail;
	int ret;

	srandom(SEED);
	for (round = 0; round < ROUNDS; round++) {
		if (round & 1) {
			header = begin(&self->nl, &self->message, PWRCTL_CMD_SETTINGS_SET);
			nest = mnl_attr_nest_start(header, PWRCTL_A_SETTINGS);
			mnl_attr_put_u32(header, PWRCTL_A_SET_QUANTUM, 1);
			mnl_attr_put_u32(header, PWRCTL_A_SET_DECAY_MS, 0);
			mnl_attr_nest_end(header, nest);
			mnl_attr_put_u32(header, PWRCTL_A_UNSET, 1u << 31);
		} else {
			header = begin(&self->nl, &self->message,
				       round & 2 ? PWRCTL_CMD_DOMAIN_GET : PWRCTL_CMD_CPU_GET);
		}
		tail = mnl_nlmsg_get_payload_tail(header);
		/* attributes of a possible type and length come up often enough */
		size = 1 + random() % 64;
		for (i = 0; i < size; i++)
			tail[i] = random() % 3 ? random() % 12 : random();
		if (round & 1 && size >= 4) {
			/* not another SETTINGS or UNSET in their place */
			tail[2] = __PWRCTL_A_END + tail[2] % 16;
			tail[3] = 0;
		}
		header->nlmsg_len += size;
		ret = ask(&self->nl, &self->message);
		refused += ret < 0;
		if (round & 1)
			ASSERT_GT(0, ret);
	}
	EXPECT_LT(ROUNDS / 2, refused);
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
