// SPDX-License-Identifier: GPL-2.0-only
/*
 * proof_load THREADS WORK_MS SPEED...    a job of a fixed size for so many threads
 *
 * An emulator runs all CPUs at one speed, whatever the guest takes them for. So the work that a
 * thread gets done is reckoned: the time it ran on a CPU times that CPU's speed, in parts of 1024.
 * A speed is a number, or NUMBER:DIR: it is that at cpuinfo_max_freq of the cpufreq policy in DIR,
 * and less as its scaling_max_freq is less. The job is done when WORK_MS milliseconds of a
 * CPU of speed 1024 have been worked, by whichever thread.
 *
 * With a phase ("-s MS:MS" ahead) the job alternates: all threads work for so long, then one alone
 * for so long.
 *
 * Prints "SECONDS MOVES" and then each CPU's part of the threads' running time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CPUS_MAX	64
#define THREADS_MAX	64
#define FULL		1024
#define LOOK_NS		5000000

struct speed {
	unsigned long full;
	unsigned long full_khz;
	const char *policy;
	_Atomic unsigned long now;
};

static struct speed speeds[CPUS_MAX];
static unsigned int cpus;
/* 1024 a nanosecond of full speed */
static _Atomic uint64_t done;
static uint64_t wanted;
static _Atomic uint64_t ended;
static _Atomic uint64_t ran[CPUS_MAX];
static _Atomic unsigned int moves;
static _Atomic bool alone, begun;
/* for waiting until one is not alone any more */
static pthread_mutex_t phase_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t phase_over = PTHREAD_COND_INITIALIZER;

static uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void spin(void)
{
	volatile unsigned int n = 10000;

	while (n)
		n--;
}

static void wait_for_phase(void)
{
	pthread_mutex_lock(&phase_mutex);
	while (alone)
		pthread_cond_wait(&phase_over, &phase_mutex);
	pthread_mutex_unlock(&phase_mutex);
}

static void set_phase(bool now_alone)
{
	if (alone == now_alone)
		return;
	pthread_mutex_lock(&phase_mutex);
	alone = now_alone;
	pthread_cond_broadcast(&phase_over);
	pthread_mutex_unlock(&phase_mutex);
}

static void *work(void *number)
{
	uint64_t before, now;
	int cpu, last = -1;

	while (!begun)
		sched_yield();
	before = now_ns(CLOCK_THREAD_CPUTIME_ID);
	while (done < wanted) {
		if (number && alone) {
			wait_for_phase();
			continue;
		}
		spin();
		cpu = sched_getcpu();
		now = now_ns(CLOCK_THREAD_CPUTIME_ID);
		done += (now - before) * speeds[cpu].now;
		ran[cpu] += now - before;
		before = now;
		if (last >= 0 && last != cpu)
			moves++;
		last = cpu;
	}
	/* the first one out: others may still wait for a CPU */
	now = now_ns(CLOCK_MONOTONIC);
	before = 0;
	atomic_compare_exchange_strong(&ended, &before, now);
	return NULL;
}

static unsigned long read_khz(const char *policy, const char *file)
{
	char name[256], text[32] = "";
	int fd;

	snprintf(name, sizeof(name), "%s/%s", policy, file);
	fd = open(name, O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0) {
		fprintf(stderr, "proof_load: %s: %s\n", name, strerror(errno));
		exit(1);
	}
	close(fd);
	return strtoul(text, NULL, 10);
}

static void look(void)
{
	unsigned int i;

	for (i = 0; i < cpus; i++)
		if (speeds[i].policy)
			speeds[i].now = speeds[i].full *
					read_khz(speeds[i].policy, "scaling_max_freq") /
					speeds[i].full_khz;
}

static int usage(void)
{
	fputs("usage: proof_load [-s MS:MS] THREADS WORK_MS SPEED[:DIR]...\n", stderr);
	return 2;
}

static int take_speeds(char **words)
{
	for (; *words && cpus < CPUS_MAX; words++, cpus++) {
		struct speed *speed = &speeds[cpus];
		char *end;

		speed->full = strtoul(*words, &end, 10);
		speed->now = speed->full;
		if (!speed->full || (*end && *end != ':'))
			return -EINVAL;
		if (*end) {
			speed->policy = end + 1;
			speed->full_khz = read_khz(speed->policy, "cpuinfo_max_freq");
		}
	}
	return cpus ? 0 : -EINVAL;
}

static void report(double seconds)
{
	uint64_t all = 0;
	unsigned int i;

	for (i = 0; i < cpus; i++)
		all += ran[i];
	printf("%.4f %u", seconds, moves);
	for (i = 0; i < cpus; i++)
		printf(" %.4f", all ? (double)ran[i] / all : 0);
	puts("");
}

int main(int argc, char **argv)
{
	unsigned long together_ms = 0, alone_ms = 0, threads;
	pthread_t ids[THREADS_MAX];
	uint64_t start, in_round;
	uintptr_t i;
	int option;

	while ((option = getopt(argc, argv, "s:")) != -1)
		if (option != 's' || sscanf(optarg, "%lu:%lu", &together_ms, &alone_ms) != 2)
			return usage();
	if (argc - optind < 3)
		return usage();
	threads = strtoul(argv[optind], NULL, 10);
	wanted = strtoull(argv[optind + 1], NULL, 10) * 1000000 * FULL;
	if (!threads || threads > THREADS_MAX || take_speeds(argv + optind + 2))
		return usage();
	for (i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, work, (void *)i))
			return 1;
	look();
	start = now_ns(CLOCK_MONOTONIC);
	begun = true;
	while (done < wanted) {
		struct timespec pause = { .tv_nsec = LOOK_NS };

		nanosleep(&pause, NULL);
		look();
		if (alone_ms) {
			in_round = (now_ns(CLOCK_MONOTONIC) - start) / 1000000 %
				   (together_ms + alone_ms);
			set_phase(in_round >= together_ms);
		}
	}
	set_phase(false);
	for (i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	report((ended - start) / 1e9);
	return 0;
}
