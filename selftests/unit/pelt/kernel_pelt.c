// SPDX-License-Identifier: GPL-2.0-only
/* Calls update_hw_load_avg(), or update_thermal_load_avg() as it was called before 6.10. */
#include "pelt.h"
#include "kernel_pelt.h"

#include <stdlib.h>

int update_hw_load_avg(u64 now, struct rq *rq, u64 capacity) __attribute__((weak));
int update_thermal_load_avg(u64 now, struct rq *rq, u64 capacity) __attribute__((weak));

struct kernel_pelt {
	struct rq rq;
};

static struct sched_avg *avg_of(const struct kernel_pelt *k)
{
	struct rq *rq = (struct rq *)&k->rq;

	return update_hw_load_avg ? &rq->avg_hw : &rq->avg_thermal;
}

struct kernel_pelt *kernel_pelt_new(uint64_t now)
{
	struct kernel_pelt *k = malloc(sizeof(*k));

	if (!k)
		abort();
	kernel_pelt_init(k, now);
	return k;
}

void kernel_pelt_init(struct kernel_pelt *k, uint64_t now)
{
	*k = (struct kernel_pelt){ 0 };
	avg_of(k)->last_update_time = now;
}

void kernel_pelt_copy(struct kernel_pelt *to, const struct kernel_pelt *from)
{
	*to = *from;
}

/* The state a load of @avg since ever would have left at the start of a period. */
void kernel_pelt_set(struct kernel_pelt *k, uint64_t now, unsigned long avg)
{
	kernel_pelt_init(k, now);
	avg_of(k)->load_avg = avg;
	avg_of(k)->load_sum = (u64)avg * get_pelt_divider(avg_of(k));
}

void kernel_pelt_update(struct kernel_pelt *k, uint64_t now, uint64_t load)
{
	if (update_hw_load_avg)
		update_hw_load_avg(now, &k->rq, load);
	else
		update_thermal_load_avg(now, &k->rq, load);
}

unsigned long kernel_pelt_avg(const struct kernel_pelt *k)
{
	return avg_of(k)->load_avg;
}
