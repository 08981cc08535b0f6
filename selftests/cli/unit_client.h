/* SPDX-License-Identifier: GPL-2.0-only */
/* Turns the client towards the made-up kernel of unit_client.c. */
#ifndef PWRCTL_UNIT_CLIENT_H
#define PWRCTL_UNIT_CLIENT_H

#include <stdint.h>

extern uint32_t unit_client_peer;

#define PWRCTL_CLIENT_PROTOCOL	NETLINK_USERSOCK
#define PWRCTL_CLIENT_PEER	unit_client_peer

#endif
