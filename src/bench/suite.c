// SPDX-License-Identifier: BSD-2-Clause
#include "bench/suite.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <string.h>

#define FILE_MAX_BYTES ((size_t)1 << 20)

bool suite_names(struct arena *arena, struct names *out, struct error *err)
{
	struct names files, names = {0};

	if (!file_list(arena, file_data_path(arena, "profiles/suites"), ".json", &files, err))
		return false;
	for (size_t i = 0; i < files.count; i++)
		names_add(arena, &names,
			  arena_copy(arena, files.items[i],
				     strlen(files.items[i]) - strlen(".json")));
	names_sort(&names);
	*out = names;
	return true;
}

/* What a case leaves out. */
static void fill(struct arena *arena, struct suite_case *one)
{
	if (!one->unit)
		one->unit = one->sizes.count ? "Gbps" : "MOps";
	if (!one->burst)
		one->burst = SUITE_BURST;
	if (!one->cores.count) {
		one->cores = (struct numbers){arena_array(arena, int64_t, 1), 1};
		one->cores.items[0] = 1;
	}
}

bool suite_read(struct arena *arena, const char *path, struct view text, const struct suite **out,
		struct error *err)
{
	struct suite *suite = arena_new(arena, struct suite);
	struct suite_case *cases;
	struct json json;

	if (!json_parse(arena, path, text, &json, err) ||
	    !fields_load(arena, &json, json.top, &suite_table, suite, err) ||
	    !suite_check(arena, &json, suite, err))
		return false;
	cases = suite->cases.items;
	for (size_t i = 0; i < suite->cases.count; i++)
		fill(arena, &cases[i]);
	suite->path = path;
	*out = suite;
	return true;
}

static bool load_own(struct arena *arena, const char *path, const struct names *shipped,
		     const struct suite **out, struct error *err)
{
	const struct suite *suite;
	struct view text;

	if (!file_read(arena, path, FILE_MAX_BYTES, &text, err) ||
	    !suite_read(arena, path, text, &suite, err))
		return false;
	if (names_has(shipped, suite->name))
		return error_exit(err, EXIT_USAGE,
				  "%s: name: %s is a suite of this program; give yours another",
				  path, suite->name);
	*out = suite;
	return true;
}

bool suite_load(struct arena *arena, const char *name, const struct suite **out, struct error *err)
{
	const struct suite *suite;
	struct names shipped;
	const char *path;
	struct view text;

	if (!suite_names(arena, &shipped, err))
		return false;
	if (strchr(name, '/'))
		return load_own(arena, name, &shipped, out, err);
	if (!names_has(&shipped, name)) {
		const char *nearest = text_nearest(name, shipped.items, shipped.count);

		if (nearest)
			return error_exit(err, EXIT_USAGE, "unknown suite '%s', did you mean '%s'?",
					  name, nearest);
		return error_exit(err, EXIT_USAGE,
				  "unknown suite '%s'; there are %s, and files with a slash in "
				  "their name",
				  name, names_join(arena, &shipped, ", "));
	}
	path = file_data_path(arena, arena_printf(arena, "profiles/suites/%s.json", name));
	if (!file_read(arena, path, FILE_MAX_BYTES, &text, err) ||
	    !suite_read(arena, path, text, &suite, err))
		return false;
	if (strcmp(suite->name, name) != 0)
		return error_set(err, "%s: name: \"%s\" is not the file's name", path, suite->name);
	*out = suite;
	return true;
}

const struct suite_case *suite_find(const struct suite *suite, const char *name)
{
	const struct suite_case *cases = suite->cases.items;

	for (size_t i = 0; i < suite->cases.count; i++) {
		if (strcmp(cases[i].name, name) == 0)
			return &cases[i];
	}
	return NULL;
}
