// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "config.h"
#include "out.h"
#include "parse.h"
#include "stop.h"
#include "tool.h"

/* How often to look whether what is waited for has come. */
#define LOOK_MS	50

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int read_file(const char *path, struct pwrctl_config *config)
{
	bool standard = !strcmp(path, "-");
	FILE *stream = standard ? stdin : fopen(path, "re");
	int error;

	if (!stream) {
		pwrctl_out_error("cannot read %s: %s", path, strerror(errno));
		memset(config, 0, sizeof(*config));
		return -EIO;
	}
	error = pwrctl_config_parse(stream, standard ? "standard input" : path, config);
	if (!standard)
		fclose(stream);
	return error;
}

/* The first domain of the file that the module does not have, or NULL. */
static const struct pwrctl_config_scope *missing(const struct pwrctl_config *want,
						 const struct pwrctl_config *now)
{
	size_t i;

	for (i = 0; i < want->count; i++)
		if (!pwrctl_config_find(now, want->scopes[i].domain))
			return &want->scopes[i];
	return NULL;
}

/* Asks until all domains of the file are there or the time is over. 0 or an exit status. */
static int fetch(struct pwrctl_client *client, const char *path, const struct pwrctl_config *want,
		 struct pwrctl_config *now, int64_t until_ms)
{
	const struct pwrctl_config_scope *scope;

	for (;;) {
		if (pwrctl_config_fetch(client, now))
			return pwrctl_main_fail(client);
		scope = missing(want, now);
		if (!scope)
			return 0;
		if (now_ms() >= until_ms)
			break;
		pwrctl_config_free(now);
		if (pwrctl_stop_wait(-1, LOOK_MS) < 0)
			return PWRCTL_EXIT_FAILED;
	}
	pwrctl_out_error("%s:%u: there is no domain %s here; nothing was changed", path,
			 scope->line, scope->domain);
	return PWRCTL_EXIT_FAILED;
}

static int restore(struct pwrctl_client *client, const char *path,
		   const struct pwrctl_config *want, int64_t until_ms)
{
	struct pwrctl_config now = { 0 };
	char failed[512];
	int status, error;

	status = fetch(client, path, want, &now, until_ms);
	if (!status) {
		error = pwrctl_config_apply(client, want, &now, failed, sizeof(failed));
		if (error)
			pwrctl_out_error("%s: cannot restore %s; %s", path, failed, error == -EIO ?
					 "not everything could be taken back" :
					 "nothing was changed");
		if (error)
			status = error == -EIO ? PWRCTL_EXIT_PARTLY : PWRCTL_EXIT_FAILED;
	}
	pwrctl_config_free(&now);
	return status;
}

static int run_restore(struct pwrctl_run *run)
{
	const struct pwrctl_option *wait = pwrctl_main_option(run, "wait");
	struct pwrctl_config want;
	struct pwrctl_client *client;
	uint32_t wait_ms = 0;
	int status;

	if (run->argc != 1)
		return pwrctl_main_usage(run, "needs one file");
	if (wait && pwrctl_parse_number(wait->value, "ms", &wait_ms))
		return pwrctl_main_usage(run, "cannot wait for %s: it must be a time (500ms, 10s)",
					 wait->value);
	if (read_file(run->argv[0], &want)) {
		pwrctl_config_free(&want);
		return PWRCTL_EXIT_FAILED;
	}
	client = pwrctl_main_connect(&status);
	if (client) {
		pwrctl_stop_begin();
		status = restore(client, run->argv[0], &want, now_ms() + wait_ms);
	}
	pwrctl_client_close(client);
	pwrctl_config_free(&want);
	return status;
}

static const char *const options[] = { "wait=", NULL };

const struct pwrctl_verb pwrctl_verb_restore = {
	.name = "restore",
	.synopsis = "[--wait T] FILE",
	.summary = "make all settings what a file says",
	.help =
"Reads what save writes (- is the standard input). The file says everything: a key that it does\n"
"not name goes back to its default, in a domain to the global value. Either all of it applies\n"
"or none. A domain that is not there is refused; --wait gives it time to come (at boot).\n"
"Needs CAP_NET_ADMIN (root).\n",
	.options = options,
	.run = run_restore,
};
