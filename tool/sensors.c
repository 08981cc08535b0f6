// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sensors.h"

#define POWERCAP	"/sys/class/powercap"
#define THERMAL		"/sys/class/thermal"
#define HWMON		"/sys/class/hwmon"

__attribute__((format(printf, 3, 4)))
static int read_text(char *text, size_t size, const char *format, ...)
{
	char path[PATH_MAX];
	va_list arguments;
	ssize_t got;
	int fd;

	va_start(arguments, format);
	vsnprintf(path, sizeof(path), format, arguments);
	va_end(arguments);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, text, size - 1);
	close(fd);
	if (got <= 0)
		return -EIO;
	text[got] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

static int read_u64(const char *path, uint64_t *value)
{
	char text[64], *end;

	if (!*path || read_text(text, sizeof(text), "%s", path) || *text < '0' || *text > '9')
		return -EIO;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return errno || *end ? -EIO : 0;
}

/* Calls @found for every entry of a directory, in the order of their names. */
static void each(struct pwrctl_sensors *sensors, const char *directory,
		 void (*found)(struct pwrctl_sensors *sensors, const char *name))
{
	char path[PATH_MAX];
	struct dirent **entries;
	int count, i;

	snprintf(path, sizeof(path), "%s%s", sensors->root, directory);
	count = scandir(path, &entries, NULL, versionsort);
	for (i = 0; i < count; i++) {
		if (entries[i]->d_name[0] != '.')
			found(sensors, entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static void found_zone(struct pwrctl_sensors *sensors, const char *name)
{
	struct pwrctl_zone *zone = &sensors->zones[sensors->n_zones];

	if (strncmp(name, "thermal_zone", 12) || sensors->n_zones == PWRCTL_ZONES_MAX)
		return;
	snprintf(zone->name, sizeof(zone->name), "%s", name);
	if (read_text(zone->type, sizeof(zone->type), "%s" THERMAL "/%s/type", sensors->root, name))
		snprintf(zone->type, sizeof(zone->type), "unknown");
	sensors->n_zones++;
}

static bool has_control_type(const struct pwrctl_sensors *sensors, const char *type)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s" POWERCAP "/%s:0", sensors->root, type);
	return !access(path, F_OK);
}

/*
 * Zones without a parent add up to the machine, except psys, which holds the packages once more,
 * and the packages' second interface through memory.
 */
static void found_powercap(struct pwrctl_sensors *sensors, const char *name)
{
	struct pwrctl_meter *meter = &sensors->meters[sensors->n_meters];
	const char *colon = strchr(name, ':');

	if (!colon || strchr(colon + 1, ':') || sensors->n_meters == PWRCTL_METERS_MAX)
		return;
	if (!strncmp(name, "intel-rapl-mmio:", 16) && has_control_type(sensors, "intel-rapl"))
		return;
	if (!strncmp(name, "dtpm", 4) ||
	    read_text(meter->label, sizeof(meter->label), "%s" POWERCAP "/%s/name", sensors->root,
		      name) || !strcmp(meter->label, "psys"))
		return;
	snprintf(meter->name, sizeof(meter->name), "%s", name);
	snprintf(meter->path, sizeof(meter->path), "%s" POWERCAP "/%s/energy_uj", sensors->root,
		 name);
	snprintf(meter->range_path, sizeof(meter->range_path),
		 "%s" POWERCAP "/%s/max_energy_range_uj", sensors->root, name);
	if (!access(meter->path, F_OK))
		sensors->n_meters++;
}

/* Sockets, where they are told apart from their cores; such counters are 64 bits wide. */
static void found_hwmon(struct pwrctl_sensors *sensors, const char *name)
{
	unsigned int i;

	for (i = 1; sensors->n_meters < PWRCTL_METERS_MAX; i++) {
		struct pwrctl_meter *meter = &sensors->meters[sensors->n_meters];

		snprintf(meter->path, sizeof(meter->path), "%s" HWMON "/%s/energy%u_input",
			 sensors->root, name, i);
		if (access(meter->path, F_OK))
			return;
		*meter->range_path = '\0';
		*meter->label = '\0';
		read_text(meter->label, sizeof(meter->label), "%s" HWMON "/%s/energy%u_label",
			  sensors->root, name, i);
		snprintf(meter->name, sizeof(meter->name), "%.40s/energy%u", name, i);
		if (strncmp(meter->label, "Ecore", 5))
			sensors->n_meters++;
	}
}

/**
 * pwrctl_sensors_open - find what there is
 * @sensors: to fill in
 * @root: before /sys, "" for this machine; must stay
 */
void pwrctl_sensors_open(struct pwrctl_sensors *sensors, const char *root)
{
	memset(sensors, 0, sizeof(*sensors));
	sensors->root = root;
	each(sensors, THERMAL, found_zone);
	each(sensors, POWERCAP, found_powercap);
	if (!sensors->n_meters)
		each(sensors, HWMON, found_hwmon);
}

static void sample_zone(struct pwrctl_sensors *sensors, struct pwrctl_zone *zone)
{
	char text[32], *end;
	long value;

	zone->readable = false;
	if (read_text(text, sizeof(text), "%s" THERMAL "/%s/temp", sensors->root, zone->name))
		return;
	value = strtol(text, &end, 10);
	/* Nothing is colder than that: zones without a sensor say so in this way. */
	if (*end || end == text || value < -273150 || value > INT32_MAX)
		return;
	zone->readable = true;
	zone->millicelsius = (int32_t)value;
	if (!zone->seen || zone->millicelsius > zone->highest)
		zone->highest = zone->millicelsius;
	zone->seen = true;
}

/**
 * pwrctl_sensors_sample - read everything
 * @sensors: opened
 */
void pwrctl_sensors_sample(struct pwrctl_sensors *sensors)
{
	struct timespec now;
	uint64_t ns, uj;
	size_t i;

	for (i = 0; i < sensors->n_zones; i++)
		sample_zone(sensors, &sensors->zones[i]);
	for (i = 0; i < sensors->n_meters; i++) {
		struct pwrctl_meter *meter = &sensors->meters[i];

		if (read_u64(meter->path, &uj)) {
			pwrctl_energy_lose(&meter->energy);
			continue;
		}
		/* Counters stand still in suspend, as this clock does. */
		clock_gettime(CLOCK_MONOTONIC, &now);
		ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
		pwrctl_energy_add(&meter->energy, ns, uj);
	}
}

/**
 * pwrctl_sensors_begin - sums and highest temperatures start here
 * @sensors: opened
 */
void pwrctl_sensors_begin(struct pwrctl_sensors *sensors)
{
	uint64_t range_uj;
	size_t i;

	for (i = 0; i < sensors->n_meters; i++) {
		if (read_u64(sensors->meters[i].range_path, &range_uj))
			range_uj = 0;
		pwrctl_energy_begin(&sensors->meters[i].energy, range_uj);
	}
	for (i = 0; i < sensors->n_zones; i++)
		sensors->zones[i].seen = false;
	pwrctl_sensors_sample(sensors);
}

/**
 * pwrctl_sensors_joules - energy of all meters since pwrctl_sensors_begin()
 * @sensors: sampled
 * @joules: the sum
 *
 * Return: whether there is one: false without meters, or when one of them could not be followed.
 */
bool pwrctl_sensors_joules(const struct pwrctl_sensors *sensors, double *joules)
{
	size_t i;

	*joules = 0;
	for (i = 0; i < sensors->n_meters; i++) {
		if (!pwrctl_energy_known(&sensors->meters[i].energy))
			return false;
		*joules += (double)sensors->meters[i].energy.total_uj / 1e6;
	}
	return sensors->n_meters;
}

/**
 * pwrctl_sensors_highest - highest temperature of any zone since pwrctl_sensors_begin()
 * @sensors: sampled
 * @celsius: the temperature
 *
 * Return: whether any could be read.
 */
bool pwrctl_sensors_highest(const struct pwrctl_sensors *sensors, double *celsius)
{
	bool found = false;
	size_t i;

	for (i = 0; i < sensors->n_zones; i++) {
		if (!sensors->zones[i].seen)
			continue;
		if (!found || sensors->zones[i].highest / 1000.0 > *celsius)
			*celsius = sensors->zones[i].highest / 1000.0;
		found = true;
	}
	return found;
}

/**
 * pwrctl_sensors_now - highest temperature of any zone at the last sample
 * @sensors: sampled
 * @celsius: the temperature
 *
 * Return: whether any could be read.
 */
bool pwrctl_sensors_now(const struct pwrctl_sensors *sensors, double *celsius)
{
	bool found = false;
	size_t i;

	for (i = 0; i < sensors->n_zones; i++) {
		if (!sensors->zones[i].readable)
			continue;
		if (!found || sensors->zones[i].millicelsius / 1000.0 > *celsius)
			*celsius = sensors->zones[i].millicelsius / 1000.0;
		found = true;
	}
	return found;
}
