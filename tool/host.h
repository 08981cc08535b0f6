/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What files and programs of this machine say, below a root that tests can move. Nothing here
 * changes or loads anything.
 */
#ifndef PWRCTL_TOOL_HOST_H
#define PWRCTL_TOOL_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct pwrctl_host - a machine
 * @root: put before every path; "" is this machine
 * @release: of the running kernel
 */
struct pwrctl_host {
	const char *root;
	char release[128];
};

void pwrctl_host_open(struct pwrctl_host *host, const char *root);
bool pwrctl_host_exists(const struct pwrctl_host *host, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int pwrctl_host_read(const struct pwrctl_host *host, char *text, size_t size,
		     const char *format, ...) __attribute__((format(printf, 4, 5)));
int pwrctl_host_word_in(const struct pwrctl_host *host, const char *path, const char *word);
uint64_t pwrctl_host_sum(const struct pwrctl_host *host, const char *directory,
			 const char *prefix, const char *file, unsigned int *found);
int pwrctl_host_lockdown(const struct pwrctl_host *host, char *text, size_t size);
int pwrctl_host_secure_boot(const struct pwrctl_host *host);
bool pwrctl_host_module_file(const struct pwrctl_host *host, char *path, size_t size);
int pwrctl_host_dkms(const struct pwrctl_host *host, char *text, size_t size);

#endif
