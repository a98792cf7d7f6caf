// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/json.h"

#include <stddef.h>

/*
 * One field table per format drives its loader (JSON -> struct), its writer (struct -> JSON), its
 * JSON Schema and its manual page. It describes a C struct: one row per key, in the order written.
 *
 *   C type of the member    kind
 *   const char *            FIELD_TEXT      NULL when absent / null
 *   const char *            FIELD_ENUM      one of `names`
 *   bool                    FIELD_BOOL
 *   int64_t                 FIELD_NUMBER
 *   struct maybe_number     FIELD_MAYBE     number or null
 *   double                  FIELD_REAL      not finite is null, which `nullable` allows
 *   struct numbers          FIELD_NUMBERS   array of whole numbers
 *   struct names            FIELD_TEXTS     array of text
 *   struct T *              FIELD_OBJECT    `table` describes T; NULL when absent / null
 *   struct T                FIELD_INSIDE    likewise, but a part of the struct: always written
 *   struct field_array      FIELD_ARRAY     of objects described by `table`; any struct of
 *                                           { T *items; size_t count; } will do
 *   anything                FIELD_CUSTOM    own functions
 */
struct maybe_number {
	bool known;
	int64_t number;
};

struct numbers {
	int64_t *items;
	size_t count;
};

struct field_array {
	void *items;
	size_t count;
};

enum field_kind {
	FIELD_TEXT,
	FIELD_ENUM,
	FIELD_BOOL,
	FIELD_NUMBER,
	FIELD_MAYBE,
	FIELD_REAL,
	FIELD_NUMBERS,
	FIELD_TEXTS,
	FIELD_OBJECT,
	FIELD_INSIDE,
	FIELD_ARRAY,
	FIELD_CUSTOM,
};

struct field_table;

struct field {
	const char *key;
	enum field_kind kind;
	size_t offset;   /* FIELD(struct, member) */
	bool required;   /* the loader refuses its absence; the schema lists it in "required" */
	bool nullable;   /* null is allowed; text, enum, object and real only; always for
			  * FIELD_MAYBE */
	const char *doc; /* one or two sentences: shape, unit, source */
	const char *const *names;        /* FIELD_ENUM: NULL-terminated */
	const struct field_table *table; /* FIELD_OBJECT, FIELD_INSIDE, FIELD_ARRAY */
	/* FIELD_TEXT(S): an anchored extended expression without [[:classes:]], or NULL */
	const char *pattern;
	int64_t minimum, maximum; /* of numbers: checked when maximum > minimum */
	/* FIELD_CUSTOM; `schema` is the JSON Schema of the value, as JSON text; with `define` it
	 * stands once as #/$defs/DEFINE, to which it may refer itself */
	bool (*load)(struct arena *arena, const struct json *json, const cJSON *from, void *member,
		     struct error *err);
	void (*write)(struct json_writer *writer, const char *key, const void *member);
	const char *schema;
	const char *define;
};

struct field_table {
	const char *name; /* schema name, "finding" */
	const char *doc;
	size_t size; /* sizeof the struct */
	const struct field *fields;
	size_t count;
};

#define FIELD(type, member) offsetof(type, member)
#define FIELD_TABLE(table_name, type, rows, text)                                                  \
	{                                                                                          \
		.name = (table_name), .doc = (text), .size = sizeof(type), .fields = (rows),       \
		.count = sizeof(rows) / sizeof((rows)[0])                                          \
	}

/*
 * Unknown keys, missing required ones and wrong types are errors with file, line, column and the
 * nearest known key. Members whose keys are absent keep what `into` holds (set it first); it is
 * written only on success.
 */
bool fields_load(struct arena *arena, const struct json *json, const cJSON *from,
		 const struct field_table *table, void *into, struct error *err);
/*
 * Absent members are written as null when nullable or required, others are left out; lists, numbers
 * and booleans are never absent.
 */
void fields_write(struct json_writer *writer, const char *key, const struct field_table *table,
		  const void *from);
/*
 * A whole JSON Schema (draft 2020-12) document; sub-tables become $defs. `id` is its address,
 * `version` the format's.
 */
void fields_schema(struct json_writer *writer, const struct field_table *table, const char *id,
		   const char *version);
/* scdoc text: one definition list entry per field, sub-tables indented. */
void fields_manual(struct buffer *out, const struct field_table *table);
