/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One call prints a value both ways: as a cell of a table or a line of a description for people,
 * and as JSON with -j. A list is a table whose rows are objects; an object outside a list is a
 * description. libsmartcols draws the tables; the JSON is written here, because libsmartcols has
 * none that nests or streams.
 */
#ifndef PWRCTL_TOOL_OUT_H
#define PWRCTL_TOOL_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct pwrctl_out;

/**
 * enum pwrctl_unit - how a number reads for people; JSON has it bare
 * @PWRCTL_UNIT_NONE: as it is
 * @PWRCTL_UNIT_KHZ: a frequency
 * @PWRCTL_UNIT_NS: a time span
 */
enum pwrctl_unit {
	PWRCTL_UNIT_NONE,
	PWRCTL_UNIT_KHZ,
	PWRCTL_UNIT_NS,
};

struct pwrctl_out *pwrctl_out_open(FILE *file, bool json);
int pwrctl_out_close(struct pwrctl_out *out);
bool pwrctl_out_is_json(const struct pwrctl_out *out);

void pwrctl_out_list(struct pwrctl_out *out, const char *name, const char *title,
		     const char *empty);
void pwrctl_out_list_end(struct pwrctl_out *out);
void pwrctl_out_object(struct pwrctl_out *out, const char *name, const char *title);
void pwrctl_out_object_end(struct pwrctl_out *out);

void pwrctl_out_string(struct pwrctl_out *out, const char *name, const char *head,
		       const char *value);
void pwrctl_out_noted(struct pwrctl_out *out, const char *name, const char *head,
		      const char *value, const char *note);
void pwrctl_out_prose(struct pwrctl_out *out, const char *name, const char *head,
		      const char *value);
void pwrctl_out_number(struct pwrctl_out *out, const char *name, const char *head,
		       enum pwrctl_unit unit, uint64_t value);
void pwrctl_out_number_noted(struct pwrctl_out *out, const char *name, const char *head,
			     enum pwrctl_unit unit, uint64_t value, const char *note);
void pwrctl_out_real(struct pwrctl_out *out, const char *name, double value);
void pwrctl_out_flag(struct pwrctl_out *out, const char *name, const char *head, bool value);
void pwrctl_out_null(struct pwrctl_out *out, const char *name, const char *head);
void pwrctl_out_say(struct pwrctl_out *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int pwrctl_out_flush(struct pwrctl_out *out);
int pwrctl_out_check(FILE *file);

const char *pwrctl_out_clean(const char *from, char *to, size_t size);
const char *pwrctl_out_unit(enum pwrctl_unit unit, uint64_t value, char *text, size_t size);
void pwrctl_out_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
