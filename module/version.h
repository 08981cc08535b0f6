/* SPDX-License-Identifier: GPL-2.0-only */
/* The version of the module and of the command, once; dkms.conf is checked against it. */
#define PWRCTL_VERSION "0.1.0"
