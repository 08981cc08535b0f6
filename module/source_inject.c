// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source: injected caps. They change hints, never a frequency, and always end by themselves:
 * readers honour their end before the timer does.
 */
#include "pwrctl.h"

static u32 inject_causes(void)
{
	return BIT(PWRCTL_CAUSE_INJECTED);
}

static void inject_read(struct pwrctl_domain *domain, struct pwrctl_caps *caps)
{
	lockdep_assert_held(&domain->lock);
	caps->khz[PWRCTL_CAUSE_INJECTED] = domain->inject_khz;
}

static void inject(struct pwrctl_domain *domain, u32 khz, u64 ttl_ns)
{
	lockdep_assert_held(&pwrctl_attach_mutex);

	/* end what is over before it is replaced */
	pwrctl_domain_refresh(domain);
	raw_spin_lock_irq(&domain->lock);
	domain->inject_khz = khz;
	domain->inject_until = pwrctl_now() + ttl_ns;
	raw_spin_unlock_irq(&domain->lock);
	pwrctl_domain_refresh(domain);
}

/**
 * pwrctl_source_inject_set() - inject a cap; a second one replaces the first
 * @domain: the domain
 * @khz: the cap in kHz, at least 1
 * @ttl_ms: how long, in ms, at least 1
 *
 * Context: Process context; pwrctl_attach_mutex held.
 */
void pwrctl_source_inject_set(struct pwrctl_domain *domain, u32 khz, u32 ttl_ms)
{
	inject(domain, khz, (u64)ttl_ms * NSEC_PER_MSEC);
}

/**
 * pwrctl_source_inject_clear() - end an injected cap, if there is one
 * @domain: the domain
 *
 * Context: Process context; pwrctl_attach_mutex held.
 */
void pwrctl_source_inject_clear(struct pwrctl_domain *domain)
{
	inject(domain, PWRCTL_NO_CAP, 0);
}

const struct pwrctl_source pwrctl_source_inject = {
	.name = "inject",
	.causes = inject_causes,
	.read = inject_read,
};
