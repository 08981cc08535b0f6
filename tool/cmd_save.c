// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "config.h"
#include "file.h"
#include "tool.h"

static int save(const struct pwrctl_config *config, const char *path, bool force)
{
	struct pwrctl_file file;

	if (!strcmp(path, "-")) {
		pwrctl_config_write(stdout, config);
		return PWRCTL_EXIT_OK;
	}
	if (pwrctl_file_create(&file, path, force))
		return PWRCTL_EXIT_FAILED;
	pwrctl_config_write(file.stream, config);
	return pwrctl_file_commit(&file) ? PWRCTL_EXIT_FAILED : PWRCTL_EXIT_OK;
}

static int run_save(struct pwrctl_run *run)
{
	struct pwrctl_client *client;
	struct pwrctl_config config;
	int status;

	if (run->argc != 1)
		return pwrctl_main_usage(run, "needs one file");
	client = pwrctl_main_connect(&status);
	if (!client)
		return status;
	if (pwrctl_config_fetch(client, &config))
		status = pwrctl_main_fail(client);
	else
		status = save(&config, run->argv[0], pwrctl_main_option(run, "force"));
	pwrctl_config_free(&config);
	pwrctl_client_close(client);
	return status;
}

static const char *const options[] = { "force", NULL };

const struct pwrctl_verb pwrctl_verb_save = {
	.name = "save",
	.synopsis = "[--force] FILE",
	.summary = "write all settings to a file that restore reads",
	.help =
"The file is text, a line a setting: \"global KEY VALUE\" or \"policyN KEY VALUE\". Global keys\n"
"at their default are there as comments. - is the standard output. --force replaces a file\n"
"that exists. Saved as /etc/pwrctl.conf the settings are restored whenever the module loads.\n",
	.options = options,
	.run = run_save,
};
