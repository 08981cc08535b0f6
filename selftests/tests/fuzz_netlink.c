// SPDX-License-Identifier: GPL-2.0-only
/*
 * lab: kernels=7.3-debug seconds=1500
 *
 * fuzz_netlink [SEED [COUNT [FIRST]]]: messages that are almost right.
 *
 * Every message starts as a valid one of pwrctl's grammar and is then spoiled a few times: the
 * order of attributes, their nesting, lengths, types, values, flags; several messages in one
 * datagram; dumps that nobody reads to their end; all of it while domains go and come. The kernel
 * may refuse or accept, it must answer, and afterwards the family must work as before.
 *
 * A message depends on the seed and its own number only: FIRST and COUNT 1 send one alone. Without
 * arguments lab.seed= and lab.full on the kernel's command line decide.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/genetlink.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../lib/nl.h"
#include "../lib/sys.h"

#define COUNT		50000
#define COUNT_FULL	1000000
#define ROOM		2048
#define DUMP_EVERY	64
#define CHECK_EVERY	10000
/* Between these of every CHECK_EVERY there is no driver and so no domain. */
#define GONE_AT		4000
#define BACK_AT		4500

struct random {
	uint64_t state;
};

/* splitmix64 */
static uint64_t next(struct random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static unsigned int below(struct random *random, unsigned int limit)
{
	return next(random) % limit;
}

/* Values at the edges as often as any others. */
static uint32_t some_u32(struct random *random)
{
	static const uint32_t edges[] = {
		0, 1, 2, 3, 4, 10, 11, 16, 255, 256, 257, 1023, 1024, 59999, 60000, 60001,
		3600000, 3600001, 0x7fffffff, 0x80000000,
		0xfffffffe, 0xffffffff, 2400000, 1 << 5,
	};

	if (below(random, 2))
		return edges[below(random, sizeof(edges) / sizeof(*edges))];
	return next(random) >> below(random, 32);
}

static const char *some_name(struct random *random)
{
	static const char *const names[] = {
		"policy0", "policy2", "policy0", "policy2", "policy", "policy00",
		"policy4294967295",
		"", "..", "policy0/../policy2", "policy12345678901234567890", "%s%n",
		"\x1b[31mpolicy0",
	};

	return names[below(random, sizeof(names) / sizeof(*names))];
}

static void put_settings(struct random *random, struct nlmsghdr *header)
{
	struct nlattr *nest = mnl_attr_nest_start(header, PWRCTL_A_SETTINGS);
	unsigned int n = below(random, 6);

	while (n--)
		mnl_attr_put_u32(header, 1 + below(random, __PWRCTL_A_SET_END), some_u32(random));
	mnl_attr_nest_end(header, nest);
}

static void put_valid(struct random *random, struct nlmsghdr *header, uint8_t cmd)
{
	switch (cmd) {
	case PWRCTL_CMD_SETTINGS_SET:
	case PWRCTL_CMD_SETTINGS_GET:
		if (cmd == PWRCTL_CMD_SETTINGS_SET) {
			put_settings(random, header);
			if (!below(random, 4))
				mnl_attr_put_u32(header, PWRCTL_A_UNSET, some_u32(random));
		}
		if (!below(random, 2))
			mnl_attr_put_strz(header, PWRCTL_A_DOMAIN_NAME, some_name(random));
		break;
	case PWRCTL_CMD_DOMAIN_GET:
		mnl_attr_put_strz(header, PWRCTL_A_DOMAIN_NAME, some_name(random));
		break;
	case PWRCTL_CMD_CPU_GET:
		mnl_attr_put_u32(header, PWRCTL_A_CPU_ID, some_u32(random));
		break;
	case PWRCTL_CMD_INJECT:
		mnl_attr_put_strz(header, PWRCTL_A_DOMAIN_NAME, some_name(random));
		if (below(random, 4))
			mnl_attr_put_u32(header, PWRCTL_A_INJECT_KHZ, some_u32(random));
		if (below(random, 4))
			mnl_attr_put_u32(header, PWRCTL_A_INJECT_TTL_MS, some_u32(random));
		break;
	}
}

/* One of the attributes at the top, or NULL. */
static struct nlattr *some_attr(struct random *random, struct nlmsghdr *header)
{
	struct nlattr *attr, *found = NULL;
	unsigned int n = 0;

	mnl_attr_for_each(attr, header, sizeof(struct genlmsghdr))
		if (!below(random, ++n))
			found = attr;
	return found;
}

static void swap_first(struct nlmsghdr *header)
{
	struct nlattr *first = mnl_nlmsg_get_payload_offset(header, sizeof(struct genlmsghdr));
	size_t size, rest;
	char copy[ROOM];

	if (!mnl_attr_ok(first, (char *)mnl_nlmsg_get_payload_tail(header) - (char *)first))
		return;
	size = MNL_ALIGN(first->nla_len);
	rest = (char *)mnl_nlmsg_get_payload_tail(header) - (char *)first;
	if (rest <= size || rest > sizeof(copy))
		return;
	memcpy(copy, first, rest);
	memcpy(first, copy + size, rest - size);
	memcpy((char *)first + rest - size, copy, size);
}

static void put_nested_deep(struct random *random, struct nlmsghdr *header)
{
	struct nlattr *nests[24];
	unsigned int depth = 1 + below(random, 24), i;

	for (i = 0; i < depth; i++)
		nests[i] = mnl_attr_nest_start(header, 1 + below(random, __PWRCTL_A_END));
	while (i--)
		mnl_attr_nest_end(header, nests[i]);
}

static void put_junk(struct random *random, struct nlmsghdr *header)
{
	unsigned char junk[200];
	unsigned int size = below(random, sizeof(junk)), i;

	for (i = 0; i < size; i++)
		junk[i] = next(random);
	mnl_attr_put(header, next(random), size, junk);
}

static void spoil(struct random *random, struct nlmsghdr *header)
{
	struct nlattr *attr = some_attr(random, header);
	struct genlmsghdr *genl = mnl_nlmsg_get_payload(header);
	unsigned char *bytes = (unsigned char *)genl;
	unsigned int room = header->nlmsg_len - NLMSG_HDRLEN;

	switch (below(random, 13)) {
	case 0:
		swap_first(header);
		break;
	case 1:
		if (attr)
			attr->nla_len = below(random, 2) ? next(random) : below(random, 12);
		break;
	case 2:
		if (attr)
			attr->nla_type = below(random, 2) ? next(random) :
					 below(random, __PWRCTL_A_END + 2);
		break;
	case 3:
		if (attr)
			attr->nla_type ^= below(random, 2) ? NLA_F_NESTED : NLA_F_NET_BYTEORDER;
		break;
	case 4:
		put_nested_deep(random, header);
		break;
	case 5:
		put_junk(random, header);
		break;
	case 6:
		header->nlmsg_flags ^= 1 << below(random, 16);
		break;
	case 7:
		genl->cmd = below(random, 4) ? 1 + below(random, __PWRCTL_CMD_END) : next(random);
		break;
	case 8:
		genl->version = next(random);
		break;
	case 9:
		genl->reserved = next(random);
		break;
	case 10:
		if (room > sizeof(*genl))
			header->nlmsg_len -= below(random, room - sizeof(*genl) + 1);
		break;
	case 11:
		if (room)
			bytes[below(random, room)] ^= 1 << below(random, 8);
		break;
	case 12:
		put_settings(random, header);
		break;
	}
}

/* One message at the end of a datagram; returns its size there. */
static size_t make(struct random *random, struct nl *nl, char *at)
{
	struct nlmsghdr *header = mnl_nlmsg_put_header(at);
	struct genlmsghdr *genl = mnl_nlmsg_put_extra_header(header, sizeof(*genl));
	unsigned int spoils = below(random, 4);

	header->nlmsg_type = nl->family;
	header->nlmsg_flags = NLM_F_REQUEST | (below(random, 2) ? NLM_F_ACK : 0);
	header->nlmsg_seq = next(random);
	genl->cmd = PWRCTL_CMD_SETTINGS_GET + below(random, PWRCTL_CMD_INJECT);
	genl->version = PWRCTL_GENL_VERSION;
	put_valid(random, header, genl->cmd);
	while (spoils-- && header->nlmsg_len < ROOM / 2)
		spoil(random, header);
	return MNL_ALIGN(header->nlmsg_len);
}

static int drain(int fd, unsigned long *answers)
{
	char buffer[NL_BUFFER];
	ssize_t size;

	while ((size = recv(fd, buffer, sizeof(buffer), MSG_DONTWAIT)) != 0) {
		if (size < 0 && errno == EAGAIN)
			return 0;
		if (size < 0 && errno != ENOBUFS && errno != EINTR)
			return -errno;
		++*answers;
	}
	return 0;
}

/* A dump that is begun and never read: the next request of that socket finds it unfinished. */
static int abandon_dump(struct random *random, struct nl *nl)
{
	struct nl_message message;
	struct nl other;
	int ret = nl_open(&other);

	if (ret)
		return ret;
	nl_begin(nl, &message, below(random, 2) ? PWRCTL_CMD_DOMAIN_GET : PWRCTL_CMD_CPU_GET,
		 NLM_F_DUMP);
	if (mnl_socket_sendto(other.socket, message.header, message.header->nlmsg_len) < 0)
		ret = -errno;
	nl_close(&other);
	return ret;
}

/* A write to a debugfs file of settings: a value, or almost one. */
static void write_debugfs(struct random *random)
{
	static const char *const files[] = {
		"mode", "decay_ms", "fall_ms", "pelt_shift", "count", "quantum", "outlet",
		"domains/policy0/mode", "domains/policy0/decay_ms", "domains/policy2/reference_khz",
		"error", "summary",
	};
	static const char *const values[] = {
		"off", "instant", "pelt", "decay", "global", "thermal,hw", "none", "auto", ",",
		"thermal,",
	};
	unsigned int i, size = 0;
	char path[128], text[96];
	ssize_t done;
	int fd;

	snprintf(path, sizeof(path), SYS_DEBUGFS "/pwrctl/%s",
		 files[below(random, sizeof(files) / sizeof(*files))]);
	if (below(random, 2))
		size = snprintf(text, sizeof(text), "%s",
				values[below(random, sizeof(values) / sizeof(*values))]);
	else
		size = snprintf(text, sizeof(text), "%" PRIu32, some_u32(random));
	for (i = below(random, 3); i && size; i--)
		text[below(random, size)] = next(random);
	if (!below(random, 8))
		size = below(random, sizeof(text));
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	done = write(fd, text, size);
	(void)done; /* refused or not, both are fine */
	close(fd);
}

/* Domains go and come. */
static int driver_at(unsigned long i)
{
	if (i % CHECK_EVERY == GONE_AT)
		return sys_remove("acpi_cpufreq");
	if (i % CHECK_EVERY == BACK_AT)
		return sys_insert("acpi_cpufreq");
	return 0;
}

/* The family does what it should, whatever was thrown at it. */
static int works(struct nl *nl)
{
	struct nl_domain domain;
	int ret;

	ret = nl_set(nl, NULL, NULL, ((1u << PWRCTL_A_SET_OWN) - 2) &
		     ~(1u << PWRCTL_A_SET_REFERENCE_KHZ));
	if (ret) {
		printf("# settings cannot be unset any more: %s (%d)\n", nl->refusal, ret);
		return ret;
	}
	ret = nl_domain(nl, "policy0", &domain);
	if (!ret && domain.average > PWRCTL_SCALE)
		ret = -ERANGE;
	if (ret)
		printf("# policy0 does not answer as it should: %d\n", ret);
	return ret;
}

static int fuzz(struct nl *nl, struct nl *check, uint64_t seed, unsigned long first,
		unsigned long count, unsigned long *sent, unsigned long *writes)
{
	int fd = mnl_socket_get_fd(nl->socket);
	unsigned long i, answers = 0;
	char datagram[4 * ROOM];
	struct random random;
	unsigned int more;
	size_t size;
	int ret;

	for (i = first; i < first + count; i++) {
		random.state = seed * 0x100000001b3 + i;
		memset(datagram, 0, sizeof(datagram));
		size = 0;
		more = below(&random, 16) ? 1 : 1 + below(&random, 3);
		while (more--) {
			size += make(&random, nl, datagram + size);
			++*sent;
		}
		if (send(fd, datagram, size, 0) < 0 && errno != ENOBUFS && errno != EAGAIN) {
			printf("# message %lu cannot be sent: %s\n", i, strerror(errno));
			return -errno;
		}
		ret = driver_at(i);
		ret = ret ? ret : drain(fd, &answers);
		if (!ret && !below(&random, DUMP_EVERY))
			ret = abandon_dump(&random, nl);
		if (!below(&random, 8)) {
			write_debugfs(&random);
			++*writes;
		}
		if (!ret && i % CHECK_EVERY == CHECK_EVERY - 1)
			ret = works(check);
		if (ret) {
			printf("# failed at message %lu: %d\n", i, ret);
			return ret;
		}
	}
	printf("# %lu answers\n", answers);
	ret = sys_insert("acpi_cpufreq");
	if (ret)
		return ret;
	return answers ? works(check) : -ENODATA;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : sys_option("lab.seed", 20191009);
	unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 0) :
			      sys_option("lab.messages",
					 sys_option("lab.full", 0) ? COUNT_FULL : COUNT);
	unsigned long first = argc > 3 ? strtoul(argv[3], NULL, 0) : 0;
	unsigned long sent = 0, writes = 0;
	struct nl nl, check;
	int ret;

	printf("TAP version 13\n1..2\n# seed %" PRIu64 ", %lu datagrams from %lu on\n", seed,
	       count, first);
	fflush(stdout);
	ret = sys_insert("pwrctl");
	if (!ret)
		ret = nl_open(&nl);
	if (!ret)
		ret = nl_open(&check);
	if (!ret)
		ret = fuzz(&nl, &check, seed, first, count, &sent, &writes);
	printf("%sok 1 the family works after %lu messages\n", ret ? "not " : "", sent);
	sys_count("messages", sent);
	sys_count("debugfs_writes", writes);
	if (!ret) {
		nl_close(&nl);
		nl_close(&check);
	}
	printf("%sok 2 the module can be removed\n", sys_remove("pwrctl") ? "not " : "");
	return ret ? 1 : 0;
}
