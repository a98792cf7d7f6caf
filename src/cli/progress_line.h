// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct cli;

/*
 * Where a long command says what it does: on a terminal one line that is drawn again, at most ten
 * times a second; elsewhere "still …" once a minute; on --progress fd:N lines for a program, which
 * the command writes itself; nothing with --quiet or --progress never.
 */
struct progress_line {
	int fd;               /* -1: silent */
	bool terminal, lines; /* neither: a line a minute */
	bool drawn;           /* the line of a terminal is not empty */
	struct buffer line;
	int64_t told_ms; /* clock_ms() of the last line */
};

#define PROGRESS_LINE_BYTES ((size_t)2048)
#define PROGRESS_REDRAW_MS 100

/* Whether --progress says something that is known: a usage error. */
bool progress_check(struct cli *cli);
void progress_line_start(struct progress_line *line, struct cli *cli);
/* Whether it is time for progress_line_show(). */
bool progress_line_due(const struct progress_line *line);
/* Printable text; cut at the terminal's width. */
void progress_line_show(struct progress_line *line, struct view text);
/* A line that stays, where lines are drawn. */
void progress_line_keep(struct progress_line *line, struct view text);
void progress_line_end(struct progress_line *line);

/* "1:23", "2:00:05" */
void progress_add_time(struct buffer *out, int64_t seconds);
/* "[####....] " */
void progress_add_bar(struct buffer *out, uint64_t done, uint64_t total);
