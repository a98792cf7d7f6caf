// SPDX-License-Identifier: BSD-2-Clause
#include "report/document.h"

#include "base/arena.h"
#include "base/clock.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

const char *const document_levels[] = {"note", "warning", "error", NULL};

static const struct field message_fields[] = {
	{.key = "level",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct document_message, level),
	 .required = true,
	 .names = document_levels,
	 .doc = "how much it matters"},
	{.key = "text",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct document_message, text),
	 .required = true,
	 .doc = "one line for a person"},
};

const struct field_table document_message_table =
	FIELD_TABLE("message", struct document_message, message_fields,
		    "Something noticed beside the results.");

static const struct field tool_fields[] = {
	{.key = "name",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct document_tool, name),
	 .required = true,
	 .doc = "of the program"},
	{.key = "version",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct document_tool, version),
	 .required = true,
	 .doc = "of the program"},
};

const struct field_table document_tool_table =
	FIELD_TABLE("tool", struct document_tool, tool_fields, "A program and its version.");

struct document *document_new(struct arena *arena, const struct document_kind *kind,
			      const char *version, int argc, char *const *argv)
{
	struct document *document = arena_new(arena, struct document);

	document->arena = arena;
	document->kind = kind;
	document->schema = arena_printf(arena, "ampere-crypto/%s %s", kind->name, kind->version);
	document->tool = (struct document_tool){"ampere-crypto", version};
	for (int i = 0; i < argc; i++)
		names_add(arena, &document->argv, argv[i]);
	document->started = clock_utc(arena);
	document->started_ms = clock_ms();
	return document;
}

void document_message(struct document *document, const char *level, const char *format, ...)
{
	struct document_message *old = document->messages.items, *grown;
	size_t count = document->messages.count;
	va_list args;

	/* A handful per command: growing by one is fine. */
	grown = arena_array(document->arena, struct document_message, count + 1);
	if (count)
		memcpy(grown, old, count * sizeof(*grown));
	va_start(args, format);
	grown[count] =
		(struct document_message){level, arena_vprintf(document->arena, format, args)};
	va_end(args);
	document->messages = (struct field_array){grown, count + 1};
}

void document_finish(struct document *document, int exit_code)
{
	document->elapsed_ms = clock_ms() - document->started_ms;
	document->exit_code = exit_code;
}

struct section *document_section(struct document *document, const char *title, size_t columns,
				 const char *const *header)
{
	struct section *section = arena_new(document->arena, struct section);

	section->title = title;
	section->columns = columns < SECTION_COLUMNS_MAX ? columns : SECTION_COLUMNS_MAX;
	section->header = header;
	if (document->last)
		document->last->next = section;
	else
		document->first = section;
	document->last = section;
	return section;
}

static void make_room(struct document *document, struct section *section)
{
	size_t room = section->room ? section->room * 2 : 16;
	const char **cells;
	bool *notes;

	if (section->rows < section->room)
		return;
	cells = arena_array(document->arena, const char *, room * section->columns);
	notes = arena_array(document->arena, bool, room);
	if (section->rows) {
		memcpy(cells, section->cells, section->rows * section->columns * sizeof(*cells));
		memcpy(notes, section->notes, section->rows * sizeof(*notes));
	}
	section->cells = cells;
	section->notes = notes;
	section->room = room;
}

void section_row(struct document *document, struct section *section, ...)
{
	va_list args;

	make_room(document, section);
	va_start(args, section);
	for (size_t i = 0; i < section->columns; i++)
		section->cells[section->rows * section->columns + i] = va_arg(args, const char *);
	va_end(args);
	section->rows++;
}

void section_cells(struct document *document, struct section *section, const char *const *cells)
{
	make_room(document, section);
	memcpy(section->cells + section->rows * section->columns, cells,
	       section->columns * sizeof(*cells));
	section->rows++;
}

void section_note(struct document *document, struct section *section, const char *text)
{
	make_room(document, section);
	section->cells[section->rows * section->columns] = text;
	section->notes[section->rows++] = true;
}

const char *section_share(struct arena *arena, double share)
{
	if (isnan(share))
		return NULL;
	return arena_printf(arena, "%.0f", share < 0 ? 0.0 : share > 1 ? 1000.0 : share * 1000);
}
