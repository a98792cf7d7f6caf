// SPDX-License-Identifier: BSD-2-Clause
#include "report/csv.h"

#include "base/arena.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

/* Objects in objects; a table that holds itself would not end. */
#define DEPTH_MAX 4

struct csv {
	struct buffer *out;
	struct arena *arena;
	bool begun; /* the row has a cell */
};

static void add_cell(struct csv *csv, struct view text)
{
	bool quoted = memchr(text.at ? text.at : "", '"', text.size) != NULL;

	for (size_t i = 0; !quoted && i < text.size; i++)
		quoted = text.at[i] == ',' || text.at[i] == '\n';
	if (csv->begun)
		buffer_char(csv->out, ',');
	csv->begun = true;
	if (!quoted) {
		buffer_add(csv->out, text.at, text.size);
		return;
	}
	buffer_char(csv->out, '"');
	for (size_t i = 0; i < text.size; i++) {
		if (text.at[i] == '"')
			buffer_char(csv->out, '"');
		buffer_char(csv->out, text.at[i]);
	}
	buffer_char(csv->out, '"');
}

static void end_row(struct csv *csv)
{
	buffer_text(csv->out, "\r\n");
	csv->begun = false;
}

/* What begins a formula in one spreadsheet or another, full-width forms too. An apostrophe is among
 * them so that the one put before a text can be told from its own. */
static bool is_formula(struct view text)
{
	static const char *const beginnings[] = {
		"=",           "+", "-", "@", "'", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d",
		"\xef\xbc\xa0"};

	while (text.size && (text.at[0] == ' ' || text.at[0] == '\n'))
		text = (struct view){text.at + 1, text.size - 1};
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
		if (view_starts(text, beginnings[i]))
			return true;
	}
	return false;
}

/* Line feeds stay (the cell is quoted), other controls are escaped. */
static void add_text(struct csv *csv, struct view text)
{
	struct buffer cell = buffer_new(csv->arena, csv->out->max);
	struct view line;
	bool first = true;

	if (is_formula(text))
		buffer_char(&cell, '\'');
	while (view_split(&text, '\n', &line)) {
		if (!first)
			buffer_char(&cell, '\n');
		buffer_text(&cell, text_printable(csv->arena, line));
		first = false;
	}
	add_cell(csv, buffer_view(&cell));
}

static void join(struct buffer *list, struct view item, bool first)
{
	if (!first)
		buffer_char(list, ';');
	for (size_t i = 0; i < item.size; i++) {
		if (item.at[i] == ';' || item.at[i] == '\\')
			buffer_char(list, '\\');
		buffer_char(list, item.at[i]);
	}
}

static void cell_text(struct csv *csv, const struct field *field, const void *member)
{
	(void)field;
	add_text(csv, view_of(*(const char *const *)member));
}

static void cell_bool(struct csv *csv, const struct field *field, const void *member)
{
	(void)field;
	add_cell(csv, view_of(*(const bool *)member ? "true" : "false"));
}

static void cell_number(struct csv *csv, const struct field *field, const void *member)
{
	(void)field;
	add_cell(csv, view_of(arena_printf(csv->arena, "%" PRId64, *(const int64_t *)member)));
}

static void cell_maybe(struct csv *csv, const struct field *field, const void *member)
{
	const struct maybe_number *maybe = member;

	if (maybe->known)
		cell_number(csv, field, &maybe->number);
	else
		add_cell(csv, view_of(""));
}

static void cell_numbers(struct csv *csv, const struct field *field, const void *member)
{
	const struct numbers *numbers = member;
	struct buffer list = buffer_new(csv->arena, csv->out->max);

	(void)field;
	for (size_t i = 0; i < numbers->count; i++)
		buffer_printf(&list, "%s%" PRId64, i ? ";" : "", numbers->items[i]);
	add_cell(csv, buffer_view(&list));
}

static void cell_texts(struct csv *csv, const struct field *field, const void *member)
{
	const struct names *names = member;
	struct buffer list = buffer_new(csv->arena, csv->out->max);

	(void)field;
	for (size_t i = 0; i < names->count; i++)
		join(&list, view_of(names->items[i]), i == 0);
	add_text(csv, buffer_view(&list));
}

/* A part of a document as JSON has it, without the line feed at its end. */
static struct view json_of(struct csv *csv, const struct field *field, const void *member)
{
	struct buffer *text = arena_new(csv->arena, struct buffer);
	struct json_writer writer;

	*text = buffer_new(csv->arena, csv->out->max);
	json_begin(&writer, text);
	if (field->kind == FIELD_REAL)
		json_real(&writer, NULL, *(const double *)member);
	else
		field->write(&writer, NULL, member);
	json_end(&writer);
	return view_trim(buffer_view(text));
}

static void cell_real(struct csv *csv, const struct field *field, const void *member)
{
	struct view text = json_of(csv, field, member);

	add_cell(csv, view_is(text, "null") ? view_of("") : text);
}

/* Only the field knows its C type; what it wrote is read back: texts and lists of them as above,
 * whatever else as the JSON it is. */
static void cell_custom(struct csv *csv, const struct field *field, const void *member)
{
	struct view text = json_of(csv, field, member);
	struct buffer list = buffer_new(csv->arena, csv->out->max);
	struct json json;

	if (!json_parse(csv->arena, field->key, text, &json, NULL) || cJSON_IsObject(json.top)) {
		add_text(csv, text);
	} else if (cJSON_IsString(json.top)) {
		add_text(csv, view_of(json.top->valuestring));
	} else if (cJSON_IsArray(json.top)) {
		for (const cJSON *item = json.top->child; item; item = item->next)
			join(&list, view_of(item->valuestring), item == json.top->child);
		add_text(csv, buffer_view(&list));
	} else {
		add_cell(csv, cJSON_IsNull(json.top) ? view_of("") : text);
	}
}

static void (*const cells[])(struct csv *, const struct field *, const void *) = {
	[FIELD_TEXT] = cell_text,       [FIELD_ENUM] = cell_text,   [FIELD_BOOL] = cell_bool,
	[FIELD_NUMBER] = cell_number,   [FIELD_MAYBE] = cell_maybe, [FIELD_REAL] = cell_real,
	[FIELD_NUMBERS] = cell_numbers, [FIELD_TEXTS] = cell_texts, [FIELD_OBJECT] = NULL,
	[FIELD_INSIDE] = NULL,          [FIELD_ARRAY] = NULL,       [FIELD_CUSTOM] = cell_custom,
};
_Static_assert(sizeof(cells) / sizeof(cells[0]) == FIELD_CUSTOM + 1, "one row per kind of field");

static void add_names(struct csv *csv, const struct field_table *table, const char *prefix,
		      unsigned depth)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		const char *name = arena_printf(csv->arena, "%s%s", prefix, field->key);

		if (cells[field->kind])
			add_text(csv, view_of(name));
		else if (field->kind != FIELD_ARRAY && depth < DEPTH_MAX)
			add_names(csv, field->table, arena_printf(csv->arena, "%s.", name),
				  depth + 1);
	}
}

/* `from` is NULL for an object that is not there: its cells are empty. */
static void add_fields(struct csv *csv, const struct field_table *table, const char *from,
		       unsigned depth)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		const void *member = from ? from + field->offset : NULL;

		if (cells[field->kind] && !from)
			add_cell(csv, view_of(""));
		else if (cells[field->kind])
			cells[field->kind](csv, field, member);
		else if (field->kind != FIELD_ARRAY && depth < DEPTH_MAX)
			add_fields(csv, field->table,
				   from && field->kind == FIELD_OBJECT
					   ? *(const char *const *)member
					   : member,
				   depth + 1);
	}
}

void csv_render(struct buffer *out, const struct document *document)
{
	const struct field_table *table = document->kind->table;
	const char *item = document->results.items;
	struct csv csv = {.out = out, .arena = document->arena};

	for (size_t i = 0; table && i < table->count; i++) {
		if (table->fields[i].offset != FIELD(struct document, results))
			continue;
		const struct field_table *row = table->fields[i].table;

		add_names(&csv, row, "", 0);
		end_row(&csv);
		for (size_t r = 0; r < document->results.count; r++, item += row->size) {
			add_fields(&csv, row, item, 0);
			end_row(&csv);
		}
		return;
	}
}
