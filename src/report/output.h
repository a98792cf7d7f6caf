// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/text.h"

#include <stdbool.h>

struct error;

/* Where a document goes: standard output in one format, and files, each in its own. */
struct output {
	const struct output_format *format;
	const char *path;
};

#define OUTPUTS_MAX 16

struct outputs {
	const struct output_format *standard; /* NULL: text */
	struct output files[OUTPUTS_MAX];
	size_t count;
};

/* "FORMAT=PATH"; "-" is standard output. Unknown formats and a path given twice are usage errors.
 */
bool output_add(struct outputs *outputs, const char *specification, struct error *err);
/* Whether one of the files is `path`, by whatever name. */
bool output_names(const struct outputs *outputs, const char *path);
/* The names of the formats, NULL-terminated. */
extern const char *const output_formats[];
#define OUTPUT_FORMATS_TEXT "text, json, csv, markdown, sarif, junit, openmetrics and html"

/* Width, colour and characters from the terminal, COLUMNS, NO_COLOR, TERM and the locale; `color`
 * is always, never, auto or NULL (auto). */
void output_style(struct text_style *style, const char *color);
/*
 * Files first, then standard output; each is whole or not there: SIGINT and SIGTERM wait until a
 * document is out. When a file cannot be written the rest still is, with the exit code of `err` in
 * it.
 */
bool output_write(struct document *document, const struct outputs *outputs,
		  const struct text_style *style, struct error *err);
/* Bytes to standard output, whole; a closed pipe or a full disk is an error. */
bool output_bytes(struct view bytes, struct error *err);
/* A file that only its owner can read, whole or not there; an existing one is only replaced with
 * `replace`. */
bool output_private(const char *path, struct view bytes, bool replace, struct error *err);
