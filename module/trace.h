/* SPDX-License-Identifier: GPL-2.0-only */
/* The tracepoints pwrctl:pwrctl_cap and pwrctl:pwrctl_hint. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM pwrctl

#if !defined(_PWRCTL_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _PWRCTL_TRACE_H

#include <linux/tracepoint.h>

#include "compat.h"

int pwrctl_trace_hint_reg(void);
void pwrctl_trace_hint_unreg(void);

TRACE_EVENT(pwrctl_cap,
	TP_PROTO(const char *domain, unsigned int cpu, u32 cap_khz, const char *cause,
		 u32 reference_khz, u32 pressure, u64 clock_ns),
	TP_ARGS(domain, cpu, cap_khz, cause, reference_khz, pressure, clock_ns),
	TP_STRUCT__entry(
		__string(domain, domain)
		__string(cause, cause)
		__field(u64, clock_ns)
		__field(unsigned int, cpu)
		__field(u32, cap_khz)
		__field(u32, reference_khz)
		__field(u32, pressure)
	),
	TP_fast_assign(
		pwrctl_assign_str(domain, domain);
		pwrctl_assign_str(cause, cause);
		__entry->clock_ns = clock_ns;
		__entry->cpu = cpu;
		__entry->cap_khz = cap_khz;
		__entry->reference_khz = reference_khz;
		__entry->pressure = pressure;
	),
	TP_printk("domain=%s cpu=%u cap_khz=%u cause=%s reference_khz=%u pressure=%u clock_ns=%llu",
		  __get_str(domain), __entry->cpu, __entry->cap_khz, __get_str(cause),
		  __entry->reference_khz, __entry->pressure, __entry->clock_ns)
);

TRACE_EVENT_FN(pwrctl_hint,
	TP_PROTO(const char *domain, unsigned int cpu, u32 pressure, u32 average, u64 clock_ns),
	TP_ARGS(domain, cpu, pressure, average, clock_ns),
	TP_STRUCT__entry(
		__string(domain, domain)
		__field(u64, clock_ns)
		__field(unsigned int, cpu)
		__field(u32, pressure)
		__field(u32, average)
	),
	TP_fast_assign(
		pwrctl_assign_str(domain, domain);
		__entry->clock_ns = clock_ns;
		__entry->cpu = cpu;
		__entry->pressure = pressure;
		__entry->average = average;
	),
	TP_printk("domain=%s cpu=%u pressure=%u average=%u clock_ns=%llu",
		  __get_str(domain), __entry->cpu, __entry->pressure, __entry->average,
		  __entry->clock_ns),
	pwrctl_trace_hint_reg, pwrctl_trace_hint_unreg
);

#endif /* _PWRCTL_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
