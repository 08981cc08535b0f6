// SPDX-License-Identifier: GPL-2.0-only
/*
 * capwrite FILE COUNT A B: writes A and B to FILE in turn, COUNT times each, and prints how many
 * nanoseconds one write took in the mean. For the bench: what a cap change costs with and without
 * the module.
 */
#include <fcntl.h>
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

int main(int argc, char **argv)
{
	long long began;
	int count = argc == 5 ? atoi(argv[2]) : 0;
	int i, fd;

	if (count < 1) {
		fprintf(stderr, "usage: capwrite FILE COUNT A B\n");
		return 2;
	}
	fd = open(argv[1], O_WRONLY);
	if (fd < 0) {
		perror(argv[1]);
		return 1;
	}
	began = now();
	for (i = 0; i < 2 * count; i++) {
		const char *text = argv[3 + (i & 1)];

		if (pwrite(fd, text, strlen(text), 0) < 0) {
			perror(argv[1]);
			return 1;
		}
	}
	printf("%lld\n", (now() - began) / (2 * count));
	return 0;
}
