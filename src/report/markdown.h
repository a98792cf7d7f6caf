// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

/*
 * A document for a place that shows GitHub Flavored Markdown (0.29), such as the summary of a CI
 * job: heading, sections, findings with what passes folded, messages, exit status. Whatever a
 * machine said stays text inside its cell: no markup, no link, no mention, no HTML.
 */
void markdown_render(struct buffer *out, const struct document *document);
