// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <sys/utsname.h>
#include <time.h>

#include "../module/version.h"
#include "json.h"
#include "trace_file.h"

static struct json_object *begin(const char *event, uint64_t ns)
{
	struct json_object *line = json_object_new_object();

	json_object_object_add(line, "event", json_object_new_string(event));
	json_object_object_add(line, "ns", json_object_new_uint64(ns));
	return line;
}

static void add_string(struct json_object *object, const char *name, const char *value)
{
	json_object_object_add(object, name, value ? json_object_new_string(value) : NULL);
}

static void add_number(struct json_object *object, const char *name, uint64_t value)
{
	json_object_object_add(object, name, json_object_new_uint64(value));
}

static void add_khz(struct json_object *object, const char *name, uint32_t khz)
{
	json_object_object_add(object, name, khz ? json_object_new_uint64(khz) : NULL);
}

/**
 * pwrctl_trace_header - the first line
 * @stream: where to
 * @ns: when recording began
 * @command: what ran meanwhile, or NULL
 */
void pwrctl_trace_header(FILE *stream, uint64_t ns, char *const *command)
{
	struct json_object *line = json_object_new_object(), *list = NULL;
	time_t now = time(NULL);
	struct utsname host;
	struct tm utc;
	char date[32];

	add_string(line, "type", PWRCTL_TRACE_TYPE);
	add_number(line, "version", PWRCTL_TRACE_VERSION);
	add_number(line, "ns", ns);
	gmtime_r(&now, &utc);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &utc);
	add_string(line, "date", date);
	add_string(line, "pwrctl", PWRCTL_VERSION);
	add_string(line, "kernel", uname(&host) ? NULL : host.release);
	for (; command && *command; command++) {
		if (!list)
			list = json_object_new_array();
		json_object_array_add(list, json_object_new_string(*command));
	}
	json_object_object_add(line, "command", list);
	pwrctl_json_line(stream, line);
}

/**
 * pwrctl_trace_settings - settings in force
 * @stream: where to
 * @ns: since when, as far as is known
 * @domain: where, or "" for global
 * @settings: which
 */
void pwrctl_trace_settings(FILE *stream, uint64_t ns, const char *domain,
			   const struct pwrctl_settings *settings)
{
	struct json_object *line = begin("settings", ns);
	char text[128];
	unsigned int i;

	add_string(line, "domain", *domain ? domain : NULL);
	for (i = 0; i < pwrctl_model_settings_count; i++) {
		const struct pwrctl_setting *setting = &pwrctl_model_settings[i];
		uint32_t value = settings->value[setting->id];

		if (!(settings->have & (1u << setting->id)))
			continue;
		if (setting->kind == PWRCTL_KIND_NUMBER)
			add_number(line, setting->name, value);
		else
			add_string(line, setting->name,
				   pwrctl_model_value_text(setting, value, text, sizeof(text)));
	}
	pwrctl_json_line(stream, line);
}

static struct json_object *pelt_of(const struct pwrctl_pelt *pelt)
{
	struct json_object *object = json_object_new_object();

	add_number(object, "stamp", pelt->stamp);
	add_number(object, "sum", pelt->sum);
	add_number(object, "avg", pelt->avg);
	add_number(object, "contrib", pelt->contrib);
	return object;
}

/**
 * pwrctl_trace_domain - what a domain is at
 * @stream: where to
 * @event: "domain" when it was read, "cap" when the module told
 * @domain: all of it
 */
void pwrctl_trace_domain(FILE *stream, const char *event, const struct pwrctl_domain *domain)
{
	struct json_object *line = begin(event, domain->clock_ns), *caps;
	unsigned int i;

	add_string(line, "domain", domain->name);
	if (*event == 'd') {
		add_string(line, "cpus", domain->cpus);
		add_string(line, "driver", domain->driver);
		add_string(line, "reference_origin",
			   pwrctl_model_word(pwrctl_model_origins, domain->reference_origin));
		if (domain->set_ns)
			add_number(line, "set_ns", domain->set_ns);
		if (domain->pelt.stamp)
			json_object_object_add(line, "pelt", pelt_of(&domain->pelt));
	}
	add_number(line, "reference_khz", domain->reference_khz);
	add_khz(line, "cap_khz", domain->cap_khz);
	add_string(line, "cause", pwrctl_model_word(pwrctl_model_causes, domain->cause));
	add_number(line, "since_ns", domain->since_ns);
	add_number(line, "changed_ns", domain->changed_ns);
	add_number(line, "pressure_fine", domain->pressure_fine);
	add_number(line, "average_fine", domain->average_fine);
	caps = json_object_new_object();
	for (i = 0; i < domain->n_caps; i++)
		add_khz(caps, pwrctl_model_word(pwrctl_model_causes, domain->caps[i].cause),
			domain->caps[i].khz);
	json_object_object_add(line, "caps", caps);
	pwrctl_json_line(stream, line);
}

/**
 * pwrctl_trace_cpus - the capacities
 * @stream: where to
 * @ns: when
 * @cpus: of all domains
 * @count: how many
 */
void pwrctl_trace_cpus(FILE *stream, uint64_t ns, const struct pwrctl_cpu *cpus, size_t count)
{
	struct json_object *line = begin("cpus", ns), *list = json_object_new_array(), *cpu;
	size_t i;

	for (i = 0; i < count; i++) {
		cpu = json_object_new_object();
		add_number(cpu, "cpu", cpus[i].cpu);
		add_string(cpu, "domain", cpus[i].domain);
		add_number(cpu, "capacity", cpus[i].capacity);
		json_object_array_add(list, cpu);
	}
	json_object_object_add(line, "cpus", list);
	pwrctl_json_line(stream, line);
}

/**
 * pwrctl_trace_sensors - temperatures and energy
 * @stream: where to
 * @ns: when
 * @sensors: sampled; nothing is written when there are none
 */
void pwrctl_trace_sensors(FILE *stream, uint64_t ns, const struct pwrctl_sensors *sensors)
{
	struct json_object *line, *list, *one;
	size_t i;

	if (!sensors->n_zones && !sensors->n_meters)
		return;
	line = begin("sensors", ns);
	list = json_object_new_array();
	for (i = 0; i < sensors->n_zones; i++) {
		const struct pwrctl_zone *zone = &sensors->zones[i];

		one = json_object_new_object();
		add_string(one, "zone", zone->name);
		add_string(one, "kind", zone->type);
		pwrctl_json_add_real(one, "celsius", zone->readable ? zone->millicelsius / 1000.0 :
				     NAN);
		json_object_array_add(list, one);
	}
	json_object_object_add(line, "zones", list);
	list = json_object_new_array();
	for (i = 0; i < sensors->n_meters; i++) {
		const struct pwrctl_meter *meter = &sensors->meters[i];

		one = json_object_new_object();
		add_string(one, "meter", meter->name);
		add_string(one, "kind", meter->label);
		pwrctl_json_add_real(one, "joules", pwrctl_energy_known(&meter->energy) ?
				     (double)meter->energy.total_uj / 1e6 : NAN);
		json_object_array_add(list, one);
	}
	json_object_object_add(line, "energy", list);
	pwrctl_json_line(stream, line);
}

/**
 * pwrctl_trace_mark - something without more to say
 * @stream: where to
 * @event: "resync" where events were lost, "gone" when a domain left
 * @ns: when it was noticed
 * @domain: which, or NULL
 */
void pwrctl_trace_mark(FILE *stream, const char *event, uint64_t ns, const char *domain)
{
	struct json_object *line = begin(event, ns);

	if (domain)
		add_string(line, "domain", domain);
	pwrctl_json_line(stream, line);
}

/**
 * pwrctl_trace_end - the last line, without which a file is cut off
 * @stream: where to
 * @ns: when recording ended
 * @status: of the command, or NULL when there was none
 */
void pwrctl_trace_end(FILE *stream, uint64_t ns, const int *status)
{
	struct json_object *line = begin("end", ns);

	json_object_object_add(line, "status", status ? json_object_new_int(*status) : NULL);
	pwrctl_json_line(stream, line);
}
