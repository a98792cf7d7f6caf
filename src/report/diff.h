// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"
#include "report/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

struct change {
	const char *kind; /* worse better changed added removed */
	const char *id, *title, *severity;
	const char *before, *after; /* NULL: not there */
	const char *note;           /* what else changed, or why it is not judged; NULL */
};

struct diff_summary {
	int64_t worse, better, changed, added, removed, same;
};

struct changes {
	struct change *items;
	size_t count, room;
	struct diff_summary summary;
	struct names notes; /* of the two as wholes: another machine, another role */
};

extern const char *const change_kinds[]; /* in the order they are shown */

struct diff_side {
	const char *name; /* for messages */
	struct view text;
};

/* Whether a number may be called slower or faster when the library, the kernel or the firmware is
 * another one too. */
enum diff_rule {
	DIFF_TWO,   /* yes, what else changed is said: two results that somebody chose */
	DIFF_DRIFT, /* no: a machine in the course of time */
};

/* Of two of one command. `out` is zeroed by the caller. */
void diff_results(struct arena *arena, const struct results *before, const struct results *after,
		  enum diff_rule rule, struct changes *out);
/* Worse first. */
void diff_sort(struct arena *arena, struct changes *changes);
/* Two texts of one command (format 1.x); any other text is an error that names the file. */
bool diff_texts(struct arena *arena, const struct diff_side *before, const struct diff_side *after,
		struct changes *out, struct error *err);
/* The same of two files, one of which may be "-", standard input. */
bool diff_reports(struct arena *arena, const char *before_path, const char *after_path,
		  struct changes *out, struct error *err);
