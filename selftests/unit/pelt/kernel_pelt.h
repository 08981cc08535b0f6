/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's PELT of capped capacity, under a name that does not change with its version. */
#ifndef UNIT_PELT_KERNEL_PELT_H
#define UNIT_PELT_KERNEL_PELT_H

#include <linux/types.h>

struct kernel_pelt;

struct kernel_pelt *kernel_pelt_new(__u64 now);
void kernel_pelt_init(struct kernel_pelt *k, __u64 now);
void kernel_pelt_copy(struct kernel_pelt *to, const struct kernel_pelt *from);
void kernel_pelt_set(struct kernel_pelt *k, __u64 now, unsigned long avg);
void kernel_pelt_update(struct kernel_pelt *k, __u64 now, __u64 load);
unsigned long kernel_pelt_avg(const struct kernel_pelt *k);

#endif /* UNIT_PELT_KERNEL_PELT_H */
