// SPDX-License-Identifier: GPL-2.0-only
/*
 * Generic netlink: settings, domains, CPUs and statistics; injected caps; events.
 *
 * The policies below check types and refuse what a command does not know. Ranges are checked by
 * the one setter that debugfs and the module parameters use too, so that all refuse alike. Every
 * refusal has a constant sentence, because newer kernels copy it after our locks are dropped.
 *
 * There is no alias for the family's name: looking it up, which everyone may, loads nothing.
 */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <net/genetlink.h>
#include <net/netlink.h>

#include "netlink_fill.h"
#include "pwrctl.h"

#define INJECT_TTL_DEFAULT_MS	10000
#define INJECT_TTL_MOST_MS	3600000

#define NAME_POLICY	{ .type = NLA_NUL_STRING, .len = PWRCTL_NAME_LEN - 1 }

static struct genl_family family;
static atomic64_t lost_events;
/* Tracepoints can be enabled, and ask for consumers, before the family is there. */
static bool registered;

enum { GROUP_EVENTS };

static const struct genl_multicast_group groups[] = {
	[GROUP_EVENTS] = { .name = PWRCTL_MCGRP_EVENTS },
};

static const struct nla_policy settings_policy[PWRCTL_SETTINGS_END] = {
	[PWRCTL_A_SET_MODE] = { .type = NLA_U32 },
	[PWRCTL_A_SET_DECAY_MS] = { .type = NLA_U32 },
	[PWRCTL_A_SET_FALL_MS] = { .type = NLA_U32 },
	[PWRCTL_A_SET_PELT_SHIFT] = { .type = NLA_U32 },
	[PWRCTL_A_SET_COUNT] = { .type = NLA_U32 },
	[PWRCTL_A_SET_QUANTUM] = { .type = NLA_U32 },
	[PWRCTL_A_SET_REFERENCE_KHZ] = { .type = NLA_U32 },
	[PWRCTL_A_SET_OUTLET] = { .type = NLA_U32 },
};

static const struct nla_policy name_policy[] = {
	[PWRCTL_A_DOMAIN_NAME] = NAME_POLICY,
};

static const struct nla_policy cpu_policy[] = {
	[PWRCTL_A_CPU_ID] = { .type = NLA_U32 },
};

static const struct nla_policy set_policy[] = {
	[PWRCTL_A_DOMAIN_NAME] = NAME_POLICY,
	[PWRCTL_A_SETTINGS] = NLA_POLICY_NESTED(settings_policy),
	[PWRCTL_A_UNSET] = { .type = NLA_U32 },
};

static const struct nla_policy inject_policy[] = {
	[PWRCTL_A_DOMAIN_NAME] = NAME_POLICY,
	[PWRCTL_A_INJECT_KHZ] = { .type = NLA_U32 },
	[PWRCTL_A_INJECT_TTL_MS] = { .type = NLA_U32 },
};

/* Without any policy the kernel would not look at attributes at all. */
static const struct nla_policy nothing_policy[] = {
	[PWRCTL_A_API_VERSION] = {
		.type = NLA_REJECT,
		.reject_message = "this command takes no attributes",
	},
};

/* A refusal: errno, sentence, and the attribute to blame. */
static int refuse(struct netlink_ext_ack *extack, const struct nlattr *attr, const char *sentence,
		  int error)
{
	if (extack) {
		extack->_msg = sentence;
		if (attr)
			NL_SET_BAD_ATTR(extack, attr);
	}
	return error;
}

static int refuse_missing(struct genl_info *info, int type, const char *sentence)
{
	if (info->extack)
		NL_SET_ERR_ATTR_MISS(info->extack, NULL, type);
	return refuse(info->extack, NULL, sentence, -EINVAL);
}

/* The message's header; every message begins with the version. NULL when it is full. */
static void *message_start(struct sk_buff *skb, u32 portid, u32 seq, int flags, u8 cmd)
{
	void *header = genlmsg_put(skb, portid, seq, &family, flags, cmd);

	if (header && nla_put_u32(skb, PWRCTL_A_API_VERSION, PWRCTL_API_VERSION)) {
		genlmsg_cancel(skb, header);
		return NULL;
	}
	return header;
}

static struct sk_buff *reply_start(struct genl_info *info, void **header)
{
	struct sk_buff *skb = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);

	if (!skb)
		return NULL;
	*header = message_start(skb, info->snd_portid, info->snd_seq, 0, info->genlhdr->cmd);
	return skb;
}

/* Send or drop. Whoever reads may have begun to listen just before. */
static int reply_end(struct sk_buff *skb, void *header, struct genl_info *info, int ret)
{
	if (ret) {
		nlmsg_free(skb);
		return ret;
	}
	genlmsg_end(skb, header);
	pwrctl_hint_rearm_all();
	return genlmsg_reply(skb, info);
}

/* The domain that is asked for, or NULL after a refusal; pwrctl_attach_mutex held. */
static struct pwrctl_domain *find_domain(struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[PWRCTL_A_DOMAIN_NAME];
	struct pwrctl_domain *domain = pwrctl_domain_find(nla_data(attr));

	if (!domain)
		refuse(info->extack, attr, "no such frequency domain", -ENODEV);
	return domain;
}

static int fill_settings(struct sk_buff *skb, struct genl_info *info)
{
	struct pwrctl_domain *domain = NULL;

	if (info->attrs[PWRCTL_A_DOMAIN_NAME]) {
		domain = find_domain(info);
		if (!domain)
			return -ENODEV;
		if (nla_put_string(skb, PWRCTL_A_DOMAIN_NAME, domain->name))
			return -EMSGSIZE;
	}
	return pwrctl_netlink_fill_settings(skb, domain);
}

static int fill_domain(struct sk_buff *skb, struct genl_info *info)
{
	struct pwrctl_domain *domain = find_domain(info);
	struct pwrctl_view view;

	if (!domain)
		return -ENODEV;
	pwrctl_domain_view(domain, &view);
	return pwrctl_netlink_fill_domain(skb, &view);
}

static int fill_cpu(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[PWRCTL_A_CPU_ID];
	struct pwrctl_domain *domain = NULL;
	struct pwrctl_view view;
	u32 cpu = nla_get_u32(attr);

	if (cpu < nr_cpu_ids && cpu_possible(cpu))
		domain = pwrctl_domain_of_cpu(cpu);
	if (!domain)
		return refuse(info->extack, attr, "no such CPU, or it has no frequency domain",
			      -ENODEV);
	pwrctl_domain_view(domain, &view);
	return pwrctl_netlink_fill_cpu(skb, &view, cpu);
}

static int fill_stats(struct sk_buff *skb, struct genl_info *info)
{
	return pwrctl_netlink_fill_stats(skb);
}

static int answer(struct genl_info *info, int (*fill)(struct sk_buff *, struct genl_info *))
{
	struct sk_buff *skb;
	void *header;
	int ret;

	skb = reply_start(info, &header);
	if (!skb)
		return -ENOMEM;
	if (!header)
		return reply_end(skb, NULL, info, -EMSGSIZE);
	mutex_lock(&pwrctl_attach_mutex);
	ret = fill(skb, info);
	mutex_unlock(&pwrctl_attach_mutex);
	return reply_end(skb, header, info, ret);
}

static int settings_get(struct sk_buff *skb, struct genl_info *info)
{
	return answer(info, fill_settings);
}

static int domain_get(struct sk_buff *skb, struct genl_info *info)
{
	if (!info->attrs[PWRCTL_A_DOMAIN_NAME])
		return refuse_missing(info, PWRCTL_A_DOMAIN_NAME, "the domain's name is missing");
	return answer(info, fill_domain);
}

static int cpu_get(struct sk_buff *skb, struct genl_info *info)
{
	if (!info->attrs[PWRCTL_A_CPU_ID])
		return refuse_missing(info, PWRCTL_A_CPU_ID, "the CPU's number is missing");
	return answer(info, fill_cpu);
}

static int stats_get(struct sk_buff *skb, struct genl_info *info)
{
	return answer(info, fill_stats);
}

/* The attribute that a refused change is to be blamed on. */
static const struct nlattr *culprit(struct genl_info *info, struct nlattr **keys, u32 key)
{
	if (key && keys[key])
		return keys[key];
	return info->attrs[PWRCTL_A_UNSET] ?: info->attrs[PWRCTL_A_SETTINGS];
}

static int settings_set(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *keys[PWRCTL_SETTINGS_END] = {};
	struct pwrctl_domain *domain = NULL;
	struct pwrctl_refusal why = {};
	struct pwrctl_change change = {};
	unsigned int key;
	int ret;

	if (!info->attrs[PWRCTL_A_SETTINGS] && !info->attrs[PWRCTL_A_UNSET])
		return refuse_missing(info, PWRCTL_A_SETTINGS, "no setting given");
	if (info->attrs[PWRCTL_A_SETTINGS]) {
		ret = nla_parse_nested(keys, PWRCTL_SETTINGS_END - 1,
				       info->attrs[PWRCTL_A_SETTINGS], settings_policy,
				       info->extack);
		if (ret)
			return ret;
	}
	for (key = 1; key < PWRCTL_SETTINGS_END; key++) {
		if (!keys[key])
			continue;
		change.set |= BIT(key);
		change.value[key] = nla_get_u32(keys[key]);
	}
	if (info->attrs[PWRCTL_A_UNSET])
		change.unset = nla_get_u32(info->attrs[PWRCTL_A_UNSET]);

	mutex_lock(&pwrctl_attach_mutex);
	if (info->attrs[PWRCTL_A_DOMAIN_NAME]) {
		ret = -ENODEV;
		domain = find_domain(info);
		if (!domain)
			goto unlock;
	}
	ret = pwrctl_settings_apply(&change, domain, &why);
	if (ret)
		refuse(info->extack, culprit(info, keys, why.key), why.sentence, ret);
unlock:
	mutex_unlock(&pwrctl_attach_mutex);
	return ret;
}

static int inject_check(struct genl_info *info, u32 *khz, u32 *ttl_ms)
{
	const struct nlattr *cap = info->attrs[PWRCTL_A_INJECT_KHZ];
	const struct nlattr *ttl = info->attrs[PWRCTL_A_INJECT_TTL_MS];

	*khz = PWRCTL_NO_CAP;
	*ttl_ms = INJECT_TTL_DEFAULT_MS;
	if (ttl) {
		*ttl_ms = nla_get_u32(ttl);
		if (!cap)
			return refuse(info->extack, ttl, "a time to live needs a cap", -EINVAL);
		if (*ttl_ms < 1 || *ttl_ms > INJECT_TTL_MOST_MS)
			return refuse(info->extack, ttl,
				      "time to live must be 1 to 3600000 ms", -ERANGE);
	}
	if (cap) {
		*khz = nla_get_u32(cap);
		if (*khz < 1 || *khz == PWRCTL_NO_CAP)
			return refuse(info->extack, cap,
				      "the cap must be 1 to 4294967294 kHz", -ERANGE);
	}
	return 0;
}

static int inject(struct sk_buff *skb, struct genl_info *info)
{
	struct pwrctl_domain *domain;
	u32 khz, ttl_ms;
	int ret;

	if (!info->attrs[PWRCTL_A_DOMAIN_NAME])
		return refuse_missing(info, PWRCTL_A_DOMAIN_NAME, "the domain's name is missing");
	ret = inject_check(info, &khz, &ttl_ms);
	if (ret)
		return ret;

	mutex_lock(&pwrctl_attach_mutex);
	domain = find_domain(info);
	if (!domain)
		ret = -ENODEV;
	else if (khz == PWRCTL_NO_CAP)
		pwrctl_source_inject_clear(domain);
	else
		pwrctl_source_inject_set(domain, khz, ttl_ms);
	mutex_unlock(&pwrctl_attach_mutex);
	return ret;
}

/**
 * struct dump - where a dump goes on
 * @skip: domains that are done
 * @cpu: the next CPU of the domain after those
 * @clock_ns: that domain's evaluation, if a CPU of it was sent already: the moment
 * @pressure: the pressure then
 * @average: the average then
 */
struct dump {
	u32 skip;
	u32 cpu;
	u64 clock_ns;
	u64 pressure;
	u64 average;
};

static int dump_start(struct netlink_callback *cb)
{
	BUILD_BUG_ON(sizeof(struct dump) > sizeof(cb->ctx));

	if (nlmsg_attrlen(cb->nlh, GENL_HDRLEN) > 0)
		return refuse(cb->extack, nlmsg_attrdata(cb->nlh, GENL_HDRLEN),
			      "a dump takes no attributes", -EINVAL);
	pwrctl_hint_rearm_all();
	return 0;
}

/* One message of a dump. */
static void *dump_message(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct genlmsghdr *request = nlmsg_data(cb->nlh);
	void *header = message_start(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				     NLM_F_MULTI, request->cmd);

	if (header)
		genl_dump_check_consistent(cb, header);
	return header;
}

static int dump_domain(struct sk_buff *skb, struct netlink_callback *cb,
		       struct pwrctl_domain *domain)
{
	struct pwrctl_view view;
	void *header;

	header = dump_message(skb, cb);
	if (!header)
		return -EMSGSIZE;
	pwrctl_domain_view(domain, &view);
	if (pwrctl_netlink_fill_domain(skb, &view)) {
		genlmsg_cancel(skb, header);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return 0;
}

/* All CPUs of a domain in one evaluation, even when they do not fit into one buffer. */
static int dump_cpus(struct sk_buff *skb, struct netlink_callback *cb,
		     struct pwrctl_domain *domain)
{
	struct dump *dump = (void *)cb->ctx;
	struct pwrctl_view view;
	unsigned int cpu;
	void *header;

	pwrctl_domain_view(domain, &view);
	if (dump->cpu) {
		view.clock_ns = dump->clock_ns;
		view.pressure = dump->pressure;
		view.average = dump->average;
	}
	for_each_cpu(cpu, domain->cpus) {
		if (cpu < dump->cpu)
			continue;
		header = dump_message(skb, cb);
		if (!header)
			return -EMSGSIZE;
		if (pwrctl_netlink_fill_cpu(skb, &view, cpu)) {
			genlmsg_cancel(skb, header);
			return -EMSGSIZE;
		}
		genlmsg_end(skb, header);
		dump->cpu = cpu + 1;
		dump->clock_ns = view.clock_ns;
		dump->pressure = view.pressure;
		dump->average = view.average;
	}
	dump->cpu = 0;
	return 0;
}

static int dump_all(struct sk_buff *skb, struct netlink_callback *cb,
		    int (*dump_one)(struct sk_buff *skb, struct netlink_callback *cb,
				    struct pwrctl_domain *domain))
{
	struct dump *dump = (void *)cb->ctx;
	struct pwrctl_domain *domain;
	u32 index = 0;
	int ret = 0;

	mutex_lock(&pwrctl_attach_mutex);
	cb->seq = pwrctl_domain_generation();
	list_for_each_entry(domain, &pwrctl_domains, list) {
		if (index++ < dump->skip)
			continue;
		ret = dump_one(skb, cb, domain);
		if (ret)
			break;
		dump->skip++;
	}
	mutex_unlock(&pwrctl_attach_mutex);

	/* what did not fit comes next, unless it does not even fit alone */
	return skb->len ?: ret;
}

static int domain_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return dump_all(skb, cb, dump_domain);
}

static int cpu_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return dump_all(skb, cb, dump_cpus);
}

/**
 * pwrctl_netlink_has_listeners() - does somebody listen for events?
 *
 * Context: Any.
 * Return: true if so
 */
bool pwrctl_netlink_has_listeners(void)
{
	return READ_ONCE(registered) && genl_has_listeners(&family, &init_net, GROUP_EVENTS);
}

/**
 * pwrctl_netlink_lost_events() - events that no memory was left to send
 *
 * Context: Any.
 * Return: how many
 */
u64 pwrctl_netlink_lost_events(void)
{
	return atomic64_read(&lost_events);
}

/* An event was not sent: the listeners' next read says so, and they read everything anew. */
static void event_lost(void)
{
	atomic64_inc(&lost_events);
	genl_set_err(&family, &init_net, 0, GROUP_EVENTS, -ENOBUFS);
}

static struct sk_buff *event_start(u8 cmd, void **header, gfp_t gfp)
{
	struct sk_buff *skb = genlmsg_new(NLMSG_DEFAULT_SIZE, gfp | __GFP_NOWARN);

	*header = skb ? message_start(skb, 0, 0, 0, cmd) : NULL;
	if (*header)
		return skb;
	nlmsg_free(skb);
	event_lost();
	return NULL;
}

static void event_end(struct sk_buff *skb, void *header, int ret, gfp_t gfp)
{
	if (ret) {
		nlmsg_free(skb);
		event_lost();
		return;
	}
	genlmsg_end(skb, header);
	/* a listener without room for it is told so by netlink itself */
	ret = genlmsg_multicast_netns(&family, &init_net, skb, 0, GROUP_EVENTS, gfp);
	if (ret && ret != -ESRCH)
		event_lost();
}

static void event_view(u8 cmd, const struct pwrctl_view *view)
{
	struct sk_buff *skb;
	void *header;

	if (!pwrctl_netlink_has_listeners())
		return;
	skb = event_start(cmd, &header, GFP_ATOMIC);
	if (skb)
		event_end(skb, header, pwrctl_netlink_fill_domain(skb, view), GFP_ATOMIC);
}

static void tell_hint(const struct pwrctl_view *view)
{
	event_view(PWRCTL_CMD_HINT_NTF, view);
}

static void tell_cap(const struct pwrctl_view *view)
{
	event_view(PWRCTL_CMD_CAP_NTF, view);
}

static void tell_settings(const struct pwrctl_domain *domain)
{
	struct sk_buff *skb;
	void *header;
	int ret = 0;

	if (!pwrctl_netlink_has_listeners())
		return;
	skb = event_start(PWRCTL_CMD_SETTINGS_NTF, &header, GFP_KERNEL);
	if (!skb)
		return;
	if (domain)
		ret = nla_put_string(skb, PWRCTL_A_DOMAIN_NAME, domain->name);
	event_end(skb, header, ret ?: pwrctl_netlink_fill_settings(skb, domain), GFP_KERNEL);
}

static void tell_domain(const struct pwrctl_domain *domain, bool came)
{
	struct sk_buff *skb;
	void *header;

	if (!pwrctl_netlink_has_listeners())
		return;
	skb = event_start(came ? PWRCTL_CMD_DOMAIN_NEW_NTF : PWRCTL_CMD_DOMAIN_DEL_NTF, &header,
			  GFP_KERNEL);
	if (skb)
		event_end(skb, header,
			  nla_put_string(skb, PWRCTL_A_DOMAIN_NAME, domain->name), GFP_KERNEL);
}

/**
 * pwrctl_netlink_start() - register the family
 *
 * Context: Process context.
 * Return: 0 or -errno
 */
int pwrctl_netlink_start(void)
{
	int ret = genl_register_family(&family);

	if (!ret)
		WRITE_ONCE(registered, true);
	/* modprobe takes -EEXIST for a module that is loaded already, and says nothing */
	return ret == -EEXIST ? -EBUSY : ret;
}

/**
 * pwrctl_netlink_stop() - unregister the family
 *
 * Context: Process context; no lock that a request takes.
 */
void pwrctl_netlink_stop(void)
{
	WRITE_ONCE(registered, false);
	genl_unregister_family(&family);
}

const struct pwrctl_outlet pwrctl_outlet_netlink = {
	.name = "netlink",
	.start = pwrctl_netlink_start,
	.stop = pwrctl_netlink_stop,
	.wanted = pwrctl_netlink_has_listeners,
	.push = tell_hint,
	.cap_wanted = pwrctl_netlink_has_listeners,
	.cap = tell_cap,
	.settings = tell_settings,
	.domain = tell_domain,
};

/*
 * GENL_UNS_ADMIN_PERM would let in whoever is root of a user namespace of his own:
 * GENL_ADMIN_PERM asks for CAP_NET_ADMIN in the initial one.
 */
static const struct genl_ops ops[] = {
	{
		.cmd = PWRCTL_CMD_SETTINGS_GET,
		.doit = settings_get,
		.policy = name_policy,
		.maxattr = ARRAY_SIZE(name_policy) - 1,
	},
	{
		.cmd = PWRCTL_CMD_SETTINGS_SET,
		.flags = GENL_ADMIN_PERM,
		.doit = settings_set,
		.policy = set_policy,
		.maxattr = ARRAY_SIZE(set_policy) - 1,
	},
	{
		.cmd = PWRCTL_CMD_DOMAIN_GET,
		.doit = domain_get,
		.start = dump_start,
		.dumpit = domain_dump,
		.policy = name_policy,
		.maxattr = ARRAY_SIZE(name_policy) - 1,
	},
	{
		.cmd = PWRCTL_CMD_CPU_GET,
		.doit = cpu_get,
		.start = dump_start,
		.dumpit = cpu_dump,
		.policy = cpu_policy,
		.maxattr = ARRAY_SIZE(cpu_policy) - 1,
	},
	{
		.cmd = PWRCTL_CMD_STATS_GET,
		.doit = stats_get,
		.policy = nothing_policy,
		.maxattr = ARRAY_SIZE(nothing_policy) - 1,
	},
	{
		.cmd = PWRCTL_CMD_INJECT,
		.flags = GENL_ADMIN_PERM,
		.doit = inject,
		.policy = inject_policy,
		.maxattr = ARRAY_SIZE(inject_policy) - 1,
	},
};

static struct genl_family family __ro_after_init = {
	.name = PWRCTL_GENL_NAME,
	.version = PWRCTL_GENL_VERSION,
	.module = THIS_MODULE,
	.netnsok = false,
	.parallel_ops = false,
	.maxattr = __PWRCTL_A_END - 1,
	.resv_start_op = PWRCTL_CMD_SETTINGS_GET,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	.mcgrps = groups,
	.n_mcgrps = ARRAY_SIZE(groups),
};
