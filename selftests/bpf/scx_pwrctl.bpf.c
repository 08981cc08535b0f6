// SPDX-License-Identifier: GPL-2.0-only
/*
 * A small sched_ext scheduler that spreads work by capacity hints, and a program that asks for
 * them. It schedules only those tasks that asked for SCHED_EXT.
 *
 * Each CPU has a clock that runs the faster the less capacity the CPU has left; a task goes to the
 * CPU whose clock is furthest behind. So each CPU gets work as its hint says.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define CPUS_MAX	64
#define FULL		1024
#define SLICE_NS	5000000ULL
#define READS		1000

unsigned long pwrctl_cpu_capacity(int cpu) __ksym;
unsigned long pwrctl_cpu_pressure(int cpu) __ksym;

__u32 cpus = 1;
__u64 capacity[CPUS_MAX + 2];
__u64 pressure[CPUS_MAX + 2];
/* How long each CPU worked, in ns */
__u64 work[CPUS_MAX];
__u64 hints_seen;
/* What READS passes took that did nothing, read the kernel's own words, asked for the capacity */
__u64 nothing_ns, words_ns, capacity_ns;
__u64 sum;

/* Not every architecture has the first */
extern const unsigned long cpu_scale __ksym __weak;
extern const unsigned long arch_freq_scale __ksym __weak;

/* The last two are CPUs that cannot exist: below 0 and far above. */
SEC("syscall")
int ask(void *ctx)
{
	int i;

	for (i = 0; i < CPUS_MAX && i < cpus; i++) {
		capacity[i] = pwrctl_cpu_capacity(i);
		pressure[i] = pwrctl_cpu_pressure(i);
	}
	capacity[CPUS_MAX] = pwrctl_cpu_capacity(-1);
	capacity[CPUS_MAX + 1] = pwrctl_cpu_capacity(1 << 20);
	pressure[CPUS_MAX] = pwrctl_cpu_pressure(-1);
	pressure[CPUS_MAX + 1] = pwrctl_cpu_pressure(1 << 20);
	return 0;
}

static __always_inline __u64 word(const void *of)
{
	const unsigned long *here = bpf_per_cpu_ptr(of, 0);

	return here ? *here : 0;
}

SEC("syscall")
int cost(void *ctx)
{
	__u64 begin, all = 0;
	int i;

	begin = bpf_ktime_get_ns();
	for (i = 0; i < READS; i++)
		barrier_var(all);
	nothing_ns = bpf_ktime_get_ns() - begin;

	begin = bpf_ktime_get_ns();
	for (i = 0; i < READS; i++) {
		all += pwrctl_cpu_capacity(0);
		barrier_var(all);
	}
	capacity_ns = bpf_ktime_get_ns() - begin;

	if (&cpu_scale && &arch_freq_scale) {
		begin = bpf_ktime_get_ns();
		for (i = 0; i < READS; i++) {
			all += word(&cpu_scale) * word(&arch_freq_scale) / FULL;
			barrier_var(all);
		}
		words_ns = bpf_ktime_get_ns() - begin;
	}
	sum = all;
	return 0;
}

SEC("raw_tp/pwrctl_hint")
int hints(void *ctx)
{
	__sync_fetch_and_add(&hints_seen, 1);
	return 0;
}

#ifdef WITH_SCHEDULER

void scx_bpf_dsq_insert(struct task_struct *p, u64 dsq_id, u64 slice, u64 enq_flags) __ksym __weak;
void scx_bpf_kick_cpu(s32 cpu, u64 flags) __ksym __weak;

static __u64 clock_of[CPUS_MAX];
static __u64 began[CPUS_MAX];

SEC("struct_ops/pwrctl_select_cpu")
s32 BPF_PROG(pwrctl_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	return prev_cpu;
}

SEC("struct_ops/pwrctl_enqueue")
void BPF_PROG(pwrctl_enqueue, struct task_struct *p, u64 enq_flags)
{
	u64 left, least = clock_of[0], closer;
	u32 best = 0, i;

	if (p->nr_cpus_allowed < cpus) {
		scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL, SLICE_NS, enq_flags);
		return;
	}
	/* without a branch: the verifier would follow every order that the clocks can be in */
	for (i = 1; i < CPUS_MAX && i < cpus; i++) {
		closer = (s64)(clock_of[i] - least) >> 63;
		barrier_var(closer);
		least ^= (least ^ clock_of[i]) & closer;
		best ^= (best ^ i) & closer;
	}
	if (best >= CPUS_MAX)
		return;
	left = pwrctl_cpu_capacity(best);
	clock_of[best] += SLICE_NS * FULL / (left ? left : 1);
	scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL_ON | best, SLICE_NS, enq_flags);
	scx_bpf_kick_cpu(best, SCX_KICK_IDLE);
}

SEC("struct_ops/pwrctl_running")
void BPF_PROG(pwrctl_running, struct task_struct *p)
{
	u32 cpu = bpf_get_smp_processor_id();

	if (cpu < CPUS_MAX)
		began[cpu] = bpf_ktime_get_ns();
}

SEC("struct_ops/pwrctl_stopping")
void BPF_PROG(pwrctl_stopping, struct task_struct *p, bool runnable)
{
	u32 cpu = bpf_get_smp_processor_id();

	if (cpu < CPUS_MAX)
		work[cpu] += bpf_ktime_get_ns() - began[cpu];
}

SEC(".struct_ops.link")
struct sched_ext_ops pwrctl_ops = {
	.select_cpu = (void *)pwrctl_select_cpu,
	.enqueue = (void *)pwrctl_enqueue,
	.running = (void *)pwrctl_running,
	.stopping = (void *)pwrctl_stopping,
	/* also a CPU's only task is put anew after each slice */
	.flags = SCX_OPS_SWITCH_PARTIAL | SCX_OPS_ENQ_LAST,
	.name = "pwrctl",
};

#endif /* WITH_SCHEDULER */

char license_text[] SEC("license") = "GPL";
