// SPDX-License-Identifier: GPL-2.0-only
/*
 * scx_pwrctl ask             "CPU CAPACITY PRESSURE" as a BPF program is told them, one a line;
 *                            the last two are for CPUs that cannot exist
 * scx_pwrctl cost            "bpf_NAME LEAST MEDIAN", ns a thousand times asking for a capacity and
 *                            reading the kernel's own words for it
 * scx_pwrctl hints MS        how many pwrctl_hint events a program saw: "0" after MS, or the first
 *                            ones as soon as they came
 * scx_pwrctl run TASKS MS    that many busy tasks under the scheduler; "CPU WORK_NS", one a line;
 *                            only where the kernel it was built for has sched_ext
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "scx_pwrctl.skel.h"

#define POLICY_EXT	7
#define OUTSIDE		64
#define RUNS		51

static void die(const char *what)
{
	fprintf(stderr, "scx_pwrctl: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void wait_ms(long ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

/* Only the scheduler has several programs; every other verb is its program's name. */
static bool belongs(const struct bpf_program *program, const char *verb)
{
	if (strcmp(verb, "run"))
		return !strcmp(bpf_program__name(program), verb);
	return !strncmp(bpf_program__section_name(program), "struct_ops", 10);
}

/* Each of the verbs needs its own programs only: older kernels lack what others want. */
static struct scx_pwrctl *open_with(const char *verb)
{
	struct scx_pwrctl *skel = scx_pwrctl__open();
	struct bpf_program *program;

	if (!skel)
		die("open");
	bpf_object__for_each_program(program, skel->obj)
		bpf_program__set_autoload(program, belongs(program, verb));
#ifdef WITH_SCHEDULER
	if (strcmp(verb, "run"))
		bpf_map__set_autocreate(skel->maps.pwrctl_ops, false);
#endif
	skel->data->cpus = sysconf(_SC_NPROCESSORS_CONF);
	if (scx_pwrctl__load(skel))
		die("load");
	return skel;
}

static void ask(void)
{
	struct scx_pwrctl *skel = open_with("ask");
	LIBBPF_OPTS(bpf_test_run_opts, options);
	int i;

	if (bpf_prog_test_run_opts(bpf_program__fd(skel->progs.ask), &options))
		die("run");
	for (i = 0; i < OUTSIDE + 2; i++)
		if (i < skel->data->cpus || i >= OUTSIDE)
			printf("%d %llu %llu\n", i, (unsigned long long)skel->bss->capacity[i],
			       (unsigned long long)skel->bss->pressure[i]);
	scx_pwrctl__destroy(skel);
}

static int by_size(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void say_cost(const char *name, __u64 *ns)
{
	qsort(ns, RUNS, sizeof(*ns), by_size);
	printf("bpf_%s %llu %llu\n", name, (unsigned long long)ns[0],
	       (unsigned long long)ns[RUNS / 2]);
}

static void cost(void)
{
	__u64 nothing[RUNS], words[RUNS], capacity[RUNS];
	struct scx_pwrctl *skel = open_with("cost");
	LIBBPF_OPTS(bpf_test_run_opts, options);
	int i;

	for (i = 0; i < RUNS; i++) {
		if (bpf_prog_test_run_opts(bpf_program__fd(skel->progs.cost), &options))
			die("run");
		nothing[i] = skel->bss->nothing_ns;
		words[i] = skel->bss->words_ns;
		capacity[i] = skel->bss->capacity_ns;
	}
	say_cost("nothing", nothing);
	if (words[0])
		say_cost("words", words);
	say_cost("capacity", capacity);
	scx_pwrctl__destroy(skel);
}

static void hints(long ms)
{
	struct scx_pwrctl *skel = open_with("hints");

	if (!bpf_program__attach(skel->progs.hints))
		die("attach");
	while (ms > 0 && !*(volatile __u64 *)&skel->bss->hints_seen) {
		wait_ms(20);
		ms -= 20;
	}
	printf("%llu\n", (unsigned long long)skel->bss->hints_seen);
	scx_pwrctl__destroy(skel);
}

#ifdef WITH_SCHEDULER

static pid_t busy_task(void)
{
	struct sched_param param = { 0 };
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (syscall(SYS_sched_setscheduler, 0, POLICY_EXT, &param))
		_exit(1);
	for (;;)
		;
}

static void run(int tasks, long ms)
{
	struct scx_pwrctl *skel = open_with("run");
	struct bpf_link *link = bpf_map__attach_struct_ops(skel->maps.pwrctl_ops);
	pid_t pids[64];
	int i, status;

	if (!link)
		die("attach");
	for (i = 0; i < tasks && i < 64; i++)
		pids[i] = busy_task();
	wait_ms(ms);
	for (i = 0; i < tasks && i < 64; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], &status, 0);
		if (WIFEXITED(status))
			die("a task could not be scheduled");
	}
	for (i = 0; i < skel->data->cpus; i++)
		printf("%d %llu\n", i, (unsigned long long)skel->bss->work[i]);
	bpf_link__destroy(link);
	scx_pwrctl__destroy(skel);
}

#else

static void run(int tasks, long ms)
{
	errno = EOPNOTSUPP;
	die("run");
}

#endif

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "ask"))
		ask();
	else if (argc == 2 && !strcmp(argv[1], "cost"))
		cost();
	else if (argc == 3 && !strcmp(argv[1], "hints"))
		hints(atol(argv[2]));
	else if (argc == 4 && !strcmp(argv[1], "run"))
		run(atoi(argv[2]), atol(argv[3]));
	else
		return 2;
	return 0;
}
