// SPDX-License-Identifier: BSD-2-Clause
#include "setup/environment.h"

#include "base/arena.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

#define LINES_MAX_BYTES ((size_t)1 << 20)

static bool is_shared_library(const char *name)
{
	const char *so = strstr(name, ".so");

	return strncmp(name, "lib", 3) == 0 && so && (!so[3] || so[3] == '.');
}

/* Adds the directory that a file makes worth looking in. */
static void add_file(struct store *store, const char *tree, const struct manifest_file *file,
		     struct environment *out)
{
	const char *slash = strrchr(file->path, '/'), *name = slash ? slash + 1 : file->path;
	struct view parent = {file->path, slash ? (size_t)(slash - file->path) : 0};
	struct names *names = NULL;

	if (strcmp(file->type, "directory") == 0 || !slash)
		return;
	if (view_is(parent, "bin") || view_is(parent, "sbin"))
		names = &out->programs;
	else if (view_ends(parent, "/pkgconfig") && view_ends(view_of(name), ".pc"))
		names = &out->pkg_config;
	else if (view_starts(parent, "lib") && !memchr(parent.at, '/', parent.size) &&
		 is_shared_library(name))
		names = &out->libraries;
	if (!names)
		return;
	const char *path = arena_printf(store->arena, "%s/current/%s/%s", store->prefix, tree,
					view_copy(store->arena, parent));
	if (!names_has(names, path))
		names_add(store->arena, names, path);
}

bool environment_read(struct store *store, struct environment *out, struct error *err)
{
	struct environment found = {0};
	struct generation generation;

	if (strchr(store->prefix, ':'))
		return error_set(err, "%s: PATH cannot hold a prefix with a colon, choose another",
				 store->prefix);
	if (!store_current(store, &generation, err))
		return false;
	for (size_t i = 0; i < generation.trees.count; i++) {
		const struct store_tree *tree = &generation.trees.items[i];
		struct manifest manifest;

		if (!store_manifest(store, tree, &manifest, err))
			return false;
		found.arch = manifest.arch;
		for (size_t f = 0; f < manifest.files.count; f++)
			add_file(store, tree->name, &manifest.files.items[f], &found);
	}
	*out = found;
	return true;
}

/* In single quotes nothing is special but the quote itself. */
static void add_quoted(struct buffer *out, const char *text)
{
	buffer_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			buffer_text(out, "'\\''");
		else
			buffer_char(out, *text);
	}
	buffer_char(out, '\'');
}

static void add_line(struct buffer *out, const char *variable, const struct names *directories)
{
	if (!directories->count)
		return;
	buffer_printf(out, "export %s=", variable);
	add_quoted(out, names_join(out->arena, directories, ":"));
	/* Quoted: some shells split the words of export. */
	buffer_printf(out, "\"${%s:+:$%s}\"\n", variable, variable);
}

const char *environment_lines(struct arena *arena, const struct environment *environment,
			      bool library_path)
{
	struct buffer out = buffer_new(arena, LINES_MAX_BYTES);

	add_line(&out, "PATH", &environment->programs);
	add_line(&out, "PKG_CONFIG_PATH", &environment->pkg_config);
	if (library_path)
		add_line(&out, "LD_LIBRARY_PATH", &environment->libraries);
	return buffer_string(&out);
}

const char *environment_extend(struct arena *arena, const struct names *directories,
			       const char *value)
{
	const char *joined = names_join(arena, directories, ":");

	if (!value || !*value)
		return joined;
	return *joined ? arena_printf(arena, "%s:%s", joined, value) : value;
}
