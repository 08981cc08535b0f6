/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of JSON objects, one a line, that may hold anything: what is wrong is told by line. */
#ifndef PWRCTL_TOOL_LINES_H
#define PWRCTL_TOOL_LINES_H

#include "json.h"

/**
 * struct pwrctl_lines - a file being read
 * @path: its name
 * @number: of the line last read
 * @stream: the file
 * @tokener: json-c's
 * @line: the line last read
 */
struct pwrctl_lines {
	const char *path;
	uint32_t number;
	FILE *stream;
	struct json_tokener *tokener;
	char *line;
};

int pwrctl_lines_open(struct pwrctl_lines *lines, const char *path);
int pwrctl_lines_next(struct pwrctl_lines *lines, struct pwrctl_json *json);
int pwrctl_lines_done(struct pwrctl_lines *lines, struct pwrctl_json *json);
int pwrctl_lines_header(struct pwrctl_lines *lines, struct pwrctl_json *json, const char *type,
			unsigned int version, const char *what);
int pwrctl_lines_bad(const struct pwrctl_lines *lines, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void pwrctl_lines_close(struct pwrctl_lines *lines);

#endif
