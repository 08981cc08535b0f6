/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels that this module is built for, all of it. Features are tested
 * for, by macro here or by a look into the headers in Kbuild (PWRCTL_HAVE_*), never versions:
 * distributions carry changes back. Beside each shim: the kernel that made it needless; it may
 * go when that is the oldest one supported.
 */
#ifndef _PWRCTL_COMPAT_H
#define _PWRCTL_COMPAT_H

#undef pr_fmt
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpufreq.h>
#include <linux/hrtimer.h>
#include <linux/sched/topology.h>
#include <linux/seqlock.h>
#include <linux/topology.h>

/* 6.13: hrtimer_setup() sets the function, too */
#ifdef PWRCTL_HAVE_HRTIMER_SETUP
#define pwrctl_hrtimer_setup hrtimer_setup
#else
static inline void pwrctl_hrtimer_setup(struct hrtimer *timer,
					enum hrtimer_restart (*function)(struct hrtimer *),
					clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

/* 6.13: latches got names of their own; before 6.6 "retry" was not raw */
static inline unsigned int pwrctl_latch_read(const seqcount_latch_t *latch)
{
#ifdef PWRCTL_HAVE_LATCH_BEGIN
	return read_seqcount_latch(latch);
#else
	return raw_read_seqcount_latch(latch);
#endif
}

static inline bool pwrctl_latch_retry(const seqcount_latch_t *latch, unsigned int seq)
{
	/* read_seqcount_latch_retry() was there before 6.6 and is there again from 6.13 on */
#if defined(PWRCTL_HAVE_LATCH_BEGIN) || !defined(PWRCTL_HAVE_RAW_LATCH_RETRY)
	return read_seqcount_latch_retry(latch, seq);
#else
	return raw_read_seqcount_latch_retry(latch, seq);
#endif
}

static inline void pwrctl_latch_write(seqcount_latch_t *latch)
{
#ifdef PWRCTL_HAVE_LATCH_BEGIN
	write_seqcount_latch_begin(latch);
#else
	raw_write_seqcount_latch(latch);
#endif
}

static inline void pwrctl_latch_write_next(seqcount_latch_t *latch)
{
#ifdef PWRCTL_HAVE_LATCH_BEGIN
	write_seqcount_latch(latch);
#else
	raw_write_seqcount_latch(latch);
#endif
}

static inline void pwrctl_latch_write_end(seqcount_latch_t *latch)
{
#ifdef PWRCTL_HAVE_LATCH_BEGIN
	write_seqcount_latch_end(latch);
#endif
}

/* 6.8: the architecture may know the frequency of full capacity */
static inline u32 pwrctl_arch_freq_ref(unsigned int cpu)
{
#ifdef arch_scale_freq_ref
	return arch_scale_freq_ref(cpu);
#else
	return 0;
#endif
}

/* 7.x: a policy's requests are part of it; before, it has pointers to them */
#define pwrctl_qos_request(field)						\
	__builtin_choose_expr(__builtin_types_compatible_p(typeof(field),	\
							   struct freq_qos_request), \
			      &(field), (field))

/* 6.10: the source string need not be repeated */
#ifdef PWRCTL_HAVE_ASSIGN_STR_1
#define pwrctl_assign_str(dst, src)	__assign_str(dst)
#else
#define pwrctl_assign_str(dst, src)	__assign_str(dst, src)
#endif

/*
 * The call that tells the scheduler about capped frequencies: 6.10 renamed it. The frequency it
 * wants is compared in MHz before 6.8, so that there is one unit less of precision.
 */
#if IS_ENABLED(CONFIG_GENERIC_ARCH_TOPOLOGY) && defined(PWRCTL_HAVE_HW_PRESSURE) &&	\
	IS_ENABLED(CONFIG_SCHED_HW_PRESSURE)
#define PWRCTL_DOOR
#define PWRCTL_DOOR_KIND		PWRCTL_DOOR_KIND_HW_PRESSURE
#define pwrctl_update_hw_pressure	topology_update_hw_pressure
#elif IS_ENABLED(CONFIG_GENERIC_ARCH_TOPOLOGY) && defined(PWRCTL_HAVE_THERMAL_PRESSURE) &&	\
	IS_ENABLED(CONFIG_SCHED_THERMAL_PRESSURE)
#define PWRCTL_DOOR
#define PWRCTL_DOOR_KIND		PWRCTL_DOOR_KIND_THERMAL_PRESSURE
#define pwrctl_update_hw_pressure	topology_update_thermal_pressure
#else
#define PWRCTL_DOOR_KIND		PWRCTL_DOOR_KIND_NONE
#endif
#ifdef arch_scale_freq_ref
#define PWRCTL_DOOR_KHZ			1U
#else
#define PWRCTL_DOOR_KHZ			1000U
#endif

/* 6.8: a set of kfuncs says that it is one */
#if IS_ENABLED(CONFIG_DEBUG_INFO_BTF_MODULES) && IS_ENABLED(CONFIG_BPF_SYSCALL)
#define PWRCTL_KFUNCS
#ifdef PWRCTL_HAVE_KFUNCS_START
#define PWRCTL_KFUNCS_START(name)	BTF_KFUNCS_START(name)
#define PWRCTL_KFUNCS_END(name)		BTF_KFUNCS_END(name)
#else
#define PWRCTL_KFUNCS_START(name)	BTF_SET8_START(name)
#define PWRCTL_KFUNCS_END(name)		BTF_SET8_END(name)
#endif
#endif

/* 6.3: says that BPF programs call a function. It has to stay one, whatever the compiler sees. */
#ifdef __bpf_kfunc
#define pwrctl_kfunc			__bpf_kfunc
#else
#define pwrctl_kfunc			noinline
#endif

#endif /* _PWRCTL_COMPAT_H */
