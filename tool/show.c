// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <string.h>

#include "show.h"

static void show_number(struct pwrctl_out *out, const char *name, const char *head,
			enum pwrctl_unit unit, uint64_t value)
{
	if (value)
		pwrctl_out_number(out, name, head, unit, value);
	else
		pwrctl_out_null(out, name, head);
}

static void show_parts(struct pwrctl_out *out, const char *name, const char *head, uint32_t value)
{
	char note[32];

	snprintf(note, sizeof(note), "of %u, %.1f %%", PWRCTL_SCALE, 100.0 * value / PWRCTL_SCALE);
	pwrctl_out_number_noted(out, name, head, PWRCTL_UNIT_NONE, value, note);
}

static void show_since(struct pwrctl_out *out, const struct pwrctl_domain *domain,
		       const char *name, const char *head, uint64_t since_ns)
{
	char span[64], note[80];

	pwrctl_out_unit(PWRCTL_UNIT_NS, domain->clock_ns > since_ns ?
			domain->clock_ns - since_ns : 0, span, sizeof(span));
	snprintf(note, sizeof(note), "%s ago", span);
	pwrctl_out_number_noted(out, name, head, PWRCTL_UNIT_NS, since_ns, note);
}

static void show_caps(struct pwrctl_out *out, const struct pwrctl_domain *domain)
{
	char text[64], note[80];
	unsigned int i;

	pwrctl_out_list(out, "caps", "Caps by cause:", "no cause can be told on this kernel");
	for (i = 0; i < domain->n_caps; i++) {
		const struct pwrctl_cap *cap = &domain->caps[i];

		pwrctl_out_object(out, NULL, NULL);
		pwrctl_out_string(out, "cause", "CAUSE",
				  pwrctl_model_word(pwrctl_model_causes, cap->cause));
		show_number(out, "khz", "CAP", PWRCTL_UNIT_KHZ, cap->khz);
		if (!cap->until_ns) {
			pwrctl_out_null(out, "until_ns", "UNTIL");
		} else {
			pwrctl_out_unit(PWRCTL_UNIT_NS, cap->until_ns > domain->clock_ns ?
					cap->until_ns - domain->clock_ns : 0, text, sizeof(text));
			snprintf(note, sizeof(note), "in %s", text);
			pwrctl_out_number_noted(out, "until_ns", "UNTIL", PWRCTL_UNIT_NS,
						cap->until_ns, note);
		}
		pwrctl_out_object_end(out);
	}
	pwrctl_out_list_end(out);
}

/* A cause that the kernel does not tell is absent from the message: people must see that. */
static void show_untold(struct pwrctl_out *out, const struct pwrctl_domain *domain)
{
	const struct pwrctl_word *word;
	uint32_t told = 0;
	unsigned int i;

	for (i = 0; i < domain->n_caps; i++)
		if (domain->caps[i].cause < 32)
			told |= 1u << domain->caps[i].cause;
	for (word = pwrctl_model_causes; word->word; word++)
		if (word->number && !(told & (1u << word->number)))
			pwrctl_out_say(out, "%s: not available on this kernel", word->word);
}

/* The part that monitor repeats with every event, too. */
static void show_state(struct pwrctl_out *out, const struct pwrctl_domain *domain)
{
	pwrctl_out_string(out, "name", "domain", domain->name);
	pwrctl_out_string(out, "cpus", "cpus", domain->cpus);
	if (*domain->driver)
		pwrctl_out_string(out, "driver", "driver", domain->driver);
	else
		pwrctl_out_null(out, "driver", "driver");
	pwrctl_out_number(out, "clock_ns", "clock", PWRCTL_UNIT_NS, domain->clock_ns);
	pwrctl_out_number_noted(out, "reference_khz", "reference", PWRCTL_UNIT_KHZ,
				domain->reference_khz,
				pwrctl_model_word(pwrctl_model_origins, domain->reference_origin));
	pwrctl_out_string(out, "reference_origin", NULL,
			  pwrctl_model_word(pwrctl_model_origins, domain->reference_origin));
	show_number(out, "cap_khz", "cap", PWRCTL_UNIT_KHZ, domain->cap_khz);
	pwrctl_out_string(out, "cause", "cause",
			  pwrctl_model_word(pwrctl_model_causes, domain->cause));
	show_since(out, domain, "since_ns", "since", domain->since_ns);
	show_parts(out, "pressure", "pressure", domain->pressure);
	show_parts(out, "average", "average", domain->average);
}

/* What the kernel's own scheduler was told, and by whom else. */
static void show_door(struct pwrctl_out *out, const struct pwrctl_domain *domain)
{
	const struct pwrctl_door *door = &domain->door;

	pwrctl_out_string(out, "door", "told to the scheduler",
			  pwrctl_model_word(pwrctl_model_doors, door->state));
	if (door->state == PWRCTL_DOOR_NONE)
		return;
	pwrctl_out_number(out, "door_pushes", "told how often", PWRCTL_UNIT_NONE, door->pushes);
	if (door->pushed_ns)
		pwrctl_out_number(out, "door_pushed", "told last", PWRCTL_UNIT_NONE, door->pushed);
	else
		pwrctl_out_null(out, "door_pushed", "told last");
	if (door->foreign_ns)
		pwrctl_out_number(out, "door_foreign", "told by others", PWRCTL_UNIT_NONE,
				  door->foreign);
	else
		pwrctl_out_string(out, "door_foreign", "told by others", "unknown");
	pwrctl_out_number(out, "door_foreign_writes", "how often by others", PWRCTL_UNIT_NONE,
			  door->foreign_writes);
	if (door->flags & PWRCTL_DOOR_CANNOT_FOLLOW)
		pwrctl_out_say(out, "the scheduler's own average is slower than this one and "
			       "cannot follow it");
	if (door->flags & PWRCTL_DOOR_RELEASE_ONLY)
		pwrctl_out_say(out, "the scheduler knows cpufreq's caps at once: what is told "
			       "shapes their release");
}

/* For programs that go on from here with a filter of their own. */
static void show_filter(struct pwrctl_out *out, const struct pwrctl_domain *domain)
{
	const struct pwrctl_pelt *pelt = &domain->pelt;

	if (!pwrctl_out_is_json(out))
		return;
	if (domain->set_ns)
		pwrctl_out_number(out, "set_ns", NULL, PWRCTL_UNIT_NONE, domain->set_ns);
	else
		pwrctl_out_null(out, "set_ns", NULL);
	if (!pelt->stamp) {
		pwrctl_out_null(out, "pelt", NULL);
		return;
	}
	pwrctl_out_object(out, "pelt", NULL);
	pwrctl_out_number(out, "stamp", NULL, PWRCTL_UNIT_NONE, pelt->stamp);
	pwrctl_out_number(out, "sum", NULL, PWRCTL_UNIT_NONE, pelt->sum);
	pwrctl_out_number(out, "avg", NULL, PWRCTL_UNIT_NONE, pelt->avg);
	pwrctl_out_number(out, "contrib", NULL, PWRCTL_UNIT_NONE, pelt->contrib);
	pwrctl_out_object_end(out);
}

/**
 * pwrctl_show_domain - describe one domain in full
 * @out: an object is open
 * @domain: which
 * @settings: in force there, or NULL when they are not known
 */
void pwrctl_show_domain(struct pwrctl_out *out, const struct pwrctl_domain *domain,
			const struct pwrctl_settings *settings)
{
	show_state(out, domain);
	show_since(out, domain, "changed_ns", "pressure changed", domain->changed_ns);
	pwrctl_out_number(out, "pressure_fine", NULL, PWRCTL_UNIT_NONE, domain->pressure_fine);
	pwrctl_out_number(out, "average_fine", NULL, PWRCTL_UNIT_NONE, domain->average_fine);
	pwrctl_out_number(out, "events", "events", PWRCTL_UNIT_NONE, domain->events);
	pwrctl_out_number(out, "pushes", "pushes", PWRCTL_UNIT_NONE, domain->pushes);
	pwrctl_out_number(out, "timer_fires", "timer fires", PWRCTL_UNIT_NONE,
			  domain->timer_fires);
	pwrctl_out_number(out, "total_ns", "watched", PWRCTL_UNIT_NS, domain->total_ns);
	pwrctl_out_number(out, "capped_ns", "under pressure", PWRCTL_UNIT_NS, domain->capped_ns);
	pwrctl_out_number(out, "mean_cap_khz", "mean cap", PWRCTL_UNIT_KHZ, domain->mean_cap_khz);
	show_parts(out, "mean_pressure", "mean pressure", domain->mean_pressure);
	pwrctl_out_number(out, "lost_ns", "capacity lost", PWRCTL_UNIT_NS, domain->lost_ns);
	show_filter(out, domain);
	show_caps(out, domain);
	show_untold(out, domain);
	show_door(out, domain);
	if (!settings) {
		pwrctl_out_null(out, "settings", NULL);
		return;
	}
	pwrctl_out_object(out, "settings", "Settings:");
	pwrctl_show_settings(out, settings, settings->have, true);
	pwrctl_out_object_end(out);
	pwrctl_show_own(out, settings);
}

static void show_causes(struct pwrctl_out *out, const char *name, uint32_t set, const char *note)
{
	const struct pwrctl_word *word;
	char text[128];

	if (!pwrctl_out_is_json(out)) {
		pwrctl_out_noted(out, name, name, pwrctl_model_causes_text(set, text, sizeof(text)),
				 note);
		return;
	}
	pwrctl_out_list(out, name, NULL, NULL);
	for (word = pwrctl_model_causes; word->word; word++)
		if (word->number && set & (1u << word->number))
			pwrctl_out_string(out, NULL, NULL, word->word);
	pwrctl_out_list_end(out);
}

/**
 * pwrctl_show_settings - print values of settings
 * @out: an object is open
 * @settings: the values
 * @keys: mask of the ones to print (1 << PWRCTL_A_SET_*)
 * @marked: say to people which ones were set here
 */
void pwrctl_show_settings(struct pwrctl_out *out, const struct pwrctl_settings *settings,
			  uint32_t keys, bool marked)
{
	char text[128];
	unsigned int i;

	for (i = 0; i < pwrctl_model_settings_count; i++) {
		const struct pwrctl_setting *setting = &pwrctl_model_settings[i];
		uint32_t bit = 1u << setting->id, value = settings->value[setting->id];
		const char *note = NULL;

		if (!(keys & settings->have & bit))
			continue;
		if (marked)
			note = settings->own & bit ? "set here" :
			       setting->scope == PWRCTL_SCOPE_DOMAIN ? "default" : "global";
		if (setting->kind == PWRCTL_KIND_CAUSES)
			show_causes(out, setting->name, value, note);
		else if (setting->kind == PWRCTL_KIND_NUMBER)
			pwrctl_out_number_noted(out, setting->name, setting->name, PWRCTL_UNIT_NONE,
						value, note);
		else
			pwrctl_out_noted(out, setting->name, setting->name,
					 pwrctl_model_value_text(setting, value, text,
								 sizeof(text)), note);
	}
}

/**
 * pwrctl_show_own - print which keys were set here, JSON only
 * @out: an object is open
 * @settings: the values
 */
void pwrctl_show_own(struct pwrctl_out *out, const struct pwrctl_settings *settings)
{
	unsigned int i;

	if (!pwrctl_out_is_json(out))
		return;
	pwrctl_out_list(out, "own", NULL, NULL);
	for (i = 0; i < pwrctl_model_settings_count; i++)
		if (settings->own & (1u << pwrctl_model_settings[i].id))
			pwrctl_out_string(out, NULL, NULL, pwrctl_model_settings[i].name);
	pwrctl_out_list_end(out);
}
