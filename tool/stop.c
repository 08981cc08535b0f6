// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include "model.h"
#include "stop.h"

static volatile sig_atomic_t asked;
static sigset_t outside;

static void note(int signal)
{
	asked = signal;
}

/**
 * pwrctl_stop_begin - from here on SIGINT, SIGTERM and SIGHUP only ask to stop
 *
 * The signals stay blocked except inside pwrctl_stop_wait(), so that none falls between the
 * look and the wait. SIGPIPE is ignored: a closed pipe shows as a write error, and a verb that
 * has something to clean up gets to do it.
 */
void pwrctl_stop_begin(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = note };
	sigset_t blocked;
	size_t i;

	sigemptyset(&blocked);
	for (i = 0; i < ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], &action, NULL);
		sigaddset(&blocked, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &blocked, &outside);
	for (i = 0; i < ARRAY_SIZE(signals); i++)
		sigdelset(&outside, signals[i]);
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, NULL);
}

/**
 * pwrctl_stop_asked - was one of the signals seen?
 *
 * Return: whether the verb should end.
 */
bool pwrctl_stop_asked(void)
{
	return asked;
}

/**
 * pwrctl_stop_signal - which of the signals was seen?
 *
 * Return: its number, or 0.
 */
int pwrctl_stop_signal(void)
{
	return asked;
}

/**
 * pwrctl_stop_wait - wait for input, a time, a signal, or the reader of our output to leave
 * @fd: to be read, or -1
 * @timeout_ms: at most so long; negative is for ever
 *
 * Return: 1 when @fd can be read, 0 when the time is over, -EINTR when asked to stop, -EPIPE when
 * nobody reads our output any more, another -errno.
 */
int pwrctl_stop_wait(int fd, int timeout_ms)
{
	struct timespec timeout = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };
	struct pollfd fds[2] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = STDOUT_FILENO, .events = 0 },
	};
	int ready;

	ready = ppoll(fds, 2, timeout_ms < 0 ? NULL : &timeout, &outside);
	if (asked)
		return -EINTR;
	if (ready < 0)
		return errno == EINTR ? 0 : -errno;
	if (fds[1].revents & POLLERR)
		return -EPIPE;
	return fds[0].revents ? 1 : 0;
}
