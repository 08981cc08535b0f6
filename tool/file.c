// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "out.h"

static int fail(const char *what, const char *path, int error)
{
	pwrctl_out_error("cannot %s %s: %s", what, path, strerror(error));
	return -error;
}

/**
 * pwrctl_file_check - may this file be written?
 * @path: its name
 * @force: it may replace a file of that name
 *
 * What cannot be replaced by a rename (a terminal, /dev/null) is no place for results. Tells the
 * user why not.
 *
 * Return: 0 or -errno.
 */
int pwrctl_file_check(const char *path, bool force)
{
	struct stat status;

	if (lstat(path, &status))
		return errno == ENOENT ? 0 : fail("write", path, errno);
	if (!S_ISREG(status.st_mode)) {
		pwrctl_out_error("cannot write %s: it exists and is no regular file", path);
		return -EEXIST;
	}
	if (!force) {
		pwrctl_out_error("cannot write %s: it exists; --force replaces it", path);
		return -EEXIST;
	}
	return 0;
}

/**
 * pwrctl_file_create - begin a file
 * @file: to fill in
 * @path: its name once it is complete
 * @force: it may replace a file of that name
 *
 * Tells the user why, when it fails.
 *
 * Return: 0 or -errno.
 */
int pwrctl_file_create(struct pwrctl_file *file, const char *path, bool force)
{
	mode_t mask;
	int fd, error;

	file->stream = NULL;
	file->force = force;
	if (!*path)
		return fail("write", "a file without a name", EINVAL);
	if ((size_t)snprintf(file->path, sizeof(file->path), "%s", path) >= sizeof(file->path) ||
	    (size_t)snprintf(file->temporary, sizeof(file->temporary), "%s.XXXXXX", path) >=
	    sizeof(file->temporary))
		return fail("write", path, ENAMETOOLONG);
	error = pwrctl_file_check(path, force);
	if (error)
		return error;
	/* A limit on the size of files is an error like a full disk, not our death. */
	signal(SIGXFSZ, SIG_IGN);
	fd = mkostemp(file->temporary, O_CLOEXEC);
	if (fd < 0)
		return fail("write", path, errno);
	mask = umask(0);
	umask(mask);
	file->stream = fchmod(fd, 0666 & ~mask) ? NULL : fdopen(fd, "w");
	if (file->stream)
		return 0;
	error = errno;
	close(fd);
	unlink(file->temporary);
	return fail("write", path, error);
}

/* Gives the file its name; without force even against one that has appeared meanwhile. */
static int give_name(const struct pwrctl_file *file)
{
	if (file->force)
		return rename(file->temporary, file->path) ? errno : 0;
	if (!renameat2(AT_FDCWD, file->temporary, AT_FDCWD, file->path, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL)
		return errno;
	/* A file system without that: a link never replaces either. */
	if (link(file->temporary, file->path))
		return errno;
	unlink(file->temporary);
	return 0;
}

static int ask_again(int fd)
{
	static const char block[4096];
	int i, error = EIO;

	/* The first one may still find some room. */
	for (i = 0; i < 3 && error == EIO; i++)
		if (write(fd, block, sizeof(block)) < 0)
			error = errno;
	return error;
}

/**
 * pwrctl_file_commit - the file is complete: give it its name
 * @file: from pwrctl_file_create()
 *
 * Tells the user why, when it fails; nothing is left behind then.
 *
 * Return: 0 or -errno.
 */
int pwrctl_file_commit(struct pwrctl_file *file)
{
	bool failed;
	int error;

	/* What a stream met earlier it has forgotten by now; asked again, the disk tells it again. */
	if (ferror(file->stream)) {
		error = ask_again(fileno(file->stream));
		pwrctl_file_abandon(file);
		return fail("write", file->path, error);
	}
	errno = 0;
	failed = fflush(file->stream) || ferror(file->stream) || fsync(fileno(file->stream));
	error = failed ? (errno ? errno : EIO) : 0;
	errno = 0;
	if (fclose(file->stream) && !error)
		error = errno ? errno : EIO;
	file->stream = NULL;
	if (!error)
		error = give_name(file);
	if (!error)
		return 0;
	unlink(file->temporary);
	return fail("write", file->path, error);
}

/**
 * pwrctl_file_abandon - give up a file
 * @file: from pwrctl_file_create(), or committed, or zeroed: then nothing happens
 */
void pwrctl_file_abandon(struct pwrctl_file *file)
{
	if (!file->stream)
		return;
	fclose(file->stream);
	file->stream = NULL;
	unlink(file->temporary);
}

/**
 * pwrctl_file_line - read one line of text from a file that may hold anything
 * @stream: from where
 * @line: the line, without its newline
 * @size: of @line
 *
 * Return: 1 with a line; 0 at the end; -E2BIG for a line that is too long, -EILSEQ for one with
 * bytes no text has, -ENODATA for a last line without newline (a file cut off), or another
 * -errno. After an error the rest of the line is skipped.
 */
int pwrctl_file_line(FILE *stream, char *line, size_t size)
{
	size_t used = 0;
	int c, result = 1;

	errno = 0;
	while ((c = getc_unlocked(stream)) != EOF && c != '\n') {
		if ((c < ' ' && c != '\t') || c == 0x7f)
			result = result == 1 ? -EILSEQ : result;
		else if (used + 1 < size)
			line[used++] = (char)c;
		else
			result = -E2BIG;
	}
	line[used] = '\0';
	if (c != EOF)
		return result;
	if (ferror(stream))
		return errno ? -errno : -EIO;
	if (result != 1)
		return result;
	return used ? -ENODATA : 0;
}
