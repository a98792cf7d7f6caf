// SPDX-License-Identifier: BSD-2-Clause
#include "base/fields.h"

#include <inttypes.h>
#include <string.h>

#define NESTING_MAX 4

static const char *const kind_names[] = {
	[FIELD_TEXT] = "text",
	[FIELD_ENUM] = "text",
	[FIELD_BOOL] = "true or false",
	[FIELD_NUMBER] = "whole number",
	[FIELD_MAYBE] = "whole number or null",
	[FIELD_REAL] = "number",
	[FIELD_NUMBERS] = "array of whole numbers",
	[FIELD_TEXTS] = "array of text",
	[FIELD_OBJECT] = "object",
	[FIELD_INSIDE] = "object",
	[FIELD_ARRAY] = "array of objects",
	[FIELD_CUSTOM] = NULL,
};
_Static_assert(sizeof(kind_names) / sizeof(kind_names[0]) == FIELD_CUSTOM + 1,
	       "one name per kind of field");

static void indent(struct buffer *out, unsigned level)
{
	for (unsigned i = 0; i < level; i++)
		buffer_char(out, '\t');
}

/* Text as it is: scdoc takes these for markup. */
static void add_plain(struct buffer *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("*_\\#[]|<>-+", *text))
			buffer_char(out, '\\');
		buffer_char(out, *text == '\n' ? ' ' : *text);
	}
}

/* A row's doc as sentences. */
static void add_doc(struct buffer *out, const char *doc)
{
	size_t size = strlen(doc);

	if (size && doc[0] >= 'a' && doc[0] <= 'z') {
		buffer_char(out, (char)(doc[0] - 'a' + 'A'));
		doc++;
		size--;
	}
	add_plain(out, doc);
	if (!size || doc[size - 1] != '.')
		buffer_char(out, '.');
}

static void add_heading(struct buffer *out, const struct field *field)
{
	const char *kind = kind_names[field->kind];
	const char *separator = " (";

	buffer_char(out, '*');
	add_plain(out, field->key);
	buffer_char(out, '*');
	if (kind) {
		buffer_printf(out, "%s%s", separator, kind);
		separator = ", ";
	}
	if (field->nullable && field->kind != FIELD_MAYBE) {
		buffer_printf(out, "%sor null", kind ? " " : separator);
		separator = ", ";
	}
	if (field->required) {
		buffer_printf(out, "%srequired", separator);
		separator = ", ";
	}
	buffer_text(out, separator[0] == ',' ? ")\n" : "\n");
}

static void add_limits(struct buffer *out, const struct field *field)
{
	if (field->kind == FIELD_ENUM) {
		buffer_text(out, " One of");
		for (size_t i = 0; field->names[i]; i++) {
			buffer_text(out, i ? ", *" : " *");
			add_plain(out, field->names[i]);
			buffer_char(out, '*');
		}
		buffer_char(out, '.');
	}
	/* "." and "^.+$" only say that it is not empty. */
	if (field->pattern && strcmp(field->pattern, ".") != 0 &&
	    strcmp(field->pattern, "^.+$") != 0) {
		buffer_text(out, " It matches *");
		add_plain(out, field->pattern);
		buffer_text(out, "*.");
	}
	if (field->maximum > field->minimum)
		buffer_printf(out, " From %" PRId64 " to %" PRId64 ".", field->minimum,
			      field->maximum);
}

static void add_table(struct buffer *out, const struct field_table *table, unsigned level)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];

		indent(out, level);
		add_heading(out, field);
		indent(out, level + 1);
		add_doc(out, field->doc ? field->doc : "see above");
		add_limits(out, field);
		buffer_text(out, "\n\n");
		if (field->table && field->table != table && level < NESTING_MAX)
			add_table(out, field->table, level + 1);
	}
}

void fields_manual(struct buffer *out, const struct field_table *table)
{
	add_table(out, table, 0);
}
