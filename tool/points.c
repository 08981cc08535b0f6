// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model.h"
#include "parse.h"
#include "points.h"

/**
 * struct values - numbers of one key
 * @value: in the order given
 * @count: how many
 */
struct values {
	uint32_t value[PWRCTL_POINTS_MAX];
	size_t count;
};

static int add_value(struct values *values, const struct pwrctl_setting *setting, uint32_t value)
{
	size_t i;

	if (value < setting->least || value > setting->most)
		return -ERANGE;
	for (i = 0; i < values->count; i++)
		if (values->value[i] == value)
			return 0;
	if (values->count == PWRCTL_POINTS_MAX)
		return -E2BIG;
	values->value[values->count++] = value;
	return 0;
}

/* "50:1000:50": first, last, step; without a step there is no telling what is meant. */
static int add_range(struct values *values, const struct pwrctl_setting *setting, char *text)
{
	uint32_t bound[3];
	uint64_t value;
	char *colon;
	int i, error = 0;

	for (i = 0; i < 3; i++) {
		colon = i < 2 ? strchr(text, ':') : NULL;
		if (i < 2 && !colon)
			return -EINVAL;
		if (colon)
			*colon = '\0';
		if (pwrctl_parse_number(text, setting->unit, &bound[i]))
			return -EINVAL;
		text = colon ? colon + 1 : text;
	}
	if (!bound[2] || bound[0] > bound[1])
		return -EINVAL;
	for (value = bound[0]; value <= bound[1] && !error; value += bound[2])
		error = add_value(values, setting, (uint32_t)value);
	return error;
}

static int add_item(struct values *values, const struct pwrctl_setting *setting, char *text)
{
	uint32_t value;

	if (setting->kind == PWRCTL_KIND_NUMBER && strchr(text, ':'))
		return add_range(values, setting, text);
	if (pwrctl_parse_value(text, setting, &value))
		return -EINVAL;
	return add_value(values, setting, value);
}

/* Reads "125,250" or "50:1000:50" or "off,instant". 0 or an exit status. */
static int read_list(struct pwrctl_run *run, uint32_t id, const char *list, struct values *values)
{
	const struct pwrctl_setting *setting = pwrctl_model_setting_by_id(id);
	char item[64];
	size_t length;
	int error = 0;

	values->count = 0;
	for (; list && !error; list += length + 1) {
		length = strcspn(list, ",");
		snprintf(item, sizeof(item), "%.*s", (int)length, list);
		error = length < sizeof(item) ? add_item(values, setting, item) : -EINVAL;
		if (error == -E2BIG)
			return pwrctl_main_usage(run, "more than %d values for %s",
						 PWRCTL_POINTS_MAX, setting->name);
		if (error)
			return pwrctl_main_usage(run, "cannot use %s for %s: it must be a list "
						 "(a,b)%s; %s", item, setting->name,
						 setting->kind == PWRCTL_KIND_NUMBER ?
						 " or a range (first:last:step)" : "",
						 setting->refusal);
		if (!list[length])
			break;
	}
	return 0;
}

/**
 * pwrctl_points_take - take a list, if the key is one that is gone through
 * @run: the call
 * @points: where to keep it
 * @key: as typed
 * @list: what follows it, or NULL
 *
 * Return: 1 when taken, 0 when it is another key, or a negative exit status.
 */
int pwrctl_points_take(struct pwrctl_run *run, struct pwrctl_points *points, const char *key,
		       const char *list)
{
	static const uint32_t keys[] = { PWRCTL_A_SET_MODE, PWRCTL_A_SET_DECAY_MS,
					 PWRCTL_A_SET_FALL_MS, PWRCTL_A_SET_PELT_SHIFT };
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcmp(pwrctl_model_setting_by_id(keys[i])->name, key))
			continue;
		if (!list)
			return -pwrctl_main_usage(run, "%s needs a list of values", key);
		if (points->list[keys[i]])
			return -pwrctl_main_usage(run, "%s is given twice", key);
		points->list[keys[i]] = list;
		return 1;
	}
	return 0;
}

/**
 * pwrctl_points_name - say a combination in words
 * @point: whose name to fill in
 */
void pwrctl_points_name(struct pwrctl_point *point)
{
	const struct pwrctl_filter_params *params = &point->params;
	size_t size = sizeof(point->name);

	if (params->mode == PWRCTL_MODE_DECAY && params->fall_ms &&
	    params->fall_ms != params->decay_ms)
		snprintf(point->name, size, "decay %u ms, fall %u ms", params->decay_ms,
			 params->fall_ms);
	else if (params->mode == PWRCTL_MODE_DECAY)
		snprintf(point->name, size, "decay %u ms", params->decay_ms);
	else if (params->mode == PWRCTL_MODE_PELT && params->pelt_shift)
		snprintf(point->name, size, "pelt shift %u", params->pelt_shift);
	else
		snprintf(point->name, size, "%s",
			 pwrctl_model_word(pwrctl_model_modes, params->mode));
}

/**
 * pwrctl_points_add - add a combination
 * @points: where to
 * @params: which
 *
 * Return: 0, also when it is there already, or -E2BIG.
 */
int pwrctl_points_add(struct pwrctl_points *points, const struct pwrctl_filter_params *params)
{
	struct pwrctl_point *point;
	size_t i;

	if (points->count == PWRCTL_POINTS_MAX)
		return -E2BIG;
	point = &points->points[points->count];
	point->params = *params;
	pwrctl_points_name(point);
	for (i = 0; i < points->count; i++)
		if (!strcmp(points->points[i].name, point->name))
			return 0;
	points->count++;
	return 0;
}

static int add(struct pwrctl_points *points, uint32_t mode, uint32_t decay_ms, uint32_t fall_ms,
	       uint32_t pelt_shift)
{
	struct pwrctl_filter_params params = {
		.mode = (uint8_t)mode, .pelt_shift = (uint8_t)pelt_shift,
		.decay_ms = decay_ms, .fall_ms = fall_ms,
	};

	return pwrctl_points_add(points, &params);
}

/* Half-lives make decay's points, shifts pelt's; a mode without such a list is one point. */
static int add_mode(struct pwrctl_points *points, uint32_t mode, const struct values *decays,
		    const struct values *falls, const struct values *shifts)
{
	uint32_t preset = pwrctl_model_setting_by_id(PWRCTL_A_SET_DECAY_MS)->preset;
	size_t i, j;
	int error = 0;

	if (mode == PWRCTL_MODE_DECAY) {
		for (i = 0; i < decays->count && !error; i++)
			for (j = 0; j < falls->count && !error; j++)
				error = add(points, mode, decays->value[i], falls->value[j], 0);
	} else if (mode == PWRCTL_MODE_PELT) {
		for (i = 0; i < shifts->count && !error; i++)
			error = add(points, mode, preset, 0, shifts->value[i]);
	} else {
		error = add(points, mode, preset, 0, 0);
	}
	return error;
}

/**
 * pwrctl_points_make - make the combinations from the lists that were taken
 * @run: the call
 * @points: the lists; the points are added behind those that are there
 *
 * decay_ms and fall_ms are crossed with each other; modes are rows of their own, crossed with
 * nothing.
 *
 * Return: 0 or an exit status.
 */
int pwrctl_points_make(struct pwrctl_run *run, struct pwrctl_points *points)
{
	static struct values modes, decays, falls, shifts;
	bool decay = points->list[PWRCTL_A_SET_DECAY_MS] || points->list[PWRCTL_A_SET_FALL_MS];
	bool pelt = points->list[PWRCTL_A_SET_PELT_SHIFT];
	int status, error = 0;
	size_t i;

	status = read_list(run, PWRCTL_A_SET_MODE, points->list[PWRCTL_A_SET_MODE], &modes);
	if (!status)
		status = read_list(run, PWRCTL_A_SET_DECAY_MS, points->list[PWRCTL_A_SET_DECAY_MS],
				   &decays);
	if (!status)
		status = read_list(run, PWRCTL_A_SET_FALL_MS, points->list[PWRCTL_A_SET_FALL_MS],
				   &falls);
	if (!status)
		status = read_list(run, PWRCTL_A_SET_PELT_SHIFT,
				   points->list[PWRCTL_A_SET_PELT_SHIFT], &shifts);
	if (status)
		return status;
	if (!decays.count)
		decays.value[decays.count++] =
			pwrctl_model_setting_by_id(PWRCTL_A_SET_DECAY_MS)->preset;
	if (!falls.count)
		falls.value[falls.count++] = 0;
	if (!shifts.count)
		shifts.value[shifts.count++] = 0;
	for (i = 0; i < modes.count && !error; i++)
		error = add_mode(points, modes.value[i], &decays, &falls, &shifts);
	if (pelt && !error)
		error = add_mode(points, PWRCTL_MODE_PELT, &decays, &falls, &shifts);
	if (decay && !error)
		error = add_mode(points, PWRCTL_MODE_DECAY, &decays, &falls, &shifts);
	if (error)
		return pwrctl_main_usage(run, "more than %d combinations of settings",
					 PWRCTL_POINTS_MAX);
	return 0;
}
