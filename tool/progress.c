// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "out.h"
#include "progress.h"

static bool shown;

static unsigned int width(void)
{
	struct winsize size;

	if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 1)
		return size.ws_col;
	return 80;
}

/**
 * pwrctl_progress - say how far it is
 * @format: a short line; what does not fit the terminal is cut
 */
void pwrctl_progress(const char *format, ...)
{
	char text[512], clean[512];
	va_list arguments;

	if (!isatty(STDERR_FILENO))
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	pwrctl_out_clean(text, clean, sizeof(clean));
	fprintf(stderr, "\r\033[K%.*s", (int)width() - 1, clean);
	fflush(stderr);
	shown = true;
}

/**
 * pwrctl_progress_end - make room for other output
 */
void pwrctl_progress_end(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	shown = false;
}

/**
 * pwrctl_progress_time - a time span for people
 * @seconds: how long
 * @text: where to write
 * @size: of @text
 *
 * Return: @text.
 */
const char *pwrctl_progress_time(double seconds, char *text, unsigned int size)
{
	unsigned long whole = seconds > 0 ? (unsigned long)(seconds + 0.5) : 0;

	if (whole >= 3600)
		snprintf(text, size, "%lu:%02lu:%02lu", whole / 3600, whole / 60 % 60, whole % 60);
	else
		snprintf(text, size, "%lu:%02lu", whole / 60, whole % 60);
	return text;
}
