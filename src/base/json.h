// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

struct arena;
struct error;

/*
 * Strict JSON (RFC 8259): UTF-8 without BOM, no duplicate keys, no comments, no \u0000, depth ≤ 32,
 * integers within ±2^53 or an error. A lexer checks the text and records where each value stands;
 * the tree, in libcjson's form, is made in the arena of text that passed. `text` must live as long
 * as the document: messages count its lines. A member stands where its key begins.
 */
#define JSON_DEPTH_MAX 32
#define JSON_BYTES_MAX ((size_t)64 << 20)
#define JSON_VALUES_MAX 1000000

struct json {
	const char *name;           /* of the file, for messages */
	const cJSON *top;           /* owned by the arena */
	struct json_places *places; /* pointer -> line and column */
};

bool json_parse(struct arena *arena, const char *name, struct view text, struct json *json,
		struct error *err);
/* "NAME:LINE:COLUMN: KEY: " is put before the message ("KEY[2]: " in an array); `at` is a value of
 * this document, else only "NAME: ". Returns false. */
bool json_error(const struct json *json, const cJSON *at, struct error *err, const char *format,
		...) __attribute__((format(printf, 4, 5)));

/*
 * A streaming writer: always valid JSON, two-space indent, keys in the order given; closes what is
 * open in json_end(). json_parse() reads what it writes, but for integers beyond ±2^53. NUL becomes
 * U+FFFD, terminal controls (C0, DEL, C1) become escapes.
 */
struct json_writer {
	struct buffer *out;
	unsigned depth;
	bool first[40];
	bool in_array[40];
};

/* `key` is NULL inside an array and at the top. */
void json_begin(struct json_writer *writer, struct buffer *out);
void json_object(struct json_writer *writer, const char *key);
void json_array(struct json_writer *writer, const char *key);
void json_close(struct json_writer *writer);
/* NULL is null, invalid UTF-8 becomes U+FFFD. */
void json_text(struct json_writer *writer, const char *key, const char *text);
void json_view(struct json_writer *writer, const char *key, struct view text);
void json_number(struct json_writer *writer, const char *key, int64_t number);
/* The fewest digits that read back the same; not finite is null. */
void json_real(struct json_writer *writer, const char *key, double number);
void json_bool(struct json_writer *writer, const char *key, bool value);
void json_null(struct json_writer *writer, const char *key);
/* A whole document or a part of one. */
void json_tree(struct json_writer *writer, const char *key, const cJSON *tree);
/* Closes all that is open and adds a newline. */
void json_end(struct json_writer *writer);
