// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts what the scheduler averages of hardware pressure into the kernel's trace, each time it does:
 * "hw: cpu=CPU load=AVERAGE at=LAST-UPDATE-TIME". The kernel that runs says where its fields are.
 */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

struct sched_avg {
	__u64 last_update_time;
	unsigned long load_avg;
} __attribute__((preserve_access_index));

struct rq {
	int cpu;
	struct sched_avg avg_hw;
} __attribute__((preserve_access_index));

/* The same before 6.10 */
struct rq___thermal {
	int cpu;
	struct sched_avg avg_thermal;
} __attribute__((preserve_access_index));

#define TELL(rq, average)							\
	bpf_printk("hw: cpu=%d load=%lu at=%llu", BPF_CORE_READ(rq, cpu),	\
		   BPF_CORE_READ(rq, average.load_avg),				\
		   BPF_CORE_READ(rq, average.last_update_time))

SEC("raw_tp/pelt_hw_tp")
int pelt_hw(struct bpf_raw_tracepoint_args *ctx)
{
	struct rq *rq = (void *)ctx->args[0];

	TELL(rq, avg_hw);
	return 0;
}

SEC("raw_tp/pelt_thermal_tp")
int pelt_thermal(struct bpf_raw_tracepoint_args *ctx)
{
	struct rq___thermal *rq = (void *)ctx->args[0];

	TELL(rq, avg_thermal);
	return 0;
}

char license_text[] SEC("license") = "GPL";
