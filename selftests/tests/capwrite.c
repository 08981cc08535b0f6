// SPDX-License-Identifier: GPL-2.0-only
/*
 * capwrite FILE COUNT A B: writes A and B, in kHz, to FILE (a policy's scaling_max_freq) in turn,
 * COUNT times each. For the bench: what a cap change costs with and without the module.
 *
 * cpufreq does the change in a work item on the writer's CPU; it is over when FILE shows it.
 * Prints "WRITE CHANGE", medians in ns: the write alone, which no work item interrupts, and the
 * whole change.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	long long x = *(const long long *)a, y = *(const long long *)b;

	return x < y ? -1 : x > y;
}

/* Give way to cpufreq's work item until the limit is in force. */
static int in_force(int fd, const char *khz, int sleep)
{
	const struct timespec moment = { .tv_nsec = 1000 };
	char text[32];
	ssize_t len;

	do {
		if (sleep)
			nanosleep(&moment, NULL);
		else
			sched_yield();
		len = pread(fd, text, sizeof(text) - 1, 0);
		if (len < 1)
			return -1;
		text[len - 1] = '\0';
	} while (strcmp(text, khz));
	return 0;
}

/* The median of all changes: of the write alone, or until it is in force; -1 on an error. */
static long long measure(int fd, int changes, char **khz, int alone)
{
	const struct sched_param param = { .sched_priority = alone };
	long long *took = calloc(changes, sizeof(*took));
	long long result = -1, start;
	int i;

	if (!took || sched_setscheduler(0, alone ? SCHED_FIFO : SCHED_OTHER, &param))
		goto out;
	for (i = 0; i < changes; i++) {
		const char *text = khz[i & 1];

		start = now();
		if (pwrite(fd, text, strlen(text), 0) < 0)
			goto out;
		took[i] = now() - start;
		if (in_force(fd, text, alone))
			goto out;
		if (!alone)
			took[i] = now() - start;
	}
	qsort(took, changes, sizeof(*took), compare);
	result = took[changes / 2];
out:
	free(took);
	return result;
}

int main(int argc, char **argv)
{
	int changes = argc == 5 ? 2 * atoi(argv[2]) : 0;
	long long alone, whole;
	int fd;

	if (changes < 1) {
		fprintf(stderr, "usage: capwrite FILE COUNT A B\n");
		return 2;
	}
	fd = open(argv[1], O_RDWR);
	if (fd < 0) {
		perror(argv[1]);
		return 1;
	}
	alone = measure(fd, changes, argv + 3, 1);
	whole = alone < 0 ? -1 : measure(fd, changes, argv + 3, 0);
	if (whole < 0) {
		perror(argv[1]);
		return 1;
	}
	printf("%lld %lld\n", alone, whole);
	return 0;
}
