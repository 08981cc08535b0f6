/* SPDX-License-Identifier: GPL-2.0-only */
/* The verbs, in the order of the help. */
PWRCTL_VERB(show)
PWRCTL_VERB(get)
PWRCTL_VERB(set)
PWRCTL_VERB(unset)
PWRCTL_VERB(inject)
PWRCTL_VERB(monitor)
PWRCTL_VERB(try)
PWRCTL_VERB(doctor)
