/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The conversation with the module. Every call returns 0 or -errno, and what went wrong is then
 * told by pwrctl_client_fault(). The only file that knows netlink is client.c.
 */
#ifndef PWRCTL_TOOL_CLIENT_H
#define PWRCTL_TOOL_CLIENT_H

#include "model.h"

struct pwrctl_client;

/**
 * enum pwrctl_fault_kind - what kind of failure
 * @PWRCTL_FAULT_NONE: none
 * @PWRCTL_FAULT_FAILED: the module or the system refused
 * @PWRCTL_FAULT_ABSENT: the module is not loaded
 * @PWRCTL_FAULT_VERSION: module and program do not speak the same version
 */
enum pwrctl_fault_kind {
	PWRCTL_FAULT_NONE,
	PWRCTL_FAULT_FAILED,
	PWRCTL_FAULT_ABSENT,
	PWRCTL_FAULT_VERSION,
};

/**
 * struct pwrctl_fault - the last failure
 * @kind: what kind
 * @error: errno
 * @key: PWRCTL_A_SET_* of the offending setting, or 0
 * @attr: PWRCTL_A_* of the offending attribute, or 0
 * @text: a sentence
 */
struct pwrctl_fault {
	enum pwrctl_fault_kind kind;
	int error;
	uint32_t key;
	uint32_t attr;
	char text[256];
};

/**
 * struct pwrctl_event - something the module told
 * @cmd: PWRCTL_CMD_*_NTF, or 0 when the module left
 * @name: the domain, or "" for global settings
 * @domain: of CAP_NTF and HINT_NTF
 * @settings: of SETTINGS_NTF
 */
struct pwrctl_event {
	uint32_t cmd;
	char name[PWRCTL_NAME_LEN];
	struct pwrctl_domain domain;
	struct pwrctl_settings settings;
};

struct pwrctl_client *pwrctl_client_open(struct pwrctl_fault *fault);
void pwrctl_client_close(struct pwrctl_client *client);
const struct pwrctl_fault *pwrctl_client_fault(const struct pwrctl_client *client);

int pwrctl_client_get_settings(struct pwrctl_client *client, const char *domain,
			       struct pwrctl_settings *settings);
int pwrctl_client_set_settings(struct pwrctl_client *client, const char *domain,
			       const struct pwrctl_settings *settings, uint32_t unset);
int pwrctl_client_get_domain(struct pwrctl_client *client, const char *name,
			     struct pwrctl_domain *domain);
int pwrctl_client_get_domains(struct pwrctl_client *client, struct pwrctl_domain **domains,
			      size_t *count);
int pwrctl_client_get_cpus(struct pwrctl_client *client, struct pwrctl_cpu **cpus, size_t *count);
int pwrctl_client_get_stats(struct pwrctl_client *client, struct pwrctl_stats *stats);
int pwrctl_client_inject(struct pwrctl_client *client, const char *domain, uint32_t khz,
			 uint32_t ttl_ms);
int pwrctl_client_listen(struct pwrctl_client *client);
int pwrctl_client_fd(const struct pwrctl_client *client);
int pwrctl_client_receive(struct pwrctl_client *client, struct pwrctl_event *event);
int pwrctl_client_wait(struct pwrctl_client *client, int timeout_ms);

#endif
