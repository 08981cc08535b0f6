// SPDX-License-Identifier: GPL-2.0-only
/*
 * work TASKS PHASES MS: a load whose speed depends on where its tasks run and how far the CPUs
 * there are capped, on machines whose CPUs are all equally fast in truth. In each of PHASES phases
 * first TASKS tasks, then one alone have MS milliseconds of work to do, counted at the speed of an
 * uncapped CPU of full capacity: in a millisecond of its CPU time a task gets done what
 * cpu_capacity and scaling_max_freq of its CPU then leave of one.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CPUS_MAX	64
#define SLICE_NS	1000000LL

/**
 * struct cpu - how fast a CPU is
 * @capacity: of 1024
 * @most_khz: its highest frequency
 * @cap: file with the highest frequency that is allowed now, open
 */
static struct cpu {
	long capacity;
	long most_khz;
	int cap;
} cpus[CPUS_MAX];

static long long cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long number(int fd, long otherwise)
{
	char text[32];
	ssize_t got = fd < 0 ? -1 : pread(fd, text, sizeof(text) - 1, 0);

	if (got <= 0)
		return otherwise;
	text[got] = '\0';
	return atol(text);
}

static int file(int cpu, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/%s", cpu, name);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static void know_cpus(void)
{
	int cpu, fd;

	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		fd = file(cpu, "cpu_capacity");
		cpus[cpu].capacity = number(fd, 1024);
		if (fd >= 0)
			close(fd);
		fd = file(cpu, "cpufreq/cpuinfo_max_freq");
		cpus[cpu].most_khz = number(fd, 1);
		if (fd >= 0)
			close(fd);
		cpus[cpu].cap = file(cpu, "cpufreq/scaling_max_freq");
	}
}

static void work(double left_ns)
{
	long long from = cpu_time(), now;
	const struct cpu *cpu;

	while (left_ns > 0) {
		now = cpu_time();
		if (now - from < SLICE_NS)
			continue;
		cpu = &cpus[sched_getcpu() % CPUS_MAX];
		left_ns -= (double)(now - from) * cpu->capacity / 1024 *
			   number(cpu->cap, cpu->most_khz) / cpu->most_khz;
		from = now;
	}
}

static int phase(int tasks, double ns)
{
	int i, status, failed = 0;

	for (i = 0; i < tasks; i++) {
		pid_t pid = fork();

		if (!pid) {
			work(ns);
			_exit(0);
		}
		failed |= pid < 0;
	}
	while (wait(&status) > 0)
		failed |= status;
	return failed;
}

int main(int argc, char **argv)
{
	int tasks = argc == 4 ? atoi(argv[1]) : 0;
	int phases = argc == 4 ? atoi(argv[2]) : 0;
	double ns = argc == 4 ? atof(argv[3]) * 1e6 : 0;
	int failed = 0;

	if (tasks < 1 || phases < 1 || ns <= 0) {
		fprintf(stderr, "usage: work TASKS PHASES MS\n");
		return 2;
	}
	know_cpus();
	while (phases-- && !failed)
		failed = phase(tasks, ns) || phase(1, ns);
	return failed ? 1 : 0;
}
