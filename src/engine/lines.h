// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;

/*
 * The lines of a text as programs printed them, however it came here: without terminal escapes,
 * NULs and other controls, quotation marks of mails ("> "), time stamps and levels of logs (ISO
 * 8601, syslog, GitHub, GitLab, Jenkins, docker). A carriage return ends a line as well.
 */
struct engine_lines {
	struct view rest, piece;
	char *scratch;
	size_t number; /* of the line last given, from 1 */
	bool cut;      /* a line was longer than ENGINE_LINE_MAX_BYTES */
};

#define ENGINE_LINE_MAX_BYTES ((size_t)1 << 20)

void engine_lines_begin(struct arena *arena, struct view text, struct engine_lines *out);
/* `line` is trimmed and valid until the next call. */
bool engine_lines_next(struct engine_lines *lines, struct view *line);
