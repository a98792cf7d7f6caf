// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "setup/store_private.h"
#include "setup/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_BYTES_MAX ((size_t)1 << 20)
#define NUMBER_MAX 1000000
#define SCHEMA "ampere-crypto/generation 1.0.0"

/* generations/N/.generation.json; the links beside it say the same to everybody else. */
struct generation_file {
	const char *schema, *created, *target;
	int64_t number;
	struct store_trees trees;
};

static const struct field tree_rows[] = {
	{.key = "name",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct store_tree, name),
	 .required = true,
	 .doc = "name of the tree"},
	{.key = "version",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct store_tree, version),
	 .required = true,
	 .doc = "its version"},
	{.key = "key",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct store_tree, key),
	 .required = true,
	 .doc = "its key"},
};

const struct field_table store_tree_table =
	FIELD_TABLE("store-tree", struct store_tree, tree_rows, "a tree of the store");

static const struct field file_rows[] = {
	{.key = "schema",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct generation_file, schema),
	 .required = true,
	 .pattern = "^ampere-crypto/generation 1\\.[0-9]+\\.[0-9]+$",
	 .doc = "name and semantic version of the format"},
	{.key = "number",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct generation_file, number),
	 .required = true,
	 .minimum = 1,
	 .maximum = NUMBER_MAX,
	 .doc = "its number"},
	{.key = "created",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct generation_file, created),
	 .required = true,
	 .doc = "when, in UTC"},
	{.key = "target",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct generation_file, target),
	 .required = true,
	 .doc = "the machine its trees are for"},
	{.key = "trees",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct generation_file, trees),
	 .required = true,
	 .table = &store_tree_table,
	 .doc = "the trees that are active together"},
};

static const struct field_table file_table =
	FIELD_TABLE("generation", struct generation_file, file_rows,
		    "The trees that are active together: .generation.json");

static const char *number_path(struct arena *arena, uint32_t number)
{
	return arena_printf(arena, STORE_GENERATIONS "/%" PRIu32, number);
}

/* The number that `current` leads to, 0 for none; false when it is none of ours. */
static bool current_number(struct store *store, uint32_t *out, struct error *err)
{
	const char *target = tree_read_link(store->arena, store->fd, STORE_CURRENT);
	uint64_t number = 0;

	if (!target && errno == ENOENT) {
		*out = 0;
		return true;
	}
	if (!target || !view_starts(view_of(target), STORE_GENERATIONS "/") ||
	    !view_u64(view_of(target + strlen(STORE_GENERATIONS "/")), 10, &number) || !number ||
	    number > NUMBER_MAX)
		return error_set(err, "%s/" STORE_CURRENT ": does not lead to a generation",
				 store->prefix);
	*out = (uint32_t)number;
	return true;
}

/* The text of a generation; an empty one for what is not there, or is no file of ours. */
static bool read_file(struct store *store, uint32_t number, const char *path, struct view *text,
		      struct error *err)
{
	scoped_fd int fd =
		tree_open_file(store->fd, arena_printf(store->arena, "%s/" STORE_GENERATION_FILE,
						       number_path(store->arena, number)));

	*text = (struct view){0};
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == EINVAL))
		return true;
	if (fd < 0)
		return error_errno(err, errno, "%s", path);
	return file_read_fd(store->arena, fd, path, FILE_BYTES_MAX, text, err);
}

static bool parse(struct store *store, uint32_t number, const char *path, struct view text,
		  struct generation *out, struct error *err)
{
	struct generation_file file = {0};
	struct json json;

	if (!text.size)
		return error_set(err, "%s: not there", path);
	if (!json_parse(store->arena, path, text, &json, err) ||
	    !fields_load(store->arena, &json, json.top, &file_table, &file, err))
		return false;
	for (size_t i = 0; i < file.trees.count; i++) {
		const struct store_tree *tree = &file.trees.items[i];

		if (!manifest_names_fit(tree->name, tree->version, tree->key))
			return error_set(err, "%s: trees[%zu] cannot be in a store", path, i);
	}
	if (file.number != number)
		return error_set(err, "%s: is of generation %" PRId64, path, file.number);
	*out = (struct generation){.number = number,
				   .created = file.created,
				   .target = file.target,
				   .trees = file.trees};
	return true;
}

static const char *file_path(struct store *store, uint32_t number)
{
	return arena_printf(store->arena, "%s/%s/" STORE_GENERATION_FILE, store->prefix,
			    number_path(store->arena, number));
}

static bool load(struct store *store, uint32_t number, struct generation *out, struct error *err)
{
	const char *path = file_path(store, number);
	struct view text;

	return read_file(store, number, path, &text, err) &&
	       parse(store, number, path, text, out, err);
}

bool store_current(struct store *store, struct generation *out, struct error *err)
{
	struct generation found = {0};
	uint32_t number = 0, again;
	struct error inner = {0};

	if (store->fd >= 0 && !current_number(store, &number, err))
		return false;
	while (number && !load(store, number, &found, &inner)) {
		/* Another run may have gone on to the next one and removed this. */
		if (!current_number(store, &again, err))
			return false;
		if (again == number)
			return error_set(err, "%s", inner.text);
		number = again;
		found = (struct generation){0};
	}
	found.active = number != 0;
	*out = found;
	return true;
}

static int by_number(const void *left, const void *right)
{
	const struct generation *one = left, *other = right;

	return one->number < other->number ? -1 : one->number > other->number;
}

bool store_generations(struct store *store, struct generations *out, struct error *err)
{
	struct generations found = {0};
	struct names names = {0};
	uint32_t active = 0;

	if (store->fd >= 0) {
		scoped_fd int fd = tree_open(store->fd, STORE_GENERATIONS);

		if (!current_number(store, &active, err))
			return false;
		if (fd < 0 && errno != ENOENT)
			return error_errno(err, errno, "%s/" STORE_GENERATIONS, store->prefix);
		if (fd >= 0 && !tree_list(store->arena, fd, &names))
			return error_errno(err, errno, "%s/" STORE_GENERATIONS, store->prefix);
	}
	found.items = arena_array(store->arena, struct generation, names.count + 1);
	for (size_t i = 0; i < names.count; i++) {
		struct generation *one = &found.items[found.count];
		struct view text;
		uint64_t number;

		if (!view_u64(view_of(names.items[i]), 10, &number) || !number ||
		    number > NUMBER_MAX || names.items[i][0] == '0')
			continue;
		const char *path = file_path(store, (uint32_t)number);
		if (!read_file(store, (uint32_t)number, path, &text, err))
			return false;
		/* A half one is no generation, and neither is what somebody put there. */
		if (!parse(store, (uint32_t)number, path, text, one, NULL))
			continue;
		one->active = one->number == active;
		found.count++;
	}
	qsort(found.items, found.count, sizeof(found.items[0]), by_number);
	*out = found;
	return true;
}

static const char *link_target(struct arena *arena, const struct store_tree *tree)
{
	return arena_printf(arena, "../../" STORE_TREES "/%s-%s-%s", tree->name, tree->version,
			    tree->key);
}

static bool fill(struct store *store, int directory, const struct generation *generation,
		 struct error *err)
{
	struct generation_file file = {.schema = SCHEMA,
				       .created = generation->created,
				       .target = generation->target,
				       .number = generation->number,
				       .trees = generation->trees};
	struct buffer text = buffer_new(store->arena, FILE_BYTES_MAX);
	struct json_writer writer;

	for (size_t i = 0; i < generation->trees.count; i++) {
		const struct store_tree *tree = &generation->trees.items[i];

		if (symlinkat(link_target(store->arena, tree), directory, tree->name) < 0)
			return error_errno(err, errno, "%s/" STORE_GENERATIONS, store->prefix);
	}
	json_begin(&writer, &text);
	fields_write(&writer, NULL, &file_table, &file);
	json_end(&writer);
	if (!tree_write(directory, STORE_GENERATION_FILE, buffer_view(&text), err))
		return error_context(err, "%s/" STORE_GENERATIONS, store->prefix);
	if (!tree_sync(directory))
		return error_errno(err, errno, "%s/" STORE_GENERATIONS, store->prefix);
	return true;
}

bool generation_make(struct store *store, struct generation *generation, struct error *err)
{
	static const char half[] = STORE_HALF_GENERATION;
	scoped_fd int generations = store_open_directory(store, STORE_GENERATIONS, err);

	if (generations < 0)
		return false;
	generation->created = clock_utc(store->arena);
	if (!tree_delete(generations, half) || !tree_make(generations, half))
		return error_errno(err, errno, "%s/" STORE_GENERATIONS, store->prefix);
	scoped_fd int directory = tree_open(generations, half);
	if (directory < 0)
		return error_errno(err, errno, "%s/" STORE_GENERATIONS, store->prefix);
	if (!fill(store, directory, generation, err))
		return false;
	if (renameat(generations, half, generations,
		     arena_printf(store->arena, "%" PRIu32, generation->number)) < 0 ||
	    !tree_sync(generations))
		return error_errno(err, errno, "%s/%s", store->prefix,
				   number_path(store->arena, generation->number));
	return true;
}

bool generation_switch(struct store *store, uint32_t number, struct error *err)
{
	bool done = number ? tree_link(store->fd, STORE_CURRENT, number_path(store->arena, number))
			   : unlinkat(store->fd, STORE_CURRENT, 0) == 0 || errno == ENOENT;

	if (!done || !tree_sync(store->fd))
		return error_errno(err, errno, "%s/" STORE_CURRENT, store->prefix);
	return true;
}

const char *generation_link_fault(struct store *store, const struct generation *generation,
				  const struct store_tree *tree)
{
	scoped_fd int directory =
		tree_open(store->fd, number_path(store->arena, generation->number));
	const char *wanted = link_target(store->arena, tree);
	const char *found =
		directory < 0 ? NULL : tree_read_link(store->arena, directory, tree->name);

	if (!found)
		return "no link";
	return strcmp(found, wanted) == 0
		       ? NULL
		       : arena_printf(store->arena, "leads to %s, was %s", found, wanted);
}
