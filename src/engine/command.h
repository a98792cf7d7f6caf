// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>

struct arena;

/* A command line that starts a measuring program, as it stands in a text. */
struct engine_command {
	const char *engine;  /* NULL: none */
	struct names before; /* sudo, taskset -c 3, OPENSSL_armcap=0 … */
	struct names words;  /* behind the program's name */
	const char *dash;    /* a word with a typographic dash, which no program takes */
	bool complete;       /* not shortened with "...", no variables of a script */
	size_t line;
};

/* Whether the line is such a command: with a prompt, as a script's, "+ " of set -x, or bare; prose
 * that names a program is none. */
bool engine_command_read(struct arena *arena, struct view line, struct engine_command *out);
/* Its last `--name value`, `--name=value` or `-name value`, by the name without dashes; NULL. */
const char *engine_command_value(const struct engine_command *command, const char *name);
bool engine_command_has(const struct engine_command *command, const char *name);
