// SPDX-License-Identifier: BSD-2-Clause
#include "setup/expand.h"

#include "base/arena.h"
#include "base/error.h"
#include "catalog/recipe.h"

#include <string.h>

#define TEXT_MAX_BYTES ((size_t)64 << 10)

void expand_set_words(struct expand_scope *scope, const char *name, const struct names *words)
{
	for (size_t i = 0; i < scope->count; i++) {
		if (strcmp(scope->variables[i].name, name) == 0) {
			scope->variables[i].words = *words;
			return;
		}
	}
	if (scope->count < EXPAND_VARIABLES_MAX)
		scope->variables[scope->count++] =
			(struct expand_variable){.name = name, .words = *words};
}

void expand_set(struct expand_scope *scope, const char *name, const char *word)
{
	struct names words = {0};

	names_add(scope->arena, &words, word);
	expand_set_words(scope, name, &words);
}

static const struct names *find(const struct expand_scope *scope, struct view name)
{
	for (size_t i = 0; i < scope->count; i++) {
		if (view_is(name, scope->variables[i].name))
			return &scope->variables[i].words;
	}
	return NULL;
}

static bool unknown(const struct expand_scope *scope, struct view name, const char *text,
		    struct error *err)
{
	return error_set(err, "'{%s}' of '%s' means nothing here", view_copy(scope->arena, name),
			 text);
}

bool expand_text(const struct expand_scope *scope, const char *text, const char **out,
		 struct error *err)
{
	struct buffer result = buffer_new(scope->arena, TEXT_MAX_BYTES);

	for (const char *at = text; *at; at++) {
		const struct names *words;
		struct view name;

		if (!recipe_placeholder_at(text, at, &name)) {
			buffer_char(&result, *at);
			continue;
		}
		words = find(scope, name);
		if (!words)
			return unknown(scope, name, text, err);
		buffer_text(&result, names_join(scope->arena, words, " "));
		at += name.size + 1;
	}
	if (result.full)
		return error_set(err, "'%s' becomes longer than %zu bytes", text, TEXT_MAX_BYTES);
	*out = buffer_string(&result);
	return true;
}

bool expand_words(const struct expand_scope *scope, const struct names *texts, struct names *out,
		  struct error *err)
{
	struct names result = {0};

	for (size_t i = 0; i < texts->count; i++) {
		const char *text = texts->items[i], *one;
		const struct names *words;
		struct view name;

		if (recipe_placeholder_at(text, text, &name) && text[name.size + 2] == '\0') {
			words = find(scope, name);
			if (!words)
				return unknown(scope, name, text, err);
			for (size_t w = 0; w < words->count; w++)
				names_add(scope->arena, &result, words->items[w]);
			continue;
		}
		if (!expand_text(scope, text, &one, err))
			return false;
		names_add(scope->arena, &result, one);
	}
	*out = result;
	return true;
}
