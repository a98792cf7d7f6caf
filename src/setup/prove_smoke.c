// SPDX-License-Identifier: BSD-2-Clause
#include "setup/prove_private.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/prove_output.h"
#include "setup/sandbox.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_MAX_BYTES ((size_t)1 << 20)
#define NAMES_SHOWN 40
#define DEPENDS_MAX PLAN_TREES_MAX

/* smoke.c of a recipe, built against the staged tree and run. */
struct smoke {
	struct proof *proof;
	const char *directory;                      /* the build's user owns it */
	const struct plan_tree *trees[DEPENDS_MAX]; /* all that it depends on */
	size_t count;
	struct view sources[2];
};

static const char *const source_names[] = {"smoke.c", "loaded.c"};

static void add_depends(struct smoke *smoke, const struct plan_tree *tree)
{
	for (size_t i = 0; i < tree->depend_count; i++) {
		bool known = false;

		for (size_t k = 0; k < smoke->count; k++)
			known = known || smoke->trees[k] == tree->depends[i];
		if (known || smoke->count == DEPENDS_MAX)
			continue;
		smoke->trees[smoke->count++] = tree->depends[i];
		add_depends(smoke, tree->depends[i]);
	}
}

/* The build's user may not be able to read where recipes lie: it gets copies. */
static bool read_sources(struct smoke *smoke, struct error *err)
{
	struct arena *arena = smoke->proof->execution->arena;
	const char *paths[] = {
		arena_printf(arena, "%s/%s", smoke->proof->tree->recipe->directory,
			     source_names[0]),
		file_data_path(arena, arena_printf(arena, "recipes/%s", source_names[1]))};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (!file_read(arena, paths[i], SOURCE_MAX_BYTES, &smoke->sources[i], err))
			return false;
	}
	return true;
}

static bool write_sources(void *context, struct error *err)
{
	const struct smoke *smoke = context;

	for (size_t i = 0; i < sizeof(source_names) / sizeof(source_names[0]); i++) {
		const char *path = arena_printf(smoke->proof->execution->arena, "%s/%s",
						smoke->directory, source_names[i]);

		if (!file_write(path, smoke->sources[i], err))
			return false;
	}
	return true;
}

static bool run_tool(struct smoke *smoke, struct proof_run *run, struct error *err)
{
	if (!proof_run(smoke->proof, run, err))
		return false;
	return run->status == 0 || error_exit(err, EXIT_VERIFY, "%s: %s %s", run->name,
					      run->argv->items[0], proof_ending(smoke->proof, run));
}

/* What the .pc files of this tree and of what it depends on say, and no others. */
static bool ask_pkg_config(struct smoke *smoke, struct names *words, struct error *err)
{
	struct arena *arena = smoke->proof->execution->arena;
	const struct names *modules = &smoke->proof->tree->recipe->smoke;
	struct buffer directories = buffer_new(arena, (size_t)DEPENDS_MAX * PATH_MAX);
	struct names argv = {0}, environment = {0};
	struct proof_run run = {
		.name = "pkg-config of smoke.c", .argv = &argv, .environment = &environment};

	buffer_printf(&directories, "PKG_CONFIG_LIBDIR=%s/lib/pkgconfig",
		      smoke->proof->tree->staged);
	for (size_t i = 0; i < smoke->count; i++)
		buffer_printf(&directories, ":%s/lib/pkgconfig", smoke->trees[i]->path);
	names_add(arena, &environment, buffer_string(&directories));
	names_add(arena, &argv, "pkg-config");
	names_add(arena, &argv, "--static");
	names_add(arena, &argv, "--cflags");
	names_add(arena, &argv, "--libs");
	for (size_t i = 0; i < modules->count; i++)
		names_add(arena, &argv, modules->items[i]);
	if (!run_tool(smoke, &run, err))
		return false;
	output_words(arena, run.output, words);
	return true;
}

static void add_all(struct arena *arena, struct names *to, const struct names *words)
{
	for (size_t i = 0; i < words->count; i++)
		names_add(arena, to, words->items[i]);
}

static const char *program(const struct smoke *smoke)
{
	return arena_printf(smoke->proof->execution->arena, "%s/smoke", smoke->directory);
}

static bool compile(struct smoke *smoke, const struct names *words, struct error *err)
{
	struct execution *execution = smoke->proof->execution;
	const struct toolchain *toolchain = execution->plan->request->toolchain;
	struct arena *arena = execution->arena;
	struct names argv = {0};
	struct proof_run run = {.name = "compiling smoke.c", .argv = &argv};

	add_all(arena, &argv, &toolchain->cc);
	add_all(arena, &argv, &toolchain->flags);
	add_all(arena, &argv, &toolchain->user_flags);
	if (toolchain->sysroot)
		names_add(arena, &argv, arena_printf(arena, "--sysroot=%s", toolchain->sysroot));
	for (size_t i = 0; i < sizeof(source_names) / sizeof(source_names[0]); i++)
		names_add(arena, &argv,
			  arena_printf(arena, "%s/%s", smoke->directory, source_names[i]));
	names_add(arena, &argv, "-o");
	names_add(arena, &argv, program(smoke));
	add_all(arena, &argv, words);
	/* Not for what those libraries need themselves: their own run paths must find it. */
	names_add(arena, &argv, "-Wl,--enable-new-dtags");
	names_add(arena, &argv,
		  arena_printf(arena, "-Wl,-rpath,%s/lib", smoke->proof->tree->staged));
	for (size_t i = 0; i < smoke->count; i++)
		names_add(arena, &argv,
			  arena_printf(arena, "-Wl,-rpath,%s/lib", smoke->trees[i]->path));
	return run_tool(smoke, &run, err);
}

/* Each library of a tree: no other file of that name may have been loaded, and `all` says that
 * each of them must have been. */
static bool check_loaded(struct smoke *smoke, const struct plan_tree *tree, const char *top,
			 const struct names *loaded, bool all, struct error *err)
{
	const struct names *libraries = &tree->recipe->provides.libraries;

	for (size_t i = 0; i < libraries->count; i++) {
		const char *path = arena_printf(smoke->proof->execution->arena, "%s/lib/%s", top,
						libraries->items[i]);
		char real[PATH_MAX];
		const char *other;
		bool there;

		if (!realpath(path, real))
			return error_exit(err, EXIT_VERIFY, "lib/%s was not built",
					  libraries->items[i]);
		other = output_other(loaded, real, &there);
		if (other)
			return error_exit(err, EXIT_VERIFY, "smoke.c: loaded %s, not %s", other,
					  real);
		if (all && !there)
			return error_exit(err, EXIT_VERIFY, "smoke.c: did not load %s", real);
	}
	return true;
}

static const char *some_of(struct arena *arena, const struct names *names)
{
	struct names shown = *names;

	if (shown.count <= NAMES_SHOWN)
		return names_join(arena, &shown, ", ");
	shown.count = NAMES_SHOWN;
	return arena_printf(arena, "%s and %zu more", names_join(arena, &shown, ", "),
			    names->count - NAMES_SHOWN);
}

/* "WHAT: not proved: WHY": what this machine cannot show is said, and counts as neither. */
static void note_unproved(struct proof *proof, struct view output)
{
	static const char mark[] = ": not proved: ";
	struct arena *arena = proof->execution->arena;
	struct view line;

	while (view_line(&output, &line)) {
		const char *at = view_find(line, mark);
		struct view what, why;

		if (!at)
			continue;
		what = (struct view){line.at, (size_t)(at - line.at)};
		why = (struct view){at + 2, line.size - what.size - 2};
		proof_held(proof, text_printable(arena, what), text_printable(arena, why));
	}
}

static bool run_smoke(struct smoke *smoke, struct error *err)
{
	struct proof *proof = smoke->proof;
	struct arena *arena = proof->execution->arena;
	struct names argv = {0}, loaded = {0}, right = {0}, wrong = {0};
	struct proof_run run = {.name = "smoke.c", .argv = &argv, .emulated = true};

	names_add(arena, &argv, program(smoke));
	if (!proof_run(proof, &run, err))
		return false;
	output_checks(arena, run.output, &right, &wrong);
	if (wrong.count)
		return error_exit(err, EXIT_VERIFY, "smoke.c: %s", some_of(arena, &wrong));
	if (run.status != 0)
		return error_exit(err, EXIT_VERIFY, "smoke.c: %s", proof_ending(proof, &run));
	output_loaded(arena, run.output, &loaded);
	if (!loaded.count)
		return error_exit(err, EXIT_VERIFY, "smoke.c: did not say what it loaded");
	if (!check_loaded(smoke, proof->tree, proof->tree->staged, &loaded, true, err))
		return false;
	for (size_t i = 0; i < smoke->count; i++) {
		if (!check_loaded(smoke, smoke->trees[i], smoke->trees[i]->path, &loaded, false,
				  err))
			return false;
	}
	note_unproved(proof, run.output);
	proof_held(proof, "smoke.c",
		   arena_printf(arena, "%s%s",
				right.count ? some_of(arena, &right) : "known answers",
				proof->tree->recipe->provides.libraries.count
					? "; by the libraries of this tree"
					: ""));
	return true;
}

bool prove_smoke(struct proof *proof, struct error *err)
{
	struct smoke smoke = {
		.proof = proof,
		.directory = arena_printf(proof->execution->arena, "%s/proof", proof->tree->work)};
	struct names words = {0};

	if (!proof->tree->recipe->smoke.count)
		return true;
	add_depends(&smoke, proof->tree);
	return read_sources(&smoke, err) &&
	       sandbox_call(proof->execution->sandbox, write_sources, &smoke, err) &&
	       ask_pkg_config(&smoke, &words, err) && compile(&smoke, &words, err) &&
	       run_smoke(&smoke, err);
}
