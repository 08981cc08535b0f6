/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Results of repeated measurements: points (settings), metrics, and a row of values for every
 * run. One JSON object a line, see docs/result-format.md. Nothing here knows what was measured,
 * so that other benches can use the same file and the same comparison.
 */
#ifndef PWRCTL_TOOL_RESULT_H
#define PWRCTL_TOOL_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "model.h"

#define PWRCTL_RESULT_TYPE		"pwrctl-result"
#define PWRCTL_RESULT_VERSION		1
#define PWRCTL_RESULT_METRICS_MAX	16
#define PWRCTL_RESULT_POINTS_MAX	1024
#define PWRCTL_RESULT_DOMAINS_MAX	4096

/**
 * struct pwrctl_metric - something that is measured
 * @name: "wall_s", in the file
 * @title: "wall time", for people
 * @unit: "s"
 * @less_is_better: as with times
 */
struct pwrctl_metric {
	char name[32];
	char title[32];
	char unit[16];
	bool less_is_better;
};

/**
 * struct pwrctl_result_domain - what was done to a domain during a run
 * @name: of the domain
 * @cap_khz: time-weighted mean of min(cap, reference); NAN when not known
 * @pressure: time-weighted mean, 0 to 1; NAN when not known
 */
struct pwrctl_result_domain {
	char name[PWRCTL_NAME_LEN];
	double cap_khz;
	double pressure;
};

/**
 * struct pwrctl_result_run - one run
 * @point: which
 * @round: counted from 1
 * @arm: 'A' or 'B' of the control, 0 for the others
 * @value: by metric; NAN where it is not available
 * @domains: what was done to them
 * @n_domains: how many
 */
struct pwrctl_result_run {
	unsigned int point;
	unsigned int round;
	char arm;
	double value[PWRCTL_RESULT_METRICS_MAX];
	struct pwrctl_result_domain *domains;
	size_t n_domains;
};

/**
 * struct pwrctl_result - all runs
 * @kind: what made it: "sweep"
 * @command: what was run, as one line
 * @metrics: the first is what verdicts are about
 * @n_metrics: how many
 * @points: their names; the first is the baseline
 * @n_points: how many
 * @runs: in the order they were made
 * @n_runs: how many
 */
struct pwrctl_result {
	char kind[32];
	char command[512];
	struct pwrctl_metric metrics[PWRCTL_RESULT_METRICS_MAX];
	size_t n_metrics;
	char (*points)[64];
	size_t n_points;
	struct pwrctl_result_run *runs;
	size_t n_runs;
};

void pwrctl_result_metric(struct pwrctl_result *result, const char *name, const char *title,
			  const char *unit, bool less_is_better);
int pwrctl_result_point(struct pwrctl_result *result, const char *name);
struct pwrctl_result_run *pwrctl_result_run(struct pwrctl_result *result);
size_t pwrctl_result_values(const struct pwrctl_result *result, size_t point, char arm,
			    size_t metric, double *values);
int pwrctl_result_find(const struct pwrctl_result *result, const char *name);
void pwrctl_result_free(struct pwrctl_result *result);

/* result_file.c */
void pwrctl_result_write(FILE *stream, const struct pwrctl_result *result);
int pwrctl_result_read(const char *path, struct pwrctl_result *result);

#endif
