/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Temperatures and energy of this machine, as far as they can be read: thermal zones, and
 * powercap's packages or else hwmon's counters. A root other than "" moves /sys for tests.
 */
#ifndef PWRCTL_TOOL_SENSORS_H
#define PWRCTL_TOOL_SENSORS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "energy.h"

/* How often to sample while something runs: far below the time any counter takes to wrap. */
#define PWRCTL_SENSORS_PERIOD_MS	1000

/**
 * struct pwrctl_zone - a thermal zone
 * @name: "thermal_zone0"
 * @type: what it is of
 * @readable: at the last sample
 * @millicelsius: at the last sample
 * @highest: since pwrctl_sensors_begin(), valid if @seen
 * @seen: it could be read since then
 */
struct pwrctl_zone {
	char name[64];
	char type[64];
	bool readable;
	int32_t millicelsius;
	int32_t highest;
	bool seen;
};

/**
 * struct pwrctl_meter - a counter of energy
 * @path: the file
 * @range_path: the file that says where it wraps
 * @name: "intel-rapl:0"
 * @label: "package-0"
 * @energy: the sum since pwrctl_sensors_begin()
 */
struct pwrctl_meter {
	char path[PATH_MAX];
	char range_path[PATH_MAX];
	char name[64];
	char label[64];
	struct pwrctl_energy energy;
};

#define PWRCTL_ZONES_MAX	64
#define PWRCTL_METERS_MAX	64

/**
 * struct pwrctl_sensors - all of them
 * @root: before /sys
 * @zones: thermal zones
 * @n_zones: how many
 * @meters: counters of energy that add up to the machine's
 * @n_meters: how many
 */
struct pwrctl_sensors {
	const char *root;
	struct pwrctl_zone zones[PWRCTL_ZONES_MAX];
	size_t n_zones;
	struct pwrctl_meter meters[PWRCTL_METERS_MAX];
	size_t n_meters;
};

void pwrctl_sensors_open(struct pwrctl_sensors *sensors, const char *root);
void pwrctl_sensors_begin(struct pwrctl_sensors *sensors);
void pwrctl_sensors_sample(struct pwrctl_sensors *sensors);
bool pwrctl_sensors_joules(const struct pwrctl_sensors *sensors, double *joules);
bool pwrctl_sensors_highest(const struct pwrctl_sensors *sensors, double *celsius);
bool pwrctl_sensors_now(const struct pwrctl_sensors *sensors, double *celsius);

#endif
