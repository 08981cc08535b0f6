// SPDX-License-Identifier: GPL-2.0-only
/* What people type, and what a terminal may be sent. Prints TAP. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "out.h"
#include "parse.h"

static unsigned int tests, failures;

__attribute__((format(printf, 2, 3)))
static void ok(bool good, const char *format, ...)
{
	va_list arguments;

	printf("%sok %u ", good ? "" : "not ", ++tests);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
	failures += !good;
}

struct number {
	const char *text;
	const char *unit;
	int error;
	uint32_t value;
};

static const struct number numbers[] = {
	{ "0", "ms", 0, 0 },
	{ "250", "ms", 0, 250 },
	{ "00250", "ms", 0, 250 },
	{ "250ms", "ms", 0, 250 },
	{ "0.25s", "ms", 0, 250 },
	{ "1.5min", "ms", 0, 90000 },
	{ "1h", "ms", 0, 3600000 },
	{ "1000us", "ms", 0, 1 },
	{ "1.0", "ms", 0, 1 },
	{ "1us", "ms", -ERANGE, 0 },
	{ "0.5", "ms", -ERANGE, 0 },
	{ "1.2GHz", "kHz", 0, 1200000 },
	{ "1.234567GHz", "kHz", 0, 1234567 },
	{ "1.2345678GHz", "kHz", -ERANGE, 0 },
	{ "1800MHz", "kHz", 0, 1800000 },
	{ "1200000000Hz", "kHz", 0, 1200000 },
	{ "1200000", "kHz", 0, 1200000 },
	{ "4294967295", "", 0, 4294967295u },
	{ "4294967296", "", -ERANGE, 0 },
	{ "5000GHz", "kHz", -ERANGE, 0 },
	{ "999999999999h", "ms", -ERANGE, 0 },
	{ "99999999999999999999999", "", -ERANGE, 0 },
	{ "", "ms", -EINVAL, 0 },
	{ "ms", "ms", -EINVAL, 0 },
	{ "-1", "ms", -EINVAL, 0 },
	{ "+1", "ms", -EINVAL, 0 },
	{ " 1", "ms", -EINVAL, 0 },
	{ "1 ms", "ms", -EINVAL, 0 },
	{ "1.", "ms", -EINVAL, 0 },
	{ ".5s", "ms", -EINVAL, 0 },
	{ "1.2.3s", "ms", -EINVAL, 0 },
	{ "0x10", "ms", -EINVAL, 0 },
	{ "1e3", "ms", -EINVAL, 0 },
	{ "250MS", "ms", -EINVAL, 0 },
	{ "1ghz", "kHz", -EINVAL, 0 },
	{ "1GHz", "ms", -EINVAL, 0 },
	{ "1s", "kHz", -EINVAL, 0 },
	{ "1ms", "", -EINVAL, 0 },
};

static void test_numbers(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		const struct number *number = &numbers[i];
		uint32_t value = 0;
		int error = pwrctl_parse_number(number->text, number->unit, &value);

		ok(error == number->error && value == number->value,
		   "'%s' in '%s' is %u, error %d (got %u, %d)", number->text, number->unit,
		   number->value, number->error, value, error);
	}
}

struct causes {
	const char *text;
	int error;
	uint32_t set;
};

static const struct causes causes[] = {
	{ "none", 0, 0 },
	{ "thermal", 0, 0x02 },
	{ "thermal,hw,other,injected", 0, 0x66 },
	{ "injected,thermal,thermal", 0, 0x42 },
	{ "", -EINVAL, 0 },
	{ ",", -EINVAL, 0 },
	{ "thermal,", -EINVAL, 0 },
	{ ",thermal", -EINVAL, 0 },
	{ "thermal,none", -EINVAL, 0 },
	{ "Thermal", -EINVAL, 0 },
	{ "therm", -EINVAL, 0 },
	{ "thermal hw", -EINVAL, 0 },
	{ "thermalthermalthermalthermal", -EINVAL, 0 },
};

static void test_causes(void)
{
	char text[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(causes); i++) {
		uint32_t set = 0;
		int error = pwrctl_parse_causes(causes[i].text, &set);

		ok(error == causes[i].error && set == causes[i].set,
		   "causes '%s' are %#x, error %d", causes[i].text, causes[i].set, causes[i].error);
	}
	ok(!strcmp(pwrctl_model_causes_text(0x66, text, sizeof(text)), "thermal,hw,other,injected"),
	   "a set of causes is told as it is typed");
	ok(!strcmp(pwrctl_model_causes_text(0, text, sizeof(text)), "none"),
	   "the empty set is none");
}

/* What get prints, set takes: for every key and its default, least and most. */
static void test_round_trip(void)
{
	char text[128];
	unsigned int i, j;

	for (i = 0; i < pwrctl_model_settings_count; i++) {
		const struct pwrctl_setting *setting = &pwrctl_model_settings[i];
		uint32_t values[3] = { setting->preset, setting->least, setting->most }, value = 0;
		bool good = true;

		for (j = 0; j < 3; j++) {
			pwrctl_model_value_text(setting, values[j], text, sizeof(text));
			if (pwrctl_parse_value(text, setting, &value) || value != values[j])
				good = false;
		}
		ok(good, "%s reads back as it was printed", setting->name);
		ok(strstr(setting->refusal, setting->name) == setting->refusal,
		   "the refusal of %s begins with its name", setting->name);
	}
}

static void test_domains(void)
{
	static const char *const good[] = { "policy0", "policy4", "policy4294967295" };
	static const char *const bad[] = { "", "policy", "policy-1", "policy0x", "Policy0", "cpu0",
					   "policy00000000000000000000000", "policy 0" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++)
		ok(pwrctl_parse_is_domain(good[i]), "'%s' may be a domain", good[i]);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		ok(!pwrctl_parse_is_domain(bad[i]), "'%s' is no domain", bad[i]);
}

static void test_clean(void)
{
	static const char *const pairs[][2] = {
		{ "plain", "plain" },
		{ "\033[31mred", "\\x1b[31mred" },
		{ "a\nb\r\a", "a\\x0ab\\x0d\\x07" },
		{ "\x7f", "\\x7f" },
		{ "\xc3\xbc", "\xc3\xbc" },
		{ "\xc2\x9b[31m", "\\xc2\\x9b[31m" },
		{ "\xff\xfe", "\\xff\\xfe" },
		{ "\xc0\xaf", "\\xc0\\xaf" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
		{ "\xe2\x80\xae", "\\xe2\\x80\\xae" },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
		{ "\xe2\x82", "\\xe2\\x82" },
	};
	char text[64], tiny[8];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pairs); i++)
		ok(!strcmp(pwrctl_out_clean(pairs[i][0], text, sizeof(text)), pairs[i][1]),
		   "hostile string %zu is told as %s", i, pairs[i][1]);
	ok(!strcmp(pwrctl_out_clean("\033\033\033", tiny, sizeof(tiny)), "\\x1b"),
	   "what does not fit is cut between characters");
}

static void test_units(void)
{
	char text[64];

	ok(!strcmp(pwrctl_out_unit(PWRCTL_UNIT_KHZ, 1200000, text, sizeof(text)), "1.2 GHz"),
	   "1200000 kHz reads 1.2 GHz");
	ok(!strcmp(pwrctl_out_unit(PWRCTL_UNIT_KHZ, 800000, text, sizeof(text)), "800 MHz"),
	   "800000 kHz reads 800 MHz");
	ok(!strcmp(pwrctl_out_unit(PWRCTL_UNIT_KHZ, 1, text, sizeof(text)), "1 kHz"),
	   "1 kHz reads 1 kHz");
	ok(!strcmp(pwrctl_out_unit(PWRCTL_UNIT_NS, 1500000000, text, sizeof(text)), "1.500 s"),
	   "1500000000 ns read 1.500 s");
	ok(!strcmp(pwrctl_out_unit(PWRCTL_UNIT_NS, 125000000000, text, sizeof(text)), "2 min 5 s"),
	   "125 s read 2 min 5 s");
}

int main(void)
{
	unsigned int planned = ARRAY_SIZE(numbers) +
			       ARRAY_SIZE(causes) + 2 +
			       2 * pwrctl_model_settings_count + 11 + 13 + 5;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..%u\n", planned);
	test_numbers();
	test_causes();
	test_round_trip();
	test_domains();
	test_clean();
	test_units();
	return failures || tests != planned;
}
