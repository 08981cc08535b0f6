/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Capacity hints for other kernel modules. Include this file, build with the Module.symvers that
 * came with it, and the module using it holds pwrctl in place: it cannot be unloaded meanwhile.
 */
#ifndef _PWRCTL_HINT_H
#define _PWRCTL_HINT_H

#include <linux/types.h>

struct notifier_block;

/**
 * struct pwrctl_hint - what the notifier is told, the data of its call
 * @domain: name of the frequency domain, valid during the call
 * @cpu: one CPU of it, offline ones included
 * @clock_ns: when this was evaluated, boot clock
 * @pressure: part of its capacity that the domain lacks now, 0 to 1024
 * @average: the same, averaged
 */
struct pwrctl_hint {
	const char *domain;
	unsigned int cpu;
	u64 clock_ns;
	u32 pressure;
	u32 average;
};

/* The action of a notifier call; there is one so far. */
#define PWRCTL_HINT_MOVED	1UL

unsigned long pwrctl_cpu_pressure(int cpu);
unsigned long pwrctl_cpu_capacity(int cpu);
int pwrctl_hint_register_notifier(struct notifier_block *nb);
int pwrctl_hint_unregister_notifier(struct notifier_block *nb);

#endif /* _PWRCTL_HINT_H */
