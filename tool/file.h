/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that are complete or absent: written under another name, renamed when whole. */
#ifndef PWRCTL_TOOL_FILE_H
#define PWRCTL_TOOL_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * struct pwrctl_file - a file being written
 * @stream: where to write; errors may be left to pwrctl_file_commit()
 * @path: its name to be
 * @temporary: its name until then
 * @force: may replace a file of that name
 */
struct pwrctl_file {
	FILE *stream;
	char path[PATH_MAX];
	char temporary[PATH_MAX];
	bool force;
};

int pwrctl_file_check(const char *path, bool force);
int pwrctl_file_create(struct pwrctl_file *file, const char *path, bool force);
int pwrctl_file_commit(struct pwrctl_file *file);
void pwrctl_file_abandon(struct pwrctl_file *file);
int pwrctl_file_line(FILE *stream, char *line, size_t size);

#endif
