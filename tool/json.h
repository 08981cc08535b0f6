/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON from files that may hold anything: every look-up says whether the member is there and of
 * the right kind, and keeps the first complaint.
 */
#ifndef PWRCTL_TOOL_JSON_H
#define PWRCTL_TOOL_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct pwrctl_json - a place to look in, and what was wrong there
 * @object: the JSON object
 * @bad: something was wrong
 * @reason: what, the first time
 */
struct pwrctl_json {
	struct json_object *object;
	bool bad;
	char reason[256];
};

struct json_object *pwrctl_json_parse(struct json_tokener *tokener, const char *text,
				      size_t length, char *reason, size_t size);
void pwrctl_json_blame(struct pwrctl_json *json, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
uint64_t pwrctl_json_number(struct pwrctl_json *json, const char *name, uint64_t least,
			    uint64_t most);
uint64_t pwrctl_json_number_or_null(struct pwrctl_json *json, const char *name, uint64_t most);
bool pwrctl_json_has(const struct pwrctl_json *json, const char *name);
bool pwrctl_json_enter(struct pwrctl_json *json, const char *name, struct pwrctl_json *inner);
double pwrctl_json_real(struct pwrctl_json *json, const char *name);
const char *pwrctl_json_string(struct pwrctl_json *json, const char *name);
struct json_object *pwrctl_json_list(struct pwrctl_json *json, const char *name, size_t most);
void pwrctl_json_line(FILE *stream, struct json_object *object);
void pwrctl_json_add_real(struct json_object *object, const char *name, double value);

#endif
