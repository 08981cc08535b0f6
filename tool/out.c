// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <libsmartcols.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "out.h"

#define DEPTH_MAX	8
#define CELL_MAX	2048
/* Prose is wrapped down to this width, then the table turns upright. */
#define PROSE_LEAST	28

enum level_kind {
	LEVEL_ROOT,
	LEVEL_LIST,
	LEVEL_OBJECT,
};

/*
 * struct pwrctl_out - where output goes and how far it is
 * @table: what is being filled: rows of a list, or lines of a description
 * @line: the row being filled
 * @column: its next cell
 * @described: @table is a description
 * @prose: @table has a column that may be wrapped
 * @begun: something was printed before, so that what follows needs an empty line
 * @empty: what to say of a list without rows
 */
struct pwrctl_out {
	FILE *file;
	bool json;
	enum level_kind level[DEPTH_MAX];
	bool comma[DEPTH_MAX];
	int depth;
	struct libscols_table *table;
	struct libscols_line *line;
	size_t column;
	bool described;
	bool prose;
	bool begun;
	const char *empty;
};

static void need(const void *memory)
{
	if (!memory) {
		pwrctl_out_error("out of memory");
		exit(1);
	}
}

/* The length of a valid UTF-8 sequence of printable meaning at @text, or 0. */
static size_t utf8_length(const unsigned char *text)
{
	size_t length, i;
	uint32_t code;

	if (text[0] < 0x80)
		return text[0] >= 0x20 && text[0] != 0x7f;
	if (text[0] < 0xc2 || text[0] > 0xf4)
		return 0;
	length = text[0] < 0xe0 ? 2 : text[0] < 0xf0 ? 3 : 4;
	code = text[0] & (0xffu >> (length + 1));
	for (i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3fu);
	}
	/* C1 controls, overlong forms, surrogates, direction overrides, beyond Unicode */
	if (code < 0xa0 || (length == 3 && code < 0x800) || (length == 4 && code < 0x10000) ||
	    (code >= 0xd800 && code <= 0xdfff) || (code >= 0x2028 && code <= 0x202e) ||
	    (code >= 0x2066 && code <= 0x2069) || code > 0x10ffff)
		return 0;
	return length;
}

/**
 * pwrctl_out_clean - make a string safe for a terminal
 * @from: from the kernel, a file or the user
 * @to: where to write; what does not fit is cut
 * @size: of @to, at least 5
 *
 * Control characters and what is no UTF-8 become \xNN.
 *
 * Return: @to.
 */
const char *pwrctl_out_clean(const char *from, char *to, size_t size)
{
	size_t used = 0, length;

	for (; *from && used + 5 <= size; from += length ? length : 1) {
		length = utf8_length((const unsigned char *)from);
		if (length)
			memcpy(to + used, from, length);
		else
			snprintf(to + used, 5, "\\x%02x", (unsigned char)*from);
		used += length ? length : 4;
	}
	to[used] = '\0';
	return to;
}

/**
 * pwrctl_out_error - tell the user what went wrong
 * @format: a sentence without a final newline
 */
void pwrctl_out_error(const char *format, ...)
{
	char text[CELL_MAX], clean[CELL_MAX * 4];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fflush(stdout);
	fprintf(stderr, "pwrctl: %s\n", pwrctl_out_clean(text, clean, sizeof(clean)));
}

/**
 * pwrctl_out_unit - a number with its unit, for people
 * @unit: of @value
 * @value: the number
 * @text: where to write
 * @size: of @text
 *
 * Return: @text.
 */
const char *pwrctl_out_unit(enum pwrctl_unit unit, uint64_t value, char *text, size_t size)
{
	if (unit == PWRCTL_UNIT_KHZ && value >= 1000000)
		snprintf(text, size, "%.6g GHz", (double)value / 1e6);
	else if (unit == PWRCTL_UNIT_KHZ && value >= 1000)
		snprintf(text, size, "%.6g MHz", (double)value / 1e3);
	else if (unit == PWRCTL_UNIT_KHZ)
		snprintf(text, size, "%" PRIu64 " kHz", value);
	else if (unit == PWRCTL_UNIT_NS && value >= 60000000000)
		snprintf(text, size, "%" PRIu64 " min %" PRIu64 " s", value / 60000000000,
			 value / 1000000000 % 60);
	else if (unit == PWRCTL_UNIT_NS)
		snprintf(text, size, "%.3f s", (double)value / 1e9);
	else
		snprintf(text, size, "%" PRIu64, value);
	return text;
}

/**
 * pwrctl_out_open - begin output
 * @file: where it goes
 * @json: JSON, else text
 *
 * Return: never NULL; ends the program when there is no memory.
 */
struct pwrctl_out *pwrctl_out_open(FILE *file, bool json)
{
	struct pwrctl_out *out = calloc(1, sizeof(*out));

	need(out);
	out->file = file;
	out->json = json;
	return out;
}

/**
 * pwrctl_out_is_json - JSON or text?
 * @out: where to
 *
 * Return: whether it is JSON.
 */
bool pwrctl_out_is_json(const struct pwrctl_out *out)
{
	return out->json;
}

/**
 * pwrctl_out_flush - hand everything written so far to the reader
 * @out: where to
 *
 * Return: 0 or -errno, -EPIPE when the reader has left.
 */
int pwrctl_out_flush(struct pwrctl_out *out)
{
	return pwrctl_out_check(out->file);
}

/**
 * pwrctl_out_check - was everything written?
 * @file: flushed
 *
 * Return: 0 or -errno, -EPIPE when the reader has left.
 */
int pwrctl_out_check(FILE *file)
{
	struct pollfd left = { .fd = fileno(file) };

	errno = 0;
	if (!fflush(file) && !ferror(file))
		return 0;
	/* A write before this one may have failed, and its errno is gone. */
	if (errno)
		return -errno;
	return poll(&left, 1, 0) == 1 && left.revents & POLLERR ? -EPIPE : -EIO;
}

/* --- JSON -------------------------------------------------------------------------------- */

static void json_quote(FILE *file, const char *text)
{
	size_t length;

	putc('"', file);
	for (; *text; text += length ? length : 1) {
		length = utf8_length((const unsigned char *)text);
		if (!length && (unsigned char)*text >= 0x80)
			fputs("\\ufffd", file);
		else if (!length)
			fprintf(file, "\\u%04x", (unsigned char)*text);
		else if (*text == '"' || *text == '\\')
			fprintf(file, "\\%c", *text);
		else
			fwrite(text, 1, length, file);
	}
	putc('"', file);
}

/* The comma and the name before a value. */
static void json_before(struct pwrctl_out *out, const char *name)
{
	if (out->comma[out->depth])
		fputs(out->depth == 1 && out->level[1] == LEVEL_LIST ? ",\n" : ",", out->file);
	out->comma[out->depth] = true;
	if (name && out->level[out->depth] == LEVEL_OBJECT) {
		json_quote(out->file, name);
		putc(':', out->file);
	}
}

static void push(struct pwrctl_out *out, enum level_kind kind)
{
	if (out->depth + 1 < DEPTH_MAX)
		out->depth++;
	out->level[out->depth] = kind;
	out->comma[out->depth] = false;
}

/* --- tables ------------------------------------------------------------------------------ */

static size_t terminal_width(FILE *file)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (!isatty(fileno(file)))
		return 0;
	if (columns && atoi(columns) > 0)
		return (size_t)atoi(columns);
	if (!ioctl(fileno(file), TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return 80;
}

static const char *cell(struct libscols_line *line, size_t column)
{
	struct libscols_cell *at = scols_line_get_cell(line, column);
	const char *text = at ? scols_cell_get_data(at) : NULL;

	return text ? text : "";
}

static const char *column_head(struct libscols_table *table, size_t column)
{
	return scols_cell_get_data(scols_column_get_header(scols_table_get_column(table, column)));
}

/* The width the table takes when nothing is cut, and prose is wrapped as far as is bearable. */
static size_t natural_width(struct libscols_table *table)
{
	size_t columns = scols_table_get_ncols(table), lines = scols_table_get_nlines(table);
	size_t column, line, width, total = 0;

	for (column = 0; column < columns; column++) {
		width = strlen(column_head(table, column));
		for (line = 0; line < lines; line++) {
			size_t length = strlen(cell(scols_table_get_line(table, line), column));

			width = length > width ? length : width;
		}
		if (width > PROSE_LEAST &&
		    scols_column_is_wrap(scols_table_get_column(table, column)))
			width = PROSE_LEAST;
		total += width + 1;
	}
	return total ? total - 1 : 0;
}

/* On a terminal too narrow for the table every row becomes a small description. */
static void print_upright(struct pwrctl_out *out)
{
	size_t columns = scols_table_get_ncols(out->table);
	size_t lines = scols_table_get_nlines(out->table), column, line;

	for (line = 0; line < lines; line++) {
		if (line)
			putc('\n', out->file);
		for (column = 0; column < columns; column++)
			fprintf(out->file, "%s%s%s\n", column_head(out->table, column),
				*column_head(out->table, column) ? " " : "",
				cell(scols_table_get_line(out->table, line), column));
	}
}

static void print_table(struct pwrctl_out *out)
{
	size_t width = terminal_width(out->file);

	if (!out->table)
		return;
	if (!scols_table_get_nlines(out->table)) {
		if (out->empty)
			fprintf(out->file, "%s\n", out->empty);
	} else if (!out->described && width && natural_width(out->table) > width) {
		print_upright(out);
	} else {
		if (width && out->prose)
			scols_table_set_termwidth(out->table, width);
		else
			scols_table_set_termforce(out->table, SCOLS_TERMFORCE_NEVER);
		scols_table_enable_noheadings(out->table, out->described ? 1 : 0);
		scols_print_table(out->table);
	}
	scols_unref_table(out->table);
	out->table = NULL;
	out->line = NULL;
	out->begun = true;
}

static void new_table(struct pwrctl_out *out, const char *title, bool described)
{
	print_table(out);
	if (out->begun)
		putc('\n', out->file);
	if (title)
		fprintf(out->file, "%s\n", title);
	out->table = scols_new_table();
	need(out->table);
	scols_table_set_stream(out->table, out->file);
	/* Cells are clean already; the library would escape the escapes. */
	scols_table_enable_noencoding(out->table, 1);
	out->described = described;
	out->prose = false;
	out->empty = NULL;
	if (described) {
		need(scols_table_new_column(out->table, "", 0, 0));
		need(scols_table_new_column(out->table, "", 0, 0));
	}
}

static void set_cell(struct pwrctl_out *out, size_t column, const char *text)
{
	char clean[CELL_MAX];

	if (scols_line_set_data(out->line, column,
				pwrctl_out_clean(text, clean, sizeof(clean))))
		need(NULL);
}

static void text_value(struct pwrctl_out *out, const char *head, const char *text, int flags)
{
	if (!head || !out->table)
		return;
	if (out->described) {
		out->line = scols_table_new_line(out->table, NULL);
		need(out->line);
		set_cell(out, 0, head);
		set_cell(out, 1, text);
		return;
	}
	/* The first row decides about the columns. */
	if (scols_table_get_nlines(out->table) == 1)
		need(scols_table_new_column(out->table, head, 0, flags));
	set_cell(out, out->column++, text);
}

/* --- both -------------------------------------------------------------------------------- */

/**
 * pwrctl_out_list - begin a list
 * @out: where to
 * @name: in JSON, when inside an object
 * @title: line above the table, or NULL
 * @empty: what text says when there are no rows, or NULL
 */
void pwrctl_out_list(struct pwrctl_out *out, const char *name, const char *title,
		     const char *empty)
{
	if (out->json) {
		json_before(out, name);
		putc('[', out->file);
	} else {
		new_table(out, title, false);
		out->empty = empty;
	}
	push(out, LEVEL_LIST);
}

/**
 * pwrctl_out_list_end - end a list
 * @out: where to
 */
void pwrctl_out_list_end(struct pwrctl_out *out)
{
	out->depth--;
	if (out->json)
		fputs(out->depth ? "]" : "]\n", out->file);
	else
		print_table(out);
}

/**
 * pwrctl_out_object - begin an object: a row inside a list, else a description
 * @out: where to
 * @name: in JSON, when inside an object
 * @title: line above a description, or NULL
 */
void pwrctl_out_object(struct pwrctl_out *out, const char *name, const char *title)
{
	if (out->json) {
		json_before(out, name);
		putc('{', out->file);
	} else if (out->level[out->depth] == LEVEL_LIST) {
		/* A row of a list inside a row has no place in a table. */
		out->line = scols_table_new_line(out->table, NULL);
		need(out->line);
		out->column = 0;
	} else {
		new_table(out, title, true);
	}
	push(out, LEVEL_OBJECT);
}

/**
 * pwrctl_out_object_end - end an object
 * @out: where to
 *
 * At the root that ends a line of JSON, too: a stream is one object a line.
 */
void pwrctl_out_object_end(struct pwrctl_out *out)
{
	out->depth--;
	if (out->json)
		fputs(out->depth ? "}" : "}\n", out->file);
	else if (!out->depth)
		print_table(out);
	if (!out->depth)
		out->comma[0] = false;
}

/**
 * pwrctl_out_string - print a string
 * @out: where to
 * @name: its name in JSON; NULL: text only
 * @head: its column or label in text; NULL: JSON only
 * @value: the string
 */
void pwrctl_out_string(struct pwrctl_out *out, const char *name, const char *head,
		       const char *value)
{
	pwrctl_out_noted(out, name, head, value, NULL);
}

/**
 * pwrctl_out_noted - print a string with a note that only people need
 * @out: where to
 * @name: its name in JSON
 * @head: its column or label in text
 * @value: the string
 * @note: added in text, or NULL
 */
void pwrctl_out_noted(struct pwrctl_out *out, const char *name, const char *head,
		      const char *value, const char *note)
{
	char text[CELL_MAX];

	if (out->json) {
		if (!name && out->level[out->depth] == LEVEL_OBJECT)
			return;
		json_before(out, name);
		json_quote(out->file, value);
		return;
	}
	snprintf(text, sizeof(text), note ? "%s  (%s)" : "%s", value, note);
	text_value(out, head, text, 0);
}

/**
 * pwrctl_out_prose - print a sentence, which may be wrapped at the terminal's width
 * @out: where to
 * @name: its name in JSON
 * @head: its column or label in text
 * @value: the sentence
 */
void pwrctl_out_prose(struct pwrctl_out *out, const char *name, const char *head,
		      const char *value)
{
	out->prose = true;
	if (out->json)
		pwrctl_out_string(out, name, head, value);
	else
		text_value(out, head, value, SCOLS_FL_WRAP);
}

/**
 * pwrctl_out_number - print a number
 * @out: where to
 * @name: its name in JSON, unit included
 * @head: its column or label in text; NULL: JSON only
 * @unit: how it reads in text
 * @value: the number
 */
void pwrctl_out_number(struct pwrctl_out *out, const char *name, const char *head,
		       enum pwrctl_unit unit, uint64_t value)
{
	pwrctl_out_number_noted(out, name, head, unit, value, NULL);
}

/**
 * pwrctl_out_number_noted - print a number with a note that only people need
 * @out: where to
 * @name: its name in JSON, unit included
 * @head: its column or label in text
 * @unit: how it reads in text
 * @value: the number
 * @note: added in text, or NULL
 */
void pwrctl_out_number_noted(struct pwrctl_out *out, const char *name, const char *head,
			     enum pwrctl_unit unit, uint64_t value, const char *note)
{
	char number[64], text[CELL_MAX];

	if (out->json) {
		json_before(out, name);
		fprintf(out->file, "%" PRIu64, value);
		return;
	}
	pwrctl_out_unit(unit, value, number, sizeof(number));
	snprintf(text, sizeof(text), note ? "%s  (%s)" : "%s", number, note);
	text_value(out, head, text, SCOLS_FL_RIGHT);
}

/**
 * pwrctl_out_real - a number with a fraction, in JSON only
 * @out: where to
 * @name: its name, unit included
 * @value: finite
 */
void pwrctl_out_real(struct pwrctl_out *out, const char *name, double value)
{
	if (!out->json)
		return;
	json_before(out, name);
	fprintf(out->file, "%.9g", value);
}

/**
 * pwrctl_out_flag - print yes or no
 * @out: where to
 * @name: its name in JSON
 * @head: its column or label in text
 * @value: which
 */
void pwrctl_out_flag(struct pwrctl_out *out, const char *name, const char *head, bool value)
{
	if (out->json) {
		json_before(out, name);
		fputs(value ? "true" : "false", out->file);
		return;
	}
	text_value(out, head, value ? "yes" : "no", 0);
}

/**
 * pwrctl_out_null - print that there is no value: null, or "-"
 * @out: where to
 * @name: its name in JSON
 * @head: its column or label in text
 */
void pwrctl_out_null(struct pwrctl_out *out, const char *name, const char *head)
{
	if (out->json) {
		json_before(out, name);
		fputs("null", out->file);
		return;
	}
	text_value(out, head, "-", SCOLS_FL_RIGHT);
}

/**
 * pwrctl_out_say - a line for people only
 * @out: where to
 * @format: the line, without its newline
 */
void pwrctl_out_say(struct pwrctl_out *out, const char *format, ...)
{
	char text[CELL_MAX], clean[CELL_MAX * 4];
	va_list arguments;

	if (out->json)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fprintf(out->file, "%s\n", pwrctl_out_clean(text, clean, sizeof(clean)));
}

/**
 * pwrctl_out_close - end output
 * @out: freed
 *
 * Return: 0, or -errno when not everything could be written.
 */
int pwrctl_out_close(struct pwrctl_out *out)
{
	int error;

	print_table(out);
	error = pwrctl_out_flush(out);
	free(out);
	return error;
}
