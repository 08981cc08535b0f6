// SPDX-License-Identifier: GPL-2.0-only
/*
 * Settings: what was set globally and for each domain, checked in one place.
 *
 * A domain's own settings outlive the domain, so that a cpufreq driver may go and come back:
 * they are kept by the number in the policy's name, which is a possible CPU's.
 */
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat.h"
#include "pwrctl.h"

#define NUMBER	PWRCTL_KIND_NUMBER
#define MODE	PWRCTL_KIND_MODE
#define OUTLET	PWRCTL_KIND_OUTLET
#define CAUSES	PWRCTL_KIND_CAUSES

const struct pwrctl_setting pwrctl_settings_table[PWRCTL_SETTINGS_END] = {
#define PWRCTL_SETTING(id, _name, _kind, _least, _most, _preset, unit, _scope, _refusal, help) \
	[PWRCTL_A_SET_##id] = {						\
		.name = #_name,						\
		.refusal = _refusal,					\
		.kind = _kind,						\
		.scope = PWRCTL_SCOPE_##_scope,				\
		.least = _least,					\
		.most = _most,						\
		.preset = _preset,					\
	},
#include "settings_table.h"
#undef PWRCTL_SETTING
};

#undef NUMBER
#undef MODE
#undef OUTLET
#undef CAUSES

static const char *const mode_words[] = {
#define PWRCTL_WORDS_MODE
#define PWRCTL_WORD(number, word)	\
	[number] = word,
#include "words.h"
#undef PWRCTL_WORDS_MODE
};

static const char *const outlet_words[] = {
#define PWRCTL_WORDS_OUTLET
#include "words.h"
#undef PWRCTL_WORDS_OUTLET
};

static const char *const cause_words[] = {
#define PWRCTL_WORDS_CAUSE
#include "words.h"
#undef PWRCTL_WORDS_CAUSE
};

static const char *const door_words[] = {
#define PWRCTL_WORDS_DOOR
#include "words.h"
#undef PWRCTL_WORDS_DOOR
};

static const char *const origin_words[] = {
#define PWRCTL_WORDS_ORIGIN
#include "words.h"
#undef PWRCTL_WORDS_ORIGIN
#undef PWRCTL_WORD
};

/* Global values; pwrctl_attach_mutex, except that single ones are read without it. */
static u32 global_values[PWRCTL_SETTINGS_END];

/**
 * struct own - what one domain was set to itself
 * @mode: PWRCTL_A_SET_MODE
 * @pelt_shift: PWRCTL_A_SET_PELT_SHIFT
 * @set: mask of the keys that are set
 * @decay_ms: PWRCTL_A_SET_DECAY_MS
 * @fall_ms: PWRCTL_A_SET_FALL_MS
 * @reference_khz: PWRCTL_A_SET_REFERENCE_KHZ
 */
struct own {
	u8 mode;
	u8 pelt_shift;
	u16 set;
	u32 decay_ms;
	u32 fall_ms;
	u32 reference_khz;
};

/* By the number in the domain's name; pwrctl_attach_mutex. */
static struct own *owns;

static u32 own_get(const struct own *own, unsigned int key)
{
	switch (key) {
	case PWRCTL_A_SET_MODE:
		return own->mode;
	case PWRCTL_A_SET_DECAY_MS:
		return own->decay_ms;
	case PWRCTL_A_SET_FALL_MS:
		return own->fall_ms;
	case PWRCTL_A_SET_PELT_SHIFT:
		return own->pelt_shift;
	default:
		return own->reference_khz;
	}
}

static void own_put(struct own *own, unsigned int key, u32 value)
{
	switch (key) {
	case PWRCTL_A_SET_MODE:
		own->mode = value;
		break;
	case PWRCTL_A_SET_DECAY_MS:
		own->decay_ms = value;
		break;
	case PWRCTL_A_SET_FALL_MS:
		own->fall_ms = value;
		break;
	case PWRCTL_A_SET_PELT_SHIFT:
		own->pelt_shift = value;
		break;
	case PWRCTL_A_SET_REFERENCE_KHZ:
		own->reference_khz = value;
		break;
	}
	own->set |= BIT(key);
}

static int refuse(struct pwrctl_refusal *why, unsigned int key, const char *sentence, int error)
{
	why->key = key;
	why->sentence = sentence;
	return error;
}

static int check_value(unsigned int key, u32 value, struct pwrctl_refusal *why)
{
	const struct pwrctl_setting *setting = &pwrctl_settings_table[key];

	if (value < setting->least || value > setting->most ||
	    (setting->kind == PWRCTL_KIND_CAUSES && value & BIT(PWRCTL_CAUSE_NONE)))
		return refuse(why, key, setting->refusal, -ERANGE);
	if (key == PWRCTL_A_SET_OUTLET && value == PWRCTL_OUTLET_HW_PRESSURE &&
	    !pwrctl_door_present())
		return refuse(why, key, "outlet hw_pressure: this kernel cannot be told",
			      -EOPNOTSUPP);
	return 0;
}

/**
 * pwrctl_settings_check() - would this change be accepted?
 * @change: the change
 * @domain: is it for one domain?
 * @why: filled in when not
 *
 * Context: Any.
 * Return: 0, or -EINVAL, -ERANGE or -EOPNOTSUPP with @why filled in
 */
int pwrctl_settings_check(const struct pwrctl_change *change, bool domain,
			  struct pwrctl_refusal *why)
{
	u32 scope = domain ? PWRCTL_SCOPE_DOMAIN : PWRCTL_SCOPE_GLOBAL;
	u32 keys = change->set | change->unset;
	unsigned int key;
	int ret;

	if (!keys)
		return refuse(why, 0, "no setting given", -EINVAL);
	if (keys & ~(BIT(PWRCTL_SETTINGS_END) - 2))
		return refuse(why, 0, "no such setting", -EINVAL);
	if (change->set & change->unset)
		return refuse(why, 0, "a setting cannot be set and unset at once", -EINVAL);

	for (key = 1; key < PWRCTL_SETTINGS_END; key++) {
		if (!(keys & BIT(key)))
			continue;
		if (!(pwrctl_settings_table[key].scope & scope))
			return refuse(why, key, domain ?
				      "this setting is global, not one of a domain" :
				      "this setting is one of a domain, not global", -EINVAL);
		if (!(change->set & BIT(key)))
			continue;
		ret = check_value(key, change->value[key], why);
		if (ret)
			return ret;
	}
	return 0;
}

static void apply_own(const struct pwrctl_change *change, struct own *own)
{
	unsigned int key;

	own->set &= ~change->unset;
	for (key = 1; key < PWRCTL_SETTINGS_END; key++)
		if (change->set & BIT(key))
			own_put(own, key, change->value[key]);
}

static void apply_global(const struct pwrctl_change *change)
{
	unsigned int key;

	for (key = 1; key < PWRCTL_SETTINGS_END; key++) {
		if (change->set & BIT(key))
			WRITE_ONCE(global_values[key], change->value[key]);
		else if (change->unset & BIT(key))
			WRITE_ONCE(global_values[key], pwrctl_settings_table[key].preset);
	}
}

/**
 * pwrctl_settings_apply() - change settings, all of them or none
 * @change: the change
 * @domain: for this domain, or NULL for the global settings
 * @why: filled in after a refusal
 *
 * Context: Process context; pwrctl_attach_mutex held.
 * Return: 0, or what pwrctl_settings_check() says
 */
int pwrctl_settings_apply(const struct pwrctl_change *change, struct pwrctl_domain *domain,
			  struct pwrctl_refusal *why)
{
	struct pwrctl_domain *each;
	int ret;

	lockdep_assert_held(&pwrctl_attach_mutex);

	ret = pwrctl_settings_check(change, domain, why);
	if (ret)
		return ret;

	if (domain) {
		apply_own(change, &owns[domain->id]);
		pwrctl_domain_reconfigure(domain);
	} else {
		apply_global(change);
		list_for_each_entry(each, &pwrctl_domains, list)
			pwrctl_domain_reconfigure(each);
	}
	pwrctl_hint_tell_settings(domain);
	return 0;
}

/**
 * pwrctl_settings_get() - the value in force
 * @domain: for this domain, or NULL for the global settings
 * @key: PWRCTL_A_SET_*
 *
 * Context: With a domain: pwrctl_attach_mutex held. Without: any.
 * Return: the domain's own value if it has one, else the global one
 */
u32 pwrctl_settings_get(const struct pwrctl_domain *domain, unsigned int key)
{
	if (domain && owns[domain->id].set & BIT(key))
		return own_get(&owns[domain->id], key);
	return READ_ONCE(global_values[key]);
}

/**
 * pwrctl_settings_own() - which keys were set here
 * @domain: for this domain, or NULL for the global settings
 *
 * Context: pwrctl_attach_mutex held.
 * Return: mask of BIT(key): set for the domain itself; globally, away from the default
 */
u32 pwrctl_settings_own(const struct pwrctl_domain *domain)
{
	unsigned int key;
	u32 own = 0;

	if (domain)
		return owns[domain->id].set;
	for (key = 1; key < PWRCTL_SETTINGS_END; key++)
		if (global_values[key] != pwrctl_settings_table[key].preset)
			own |= BIT(key);
	return own;
}

/**
 * pwrctl_settings_params() - a domain's filter parameters
 * @domain: the domain
 * @params: filled in
 *
 * Context: pwrctl_attach_mutex held.
 */
void pwrctl_settings_params(const struct pwrctl_domain *domain,
			    struct pwrctl_filter_params *params)
{
	*params = (struct pwrctl_filter_params) {
		.mode = pwrctl_settings_get(domain, PWRCTL_A_SET_MODE),
		.pelt_shift = pwrctl_settings_get(domain, PWRCTL_A_SET_PELT_SHIFT),
		.decay_ms = pwrctl_settings_get(domain, PWRCTL_A_SET_DECAY_MS),
		.fall_ms = pwrctl_settings_get(domain, PWRCTL_A_SET_FALL_MS),
	};
}

/**
 * pwrctl_settings_quantum() - the movement worth a push
 *
 * Context: Any.
 * Return: in parts of 1024
 */
u32 pwrctl_settings_quantum(void)
{
	return READ_ONCE(global_values[PWRCTL_A_SET_QUANTUM]);
}

static int parse_word(const char *text, size_t length, const char *const *words, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strlen(words[i]) == length && !memcmp(words[i], text, length))
			return i;
	return -EINVAL;
}

static int parse_causes(const char *text, u32 *value)
{
	u32 causes = 0;

	if (!strcmp(text, "none")) {
		*value = 0;
		return 0;
	}
	for (;;) {
		size_t length = strcspn(text, ",");
		int cause = parse_word(text, length, cause_words, ARRAY_SIZE(cause_words));

		if (cause <= 0)
			return -EINVAL;
		causes |= BIT(cause);
		if (!text[length])
			break;
		text += length + 1;
	}
	*value = causes;
	return 0;
}

/**
 * pwrctl_settings_parse() - a value from text
 * @key: PWRCTL_A_SET_*
 * @text: without white space around it
 * @value: filled in
 * @why: filled in after a refusal
 *
 * The value's range is left to pwrctl_settings_check().
 *
 * Context: Any.
 * Return: 0, -EINVAL or -ERANGE
 */
int pwrctl_settings_parse(unsigned int key, const char *text, u32 *value,
			  struct pwrctl_refusal *why)
{
	const struct pwrctl_setting *setting = &pwrctl_settings_table[key];
	int ret = -EINVAL;

	switch (setting->kind) {
	case PWRCTL_KIND_NUMBER:
		ret = kstrtou32(text, 10, value);
		break;
	case PWRCTL_KIND_MODE:
		ret = parse_word(text, strlen(text), mode_words, ARRAY_SIZE(mode_words));
		break;
	case PWRCTL_KIND_OUTLET:
		ret = parse_word(text, strlen(text), outlet_words, ARRAY_SIZE(outlet_words));
		break;
	case PWRCTL_KIND_CAUSES:
		ret = parse_causes(text, value);
		break;
	}
	if (ret < 0)
		return refuse(why, key, setting->refusal, ret);
	if (setting->kind == PWRCTL_KIND_MODE || setting->kind == PWRCTL_KIND_OUTLET)
		*value = ret;
	return 0;
}

/**
 * pwrctl_settings_format() - a value as text
 * @key: PWRCTL_A_SET_*
 * @value: legal for the key
 * @text: filled in
 * @size: of @text
 *
 * Context: Any.
 * Return: length of the text
 */
int pwrctl_settings_format(unsigned int key, u32 value, char *text, size_t size)
{
	const char *comma = "";
	int length = 0;
	size_t cause;

	switch (pwrctl_settings_table[key].kind) {
	case PWRCTL_KIND_MODE:
		return scnprintf(text, size, "%s", mode_words[value]);
	case PWRCTL_KIND_OUTLET:
		return scnprintf(text, size, "%s", outlet_words[value]);
	case PWRCTL_KIND_CAUSES:
		if (!value)
			return scnprintf(text, size, "none");
		for (cause = 1; cause < ARRAY_SIZE(cause_words); cause++) {
			if (!(value & BIT(cause)))
				continue;
			length += scnprintf(text + length, size - length, "%s%s", comma,
					    cause_words[cause]);
			comma = ",";
		}
		return length;
	case PWRCTL_KIND_NUMBER:
		break;
	}
	return scnprintf(text, size, "%u", value);
}

/**
 * pwrctl_settings_cause_word() - a cause as a word
 * @cause: enum pwrctl_cause
 *
 * Context: Any.
 * Return: a constant string
 */
const char *pwrctl_settings_cause_word(unsigned int cause)
{
	return cause_words[cause];
}

/**
 * pwrctl_settings_origin_word() - a reference's origin as words
 * @origin: enum pwrctl_origin
 *
 * Context: Any.
 * Return: a constant string
 */
const char *pwrctl_settings_origin_word(unsigned int origin)
{
	return origin_words[origin];
}

/**
 * pwrctl_settings_door_word() - a door's state as a word
 * @state: enum pwrctl_door_state
 *
 * Context: Any.
 * Return: a constant string
 */
const char *pwrctl_settings_door_word(unsigned int state)
{
	return door_words[state];
}

/**
 * pwrctl_settings_mode_word() - a mode as a word
 * @mode: enum pwrctl_mode
 *
 * Context: Any.
 * Return: a constant string
 */
const char *pwrctl_settings_mode_word(unsigned int mode)
{
	return mode_words[mode];
}

/* Start-up values, as text: a bad one costs one warning and leaves the default. */
#define PARAM(key) \
	static char *param_##key; \
	module_param_named(key, param_##key, charp, 0444)

PARAM(mode);
MODULE_PARM_DESC(mode, "off, instant, pelt or decay (default decay)");
PARAM(decay_ms);
MODULE_PARM_DESC(decay_ms, "half-life in ms while pressure rises, 1 to 60000 (default 250)");
PARAM(fall_ms);
MODULE_PARM_DESC(fall_ms, "half-life in ms while pressure falls, 0 (as decay_ms, default) to 60000");
PARAM(pelt_shift);
MODULE_PARM_DESC(pelt_shift, "half-life of mode pelt is 33.554 ms << pelt_shift, 0 to 10 (default 0)");
PARAM(count);
MODULE_PARM_DESC(count, "causes that make pressure (default thermal,hw,other,injected)");
PARAM(quantum);
MODULE_PARM_DESC(quantum, "movement worth telling, 1 to 256 of 1024 (default 16)");
PARAM(outlet);
MODULE_PARM_DESC(outlet, "what the kernel's scheduler is told: auto, none or hw_pressure");

static void start_value(unsigned int key, const char *text)
{
	struct pwrctl_change change = { .set = BIT(key) };
	struct pwrctl_refusal why;

	if (!text)
		return;
	if (pwrctl_settings_parse(key, text, &change.value[key], &why) ||
	    pwrctl_settings_check(&change, false, &why)) {
		pr_warn("parameter %s=%s refused: %s\n", pwrctl_settings_table[key].name, text,
			why.sentence);
		return;
	}
	global_values[key] = change.value[key];
}

/**
 * pwrctl_settings_start() - defaults, then module parameters
 *
 * Context: Process context, before anything else starts.
 * Return: 0 or -ENOMEM
 */
int pwrctl_settings_start(void)
{
	unsigned int key;

	owns = kcalloc(nr_cpu_ids, sizeof(*owns), GFP_KERNEL);
	if (!owns)
		return -ENOMEM;
	for (key = 1; key < PWRCTL_SETTINGS_END; key++)
		global_values[key] = pwrctl_settings_table[key].preset;

	start_value(PWRCTL_A_SET_MODE, param_mode);
	start_value(PWRCTL_A_SET_DECAY_MS, param_decay_ms);
	start_value(PWRCTL_A_SET_FALL_MS, param_fall_ms);
	start_value(PWRCTL_A_SET_PELT_SHIFT, param_pelt_shift);
	start_value(PWRCTL_A_SET_COUNT, param_count);
	start_value(PWRCTL_A_SET_QUANTUM, param_quantum);
	start_value(PWRCTL_A_SET_OUTLET, param_outlet);
	return 0;
}

/**
 * pwrctl_settings_stop() - undo pwrctl_settings_start()
 *
 * Context: Process context, after everything else has stopped.
 */
void pwrctl_settings_stop(void)
{
	kfree(owns);
}
