// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

struct arena;

/*
 * Paths in the configuration of servers are made of the domains they serve. A part of such a path
 * that is not made of well-known words ("ssl", "fullchain") enters the program as "hidden-1.pem",
 * "hidden-2" …, numbered as they come; the root alone knows which file that is, and forgets it with
 * the command. Captures hold the made-up names.
 */

/* The name itself, or the made-up one; `hidden` is the list of names hidden so far. */
const char *hide_name(struct arena *arena, struct names *hidden, const char *name);
/* A path or glob, part by part. */
const char *hide_path(struct arena *arena, struct names *hidden, struct view path);
/* The path with made-up names put back. */
const char *unhide_path(struct arena *arena, const struct names *hidden, const char *path);

/* What the root applies to answers, after redaction: only to the files and directories of a table
 * in hide.c. */
struct view hide_text(struct arena *arena, struct names *hidden, const char *path,
		      struct view text);
void hide_list(struct arena *arena, struct names *hidden, const char *path, struct names *list);
