// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

struct change {
	const char *kind; /* worse better changed added removed */
	const char *id, *title, *severity;
	const char *before, *after; /* NULL: not there */
};

struct diff_summary {
	int64_t worse, better, changed, added, removed, same;
};

struct changes {
	struct change *items;
	size_t count, room;
	struct diff_summary summary;
};

struct diff_side {
	const char *name; /* for messages */
	struct view text;
};

/* Compares two reports of one kind (audit or detect, format 1.x); any other text is an error that
 * names the file. `out` is zeroed by the caller. */
bool diff_texts(struct arena *arena, const struct diff_side *before, const struct diff_side *after,
		struct changes *out, struct error *err);
/* The same of two files, one of which may be "-", standard input. */
bool diff_reports(struct arena *arena, const char *before_path, const char *after_path,
		  struct changes *out, struct error *err);
