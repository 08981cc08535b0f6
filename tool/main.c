// SPDX-License-Identifier: GPL-2.0-only
/* Finds the verb, its options and operands, and the help. */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../module/version.h"
#include "client.h"
#include "out.h"
#include "tool.h"

#define PWRCTL_VERB(name) { &pwrctl_verb_##name },

static const struct {
	const struct pwrctl_verb *verb;
} verbs[] = {
#include "verbs.h"
};

#undef PWRCTL_VERB
#define VERB_COUNT ARRAY_SIZE(verbs)

static void print_keys(FILE *file)
{
	char preset[64];
	unsigned int i;

	fputs("\nKeys (a bare number is in the key's own unit; 250ms, 0.25s, 1.2GHz also work):\n",
	      file);
	for (i = 0; i < pwrctl_model_settings_count; i++) {
		const struct pwrctl_setting *setting = &pwrctl_model_settings[i];
		static const char *const scopes[] = { "global", "domain", "global, domain" };

		pwrctl_model_value_text(setting, setting->preset, preset, sizeof(preset));
		fprintf(file, "  %-14s %s\n  %-14s default %s%s%s; %s\n", setting->name,
			setting->help, "", preset, *setting->unit ? " " : "", setting->unit,
			scopes[setting->scope]);
	}
}

static void print_synopsis(FILE *file, const struct pwrctl_verb *verb, const char *indent)
{
	const char *line = verb->synopsis;
	size_t length;

	do {
		length = strcspn(line, "\n");
		fprintf(file, "%spwrctl %s%s%.*s\n", indent, verb->name, length ? " " : "",
			(int)length, line);
		line += length;
	} while (*line++ == '\n');
}

static void print_help(FILE *file)
{
	size_t i;

	fputs("pwrctl shows and tunes how frequency caps become averaged pressure.\n\nUsage:\n",
	      file);
	for (i = 0; i < VERB_COUNT; i++)
		print_synopsis(file, verbs[i].verb, "  ");
	fputs("\nVerbs:\n", file);
	for (i = 0; i < VERB_COUNT; i++)
		fprintf(file, "  %-10s %s\n", verbs[i].verb->name, verbs[i].verb->summary);
	fputs("\nOptions, anywhere before --:\n"
	      "  -j         JSON (--json)\n"
	      "  -h         help, for a verb when there is one (--help)\n"
	      "  --version  version of this program\n"
	      "\nExit status: 0 done, 1 failed, 2 not understood, 3 module not loaded or of another\n"
	      "version, 4 partly done; verbs that run a command return its status, or 125.\n",
	      file);
}

static void print_verb_help(FILE *file, const struct pwrctl_verb *verb)
{
	fputs("Usage:\n", file);
	print_synopsis(file, verb, "  ");
	fprintf(file, "\n%s", verb->help);
	if (verb->keys)
		print_keys(file);
}

/**
 * pwrctl_main_usage - tell that a call was not understood
 * @run: the call
 * @format: what was not understood
 *
 * Return: PWRCTL_EXIT_USAGE.
 */
int pwrctl_main_usage(const struct pwrctl_run *run, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (run->verb)
		pwrctl_out_error("%s: %s; pwrctl %s -h tells more", run->verb->name, text,
				 run->verb->name);
	else
		pwrctl_out_error("%s; pwrctl -h tells more", text);
	return PWRCTL_EXIT_USAGE;
}

static int status_of(const struct pwrctl_fault *fault)
{
	return fault->kind == PWRCTL_FAULT_ABSENT || fault->kind == PWRCTL_FAULT_VERSION ?
	       PWRCTL_EXIT_MODULE : PWRCTL_EXIT_FAILED;
}

/**
 * pwrctl_main_fail - tell what the last call to the module met
 * @client: of that call
 *
 * Return: the exit status that fits.
 */
int pwrctl_main_fail(struct pwrctl_client *client)
{
	const struct pwrctl_fault *fault = pwrctl_client_fault(client);

	pwrctl_out_error("%s", fault->text);
	return status_of(fault);
}

/**
 * pwrctl_main_connect - begin a conversation with the module, or tell why there is none
 * @status: the exit status, when there is none
 *
 * Return: a client or NULL.
 */
struct pwrctl_client *pwrctl_main_connect(int *status)
{
	struct pwrctl_fault fault;
	struct pwrctl_client *client = pwrctl_client_open(&fault);

	if (!client) {
		pwrctl_out_error("%s", fault.text);
		*status = status_of(&fault);
	}
	return client;
}

/**
 * pwrctl_main_option - was an option given?
 * @run: the call
 * @name: "t" or "root"
 *
 * Return: the last one of that name, or NULL.
 */
const struct pwrctl_option *pwrctl_main_option(const struct pwrctl_run *run, const char *name)
{
	int i;

	for (i = run->n_options - 1; i >= 0; i--)
		if (!strcmp(run->options[i].name, name))
			return &run->options[i];
	return NULL;
}

static const struct pwrctl_verb *find_verb(const char *name)
{
	size_t i;

	for (i = 0; i < VERB_COUNT; i++)
		if (!strcmp(verbs[i].verb->name, name))
			return verbs[i].verb;
	return NULL;
}

static void print_options(const struct pwrctl_verb *verb)
{
	const char *const *option;

	puts("-j\n-h");
	for (option = verb ? verb->options : NULL; option && *option; option++) {
		size_t length = strcspn(*option, "=");

		printf("%s%.*s\n", length == 1 ? "-" : "--", (int)length, *option);
	}
}

/* Hidden: what completion and the check of the manual ask. */
static int print_list(const char *what)
{
	const struct pwrctl_word *words = NULL;
	size_t i;

	if (!strncmp(what, "options-", 8)) {
		print_options(find_verb(what + 8));
	} else if (!strcmp(what, "verbs")) {
		for (i = 0; i < VERB_COUNT; i++)
			puts(verbs[i].verb->name);
	} else if (!strcmp(what, "keys") || !strcmp(what, "domain-keys")) {
		for (i = 0; i < pwrctl_model_settings_count; i++)
			if (*what == 'k' ||
			    pwrctl_model_settings[i].scope != PWRCTL_SCOPE_GLOBAL)
				puts(pwrctl_model_settings[i].name);
	} else if (pwrctl_model_setting(what)) {
		words = pwrctl_model_words_of(pwrctl_model_setting(what)->kind);
	} else {
		return PWRCTL_EXIT_USAGE;
	}
	for (; words && words->word; words++)
		puts(words->word);
	return PWRCTL_EXIT_OK;
}

/* The declared name that fits @given, or NULL; *takes_value tells of a "=". */
static const char *find_option(const struct pwrctl_verb *verb, const char *given, size_t length,
			       bool *takes_value)
{
	const char *const *option;

	for (option = verb ? verb->options : NULL; option && *option; option++) {
		size_t name = strcspn(*option, "=");

		if (name == length && !strncmp(*option, given, length)) {
			*takes_value = (*option)[name] == '=';
			return *option;
		}
	}
	return NULL;
}

static int add_option(struct pwrctl_run *run, const char *name, const char *value)
{
	static char names[PWRCTL_OPTIONS_MAX][32];
	struct pwrctl_option *option;

	if (run->n_options == PWRCTL_OPTIONS_MAX)
		return pwrctl_main_usage(run, "too many options");
	option = &run->options[run->n_options];
	snprintf(names[run->n_options], sizeof(names[0]), "%.*s", (int)strcspn(name, "="), name);
	option->name = names[run->n_options++];
	option->value = value;
	return 0;
}

struct globals {
	bool help;
	bool version;
	const char *list;
};

/* One argument that begins with "--"; *next is the one behind it, taken when needed. */
static int long_option(struct pwrctl_run *run, struct globals *globals, const char *argument,
		       char ***next)
{
	const char *text = argument + 2, *name;
	size_t length = strcspn(text, "=");
	bool takes_value = false;

	if (!strcmp(text, "json")) {
		run->json = true;
	} else if (!strcmp(text, "help")) {
		globals->help = true;
	} else if (!strcmp(text, "version")) {
		globals->version = true;
	} else if (!strcmp(text, "list") && **next) {
		globals->list = *(*next)++;
	} else {
		name = length > 1 ? find_option(run->verb, text, length, &takes_value) : NULL;
		if (!name || (text[length] && !takes_value))
			return pwrctl_main_usage(run, "unknown option %s", argument);
		if (!takes_value)
			return add_option(run, name, NULL);
		if (text[length])
			return add_option(run, name, text + length + 1);
		if (!**next)
			return pwrctl_main_usage(run, "option %s needs an argument", argument);
		return add_option(run, name, *(*next)++);
	}
	return 0;
}

/* One argument of letters behind a "-": -j, -jt, -oFILE, -o FILE. */
static int short_options(struct pwrctl_run *run, struct globals *globals, const char *argument,
			 char ***next)
{
	const char *letter, *name;
	bool takes_value;
	int status;

	for (letter = argument + 1; *letter; letter++) {
		takes_value = false;
		if (*letter == 'j') {
			run->json = true;
			continue;
		}
		if (*letter == 'h') {
			globals->help = true;
			continue;
		}
		name = find_option(run->verb, letter, 1, &takes_value);
		if (!name)
			return pwrctl_main_usage(run, "unknown option -%c", *letter);
		if (takes_value && !letter[1] && !**next)
			return pwrctl_main_usage(run, "option -%c needs an argument", *letter);
		if (takes_value)
			return add_option(run, name, letter[1] ? letter + 1 : *(*next)++);
		status = add_option(run, name, NULL);
		if (status)
			return status;
	}
	return 0;
}

/* Sorts the arguments into options, operands and a command; operands move to the front. */
static int sort_arguments(struct pwrctl_run *run, struct globals *globals, char **arguments)
{
	char **next = arguments, **operand = arguments;
	int status = 0;

	run->argv = arguments;
	while (*next && !status) {
		char *argument = *next++;

		if (!strcmp(argument, "--")) {
			run->command = next;
			break;
		}
		if (!strncmp(argument, "--", 2))
			status = long_option(run, globals, argument, &next);
		else if (argument[0] == '-' && argument[1] && !strchr("0123456789.", argument[1]))
			status = short_options(run, globals, argument, &next);
		else
			*operand++ = argument;
	}
	run->argc = (int)(operand - arguments);
	/* The terminator may overwrite "--", never the command behind it. */
	*operand = NULL;
	return status;
}

/* The verb is the first argument that is no option; it is taken out of @arguments. */
static const char *take_verb(char **arguments)
{
	char **argument, *verb;

	for (argument = arguments; *argument; argument++) {
		if (!strcmp(*argument, "--"))
			return NULL;
		if (!strcmp(*argument, "--list") && argument[1]) {
			argument++;
			continue;
		}
		if (**argument == '-' && (*argument)[1])
			continue;
		verb = *argument;
		do {
			argument[0] = argument[1];
		} while (*argument++);
		return verb;
	}
	return NULL;
}

static int run_verb(struct pwrctl_run *run)
{
	if (run->command && !run->verb->takes_command)
		return pwrctl_main_usage(run, "takes no command behind --");
	return run->verb->run(run);
}

static int dispatch(char **arguments)
{
	struct pwrctl_run run = { 0 };
	struct globals globals = { 0 };
	const char *name = take_verb(arguments);
	int status;

	if (name) {
		run.verb = find_verb(name);
		if (!run.verb)
			return pwrctl_main_usage(&run, "there is no verb %s", name);
	}
	status = sort_arguments(&run, &globals, arguments);
	if (status)
		return status;
	if (globals.list)
		return print_list(globals.list);
	if (globals.version) {
		puts("pwrctl " PWRCTL_VERSION);
		return PWRCTL_EXIT_OK;
	}
	if (globals.help && run.verb)
		print_verb_help(stdout, run.verb);
	else if (globals.help)
		print_help(stdout);
	else if (!run.verb)
		print_help(stderr);
	else
		return run_verb(&run);
	return globals.help ? PWRCTL_EXIT_OK : PWRCTL_EXIT_USAGE;
}

int main(int argc, char **argv)
{
	int status, error;

	(void)argc;
	/* UTF-8 widths for the tables; numbers stay in the C locale, for scripts. */
	setlocale(LC_CTYPE, "");
	status = dispatch(argv + 1);
	error = pwrctl_out_check(stdout);
	if (error && error != -EPIPE && status == PWRCTL_EXIT_OK) {
		pwrctl_out_error("cannot write the output: %s", strerror(-error));
		status = PWRCTL_EXIT_FAILED;
	}
	return status;
}
