// SPDX-License-Identifier: GPL-2.0-only
/*
 * libnl makes and takes apart the messages; sending and receiving is done here, because libnl
 * maps several errno to one code (a lost event and a lack of memory look the same) and 3.7 has
 * no access to the extended acknowledgment, in which the module says what it refuses and why.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "client.h"
#include "stop.h"
#include "wire.h"

/* The test of this file talks to a made-up kernel instead. */
#ifndef PWRCTL_CLIENT_PROTOCOL
#define PWRCTL_CLIENT_PROTOCOL	NETLINK_GENERIC
#define PWRCTL_CLIENT_PEER	0
#endif

#define BUFFER_SIZE	65536	/* The kernel's dump messages are at most 32 KiB. */
#define DUMP_TRIES	16
#define CONTROLLER_GROUP	GENL_ID_CTRL	/* Its only group has its own number. */

/* One object of a dump or a reply; returns 0 or -errno. */
typedef int (*take_fn)(struct pwrctl_client *client, struct nlmsghdr *header, void *argument);

struct pwrctl_client {
	struct nl_sock *requests;
	struct nl_sock *events;
	uint16_t family;
	uint32_t group;
	bool has_group;
	struct pwrctl_fault fault;
	/* Events that came in one datagram are handed out one by one from here. */
	size_t have;
	size_t next;
	char buffer[BUFFER_SIZE] __attribute__((aligned(8)));
	char event_buffer[BUFFER_SIZE] __attribute__((aligned(8)));
};

__attribute__((format(printf, 4, 5)))
static int fail(struct pwrctl_client *client, enum pwrctl_fault_kind kind, int error,
		const char *format, ...)
{
	va_list arguments;

	memset(&client->fault, 0, sizeof(client->fault));
	client->fault.kind = kind;
	client->fault.error = error;
	va_start(arguments, format);
	vsnprintf(client->fault.text, sizeof(client->fault.text), format, arguments);
	va_end(arguments);
	return -error;
}

static int fail_errno(struct pwrctl_client *client, int error, const char *what)
{
	return fail(client, PWRCTL_FAULT_FAILED, error, "%s: %s", what, strerror(error));
}

/* An errno with the extended acknowledgment's attributes behind it, when there are any. */
static int fail_ack(struct pwrctl_client *client, int error, struct nlmsghdr *header, size_t skip,
		    struct nlmsghdr *request)
{
	if (error == EPERM)
		fail(client, PWRCTL_FAULT_FAILED, error, "not permitted: run it as root");
	else
		fail(client, PWRCTL_FAULT_FAILED, error, "%s", strerror(error));
	pwrctl_wire_refusal(&client->fault, header, skip, request);
	return -error;
}

static int take_error(struct pwrctl_client *client, struct nlmsghdr *header,
		      struct nlmsghdr *request)
{
	struct nlmsgerr *error = NLMSG_DATA(header);
	size_t skip = sizeof(*error);

	if (header->nlmsg_len < NLMSG_LENGTH(sizeof(*error)))
		return fail_errno(client, EBADMSG, "short answer");
	if (!error->error)
		return 0;
	if (!(header->nlmsg_flags & NLM_F_CAPPED) && error->msg.nlmsg_len > NLMSG_HDRLEN)
		skip += error->msg.nlmsg_len - NLMSG_HDRLEN;
	return fail_ack(client, -error->error, header, skip, request);
}

static int take_done(struct pwrctl_client *client, struct nlmsghdr *header,
		     struct nlmsghdr *request)
{
	int error;

	if (header->nlmsg_len < NLMSG_LENGTH(sizeof(error)))
		return 0;
	memcpy(&error, NLMSG_DATA(header), sizeof(error));
	return error < 0 ? fail_ack(client, -error, header, sizeof(error), request) : 0;
}

static ssize_t take_datagram(struct pwrctl_client *client, int fd, char *buffer, int flags)
{
	struct sockaddr_nl from = { 0 };
	socklen_t from_size = sizeof(from);
	ssize_t got;

	do {
		got = recvfrom(fd, buffer, BUFFER_SIZE, flags | MSG_TRUNC,
			       (struct sockaddr *)&from, &from_size);
	} while (got < 0 && errno == EINTR && !pwrctl_stop_asked());
	if (got < 0)
		return fail_errno(client, errno, "cannot receive from the kernel");
	if (got > BUFFER_SIZE)
		return fail_errno(client, EMSGSIZE, "cannot receive from the kernel");
	return got;
}

/*
 * Sends @message and hands every answer to @take. One acknowledgment or the end of a dump
 * ends it. A first failure of @take is remembered, the rest of the answers is still read.
 */
static int converse(struct pwrctl_client *client, struct nl_msg *message, take_fn take,
		    void *argument)
{
	struct nlmsghdr *request = nlmsg_hdr(message), *header;
	int fd = nl_socket_get_fd(client->requests), error, result = 0;
	bool interrupted = false;
	ssize_t got;
	int left;

	nl_complete_msg(client->requests, message);
	request->nlmsg_flags |= NLM_F_ACK;
	error = nl_send(client->requests, message);
	if (error < 0)
		return fail(client, PWRCTL_FAULT_FAILED, EIO, "cannot send to the kernel: %s",
			    nl_geterror(error));
	for (;;) {
		got = take_datagram(client, fd, client->buffer, 0);
		if (got < 0)
			return (int)got;
		header = (struct nlmsghdr *)client->buffer;
		for (left = (int)got; nlmsg_ok(header, left);
		     header = nlmsg_next(header, &left)) {
			if (header->nlmsg_seq != request->nlmsg_seq)
				continue;
			interrupted |= !!(header->nlmsg_flags & NLM_F_DUMP_INTR);
			if (header->nlmsg_type == NLMSG_ERROR) {
				error = take_error(client, header, request);
				return result ? result : error;
			}
			if (header->nlmsg_type == NLMSG_DONE) {
				error = take_done(client, header, request);
				if (!result && !error && interrupted)
					return -EAGAIN;
				return result ? result : error;
			}
			if (take && !result)
				result = take(client, header, argument);
		}
	}
}

static struct nl_msg *start(struct pwrctl_client *client, uint8_t command, int flags)
{
	struct nl_msg *message = nlmsg_alloc_size(8192);

	if (message && genlmsg_put(message, NL_AUTO_PORT, NL_AUTO_SEQ, client->family, 0, flags,
				   command, PWRCTL_GENL_VERSION))
		return message;
	nlmsg_free(message);
	fail_errno(client, ENOMEM, "cannot make a message");
	return NULL;
}

static void take_group(struct pwrctl_client *client, struct nlattr *groups)
{
	struct nlattr *attrs[CTRL_ATTR_MCAST_GRP_MAX + 1], *group;
	int left;

	nla_for_each_nested(group, groups, left) {
		if (nla_parse_nested(attrs, CTRL_ATTR_MCAST_GRP_MAX, group, NULL) ||
		    !attrs[CTRL_ATTR_MCAST_GRP_NAME] || !attrs[CTRL_ATTR_MCAST_GRP_ID] ||
		    nla_strcmp(attrs[CTRL_ATTR_MCAST_GRP_NAME], PWRCTL_MCGRP_EVENTS))
			continue;
		client->group = nla_get_u32(attrs[CTRL_ATTR_MCAST_GRP_ID]);
		client->has_group = true;
	}
}

static int take_family(struct pwrctl_client *client, struct nlmsghdr *header, void *argument)
{
	struct nlattr *attrs[CTRL_ATTR_MAX + 1];

	(void)argument;
	if (genlmsg_parse(header, 0, attrs, CTRL_ATTR_MAX, NULL) ||
	    !attrs[CTRL_ATTR_FAMILY_NAME] || !attrs[CTRL_ATTR_FAMILY_ID] ||
	    nla_strcmp(attrs[CTRL_ATTR_FAMILY_NAME], PWRCTL_GENL_NAME))
		return 0;
	client->family = nla_get_u16(attrs[CTRL_ATTR_FAMILY_ID]);
	if (attrs[CTRL_ATTR_MCAST_GROUPS])
		take_group(client, attrs[CTRL_ATTR_MCAST_GROUPS]);
	return 0;
}

/* Asks for all families: a question for one by name makes the kernel call modprobe. */
static int find_family(struct pwrctl_client *client)
{
	struct nl_msg *message;
	int error, tries = 0;

	client->family = GENL_ID_CTRL;
	do {
		message = start(client, CTRL_CMD_GETFAMILY, NLM_F_DUMP);
		if (!message)
			return -ENOMEM;
		error = converse(client, message, take_family, NULL);
		nlmsg_free(message);
	} while (error == -EAGAIN && ++tries < DUMP_TRIES);
	if (error)
		return error;
	if (client->family == GENL_ID_CTRL)
		return fail(client, PWRCTL_FAULT_ABSENT, ENOENT,
			    "the module pwrctl is not loaded: run modprobe pwrctl; "
			    "if that fails, pwrctl doctor tells why");
	return 0;
}

static struct nl_sock *open_socket(void)
{
	struct nl_sock *socket = nl_socket_alloc();
	int on = 1;

	if (!socket)
		return NULL;
	if (nl_connect(socket, PWRCTL_CLIENT_PROTOCOL)) {
		nl_socket_free(socket);
		return NULL;
	}
	nl_socket_set_peer_port(socket, PWRCTL_CLIENT_PEER);
	/* A kernel without it still answers, only with bare errnos. */
	setsockopt(nl_socket_get_fd(socket), SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	return socket;
}

/**
 * pwrctl_client_open - begin a conversation with the module
 * @fault: says why, when there is none
 *
 * Never makes the kernel load anything.
 *
 * Return: a client to be closed with pwrctl_client_close(), or NULL.
 */
struct pwrctl_client *pwrctl_client_open(struct pwrctl_fault *fault)
{
	struct pwrctl_client *client = calloc(1, sizeof(*client));

	memset(fault, 0, sizeof(*fault));
	if (!client) {
		fault->kind = PWRCTL_FAULT_FAILED;
		fault->error = ENOMEM;
		snprintf(fault->text, sizeof(fault->text), "out of memory");
		return NULL;
	}
	client->requests = open_socket();
	if (!client->requests)
		fail(client, PWRCTL_FAULT_FAILED, EIO, "cannot open a generic netlink socket");
	else if (!find_family(client))
		return client;
	*fault = client->fault;
	pwrctl_client_close(client);
	return NULL;
}

/**
 * pwrctl_client_close - end the conversation
 * @client: or NULL
 */
void pwrctl_client_close(struct pwrctl_client *client)
{
	if (!client)
		return;
	nl_socket_free(client->events);
	nl_socket_free(client->requests);
	free(client);
}

/**
 * pwrctl_client_fault - what went wrong last
 * @client: of the call that failed
 *
 * Return: valid until the next call.
 */
const struct pwrctl_fault *pwrctl_client_fault(const struct pwrctl_client *client)
{
	return &client->fault;
}

/* The attributes of one answer, whose version must be ours. */
static int take_top(struct pwrctl_client *client, struct nlmsghdr *header, struct nlattr **attrs)
{
	uint32_t version = 0;

	if (genlmsg_parse(header, 0, attrs, __PWRCTL_A_END - 1, NULL))
		return fail_errno(client, EBADMSG, "cannot understand the module's answer");
	if (attrs[PWRCTL_A_API_VERSION] && nla_len(attrs[PWRCTL_A_API_VERSION]) >= 4)
		version = nla_get_u32(attrs[PWRCTL_A_API_VERSION]);
	if (version == PWRCTL_API_VERSION)
		return 0;
	return fail(client, PWRCTL_FAULT_VERSION, EPROTO,
		    "the loaded module speaks version %u of the interface and this pwrctl version "
		    "%u: the %s is older; %s", version, PWRCTL_API_VERSION,
		    version < PWRCTL_API_VERSION ? "module" : "command",
		    version < PWRCTL_API_VERSION ?
		    "load the module that came with this command (modprobe -r pwrctl; "
		    "modprobe pwrctl)" : "install the command that came with the module");
}

/* A list that grows while a dump comes in. */
struct list {
	void *items;
	size_t size;
	size_t count;
	size_t room;
	int attr;
};

static void *list_add(struct list *list)
{
	size_t room = list->room ? list->room * 2 : 16;
	void *items;

	if (list->count == list->room) {
		items = reallocarray(list->items, room, list->size);
		if (!items)
			return NULL;
		list->items = items;
		list->room = room;
	}
	items = (char *)list->items + list->count++ * list->size;
	memset(items, 0, list->size);
	return items;
}

static int take_item(struct pwrctl_client *client, struct nlmsghdr *header, void *argument)
{
	struct nlattr *attrs[__PWRCTL_A_END];
	struct list *list = argument;
	void *item;
	int error;

	error = take_top(client, header, attrs);
	if (error)
		return error;
	if (!attrs[list->attr])
		return fail_errno(client, EBADMSG, "the module's answer lacks its object");
	item = list_add(list);
	if (!item)
		return fail_errno(client, ENOMEM, "cannot keep the module's answer");
	if (list->attr == PWRCTL_A_DOMAIN)
		pwrctl_wire_domain(item, attrs[list->attr]);
	else if (list->attr == PWRCTL_A_CPU)
		pwrctl_wire_cpu(item, attrs[list->attr]);
	else if (list->attr == PWRCTL_A_STATS)
		pwrctl_wire_stats(item, attrs[list->attr]);
	else
		pwrctl_wire_settings(item, attrs[list->attr]);
	return 0;
}

static int get_list(struct pwrctl_client *client, uint8_t command, struct list *list)
{
	struct nl_msg *message;
	int error, tries = 0;

	do {
		list->count = 0;
		message = start(client, command, NLM_F_DUMP);
		if (!message)
			return -ENOMEM;
		error = converse(client, message, take_item, list);
		nlmsg_free(message);
	} while (error == -EAGAIN && ++tries < DUMP_TRIES);
	if (error == -EAGAIN)
		return fail_errno(client, EAGAIN, "domains change faster than they can be listed");
	return error;
}

/* One object by name (NULL for those without), copied to @object. */
static int get_one(struct pwrctl_client *client, uint8_t command, const char *name,
		   struct list *list, void *object)
{
	struct nl_msg *message = start(client, command, 0);
	int error = 0;

	if (!message)
		return -ENOMEM;
	if (name)
		error = nla_put_string(message, PWRCTL_A_DOMAIN_NAME, name);
	if (error)
		error = fail_errno(client, EMSGSIZE, "cannot make a message");
	else
		error = converse(client, message, take_item, list);
	nlmsg_free(message);
	if (!error && !list->count)
		error = fail_errno(client, EBADMSG, "the module did not answer");
	if (!error)
		memcpy(object, list->items, list->size);
	free(list->items);
	return error;
}

/**
 * pwrctl_client_get_settings - read settings
 * @client: open
 * @domain: of which domain, or NULL for the global ones
 * @settings: the answer
 *
 * Return: 0 or -errno.
 */
int pwrctl_client_get_settings(struct pwrctl_client *client, const char *domain,
			       struct pwrctl_settings *settings)
{
	struct list list = { .size = sizeof(*settings), .attr = PWRCTL_A_SETTINGS };

	return get_one(client, PWRCTL_CMD_SETTINGS_GET, domain, &list, settings);
}

/**
 * pwrctl_client_get_domain - read one domain
 * @client: open
 * @name: its name
 * @domain: the answer
 *
 * Return: 0 or -errno.
 */
int pwrctl_client_get_domain(struct pwrctl_client *client, const char *name,
			     struct pwrctl_domain *domain)
{
	struct list list = { .size = sizeof(*domain), .attr = PWRCTL_A_DOMAIN };

	return get_one(client, PWRCTL_CMD_DOMAIN_GET, name, &list, domain);
}

/**
 * pwrctl_client_get_stats - read what the module as a whole did
 * @client: open
 * @stats: the answer
 *
 * Return: 0 or -errno.
 */
int pwrctl_client_get_stats(struct pwrctl_client *client, struct pwrctl_stats *stats)
{
	struct list list = { .size = sizeof(*stats), .attr = PWRCTL_A_STATS };

	return get_one(client, PWRCTL_CMD_STATS_GET, NULL, &list, stats);
}

/**
 * pwrctl_client_get_domains - read all domains
 * @client: open
 * @domains: the answer, to be freed by the caller (after a failure too)
 * @count: how many
 *
 * Return: 0 or -errno.
 */
int pwrctl_client_get_domains(struct pwrctl_client *client, struct pwrctl_domain **domains,
			      size_t *count)
{
	struct list list = { .size = sizeof(**domains), .attr = PWRCTL_A_DOMAIN };
	int error = get_list(client, PWRCTL_CMD_DOMAIN_GET, &list);

	*domains = list.items;
	*count = list.count;
	return error;
}

/**
 * pwrctl_client_get_cpus - read all CPUs of all domains
 * @client: open
 * @cpus: the answer, to be freed by the caller (after a failure too)
 * @count: how many
 *
 * Return: 0 or -errno.
 */
int pwrctl_client_get_cpus(struct pwrctl_client *client, struct pwrctl_cpu **cpus, size_t *count)
{
	struct list list = { .size = sizeof(**cpus), .attr = PWRCTL_A_CPU };
	int error = get_list(client, PWRCTL_CMD_CPU_GET, &list);

	*cpus = list.items;
	*count = list.count;
	return error;
}

static int send_and_free(struct pwrctl_client *client, struct nl_msg *message, int error)
{
	if (error)
		error = fail_errno(client, EMSGSIZE, "cannot make a message");
	else
		error = converse(client, message, NULL, NULL);
	nlmsg_free(message);
	return error;
}

static int put_settings(struct nl_msg *message, const struct pwrctl_settings *settings)
{
	struct nlattr *nest = nla_nest_start(message, PWRCTL_A_SETTINGS | NLA_F_NESTED);
	int id, error = nest ? 0 : -NLE_NOMEM;

	for (id = 1; !error && id < PWRCTL_SETTINGS_MAX; id++)
		if (settings->have & (1u << id))
			error = nla_put_u32(message, id, settings->value[id]);
	if (!error)
		nla_nest_end(message, nest);
	return error;
}

/**
 * pwrctl_client_set_settings - change settings, all of them or none
 * @client: open
 * @domain: of which domain, or NULL for the global ones
 * @settings: the new values
 * @unset: mask of the keys to unset (1 << PWRCTL_A_SET_*)
 *
 * Return: 0 or -errno; the fault's key then names the offending one, if the module told.
 */
int pwrctl_client_set_settings(struct pwrctl_client *client, const char *domain,
			       const struct pwrctl_settings *settings, uint32_t unset)
{
	struct nl_msg *message = start(client, PWRCTL_CMD_SETTINGS_SET, 0);
	int error = 0;

	if (!message)
		return -ENOMEM;
	if (domain)
		error = nla_put_string(message, PWRCTL_A_DOMAIN_NAME, domain);
	if (!error && settings->have)
		error = put_settings(message, settings);
	if (!error && unset)
		error = nla_put_u32(message, PWRCTL_A_UNSET, unset);
	return send_and_free(client, message, error);
}

/**
 * pwrctl_client_inject - pretend a cap, or clear it
 * @client: open
 * @domain: of which domain
 * @khz: the cap; 0 clears
 * @ttl_ms: how long it is to last
 *
 * Return: 0 or -errno.
 */
int pwrctl_client_inject(struct pwrctl_client *client, const char *domain, uint32_t khz,
			 uint32_t ttl_ms)
{
	struct nl_msg *message = start(client, PWRCTL_CMD_INJECT, 0);
	int error;

	if (!message)
		return -ENOMEM;
	error = nla_put_string(message, PWRCTL_A_DOMAIN_NAME, domain);
	if (!error && khz)
		error = nla_put_u32(message, PWRCTL_A_INJECT_KHZ, khz);
	if (!error && khz)
		error = nla_put_u32(message, PWRCTL_A_INJECT_TTL_MS, ttl_ms);
	return send_and_free(client, message, error);
}

/**
 * pwrctl_client_listen - join the events
 * @client: open
 *
 * Read the state afterwards: that closes the gap, and makes the module tell changes from there.
 *
 * Return: 0 or -errno.
 */
int pwrctl_client_listen(struct pwrctl_client *client)
{
	if (!client->has_group)
		return fail_errno(client, ENOENT, "the module has no group of events");
	client->events = open_socket();
	if (!client->events || nl_socket_add_membership(client->events, (int)client->group))
		return fail_errno(client, EIO, "cannot listen to events");
	/* It tells of families that leave: else an unloaded module would just fall silent. */
	if (nl_socket_add_membership(client->events, CONTROLLER_GROUP))
		return fail_errno(client, EIO, "cannot listen to the controller");
	return 0;
}

/**
 * pwrctl_client_fd - what to poll for events
 * @client: listening
 *
 * Return: a file descriptor, -1 when not listening.
 */
int pwrctl_client_fd(const struct pwrctl_client *client)
{
	return client->events ? nl_socket_get_fd(client->events) : -1;
}

static int take_controller(struct pwrctl_client *client, struct nlmsghdr *header,
			   struct pwrctl_event *event)
{
	struct nlattr *attrs[CTRL_ATTR_MAX + 1];
	struct genlmsghdr *generic = nlmsg_data(header);

	if (generic->cmd != CTRL_CMD_DELFAMILY ||
	    genlmsg_parse(header, 0, attrs, CTRL_ATTR_MAX, NULL) ||
	    !attrs[CTRL_ATTR_FAMILY_ID] ||
	    nla_get_u16(attrs[CTRL_ATTR_FAMILY_ID]) != client->family)
		return 0;
	event->cmd = 0;
	return 1;
}

static int take_event(struct pwrctl_client *client, struct nlmsghdr *header,
		      struct pwrctl_event *event)
{
	struct nlattr *attrs[__PWRCTL_A_END];
	int error;

	if (header->nlmsg_len < NLMSG_LENGTH(GENL_HDRLEN))
		return 0;
	if (header->nlmsg_type == GENL_ID_CTRL)
		return take_controller(client, header, event);
	if (header->nlmsg_type != client->family)
		return 0;
	error = take_top(client, header, attrs);
	if (error)
		return error;
	event->cmd = ((struct genlmsghdr *)nlmsg_data(header))->cmd;
	if (attrs[PWRCTL_A_DOMAIN_NAME])
		pwrctl_wire_string(event->name, sizeof(event->name), attrs[PWRCTL_A_DOMAIN_NAME]);
	if (attrs[PWRCTL_A_SETTINGS])
		pwrctl_wire_settings(&event->settings, attrs[PWRCTL_A_SETTINGS]);
	if (attrs[PWRCTL_A_DOMAIN]) {
		pwrctl_wire_domain(&event->domain, attrs[PWRCTL_A_DOMAIN]);
		snprintf(event->name, sizeof(event->name), "%s", event->domain.name);
	}
	return 1;
}

/**
 * pwrctl_client_receive - take one event without waiting
 * @client: listening
 * @event: the event
 *
 * Return: 1 with an event, 0 when there is none now, -ENOBUFS when events were lost, another
 * -errno.
 */
int pwrctl_client_receive(struct pwrctl_client *client, struct pwrctl_event *event)
{
	struct nlmsghdr *header;
	ssize_t got;
	int left, result;

	memset(event, 0, sizeof(*event));
	for (;;) {
		while (client->next < client->have) {
			header = (struct nlmsghdr *)(client->event_buffer + client->next);
			left = (int)(client->have - client->next);
			if (!nlmsg_ok(header, left)) {
				client->next = client->have;
				break;
			}
			client->next += NLMSG_ALIGN(header->nlmsg_len);
			result = take_event(client, header, event);
			if (result)
				return result;
		}
		got = take_datagram(client, pwrctl_client_fd(client), client->event_buffer,
				    MSG_DONTWAIT);
		if (got == -EAGAIN || got == -EINTR)
			return 0;
		if (got < 0)
			return (int)got;
		client->have = (size_t)got;
		client->next = 0;
	}
}

/**
 * pwrctl_client_wait - wait until something happens
 * @client: open, listening or not
 * @timeout_ms: at most so long; negative is for ever
 *
 * Return: as pwrctl_stop_wait().
 */
int pwrctl_client_wait(struct pwrctl_client *client, int timeout_ms)
{
	return pwrctl_stop_wait(pwrctl_client_fd(client), timeout_ms);
}
