// SPDX-License-Identifier: GPL-2.0-only
/* The tables of settings and words, taken from the module's own headers. */
#include <stdio.h>
#include <string.h>

#include "model.h"

#define PWRCTL_SETTING(id, name, kind, least, most, preset, unit, scope, refusal, help)	\
	{ PWRCTL_A_SET_##id, #name, PWRCTL_KIND_##kind, least, most, preset, unit,	\
	  PWRCTL_SCOPE_##scope, refusal, help },

const struct pwrctl_setting pwrctl_model_settings[] = {
#include "../module/settings_table.h"
};

#undef PWRCTL_SETTING

const unsigned int pwrctl_model_settings_count = ARRAY_SIZE(pwrctl_model_settings);

#define PWRCTL_WORD(number, word) { number, word },
#define PWRCTL_WORDS_MODE

const struct pwrctl_word pwrctl_model_modes[] = {
#include "../module/words.h"
	{ 0, NULL }
};

#undef PWRCTL_WORDS_MODE

#define PWRCTL_WORDS_OUTLET

const struct pwrctl_word pwrctl_model_outlets[] = {
#include "../module/words.h"
	{ 0, NULL }
};

#undef PWRCTL_WORDS_OUTLET

#define PWRCTL_WORDS_CAUSE

const struct pwrctl_word pwrctl_model_causes[] = {
#include "../module/words.h"
	{ 0, NULL }
};

#undef PWRCTL_WORDS_CAUSE

#define PWRCTL_WORDS_DOOR
const struct pwrctl_word pwrctl_model_doors[] = {
#include "../module/words.h"
	{ 0, NULL }
};
#undef PWRCTL_WORDS_DOOR

#define PWRCTL_WORDS_ORIGIN

const struct pwrctl_word pwrctl_model_origins[] = {
#include "../module/words.h"
	{ 0, NULL }
};

#undef PWRCTL_WORDS_ORIGIN

/**
 * pwrctl_model_setting - find a setting by its key
 * @name: the exact key
 *
 * Return: its row, or NULL.
 */
const struct pwrctl_setting *pwrctl_model_setting(const char *name)
{
	unsigned int i;

	for (i = 0; i < pwrctl_model_settings_count; i++)
		if (!strcmp(pwrctl_model_settings[i].name, name))
			return &pwrctl_model_settings[i];
	return NULL;
}

/**
 * pwrctl_model_setting_by_id - find a setting by its attribute
 * @id: PWRCTL_A_SET_*
 *
 * Return: its row, or NULL.
 */
const struct pwrctl_setting *pwrctl_model_setting_by_id(uint32_t id)
{
	unsigned int i;

	for (i = 0; i < pwrctl_model_settings_count; i++)
		if (pwrctl_model_settings[i].id == id)
			return &pwrctl_model_settings[i];
	return NULL;
}

/**
 * pwrctl_model_word - the word for a number
 * @words: table
 * @number: to look up
 *
 * Return: the word; "unknown" for a number this program does not know.
 */
const char *pwrctl_model_word(const struct pwrctl_word *words, uint32_t number)
{
	for (; words->word; words++)
		if (words->number == number)
			return words->word;
	return "unknown";
}

/**
 * pwrctl_model_words_of - the words a kind of value is made of
 * @kind: of a setting
 *
 * Return: a table, or NULL for numbers.
 */
const struct pwrctl_word *pwrctl_model_words_of(enum pwrctl_kind kind)
{
	switch (kind) {
	case PWRCTL_KIND_MODE:
		return pwrctl_model_modes;
	case PWRCTL_KIND_OUTLET:
		return pwrctl_model_outlets;
	case PWRCTL_KIND_CAUSES:
		return pwrctl_model_causes;
	case PWRCTL_KIND_NUMBER:
		break;
	}
	return NULL;
}

/**
 * pwrctl_model_causes_text - a set of causes as a list
 * @set: of 1 << enum pwrctl_cause
 * @text: where to write
 * @size: of @text, 64 suffices
 *
 * Return: @text: words with commas between, "none" for the empty set.
 */
const char *pwrctl_model_causes_text(uint32_t set, char *text, size_t size)
{
	const struct pwrctl_word *word;
	size_t used = 0;

	snprintf(text, size, "none");
	for (word = pwrctl_model_causes; word->word; word++) {
		if (!word->number || !(set & (1u << word->number)) || used >= size)
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "",
					 word->word);
	}
	return text;
}

/**
 * pwrctl_model_value_text - a setting's value as it can be given to set
 * @setting: the key
 * @value: as the module has it
 * @text: where to write
 * @size: of @text
 *
 * Return: @text.
 */
const char *pwrctl_model_value_text(const struct pwrctl_setting *setting, uint32_t value,
				    char *text, size_t size)
{
	switch (setting->kind) {
	case PWRCTL_KIND_CAUSES:
		return pwrctl_model_causes_text(value, text, size);
	case PWRCTL_KIND_NUMBER:
		snprintf(text, size, "%u", value);
		return text;
	default:
		snprintf(text, size, "%s",
			 pwrctl_model_word(pwrctl_model_words_of(setting->kind), value));
		return text;
	}
}
