/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures: gnuplot reads commands and data through a pipe; there is no shell in between. */
#ifndef PWRCTL_TOOL_PLOT_H
#define PWRCTL_TOOL_PLOT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "file.h"

/**
 * struct pwrctl_plot - a picture being drawn
 * @stream: gnuplot's standard input
 * @pid: gnuplot's
 * @file: what gnuplot writes to
 */
struct pwrctl_plot {
	FILE *stream;
	pid_t pid;
	struct pwrctl_file file;
};

bool pwrctl_plot_can(const char *path);
int pwrctl_plot_open(struct pwrctl_plot *plot, const char *path, bool force, unsigned int width,
		     unsigned int height);
int pwrctl_plot_close(struct pwrctl_plot *plot);
const char *pwrctl_plot_quote(const char *from, char *to, size_t size);

#endif
