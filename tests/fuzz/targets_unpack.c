// SPDX-License-Identifier: BSD-2-Clause
#include "fuzz.h"

#include "base/arena.h"
#include "base/error.h"
#include "unpack/name.h"
#include "unpack/tree.h"
#include "unpack/unpack.h"

#include <locale.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct name *parsed(struct arena *arena, struct view raw)
{
	struct name *name = arena_new(arena, struct name);

	return name_parse(raw, name) ? NULL : name;
}

/* What was taken has one spelling, which is taken again, and names nothing above. */
static void check_name(struct arena *arena, const struct name *name)
{
	const struct name *again;
	size_t size = 0;

	PROMISE(name->count <= UNPACK_DEPTH_MAX && name->size == strlen(name->path));
	PROMISE(name->path[0] != '/' && !strstr(name->path, "//"));
	for (size_t i = 0; i < name->count; i++) {
		struct view part = name_part(name, i);

		PROMISE(part.size && part.size <= UNPACK_PART_MAX);
		PROMISE(!view_is(part, ".") && !view_is(part, "..") &&
			!memchr(part.at, '/', part.size));
		size += part.size + (i > 0);
	}
	PROMISE(size == name->size);
	if (!name->count)
		return;
	again = parsed(arena, view_of(name->path));
	PROMISE(again && again->count == name->count && strcmp(again->path, name->path) == 0);
	PROMISE(name_parent(name).size < name->size);
}

/* A link that was taken stays inside wherever its names lead: they only go down. */
static void check_target(const struct name *name, struct view target)
{
	long depth = (long)name->count - 1;
	struct view part;

	while (view_split(&target, '/', &part)) {
		if (!part.size || view_is(part, "."))
			continue;
		depth += view_is(part, "..") ? -1 : 1;
		PROMISE(depth >= 0);
	}
}

/* Lines: a letter for the kind, a name, and for a link a '>' and its target. */
static void add_line(struct arena *arena, struct tree *tree, struct view line)
{
	enum tree_kind kind;
	struct view name_text;
	struct name *name;
	size_t known;

	if (!line.size)
		return;
	kind = (enum tree_kind)(1 + (unsigned char)line.at[0] % 3);
	line.at++;
	line.size--;
	if (!view_split(&line, '>', &name_text) || !(name = parsed(arena, name_text)))
		return;
	check_name(arena, name);
	if (name->count && kind == TREE_LINK && !name_check_target(name, line))
		check_target(name, line);
	if (name->count && !tree_check(tree, name, kind, &known)) {
		PROMISE(known <= name->count && tree_add(tree, name, kind));
		PROMISE(tree_find(tree, name) == kind);
		PROMISE(!!tree_check(tree, name, kind, &known) == (kind != TREE_DIRECTORY));
	}
	name_strip(name);
	check_name(arena, name);
}

static void parse_names(struct arena *arena, struct view bytes)
{
	struct view rest = bytes, line;
	struct tree tree;

	PROMISE(tree_init(&tree, 1));
	while (view_split(&rest, '\n', &line))
		add_line(arena, &tree, line);
	tree_release(&tree);
}

/* The whole reader, decoders and libarchive in it, without making anything. */
static void parse_archive(struct arena *arena, struct view bytes)
{
	struct unpack_request request = {
		.destination = -1,
		.limits = {.entries = 1000, .bytes = 1 << 24, .ratio = UNPACK_RATIO},
	};
	struct unpack_result result;
	struct error err = {0};

	(void)arena;
	setlocale(LC_CTYPE, "C.UTF-8");
	request.archive = memfd_create("archive", MFD_CLOEXEC);
	PROMISE(request.archive >= 0);
	PROMISE(write(request.archive, bytes.at, bytes.size) == (ssize_t)bytes.size);
	request.keep_top = bytes.size & 1;
	if (unpack_run(&request, &result, &err))
		PROMISE(result.entries && result.entries <= request.limits.entries &&
			result.bytes <= request.limits.bytes);
	else
		PROMISE(err.text[0] && err.exit_code == EXIT_TROUBLE);
	close(request.archive);
}

const struct target unpack_targets[] = {
	{.name = "unpack-names", .parse = parse_names},
	{.name = "unpack", .parse = parse_archive},
	{.name = NULL}, /* the last */
};
