// SPDX-License-Identifier: GPL-2.0-only
/*
 * libFuzzer on everything that people type: numbers with units, words, sets of causes, values of
 * every setting.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was understood is shown as something that is understood alike. */
static void there_and_back(const char *text, const struct pwrctl_setting *setting)
{
	uint32_t value, again;
	char shown[128];

	if (pwrctl_parse_value(text, setting, &value))
		return;
	pwrctl_model_value_text(setting, value, shown, sizeof(shown));
	if (pwrctl_parse_value(shown, setting, &again) || again != value)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const units[] = { "ms", "kHz", "" };
	uint32_t value;
	char *text;
	size_t i;

	/* of its exact size, so that a read behind the end is seen */
	text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';

	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		pwrctl_parse_number(text, units[i], &value);
	pwrctl_parse_causes(text, &value);
	pwrctl_parse_is_domain(text);
	for (i = 0; i < pwrctl_model_settings_count; i++)
		there_and_back(text, &pwrctl_model_settings[i]);
	free(text);
	return 0;
}
