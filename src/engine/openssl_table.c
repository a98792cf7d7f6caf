// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include "base/arena.h"

#include <string.h>

/* The tables that openssl speed prints for people: bytes in thousands per second ("type 16 bytes
 * …", any number of sizes; below 10000 bytes per second a number has no "k" and is bytes), and
 * operations on keys, with seconds and rates by their headers. */

#define ROW_WORDS_MAX 96
#define NAME_MAX_BYTES 64

static const struct {
	const char *word, *operation;
	bool rate;
} columns[] = {
	{"sign", "sign", false},       {"signs", "sign", false},      {"verify", "verify", false},
	{"encrypt", "encrypt", false}, {"decrypt", "decrypt", false}, {"op", "derive", false},
	{"keygen", "keygen", false},   {"encaps", "encaps", false},   {"decaps", "decaps", false},
	{"sign/s", "sign", true},      {"verify/s", "verify", true},  {"encr./s", "encrypt", true},
	{"decr./s", "decrypt", true},  {"op/s", "derive", true},      {"keygens/s", "keygen", true},
	{"encaps/s", "encaps", true},  {"decaps/s", "decaps", true},
};

void openssl_row(struct parse *parse, struct parse_run *now, const char *name,
		 const char *operation, int64_t size, double bytes_per_s, double ops_per_s)
{
	struct engine_row *row = parse_row(parse, now);

	if (!row)
		return;
	row->name = name;
	row->operation = operation;
	row->size_bytes = size;
	row->bytes_per_s = bytes_per_s;
	row->ops_per_s = ops_per_s;
	if (bytes_per_s <= 0 || ops_per_s <= 0)
		VOID_ROW(parse, row, "it is 0.00: nothing was measured");
}

static bool is_openssl(const struct parse_run *now)
{
	return now && now->run.engine && strcmp(now->run.engine, "openssl-speed") == 0;
}

/* "type  16 bytes  64 bytes …"; a second one is of another process. */
static bool sizes_line(struct parse *parse, struct view line)
{
	struct parse_run *now = parse_now(parse);
	int64_t sizes[OPENSSL_SIZES_MAX];
	size_t count = 0;
	struct view word, unit;
	uint64_t size;

	if (!view_word(&line, &word) || !view_is(word, "type"))
		return false;
	while (count < OPENSSL_SIZES_MAX && view_word(&line, &word)) {
		bool number = view_u64(word, 10, &size) && size <= INT32_MAX;

		if (number && view_word(&line, &unit) && view_is(unit, "bytes")) {
			sizes[count++] = (int64_t)size;
			continue;
		}
		if (number && count && is_openssl(now))
			parse_note(parse, now,
				   "the line of sizes above its table is cut, as a narrow terminal "
				   "wraps it: its rows are not read; paste it unwrapped");
		return false;
	}
	if (!count)
		return false;
	now = parse_run(parse, "openssl-speed",
			is_openssl(now) && now->openssl.size_count && now->run.row_count);
	memcpy(now->openssl.sizes, sizes, count * sizeof(sizes[0]));
	now->openssl.size_count = count;
	now->openssl.table = true;
	return true;
}

static bool key_header_line(struct parse *parse, struct view line)
{
	struct openssl_column found[OPENSSL_COLUMNS_MAX];
	struct parse_run *now = parse_now(parse);
	size_t count = 0;
	struct view word;
	bool rate = false;

	while (view_word(&line, &word)) {
		size_t i = 0;

		while (i < sizeof(columns) / sizeof(columns[0]) && !view_is(word, columns[i].word))
			i++;
		if (i == sizeof(columns) / sizeof(columns[0]) || count == OPENSSL_COLUMNS_MAX)
			return false;
		found[count++] = (struct openssl_column){columns[i].operation, columns[i].rate};
		rate |= columns[i].rate;
	}
	if (count < 2 || !rate)
		return false;
	now = parse_run(parse, "openssl-speed", false);
	memcpy(now->openssl.columns, found, sizeof(found));
	now->openssl.column_count = count;
	now->openssl.table = true;
	return true;
}

static size_t split(struct view line, struct view *words)
{
	size_t count = 0;

	while (count < ROW_WORDS_MAX && view_word(&line, &words[count]))
		count++;
	return count;
}

/* "824062.47k" and, below ten thousand bytes, "9876.54 ". */
static bool is_value(struct view word, bool *thousands)
{
	struct engine_number number;

	*thousands = view_ends(word, "k");
	if (*thousands)
		word.size--;
	return (engine_number(word, &number) && (number.decimals == 2 || *thousands)) ||
	       engine_number_impossible(word) ||
	       (engine_number_comma(word) && (*thousands || view_find(word, ",")));
}

static void take_value(struct parse *parse, struct parse_run *now, const char *name, int64_t size,
		       struct view word)
{
	bool thousands = view_ends(word, "k");
	struct engine_number number;
	struct engine_row *row;

	if (thousands)
		word.size--;
	if (engine_number(word, &number) && number.decimals == 2) {
		double rate = number.value * (thousands ? 1000 : 1);

		openssl_row(parse, now, name, NULL, size, rate,
			    size > 0 ? rate / (double)size : NAN);
		return;
	}
	openssl_row(parse, now, name, NULL, size, NAN, NAN);
	row = now->run.row_count ? &now->run.rows[now->run.row_count - 1] : NULL;
	if (!row)
		return;
	if (engine_number_comma(word))
		VOID_ROW(parse, row,
			 "'%s' has a decimal comma or thousands separators (another locale): not "
			 "read; "
			 "run it with LC_ALL=C",
			 parse_copy(parse, word));
	else
		VOID_ROW(parse, row,
			 "'%s' is no whole number of a table: the row is cut or nothing "
			 "was measured",
			 parse_copy(parse, word));
}

static const char *join(struct parse *parse, const struct view *words, size_t count)
{
	struct buffer out = buffer_new(parse->arena, NAME_MAX_BYTES + 1);

	for (size_t i = 0; i < count; i++) {
		if (i)
			buffer_char(&out, ' ');
		buffer_add(&out, words[i].at, words[i].size);
	}
	return text_printable(parse->arena, buffer_view(&out));
}

/* Remarks in brackets behind the numbers are not the program's. */
static size_t without_remark(const struct view *words, size_t count)
{
	bool thousands;
	size_t last = count;

	while (last > 1 && !is_value(words[last - 1], &thousands))
		last--;
	return last < count && words[last].at[0] == '(' && view_ends(words[count - 1], ")") ? last
											    : count;
}

static bool bytes_row(struct parse *parse, struct view line)
{
	struct parse_run *now = parse_now(parse);
	struct view words[ROW_WORDS_MAX];
	size_t count = split(line, words), values = 0, sizes, name;
	bool any = false, thousands;
	const char *printed;

	if (!is_openssl(now) || !now->openssl.size_count || count < 2)
		return false;
	count = without_remark(words, count);
	sizes = now->openssl.size_count;
	while (values < sizes && values < count - 1 &&
	       is_value(words[count - 1 - values], &thousands)) {
		any |= thousands;
		values++;
	}
	name = count - values;
	/* The last number of a cut row may have lost its end. */
	if (!values && count > 2 && view_ends(words[count - 2], "k") &&
	    words[count - 1].at[0] >= '0' && words[count - 1].at[0] <= '9' && name > 1) {
		for (name = count - 2; name > 1 && is_value(words[name - 1], &thousands);)
			name--;
		any = true, values = 1;
	}
	if (!values || (!any && values < sizes) || name > 6)
		return false;
	if (count - name == sizes && name > 1 && is_value(words[name - 1], &thousands) &&
	    thousands) {
		name = 1;
		while (name < count && !is_value(words[name], &thousands))
			name++;
	}
	if (count - name != sizes) {
		openssl_row(parse, now, join(parse, words, name), NULL, -1, NAN, NAN);
		if (now->run.row_count)
			VOID_ROW(parse, &now->run.rows[now->run.row_count - 1],
				 "the row or its header is cut: %zu numbers for %zu sizes",
				 count - name, sizes);
		return true;
	}
	printed = join(parse, words, name);
	for (size_t i = 0; i < sizes; i++)
		take_value(parse, now, printed, now->openssl.sizes[i], words[name + i]);
	now->openssl.table = true;
	return true;
}

static bool is_cell(struct view word, bool rate)
{
	struct engine_number number;

	if (!rate) {
		if (!view_ends(word, "s"))
			return false;
		word.size--;
	}
	return engine_number(word, &number) || engine_number_impossible(word) ||
	       engine_number_comma(word);
}

/* Seconds that stand beside a rate must be its inverse. */
static void check_seconds(struct parse *parse, struct parse_run *now, const struct view *cells,
			  const char *operation, double rate, double half)
{
	struct engine_row *row = &now->run.rows[now->run.row_count - 1];
	struct engine_number number;

	for (size_t i = 0; i < now->openssl.column_count; i++) {
		struct view cell = cells[i];

		if (now->openssl.columns[i].rate ||
		    strcmp(now->openssl.columns[i].operation, operation) != 0 || !cell.size)
			continue;
		cell.size--;
		if (engine_number(cell, &number) && rate > 0 &&
		    !engine_number_near(number.value, 1 / rate,
					number.half * 1.1 + half / rate / rate))
			VOID_ROW(parse, row,
				 "the row contradicts itself: %.6g s for an operation and %.6g "
				 "operations per second",
				 number.value, rate);
	}
}

static bool key_row(struct parse *parse, struct view line)
{
	struct parse_run *now = parse_now(parse);
	struct view words[ROW_WORDS_MAX], *cells;
	size_t count = split(line, words), columns_here;
	const char *name;

	if (!is_openssl(now) || !now->openssl.column_count)
		return false;
	columns_here = now->openssl.column_count;
	if (count <= columns_here || count > columns_here + 6)
		return false;
	cells = words + count - columns_here;
	for (size_t i = 0; i < columns_here; i++) {
		if (!is_cell(cells[i], now->openssl.columns[i].rate))
			return false;
	}
	name = join(parse, words, count - columns_here);
	if (is_cell(cells[-1], false)) {
		openssl_row(parse, now, join(parse, words, 1), NULL, -1, NAN, NAN);
		if (now->run.row_count)
			VOID_ROW(parse, &now->run.rows[now->run.row_count - 1],
				 "it has more numbers than its header has columns");
		return true;
	}
	for (size_t i = 0; i < columns_here; i++) {
		const struct openssl_column *column = &now->openssl.columns[i];
		struct engine_number number;
		bool read = engine_number(cells[i], &number) && number.decimals == 1;

		if (!column->rate)
			continue;
		openssl_row(parse, now, name, column->operation, -1, NAN,
			    read ? number.value : NAN);
		if (read)
			check_seconds(parse, now, cells, column->operation, number.value,
				      number.half);
		else
			VOID_ROW(parse, &now->run.rows[now->run.row_count - 1],
				 "'%s' is no whole number of a table: the row is cut, of another "
				 "locale, or nothing was measured",
				 parse_copy(parse, cells[i]));
	}
	return true;
}

/* A row of keys that lost columns must not pass for one of bytes or be forgotten. */
static bool cut_key_row(struct parse *parse, struct view line)
{
	struct parse_run *now = parse_now(parse);
	struct view words[ROW_WORDS_MAX];
	size_t count = split(line, words), first = 0;

	if (!is_openssl(now) || !now->openssl.column_count || !view_find(line, "bits"))
		return false;
	while (first < count && !is_cell(words[first], false))
		first++;
	if (!first || first == count || count >= first + now->openssl.column_count)
		return false;
	openssl_row(parse, now, join(parse, words, first < 6 ? first : 6), NULL, -1, NAN, NAN);
	if (now->run.row_count)
		VOID_ROW(parse, &now->run.rows[now->run.row_count - 1],
			 "the row is cut: %zu of %zu columns are there", count - first,
			 now->openssl.column_count);
	return true;
}

bool openssl_line(struct parse *parse, struct view line)
{
	return openssl_mr_line(parse, line) || openssl_progress_line(parse, line) ||
	       sizes_line(parse, line) || key_header_line(parse, line) || key_row(parse, line) ||
	       bytes_row(parse, line) || cut_key_row(parse, line);
}
