// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;

/*
 * Lines of text for a terminal: columns are counted in cells (wide and combining characters,
 * Unicode 15 East Asian Width), whatever is not printable is escaped, blanks at the end of a line
 * are never written. Text is UTF-8 or raw bytes.
 */
struct page {
	struct buffer *out;
	struct arena *arena;
	size_t width;   /* cells of a line */
	size_t column;  /* where the next byte goes */
	size_t pending; /* blanks owed before it */
	bool color;
	bool unicode; /* more than ASCII of our own: bars */
};

enum page_style { STYLE_PLAIN, STYLE_TITLE, STYLE_BAD, STYLE_DOUBT, STYLE_GOOD, STYLE_QUIET };

size_t page_cells(const char *text); /* of text that is already printable */
void page_put(struct page *page, enum page_style style, const char *text);
/* Blanks up to a column, or two when it is already past. */
void page_to(struct page *page, size_t column);
void page_end(struct page *page);
/* From here to the margin, going on under `indent`; a word wider than a whole line is cut. */
void page_wrap(struct page *page, size_t indent, const char *text);
/* Likewise, but line feeds in the text end lines: for text of our own, never for what a machine
 * said. */
void page_paragraphs(struct page *page, size_t indent, const char *text);
