// SPDX-License-Identifier: GPL-2.0-only
/*
 * Outlet: BPF. Schedulers (sched_ext), tracing programs and syscall programs ask for a CPU's hint
 * by calling the exported functions of outlet_symbols.c, which are kfuncs besides. Being asked they
 * need no pushes. A program that uses them holds the module in place.
 *
 * Without BTF for this module the verifier knows no function of it: where the build makes none,
 * its tool has not filled in the functions' numbers, and nothing is registered.
 */
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/module.h>

#include "include/pwrctl_hint.h"
#include "compat.h"
#include "pwrctl.h"

static bool registered;

#ifdef PWRCTL_KFUNCS

PWRCTL_KFUNCS_START(kfunc_ids)
BTF_ID_FLAGS(func, pwrctl_cpu_capacity)
BTF_ID_FLAGS(func, pwrctl_cpu_pressure)
PWRCTL_KFUNCS_END(kfunc_ids)

static const struct btf_kfunc_id_set kfunc_set = {
	.owner = THIS_MODULE,
	.set = &kfunc_ids,
};

static int register_kfuncs(void)
{
	static const enum bpf_prog_type types[] = {
		BPF_PROG_TYPE_STRUCT_OPS, BPF_PROG_TYPE_TRACING, BPF_PROG_TYPE_SYSCALL,
	};
	const struct btf_id_set8 *set = &kfunc_ids;
	unsigned int i;
	int ret = 0;

	/* the set lies unaligned, where arm64's short form of a load would read beside it */
	OPTIMIZER_HIDE_VAR(set);
	if (!set->cnt)
		return -EOPNOTSUPP;
	for (i = 0; i < ARRAY_SIZE(types) && !ret; i++)
		ret = register_btf_kfunc_id_set(types[i], &kfunc_set);
	return ret;
}

#else

static int register_kfuncs(void)
{
	return -EOPNOTSUPP;
}

#endif

/**
 * pwrctl_bpf_registered() - can BPF programs ask for hints?
 *
 * Context: Any.
 * Return: true if so
 */
bool pwrctl_bpf_registered(void)
{
	return registered;
}

/**
 * pwrctl_bpf_start() - let BPF programs ask for hints, where that is possible
 *
 * There is no stop: the kernel forgets a module's kfuncs with its BTF.
 *
 * Context: Process context, from the module's init.
 */
void pwrctl_bpf_start(void)
{
	int ret = register_kfuncs();

	registered = !ret;
	if (ret)
		pr_notice("BPF programs cannot ask for hints: the module has no BTF here\n");
}
