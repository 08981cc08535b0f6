/* SPDX-License-Identifier: GPL-2.0-only */
/* Every word and number that people type is read here. */
#ifndef PWRCTL_TOOL_PARSE_H
#define PWRCTL_TOOL_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "model.h"

int pwrctl_parse_number(const char *text, const char *unit, uint32_t *number);
int pwrctl_parse_word(const char *text, const struct pwrctl_word *words, uint32_t *number);
int pwrctl_parse_causes(const char *text, uint32_t *set);
int pwrctl_parse_value(const char *text, const struct pwrctl_setting *setting, uint32_t *value);
bool pwrctl_parse_is_domain(const char *text);

#endif
