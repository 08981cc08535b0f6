// SPDX-License-Identifier: GPL-2.0-only
/* From attributes to structs: the half of client.c that knows no socket. */
#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <stdio.h>
#include <string.h>

#include "wire.h"

/* Where a plain attribute goes in its struct. */
struct place {
	int attr;
	enum { PLACE_U32, PLACE_U64, PLACE_STRING } type;
	size_t offset;
	size_t size;
};

#define PLACE(object, prefix, type, attr, member)				\
	{ PWRCTL_A_##prefix##_##attr, PLACE_##type, offsetof(struct object, member),	\
	  sizeof(((struct object *)0)->member) }
#define DOM(type, attr, member)		PLACE(pwrctl_domain, DOM, type, attr, member)
#define CAP(type, attr, member)		PLACE(pwrctl_cap, CAP, type, attr, member)
#define DOOR(type, attr, member)	PLACE(pwrctl_door, DOOR, type, attr, member)
#define PELT(type, attr, member)	PLACE(pwrctl_pelt, PELT, type, attr, member)
#define CPU(type, attr, member)		PLACE(pwrctl_cpu, CPU, type, attr, member)
#define STATS(type, attr, member)	PLACE(pwrctl_stats, STATS, type, attr, member)

static const struct place domain_places[] = {
	DOM(STRING, NAME, name), DOM(STRING, CPUS, cpus), DOM(STRING, DRIVER, driver),
	DOM(U64, CLOCK_NS, clock_ns), DOM(U32, REFERENCE_KHZ, reference_khz),
	DOM(U32, REFERENCE_ORIGIN, reference_origin), DOM(U32, CAP_KHZ, cap_khz),
	DOM(U32, CAUSE, cause), DOM(U64, SINCE_NS, since_ns), DOM(U32, PRESSURE, pressure),
	DOM(U32, AVERAGE, average), DOM(U64, CHANGED_NS, changed_ns),
	DOM(U64, PRESSURE_FINE, pressure_fine), DOM(U64, AVERAGE_FINE, average_fine),
	DOM(U64, EVENTS, events), DOM(U64, PUSHES, pushes), DOM(U64, TIMER_FIRES, timer_fires),
	DOM(U64, TOTAL_NS, total_ns), DOM(U64, CAPPED_NS, capped_ns),
	DOM(U32, MEAN_CAP_KHZ, mean_cap_khz), DOM(U32, MEAN_PRESSURE, mean_pressure),
	DOM(U64, LOST_NS, lost_ns), DOM(U64, SET_NS, set_ns), { 0, PLACE_U32, 0, 0 }
};

static const struct place cap_places[] = {
	CAP(U32, CAUSE, cause), CAP(U32, KHZ, khz), CAP(U64, UNTIL_NS, until_ns),
	{ 0, PLACE_U32, 0, 0 }
};

static const struct place door_places[] = {
	DOOR(U32, STATE, state), DOOR(U32, FLAGS, flags), DOOR(U32, PUSHED, pushed),
	DOOR(U64, PUSHED_NS, pushed_ns), DOOR(U64, PUSHES, pushes), DOOR(U32, FOREIGN, foreign),
	DOOR(U64, FOREIGN_NS, foreign_ns), DOOR(U64, FOREIGN_WRITES, foreign_writes),
	{ 0, PLACE_U32, 0, 0 }
};

static const struct place pelt_places[] = {
	PELT(U64, STAMP, stamp), PELT(U64, SUM, sum), PELT(U32, AVG, avg),
	PELT(U32, CONTRIB, contrib), { 0, PLACE_U32, 0, 0 }
};

static const struct place cpu_places[] = {
	CPU(U32, CPU, cpu), CPU(STRING, DOMAIN, domain), CPU(U64, CLOCK_NS, clock_ns),
	CPU(U32, CAPACITY, capacity), CPU(U32, PRESSURE, pressure), CPU(U32, AVERAGE, average),
	CPU(U32, HINT, hint), { 0, PLACE_U32, 0, 0 }
};

static const struct place stats_places[] = {
	STATS(STRING, VERSION, version), STATS(U32, DOMAINS, domains),
	STATS(U64, EVENTS, events),
	STATS(U64, PUSHES, pushes), STATS(U64, TIMER_FIRES, timer_fires),
	STATS(U32, NOTIFIERS, notifiers), STATS(U32, LISTENERS, listeners),
	STATS(U32, TRACED, traced), STATS(U32, CAUSES, causes),
	STATS(U64, ATTACH_ERRORS, attach_errors), STATS(U64, LOST_EVENTS, lost_events),
	STATS(U32, DOOR_KIND, door_kind), STATS(U32, KFUNCS, kfuncs),
	{ 0, PLACE_U32, 0, 0 }
};

/**
 * pwrctl_wire_string - copy a string
 * @to: where to; what does not fit is cut
 * @size: of @to
 * @attr: need not end with a 0
 */
void pwrctl_wire_string(char *to, size_t size, struct nlattr *attr)
{
	snprintf(to, size, "%.*s", nla_len(attr), (const char *)nla_data(attr));
}

/* What a newer module adds is ignored, what is too short for its type too. */
static void take_nest(void *object, const struct place *places, struct nlattr *nest)
{
	const struct place *place;
	struct nlattr *attr;
	int left;

	nla_for_each_nested(attr, nest, left) {
		for (place = places; place->attr; place++) {
			if (place->attr != nla_type(attr))
				continue;
			if (place->type == PLACE_STRING)
				pwrctl_wire_string((char *)object + place->offset,
						   place->size, attr);
			else if (nla_len(attr) >= (int)place->size)
				memcpy((char *)object + place->offset, nla_data(attr),
				       place->size);
		}
	}
}

/**
 * pwrctl_wire_cpu - take a CPU from its nest
 * @cpu: zeroed
 * @nest: PWRCTL_A_CPU
 */
void pwrctl_wire_cpu(struct pwrctl_cpu *cpu, struct nlattr *nest)
{
	take_nest(cpu, cpu_places, nest);
}

/**
 * pwrctl_wire_stats - take the module's counters from their nest
 * @stats: zeroed
 * @nest: PWRCTL_A_STATS
 */
void pwrctl_wire_stats(struct pwrctl_stats *stats, struct nlattr *nest)
{
	take_nest(stats, stats_places, nest);
}

/**
 * pwrctl_wire_domain - take a domain from its nest
 * @domain: overwritten
 * @nest: PWRCTL_A_DOMAIN
 */
void pwrctl_wire_domain(struct pwrctl_domain *domain, struct nlattr *nest)
{
	struct nlattr *attr, *cap;
	int left, caps_left;

	memset(domain, 0, sizeof(*domain));
	take_nest(domain, domain_places, nest);
	nla_for_each_nested(attr, nest, left) {
		if (nla_type(attr) == PWRCTL_A_DOM_DOOR)
			take_nest(&domain->door, door_places, attr);
		if (nla_type(attr) == PWRCTL_A_DOM_PELT)
			take_nest(&domain->pelt, pelt_places, attr);
		if (nla_type(attr) != PWRCTL_A_DOM_CAPS)
			continue;
		nla_for_each_nested(cap, attr, caps_left)
			if (nla_type(cap) == PWRCTL_A_CAPS_CAP &&
			    domain->n_caps < PWRCTL_CAPS_MAX)
				take_nest(&domain->caps[domain->n_caps++], cap_places, cap);
	}
}

/**
 * pwrctl_wire_settings - take settings from their nest
 * @settings: overwritten
 * @nest: PWRCTL_A_SETTINGS
 */
void pwrctl_wire_settings(struct pwrctl_settings *settings, struct nlattr *nest)
{
	struct nlattr *attr;
	int left;

	memset(settings, 0, sizeof(*settings));
	nla_for_each_nested(attr, nest, left) {
		int type = nla_type(attr);

		if (nla_len(attr) < 4)
			continue;
		if (type == PWRCTL_A_SET_OWN) {
			settings->own = nla_get_u32(attr);
		} else if (type > 0 && type < PWRCTL_SETTINGS_MAX) {
			settings->value[type] = nla_get_u32(attr);
			settings->have |= 1u << type;
		}
	}
}

/* Which attribute of the request stands at this offset? A setting lies inside its nest. */
static void find_attribute(struct pwrctl_fault *fault, struct nlmsghdr *request, uint32_t offset)
{
	struct nlattr *outer, *inner;
	char *at = (char *)request + offset;
	int left, inner_left;

	nla_for_each_attr(outer, genlmsg_attrdata(nlmsg_data(request), 0),
			  genlmsg_attrlen(nlmsg_data(request), 0), left) {
		if (at < (char *)outer || at >= (char *)outer + nla_total_size(nla_len(outer)))
			continue;
		fault->attr = (uint32_t)nla_type(outer);
		if (nla_type(outer) != PWRCTL_A_SETTINGS)
			return;
		nla_for_each_nested(inner, outer, inner_left)
			if (at >= (char *)inner &&
			    at < (char *)inner + nla_total_size(nla_len(inner)))
				fault->key = (uint32_t)nla_type(inner);
		return;
	}
}

/**
 * pwrctl_wire_refusal - take sentence and offending attribute of an extended acknowledgment
 * @fault: completed, when there are any
 * @header: of the answer
 * @skip: bytes of its payload in front of the attributes
 * @request: that it answers
 */
void pwrctl_wire_refusal(struct pwrctl_fault *fault, struct nlmsghdr *header, size_t skip,
			 struct nlmsghdr *request)
{
	struct nlattr *attrs[NLMSGERR_ATTR_MAX + 1] = { NULL }, *text, *offset;

	skip = NLMSG_ALIGN(skip);
	if (!(header->nlmsg_flags & NLM_F_ACK_TLVS) || header->nlmsg_len < NLMSG_HDRLEN + skip)
		return;
	if (nla_parse(attrs, NLMSGERR_ATTR_MAX,
		      (struct nlattr *)((char *)NLMSG_DATA(header) + skip),
		      (int)(header->nlmsg_len - NLMSG_HDRLEN - skip), NULL))
		return;
	text = attrs[NLMSGERR_ATTR_MSG];
	if (text)
		pwrctl_wire_string(fault->text, sizeof(fault->text), text);
	offset = attrs[NLMSGERR_ATTR_OFFS];
	if (offset && nla_len(offset) >= 4)
		find_attribute(fault, request, nla_get_u32(offset));
}
