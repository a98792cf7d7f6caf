// SPDX-License-Identifier: BSD-2-Clause
#include "report/page.h"

#include "base/arena.h"

#include <stdint.h>
#include <string.h>

/* Ranges of Unicode 15.0 EastAsianWidth.txt (W, F; unassigned code points inside a block included),
 * and of general category Mn, Me and Cf among the characters that names of machines and people are
 * written with. */
static const struct cell_range {
	uint32_t first, last;
	unsigned cells;
} cell_ranges[] = {
	{0x00ad, 0x00ad, 0},   {0x0300, 0x036f, 0},   {0x0483, 0x0489, 0},   {0x0591, 0x05bd, 0},
	{0x0610, 0x061a, 0},   {0x064b, 0x065f, 0},   {0x0e34, 0x0e3a, 0},   {0x0e47, 0x0e4e, 0},
	{0x1100, 0x115f, 2},   {0x1ab0, 0x1aff, 0},   {0x1dc0, 0x1dff, 0},   {0x200b, 0x200f, 0},
	{0x2060, 0x2064, 0},   {0x20d0, 0x20f0, 0},   {0x231a, 0x231b, 2},   {0x23e9, 0x23ec, 2},
	{0x2614, 0x2615, 2},   {0x2648, 0x2653, 2},   {0x26a1, 0x26a1, 2},   {0x2705, 0x2705, 2},
	{0x274c, 0x274c, 2},   {0x2e80, 0x303e, 2},   {0x3041, 0x4dbf, 2},   {0x4e00, 0xa4cf, 2},
	{0xa960, 0xa97f, 2},   {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe00, 0xfe0f, 0},
	{0xfe20, 0xfe2f, 0},   {0xfe30, 0xfe6f, 2},   {0xfeff, 0xfeff, 0},   {0xff01, 0xff60, 2},
	{0xffe0, 0xffe6, 2},   {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1f9ff, 2},
	{0x20000, 0x3fffd, 2}, {0xe0100, 0xe01ef, 0},
};

static const char *const style_codes[] = {
	[STYLE_PLAIN] = "",         [STYLE_TITLE] = "\033[1m", [STYLE_BAD] = "\033[1;31m",
	[STYLE_DOUBT] = "\033[33m", [STYLE_GOOD] = "\033[32m", [STYLE_QUIET] = "\033[2m",
};

/* One code point of well-formed UTF-8 (the text went through text_printable); moves *at past it. */
static uint32_t next_point(const char **at)
{
	const unsigned char *bytes = (const unsigned char *)*at;
	unsigned extra = bytes[0] >= 0xf0 ? 3 : bytes[0] >= 0xe0 ? 2 : bytes[0] >= 0xc0 ? 1 : 0;
	uint32_t point = extra ? bytes[0] & (0x3fU >> extra) : bytes[0];
	unsigned i = 1;

	for (; i <= extra && (bytes[i] & 0xc0) == 0x80; i++)
		point = point << 6 | (bytes[i] & 0x3f);
	*at += i;
	return point;
}

static unsigned point_cells(uint32_t point)
{
	if (point < cell_ranges[0].first)
		return 1;
	for (size_t i = 0; i < sizeof(cell_ranges) / sizeof(cell_ranges[0]); i++) {
		if (point < cell_ranges[i].first)
			return 1;
		if (point <= cell_ranges[i].last)
			return cell_ranges[i].cells;
	}
	return 1;
}

size_t page_cells(const char *text)
{
	size_t cells = 0;

	while (*text)
		cells += point_cells(next_point(&text));
	return cells;
}

static void put_printable(struct page *page, enum page_style style, const char *text)
{
	if (!*text)
		return;
	for (; page->pending; page->pending--)
		buffer_char(page->out, ' ');
	if (page->color && style != STYLE_PLAIN)
		buffer_text(page->out, style_codes[style]);
	buffer_text(page->out, text);
	if (page->color && style != STYLE_PLAIN)
		buffer_text(page->out, "\033[0m");
	page->column += page_cells(text);
}

void page_put(struct page *page, enum page_style style, const char *text)
{
	if (text)
		put_printable(page, style, text_printable(page->arena, view_of(text)));
}

void page_to(struct page *page, size_t column)
{
	size_t blanks = column > page->column ? column - page->column : page->column ? 2 : 0;

	page->pending += blanks;
	page->column += blanks;
}

void page_end(struct page *page)
{
	buffer_char(page->out, '\n');
	page->column = 0;
	page->pending = 0;
}

/* Cuts what fits off a word that is wider than a line: after a '/' or '-' of the second half, as
 * paths and options are read, else where the line ends. */
static const char *cut_word(struct page *page, const char **word, size_t room)
{
	const char *end = *word, *joint = NULL;
	size_t cells = 0;

	while (*end) {
		const char *next = end;

		cells += point_cells(next_point(&next));
		if (cells > room && end != *word) {
			end = joint ? joint : end;
			break;
		}
		if (strchr("/-", *end) && cells * 2 > room)
			joint = next;
		end = next;
	}
	char *piece = arena_copy(page->arena, *word, (size_t)(end - *word));
	*word = end;
	return piece;
}

static void put_word(struct page *page, size_t indent, const char *word, bool first)
{
	size_t blank = first ? 0 : 1;
	size_t cells = page_cells(word);

	if (page->column + blank + cells > page->width && (blank || page->column > indent)) {
		page_end(page);
		page_to(page, indent);
		blank = 0;
	}
	page->pending += blank;
	page->column += blank;
	if (cells > page->width) {
		while (page->column + page_cells(word) > page->width) {
			put_printable(page, STYLE_PLAIN,
				      cut_word(page, &word, page->width - page->column));
			page_end(page);
			page_to(page, indent);
		}
	}
	put_printable(page, STYLE_PLAIN, word);
}

void page_wrap(struct page *page, size_t indent, const char *text)
{
	struct view rest, word;
	bool first = true;

	if (!text)
		return;
	/* A line that is nearly all indent holds nothing. */
	if (indent + 16 > page->width)
		indent = 4;
	rest = view_of(text_printable(page->arena, view_of(text)));
	while (view_word(&rest, &word)) {
		put_word(page, indent, arena_copy(page->arena, word.at, word.size), first);
		first = false;
	}
}

void page_paragraphs(struct page *page, size_t indent, const char *text)
{
	struct view rest = view_of(text), line;
	bool first = true;

	while (view_line(&rest, &line)) {
		if (!first) {
			page_end(page);
			page_to(page, indent);
		}
		page_wrap(page, indent, arena_copy(page->arena, line.at ? line.at : "", line.size));
		first = false;
	}
}
