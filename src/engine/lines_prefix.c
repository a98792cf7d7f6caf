// SPDX-License-Identifier: BSD-2-Clause
#include "engine/lines_prefix.h"

#include <ctype.h>
#include <string.h>

#define COLUMN_MAX 200 /* where a log's own columns may reach */

static struct view skip(struct view text, size_t size)
{
	size = size < text.size ? size : text.size;
	return (struct view){text.at + size, text.size - size};
}

static char at(struct view text, size_t i)
{
	return i < text.size ? text.at[i] : '\0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t digits(struct view text, size_t from)
{
	size_t i = from;

	while (is_digit(at(text, i)))
		i++;
	return i - from;
}

/* "19:47:37", ".123456" or ",123" behind it, "Z" or "+01:00"; 0: no time of day. */
static size_t time_size(struct view text)
{
	size_t hours = digits(text, 0), i;

	if (hours < 1 || hours > 3 || at(text, hours) != ':' || digits(text, hours + 1) != 2 ||
	    at(text, hours + 3) != ':' || digits(text, hours + 4) != 2)
		return 0;
	i = hours + 6;
	if ((at(text, i) == '.' || at(text, i) == ',') && digits(text, i + 1))
		i += 1 + digits(text, i + 1);
	if (at(text, i) == 'Z')
		return i + 1;
	if ((at(text, i) == '+' || at(text, i) == '-') && digits(text, i + 1) >= 2) {
		i += 1 + digits(text, i + 1);
		if (at(text, i) == ':' && digits(text, i + 1) == 2)
			i += 3;
	}
	return i;
}

static bool is_month(struct view text)
{
	static const char months[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec ";
	char month[5] = {at(text, 0), at(text, 1), at(text, 2), ' '};

	return isalpha((unsigned char)month[0]) && strstr(months, month);
}

static bool separates(char c)
{
	return c == '-' || c == '/' || c == '.';
}

/* "2024-01-01T", "2024/01/01 ", "01/31/2024 ", "31/Jan/2024:", "Jan  1 "; 0: no date. */
static size_t date_size(struct view text)
{
	size_t i = 4;

	if (digits(text, 0) == 4 && separates(at(text, 4)) && digits(text, 5) == 2 &&
	    at(text, 7) == at(text, 4) && digits(text, 8) == 2)
		return at(text, 10) == 'T' || at(text, 10) == ' ' ? 11 : 10;
	if (digits(text, 0) == 2 && separates(at(text, 2)) && digits(text, 3) == 2 &&
	    at(text, 5) == at(text, 2) && digits(text, 6) == 4 && at(text, 10) == ' ')
		return 11;
	if (digits(text, 0) == 2 && at(text, 2) == '/' && is_month(skip(text, 3)) &&
	    at(text, 6) == '/' && digits(text, 7) == 4 && at(text, 11) == ':')
		return 12;
	if (!is_month(text) || at(text, 3) != ' ')
		return 0;
	while (at(text, i) == ' ')
		i++;
	if (!digits(text, i) || digits(text, i) > 2 || at(text, i + digits(text, i)) != ' ')
		return 0;
	return i + digits(text, i) + 1;
}

static size_t stamp_size(struct view text)
{
	size_t date = date_size(text), time = time_size(skip(text, date)), end = date + time;

	/* seconds since 1970, with a fraction */
	if (digits(text, 0) == 10 && at(text, 10) == '.' && digits(text, 11) >= 3 &&
	    at(text, 11 + digits(text, 11)) == ' ')
		return 11 + digits(text, 11);
	if (!time)
		return 0;
	if (view_starts(skip(text, end), " AM") || view_starts(skip(text, end), " PM"))
		return end + 3;
	if (at(text, end) == ' ' && (at(text, end + 1) == '+' || at(text, end + 1) == '-') &&
	    digits(text, end + 2) == 4)
		return end + 6;
	return end;
}

/* "[2024-01-01T00:00:00Z] ", "[   12.345678] ", "[0.5s] " */
static size_t bracket_size(struct view text)
{
	struct view inside = view_trim(skip(text, 1));
	size_t size;

	if (at(text, 0) != '[')
		return 0;
	size = stamp_size(inside);
	if (!size && digits(inside, 0) && at(inside, digits(inside, 0)) == '.')
		size = digits(inside, 0) + 1 + digits(inside, digits(inside, 0) + 1);
	if (size && at(inside, size) == 's')
		size++;
	if (!size)
		return 0;
	while (at(inside, size) == ' ')
		size++;
	return at(inside, size) == ']' ? (size_t)(inside.at - text.at) + size + 1 : 0;
}

static size_t level_size(struct view text, bool stamped)
{
	static const char *const levels[] = {"INFO",  "DEBUG", "NOTICE", "WARNING", "WARN",
					     "ERROR", "TRACE", "stdout", "stderr"};
	bool bracket = at(text, 0) == '[';

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		size_t end = strlen(levels[i]) + bracket;

		if (!view_starts(skip(text, bracket), levels[i]))
			continue;
		if (bracket && at(text, end) == ']')
			return end + 1;
		/* "stdout F " and "stderr P " are of container logs (CRI) */
		if (!bracket && stamped && view_starts(text, "std") && at(text, end) == ' ' &&
		    (at(text, end + 1) == 'F' || at(text, end + 1) == 'P') &&
		    (at(text, end + 2) == ' ' || text.size == end + 2))
			return end + 2;
		if (!bracket && stamped && (at(text, end) == ' ' || at(text, end) == ':'))
			return end + 1;
	}
	return 0;
}

/* "- bench - INFO - " of Python; "host bench 77 - - " of RFC 5424; ": [Step 1/2] " of TeamCity. */
static size_t fields_size(struct view text)
{
	struct view rest = text, words[5];
	size_t count = 0, end;

	if (view_starts(text, "- ") || view_starts(text, ": "))
		return 2;
	if (view_starts(text, "[Step ")) {
		const char *close = view_find(text, "] ");

		return close ? (size_t)(close - text.at) + 2 : 0;
	}
	while (count < 5 && view_word(&rest, &words[count]))
		count++;
	end = count == 5 ? (size_t)(rest.at - text.at) : 0;
	if (count > 2 && view_is(words[1], "-") &&
	    level_size((struct view){words[2].at, words[2].size + 1}, true))
		return (size_t)(words[2].at - text.at);
	return count == 5 && view_is(words[4], "-") &&
			       (view_is(words[3], "-") || view_starts(words[3], "ID"))
		       ? end
		       : 0;
}

/* "00O " and "01E+" of GitLab; "host prog[12]: " of syslog, after their time stamps. */
static size_t after_stamp_size(struct view text)
{
	struct view rest = text, host, program;

	if (isxdigit((unsigned char)at(text, 0)) && isxdigit((unsigned char)at(text, 1)) &&
	    (at(text, 2) == 'O' || at(text, 2) == 'E') &&
	    (at(text, 3) == ' ' || at(text, 3) == '+' || text.size == 3))
		return 4;
	if (!view_word(&rest, &host) || !view_word(&rest, &program) || !view_ends(program, ":"))
		return 0;
	return memchr(program.at, '[', program.size) ? (size_t)(rest.at - text.at) : 0;
}

/* Columns in front: "job <tab> step <tab> 2024-…" (gh run view), "web-1  | " (docker compose),
 * "#12 3.456 " (buildkit). */
static size_t column_size(struct view text)
{
	size_t i = 0;

	for (size_t tab = 0; tab < text.size && tab < COLUMN_MAX; tab++) {
		if (text.at[tab] == '\t' && stamp_size(skip(text, tab + 1)))
			return tab + 1;
	}
	if (at(text, 0) == '#' && digits(text, 1)) {
		i = 1 + digits(text, 1);
		if (at(text, i) == ' ' && digits(text, i + 1) &&
		    at(text, i + 1 + digits(text, i + 1)) == '.')
			i += 2 + digits(text, i + 1) + digits(text, i + 2 + digits(text, i + 1));
		return i > 4 && at(text, i) == ' ' ? i : 0;
	}
	while (isalnum((unsigned char)at(text, i)) || at(text, i) == '-' || at(text, i) == '_')
		i++;
	if (!i)
		return 0;
	while (at(text, i) == ' ')
		i++;
	return at(text, i) == '|' && at(text, i + 1) == ' ' ? i + 2 : 0;
}

/* "I0131 00:00:00.123456 77 file.cc:12] " of glog and of Kubernetes. */
static size_t glog_size(struct view text)
{
	const char *close = view_find(text, "] ");
	bool level = at(text, 0) && strchr("IWEF", at(text, 0));

	if (!level || digits(text, 1) != 4 || at(text, 5) != ' ' || !time_size(skip(text, 6)) ||
	    !close || (size_t)(close - text.at) > COLUMN_MAX)
		return 0;
	return (size_t)(close - text.at) + 2;
}

/* Numbers of lines: "12<tab>" (cat -n), "12:" and "bench.log:12:" (grep -n). A table whose columns
 * are tabs has a digit behind the first one. */
static size_t line_number_size(struct view text)
{
	size_t number = digits(text, 0), i = 0;

	if (number && number <= 6 && (at(text, number) == '\t' || at(text, number) == ':'))
		return is_digit(at(text, number + 1)) ? 0 : number + 1;
	if (!isalpha((unsigned char)at(text, 0)) && at(text, 0) != '/' && at(text, 0) != '.')
		return 0;
	while (i < text.size && i < COLUMN_MAX && !strchr(" \t:", text.at[i]))
		i++;
	if (at(text, i) != ':' || !memchr(text.at, '.', i) || !digits(text, i + 1) ||
	    at(text, i + 1 + digits(text, i + 1)) != ':')
		return 0;
	return i + 2 + digits(text, i + 1);
}

/* Marks of CI systems and of programs that start others. */
static size_t mark_size(struct view text)
{
	static const char *const marks[] = {"##[debug]", "##[error]", "##[warning]", "##[section]",
					    "- "};
	const char *close = view_find(text, "] ");
	size_t i;

	for (i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		if (view_starts(text, marks[i]))
			return strlen(marks[i]);
	}
	/* "<14>1 " of RFC 5424 */
	if (at(text, 0) == '<' && digits(text, 1) && at(text, 1 + digits(text, 1)) == '>') {
		i = 2 + digits(text, 1);
		i += digits(text, i);
		return at(text, i) == ' ' || is_month(skip(text, i)) ? i : 0;
	}
	if (view_starts(text, "[pod/") && close)
		return (size_t)(close - text.at) + 2;
	/* "[1,0]<stdout>: " of mpirun */
	if (at(text, 0) != '[' || !digits(text, 1) || at(text, 1 + digits(text, 1)) != ',')
		return 0;
	close = view_find(text, "]<std");
	i = close ? (size_t)(close - text.at) + 8 : 0;
	return close && at(text, i) == '>' && at(text, i + 1) == ':' ? i + 2 : 0;
}

size_t engine_prefix_size(struct view text, bool *stamped)
{
	size_t size = stamp_size(text);

	if (!size)
		size = bracket_size(text);
	if (!size)
		size = glog_size(text);
	if (size) {
		*stamped = true;
		return size;
	}
	if (at(text, 0) == '>' && (at(text, 1) == ' ' || at(text, 1) == '>' || text.size == 1))
		return 1;
	size = level_size(text, *stamped);
	if (!size && *stamped)
		size = after_stamp_size(text);
	if (!size && *stamped)
		size = fields_size(text);
	if (!size)
		size = mark_size(text);
	if (!size)
		size = line_number_size(text);
	return size ? size : column_size(text);
}
