// SPDX-License-Identifier: BSD-2-Clause
#include "report/output.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "report/csv.h"
#include "report/html.h"
#include "report/json.h"
#include "report/junit.h"
#include "report/markdown.h"
#include "report/openmetrics.h"
#include "report/sarif.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* The size of a document with every evidence of a thousand findings is a few MB. */
#define DOCUMENT_MAX_BYTES ((size_t)256 << 20)

struct output_format {
	const char *name;
	void (*render)(struct buffer *out, const struct document *document);
};

/* The order of the rows is that of output_formats. */
static const struct output_format formats[] = {
	/* The only one that asks how it should look. */
	{"text", NULL},
	{"json", json_render},
	{"csv", csv_render},
	{"markdown", markdown_render},
	{"sarif", sarif_render},
	{"junit", junit_render},
	{"openmetrics", openmetrics_render},
	{"html", html_render},
};

const char *const output_formats[] = {"text",  "json",        "csv",  "markdown", "sarif",
				      "junit", "openmetrics", "html", NULL};
_Static_assert(sizeof(output_formats) / sizeof(output_formats[0]) ==
		       sizeof(formats) / sizeof(formats[0]) + 1,
	       "every format has a name");

static const struct output_format *find_format(struct view name)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (view_is(name, formats[i].name))
			return &formats[i];
	}
	return NULL;
}

static bool unknown_format(struct view name, struct error *err)
{
	char word[32] = "";
	const char *nearest;

	if (name.size < sizeof(word))
		memcpy(word, name.at, name.size);
	nearest = text_nearest(word, output_formats, sizeof(formats) / sizeof(formats[0]));
	return error_exit(
		err, EXIT_USAGE,
		"--output: unknown format '%.*s'%s%s%s; " OUTPUT_FORMATS_TEXT " are there",
		(int)(name.size > 64 ? 64 : name.size), name.at, nearest ? ", did you mean '" : "",
		nearest ? nearest : "", nearest ? "'" : "");
}

bool output_names(const struct outputs *outputs, const char *path)
{
	for (size_t i = 0; i < outputs->count; i++) {
		if (file_is_same(outputs->files[i].path, path))
			return true;
	}
	return false;
}

bool output_add(struct outputs *outputs, const char *specification, struct error *err)
{
	const char *equals = strchr(specification, '=');
	const struct output_format *format;

	if (!equals || equals == specification || !equals[1])
		return error_exit(err, EXIT_USAGE, "--output: '%s' is not FORMAT=PATH",
				  specification);
	format = find_format((struct view){specification, (size_t)(equals - specification)});
	if (!format)
		return unknown_format(
			(struct view){specification, (size_t)(equals - specification)}, err);
	if (strcmp(equals + 1, "-") == 0) {
		if (outputs->standard && outputs->standard != format)
			return error_exit(
				err, EXIT_USAGE,
				"--output: standard output takes one format, not both %s and %s",
				outputs->standard->name, format->name);
		outputs->standard = format;
		return true;
	}
	if (output_names(outputs, equals + 1))
		return error_exit(err, EXIT_USAGE,
				  "--output: %s is named twice, give each format its own file",
				  equals + 1);
	if (outputs->count == OUTPUTS_MAX)
		return error_exit(err, EXIT_USAGE, "--output: more than %d files", OUTPUTS_MAX);
	outputs->files[outputs->count++] = (struct output){format, equals + 1};
	return true;
}

/* What the first of these variables that is set says, as the C library reads them (locale(7)). */
static bool shows_utf8(void)
{
	static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *locale = getenv(variables[i]);

		if (locale && *locale)
			return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
	}
	return false;
}

void output_style(struct text_style *style, const char *color)
{
	const char *columns = getenv("COLUMNS"), *no_color = getenv("NO_COLOR"),
		   *term = getenv("TERM");
	bool terminal = isatty(STDOUT_FILENO);
	struct winsize size = {0};
	uint64_t number;

	style->width = TEXT_WIDTH_DEFAULT;
	if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
		style->width = size.ws_col;
	if (view_u64(view_of(columns), 10, &number) && number <= 10000)
		style->width = number;
	/* Below this the columns of a finding leave no room for its text. */
	if (style->width < 40)
		style->width = 40;
	style->unicode = shows_utf8();
	style->color = terminal && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
	if (color && strcmp(color, "auto") != 0)
		style->color = strcmp(color, "always") == 0;
}

bool output_bytes(struct view bytes, struct error *err)
{
	return file_write_fd(STDOUT_FILENO, "standard output", bytes, err);
}

static bool render(const struct document *document, const struct output_format *format,
		   const struct text_style *style, struct buffer *out, struct error *err)
{
	*out = buffer_new(document->arena, DOCUMENT_MAX_BYTES);
	if (format->render)
		format->render(out, document);
	else
		text_render(out, document, style);
	if (out->full)
		return error_set(err, "the %s output is larger than %zu MB", format->name,
				 DOCUMENT_MAX_BYTES >> 20);
	return true;
}

static bool write_all(struct document *document, const struct outputs *outputs,
		      const struct text_style *style, struct error *err)
{
	struct text_style plain = *style;
	struct buffer out;
	bool good = true;

	plain.width = TEXT_WIDTH_DEFAULT;
	plain.color = false;
	for (size_t i = 0; i < outputs->count; i++) {
		const struct output *file = &outputs->files[i];

		if (render(document, file->format, &plain, &out, err) &&
		    file_write(file->path, buffer_view(&out), err))
			continue;
		error_context(err, "--output");
		document->exit_code = EXIT_TROUBLE;
		document_message(document, "error", "%s", err->text);
		good = false;
	}
	return render(document, outputs->standard ? outputs->standard : &formats[0], style, &out,
		      err) &&
	       output_bytes(buffer_view(&out), err) && good;
}

/* SIGINT and SIGTERM wait until hold_end(). */
static void hold_begin(sigset_t *before)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, before);
}

static void hold_end(const sigset_t *before)
{
	sigprocmask(SIG_SETMASK, before, NULL);
}

bool output_write(struct document *document, const struct outputs *outputs,
		  const struct text_style *style, struct error *err)
{
	sigset_t before;
	bool good;

	hold_begin(&before);
	good = write_all(document, outputs, style, err);
	hold_end(&before);
	return good;
}

static bool put_in_place(const char *temporary, const char *path, bool replace, struct error *err)
{
	unsigned flags = replace ? 0 : RENAME_NOREPLACE;
	int result = renameat2(AT_FDCWD, temporary, AT_FDCWD, path, flags);

	/* Some file systems cannot refuse in one step; a hard link does. */
	if (result < 0 && errno == EINVAL && !replace) {
		result = link(temporary, path);
		if (result == 0)
			unlink(temporary);
	}
	if (result < 0 && errno == EEXIST)
		return error_set(err, "%s: exists already, name another file or add --force", path);
	return result == 0 || error_errno(err, errno, "%s", path);
}

static bool write_private(const char *path, struct view bytes, bool replace, struct error *err)
{
	char temporary[PATH_MAX];
	int size = snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path);

	if (size < 0 || (size_t)size >= sizeof(temporary))
		return error_errno(err, ENAMETOOLONG, "%s", path);
	scoped_fd int fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "%s", path);
	if (file_write_fd(fd, path, bytes, err) && put_in_place(temporary, path, replace, err))
		return true;
	unlink(temporary);
	return false;
}

bool output_private(const char *path, struct view bytes, bool replace, struct error *err)
{
	sigset_t before;
	bool good;

	hold_begin(&before);
	good = write_private(path, bytes, replace, err);
	hold_end(&before);
	return good;
}
