/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Just enough of a kernel to compile the original kernel/sched/pelt.c in user space. The build
 * puts this file beside copies of pelt.c and sched-pelt.h (5.17 to 7.x) and of the lines of the
 * kernel's own pelt.h that define the divider.
 */
#ifndef UNIT_PELT_PELT_H
#define UNIT_PELT_PELT_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

typedef __u64 u64;
typedef __s64 s64;
typedef __u32 u32;

#define CONFIG_SMP
#define CONFIG_SCHED_HW_PRESSURE
#define CONFIG_SCHED_THERMAL_PRESSURE

#define SCHED_CAPACITY_SHIFT	10
#define likely(x)		(x)
#define unlikely(x)		(x)
#define WRITE_ONCE(x, v)	((x) = (v))
#define scale_load_down(w)	(w)
#define lockdep_assert_rq_held(rq)	((void)(rq))

static inline u64 mul_u64_u32_shr(u64 a, u32 mul, unsigned int shift)
{
	return (u64)(((__uint128_t)a * mul) >> shift);
}

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

struct sched_avg {
	u64		last_update_time;
	u64		load_sum;
	u64		runnable_sum;
	u32		util_sum;
	u32		period_contrib;
	unsigned long	load_avg;
	unsigned long	runnable_avg;
	unsigned long	util_avg;
};

#include "sched-pelt.h"
#include "pelt-divider.h"

struct load_weight {
	unsigned long	weight;
};

struct sched_entity {
	struct load_weight	load;
	unsigned int		on_rq;
	struct sched_avg	avg;
};

struct cfs_rq {
	struct load_weight	load;
	unsigned int		h_nr_running;
	unsigned int		h_nr_runnable;
	struct sched_entity	*curr;
	struct sched_entity	*h_curr;
	struct sched_avg	avg;
};

struct sched_class {
	int	unused;
};

static const struct sched_class rt_sched_class, dl_sched_class;

struct task_struct {
	const struct sched_class	*sched_class;
};

struct rq {
	struct sched_avg	avg_rt;
	struct sched_avg	avg_dl;
	struct sched_avg	avg_hw;
	struct sched_avg	avg_thermal;
	struct task_struct	*curr;
	struct task_struct	*donor;
};

#define se_weight(se)			((se)->load.weight)
#define se_runnable(se)			(!!(se)->on_rq)
#define cpu_of(rq)			((void)(rq), 0)
#define rq_clock_pelt(rq)		((void)(rq), 0)
#define rq_clock_task(rq)		((void)(rq), 0)
#define arch_scale_hw_pressure(cpu)		((void)(cpu), 0)
#define arch_scale_thermal_pressure(cpu)	((void)(cpu), 0)
#define thermal_load_avg(rq)		((rq)->avg_thermal.load_avg)

int update_hw_load_avg(u64 now, struct rq *rq, u64 capacity);
int update_thermal_load_avg(u64 now, struct rq *rq, u64 capacity);

static inline void cfs_se_util_change(struct sched_avg *avg)
{
	(void)avg;
}

static inline int update_irq_load_avg(struct rq *rq, u64 running)
{
	(void)rq;
	(void)running;
	return 0;
}

#define trace_pelt_se_tp(se)		((void)(se))
#define trace_pelt_cfs_tp(cfs_rq)	((void)(cfs_rq))
#define trace_pelt_rt_tp(rq)		((void)(rq))
#define trace_pelt_dl_tp(rq)		((void)(rq))
#define trace_pelt_hw_tp(rq)		((void)(rq))
#define trace_pelt_thermal_tp(rq)	((void)(rq))

#endif /* UNIT_PELT_PELT_H */
