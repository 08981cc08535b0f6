// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../module/version.h"
#include "config.h"
#include "file.h"
#include "out.h"
#include "parse.h"

#define LINE_SIZE	1024
#define GLOBAL		"global"

/* More domains than any machine has CPUs: a file that goes on for ever is no settings file. */
#define SCOPES_MAX	8192

static struct pwrctl_config_scope *add_scope(struct pwrctl_config *config, const char *domain)
{
	struct pwrctl_config_scope *scope;

	if (config->count >= SCOPES_MAX)
		return NULL;
	scope = reallocarray(config->scopes, config->count + 1, sizeof(*scope));
	if (!scope)
		return NULL;
	config->scopes = scope;
	scope += config->count++;
	memset(scope, 0, sizeof(*scope));
	snprintf(scope->domain, sizeof(scope->domain), "%s", domain);
	return scope;
}

static struct pwrctl_config_scope *find(const struct pwrctl_config *config, const char *domain)
{
	size_t i;

	for (i = 0; i < config->count; i++)
		if (!strcmp(config->scopes[i].domain, domain))
			return &config->scopes[i];
	return NULL;
}

/**
 * pwrctl_config_find - what is set in one place
 * @config: all places
 * @domain: a name, or "" for global
 *
 * Return: the scope, or NULL when there is none.
 */
const struct pwrctl_config_scope *pwrctl_config_find(const struct pwrctl_config *config,
						     const char *domain)
{
	return find(config, domain);
}

/**
 * pwrctl_config_free - forget
 * @config: or one that is zeroed
 */
void pwrctl_config_free(struct pwrctl_config *config)
{
	free(config->scopes);
	memset(config, 0, sizeof(*config));
}

static int fetch_scope(struct pwrctl_client *client, struct pwrctl_config *config,
		       const char *domain)
{
	struct pwrctl_config_scope *scope = add_scope(config, domain);
	int error;

	if (!scope)
		return -ENOMEM;
	error = pwrctl_client_get_settings(client, *domain ? domain : NULL, &scope->own);
	scope->own.have &= scope->own.own;
	return error;
}

/**
 * pwrctl_config_fetch - read all settings from the module
 * @client: open
 * @config: to be freed, after a failure too
 *
 * Return: 0 or -errno; the client's fault tells why.
 */
int pwrctl_config_fetch(struct pwrctl_client *client, struct pwrctl_config *config)
{
	struct pwrctl_domain *domains = NULL;
	size_t count = 0, i;
	int error;

	memset(config, 0, sizeof(*config));
	error = fetch_scope(client, config, "");
	if (!error)
		error = pwrctl_client_get_domains(client, &domains, &count);
	for (i = 0; !error && i < count; i++)
		error = fetch_scope(client, config, domains[i].name);
	free(domains);
	return error;
}

/* --- text -------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4)))
static int bad_line(const char *path, unsigned int line, const char *format, ...)
{
	char text[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	pwrctl_out_error("%s:%u: %s", path, line, text);
	return -EINVAL;
}

static int parse_setting(const char *path, unsigned int line, struct pwrctl_config_scope *scope,
			 const char *key, const char *value)
{
	const struct pwrctl_setting *setting = pwrctl_model_setting(key);
	uint32_t number;

	if (!setting)
		return bad_line(path, line, "there is no key %s", key);
	if (setting->scope == (*scope->domain ? PWRCTL_SCOPE_GLOBAL : PWRCTL_SCOPE_DOMAIN))
		return bad_line(path, line, "%s is a key of %s only", key,
				*scope->domain ? "global" : "domains");
	if (scope->own.have & (1u << setting->id))
		return bad_line(path, line, "%s is set twice", key);
	if (pwrctl_parse_value(value, setting, &number) || number < setting->least ||
	    number > setting->most)
		return bad_line(path, line, "cannot set %s to %s: %s", key, value,
				setting->refusal);
	scope->own.value[setting->id] = number;
	scope->own.have |= 1u << setting->id;
	return 0;
}

static int parse_line(char *text, const char *path, unsigned int line,
		      struct pwrctl_config *config)
{
	char *rest, *where, *key, *value;
	struct pwrctl_config_scope *scope;

	text[strcspn(text, "#")] = '\0';
	where = strtok_r(text, " \t", &rest);
	if (!where)
		return 0;
	key = strtok_r(NULL, " \t", &rest);
	value = strtok_r(NULL, " \t", &rest);
	if (!strcmp(where, GLOBAL))
		where = "";
	else if (!pwrctl_parse_is_domain(where))
		return bad_line(path, line, "%s is neither global nor a domain (policy0)", where);
	if (!key || !value || strtok_r(NULL, " \t", &rest))
		return bad_line(path, line, "a line must be \"global KEY VALUE\" or "
				"\"policyN KEY VALUE\"");
	scope = find(config, where);
	if (!scope)
		scope = add_scope(config, where);
	if (!scope)
		return bad_line(path, line, "too many domains");
	if (!scope->line)
		scope->line = line;
	return parse_setting(path, line, scope, key, value);
}

/**
 * pwrctl_config_parse - read a file of settings
 * @stream: from where
 * @path: its name, for what the user is told
 * @config: to be freed, after a failure too
 *
 * Tells the user what is wrong in which line.
 *
 * Return: 0 or -errno.
 */
int pwrctl_config_parse(FILE *stream, const char *path, struct pwrctl_config *config)
{
	char text[LINE_SIZE];
	unsigned int line;
	int result;

	memset(config, 0, sizeof(*config));
	if (!add_scope(config, ""))
		return bad_line(path, 0, "out of memory");
	for (line = 1;; line++) {
		result = pwrctl_file_line(stream, text, sizeof(text));
		if (!result)
			return 0;
		if (result == -ENODATA)
			return bad_line(path, line, "the file is cut off in this line");
		if (result == -E2BIG)
			return bad_line(path, line, "longer than any line of settings");
		if (result == -EILSEQ)
			return bad_line(path, line, "this is no text");
		if (result < 0)
			return bad_line(path, line, "%s", strerror(-result));
		result = parse_line(text, path, line, config);
		if (result)
			return result;
	}
}

/* Keys at their default are there as comments: what can be said is all in the file. */
static void write_global(FILE *stream, const struct pwrctl_config_scope *scope)
{
	char value[128];
	unsigned int i;

	for (i = 0; i < pwrctl_model_settings_count; i++) {
		const struct pwrctl_setting *setting = &pwrctl_model_settings[i];
		bool own = scope->own.have & (1u << setting->id);

		if (setting->scope == PWRCTL_SCOPE_DOMAIN)
			continue;
		fprintf(stream, "%s" GLOBAL " %s %s\n", own ? "" : "#", setting->name,
			pwrctl_model_value_text(setting, own ? scope->own.value[setting->id] :
						setting->preset, value, sizeof(value)));
	}
}

static void write_domain(FILE *stream, const struct pwrctl_config_scope *scope)
{
	char value[128];
	unsigned int i;

	for (i = 0; i < pwrctl_model_settings_count; i++) {
		const struct pwrctl_setting *setting = &pwrctl_model_settings[i];

		if (scope->own.have & (1u << setting->id))
			fprintf(stream, "%s %s %s\n", scope->domain, setting->name,
				pwrctl_model_value_text(setting, scope->own.value[setting->id],
							value, sizeof(value)));
	}
}

/**
 * pwrctl_config_write - write settings as text
 * @stream: where to
 * @config: what pwrctl_config_parse() will read
 */
void pwrctl_config_write(FILE *stream, const struct pwrctl_config *config)
{
	size_t i;

	fputs("# Settings of pwrctl " PWRCTL_VERSION ", for \"pwrctl restore\".\n"
	      "# A key that is not named has its default, in a domain the global value.\n", stream);
	for (i = 0; i < config->count; i++) {
		if (*config->scopes[i].domain)
			write_domain(stream, &config->scopes[i]);
		else
			write_global(stream, &config->scopes[i]);
	}
}

/* --- applying ---------------------------------------------------------------------------- */

/* One message: what is wanted, and what is set beyond that is unset. */
static int apply_scope(struct pwrctl_client *client, const char *domain,
		       const struct pwrctl_settings *want, const struct pwrctl_settings *now)
{
	struct pwrctl_settings change = *want;
	uint32_t unset = now->have & ~want->have;
	uint32_t id;

	for (id = 1; id < PWRCTL_SETTINGS_MAX; id++)
		if ((now->have & (1u << id)) && now->value[id] == want->value[id])
			change.have &= ~(1u << id);
	if (!change.have && !unset)
		return 0;
	return pwrctl_client_set_settings(client, *domain ? domain : NULL, &change, unset);
}

static int apply_one(struct pwrctl_client *client, const char *domain,
		     const struct pwrctl_config *want, const struct pwrctl_config *now)
{
	static const struct pwrctl_settings nothing;
	const struct pwrctl_config_scope *wanted = find(want, domain), *present = find(now, domain);

	return apply_scope(client, domain, wanted ? &wanted->own : &nothing,
			   present ? &present->own : &nothing);
}

/* Takes back the first @count scopes of @order; returns whether all could be. */
static bool roll_back(struct pwrctl_client *client, const char *const *order, size_t count,
		      const struct pwrctl_config *want, const struct pwrctl_config *now)
{
	bool complete = true;

	while (count--)
		complete &= !apply_one(client, order[count], now, want);
	return complete;
}

static void tell_fault(struct pwrctl_client *client, const char *domain, char *text, size_t size)
{
	const struct pwrctl_fault *fault = pwrctl_client_fault(client);
	const struct pwrctl_setting *setting = pwrctl_model_setting_by_id(fault->key);

	snprintf(text, size, "%s%s%s: %s", *domain ? domain : GLOBAL, setting ? " " : "",
		 setting ? setting->name : "", fault->text);
}

/**
 * pwrctl_config_apply - make the module's settings what they ought to be, all or none
 * @client: open
 * @want: what ought to be
 * @now: what is, from pwrctl_config_fetch(); its other domains go back to the global values
 * @failed: what was refused and why, when it failed
 * @size: of @failed
 *
 * Each scope is one message. When one is refused, those before it are taken back.
 *
 * Return: 0; -EINVAL when nothing was changed; -EIO when not all could be taken back.
 */
int pwrctl_config_apply(struct pwrctl_client *client, const struct pwrctl_config *want,
			const struct pwrctl_config *now, char *failed, size_t size)
{
	const char **order = calloc(want->count + now->count, sizeof(*order));
	size_t i, count = 0, done;
	int error = 0;

	if (!order) {
		snprintf(failed, size, "out of memory");
		return -EINVAL;
	}
	for (i = 0; i < want->count; i++)
		order[count++] = want->scopes[i].domain;
	for (i = 0; i < now->count; i++)
		if (!find(want, now->scopes[i].domain))
			order[count++] = now->scopes[i].domain;
	for (done = 0; done < count && !error; done++)
		error = apply_one(client, order[done], want, now);
	if (error) {
		tell_fault(client, order[done - 1], failed, size);
		error = roll_back(client, order, done - 1, want, now) ? -EINVAL : -EIO;
	}
	free(order);
	return error;
}
