// SPDX-License-Identifier: GPL-2.0-only
/* A small client of pwrctl's generic netlink family; see nl.h. */
#include <errno.h>
#include <linux/genetlink.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "nl.h"

static uint32_t u32_of(const struct nlattr *attr)
{
	return mnl_attr_get_u32(attr);
}

static uint64_t u64_of(const struct nlattr *attr)
{
	return mnl_attr_get_u64(attr);
}

static void text_of(const struct nlattr *attr, char *to, size_t size)
{
	snprintf(to, size, "%.*s", (int)mnl_attr_get_payload_len(attr), mnl_attr_get_str(attr));
}

static void parse_cap(const struct nlattr *nest, struct nl_domain *domain)
{
	uint32_t cause = 0, khz = 0;
	const struct nlattr *attr;
	uint64_t until = 0;

	mnl_attr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case PWRCTL_A_CAP_CAUSE:
			cause = u32_of(attr);
			break;
		case PWRCTL_A_CAP_KHZ:
			khz = u32_of(attr);
			break;
		case PWRCTL_A_CAP_UNTIL_NS:
			until = u64_of(attr);
			break;
		}
	}
	if (cause >= __PWRCTL_CAUSE_END)
		return;
	domain->told |= 1u << cause;
	domain->caps[cause] = khz;
	if (cause == PWRCTL_CAUSE_INJECTED)
		domain->inject_until = until;
}

static void parse_domain(const struct nlattr *nest, struct nl_domain *d)
{
	const struct nlattr *attr, *cap;

	memset(d, 0, sizeof(*d));
	mnl_attr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case PWRCTL_A_DOM_NAME:
			text_of(attr, d->name, sizeof(d->name));
			break;
		case PWRCTL_A_DOM_CPUS:
			text_of(attr, d->cpus, sizeof(d->cpus));
			break;
		case PWRCTL_A_DOM_DRIVER:
			text_of(attr, d->driver, sizeof(d->driver));
			break;
		case PWRCTL_A_DOM_CLOCK_NS:
			d->clock = u64_of(attr);
			break;
		case PWRCTL_A_DOM_REFERENCE_KHZ:
			d->reference = u32_of(attr);
			break;
		case PWRCTL_A_DOM_REFERENCE_ORIGIN:
			d->origin = u32_of(attr);
			break;
		case PWRCTL_A_DOM_CAP_KHZ:
			d->cap = u32_of(attr);
			break;
		case PWRCTL_A_DOM_CAUSE:
			d->cause = u32_of(attr);
			break;
		case PWRCTL_A_DOM_SINCE_NS:
			d->since = u64_of(attr);
			break;
		case PWRCTL_A_DOM_PRESSURE:
			d->pressure = u32_of(attr);
			break;
		case PWRCTL_A_DOM_AVERAGE:
			d->average = u32_of(attr);
			break;
		case PWRCTL_A_DOM_CHANGED_NS:
			d->changed = u64_of(attr);
			break;
		case PWRCTL_A_DOM_PRESSURE_FINE:
			d->pressure_fine = u64_of(attr);
			break;
		case PWRCTL_A_DOM_AVERAGE_FINE:
			d->average_fine = u64_of(attr);
			break;
		case PWRCTL_A_DOM_CAPS:
			mnl_attr_for_each_nested(cap, attr)
				parse_cap(cap, d);
			break;
		case PWRCTL_A_DOM_EVENTS:
			d->events = u64_of(attr);
			break;
		case PWRCTL_A_DOM_PUSHES:
			d->pushes = u64_of(attr);
			break;
		case PWRCTL_A_DOM_TIMER_FIRES:
			d->timer_fires = u64_of(attr);
			break;
		case PWRCTL_A_DOM_TOTAL_NS:
			d->total = u64_of(attr);
			break;
		case PWRCTL_A_DOM_CAPPED_NS:
			d->capped = u64_of(attr);
			break;
		case PWRCTL_A_DOM_MEAN_CAP_KHZ:
			d->mean_cap = u32_of(attr);
			break;
		case PWRCTL_A_DOM_MEAN_PRESSURE:
			d->mean_pressure = u32_of(attr);
			break;
		case PWRCTL_A_DOM_LOST_NS:
			d->lost = u64_of(attr);
			break;
		}
	}
}

static void parse_cpu(const struct nlattr *nest, struct nl_cpu *cpu)
{
	const struct nlattr *attr;

	memset(cpu, 0, sizeof(*cpu));
	mnl_attr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case PWRCTL_A_CPU_CPU:
			cpu->cpu = u32_of(attr);
			break;
		case PWRCTL_A_CPU_DOMAIN:
			text_of(attr, cpu->domain, sizeof(cpu->domain));
			break;
		case PWRCTL_A_CPU_CLOCK_NS:
			cpu->clock = u64_of(attr);
			break;
		case PWRCTL_A_CPU_CAPACITY:
			cpu->capacity = u32_of(attr);
			break;
		case PWRCTL_A_CPU_PRESSURE:
			cpu->pressure = u32_of(attr);
			break;
		case PWRCTL_A_CPU_AVERAGE:
			cpu->average = u32_of(attr);
			break;
		case PWRCTL_A_CPU_HINT:
			cpu->hint = u32_of(attr);
			break;
		}
	}
}

static void parse_stats(const struct nlattr *nest, struct nl_stats *stats)
{
	const struct nlattr *attr;

	memset(stats, 0, sizeof(*stats));
	mnl_attr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case PWRCTL_A_STATS_VERSION:
			text_of(attr, stats->version, sizeof(stats->version));
			break;
		case PWRCTL_A_STATS_DOMAINS:
			stats->domains = u32_of(attr);
			break;
		case PWRCTL_A_STATS_EVENTS:
			stats->events = u64_of(attr);
			break;
		case PWRCTL_A_STATS_PUSHES:
			stats->pushes = u64_of(attr);
			break;
		case PWRCTL_A_STATS_TIMER_FIRES:
			stats->timer_fires = u64_of(attr);
			break;
		case PWRCTL_A_STATS_NOTIFIERS:
			stats->notifiers = u32_of(attr);
			break;
		case PWRCTL_A_STATS_LISTENERS:
			stats->listeners = u32_of(attr);
			break;
		case PWRCTL_A_STATS_TRACED:
			stats->traced = u32_of(attr);
			break;
		case PWRCTL_A_STATS_CAUSES:
			stats->causes = u32_of(attr);
			break;
		case PWRCTL_A_STATS_ATTACH_ERRORS:
			stats->attach_errors = u64_of(attr);
			break;
		case PWRCTL_A_STATS_LOST_EVENTS:
			stats->lost_events = u64_of(attr);
			break;
		}
	}
}

static void parse_settings(const struct nlattr *nest, struct nl_settings *settings)
{
	const struct nlattr *attr;
	uint16_t type;

	memset(settings, 0, sizeof(*settings));
	mnl_attr_for_each_nested(attr, nest) {
		type = mnl_attr_get_type(attr);
		if (type >= __PWRCTL_A_SET_END)
			continue;
		settings->has |= 1u << type;
		settings->value[type] = u32_of(attr);
	}
}

static const struct nlattr *find(const struct nlmsghdr *header, uint16_t type)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, header, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == type)
			return attr;
	return NULL;
}

/* What NETLINK_EXT_ACK adds to an error; with NETLINK_CAP_ACK the request is not repeated. */
static void keep_refusal(struct nl *nl, const struct nlmsghdr *header)
{
	const struct nlmsgerr *error = mnl_nlmsg_get_payload(header);
	unsigned int skip = sizeof(*error);
	const struct nlattr *attr;

	if (!(header->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(header->nlmsg_flags & NLM_F_CAPPED))
		skip += mnl_nlmsg_get_payload_len(&error->msg);
	mnl_attr_for_each(attr, header, skip) {
		switch (mnl_attr_get_type(attr)) {
		case NLMSGERR_ATTR_MSG:
			text_of(attr, nl->refusal, sizeof(nl->refusal));
			break;
		case NLMSGERR_ATTR_OFFS:
			nl->refused_at = u32_of(attr);
			break;
		case NLMSGERR_ATTR_MISS_TYPE:
			nl->missing = u32_of(attr);
			break;
		}
	}
}

/**
 * nl_begin() - start a request
 * @nl: connection
 * @message: filled in; add attributes with mnl_attr_put() to its header
 * @cmd: PWRCTL_CMD_*
 * @flags: more flags than NLM_F_REQUEST: NLM_F_ACK, NLM_F_DUMP
 */
void nl_begin(struct nl *nl, struct nl_message *message, uint8_t cmd, uint16_t flags)
{
	struct genlmsghdr *genl;

	message->header = mnl_nlmsg_put_header(message->buffer);
	message->header->nlmsg_type = nl->family;
	message->header->nlmsg_flags = NLM_F_REQUEST | flags;
	genl = mnl_nlmsg_put_extra_header(message->header, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = PWRCTL_GENL_VERSION;
}

/* 1: go on, 0: that was the last message, or -errno */
static int take(struct nl *nl, const struct nlmsghdr *header, bool dump, nl_answer answer,
		void *data)
{
	const struct nlmsgerr *error;
	int ret;

	if (header->nlmsg_seq != nl->seq)
		return 1;
	switch (header->nlmsg_type) {
	case NLMSG_ERROR:
		error = mnl_nlmsg_get_payload(header);
		keep_refusal(nl, header);
		return error->error;
	case NLMSG_DONE:
		return *(int *)mnl_nlmsg_get_payload(header);
	}
	if (header->nlmsg_flags & NLM_F_DUMP_INTR)
		return -EINTR;
	ret = answer ? answer(header, data) : 0;
	if (ret)
		return ret;
	return dump || header->nlmsg_flags & NLM_F_ACK ? 1 : 0;
}

/**
 * nl_ask() - send a request and take all of its answer
 * @nl: connection
 * @message: from nl_begin()
 * @answer: called for every message of the answer, may be NULL; returns 0 or -errno
 * @data: its second argument
 *
 * Return: 0 or -errno, the kernel's if it refuses; @nl then has its words. A request without an
 * acknowledgment is over with its first message.
 */
int nl_ask(struct nl *nl, struct nl_message *message, nl_answer answer, void *data)
{
	bool more = message->header->nlmsg_flags & (NLM_F_DUMP | NLM_F_ACK);
	char buffer[NL_BUFFER];
	struct nlmsghdr *header;
	ssize_t size;
	int left, ret;

	nl->refusal[0] = '\0';
	nl->refused_at = 0;
	nl->missing = 0;
	message->header->nlmsg_seq = ++nl->seq;
	if (mnl_socket_sendto(nl->socket, message->header, message->header->nlmsg_len) < 0)
		return -errno;
	for (;;) {
		size = mnl_socket_recvfrom(nl->socket, buffer, sizeof(buffer));
		if (size < 0)
			return -errno;
		left = size;
		for (header = (struct nlmsghdr *)buffer; mnl_nlmsg_ok(header, left);
		     header = mnl_nlmsg_next(header, &left)) {
			ret = take(nl, header, more, answer, data);
			if (ret <= 0)
				return ret;
		}
	}
}

static int take_family(const struct nlmsghdr *header, void *data)
{
	const struct nlattr *attr, *group, *field;
	struct nl *nl = data;

	mnl_attr_for_each(attr, header, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			nl->family = mnl_attr_get_u16(attr);
		if (mnl_attr_get_type(attr) != CTRL_ATTR_MCAST_GROUPS)
			continue;
		mnl_attr_for_each_nested(group, attr)
			mnl_attr_for_each_nested(field, group)
				if (mnl_attr_get_type(field) == CTRL_ATTR_MCAST_GRP_ID)
					nl->group = u32_of(field);
	}
	return 0;
}

static int find_family(struct nl *nl)
{
	struct nl_message message;

	nl->family = GENL_ID_CTRL;
	nl_begin(nl, &message, CTRL_CMD_GETFAMILY, NLM_F_ACK);
	mnl_attr_put_strz(message.header, CTRL_ATTR_FAMILY_NAME, PWRCTL_GENL_NAME);
	return nl_ask(nl, &message, take_family, nl);
}

/**
 * nl_open() - connect
 * @nl: filled in
 *
 * Return: 0 or -errno; -ENOENT when there is no such family
 */
int nl_open(struct nl *nl)
{
	int one = 1, ret;

	memset(nl, 0, sizeof(*nl));
	nl->socket = mnl_socket_open(NETLINK_GENERIC);
	if (!nl->socket)
		return -errno;
	nl->seq = time(NULL);
	if (mnl_socket_bind(nl->socket, 0, MNL_SOCKET_AUTOPID) < 0 ||
	    mnl_socket_setsockopt(nl->socket, NETLINK_EXT_ACK, &one, sizeof(one)) < 0 ||
	    mnl_socket_setsockopt(nl->socket, NETLINK_CAP_ACK, &one, sizeof(one)) < 0 ||
	    mnl_socket_setsockopt(nl->socket, NETLINK_GET_STRICT_CHK, &one, sizeof(one)) < 0)
		ret = -errno;
	else
		ret = find_family(nl);
	nl->portid = mnl_socket_get_portid(nl->socket);
	if (ret)
		nl_close(nl);
	return ret;
}

/**
 * nl_close() - disconnect
 * @nl: connection
 */
void nl_close(struct nl *nl)
{
	if (nl->socket)
		mnl_socket_close(nl->socket);
	nl->socket = NULL;
}

/**
 * nl_listen() - join the group; use the connection for nl_event() only from now on
 * @nl: connection
 *
 * Return: 0 or -errno
 */
int nl_listen(struct nl *nl)
{
	if (mnl_socket_setsockopt(nl->socket, NETLINK_ADD_MEMBERSHIP, &nl->group,
				  sizeof(nl->group)) < 0)
		return -errno;
	return 0;
}

/**
 * nl_event() - the next notification
 * @nl: connection that listens
 * @timeout_ms: how long to wait
 * @event: filled in
 *
 * Return: 1, 0 when none came in time, or -errno (-ENOBUFS when some were lost)
 */
int nl_event(struct nl *nl, int timeout_ms, struct nl_event *event)
{
	struct pollfd wait = { .fd = mnl_socket_get_fd(nl->socket), .events = POLLIN };
	const struct genlmsghdr *genl;
	const struct nlmsghdr *header;
	const struct nlattr *attr;
	char buffer[NL_BUFFER];
	ssize_t size;
	int ret;

	ret = poll(&wait, 1, timeout_ms);
	if (ret <= 0)
		return ret < 0 ? -errno : 0;
	size = mnl_socket_recvfrom(nl->socket, buffer, sizeof(buffer));
	if (size < 0)
		return -errno;
	header = (const struct nlmsghdr *)buffer;
	if (!mnl_nlmsg_ok(header, size) || header->nlmsg_type != nl->family)
		return -EBADMSG;
	memset(event, 0, sizeof(*event));
	genl = mnl_nlmsg_get_payload(header);
	event->cmd = genl->cmd;
	attr = find(header, PWRCTL_A_DOMAIN_NAME);
	if (attr)
		text_of(attr, event->domain.name, sizeof(event->domain.name));
	attr = find(header, PWRCTL_A_DOMAIN);
	if (attr)
		parse_domain(attr, &event->domain);
	attr = find(header, PWRCTL_A_SETTINGS);
	if (attr)
		parse_settings(attr, &event->settings);
	return 1;
}

/* Where a list's next element goes. */
struct list {
	void *next;
	size_t left;
	int count;
};

static int take_domain(const struct nlmsghdr *header, void *data)
{
	const struct nlattr *attr = find(header, PWRCTL_A_DOMAIN);
	struct list *list = data;
	struct nl_domain *to = list->next;

	if (!attr || !list->left)
		return -EBADMSG;
	parse_domain(attr, to);
	list->next = to + 1;
	list->left--;
	list->count++;
	return 0;
}

static int take_cpu(const struct nlmsghdr *header, void *data)
{
	const struct nlattr *attr = find(header, PWRCTL_A_CPU);
	struct list *list = data;
	struct nl_cpu *to = list->next;

	if (!attr || !list->left)
		return -EBADMSG;
	parse_cpu(attr, to);
	list->next = to + 1;
	list->left--;
	list->count++;
	return 0;
}

static int take_stats(const struct nlmsghdr *header, void *data)
{
	const struct nlattr *attr = find(header, PWRCTL_A_STATS);

	if (!attr)
		return -EBADMSG;
	parse_stats(attr, data);
	return 0;
}

static int take_settings(const struct nlmsghdr *header, void *data)
{
	const struct nlattr *attr = find(header, PWRCTL_A_SETTINGS);

	if (!attr)
		return -EBADMSG;
	parse_settings(attr, data);
	return 0;
}

/**
 * nl_domain() - one domain
 * @nl: connection
 * @name: of the domain
 * @domain: filled in
 *
 * Return: 0 or -errno
 */
int nl_domain(struct nl *nl, const char *name, struct nl_domain *domain)
{
	struct list list = { .next = domain, .left = 1 };
	struct nl_message message;

	nl_begin(nl, &message, PWRCTL_CMD_DOMAIN_GET, 0);
	mnl_attr_put_strz(message.header, PWRCTL_A_DOMAIN_NAME, name);
	return nl_ask(nl, &message, take_domain, &list);
}

/**
 * nl_domains() - all domains
 * @nl: connection
 * @domains: filled in
 * @most: how many fit
 *
 * Return: how many, or -errno
 */
int nl_domains(struct nl *nl, struct nl_domain *domains, size_t most)
{
	struct list list = { .next = domains, .left = most };
	struct nl_message message;
	int ret;

	nl_begin(nl, &message, PWRCTL_CMD_DOMAIN_GET, NLM_F_DUMP);
	ret = nl_ask(nl, &message, take_domain, &list);
	return ret ? ret : list.count;
}

/**
 * nl_cpu() - one CPU
 * @nl: connection
 * @number: of the CPU
 * @cpu: filled in
 *
 * Return: 0 or -errno
 */
int nl_cpu(struct nl *nl, uint32_t number, struct nl_cpu *cpu)
{
	struct list list = { .next = cpu, .left = 1 };
	struct nl_message message;

	nl_begin(nl, &message, PWRCTL_CMD_CPU_GET, 0);
	mnl_attr_put_u32(message.header, PWRCTL_A_CPU_ID, number);
	return nl_ask(nl, &message, take_cpu, &list);
}

/**
 * nl_cpus() - all CPUs
 * @nl: connection
 * @cpus: filled in
 * @most: how many fit
 *
 * Return: how many, or -errno
 */
int nl_cpus(struct nl *nl, struct nl_cpu *cpus, size_t most)
{
	struct list list = { .next = cpus, .left = most };
	struct nl_message message;
	int ret;

	nl_begin(nl, &message, PWRCTL_CMD_CPU_GET, NLM_F_DUMP);
	ret = nl_ask(nl, &message, take_cpu, &list);
	return ret ? ret : list.count;
}

/**
 * nl_stats() - the module as a whole
 * @nl: connection
 * @stats: filled in
 *
 * Return: 0 or -errno
 */
int nl_stats(struct nl *nl, struct nl_stats *stats)
{
	struct nl_message message;

	nl_begin(nl, &message, PWRCTL_CMD_STATS_GET, 0);
	return nl_ask(nl, &message, take_stats, stats);
}

/**
 * nl_settings() - settings that hold
 * @nl: connection
 * @domain: for this domain, or NULL for the global ones
 * @settings: filled in
 *
 * Return: 0 or -errno
 */
int nl_settings(struct nl *nl, const char *domain, struct nl_settings *settings)
{
	struct nl_message message;

	nl_begin(nl, &message, PWRCTL_CMD_SETTINGS_GET, 0);
	if (domain)
		mnl_attr_put_strz(message.header, PWRCTL_A_DOMAIN_NAME, domain);
	return nl_ask(nl, &message, take_settings, settings);
}

/**
 * nl_set() - change settings
 * @nl: connection
 * @domain: of this domain, or NULL for the global ones
 * @settings: what to set, may be NULL
 * @unset: mask of what to unset
 *
 * Return: 0 or -errno
 */
int nl_set(struct nl *nl, const char *domain, const struct nl_settings *settings, uint32_t unset)
{
	struct nl_message message;
	struct nlattr *nest;
	uint16_t key;

	nl_begin(nl, &message, PWRCTL_CMD_SETTINGS_SET, NLM_F_ACK);
	if (domain)
		mnl_attr_put_strz(message.header, PWRCTL_A_DOMAIN_NAME, domain);
	if (settings) {
		nest = mnl_attr_nest_start(message.header, PWRCTL_A_SETTINGS);
		for (key = 1; key < __PWRCTL_A_SET_END; key++)
			if (settings->has & 1u << key)
				mnl_attr_put_u32(message.header, key, settings->value[key]);
		mnl_attr_nest_end(message.header, nest);
	}
	if (unset)
		mnl_attr_put_u32(message.header, PWRCTL_A_UNSET, unset);
	return nl_ask(nl, &message, NULL, NULL);
}

/**
 * nl_set_one() - change one setting
 * @nl: connection
 * @domain: of this domain, or NULL for the global one
 * @key: PWRCTL_A_SET_*
 * @value: its new value
 *
 * Return: 0 or -errno
 */
int nl_set_one(struct nl *nl, const char *domain, uint16_t key, uint32_t value)
{
	struct nl_settings settings = { .has = 1u << key };

	settings.value[key] = value;
	return nl_set(nl, domain, &settings, 0);
}

/**
 * nl_inject() - inject a cap
 * @nl: connection
 * @domain: its name
 * @khz: the cap
 * @ttl_ms: how long
 *
 * Return: 0 or -errno
 */
int nl_inject(struct nl *nl, const char *domain, uint32_t khz, uint32_t ttl_ms)
{
	struct nl_message message;

	nl_begin(nl, &message, PWRCTL_CMD_INJECT, NLM_F_ACK);
	mnl_attr_put_strz(message.header, PWRCTL_A_DOMAIN_NAME, domain);
	mnl_attr_put_u32(message.header, PWRCTL_A_INJECT_KHZ, khz);
	mnl_attr_put_u32(message.header, PWRCTL_A_INJECT_TTL_MS, ttl_ms);
	return nl_ask(nl, &message, NULL, NULL);
}

/**
 * nl_inject_clear() - end an injected cap
 * @nl: connection
 * @domain: its name
 *
 * Return: 0 or -errno
 */
int nl_inject_clear(struct nl *nl, const char *domain)
{
	struct nl_message message;

	nl_begin(nl, &message, PWRCTL_CMD_INJECT, NLM_F_ACK);
	mnl_attr_put_strz(message.header, PWRCTL_A_DOMAIN_NAME, domain);
	return nl_ask(nl, &message, NULL, NULL);
}

static int reset_one(struct nl *nl, const char *domain)
{
	struct nl_settings settings;
	int ret = nl_settings(nl, domain, &settings);

	/* a request that changes nothing is refused */
	if (ret || !settings.value[PWRCTL_A_SET_OWN])
		return ret;
	return nl_set(nl, domain, NULL, settings.value[PWRCTL_A_SET_OWN]);
}

/**
 * nl_reset() - every setting back to its default
 * @nl: connection
 *
 * Return: 0 or -errno
 */
int nl_reset(struct nl *nl)
{
	static struct nl_domain domains[256];
	int count, i, ret;

	count = nl_domains(nl, domains, sizeof(domains) / sizeof(*domains));
	if (count < 0)
		return count;
	for (i = 0; i < count; i++) {
		ret = reset_one(nl, domains[i].name);
		if (ret)
			return ret;
	}
	return reset_one(nl, NULL);
}
