/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of sysfs and debugfs, modules, the clock: what the tests in C need of the system. */
#ifndef SELFTESTS_SYS_H
#define SELFTESTS_SYS_H

#include <stddef.h>
#include <stdint.h>

#define SYS_DEBUGFS	"/sys/kernel/debug"
#define SYS_TRACING	"/sys/kernel/tracing"
#define SYS_CPUFREQ	"/sys/devices/system/cpu/cpufreq"

/* How long to wait for what must come, on however slow a machine. */
#define SYS_PATIENCE_NS	(60ULL * 1000 * 1000 * 1000)

uint64_t sys_now(void);
void sys_sleep_until(uint64_t when);
int sys_write(const char *path, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
long sys_read(const char *path, char *text, size_t size);
long long sys_read_number(const char *path);
char *sys_read_all(const char *path);
unsigned long long sys_option(const char *name, unsigned long long otherwise);
void sys_count(const char *name, unsigned long long number);
int sys_insert_test_module(const char *name, const char *parameters);
int sys_insert(const char *name);
int sys_remove(const char *name);

#endif /* SELFTESTS_SYS_H */
