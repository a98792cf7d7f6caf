// SPDX-License-Identifier: BSD-2-Clause
#include "report/results_set.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "report/results_private.h"

#include <stdlib.h>
#include <string.h>

#define TIME_SIZE 20 /* 2026-01-31T23:59:59Z */

/* A file to be read. */
struct source {
	const char *label, *path;
	struct file_look look;
	bool known;       /* look is of it */
	size_t directory; /* the argument it stands in, plus one; 0: it is an argument itself */
	struct results results;
	bool good;
};

struct loading {
	struct arena *arena;
	struct source *sources;
	size_t count, room;
	struct pool pool;
	size_t items;
	struct results_set *set;
};

static bool add_source(struct loading *loading, struct source source, struct error *err)
{
	if (loading->count == RESULTS_FILES_MAX)
		return error_exit(err, EXIT_USAGE, "more than %d files", RESULTS_FILES_MAX);
	if (loading->count == loading->room) {
		size_t room = loading->room ? loading->room * 2 : 64;
		struct source *grown = arena_array(loading->arena, struct source, room);

		if (loading->count)
			memcpy(grown, loading->sources, loading->count * sizeof(*grown));
		loading->sources = grown;
		loading->room = room;
	}
	loading->sources[loading->count++] = source;
	return true;
}

static void add_bad(struct loading *loading, const char *text)
{
	struct results_set *set = loading->set;

	if (set->bad_count++ < RESULTS_BAD_SHOWN)
		names_add(loading->arena, &set->bad, arena_strdup(loading->arena, text));
}

/* Every *.json of a directory, not those below. */
static bool add_directory(struct loading *loading, const struct results_argument *argument,
			  size_t number, struct error *err)
{
	struct names names = {0};
	struct error own = {0};

	if (!file_list(loading->arena, argument->path, ".json", &names, &own))
		add_bad(loading, own.text);
	else if (!names.count)
		add_bad(loading,
			arena_printf(loading->arena, "%s: a directory without any .json in it",
				     argument->path));
	for (size_t i = 0; i < names.count; i++) {
		const char *path =
			arena_printf(loading->arena, "%s/%s", argument->path, names.items[i]);

		if (!add_source(loading,
				(struct source){argument->label, path, .directory = number + 1},
				err))
			return false;
	}
	return true;
}

static bool add_argument(struct loading *loading, const struct results_argument *argument,
			 size_t number, struct error *err)
{
	struct file_look look;

	if (strcmp(argument->path, "-") != 0 && file_look(argument->path, &look, NULL) &&
	    look.directory)
		return add_directory(loading, argument, number, err);
	return add_source(loading, (struct source){argument->label, argument->path}, err);
}

static int by_file(const void *left, const void *right)
{
	const struct source *a = *(struct source *const *)left, *b = *(struct source *const *)right;

	if (a->look.device != b->look.device)
		return a->look.device < b->look.device ? -1 : 1;
	if (a->look.number != b->look.number)
		return a->look.number < b->look.number ? -1 : 1;
	return (a > b) - (a < b);
}

/* A link of a directory to another file in it ("latest.json") is no second result. */
static bool drop_doubles(struct loading *loading, struct error *err)
{
	struct source **sorted = arena_array(loading->arena, struct source *, loading->count);
	size_t count = 0, input = 0;

	for (size_t i = 0; i < loading->count; i++) {
		struct source *source = &loading->sources[i];

		if (strcmp(source->path, "-") == 0)
			input++;
		else
			source->known = file_look(source->path, &source->look, NULL);
		if (source->known)
			sorted[count++] = source;
	}
	if (input > 1)
		return error_exit(err, EXIT_USAGE, "only one of the files can be standard input");
	qsort(sorted, count, sizeof(*sorted), by_file);
	for (size_t i = 1; i < count; i++) {
		struct source *one = sorted[i - 1], *other = sorted[i];

		if (one->look.device != other->look.device ||
		    one->look.number != other->look.number)
			continue;
		if (!one->directory || one->directory != other->directory)
			return error_exit(err, EXIT_USAGE, "%s and %s are one file, name it once",
					  one->path, other->path);
		other->path = NULL;
	}
	return true;
}

static bool is_time(const char *text)
{
	static const char form[] = "0000-00-00T00:00:00Z";

	if (!text || strlen(text) != TIME_SIZE)
		return false;
	for (size_t i = 0; i < TIME_SIZE; i++) {
		bool digit = text[i] >= '0' && text[i] <= '9';

		if (form[i] == '0' ? !digit : form[i] != text[i])
			return false;
	}
	return true;
}

/* The tree of a file is released before the next is read. */
static bool read_source(struct loading *loading, struct source *source, struct error *err)
{
	struct arena scratch;
	struct view text;
	bool good;

	arena_init(&scratch, ARENA_DEFAULT_MAX_BYTES);
	scratch.exhausted = loading->arena->exhausted;
	good = file_read(&scratch, source->path, RESULTS_FILE_MAX_BYTES, &text, err) &&
	       results_read(&scratch, &loading->pool, source->path, text, &source->results, err);
	arena_release(&scratch);
	if (!good)
		return false;
	if (!is_time(source->results.started))
		return error_set(err, "%s: does not say when it was started", source->path);
	if (source->results.count > RESULTS_TOTAL_MAX - loading->items)
		return error_set(err,
				 "%s: with it there are more than %d results, give fewer files",
				 source->path, RESULTS_TOTAL_MAX);
	loading->items += source->results.count;
	return true;
}

static int by_machine_and_time(const void *left, const void *right)
{
	const struct source *a = *(struct source *const *)left, *b = *(struct source *const *)right;
	int order = strverscmp(a->label, b->label);

	if (!order)
		order = strcmp(a->label, b->label);
	if (!order)
		order = strcmp(a->results.started, b->results.started);
	return order ? order : (a > b) - (a < b);
}

static void make_machines(struct loading *loading)
{
	struct results_set *set = loading->set;
	struct source **sorted = arena_array(loading->arena, struct source *, loading->count);
	const struct results **files =
		arena_array(loading->arena, const struct results *, loading->count);

	for (size_t i = 0; i < loading->count; i++)
		if (loading->sources[i].good)
			sorted[set->file_count++] = &loading->sources[i];
	qsort(sorted, set->file_count, sizeof(*sorted), by_machine_and_time);
	set->machines = arena_array(loading->arena, struct results_machine, set->file_count);
	for (size_t i = 0; i < set->file_count; i++) {
		struct results_machine *last = set->count ? &set->machines[set->count - 1] : NULL;

		files[i] = &sorted[i]->results;
		if (!last || strcmp(last->label, sorted[i]->label) != 0) {
			last = &set->machines[set->count++];
			*last = (struct results_machine){sorted[i]->label, &files[i], 0};
		}
		last->count++;
	}
}

bool results_load(struct arena *arena, const struct names *words, struct results_set *out,
		  struct error *err)
{
	struct results_argument *arguments =
		arena_array(arena, struct results_argument, words->count);
	struct results_set set = {0};
	struct loading loading = {
		.arena = arena, .pool = pool_new(arena, RESULTS_TEXT_MAX_BYTES), .set = &set};

	if (!results_arguments(arena, words, arguments, err))
		return false;
	for (size_t i = 0; i < words->count; i++)
		if (!add_argument(&loading, &arguments[i], i, err))
			return false;
	if (!drop_doubles(&loading, err) || !results_labels(arena, arguments, words->count, err))
		return false;
	for (size_t i = 0; i < loading.count; i++) {
		struct error own = {0};

		if (!loading.sources[i].path)
			continue;
		loading.sources[i].good = read_source(&loading, &loading.sources[i], &own);
		if (!loading.sources[i].good)
			add_bad(&loading, own.text);
	}
	make_machines(&loading);
	*out = set;
	return true;
}
