// SPDX-License-Identifier: GPL-2.0-only
/* UPDATE and AVG are those of "hw" pressure, or of "thermal" as it was called before 6.10. */
#include "pelt.h"
#include "kernel_pelt.h"

#include <stdlib.h>

struct kernel_pelt {
	struct rq rq;
};

static struct sched_avg *avg_of(const struct kernel_pelt *k)
{
	return (struct sched_avg *)&k->rq.AVG;
}

struct kernel_pelt *kernel_pelt_new(__u64 now)
{
	struct kernel_pelt *k = malloc(sizeof(*k));

	if (!k)
		abort();
	kernel_pelt_init(k, now);
	return k;
}

void kernel_pelt_init(struct kernel_pelt *k, __u64 now)
{
	*k = (struct kernel_pelt){ 0 };
	avg_of(k)->last_update_time = now;
}

void kernel_pelt_copy(struct kernel_pelt *to, const struct kernel_pelt *from)
{
	*to = *from;
}

/* The state a load of @avg since ever would have left at the start of a period. */
void kernel_pelt_set(struct kernel_pelt *k, __u64 now, unsigned long avg)
{
	kernel_pelt_init(k, now);
	avg_of(k)->load_avg = avg;
	avg_of(k)->load_sum = (u64)avg * get_pelt_divider(avg_of(k));
}

void kernel_pelt_update(struct kernel_pelt *k, __u64 now, __u64 load)
{
	UPDATE(now, &k->rq, load);
}

unsigned long kernel_pelt_avg(const struct kernel_pelt *k)
{
	return avg_of(k)->load_avg;
}
