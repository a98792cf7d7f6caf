// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

/*
 * The results as RFC 4180 says: CR LF ends rows, the first holds the names of the columns. Columns
 * are the fields of the kind's results, "estimate.value" for those of an object inside; lists are
 * joined with ';' (one inside an item has a '\' before it), arrays of objects are left out, null is
 * empty. A text that a spreadsheet would take for a formula has an apostrophe before it.
 */
void csv_render(struct buffer *out, const struct document *document);
