/* SPDX-License-Identifier: GPL-2.0-only */
/* Private to client.c: the rest of the command knows no netlink. */
#ifndef PWRCTL_TOOL_WIRE_H
#define PWRCTL_TOOL_WIRE_H

#include "client.h"

struct nlattr;
struct nlmsghdr;

void pwrctl_wire_string(char *to, size_t size, struct nlattr *attr);
void pwrctl_wire_settings(struct pwrctl_settings *settings, struct nlattr *nest);
void pwrctl_wire_domain(struct pwrctl_domain *domain, struct nlattr *nest);
void pwrctl_wire_cpu(struct pwrctl_cpu *cpu, struct nlattr *nest);
void pwrctl_wire_stats(struct pwrctl_stats *stats, struct nlattr *nest);
void pwrctl_wire_refusal(struct pwrctl_fault *fault, struct nlmsghdr *header, size_t skip,
			 struct nlmsghdr *request);

#endif
