// SPDX-License-Identifier: BSD-2-Clause
/*
 * The store as a program, for tests: store-tool PREFIX ACTION [ARGUMENT...]. Prints what came of
 * it; the exit status is that of the error.
 */
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/pack.h"
#include "setup/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tool {
	struct arena arena;
	struct store store;
	struct error error;
	char **arguments;
	int count;
};

static bool make_file(struct tool *tool, const char *top, const char *path, const char *text,
		      mode_t mode)
{
	const char *full = arena_printf(&tool->arena, "%s/%s", top, path);

	if (!file_write(full, view_of(text), &tool->error))
		return false;
	return chmod(full, mode) == 0 || error_errno(&tool->error, errno, "%s", path);
}

/* A small tree as a build would stage it; its text says whose it is. */
static bool make_tree(struct tool *tool, const char *top, const char *name, const char *version)
{
	static const char *const directories[] = {"bin", "lib", "lib/pkgconfig", "etc"};
	const char *library = arena_printf(&tool->arena, "lib/lib%s.so.1", name);
	const char *link = arena_printf(&tool->arena, "%s/lib/lib%s.so", top, name);

	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++) {
		if (mkdir(arena_printf(&tool->arena, "%s/%s", top, directories[i]), 0777) < 0)
			return error_errno(&tool->error, errno, "%s", directories[i]);
	}
	return make_file(tool, top, arena_printf(&tool->arena, "bin/%s", name),
			 arena_printf(&tool->arena, "#!/bin/sh\necho %s %s\n", name, version),
			 0777) &&
	       make_file(tool, top, library, version, 0600) &&
	       make_file(tool, top, arena_printf(&tool->arena, "lib/pkgconfig/%s.pc", name), name,
			 0666) &&
	       make_file(tool, top, "etc/settings", "as shipped\n", 0664) &&
	       (symlink(library + strlen("lib/"), link) == 0 ||
		error_errno(&tool->error, errno, "%s", link));
}

static struct manifest_source source = {
	.file = "software-1.tar.gz",
	.url = "https://example.org/software-1.tar.gz",
	.sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
};

static struct manifest_source patch = {
	.url = "https://example.org/git",
	.commit = "0123456789abcdef0123456789abcdef01234567",
};

/* NAME VERSION KEY TARGET RELOCATABLE [NAME VERSION KEY]... of the tree and what it needs. */
static void describe(struct tool *tool, struct manifest *manifest)
{
	char **at = tool->arguments;
	size_t needs = tool->count > 5 ? (size_t)(tool->count - 5) / 3 : 0;

	*manifest = (struct manifest){.name = at[0],
				      .version = at[1],
				      .key = at[2],
				      .target = at[3],
				      .relocatable = strcmp(at[4], "yes") == 0,
				      .arch = "aarch64",
				      .license = "Apache-2.0",
				      .compiler = {"gcc", "12.2.0", "gcc-12"},
				      .sources = {&source, 1},
				      .patches = {&patch, 1},
				      .built = "2025-01-31T23:59:59Z",
				      .elapsed_s = 7};
	names_add(&tool->arena, &manifest->flags, "-mcpu=neoverse-n1");
	names_add(&tool->arena, &manifest->outside, "etc/outside");
	manifest->dependencies.items =
		arena_array(&tool->arena, struct manifest_dependency, needs + 1);
	manifest->dependencies.count = needs;
	for (size_t i = 0; i < needs; i++)
		manifest->dependencies.items[i] =
			(struct manifest_dependency){at[5 + 3 * i], at[6 + 3 * i], at[7 + 3 * i]};
}

static bool install(struct tool *tool, const char *from)
{
	struct manifest manifest;
	const char *work;

	describe(tool, &manifest);
	if (!store_directory(&tool->store, arena_printf(&tool->arena, "work/%s", manifest.name),
			     &work, &tool->error))
		return false;
	const char *staged = arena_printf(&tool->arena, "%s/stage", work);
	if (from && rename(from, staged) < 0)
		return error_set(&tool->error, "rename %s %s", from, staged);
	if (!from && mkdir(staged, 0777) < 0)
		return error_errno(&tool->error, errno, "%s", staged);
	if (!from && !make_tree(tool, staged, manifest.name, manifest.version))
		return error_context(&tool->error, "the stage");
	return store_install(&tool->store, staged, &manifest, &tool->error);
}

static bool activate(struct tool *tool)
{
	struct store_tree tree = {tool->arguments[0], tool->arguments[1], tool->arguments[2]};
	struct store_trees trees = {&tree, 1};
	struct generation generation;

	if (!store_activate(&tool->store, tool->arguments[3], &trees, NULL, &generation,
			    &tool->error))
		return false;
	printf("generation %u\n", (unsigned)generation.number);
	return true;
}

static bool do_install(struct tool *tool)
{
	return install(tool, NULL);
}

/* DIRECTORY, then as for install. */
static bool do_stage(struct tool *tool)
{
	const char *from = tool->arguments[0];

	tool->arguments++;
	tool->count--;
	return install(tool, from);
}

static bool do_apply(struct tool *tool)
{
	return install(tool, NULL) && activate(tool);
}

static bool do_remove(struct tool *tool)
{
	struct store_removal removal;
	struct names names = {0};

	for (int i = 0; i < tool->count; i++)
		names_add(&tool->arena, &names, tool->arguments[i]);
	if (!store_remove(&tool->store, &names, &removal, &tool->error))
		return false;
	for (size_t i = 0; i < removal.left.count; i++)
		printf("left %s\n", removal.left.items[i]);
	return true;
}

static bool do_rollback(struct tool *tool)
{
	struct generation generation;
	uint64_t to = 0;

	if (tool->count)
		view_u64(view_of(tool->arguments[0]), 10, &to);
	if (!store_rollback(&tool->store, (uint32_t)to, &generation, &tool->error))
		return false;
	printf("generation %u\n", (unsigned)generation.number);
	return true;
}

/* Holds the lock until standard input ends. */
static bool do_hold(struct tool *tool)
{
	(void)tool;
	printf("held\n");
	fflush(stdout);
	return getchar() == EOF;
}

static bool do_nothing(struct tool *tool)
{
	(void)tool;
	return true;
}

static bool do_pack(struct tool *tool)
{
	return pack_write(&tool->store, tool->arguments[0], &tool->error);
}

/* FILE [TARGET] */
static bool do_unpack(struct tool *tool)
{
	struct generation generation;

	if (!pack_read(&tool->store, tool->arguments[0],
		       tool->count > 1 ? tool->arguments[1] : NULL, &generation, &tool->error))
		return false;
	printf("generation %u\n", (unsigned)generation.number);
	return true;
}

static const struct action {
	const char *name;
	bool (*run)(struct tool *tool);
	int arguments_min;
	bool wait;
} actions[] = {
	{"install", do_install, 5, true}, {"stage", do_stage, 6, true},
	{"apply", do_apply, 5, true},     {"activate", activate, 4, true},
	{"remove", do_remove, 0, true},   {"rollback", do_rollback, 0, true},
	{"hold", do_hold, 0, true},       {"try", do_nothing, 0, false},
	{"pack", do_pack, 1, true},       {"unpack", do_unpack, 1, true},
};

static bool run(struct tool *tool, const char *prefix, const struct action *action)
{
	if (!store_open(&tool->arena, prefix, STORE_WRITE, &tool->store, &tool->error))
		return false;
	bool done = store_lock(&tool->store, action->wait, &tool->error);

	if (done) {
		store_clean(&tool->store);
		done = action->run(tool);
	}
	store_close(&tool->store);
	return done;
}

int main(int argc, char **argv)
{
	struct tool tool = {0};
	bool done = false;

	arena_init(&tool.arena, ARENA_DEFAULT_MAX_BYTES);
	tool.arena.exhausted = abort;
	error_exit(&tool.error, EXIT_USAGE, "usage: store-tool PREFIX ACTION [ARGUMENT...]");
	for (size_t i = 0; argc > 2 && i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strcmp(actions[i].name, argv[2]) != 0 || argc - 3 < actions[i].arguments_min)
			continue;
		tool.arguments = argv + 3;
		tool.count = argc - 3;
		tool.error = (struct error){0};
		done = run(&tool, argv[1], &actions[i]);
	}
	if (!done)
		fprintf(stderr, "store-tool: %s\n",
			text_printable(&tool.arena, view_of(tool.error.text)));
	arena_release(&tool.arena);
	return done ? 0 : tool.error.exit_code ? (int)tool.error.exit_code : EXIT_TROUBLE;
}
