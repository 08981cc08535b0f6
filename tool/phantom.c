// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "phantom.h"

/* Numbers of cooling devices that are looked at. */
#define COOLING_MAX	256

/* A writer of the scheduler's pressure that has said nothing for so long has left. */
#define QUIET_S		10

/* Fans and idle injectors are cooling devices, too, and lower no frequency. */
static bool cooling_active(const struct pwrctl_host *host)
{
	static const char device[] = "/sys/class/thermal/cooling_device";
	char text[64];
	unsigned int i;

	for (i = 0; i < COOLING_MAX; i++)
		if (!pwrctl_host_read(host, text, sizeof(text), "%s%u/type", device, i) &&
		    (!strcmp(text, "Processor") || strstr(text, "cpufreq")) &&
		    !pwrctl_host_read(host, text, sizeof(text), "%s%u/cur_state", device,
				      i) && atoi(text) > 0)
			return true;
	return false;
}

/* A cap lowers scaling_max_freq, whoever set it. */
static bool nothing_caps(const struct pwrctl_host *host, const struct pwrctl_domain *domain)
{
	static const char policy[] = "/sys/devices/system/cpu/cpufreq";
	char now[32], most[32];

	return !pwrctl_host_read(host, now, sizeof(now), "%s/%s/scaling_max_freq",
				 policy, domain->name) &&
	       !pwrctl_host_read(host, most, sizeof(most), "%s/%s/cpuinfo_max_freq",
				 policy, domain->name) &&
	       !strcmp(now, most) && !cooling_active(host);
}

static bool long_ago(const struct pwrctl_domain *domain, uint64_t when_ns)
{
	return when_ns && domain->clock_ns >= when_ns + QUIET_S * 1000000000ull;
}

/**
 * pwrctl_phantom_tell - is there pressure that no cap explains?
 * @host: where the domain is
 * @domain: as the module tells of it
 * @text: what is wrong, and what to do
 * @size: of @text
 *
 * A wrong reference, or a value that somebody told the scheduler and did not take back. A driver
 * that really throttles tells its value over and over; one that has been quiet, with nothing
 * capped, has left it behind.
 *
 * Return: whether there is; @text is only then of use.
 */
bool pwrctl_phantom_tell(const struct pwrctl_host *host, const struct pwrctl_domain *domain,
			 char *text, size_t size)
{
	const struct pwrctl_door *door = &domain->door;
	bool derived = domain->cause == PWRCTL_CAUSE_INJECTED || domain->cause == PWRCTL_CAUSE_HW;

	if (domain->pressure && !derived)
		snprintf(text, size, "%s has pressure %u, although nothing caps it: "
			 "scaling_max_freq is cpuinfo_max_freq and no cooling device is active; "
			 "set reference_khz, and report this", domain->name, domain->pressure);
	else if (door->foreign && long_ago(domain, door->foreign_ns))
		snprintf(text, size, "%s: the scheduler still has pressure %u from somebody who "
			 "last told it %" PRIu64 " s ago, although nothing caps it: a writer that "
			 "left; it stays until that driver is loaded again, or a reboot",
			 domain->name, door->foreign,
			 (domain->clock_ns - door->foreign_ns) / 1000000000);
	else if (door->state == PWRCTL_DOOR_OPEN && door->pushed && !door->foreign &&
		 !domain->pressure && !domain->average && long_ago(domain, door->pushed_ns))
		snprintf(text, size, "%s: the scheduler still has the pressure %u that it was "
			 "told, although the average is 0; set outlet none takes it back, and "
			 "report this", domain->name, door->pushed);
	else
		return false;
	return nothing_caps(host, domain);
}
