// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "out.h"
#include "plot.h"

extern char **environ;

static const char *terminal(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot && !strcmp(dot, ".svg"))
		return "svg noenhanced background 'white' font 'sans,13'";
	if (dot && !strcmp(dot, ".png"))
		return "pngcairo noenhanced background 'white' font 'sans,10'";
	return NULL;
}

/**
 * pwrctl_plot_can - is this the name of a picture?
 * @path: ends in .svg or .png, or does not
 *
 * Return: whether it can be drawn.
 */
bool pwrctl_plot_can(const char *path)
{
	return terminal(path);
}

/* gnuplot reads our pipe and writes the file; it gets signals as programs do, not as we do. */
static int start(struct pwrctl_plot *plot, int in, int out)
{
	char name[] = "gnuplot", defaults_only[] = "-d", standard[] = "-";
	char *const arguments[] = { name, defaults_only, standard, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, defaults;
	int error;

	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	error = posix_spawnp(&plot->pid, arguments[0], &actions, &attributes, arguments, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/**
 * pwrctl_plot_open - begin a picture
 * @plot: to fill in; write gnuplot's commands to its stream
 * @path: ends in .svg or .png
 * @force: it may replace a file of that name
 * @width: in pixels
 * @height: in pixels
 *
 * Tells the user why, when it fails.
 *
 * Return: 0 or -errno.
 */
int pwrctl_plot_open(struct pwrctl_plot *plot, const char *path, bool force, unsigned int width,
		     unsigned int height)
{
	int pipe_fd[2], error;

	memset(plot, 0, sizeof(*plot));
	error = pwrctl_file_create(&plot->file, path, force);
	if (error)
		return error;
	/* A gnuplot that ends early shows as a write error, not as our death. */
	signal(SIGPIPE, SIG_IGN);
	error = pipe2(pipe_fd, O_CLOEXEC) ? errno : 0;
	if (!error) {
		error = start(plot, pipe_fd[0], fileno(plot->file.stream));
		close(pipe_fd[0]);
		if (error)
			close(pipe_fd[1]);
	}
	if (error) {
		pwrctl_out_error("cannot draw %s: %s: %s", path, "gnuplot",
				 error == ENOENT ? "it is not installed" : strerror(error));
		pwrctl_file_abandon(&plot->file);
		return -error;
	}
	plot->stream = fdopen(pipe_fd[1], "w");
	if (!plot->stream)
		return -errno;
	fprintf(plot->stream, "set terminal %s size %u,%u\nset encoding utf8\n", terminal(path),
		width, height);
	return 0;
}

/* gnuplot does not look whether what it wrote went anywhere: a picture has its end, or is none. */
static bool is_whole(const struct pwrctl_plot *plot)
{
	static const char svg_end[] = "</svg>", png_end[] = "IEND";
	const char *dot = strrchr(plot->file.path, '.');
	const char *end = dot && !strcmp(dot, ".svg") ? svg_end : png_end;
	char tail[16];
	off_t size = lseek(fileno(plot->file.stream), 0, SEEK_END);
	ssize_t got;

	if (size < (off_t)sizeof(tail))
		return false;
	got = pread(fileno(plot->file.stream), tail, sizeof(tail), size - (off_t)sizeof(tail));
	return got == (ssize_t)sizeof(tail) && memmem(tail, sizeof(tail), end, strlen(end));
}

/**
 * pwrctl_plot_close - let gnuplot finish
 * @plot: opened
 *
 * Tells the user why, when there is no picture.
 *
 * Return: 0 or -errno.
 */
int pwrctl_plot_close(struct pwrctl_plot *plot)
{
	int status = 0;
	pid_t pid;

	fputs("unset output\n", plot->stream);
	fclose(plot->stream);
	do {
		pid = waitpid(plot->pid, &status, 0);
	} while (pid < 0 && errno == EINTR);
	if (status || !is_whole(plot)) {
		pwrctl_out_error("cannot draw %s: %s", plot->file.path, status ? "gnuplot failed" :
				 "it could not be written in full");
		pwrctl_file_abandon(&plot->file);
		return -EIO;
	}
	return pwrctl_file_commit(&plot->file);
}

/**
 * pwrctl_plot_quote - a string as gnuplot reads it
 * @from: anything
 * @to: where to write, with quotes around
 * @size: of @to, at least 3
 *
 * Between single quotes gnuplot takes everything literally. A single quote itself, which it does
 * not take at every place even when it is written twice, becomes a typographic one.
 *
 * Return: @to.
 */
const char *pwrctl_plot_quote(const char *from, char *to, size_t size)
{
	size_t used = 0;

	to[used++] = '\'';
	for (; *from && used + 5 < size; from++) {
		if (*from == '\'')
			used = (size_t)(stpcpy(to + used, "\u2019") - to);
		else
			to[used++] = (unsigned char)*from < ' ' ? ' ' : *from;
	}
	to[used++] = '\'';
	to[used] = '\0';
	return to;
}
