// SPDX-License-Identifier: BSD-2-Clause
#pragma once
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

/* Compares two reports of one kind (audit or detect, format 1.x); any other text is an error that
 * names the file. */
bool diff_reports(struct arena *arena, const char *before_path, const char *after_path,
		  struct changes *out, struct error *err);
