// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

/* How a document looks to a person. Colour only repeats what a word says. */
struct text_style {
	size_t width; /* cells of a line */
	bool color;
	bool unicode; /* the terminal shows UTF-8 */
	bool all;     /* passes and what does not apply too */
	bool quiet;   /* only what fails: no heading, no footer */
	bool verbose; /* evidence, reason, fix and undo under each finding shown */
};

#define TEXT_WIDTH_DEFAULT ((size_t)80)

void text_render(struct buffer *out, const struct document *document,
		 const struct text_style *style);
