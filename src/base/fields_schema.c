// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/fields.h"

#include <assert.h>
#include <string.h>

#define DEFINITIONS_MAX 64

/* What stands under $defs, each once: sub-tables, and custom fields with a `define`. */
struct definitions {
	struct definition {
		const char *name;
		const struct field_table *table;
		const struct field *custom;
	} items[DEFINITIONS_MAX];
	size_t count;
};

static bool defined(const struct definitions *definitions, const char *name)
{
	for (size_t i = 0; i < definitions->count; i++)
		if (strcmp(definitions->items[i].name, name) == 0)
			return true;
	return false;
}

static void collect(struct definitions *definitions, const struct field_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		const char *name = field->table ? field->table->name : field->define;

		if (!name || defined(definitions, name))
			continue;
		assert(definitions->count < DEFINITIONS_MAX);
		definitions->items[definitions->count++] =
			(struct definition){.name = name, .table = field->table, .custom = field};
		if (field->table)
			collect(definitions, field->table);
	}
}

static void write_type(struct json_writer *writer, const char *type, bool nullable)
{
	if (!nullable) {
		json_text(writer, "type", type);
		return;
	}
	json_array(writer, "type");
	json_text(writer, NULL, type);
	json_text(writer, NULL, "null");
	json_close(writer);
}

static void write_pattern(struct json_writer *writer, const struct field *field)
{
	if (field->pattern)
		json_text(writer, "pattern", field->pattern);
}

static void write_reference(struct json_writer *writer, const char *name)
{
	json_text(writer, "$ref", arena_printf(writer->out->arena, "#/$defs/%s", name));
}

static void schema_text(struct json_writer *writer, const struct field *field)
{
	write_type(writer, "string", field->nullable);
	write_pattern(writer, field);
}

static void schema_enum(struct json_writer *writer, const struct field *field)
{
	json_array(writer, "enum");
	for (size_t i = 0; field->names[i]; i++)
		json_text(writer, NULL, field->names[i]);
	if (field->nullable)
		json_null(writer, NULL);
	json_close(writer);
}

static void schema_bool(struct json_writer *writer, const struct field *field)
{
	(void)field;
	write_type(writer, "boolean", false);
}

static void write_range(struct json_writer *writer, const struct field *field)
{
	if (field->maximum > field->minimum) {
		json_number(writer, "minimum", field->minimum);
		json_number(writer, "maximum", field->maximum);
	}
}

static void schema_number(struct json_writer *writer, const struct field *field)
{
	write_type(writer, "integer", field->kind == FIELD_MAYBE);
	write_range(writer, field);
}

static void schema_real(struct json_writer *writer, const struct field *field)
{
	write_type(writer, "number", field->nullable);
	write_range(writer, field);
}

static void schema_numbers(struct json_writer *writer, const struct field *field)
{
	write_type(writer, "array", false);
	json_object(writer, "items");
	write_type(writer, "integer", false);
	write_range(writer, field);
	json_close(writer);
}

static void schema_texts(struct json_writer *writer, const struct field *field)
{
	write_type(writer, "array", false);
	json_object(writer, "items");
	write_type(writer, "string", false);
	write_pattern(writer, field);
	json_close(writer);
}

static void schema_object(struct json_writer *writer, const struct field *field)
{
	if (!field->nullable) {
		write_reference(writer, field->table->name);
		return;
	}
	json_array(writer, "anyOf");
	json_object(writer, NULL);
	write_reference(writer, field->table->name);
	json_close(writer);
	json_object(writer, NULL);
	json_text(writer, "type", "null");
	json_close(writer);
	json_close(writer);
}

static void schema_array(struct json_writer *writer, const struct field *field)
{
	write_type(writer, "array", false);
	json_object(writer, "items");
	write_reference(writer, field->table->name);
	json_close(writer);
}

static void write_custom_schema(struct json_writer *writer, const struct field *field)
{
	struct json json;
	bool parsed =
		json_parse(writer->out->arena, field->key, view_of(field->schema), &json, NULL);

	assert(parsed && cJSON_IsObject(json.top));
	for (const cJSON *member = json.top->child; member; member = member->next)
		json_tree(writer, member->string, member);
}

static void schema_custom(struct json_writer *writer, const struct field *field)
{
	if (field->define)
		write_reference(writer, field->define);
	else
		write_custom_schema(writer, field);
}

static void (*const schemas[])(struct json_writer *, const struct field *) = {
	[FIELD_TEXT] = schema_text,       [FIELD_ENUM] = schema_enum,
	[FIELD_BOOL] = schema_bool,       [FIELD_NUMBER] = schema_number,
	[FIELD_MAYBE] = schema_number,    [FIELD_REAL] = schema_real,
	[FIELD_NUMBERS] = schema_numbers, [FIELD_TEXTS] = schema_texts,
	[FIELD_OBJECT] = schema_object,   [FIELD_INSIDE] = schema_object,
	[FIELD_ARRAY] = schema_array,     [FIELD_CUSTOM] = schema_custom,
};
_Static_assert(sizeof(schemas) / sizeof(schemas[0]) == FIELD_CUSTOM + 1,
	       "one schema per kind of field");

static void write_members(struct json_writer *writer, const struct field_table *table)
{
	json_text(writer, "description", table->doc);
	json_text(writer, "type", "object");
	json_object(writer, "properties");
	for (size_t i = 0; i < table->count; i++) {
		json_object(writer, table->fields[i].key);
		if (table->fields[i].doc)
			json_text(writer, "description", table->fields[i].doc);
		schemas[table->fields[i].kind](writer, &table->fields[i]);
		json_close(writer);
	}
	json_close(writer);
	json_array(writer, "required");
	for (size_t i = 0; i < table->count; i++)
		if (table->fields[i].required)
			json_text(writer, NULL, table->fields[i].key);
	json_close(writer);
	json_bool(writer, "additionalProperties", false);
}

void fields_schema(struct json_writer *writer, const struct field_table *table, const char *id,
		   const char *version)
{
	struct definitions definitions = {0};

	collect(&definitions, table);
	json_object(writer, NULL);
	json_text(writer, "$schema", "https://json-schema.org/draft/2020-12/schema");
	json_text(writer, "$id", id);
	json_text(writer, "title", arena_printf(writer->out->arena, "%s %s", table->name, version));
	write_members(writer, table);
	if (definitions.count)
		json_object(writer, "$defs");
	for (size_t i = 0; i < definitions.count; i++) {
		json_object(writer, definitions.items[i].name);
		if (definitions.items[i].table)
			write_members(writer, definitions.items[i].table);
		else
			write_custom_schema(writer, definitions.items[i].custom);
		json_close(writer);
	}
	if (definitions.count)
		json_close(writer);
	json_close(writer);
}
