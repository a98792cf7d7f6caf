// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

struct arena;
struct error;

/*
 * Checks that a text is JSON as RFC 8259 has it and as base/json.h narrows it, before a tree is
 * made of it, and notes where each value stands, in the order of the text. Duplicate keys are found
 * later, when the names are decoded.
 */
struct json_mark {
	uint32_t offset; /* in bytes; of a member: where its key begins */
	uint32_t parent; /* index of the mark of the array or object around it; its own index at the
			    top */
};

struct json_marks {
	struct json_mark *items;
	size_t count, room;
};

/* Longer numbers are refused. */
#define JSON_NUMBER_MAX 63

/* A value of the tree, in the form that libcjson gives to its own. */
struct json_node {
	cJSON item;
	struct json_mark mark;
};

bool json_lex(struct arena *arena, const char *name, struct view text, struct json_marks *marks,
	      struct error *err);
/* The values of a text that json_lex() took, in its order: the first is the top (json_tree.c). */
struct json_node *json_build(struct arena *arena, struct view text, const struct json_marks *marks)
	__attribute__((returns_nonnull));
/* "NAME:LINE:COLUMN: …" for a byte offset; columns count characters from 1. Returns false. */
bool json_error_at(const char *name, struct view text, size_t offset, struct error *err,
		   const char *format, ...) __attribute__((format(printf, 5, 6)));
