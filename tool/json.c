// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "json.h"

/**
 * pwrctl_json_parse - one JSON object
 * @tokener: from json_tokener_new_ex()
 * @text: exactly the object
 * @length: of @text
 * @reason: what is wrong, when something is
 * @size: of @reason
 *
 * Return: an object to be put with json_object_put(), or NULL.
 */
struct json_object *pwrctl_json_parse(struct json_tokener *tokener, const char *text,
				      size_t length, char *reason, size_t size)
{
	struct json_object *object;
	enum json_tokener_error error;

	json_tokener_reset(tokener);
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	/* The final 0 tells it that there is no more to come. */
	object = json_tokener_parse_ex(tokener, text, (int)length + 1);
	error = json_tokener_get_error(tokener);
	if (error != json_tokener_success) {
		snprintf(reason, size, "no JSON: %s at byte %zu", json_tokener_error_desc(error),
			 json_tokener_get_parse_end(tokener) + 1);
	} else if (json_tokener_get_parse_end(tokener) < length) {
		snprintf(reason, size, "something follows the JSON object");
	} else if (!json_object_is_type(object, json_type_object)) {
		snprintf(reason, size, "no JSON object");
	} else {
		return object;
	}
	json_object_put(object);
	return NULL;
}

/**
 * pwrctl_json_blame - something is wrong
 * @json: where
 * @format: what; only the first complaint is kept
 */
void pwrctl_json_blame(struct pwrctl_json *json, const char *format, ...)
{
	va_list arguments;

	if (json->bad)
		return;
	json->bad = true;
	va_start(arguments, format);
	vsnprintf(json->reason, sizeof(json->reason), format, arguments);
	va_end(arguments);
}

static bool take(struct pwrctl_json *json, const char *name, struct json_object **member)
{
	if (json_object_object_get_ex(json->object, name, member))
		return true;
	pwrctl_json_blame(json, "%s is missing", name);
	return false;
}

static uint64_t number(struct pwrctl_json *json, const char *name, struct json_object *member,
		       uint64_t least, uint64_t most)
{
	uint64_t value;

	if (!json_object_is_type(member, json_type_int)) {
		pwrctl_json_blame(json, "%s is no whole number", name);
		return least;
	}
	value = json_object_get_uint64(member);
	/* json-c makes 0 of what is negative and the largest number of what is too large. */
	if (value < least || value > most || json_object_get_int64(member) < 0) {
		pwrctl_json_blame(json, "%s must be %" PRIu64 " to %" PRIu64, name, least, most);
		return least;
	}
	return value;
}

/**
 * pwrctl_json_number - a whole number
 * @json: where to look
 * @name: of the member
 * @least: smallest legal value
 * @most: largest legal value, below 2^63
 *
 * Return: the number, or @least with a complaint.
 */
uint64_t pwrctl_json_number(struct pwrctl_json *json, const char *name, uint64_t least,
			    uint64_t most)
{
	struct json_object *member;

	return take(json, name, &member) ? number(json, name, member, least, most) : least;
}

/**
 * pwrctl_json_number_or_null - a whole number that may not be there
 * @json: where to look
 * @name: of the member, which itself must be there
 * @most: largest legal value
 *
 * Return: the number, 0 for null or with a complaint.
 */
uint64_t pwrctl_json_number_or_null(struct pwrctl_json *json, const char *name, uint64_t most)
{
	struct json_object *member;

	if (!take(json, name, &member) || !member)
		return 0;
	return number(json, name, member, 0, most);
}

/**
 * pwrctl_json_has - is there such a member?
 * @json: where to look
 * @name: of the member
 *
 * Return: whether there is; without a complaint.
 */
bool pwrctl_json_has(const struct pwrctl_json *json, const char *name)
{
	return json_object_object_get_ex(json->object, name, NULL);
}

/**
 * pwrctl_json_enter - an object inside an object
 * @json: where to look
 * @name: of the member, which must be there
 * @inner: to look in; complaints there are to be passed on to @json
 *
 * Return: whether it is an object; else with a complaint.
 */
bool pwrctl_json_enter(struct pwrctl_json *json, const char *name, struct pwrctl_json *inner)
{
	memset(inner, 0, sizeof(*inner));
	if (!take(json, name, &inner->object))
		return false;
	if (json_object_is_type(inner->object, json_type_object))
		return true;
	pwrctl_json_blame(json, "%s is no object", name);
	return false;
}

/**
 * pwrctl_json_real - a number that may have a fraction
 * @json: where to look
 * @name: of the member
 *
 * Return: the number; NAN for null, or with a complaint.
 */
double pwrctl_json_real(struct pwrctl_json *json, const char *name)
{
	struct json_object *member;

	if (!take(json, name, &member) || !member)
		return NAN;
	if (!json_object_is_type(member, json_type_double) &&
	    !json_object_is_type(member, json_type_int))
		pwrctl_json_blame(json, "%s is no number", name);
	else if (!isfinite(json_object_get_double(member)))
		pwrctl_json_blame(json, "%s is not finite", name);
	else
		return json_object_get_double(member);
	return NAN;
}

/**
 * pwrctl_json_string - a string
 * @json: where to look
 * @name: of the member
 *
 * Return: the string, which lives as long as the object; "" with a complaint.
 */
const char *pwrctl_json_string(struct pwrctl_json *json, const char *name)
{
	struct json_object *member;

	if (!take(json, name, &member))
		return "";
	if (json_object_is_type(member, json_type_string))
		return json_object_get_string(member);
	pwrctl_json_blame(json, "%s is no string", name);
	return "";
}

/**
 * pwrctl_json_list - a list
 * @json: where to look
 * @name: of the member
 * @most: legal number of elements
 *
 * Return: the list, or NULL with a complaint.
 */
struct json_object *pwrctl_json_list(struct pwrctl_json *json, const char *name, size_t most)
{
	struct json_object *member;

	if (!take(json, name, &member))
		return NULL;
	if (!json_object_is_type(member, json_type_array))
		pwrctl_json_blame(json, "%s is no list", name);
	else if (json_object_array_length(member) > most)
		pwrctl_json_blame(json, "%s has more than %zu elements", name, most);
	else
		return member;
	return NULL;
}

/**
 * pwrctl_json_line - write an object as one line, and let go of it
 * @stream: where to
 * @object: put
 */
void pwrctl_json_line(FILE *stream, struct json_object *object)
{
	fputs(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
					     JSON_C_TO_STRING_NOSLASHESCAPE), stream);
	putc('\n', stream);
	json_object_put(object);
}

/**
 * pwrctl_json_add_real - add a number
 * @object: where to
 * @name: of the member
 * @value: NAN becomes null, for JSON has no such number
 */
void pwrctl_json_add_real(struct json_object *object, const char *name, double value)
{
	char text[32];

	if (!isfinite(value)) {
		json_object_object_add(object, name, NULL);
		return;
	}
	snprintf(text, sizeof(text), "%.9g", value);
	json_object_object_add(object, name, json_object_new_double_s(value, text));
}
