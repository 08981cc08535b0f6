/* SPDX-License-Identifier: GPL-2.0-only */
/* Objects as netlink attributes: one filler each, for answers, dumps and notifications alike. */
#ifndef _PWRCTL_NETLINK_FILL_H
#define _PWRCTL_NETLINK_FILL_H

struct pwrctl_domain;
struct pwrctl_view;
struct sk_buff;

int pwrctl_netlink_fill_settings(struct sk_buff *skb, const struct pwrctl_domain *domain);
int pwrctl_netlink_fill_domain(struct sk_buff *skb, const struct pwrctl_view *view);
int pwrctl_netlink_fill_cpu(struct sk_buff *skb, const struct pwrctl_view *view,
			    unsigned int cpu);
int pwrctl_netlink_fill_stats(struct sk_buff *skb);

#endif /* _PWRCTL_NETLINK_FILL_H */
