// SPDX-License-Identifier: GPL-2.0-only
/* Outlet: tracepoints. */
#include "compat.h"
#include "pwrctl.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/* Set before the tracepoint's own key, so that nothing falls between the two. */
static bool enabled;

/**
 * pwrctl_trace_hint_reg() - somebody enabled pwrctl:pwrctl_hint
 *
 * Called with the tracing core's locks held: the poll publishes for us.
 *
 * Context: Process context.
 * Return: 0
 */
int pwrctl_trace_hint_reg(void)
{
	WRITE_ONCE(enabled, true);
	pwrctl_domain_poll_soon();
	return 0;
}

/**
 * pwrctl_trace_hint_unreg() - nobody looks at pwrctl:pwrctl_hint any more
 *
 * Context: Process context.
 */
void pwrctl_trace_hint_unreg(void)
{
	WRITE_ONCE(enabled, false);
}

/**
 * pwrctl_outlet_trace_enabled() - does somebody look at pwrctl:pwrctl_hint?
 *
 * Context: Any.
 * Return: true if so
 */
bool pwrctl_outlet_trace_enabled(void)
{
	return READ_ONCE(enabled);
}

static void trace_push(const struct pwrctl_view *view)
{
	trace_pwrctl_hint(view->domain->name, cpumask_first(view->domain->cpus),
			  pwrctl_filter_to_1024(view->pressure),
			  pwrctl_filter_to_1024(view->average), view->clock_ns);
}

static void trace_cap(const struct pwrctl_view *view)
{
	trace_pwrctl_cap(view->domain->name, cpumask_first(view->domain->cpus),
			 view->cap_khz == PWRCTL_NO_CAP ? 0 : view->cap_khz,
			 pwrctl_settings_cause_word(view->cause), view->reference_khz,
			 pwrctl_filter_to_1024(view->pressure), view->clock_ns);
}

static bool trace_cap_wanted(void)
{
	return trace_pwrctl_cap_enabled();
}

const struct pwrctl_outlet pwrctl_outlet_trace = {
	.name = "trace",
	.wanted = pwrctl_outlet_trace_enabled,
	.push = trace_push,
	.cap_wanted = trace_cap_wanted,
	.cap = trace_cap,
};
