// SPDX-License-Identifier: GPL-2.0-only
/*
 * pelt_trace              traces the scheduler's average of hardware pressure, see pelt_trace.bpf.c,
 *                         from when it has said "tracing" until it is killed
 * pelt_trace away A B     how many bytes the kernel's per-CPU variable B lies behind A
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "pelt_trace.skel.h"

/* Where it lies among the per-CPU variables, or -1 */
static long find_variable(const struct btf *types, const char *name)
{
	int section = btf__find_by_name_kind(types, ".data..percpu", BTF_KIND_DATASEC);
	int variable = btf__find_by_name_kind(types, name, BTF_KIND_VAR), i;
	const struct btf_type *type;

	if (section < 0 || variable < 0)
		return -1;
	type = btf__type_by_id(types, section);
	for (i = 0; i < btf_vlen(type); i++)
		if (btf_var_secinfos(type)[i].type == (__u32)variable)
			return btf_var_secinfos(type)[i].offset;
	return -1;
}

static int away(const struct btf *types, const char *a, const char *b)
{
	long from = find_variable(types, a), to = find_variable(types, b);

	if (from < 0 || to < 0)
		return 1;
	printf("%ld\n", to - from);
	return 0;
}

static int trace(struct btf *types)
{
	struct pelt_trace *skel = pelt_trace__open();
	bool old;

	if (!skel)
		return 1;
	/* tracepoints have a type each, named as they are */
	old = btf__find_by_name(types, "btf_trace_pelt_hw_tp") < 0;
	bpf_program__set_autoload(old ? skel->progs.pelt_hw : skel->progs.pelt_thermal, false);
	if (pelt_trace__load(skel) || pelt_trace__attach(skel)) {
		fprintf(stderr, "pelt_trace: %s\n", strerror(errno));
		return 1;
	}
	puts("tracing");
	fflush(stdout);
	pause();
	return 0;
}

int main(int argc, char **argv)
{
	struct btf *types = btf__load_vmlinux_btf();

	if (!types)
		return 1;
	if (argc == 4 && !strcmp(argv[1], "away"))
		return away(types, argv[2], argv[3]);
	return argc == 1 ? trace(types) : 2;
}
