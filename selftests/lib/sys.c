// SPDX-License-Identifier: GPL-2.0-only
/* Files, modules, the clock; see sys.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sys.h"

#define NSEC_PER_SEC	1000000000ULL

/**
 * sys_now() - the module's clock
 *
 * Return: CLOCK_BOOTTIME in ns
 */
uint64_t sys_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

/**
 * sys_sleep_until() - let time pass
 * @when: ns of that clock
 */
void sys_sleep_until(uint64_t when)
{
	struct timespec until = { .tv_sec = when / NSEC_PER_SEC, .tv_nsec = when % NSEC_PER_SEC };

	while (clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

/**
 * sys_write() - write a file in one write
 * @path: file, which exists; emptied first, which clears a trace or a list of functions
 * @format: as printf()
 *
 * Return: 0 or -errno
 */
int sys_write(const char *path, const char *format, ...)
{
	char text[256];
	va_list args;
	ssize_t done;
	int fd, len;

	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	done = write(fd, text, len);
	if (done != len)
		len = done < 0 ? -errno : -EIO;
	else
		len = 0;
	close(fd);
	return len;
}

/**
 * sys_read() - read a file, without its last newline
 * @path: file
 * @text: filled in
 * @size: of @text
 *
 * Return: how many characters, or -errno
 */
long sys_read(const char *path, char *text, size_t size)
{
	size_t len = 0;
	ssize_t got;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	while (len < size - 1 && (got = read(fd, text + len, size - 1 - len))) {
		if (got < 0) {
			got = -errno;
			close(fd);
			return got;
		}
		len += got;
	}
	close(fd);
	if (len && text[len - 1] == '\n')
		len--;
	text[len] = '\0';
	return len;
}

/**
 * sys_read_number() - the number that a file begins with
 * @path: file
 *
 * Return: it, or -errno
 */
long long sys_read_number(const char *path)
{
	char text[64];
	long len = sys_read(path, text, sizeof(text));

	return len < 0 ? len : strtoll(text, NULL, 0);
}

/**
 * sys_read_all() - a whole file, however long
 * @path: file
 *
 * Return: text to be freed, or NULL
 */
char *sys_read_all(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &size, '\0', file) < 0) {
		free(text);
		text = ferror(file) ? NULL : strdup("");
	}
	fclose(file);
	return text;
}

/**
 * sys_option() - what the lab wants, from the kernel's command line
 * @name: "lab.seed" for lab.seed=7; one without a value is 1
 * @otherwise: when it is not there
 *
 * Return: its number
 */
unsigned long long sys_option(const char *name, unsigned long long otherwise)
{
	char line[4096], *word, *rest = NULL;
	size_t len = strlen(name);

	if (sys_read("/proc/cmdline", line, sizeof(line)) < 0)
		return otherwise;
	for (word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		if (strncmp(word, name, len))
			continue;
		if (!word[len])
			return 1;
		if (word[len] == '=')
			return strtoull(word + len + 1, NULL, 0);
	}
	return otherwise;
}

/**
 * sys_count() - how much of something was done, for the totals of a whole run
 * @name: of what: "messages"
 * @number: how many
 */
void sys_count(const char *name, unsigned long long number)
{
	printf("# count %s %llu\n", name, number);
	fflush(stdout);
}

/**
 * sys_insert_test_module() - load one of the tests' modules
 * @name: of the module; its file is in "modules" beside the program or beside its folder
 * @parameters: for it, or ""
 *
 * Return: 0 or -errno
 */
int sys_insert_test_module(const char *name, const char *parameters)
{
	static const char *const where[] = { "modules", "../modules" };
	char self[PATH_MAX], path[PATH_MAX + 128];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	unsigned int i;
	int fd, ret;

	if (len < 0)
		return -errno;
	self[len] = '\0';
	*strrchr(self, '/') = '\0';
	for (i = 0; i < sizeof(where) / sizeof(*where); i++) {
		snprintf(path, sizeof(path), "%s/%s/%s.ko", self, where[i], name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		ret = syscall(SYS_finit_module, fd, parameters, 0) ? -errno : 0;
		close(fd);
		return ret;
	}
	return -ENOENT;
}

/**
 * sys_insert() - load an installed module
 * @name: of the module
 *
 * Return: 0 or -errno
 */
int sys_insert(const char *name)
{
	char *const args[] = { "modprobe", (char *)name, NULL };
	int status, ret;
	pid_t pid;

	ret = posix_spawnp(&pid, args[0], NULL, NULL, args, environ);
	if (ret)
		return -ret;
	if (waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -ECHILD;
}

/**
 * sys_remove() - unload a module if it is loaded
 * @name: of the module
 *
 * Return: 0 or -errno
 */
int sys_remove(const char *name)
{
	if (!syscall(SYS_delete_module, name, O_NONBLOCK) || errno == ENOENT)
		return 0;
	return -errno;
}
