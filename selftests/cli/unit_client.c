// SPDX-License-Identifier: GPL-2.0-only
/*
 * The client against a kernel that is made up: a thread that answers on a netlink socket between
 * user programs. It can say what the real one says only in rare moments. Prints TAP.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"

#define FAMILY		0x31
#define GROUP		5

enum scenario {
	PLAIN, ABSENT, REFUSED, FORBIDDEN, OLDER, NEWER, UNVERSIONED, INTERRUPTED, DUMP_REFUSED,
	HOSTILE, SILENT,
};

uint32_t unit_client_peer;

/* Set while no request is under way. */
static volatile enum scenario scenario;
/* What the kernel saw last, read after its answer came. */
static volatile unsigned int asked, asked_flags, asked_by_name, injected_khz;
static int kernel_fd;
static unsigned int tests, failures;

__attribute__((format(printf, 2, 3)))
static void ok(bool good, const char *format, ...)
{
	va_list arguments;

	printf("%sok %u ", good ? "" : "not ", ++tests);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	failures += !good;
}

static void must(bool good, const char *what)
{
	if (good)
		return;
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

/* --- the made-up kernel ------------------------------------------------------------------ */

static void transmit(struct nl_msg *message, uint32_t port, uint32_t groups)
{
	struct sockaddr_nl to = { .nl_family = AF_NETLINK, .nl_pid = port, .nl_groups = groups };
	struct nlmsghdr *header = nlmsg_hdr(message);

	/* A flood ends in ENOBUFS at the receiver, which is what its test wants. */
	sendto(kernel_fd, header, header->nlmsg_len, 0, (struct sockaddr *)&to, sizeof(to));
	nlmsg_free(message);
}

static struct nl_msg *answer(const struct nlmsghdr *request, int type, int command, int flags)
{
	struct nl_msg *message = nlmsg_alloc();

	must(message, "memory");
	genlmsg_put(message, unit_client_peer, request ? request->nlmsg_seq : 0, type, 0, flags,
		    (uint8_t)command, 1);
	return message;
}

static void put_version(struct nl_msg *message)
{
	if (scenario != UNVERSIONED)
		nla_put_u32(message, PWRCTL_A_API_VERSION,
			    PWRCTL_API_VERSION + (scenario == NEWER) - (scenario == OLDER));
}

/* NLMSG_ERROR with the request in it and, for a refusal, sentence and offset. */
static void send_error(const struct nlmsghdr *request, int error, const char *sentence,
		       uint32_t offset)
{
	struct nlmsgerr body = { .error = error, .msg = *request };
	size_t echo = error ? request->nlmsg_len - NLMSG_HDRLEN : 0;
	struct nl_msg *message = nlmsg_alloc_size(4096);
	struct nlmsghdr *header;
	char *at;

	must(message, "memory");
	header = nlmsg_put(message, unit_client_peer, request->nlmsg_seq, NLMSG_ERROR, 0,
			   (sentence ? NLM_F_ACK_TLVS : 0) | (error ? 0 : NLM_F_CAPPED));
	at = nlmsg_reserve(message, sizeof(body) + echo, NLMSG_ALIGNTO);
	memcpy(at, &body, sizeof(body));
	memcpy(at + sizeof(body), request + 1, echo);
	if (sentence)
		nla_put_string(message, NLMSGERR_ATTR_MSG, sentence);
	if (offset)
		nla_put_u32(message, NLMSGERR_ATTR_OFFS, offset);
	transmit(message, header ? request->nlmsg_pid : 0, 0);
}

static void send_done(const struct nlmsghdr *request, int error, const char *sentence, int flags)
{
	struct nl_msg *message = nlmsg_alloc();

	must(message, "memory");
	nlmsg_put(message, unit_client_peer, request->nlmsg_seq, NLMSG_DONE, 0,
		  NLM_F_MULTI | flags | (sentence ? NLM_F_ACK_TLVS : 0));
	nlmsg_append(message, &error, sizeof(error), NLMSG_ALIGNTO);
	if (sentence)
		nla_put_string(message, NLMSGERR_ATTR_MSG, sentence);
	transmit(message, request->nlmsg_pid, 0);
}

static void send_families(const struct nlmsghdr *request)
{
	static const char *const names[] = { "nlctrl", "pwrctl2", "pwrctl", "ethtool" };
	struct nlattr *groups, *group;
	struct nl_msg *message;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		if (scenario == ABSENT && i == 2)
			continue;
		message = answer(request, GENL_ID_CTRL, CTRL_CMD_NEWFAMILY, NLM_F_MULTI);
		nla_put_string(message, CTRL_ATTR_FAMILY_NAME, names[i]);
		nla_put_u16(message, CTRL_ATTR_FAMILY_ID, (uint16_t)(FAMILY - 2 + i));
		groups = nla_nest_start(message, CTRL_ATTR_MCAST_GROUPS);
		group = nla_nest_start(message, 1);
		nla_put_u32(message, CTRL_ATTR_MCAST_GRP_ID, GROUP - 2 + i);
		nla_put_string(message, CTRL_ATTR_MCAST_GRP_NAME, "events");
		nla_nest_end(message, group);
		nla_nest_end(message, groups);
		transmit(message, request->nlmsg_pid, 0);
	}
	send_done(request, 0, NULL, 0);
}

static void put_domain(struct nl_msg *message, unsigned int number)
{
	struct nlattr *domain, *caps, *cap;
	char name[64];

	put_version(message);
	domain = nla_nest_start(message, PWRCTL_A_DOMAIN);
	snprintf(name, sizeof(name), scenario == HOSTILE ? "policy%u-with-a-very-long-name" :
		 "policy%u", number);
	/* A string whose end is not marked must not be read beyond its attribute. */
	nla_put(message, PWRCTL_A_DOM_NAME, (int)strlen(name), name);
	nla_put_u32(message, PWRCTL_A_DOM_REFERENCE_KHZ, 1800000);
	nla_put_u64(message, PWRCTL_A_DOM_CLOCK_NS, 1ull << 40);
	nla_put_u32(message, 200, 0xdeadbeef);
	if (scenario == HOSTILE)
		nla_put_u8(message, PWRCTL_A_DOM_PRESSURE, 7);
	else
		nla_put_u32(message, PWRCTL_A_DOM_PRESSURE, 512);
	caps = nla_nest_start(message, PWRCTL_A_DOM_CAPS);
	for (number = 0; number < (scenario == HOSTILE ? 100u : 2u); number++) {
		cap = nla_nest_start(message, PWRCTL_A_CAPS_CAP);
		nla_put_u32(message, PWRCTL_A_CAP_CAUSE, PWRCTL_CAUSE_THERMAL + number);
		if (!number)
			nla_put_u32(message, PWRCTL_A_CAP_KHZ, 900000);
		nla_nest_end(message, cap);
	}
	nla_nest_end(message, caps);
	nla_nest_end(message, domain);
}

static void send_domains(const struct nlmsghdr *request)
{
	int interrupted = scenario == INTERRUPTED ? NLM_F_DUMP_INTR : 0;
	struct nl_msg *message;
	unsigned int i;

	if (scenario == DUMP_REFUSED) {
		send_done(request, -ENOSPC, "no room for domains", 0);
		return;
	}
	for (i = 0; i < 3; i++) {
		message = answer(request, FAMILY, PWRCTL_CMD_DOMAIN_GET, NLM_F_MULTI | interrupted);
		put_domain(message, i);
		transmit(message, request->nlmsg_pid, 0);
	}
	/* Only the first listing is disturbed. */
	if (interrupted)
		scenario = PLAIN;
	send_done(request, 0, NULL, 0);
}

static void send_settings(const struct nlmsghdr *request)
{
	struct nl_msg *message = answer(request, FAMILY, PWRCTL_CMD_SETTINGS_GET, 0);
	struct nlattr *settings;

	put_version(message);
	settings = nla_nest_start(message, PWRCTL_A_SETTINGS);
	nla_put_u32(message, PWRCTL_A_SET_MODE, PWRCTL_MODE_PELT);
	nla_put_u32(message, PWRCTL_A_SET_DECAY_MS, 125);
	nla_put_u32(message, PWRCTL_A_SET_OWN, 1u << PWRCTL_A_SET_DECAY_MS);
	nla_put_u32(message, 99, 1);
	nla_nest_end(message, settings);
	if (scenario != SILENT)
		transmit(message, request->nlmsg_pid, 0);
	else
		nlmsg_free(message);
	send_error(request, 0, NULL, 0);
}

/* Finds decay_ms in the request, as the kernel would when it refuses it. */
static void refuse_settings(struct nlmsghdr *request)
{
	struct nlattr *nest = nlmsg_find_attr(request, GENL_HDRLEN, PWRCTL_A_SETTINGS);
	struct nlattr *key = nest ? nla_find(nla_data(nest), nla_len(nest),
					     PWRCTL_A_SET_DECAY_MS) : NULL;

	send_error(request, -ERANGE, "decay_ms must be 1 to 60000 ms",
		   key ? (uint32_t)((char *)key - (char *)request) : 0);
}

static void answer_request(struct nlmsghdr *request)
{
	struct genlmsghdr *generic = nlmsg_data(request);
	struct nlattr *khz;

	asked = generic->cmd;
	asked_flags = request->nlmsg_flags;
	if (request->nlmsg_type == GENL_ID_CTRL) {
		asked_by_name = !!nlmsg_find_attr(request, GENL_HDRLEN, CTRL_ATTR_FAMILY_NAME);
		send_families(request);
	} else if (scenario == FORBIDDEN) {
		send_error(request, -EPERM, NULL, 0);
	} else if (generic->cmd == PWRCTL_CMD_SETTINGS_SET && scenario == REFUSED) {
		refuse_settings(request);
	} else if (generic->cmd == PWRCTL_CMD_SETTINGS_GET) {
		send_settings(request);
	} else if (generic->cmd == PWRCTL_CMD_DOMAIN_GET && request->nlmsg_flags & NLM_F_DUMP) {
		send_domains(request);
	} else {
		khz = nlmsg_find_attr(request, GENL_HDRLEN, PWRCTL_A_INJECT_KHZ);
		injected_khz = khz ? nla_get_u32(khz) : 0;
		send_error(request, 0, NULL, 0);
	}
}

static void *run_kernel(void *unused)
{
	static char buffer[65536] __attribute__((aligned(8)));
	ssize_t got;

	for (;;) {
		got = recv(kernel_fd, buffer, sizeof(buffer), 0);
		if (got >= NLMSG_HDRLEN)
			answer_request((struct nlmsghdr *)buffer);
	}
	return unused;
}

static bool start_kernel(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK };
	socklen_t size = sizeof(address);
	pthread_t thread;

	kernel_fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_USERSOCK);
	if (kernel_fd < 0)
		return false;
	must(!bind(kernel_fd, (struct sockaddr *)&address, sizeof(address)), "bind");
	must(!getsockname(kernel_fd, (struct sockaddr *)&address, &size), "getsockname");
	unit_client_peer = address.nl_pid;
	must(!pthread_create(&thread, NULL, run_kernel, NULL), "thread");
	return true;
}

/* --- the tests --------------------------------------------------------------------------- */

static void test_family(void)
{
	struct pwrctl_client *client;
	struct pwrctl_fault fault;

	scenario = ABSENT;
	client = pwrctl_client_open(&fault);
	ok(!client && fault.kind == PWRCTL_FAULT_ABSENT && strstr(fault.text, "modprobe pwrctl"),
	   "a module that is not there is said to be not loaded");
	ok((asked_flags & NLM_F_DUMP) == NLM_F_DUMP && !asked_by_name,
	   "the family is looked for by listing, never by name");
	scenario = PLAIN;
}

static void test_settings(struct pwrctl_client *client)
{
	struct pwrctl_settings settings = { 0 };
	const struct pwrctl_fault *fault = pwrctl_client_fault(client);

	ok(!pwrctl_client_get_settings(client, NULL, &settings) &&
	   settings.value[PWRCTL_A_SET_MODE] == PWRCTL_MODE_PELT &&
	   settings.value[PWRCTL_A_SET_DECAY_MS] == 125 &&
	   settings.have == (1u << PWRCTL_A_SET_MODE | 1u << PWRCTL_A_SET_DECAY_MS) &&
	   settings.own == 1u << PWRCTL_A_SET_DECAY_MS, "settings are taken, unknown ones ignored");
	scenario = SILENT;
	ok(pwrctl_client_get_settings(client, NULL, &settings) == -EBADMSG,
	   "an acknowledgment without an answer is an error");
	scenario = REFUSED;
	settings.have = 1u << PWRCTL_A_SET_MODE | 1u << PWRCTL_A_SET_DECAY_MS;
	ok(pwrctl_client_set_settings(client, "policy0", &settings, 0) == -ERANGE &&
	   fault->key == PWRCTL_A_SET_DECAY_MS && fault->attr == PWRCTL_A_SETTINGS &&
	   !strcmp(fault->text, "decay_ms must be 1 to 60000 ms"),
	   "a refusal tells the sentence and the key");
	scenario = PLAIN;
	ok(!pwrctl_client_set_settings(client, "policy0", &settings, 0),
	   "the next call is not disturbed by a refusal");
	scenario = FORBIDDEN;
	ok(pwrctl_client_set_settings(client, NULL, &settings, 0) == -EPERM &&
	   strstr(fault->text, "root"), "a bare EPERM says what is needed");
	scenario = PLAIN;
	ok(!pwrctl_client_inject(client, "policy0", 900000, 1000) && injected_khz == 900000,
	   "an injected cap is sent");
	ok(!pwrctl_client_inject(client, "policy0", 0, 0) && !injected_khz, "and cleared");
}

static void test_version(struct pwrctl_client *client, enum scenario version, const char *older)
{
	const struct pwrctl_fault *fault = pwrctl_client_fault(client);
	struct pwrctl_settings settings;

	scenario = version;
	ok(pwrctl_client_get_settings(client, NULL, &settings) == -EPROTO &&
	   fault->kind == PWRCTL_FAULT_VERSION && strstr(fault->text, older),
	   "version: '%s'", older);
	scenario = PLAIN;
}

static void test_domains(struct pwrctl_client *client)
{
	const struct pwrctl_fault *fault = pwrctl_client_fault(client);
	struct pwrctl_domain *domains;
	size_t count;

	ok(!pwrctl_client_get_domains(client, &domains, &count) && count == 3 &&
	   !strcmp(domains[2].name, "policy2") && domains[0].reference_khz == 1800000 &&
	   domains[0].clock_ns == 1ull << 40 && domains[0].pressure == 512 &&
	   domains[0].n_caps == 2 && domains[0].caps[0].khz == 900000 &&
	   !domains[0].caps[1].khz && domains[0].caps[1].cause == PWRCTL_CAUSE_HW,
	   "a listing of domains is taken");
	free(domains);
	scenario = INTERRUPTED;
	ok(!pwrctl_client_get_domains(client, &domains, &count) && count == 3,
	   "a listing that was disturbed is taken again");
	free(domains);
	scenario = DUMP_REFUSED;
	ok(pwrctl_client_get_domains(client, &domains, &count) == -ENOSPC &&
	   !strcmp(fault->text, "no room for domains"),
	   "an error at the end of a listing is not lost");
	free(domains);
	scenario = HOSTILE;
	ok(!pwrctl_client_get_domains(client, &domains, &count) && count == 3 &&
	   strlen(domains[0].name) < PWRCTL_NAME_LEN && !domains[0].pressure &&
	   domains[0].n_caps == PWRCTL_CAPS_MAX,
	   "long names, short numbers and too many caps do no harm");
	free(domains);
	scenario = NEWER;
	ok(pwrctl_client_get_domains(client, &domains, &count) == -EPROTO,
	   "a listing of another version is refused");
	free(domains);
	scenario = PLAIN;
}

static void send_event(int type, int command, bool family_event)
{
	struct nl_msg *message = answer(NULL, type, command, 0);

	if (family_event)
		nla_put_u16(message, CTRL_ATTR_FAMILY_ID,
			    command == CTRL_CMD_DELFAMILY ? FAMILY : FAMILY + 1);
	else
		put_domain(message, 4);
	transmit(message, 0, 1u << ((type == FAMILY ? GROUP : GENL_ID_CTRL) - 1));
}

static void test_events(struct pwrctl_client *client)
{
	struct pwrctl_event event;
	int small = 1, result, i, told = 0;
	struct nl_msg *message;

	ok(!pwrctl_client_receive(client, &event), "no event yet");
	send_event(FAMILY, PWRCTL_CMD_CAP_NTF, false);
	ok(pwrctl_client_receive(client, &event) == 1 && event.cmd == PWRCTL_CMD_CAP_NTF &&
	   !strcmp(event.name, "policy4") && event.domain.pressure == 512, "an event is taken");
	message = answer(NULL, GENL_ID_CTRL, CTRL_CMD_DELFAMILY, 0);
	nla_put_u16(message, CTRL_ATTR_FAMILY_ID, FAMILY + 1);
	transmit(message, 0, 1u << (GENL_ID_CTRL - 1));
	ok(!pwrctl_client_receive(client, &event), "another family may leave");
	must(!setsockopt(pwrctl_client_fd(client), SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)),
	     "SO_RCVBUF");
	for (i = 0; i < 1000; i++)
		send_event(FAMILY, PWRCTL_CMD_HINT_NTF, false);
	for (i = 0; i < 2000; i++) {
		result = pwrctl_client_receive(client, &event);
		told += result == -ENOBUFS;
		if (!result)
			break;
	}
	ok(told == 1 && !result, "events that were lost are told, once");
	send_event(FAMILY, PWRCTL_CMD_HINT_NTF, false);
	ok(pwrctl_client_receive(client, &event) == 1, "and the next one comes again");
	scenario = NEWER;
	send_event(FAMILY, PWRCTL_CMD_HINT_NTF, false);
	ok(pwrctl_client_receive(client, &event) == -EPROTO,
	   "an event of another version is refused");
	scenario = PLAIN;
	send_event(GENL_ID_CTRL, CTRL_CMD_DELFAMILY, true);
	ok(pwrctl_client_receive(client, &event) == 1 && !event.cmd,
	   "a module that leaves is told");
}

int main(void)
{
	static const unsigned int planned = 25;
	struct pwrctl_client *client;
	struct pwrctl_fault fault;

	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("TAP version 13");
	if (!start_kernel()) {
		puts("1..0 # SKIP this kernel has no netlink sockets between programs");
		return 4;
	}
	printf("1..%u\n", planned);
	test_family();
	client = pwrctl_client_open(&fault);
	ok(client, "the family is found among others");
	must(client, fault.text);
	test_settings(client);
	test_version(client, OLDER, "the module is older");
	test_version(client, UNVERSIONED, "the module is older");
	test_version(client, NEWER, "the command is older");
	test_domains(client);
	if (pwrctl_client_listen(client)) {
		while (tests < planned)
			ok(true, "events # SKIP needs CAP_NET_ADMIN to join a group");
	} else {
		test_events(client);
	}
	pwrctl_client_close(client);
	return failures || tests != planned;
}
