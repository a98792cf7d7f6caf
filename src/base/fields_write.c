// SPDX-License-Identifier: BSD-2-Clause
#include "base/fields.h"

static void write_table(struct json_writer *writer, const char *key,
			const struct field_table *table, const char *from);

static void write_absent(struct json_writer *writer, const struct field *field)
{
	if (field->nullable || field->required)
		json_null(writer, field->key);
}

static void write_text(struct json_writer *writer, const struct field *field, const void *member)
{
	const char *text = *(const char *const *)member;

	if (text)
		json_text(writer, field->key, text);
	else
		write_absent(writer, field);
}

static void write_bool(struct json_writer *writer, const struct field *field, const void *member)
{
	json_bool(writer, field->key, *(const bool *)member);
}

static void write_number(struct json_writer *writer, const struct field *field, const void *member)
{
	json_number(writer, field->key, *(const int64_t *)member);
}

static void write_maybe(struct json_writer *writer, const struct field *field, const void *member)
{
	const struct maybe_number *maybe = member;

	if (maybe->known)
		json_number(writer, field->key, maybe->number);
	else
		json_null(writer, field->key);
}

static void write_real(struct json_writer *writer, const struct field *field, const void *member)
{
	json_real(writer, field->key, *(const double *)member);
}

static void write_numbers(struct json_writer *writer, const struct field *field, const void *member)
{
	const struct numbers *numbers = member;

	json_array(writer, field->key);
	for (size_t i = 0; i < numbers->count; i++)
		json_number(writer, NULL, numbers->items[i]);
	json_close(writer);
}

static void write_texts(struct json_writer *writer, const struct field *field, const void *member)
{
	const struct names *names = member;

	json_array(writer, field->key);
	for (size_t i = 0; i < names->count; i++)
		json_text(writer, NULL, names->items[i]);
	json_close(writer);
}

static void write_inside(struct json_writer *writer, const struct field *field, const void *member)
{
	write_table(writer, field->key, field->table, member);
}

static void write_object(struct json_writer *writer, const struct field *field, const void *member)
{
	const char *object = *(const char *const *)member;

	if (object)
		write_table(writer, field->key, field->table, object);
	else
		write_absent(writer, field);
}

static void write_array(struct json_writer *writer, const struct field *field, const void *member)
{
	const struct field_array *array = member;
	const char *item = array->items;

	json_array(writer, field->key);
	for (size_t i = 0; i < array->count; i++, item += field->table->size)
		write_table(writer, NULL, field->table, item);
	json_close(writer);
}

static void write_custom(struct json_writer *writer, const struct field *field, const void *member)
{
	field->write(writer, field->key, member);
}

static void (*const writers[])(struct json_writer *, const struct field *, const void *) = {
	[FIELD_TEXT] = write_text,       [FIELD_ENUM] = write_text,   [FIELD_BOOL] = write_bool,
	[FIELD_NUMBER] = write_number,   [FIELD_MAYBE] = write_maybe, [FIELD_REAL] = write_real,
	[FIELD_NUMBERS] = write_numbers, [FIELD_TEXTS] = write_texts, [FIELD_OBJECT] = write_object,
	[FIELD_INSIDE] = write_inside,   [FIELD_ARRAY] = write_array, [FIELD_CUSTOM] = write_custom,
};
_Static_assert(sizeof(writers) / sizeof(writers[0]) == FIELD_CUSTOM + 1,
	       "one writer per kind of field");

static void write_table(struct json_writer *writer, const char *key,
			const struct field_table *table, const char *from)
{
	json_object(writer, key);
	for (size_t i = 0; i < table->count; i++)
		writers[table->fields[i].kind](writer, &table->fields[i],
					       from + table->fields[i].offset);
	json_close(writer);
}

void fields_write(struct json_writer *writer, const char *key, const struct field_table *table,
		  const void *from)
{
	write_table(writer, key, table, from);
}
