// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"
#include "model.h"

extern char **environ;

static void vpath(const struct pwrctl_host *host, char *path, const char *format, va_list arguments)
{
	int used = snprintf(path, PATH_MAX, "%s", host->root);

	if (used >= 0 && used < PATH_MAX)
		vsnprintf(path + used, PATH_MAX - (size_t)used, format, arguments);
}

/**
 * pwrctl_host_open - look at a machine
 * @host: to fill in
 * @root: where its files are, "" for this machine
 */
void pwrctl_host_open(struct pwrctl_host *host, const char *root)
{
	host->root = root;
	if (pwrctl_host_read(host, host->release, sizeof(host->release),
			     "/proc/sys/kernel/osrelease"))
		snprintf(host->release, sizeof(host->release), "unknown");
}

/**
 * pwrctl_host_exists - is there such a file or directory?
 * @host: where
 * @format: of the path
 *
 * Return: whether it is there (a link that leads nowhere is not).
 */
bool pwrctl_host_exists(const struct pwrctl_host *host, const char *format, ...)
{
	char path[PATH_MAX];
	va_list arguments;

	va_start(arguments, format);
	vpath(host, path, format, arguments);
	va_end(arguments);
	return !access(path, F_OK);
}

/**
 * pwrctl_host_read - read the beginning of a file as text
 * @host: where
 * @text: what it says, without white space at its end
 * @size: of @text
 * @format: of the path
 *
 * Return: 0 or -errno.
 */
int pwrctl_host_read(const struct pwrctl_host *host, char *text, size_t size,
		     const char *format, ...)
{
	char path[PATH_MAX];
	va_list arguments;
	ssize_t got;
	int fd;

	*text = '\0';
	va_start(arguments, format);
	vpath(host, path, format, arguments);
	va_end(arguments);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, text, size - 1);
	if (got < 0)
		got = -errno;
	close(fd);
	if (got < 0)
		return (int)got;
	while (got && isspace((unsigned char)text[got - 1]))
		got--;
	text[got] = '\0';
	return 0;
}

/**
 * pwrctl_host_word_in - does a file hold a word?
 * @host: where
 * @path: of the file
 * @word: between white space or colons
 *
 * Return: 1, 0, or -errno when the file cannot be read.
 */
int pwrctl_host_word_in(const struct pwrctl_host *host, const char *path, const char *word)
{
	char full[PATH_MAX], *line = NULL, *save, *token;
	size_t size = 0;
	int found = 0;
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", host->root, path);
	file = fopen(full, "re");
	if (!file)
		return -errno;
	while (!found && getline(&line, &size, file) > 0) {
		/* Cheap first: kallsyms has more than 100,000 lines. */
		if (!strstr(line, word))
			continue;
		for (token = strtok_r(line, " \t\n:", &save); token && !found;
		     token = strtok_r(NULL, " \t\n:", &save))
			found = !strcmp(token, word);
	}
	if (!found && ferror(file))
		found = -EIO;
	free(line);
	fclose(file);
	return found;
}

/**
 * pwrctl_host_sum - add up the numbers in a file of every subdirectory
 * @host: where
 * @directory: above them
 * @prefix: that their names begin with, before a digit
 * @file: in each of them
 * @found: how many of them had such a file
 *
 * Return: the sum.
 */
uint64_t pwrctl_host_sum(const struct pwrctl_host *host, const char *directory,
			 const char *prefix, const char *file, unsigned int *found)
{
	char path[PATH_MAX], text[64];
	struct dirent *entry;
	uint64_t sum = 0;
	DIR *stream;

	*found = 0;
	snprintf(path, sizeof(path), "%s%s", host->root, directory);
	stream = opendir(path);
	if (!stream)
		return 0;
	while ((entry = readdir(stream))) {
		if (strncmp(entry->d_name, prefix, strlen(prefix)) ||
		    !isdigit((unsigned char)entry->d_name[strlen(prefix)]) ||
		    pwrctl_host_read(host, text, sizeof(text), "%s/%s/%s", directory,
				     entry->d_name, file))
			continue;
		sum += strtoull(text, NULL, 10);
		++*found;
	}
	closedir(stream);
	return sum;
}

/**
 * pwrctl_host_lockdown - is the kernel locked down?
 * @host: where
 * @text: how: integrity or confidentiality; empty when it is not
 * @size: of @text
 *
 * Return: 1, 0, or -errno when the kernel does not tell.
 */
int pwrctl_host_lockdown(const struct pwrctl_host *host, char *text, size_t size)
{
	static const char file[] = "/sys/kernel/security/lockdown";
	char *begin, *end;
	int error = pwrctl_host_read(host, text, size, "%s", file);

	if (error)
		return error;
	/* The one in force stands in brackets: none [integrity] confidentiality */
	begin = strchr(text, '[');
	end = begin ? strchr(begin, ']') : NULL;
	if (!end)
		return -EIO;
	*end = '\0';
	memmove(text, begin + 1, (size_t)(end - begin));
	if (strcmp(text, "none"))
		return 1;
	*text = '\0';
	return 0;
}

/**
 * pwrctl_host_secure_boot - does the firmware insist on signatures?
 * @host: where
 *
 * Return: 1, 0, or -errno when the firmware does not tell.
 */
int pwrctl_host_secure_boot(const struct pwrctl_host *host)
{
	static const char variable[] = "/sys/firmware/efi/efivars/"
				       "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
	char path[PATH_MAX];
	unsigned char value[5];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "%s%s", host->root, variable);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, value, sizeof(value));
	close(fd);
	/* Four bytes of attributes, then the value. */
	return got == sizeof(value) ? value[4] == 1 : -EIO;
}

/**
 * pwrctl_host_module_file - where is the module for the running kernel?
 * @host: where
 * @path: of the file, without the root
 * @size: of @path
 *
 * Return: whether there is one.
 */
bool pwrctl_host_module_file(const struct pwrctl_host *host, char *path, size_t size)
{
	static const char *const places[] = { "updates/dkms", "updates", "extra", "kernel/extra" };
	static const char *const packings[] = { "", ".xz", ".zst", ".gz" };
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		for (j = 0; j < ARRAY_SIZE(packings); j++) {
			snprintf(path, size, "/lib/modules/%s/%s/pwrctl.ko%s", host->release,
				 places[i], packings[j]);
			if (pwrctl_host_exists(host, "%s", path))
				return true;
		}
	}
	return false;
}

static int read_all(int fd, char *text, size_t size)
{
	size_t used = 0;
	ssize_t got;
	char rest[512];

	for (;;) {
		bool room = used + 1 < size;

		got = read(fd, room ? text + used : rest, room ? size - 1 - used : sizeof(rest));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		used += room ? (size_t)got : 0;
	}
	text[used] = '\0';
	return got < 0 ? -errno : 0;
}

static int run(const char *program, char *const arguments[], char *text, size_t size)
{
	posix_spawn_file_actions_t actions;
	int pipe_fds[2], status, error;
	pid_t child;

	if (pipe2(pipe_fds, O_CLOEXEC))
		return -errno;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	error = -posix_spawn(&child, program, &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(pipe_fds[1]);
	if (!error)
		error = read_all(pipe_fds[0], text, size);
	close(pipe_fds[0]);
	if (error)
		return error;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EIO;
}

/**
 * pwrctl_host_dkms - what dkms says of the module
 * @host: where
 * @text: its words, lines joined with "; ", empty when it does not know the module
 * @size: of @text
 *
 * Return: 0; -ENOENT when there is no dkms; another -errno when it failed.
 */
int pwrctl_host_dkms(const struct pwrctl_host *host, char *text, size_t size)
{
	static const char *const places[] = { "/usr/sbin/dkms", "/usr/bin/dkms", "/sbin/dkms" };
	static char *const arguments[] = { "dkms", "status", "-m", "pwrctl", NULL };
	char path[PATH_MAX], *end;
	size_t i;
	int error;

	*text = '\0';
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		snprintf(path, sizeof(path), "%s%s", host->root, places[i]);
		if (access(path, X_OK))
			continue;
		error = run(path, arguments, text, size);
		for (end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);)
			*--end = '\0';
		for (end = text; *end; end++)
			if (*end == '\n')
				*end = ';';
		return error;
	}
	return -ENOENT;
}
