/* SPDX-License-Identifier: GPL-2.0-only */
/* Settings: one table, one setter for netlink, debugfs and module parameters. */
#ifndef _PWRCTL_SETTINGS_H
#define _PWRCTL_SETTINGS_H

#include <linux/types.h>
#include <linux/pwrctl.h>

struct pwrctl_domain;
struct pwrctl_filter_params;

/* One past the last key that can be set. */
#define PWRCTL_SETTINGS_END	PWRCTL_A_SET_OWN

/* Can be set globally, for one domain, or both. */
enum pwrctl_setting_scope {
	PWRCTL_SCOPE_GLOBAL = 1,
	PWRCTL_SCOPE_DOMAIN = 2,
	PWRCTL_SCOPE_BOTH = 3,
};

/* How a value is written. */
enum pwrctl_setting_kind {
	PWRCTL_KIND_NUMBER,
	PWRCTL_KIND_MODE,
	PWRCTL_KIND_OUTLET,
	PWRCTL_KIND_CAUSES,
};

/**
 * struct pwrctl_setting - one row of the table
 * @name: the key
 * @refusal: what a refusal says
 * @kind: how a value is written
 * @scope: where it can be set
 * @least: smallest value
 * @most: largest value
 * @preset: default
 */
struct pwrctl_setting {
	const char *name;
	const char *refusal;
	enum pwrctl_setting_kind kind;
	enum pwrctl_setting_scope scope;
	u32 least;
	u32 most;
	u32 preset;
};

/**
 * struct pwrctl_change - what one request wants to change
 * @set: keys to set, a mask of BIT(PWRCTL_A_SET_*)
 * @unset: keys to unset, a mask of the same kind
 * @value: new value of each key in @set
 */
struct pwrctl_change {
	u32 set;
	u32 unset;
	u32 value[PWRCTL_SETTINGS_END];
};

/**
 * struct pwrctl_refusal - why a change was refused
 * @key: PWRCTL_A_SET_* or 0 when no single key is to blame
 * @sentence: a constant sentence, never NULL after a refusal
 */
struct pwrctl_refusal {
	unsigned int key;
	const char *sentence;
};

/* Rows by PWRCTL_A_SET_*; row 0 is empty. */
extern const struct pwrctl_setting pwrctl_settings_table[PWRCTL_SETTINGS_END];

int pwrctl_settings_start(void);
void pwrctl_settings_stop(void);
int pwrctl_settings_check(const struct pwrctl_change *change, bool domain,
			  struct pwrctl_refusal *why);
int pwrctl_settings_apply(const struct pwrctl_change *change, struct pwrctl_domain *domain,
			  struct pwrctl_refusal *why);
u32 pwrctl_settings_get(const struct pwrctl_domain *domain, unsigned int key);
u32 pwrctl_settings_own(const struct pwrctl_domain *domain);
void pwrctl_settings_params(const struct pwrctl_domain *domain,
			    struct pwrctl_filter_params *params);
u32 pwrctl_settings_quantum(void);
int pwrctl_settings_parse(unsigned int key, const char *text, u32 *value,
			  struct pwrctl_refusal *why);
int pwrctl_settings_format(unsigned int key, u32 value, char *text, size_t size);
const char *pwrctl_settings_cause_word(unsigned int cause);
const char *pwrctl_settings_origin_word(unsigned int origin);
const char *pwrctl_settings_door_word(unsigned int state);
const char *pwrctl_settings_mode_word(unsigned int mode);

#endif /* _PWRCTL_SETTINGS_H */
