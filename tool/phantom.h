/* SPDX-License-Identifier: GPL-2.0-only */
/* Phantom pressure: what nothing that caps a frequency explains. */
#ifndef PWRCTL_TOOL_PHANTOM_H
#define PWRCTL_TOOL_PHANTOM_H

#include <stdbool.h>
#include <stddef.h>

#include "host.h"
#include "model.h"

bool pwrctl_phantom_tell(const struct pwrctl_host *host, const struct pwrctl_domain *domain,
			 char *text, size_t size);

#endif
