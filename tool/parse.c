// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "parse.h"

/*
 * Twelve significant digits times the largest factor stay below 2^64, so that every product here
 * is exact: no floating point decides whether 0.25s is 250 ms.
 */
#define DIGITS_MAX	12

/* One unit of measure: a value in it, times up, over down, is a value in the base unit. */
struct unit {
	const char *base;
	const char *name;
	uint32_t up;
	uint32_t down;
};

static const struct unit units[] = {
	{ "ms", "us", 1, 1000 },
	{ "ms", "ms", 1, 1 },
	{ "ms", "s", 1000, 1 },
	{ "ms", "min", 60000, 1 },
	{ "ms", "h", 3600000, 1 },
	{ "kHz", "Hz", 1, 1000 },
	{ "kHz", "kHz", 1, 1 },
	{ "kHz", "MHz", 1000, 1 },
	{ "kHz", "GHz", 1000000, 1 },
};

static const struct unit *find_unit(const char *base, const char *name)
{
	static const struct unit plain = { "", "", 1, 1 };
	size_t i;

	if (!*name)
		return &plain;
	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(units[i].base, base) && !strcmp(units[i].name, name))
			return &units[i];
	return NULL;
}

/* Reads "12.50": digits 1250, scale 100. Returns where the number ends, or NULL. */
static const char *read_decimal(const char *text, uint64_t *digits, uint64_t *scale)
{
	unsigned int significant = 0;
	bool fraction = false;

	*digits = 0;
	*scale = 1;
	if (!isdigit((unsigned char)*text))
		return NULL;
	for (;; text++) {
		if (*text == '.' && !fraction && isdigit((unsigned char)text[1])) {
			fraction = true;
			continue;
		}
		if (!isdigit((unsigned char)*text))
			return text;
		if (*digits || *text != '0' || fraction)
			significant++;
		if (significant > DIGITS_MAX)
			return NULL;
		*digits = *digits * 10 + (uint64_t)(*text - '0');
		if (fraction)
			*scale *= 10;
	}
}

/**
 * pwrctl_parse_number - read a number with or without a unit
 * @text: "250", "250ms", "0.25s", "1.2GHz"
 * @unit: the base unit, "ms", "kHz" or ""; a bare number counts it
 * @number: the value in the base unit
 *
 * Return: 0; -EINVAL for what is no number in such a unit; -ERANGE for one that is too large for
 * 32 bits or no whole number of the base unit.
 */
int pwrctl_parse_number(const char *text, const char *unit, uint32_t *number)
{
	const struct unit *found;
	uint64_t digits, scale, value;
	const char *end;

	end = read_decimal(text, &digits, &scale);
	if (!end) {
		/* All digits but too many of them is a matter of range. */
		return *text && strspn(text, "0123456789") == strlen(text) ? -ERANGE : -EINVAL;
	}
	found = find_unit(unit, end);
	if (!found)
		return -EINVAL;
	value = digits * found->up;
	if (value % (scale * found->down))
		return -ERANGE;
	value /= scale * found->down;
	if (value > UINT32_MAX)
		return -ERANGE;
	*number = (uint32_t)value;
	return 0;
}

/**
 * pwrctl_parse_word - read one exact word
 * @text: the word
 * @words: what is allowed
 * @number: what it stands for
 *
 * Return: 0 or -EINVAL.
 */
int pwrctl_parse_word(const char *text, const struct pwrctl_word *words, uint32_t *number)
{
	for (; words->word; words++) {
		if (!strcmp(words->word, text)) {
			*number = words->number;
			return 0;
		}
	}
	return -EINVAL;
}

/**
 * pwrctl_parse_causes - read a list of causes
 * @text: words with commas between, or "none"
 * @set: of 1 << enum pwrctl_cause
 *
 * Return: 0 or -EINVAL.
 */
int pwrctl_parse_causes(const char *text, uint32_t *set)
{
	uint32_t result = 0, number;
	char word[16];
	size_t length;

	if (!strcmp(text, pwrctl_model_word(pwrctl_model_causes, PWRCTL_CAUSE_NONE))) {
		*set = 0;
		return 0;
	}
	for (;; text += length + 1) {
		length = strcspn(text, ",");
		if (!length || length >= sizeof(word))
			return -EINVAL;
		memcpy(word, text, length);
		word[length] = '\0';
		if (pwrctl_parse_word(word, pwrctl_model_causes, &number) || !number)
			return -EINVAL;
		result |= 1u << number;
		if (!text[length])
			break;
	}
	*set = result;
	return 0;
}

/**
 * pwrctl_parse_value - read a value for a setting
 * @text: as typed
 * @setting: the key
 * @value: as the module takes it; its range is the module's to judge
 *
 * Return: 0, -EINVAL or -ERANGE.
 */
int pwrctl_parse_value(const char *text, const struct pwrctl_setting *setting, uint32_t *value)
{
	switch (setting->kind) {
	case PWRCTL_KIND_NUMBER:
		return pwrctl_parse_number(text, setting->unit, value);
	case PWRCTL_KIND_CAUSES:
		return pwrctl_parse_causes(text, value);
	default:
		return pwrctl_parse_word(text, pwrctl_model_words_of(setting->kind), value);
	}
}

/**
 * pwrctl_parse_is_domain - does this look like the name of a domain?
 * @text: "policy" and a number, and it may be
 *
 * Return: whether it does; whether there is such a domain the module knows.
 */
bool pwrctl_parse_is_domain(const char *text)
{
	size_t digits;

	if (strncmp(text, "policy", 6))
		return false;
	digits = strspn(text + 6, "0123456789");
	return digits && !text[6 + digits] && strlen(text) < PWRCTL_NAME_LEN;
}
