// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "out.h"

/* How long a command that was asked to end gets, before it is made to. */
#define GRACE_MS	2000

/* The command gets the signals as any shell would give them to it, not as pwrctl has them. */
__attribute__((noreturn))
static void become(char *const *command, bool aside, int fd)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;
	int error;

	sigaction(SIGPIPE, &action, NULL);
	sigaction(SIGXFSZ, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	error = aside && dup2(STDERR_FILENO, STDOUT_FILENO) < 0 ? errno : 0;
	if (!error) {
		execvp(command[0], command);
		error = errno;
	}
	/* Whoever reads the other end waits for just this or for its end. */
	while (write(fd, &error, sizeof(error)) < 0 && errno == EINTR)
		continue;
	_exit(PWRCTL_CHILD_MISSING);
}

/* 0 once the command runs, else the errno that kept it from running. */
static int await_exec(int fd)
{
	int error = 0;
	ssize_t got;

	do {
		got = read(fd, &error, sizeof(error));
	} while (got < 0 && errno == EINTR);
	return got == sizeof(error) ? error : 0;
}

static int refuse(struct pwrctl_child *child, const char *name, int error)
{
	child->status = error == ENOENT || error == ENOTDIR ? PWRCTL_CHILD_MISSING :
							      PWRCTL_CHILD_REFUSED;
	pwrctl_out_error("cannot run %s: %s", name, strerror(error));
	return -error;
}

/**
 * pwrctl_child_start - run a command
 * @child: to fill in
 * @command: its arguments, the first being its name
 * @aside: what it prints goes to the standard error, for the standard output is ours
 *
 * Tells the user why, when it cannot be run; status then holds what a shell would say.
 *
 * Return: 0 or -errno.
 */
int pwrctl_child_start(struct pwrctl_child *child, char *const *command, bool aside)
{
	int pipe_fd[2], error;

	memset(child, 0, sizeof(*child));
	child->fd = -1;
	/* Processes that the command leaves behind become ours, so that they are noticed. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (pipe2(pipe_fd, O_CLOEXEC))
		return refuse(child, command[0], errno);
	child->start_ns = pwrctl_child_clock_ns();
	child->pid = fork();
	if (!child->pid)
		become(command, aside, pipe_fd[1]);
	error = child->pid < 0 ? errno : 0;
	close(pipe_fd[1]);
	if (!error)
		error = await_exec(pipe_fd[0]);
	close(pipe_fd[0]);
	if (!error)
		child->fd = (int)syscall(SYS_pidfd_open, child->pid, 0);
	if (!error && child->fd >= 0)
		return 0;
	if (!error) {
		error = errno;
		kill(child->pid, SIGKILL);
	}
	if (child->pid > 0)
		waitpid(child->pid, NULL, 0);
	return refuse(child, command[0], error);
}

static double seconds(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

/* Orphans that have ended by now are no concern; one that runs on is. */
static bool left_behind(void)
{
	pid_t pid;

	do {
		pid = waitpid(-1, NULL, WNOHANG);
	} while (pid > 0);
	return !pid;
}

/**
 * pwrctl_child_finish - take what there is to know of a command that has ended
 * @child: whose fd is readable, or who will end soon
 */
void pwrctl_child_finish(struct pwrctl_child *child)
{
	struct rusage usage = { 0 };
	int status = 0;
	pid_t pid;

	do {
		pid = wait4(child->pid, &status, 0, &usage);
	} while (pid < 0 && errno == EINTR);
	child->wall_s = (double)(pwrctl_child_clock_ns() - child->start_ns) / 1e9;
	child->user_s = seconds(&usage.ru_utime);
	child->system_s = seconds(&usage.ru_stime);
	child->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	child->left = left_behind();
	close(child->fd);
	child->fd = -1;
}

/**
 * pwrctl_child_kill - end a running command, kindly first
 * @child: started and not finished; finished afterwards
 */
void pwrctl_child_kill(struct pwrctl_child *child)
{
	struct timespec grace = { GRACE_MS / 1000, GRACE_MS % 1000 * 1000000L };
	struct pollfd poll_fd = { .fd = child->fd, .events = POLLIN };

	kill(child->pid, SIGTERM);
	if (ppoll(&poll_fd, 1, &grace, NULL) <= 0)
		kill(child->pid, SIGKILL);
	pwrctl_child_finish(child);
}
