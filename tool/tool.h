/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How a verb is made: a file cmd_<verb>.c that defines pwrctl_verb_<verb>, and its line in
 * verbs.h. Help, completion and the checks of the manual follow from that.
 */
#ifndef PWRCTL_TOOL_TOOL_H
#define PWRCTL_TOOL_TOOL_H

#include <stdbool.h>

struct pwrctl_client;

/**
 * enum pwrctl_exit - exit statuses, a promise to scripts
 * @PWRCTL_EXIT_OK: done
 * @PWRCTL_EXIT_FAILED: refused or failed
 * @PWRCTL_EXIT_USAGE: not understood; nothing was done
 * @PWRCTL_EXIT_MODULE: module not loaded, or older or newer than this program
 * @PWRCTL_EXIT_PARTLY: done in part
 * @PWRCTL_EXIT_RUNNER: of verbs that run a command: pwrctl itself failed
 */
enum pwrctl_exit {
	PWRCTL_EXIT_OK = 0,
	PWRCTL_EXIT_FAILED = 1,
	PWRCTL_EXIT_USAGE = 2,
	PWRCTL_EXIT_MODULE = 3,
	PWRCTL_EXIT_PARTLY = 4,
	PWRCTL_EXIT_RUNNER = 125,
};

/**
 * struct pwrctl_option - an option as given
 * @name: "t" for -t, "root" for --root
 * @value: its argument or NULL
 */
struct pwrctl_option {
	const char *name;
	const char *value;
};

#define PWRCTL_OPTIONS_MAX	8

/**
 * struct pwrctl_run - one call of a verb
 * @verb: which
 * @json: -j was given
 * @argc: number of operands behind the verb
 * @argv: the operands, ends with NULL
 * @command: what stood behind "--", or NULL
 * @options: the verb's own options
 * @n_options: how many
 */
struct pwrctl_run {
	const struct pwrctl_verb *verb;
	bool json;
	int argc;
	char **argv;
	char **command;
	struct pwrctl_option options[PWRCTL_OPTIONS_MAX];
	int n_options;
};

/**
 * struct pwrctl_verb - a verb
 * @name: the exact word
 * @synopsis: what may follow it; one form a line
 * @summary: one line for the list of verbs
 * @help: paragraphs for -h
 * @options: names of its own options, ending with NULL (or NULL); "o=" takes an argument, names
 *	of one letter are -o, longer ones --name; -j and -h are everybody's
 * @takes_command: may be followed by -- CMD
 * @keys: the help lists the settings
 * @run: does it; returns enum pwrctl_exit or the status of CMD
 */
struct pwrctl_verb {
	const char *name;
	const char *synopsis;
	const char *summary;
	const char *help;
	const char *const *options;
	bool takes_command;
	bool keys;
	int (*run)(struct pwrctl_run *run);
};

#define PWRCTL_VERB(name) extern const struct pwrctl_verb pwrctl_verb_##name;
#include "verbs.h"
#undef PWRCTL_VERB

/* main.c */
int pwrctl_main_usage(const struct pwrctl_run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int pwrctl_main_fail(struct pwrctl_client *client);
struct pwrctl_client *pwrctl_main_connect(int *status);
const struct pwrctl_option *pwrctl_main_option(const struct pwrctl_run *run, const char *name);

#endif
