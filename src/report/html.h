// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

/*
 * One page that stands alone: no script, nothing fetched (its own policy forbids both), light and
 * dark, for paper and for a telephone. A summary, verdicts worst first, plots with their numbers,
 * sections, messages. Colour only repeats what a word says.
 */
void html_render(struct buffer *out, const struct document *document);
