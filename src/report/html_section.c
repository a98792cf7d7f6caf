// SPDX-License-Identifier: BSD-2-Clause
#include "report/html_private.h"
#include "report/markup.h"
#include "report/section.h"

#include <stdlib.h>
#include <string.h>

/* Tables of so many columns are cards at the width of a telephone: each cell says its column. */
#define CARD_COLUMNS 4
/* Cells up to here are names and numbers: they are not broken at a hyphen or a blank. */
#define WHOLE_BYTES 18

static bool is_cards(const struct section *section)
{
	return section->header && section->columns >= CARD_COLUMNS;
}

/* A bar of the share of a cell of section_share(), with the number beside it. */
static void put_bar(struct buffer *out, const char *cell)
{
	uint64_t share;

	if (!view_u64(view_of(cell), 10, &share) || share > 1000)
		return;
	buffer_printf(out,
		      "<svg class=\"bar\" viewBox=\"0 0 1000 80\" preserveAspectRatio=\"none\" "
		      "aria-hidden=\"true\"><rect class=\"rest\" width=\"1000\" height=\"80\"/>"
		      "<rect width=\"%u\" height=\"80\"/></svg>%u %%",
		      (unsigned)share, (unsigned)((share + 5) / 10));
}

static void put_cell(struct buffer *out, const struct section *section, size_t row, size_t column)
{
	const char *cell = section->cells[row * section->columns + column];
	enum column_kind kind = section_kind(section, column);
	const char *tag = column ? "td" : "th";

	buffer_printf(out, "<%s%s", tag, column ? "" : " scope=\"row\"");
	if (kind == COLUMN_NUMBER)
		buffer_text(out, " class=\"number\"");
	else if (section->header && cell && strchr(cell, '-') && strlen(cell) <= WHOLE_BYTES)
		buffer_text(out, " class=\"whole\"");
	if (column && is_cards(section))
		markup_attribute(out, "data-column", section->header[column]);
	buffer_char(out, '>');
	if (cell && kind == COLUMN_OUTCOME)
		html_badge(out, cell);
	else if (cell && kind == COLUMN_BAR)
		put_bar(out, cell);
	else
		markup_text(out, cell);
	buffer_printf(out, "</%s>", tag);
}

static void put_head(struct buffer *out, const struct section *section)
{
	buffer_text(out, "<thead><tr>");
	for (size_t i = 0; i < section->columns; i++) {
		buffer_printf(out, "<th scope=\"col\"%s>",
			      section_kind(section, i) == COLUMN_NUMBER ? " class=\"number\"" : "");
		markup_text(out, section->header[i]);
		buffer_text(out, "</th>");
	}
	buffer_text(out, "</tr></thead>\n");
}

static void put_table(struct buffer *out, const struct section *section)
{
	buffer_printf(out, "<div class=\"wide\"><table%s>\n",
		      !section->header    ? " class=\"pairs\""
		      : is_cards(section) ? " class=\"cards\""
					  : "");
	if (section->header)
		put_head(out, section);
	buffer_text(out, "<tbody>\n");
	for (size_t row = 0; row < section->rows; row++) {
		if (section->notes[row]) {
			buffer_printf(out, "<tr class=\"note\"><td colspan=\"%zu\">",
				      section->columns);
			markup_text(out, section->cells[row * section->columns]);
			buffer_text(out, "</td></tr>\n");
			continue;
		}
		buffer_text(out, "<tr>");
		for (size_t i = 0; i < section->columns; i++)
			put_cell(out, section, row, i);
		buffer_text(out, "</tr>\n");
	}
	buffer_text(out, "</tbody></table></div>\n");
}

void html_section(struct buffer *out, const struct section *section)
{
	if (!section->rows)
		return;
	buffer_text(out, section->title ? "<section>\n" : "<div>\n");
	html_element(out, "h2", NULL, section->title);
	if (section->columns > 1 || section->header) {
		put_table(out, section);
	} else {
		for (size_t row = 0; row < section->rows; row++)
			html_element(out, "p", NULL, section->cells[row]);
	}
	buffer_text(out, section->title ? "</section>\n" : "</div>\n");
}
