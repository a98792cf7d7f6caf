// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

#include <stdarg.h>

/* The style sheet; its digest is in the policy of the page, so that no other style is obeyed. */
extern const char html_style[];
/* <TAG>text</TAG>, the text as markup_text() makes it; `class` NULL: none. Nothing without text. */
void html_element(struct buffer *out, const char *tag, const char *class, const char *text);
/* The word of an outcome, in its colour. */
void html_badge(struct buffer *out, const char *outcome);
void html_verdicts(struct buffer *out, const struct document *document);
void html_section(struct buffer *out, const struct section *section);
void html_plots(struct buffer *out, const struct document *document);

/* Numbers of verdicts by outcome, in the order of outcome_rows. */
#define HTML_OUTCOMES_MAX 8
size_t html_count(const struct document *document, size_t counts[HTML_OUTCOMES_MAX]);

/* The picture of a plot; `number` keeps its ids apart from those of others. */
void svg_plot(struct buffer *out, const struct plot *plot, size_t number);
/* What marks a line in the legend. */
void svg_swatch(struct buffer *out, const struct plot_line *line, size_t index);
/* Three significant digits without an exponent. */
const char *svg_number(struct arena *arena, double number);
