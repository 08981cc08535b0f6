// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "out.h"
#include "parse.h"
#include "plot.h"
#include "result_plot.h"
#include "stop.h"
#include "sweep_report.h"
#include "tool.h"

#define REPEAT_MOST	10000
#define WARMUP_MOST	1000

/* What is gone through when nothing is named: the settings people argue about. */
#define PRESET_MODES	"off,instant,pelt"
#define PRESET_DECAYS	"125,250,500"

static int take_count(struct pwrctl_run *run, const char *key, const char *text, uint32_t least,
		      uint32_t most, uint32_t *count)
{
	if (text && !pwrctl_parse_number(text, "", count) && *count >= least && *count <= most)
		return 0;
	return pwrctl_main_usage(run, "%s must be %u to %u", key, least, most);
}

/* "cooldown 10s" or "cooldown below 60"; returns how many words it took, or -status. */
static int take_cooldown(struct pwrctl_sweep *sweep, char *const *words)
{
	char *end;

	if (!words[0])
		return -pwrctl_main_usage(sweep->run, "cooldown needs a time, or below C");
	if (strcmp(words[0], "below")) {
		if (pwrctl_parse_number(words[0], "ms", &sweep->cooldown_ms))
			return -pwrctl_main_usage(sweep->run, "cannot use %s for cooldown: it must "
						  "be a time (10s), or below C", words[0]);
		return 1;
	}
	sweep->below = words[1] ? strtod(words[1], &end) : NAN;
	if (!isfinite(sweep->below) || *end || sweep->below < -273 || sweep->below > 1000)
		return -pwrctl_main_usage(sweep->run, "cooldown below needs degrees Celsius");
	return 2;
}

static int take_word(struct pwrctl_sweep *sweep, char *const *words, const char **plot)
{
	struct pwrctl_run *run = sweep->run;
	int taken = pwrctl_points_take(run, sweep->points, words[0], words[1]), status;

	if (taken)
		return taken < 0 ? taken : 1;
	if (!strcmp(words[0], "cooldown"))
		return take_cooldown(sweep, words + 1);
	if (!strcmp(words[0], "repeat"))
		status = take_count(run, words[0], words[1], 1, REPEAT_MOST, &sweep->repeat);
	else if (!strcmp(words[0], "warmup"))
		status = take_count(run, words[0], words[1], 0, WARMUP_MOST, &sweep->warmup);
	else if (strcmp(words[0], "plot"))
		status = pwrctl_main_usage(run, "cannot use %s here", words[0]);
	else if (!words[1] || !pwrctl_plot_can(words[1]))
		status = pwrctl_main_usage(run, "plot needs a name that ends in .svg or .png");
	else
		status = 0;
	if (!strcmp(words[0], "plot"))
		*plot = words[1];
	return status ? -status : 1;
}

static int take_words(struct pwrctl_sweep *sweep, const char **plot)
{
	static const struct pwrctl_filter_params off = { .mode = PWRCTL_FILTER_OFF,
							 .decay_ms = 250 };
	struct pwrctl_run *run = sweep->run;
	bool any = false;
	int i, taken;
	size_t key;

	for (i = 0; i < run->argc; i += 1 + taken) {
		taken = take_word(sweep, run->argv + i, plot);
		if (taken < 0)
			return -taken;
	}
	if (!run->command || !*run->command)
		return pwrctl_main_usage(run, "needs -- and a command");
	for (key = 0; key < sizeof(sweep->points->list) / sizeof(sweep->points->list[0]); key++)
		any |= !!sweep->points->list[key];
	if (!any) {
		sweep->points->list[PWRCTL_A_SET_MODE] = PRESET_MODES;
		sweep->points->list[PWRCTL_A_SET_DECAY_MS] = PRESET_DECAYS;
	}
	pwrctl_points_add(sweep->points, &off);
	return pwrctl_points_make(run, sweep->points);
}

static int prepare_result(struct pwrctl_sweep *sweep)
{
	struct pwrctl_result *result = &sweep->result;
	size_t i, used = 0;
	char *const *word;

	snprintf(result->kind, sizeof(result->kind), "sweep");
	for (word = sweep->run->command; *word && used < sizeof(result->command); word++)
		used += (size_t)snprintf(result->command + used, sizeof(result->command) - used,
					 "%s%s", used ? " " : "", *word);
	pwrctl_result_metric(result, "wall_s", "wall time", "s", true);
	pwrctl_result_metric(result, "user_s", "user time", "s", true);
	pwrctl_result_metric(result, "system_s", "system time", "s", true);
	pwrctl_result_metric(result, "joules", "energy", "J", true);
	pwrctl_result_metric(result, "celsius", "highest temperature", "C", true);
	for (i = 0; i < sweep->points->count; i++)
		if (pwrctl_result_point(result, sweep->points->points[i].name))
			return -ENOMEM;
	return 0;
}

static int write_result(struct pwrctl_sweep *sweep, struct pwrctl_file *file)
{
	if (!file->stream)
		return 0;
	pwrctl_result_write(file->stream, &sweep->result);
	return pwrctl_file_commit(file);
}

static bool has_runs(const struct pwrctl_result *result)
{
	size_t i;

	for (i = 0; i < result->n_runs; i++)
		if (!result->runs[i].arm)
			return true;
	return false;
}

/* After the sweep, however it ended. The settings are put back first, whatever comes then. */
static int finish(struct pwrctl_sweep *sweep, int error, struct pwrctl_file *file,
		  const char *plot, bool force)
{
	const struct pwrctl_result *result = &sweep->result;
	int status = 0, failed = pwrctl_sweep_restore(sweep);

	if (sweep->failed)
		return sweep->status;
	if (error && error != -EINTR)
		return PWRCTL_EXIT_RUNNER;
	if (error)
		status = 128 + pwrctl_stop_signal();
	if (has_runs(&sweep->result)) {
		pwrctl_sweep_report(sweep, error);
		if (!error && (write_result(sweep, file) ||
			       (plot && pwrctl_result_plot(&result, NULL, 1, plot, force))))
			failed = 1;
	}
	return status ? status : failed ? PWRCTL_EXIT_RUNNER : 0;
}

static int sweep_all(struct pwrctl_sweep *sweep, struct pwrctl_file *file, const char *plot,
		     bool force)
{
	double celsius;
	int error;

	if (!isnan(sweep->below)) {
		pwrctl_sensors_sample(sweep->sensors);
		if (!pwrctl_sensors_now(sweep->sensors, &celsius)) {
			pwrctl_out_error("cannot cool down below a temperature: no thermal "
					 "zone can be read here");
			return PWRCTL_EXIT_RUNNER;
		}
	}
	if (pwrctl_config_fetch(sweep->client, &sweep->found)) {
		pwrctl_main_fail(sweep->client);
		return PWRCTL_EXIT_RUNNER;
	}
	pwrctl_stop_begin();
	error = pwrctl_sweep_go(sweep);
	return finish(sweep, error, file, plot, force);
}

static int open_all(struct pwrctl_sweep *sweep, const char *plot)
{
	const struct pwrctl_option *name = pwrctl_main_option(sweep->run, "o");
	const struct pwrctl_option *root = pwrctl_main_option(sweep->run, "root");
	bool force = pwrctl_main_option(sweep->run, "force");
	struct pwrctl_file file = { 0 };
	int status;

	sweep->client = pwrctl_main_connect(&status);
	if (!sweep->client)
		return PWRCTL_EXIT_RUNNER;
	/* Better now than after hours of measuring. */
	if ((plot && pwrctl_file_check(plot, force)) ||
	    (name && pwrctl_file_create(&file, name->value, force)))
		return PWRCTL_EXIT_RUNNER;
	pwrctl_sensors_open(sweep->sensors, root ? root->value : "");
	status = prepare_result(sweep) ? PWRCTL_EXIT_RUNNER : sweep_all(sweep, &file, plot, force);
	pwrctl_file_abandon(&file);
	return status;
}

static int run_sweep(struct pwrctl_run *run)
{
	struct pwrctl_sweep sweep = {
		.run = run, .repeat = PWRCTL_SWEEP_REPEAT, .warmup = PWRCTL_SWEEP_WARMUP,
		.below = NAN,
	};
	const char *plot = NULL;
	int status;

	sweep.points = calloc(1, sizeof(*sweep.points));
	sweep.sensors = calloc(1, sizeof(*sweep.sensors));
	if (sweep.points && sweep.sensors) {
		status = take_words(&sweep, &plot);
		if (!status)
			status = open_all(&sweep, plot);
	} else {
		pwrctl_out_error("out of memory");
		status = PWRCTL_EXIT_RUNNER;
	}
	pwrctl_config_free(&sweep.found);
	pwrctl_config_free(&sweep.last);
	pwrctl_result_free(&sweep.result);
	pwrctl_client_close(sweep.client);
	free(sweep.sensors);
	free(sweep.points);
	return status;
}

static const char *const options[] = { "o=", "force", "root=", NULL };

const struct pwrctl_verb pwrctl_verb_sweep = {
	.name = "sweep",
	.synopsis = "[mode M,...] [decay_ms LIST] [fall_ms LIST] [pelt_shift LIST] [repeat N]\n"
		    "... [warmup N] [cooldown T|below C] [--force] [-o FILE] [plot OUT] -- CMD...",
	.summary = "run a command under every setting, and tell what can be shown",
	.help =
"LIST is 125,250 or 50:1000:50. decay_ms and fall_ms are crossed with each other, modes are rows\n"
"of their own; off is always there, as the baseline. Without any list: off, instant, pelt and\n"
"decay_ms 125,250,500.\n"
"\n"
"First CMD runs N times unmeasured (warmup, default 1), then off against itself as a control,\n"
"then every setting N times (repeat, default 5), there and back in turns. cooldown waits before\n"
"each run: a time, or until no zone is as warm as C degrees. What CMD prints goes to the standard\n"
"error.\n"
"\n"
"Each setting is compared with off (Welch's test on wall time, Holm's correction for the number\n"
"of settings, 1 %). The settings that were found are restored at the end, also when CMD fails or\n"
"a signal ends it, as far as nobody else has changed them meanwhile. -o writes a file for\n"
"compare, plot a picture; --force replaces files that exist. Returns 0, CMD's status when it\n"
"fails, 128 and the signal, or 125 when pwrctl failed. Needs CAP_NET_ADMIN (root).\n",
	.options = options,
	.takes_command = true,
	.run = run_sweep,
};
