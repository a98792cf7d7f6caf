// SPDX-License-Identifier: BSD-2-Clause
#include "report/section.h"

#include "base/arena.h"
#include "report/outcome.h"

#include <string.h>

enum { GAP = 2, BAR_LEAST = 6, BAR_MOST = 24, COLUMNS_KEPT = 2, NOTE_INDENT = 9 };

/* Where columns begin and how wide they are. */
struct layout {
	size_t start, columns; /* columns that are shown */
	size_t widths[SECTION_COLUMNS_MAX];
	size_t wholes[SECTION_COLUMNS_MAX]; /* cells before the decimal point */
};

enum column_kind section_kind(const struct section *section, size_t column)
{
	return section->kinds ? section->kinds[column] : COLUMN_TEXT;
}

/* U+2588 is a whole block, U+258F an eighth of one, U+2591 a shade. */
static void unicode_bar(struct buffer *bar, uint64_t thousandths, size_t width)
{
	uint64_t eighths = (thousandths * width * 8 + 500) / 1000;

	if (!eighths && thousandths)
		eighths = 1;
	for (size_t i = 0; i < width; i++) {
		uint64_t part = eighths > 8 ? 8 : eighths;

		eighths -= part;
		buffer_text(bar, "\xe2\x96");
		buffer_char(bar, part ? (char)(0x90 - part) : '\x91');
	}
}

static void ascii_bar(struct buffer *bar, uint64_t thousandths, size_t width)
{
	uint64_t full = (thousandths * width + 500) / 1000;

	if (!full && thousandths)
		full = 1;
	for (size_t i = 0; i < width; i++)
		buffer_char(bar, i < full ? '#' : '.');
}

const char *section_bar(struct arena *arena, const char *share, size_t width, bool unicode)
{
	struct buffer bar = buffer_new(arena, width * 3);
	uint64_t thousandths;

	if (!view_u64(view_of(share), 10, &thousandths))
		return "";
	if (thousandths > 1000)
		thousandths = 1000;
	if (unicode)
		unicode_bar(&bar, thousandths, width);
	else
		ascii_bar(&bar, thousandths, width);
	return buffer_string(&bar);
}

static const char *cell_word(struct arena *arena, enum column_kind kind, const char *cell)
{
	const struct outcome_row *row = kind == COLUMN_OUTCOME ? outcome_find(cell) : NULL;

	return row ? row->word : text_printable(arena, view_of(cell));
}

/* "12.5" has two cells before the point and two from it on; a word has none before it. */
static size_t cells_before_point(const char *text)
{
	size_t sign = text[0] == '+' || text[0] == '-' ? 1 : 0;
	size_t digits = strspn(text + sign, "0123456789");

	return digits ? sign + digits : 0;
}

static void measure(const struct page *page, const struct section *section, size_t column,
		    struct layout *layout)
{
	enum column_kind kind = section_kind(section, column);
	size_t width = section->header ? page_cells(section->header[column]) : 0;
	size_t whole = 0, rest = 0, limit = page->width / 2;

	for (size_t row = 0; row < section->rows && kind != COLUMN_BAR; row++) {
		const char *cell = section->cells[row * section->columns + column];

		if (!cell || section->notes[row])
			continue;
		const char *word = cell_word(page->arena, kind, cell);
		size_t cells = page_cells(word), before = cells_before_point(word);

		if (kind == COLUMN_NUMBER && before) {
			whole = before > whole ? before : whole;
			rest = cells - before > rest ? cells - before : rest;
		} else if (cells > width && (kind != COLUMN_TEXT || cells <= limit)) {
			width = cells;
		}
	}
	width = whole + rest > width ? whole + rest : width;
	layout->widths[column] = width;
	/* What is narrower than its header stands at its right end. */
	layout->wholes[column] = width - rest;
}

/* Without the bar first, then from the right, until a line holds what is left. */
static void fit(const struct page *page, const struct section *section, struct layout *layout)
{
	size_t last = section->columns - 1, total = layout->start;
	bool bar = section_kind(section, last) == COLUMN_BAR;

	layout->columns = section->columns;
	if (!section->kinds)
		return;
	for (size_t i = 0; i < section->columns; i++)
		total += layout->widths[i] + (i ? GAP : 0);
	if (bar && total - layout->widths[last] + BAR_LEAST <= page->width) {
		size_t room = page->width - (total - layout->widths[last]);

		layout->widths[last] = room < BAR_MOST ? room : BAR_MOST;
		return;
	}
	if (bar)
		total -= layout->widths[--layout->columns] + GAP;
	while (layout->columns > COLUMNS_KEPT && total > page->width)
		total -= layout->widths[--layout->columns] + GAP;
}

static void put_cell(struct page *page, const struct section *section, const struct layout *layout,
		     size_t column, size_t start, const char *cell)
{
	enum column_kind kind = section_kind(section, column);
	const struct outcome_row *outcome = kind == COLUMN_OUTCOME ? outcome_find(cell) : NULL;
	size_t width = layout->widths[column];
	const char *word = kind == COLUMN_BAR ? section_bar(page->arena, cell, width, page->unicode)
					      : cell_word(page->arena, kind, cell ? cell : "");
	size_t before = cells_before_point(word), cells = page_cells(word);

	if (kind == COLUMN_NUMBER)
		start += before ? layout->wholes[column] - before : width - cells;
	page_to(page, start);
	page_put(page, outcome ? outcome->style : STYLE_PLAIN, word);
}

static void render_header(struct page *page, const struct section *section,
			  const struct layout *layout)
{
	size_t start = layout->start;

	for (size_t column = 0; column < layout->columns; column++) {
		const char *word = section->header[column];
		size_t width = layout->widths[column];
		bool right = section_kind(section, column) == COLUMN_NUMBER;

		page_to(page, start + (right ? width - page_cells(word) : 0));
		page_put(page, STYLE_QUIET, word);
		start += width + GAP;
	}
	page_end(page);
}

static void render_row(struct page *page, const struct section *section,
		       const struct layout *layout, size_t row)
{
	const char *const *cells = section->cells + row * section->columns;
	size_t start = layout->start;

	for (size_t column = 0; column < layout->columns; column++) {
		if (column + 1 == section->columns &&
		    section_kind(section, column) == COLUMN_TEXT) {
			page_to(page, start);
			page_paragraphs(page, start, cells[column]);
		} else {
			put_cell(page, section, layout, column, start, cells[column]);
		}
		start += layout->widths[column] + GAP;
	}
	page_end(page);
}

static void render_note(struct page *page, const struct layout *layout, const char *text)
{
	size_t indent = layout->start + NOTE_INDENT;

	page_to(page, indent);
	page_wrap(page, indent + 2, text);
	page_end(page);
}

void section_render(struct page *page, const struct section *section)
{
	struct layout layout = {.start = section->title ? 2 : 0};

	if (!section->rows)
		return;
	if (section->title) {
		page_put(page, STYLE_TITLE, section->title);
		page_end(page);
	}
	for (size_t column = 0; column < section->columns; column++)
		measure(page, section, column, &layout);
	fit(page, section, &layout);
	if (section->header)
		render_header(page, section, &layout);
	for (size_t row = 0; row < section->rows; row++) {
		if (section->notes[row])
			render_note(page, &layout, section->cells[row * section->columns]);
		else
			render_row(page, section, &layout, row);
	}
}
