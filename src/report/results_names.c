// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "report/results_private.h"

#include <stdlib.h>
#include <string.h>

/* The last `parts` parts of a path, without ".json". */
static const char *last_parts(struct arena *arena, const char *path, unsigned parts)
{
	struct view view = view_of(path);
	size_t start;

	while (view.size > 1 && view.at[view.size - 1] == '/')
		view.size--;
	start = view.size;
	while (start && (view.at[start - 1] != '/' || --parts))
		start--;
	view = (struct view){view.at + start, view.size - start};
	if (view_ends(view, ".json") && view.size > 5)
		view.size -= 5;
	return view_copy(arena, view);
}

static int by_label(const void *left, const void *right)
{
	const struct results_argument *a = *(struct results_argument *const *)left,
				      *b = *(struct results_argument *const *)right;
	int order = strcmp(a->label, b->label);

	return order ? order : (a > b) - (a < b);
}

/* Labels that nobody gave and that two arguments have get a part more; false: all differ. */
static bool lengthen(struct arena *arena, struct results_argument **sorted, size_t count,
		     unsigned parts)
{
	bool any = false;

	qsort(sorted, count, sizeof(*sorted), by_label);
	for (size_t i = 0; i < count;) {
		size_t end = i + 1;

		while (end < count && strcmp(sorted[end]->label, sorted[i]->label) == 0)
			end++;
		for (size_t j = i; end - i > 1 && j < end; j++) {
			if (sorted[j]->named)
				continue;
			sorted[j]->longer = last_parts(arena, sorted[j]->path, parts);
			any |= strcmp(sorted[j]->longer, sorted[j]->label) != 0;
		}
		i = end;
	}
	for (size_t i = 0; i < count; i++)
		if (sorted[i]->longer)
			sorted[i]->label = sorted[i]->longer;
	return any;
}

/* "LABEL=PATH" or "PATH". */
static bool split_argument(struct arena *arena, const char *word, struct results_argument *out,
			   struct error *err)
{
	const char *equals = strchr(word, '='), *slash = strchr(word, '/');

	*out = (struct results_argument){.path = word};
	if (equals && (!slash || slash > equals)) {
		out->named = true;
		out->path = equals + 1;
		out->label = view_copy(arena, (struct view){word, (size_t)(equals - word)});
		if (!*out->label || !*out->path)
			return error_exit(err, EXIT_USAGE, "'%s' is not LABEL=FILE", word);
	} else {
		out->label = last_parts(arena, word, 1);
	}
	if (strcmp(out->path, "-") == 0 && !out->named) {
		out->label = "standard input";
		out->named = true;
	}
	if (strlen(out->label) > RESULTS_LABEL_MAX_BYTES)
		return error_exit(err, EXIT_USAGE, "'%.60s...': a label has at most %d bytes",
				  out->label, RESULTS_LABEL_MAX_BYTES);
	return true;
}

bool results_arguments(struct arena *arena, const struct names *words, struct results_argument *out,
		       struct error *err)
{
	struct results_argument **sorted =
		arena_array(arena, struct results_argument *, words->count);

	for (size_t i = 0; i < words->count; i++) {
		if (!split_argument(arena, words->items[i], &out[i], err))
			return false;
		sorted[i] = &out[i];
	}
	for (unsigned parts = 2; parts < 100 && lengthen(arena, sorted, words->count, parts);
	     parts++)
		;
	return true;
}

bool results_labels(struct arena *arena, struct results_argument *arguments, size_t count,
		    struct error *err)
{
	struct results_argument **sorted = arena_array(arena, struct results_argument *, count);

	for (size_t i = 0; i < count; i++)
		sorted[i] = &arguments[i];
	qsort(sorted, count, sizeof(*sorted), by_label);
	for (size_t i = 1; i < count; i++) {
		const struct results_argument *one = sorted[i - 1], *other = sorted[i];

		if (strcmp(one->label, other->label) == 0 && (!one->named || !other->named))
			return error_exit(err, EXIT_USAGE,
					  "%s and %s would both be called '%s', give labels: "
					  "LABEL=%s",
					  one->path, other->path, one->label, other->path);
	}
	return true;
}
