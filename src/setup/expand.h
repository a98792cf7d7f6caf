// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct error;

/*
 * Placeholders of recipes: {NAME} stands for one or more words. An argument that is nothing but a
 * placeholder becomes all its words (none, too); inside a text they are joined by blanks. Names are
 * of a-z, 0-9, '.', ':' and '-'; a brace before anything else is a brace, and "${" is no
 * placeholder, so that ${pcfiledir} can be written. An unknown name is an error that shows it.
 */
#define EXPAND_VARIABLES_MAX 192

struct expand_variable {
	const char *name;
	struct names words;
};

struct expand_scope {
	struct arena *arena;
	struct expand_variable variables[EXPAND_VARIABLES_MAX];
	size_t count;
};

/* A later value of a name takes the place of an earlier one. */
void expand_set(struct expand_scope *scope, const char *name, const char *word);
void expand_set_words(struct expand_scope *scope, const char *name, const struct names *words);
bool expand_text(const struct expand_scope *scope, const char *text, const char **out,
		 struct error *err);
bool expand_words(const struct expand_scope *scope, const struct names *texts, struct names *out,
		  struct error *err);
