// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

/* What XML 1.0 and HTML have in common. */

/*
 * A text as content or between double quotes: markup characters become references, and so do line
 * feeds, which attributes would lose. What XML has no character for (controls, U+FFFE, U+FFFF),
 * what turns the direction of text, and what is not UTF-8 is shown as \xNN. NULL is nothing.
 */
void markup_text(struct buffer *out, const char *text);
/* NAME="VALUE" after a blank; nothing when the value is NULL. */
void markup_attribute(struct buffer *out, const char *name, const char *value);
/* For a message that is put together of pieces: printf, then as markup_text(). */
void markup_printf(struct buffer *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
