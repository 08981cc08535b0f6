/* SPDX-License-Identifier: GPL-2.0-only */
/* The settings that replay and sweep go through, from what was typed. */
#ifndef PWRCTL_TOOL_POINTS_H
#define PWRCTL_TOOL_POINTS_H

#include "../module/filter.h"
#include "tool.h"

#define PWRCTL_POINTS_MAX	1000

/**
 * struct pwrctl_point - one combination of settings
 * @name: what people call it
 * @params: the combination
 */
struct pwrctl_point {
	char name[64];
	struct pwrctl_filter_params params;
};

/**
 * struct pwrctl_points - all of them
 * @points: in the order of the tables
 * @count: how many
 * @list: by PWRCTL_A_SET_*: what was typed, until pwrctl_points_make()
 */
struct pwrctl_points {
	struct pwrctl_point points[PWRCTL_POINTS_MAX];
	size_t count;
	const char *list[16];
};

int pwrctl_points_take(struct pwrctl_run *run, struct pwrctl_points *points, const char *key,
		       const char *list);
int pwrctl_points_make(struct pwrctl_run *run, struct pwrctl_points *points);
int pwrctl_points_add(struct pwrctl_points *points, const struct pwrctl_filter_params *params);
void pwrctl_points_name(struct pwrctl_point *point);

#endif
