// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "lines.h"
#include "out.h"

/* The list of CPUs is the longest line: some fifty bytes for each of 8192. */
#define LINE_SIZE	(512 * 1024)
#define JSON_DEPTH	8

/**
 * pwrctl_lines_bad - tell what is wrong in the line last read
 * @lines: the file
 * @format: what
 *
 * Return: -EINVAL.
 */
int pwrctl_lines_bad(const struct pwrctl_lines *lines, const char *format, ...)
{
	char text[512], clean[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	pwrctl_out_error("%s:%u: %s", lines->path, lines->number,
			 pwrctl_out_clean(text, clean, sizeof(clean)));
	return -EINVAL;
}

/**
 * pwrctl_lines_open - begin to read
 * @lines: to fill in; to be closed, after a failure too
 * @path: the file, kept
 *
 * Tells the user why, when it fails.
 *
 * Return: 0 or -errno.
 */
int pwrctl_lines_open(struct pwrctl_lines *lines, const char *path)
{
	int error;

	memset(lines, 0, sizeof(*lines));
	lines->path = path;
	lines->stream = fopen(path, "re");
	if (!lines->stream) {
		error = -errno;
		pwrctl_out_error("cannot read %s: %s", path, strerror(errno));
		return error;
	}
	lines->line = malloc(LINE_SIZE);
	lines->tokener = json_tokener_new_ex(JSON_DEPTH);
	if (lines->line && lines->tokener)
		return 0;
	pwrctl_out_error("cannot read %s: out of memory", path);
	return -ENOMEM;
}

/**
 * pwrctl_lines_next - read one object
 * @lines: the file
 * @json: the object, to be given to pwrctl_lines_done()
 *
 * Tells the user what is wrong with the line.
 *
 * Return: 1 with an object, 0 at the end of the file, or -EINVAL.
 */
int pwrctl_lines_next(struct pwrctl_lines *lines, struct pwrctl_json *json)
{
	char reason[256];
	int result = pwrctl_file_line(lines->stream, lines->line, LINE_SIZE);

	lines->number++;
	json->object = NULL;
	json->bad = false;
	if (!result)
		return 0;
	if (result == -ENODATA)
		return pwrctl_lines_bad(lines, "the file is cut off in this line");
	if (result == -E2BIG)
		return pwrctl_lines_bad(lines, "longer than any line of such a file");
	if (result == -EILSEQ)
		return pwrctl_lines_bad(lines, "this is no text");
	if (result < 0)
		return pwrctl_lines_bad(lines, "cannot read: %s", strerror(-result));
	json->object = pwrctl_json_parse(lines->tokener, lines->line, strlen(lines->line), reason,
					 sizeof(reason));
	return json->object ? 1 : pwrctl_lines_bad(lines, "%s", reason);
}

/**
 * pwrctl_lines_done - let go of an object, and tell what was wrong with it
 * @lines: the file
 * @json: the object
 *
 * Return: 0 or -EINVAL.
 */
int pwrctl_lines_done(struct pwrctl_lines *lines, struct pwrctl_json *json)
{
	json_object_put(json->object);
	json->object = NULL;
	return json->bad ? pwrctl_lines_bad(lines, "%s", json->reason) : 0;
}

/**
 * pwrctl_lines_header - read the first object, which says what the file is
 * @lines: the file, just opened
 * @json: the object, to be given to pwrctl_lines_done() after success
 * @type: what it must say
 * @version: the latest that is known
 * @what: the file is, for people
 *
 * Return: 0 or -EINVAL after telling why.
 */
int pwrctl_lines_header(struct pwrctl_lines *lines, struct pwrctl_json *json, const char *type,
			unsigned int version, const char *what)
{
	int result = pwrctl_lines_next(lines, json);
	struct json_object *member;

	if (result < 0)
		return result;
	if (!result)
		return pwrctl_lines_bad(lines, "the file is empty");
	if (!json_object_object_get_ex(json->object, "type", &member) ||
	    !json_object_is_type(member, json_type_string) ||
	    strcmp(json_object_get_string(member), type))
		pwrctl_json_blame(json, "this is no %s", what);
	if (pwrctl_json_number(json, "version", 1, UINT32_MAX) > version)
		pwrctl_json_blame(json, "a later version of pwrctl wrote this");
	return json->bad ? pwrctl_lines_done(lines, json) : 0;
}

/**
 * pwrctl_lines_close - end reading
 * @lines: opened, also when that failed
 */
void pwrctl_lines_close(struct pwrctl_lines *lines)
{
	if (lines->tokener)
		json_tokener_free(lines->tokener);
	free(lines->line);
	if (lines->stream)
		fclose(lines->stream);
}
