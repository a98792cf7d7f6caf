// SPDX-License-Identifier: BSD-2-Clause
#include "setup/prove_private.h"

#include "base/arena.h"
#include "base/error.h"
#include "host/elf.h"
#include "host/elf_sections.h"
#include "host/root.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 32
#define FILES_MAX MANIFEST_FILES_MAX

/* The programs and libraries of a tree, and the names that its libraries go by. */
struct look {
	struct proof *proof;
	struct root *root;
	struct elf **files;
	size_t count, room, seen;
	struct names sonames; /* of the tree and of what it depends on */
};

static bool bad(const struct elf *elf, struct error *err, const char *why)
{
	return error_exit(err, EXIT_VERIFY, "%s: %s", elf->path + 1, why);
}

static void add_file(struct look *look, struct elf *elf)
{
	struct arena *arena = look->proof->execution->arena;

	if (look->count == look->room) {
		struct elf **grown;

		look->room = look->room ? look->room * 2 : 64;
		grown = arena_array(arena, struct elf *, look->room);
		if (look->count)
			memcpy(grown, look->files, look->count * sizeof(*grown));
		look->files = grown;
	}
	look->files[look->count++] = elf;
	if (elf->soname)
		names_add(arena, &look->sonames, elf->soname);
}

/* What has no magic number is no ELF file; objects are not loaded. */
static bool look_at_file(struct look *look, const char *path, struct error *err)
{
	struct elf *elf;
	struct view magic;
	int number = root_range(look->root, path, 0, 4, &magic);

	if (number)
		return error_errno(err, number, "%s", path + 1);
	if (magic.size != 4 || memcmp(magic.at, "\177ELF", 4) != 0)
		return true;
	elf = elf_read(look->root, path);
	if (elf->number)
		return error_errno(err, elf->number, "%s", path + 1);
	if (elf->damage && elf_has_sections(elf))
		return true;
	if (elf->damage)
		return bad(elf, err, elf->damage);
	add_file(look, elf);
	return true;
}

static bool look_around(struct look *look, const char *directory, unsigned depth, struct error *err)
{
	struct arena *arena = look->proof->execution->arena;
	struct names names = {0};
	int number = root_list(look->root, depth ? directory : "/", &names);

	if (number)
		return error_errno(err, number, "%s", directory);
	if (depth == DEPTH_MAX)
		return error_set(err, "%s: deeper than %d directories", directory, DEPTH_MAX);
	for (size_t i = 0; i < names.count; i++) {
		const char *path = arena_printf(arena, "%s/%s", directory, names.items[i]);
		struct root_stat status;

		if (look->seen++ == FILES_MAX)
			return error_set(err, "more files than %d", FILES_MAX);
		number = root_lstat(look->root, path, &status);
		if (number)
			return error_errno(err, number, "%s", path + 1);
		if (status.type == ROOT_DIR && !look_around(look, path, depth + 1, err))
			return false;
		if (status.type == ROOT_FILE && !look_at_file(look, path, err))
			return false;
	}
	return true;
}

static bool check_machine(const struct look *look, const struct elf *elf, struct error *err)
{
	static const struct {
		const char *arch;
		enum elf_machine machine;
	} machines[] = {{"aarch64", ELF_MACHINE_AARCH64}, {"x86_64", ELF_MACHINE_X86_64}};
	const char *arch = look->proof->execution->plan->request->target->arch;

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		if (strcmp(machines[i].arch, arch) == 0 && machines[i].machine == elf->machine &&
		    elf->bits == 64 && !elf->big_endian)
			return true;
	}
	return error_exit(err, EXIT_VERIFY, "%s: is for another machine (%u, %u bits), want %s",
			  elf->path + 1, elf->machine, elf->bits, arch);
}

static bool is_allowed(const struct look *look, const char *name)
{
	return names_match(&look->proof->tree->recipe->needed, name) ||
	       names_has(&look->sonames, name);
}

static bool check_needed(const struct look *look, const struct elf *elf, struct error *err)
{
	for (size_t i = 0; i < elf->needed.count; i++) {
		if (!is_allowed(look, elf->needed.items[i]))
			return error_exit(err, EXIT_VERIFY,
					  "%s: needs %s, which the recipe does not allow",
					  elf->path + 1, elf->needed.items[i]);
	}
	return true;
}

/* A path below the directory that trees stand in, from that of the file, dot names worked out;
 * NULL when it leaves it. `rest` is what follows $ORIGIN. */
static const char *run_path_target(struct arena *arena, const char *tree, const struct elf *elf,
				   struct view rest)
{
	struct names parts = {0};
	struct view text = view_of(arena_printf(arena, "%s%.*s/%s", tree,
						(int)(strrchr(elf->path, '/') - elf->path),
						elf->path, view_copy(arena, rest)));
	struct view part;

	while (view_split(&text, '/', &part)) {
		if (!part.size || view_is(part, "."))
			continue;
		if (!view_is(part, ".."))
			names_add(arena, &parts, view_copy(arena, part));
		else if (parts.count)
			parts.count--;
		else
			return NULL;
	}
	return parts.count ? names_join(arena, &parts, "/") : NULL;
}

static bool is_below(const char *path, const char *directory)
{
	size_t size = strlen(directory);

	return strncmp(path, directory, size) == 0 && (path[size] == '/' || !path[size]);
}

/* Whether a path among the trees is in this one or in one it depends on, links followed. */
static bool is_ours(const struct proof *proof, const char *target)
{
	const struct plan_tree *tree = proof->tree;
	const char *path = arena_printf(proof->execution->arena, "%s/trees/%s", tree->work, target);
	char real[PATH_MAX];
	bool there = realpath(path, real);

	if (is_below(target, tree->name))
		return !there || is_below(real, tree->staged);
	for (size_t i = 0; i < tree->depend_count; i++) {
		if (is_below(target, tree->depends[i]->name))
			return there && is_below(real, tree->depends[i]->path);
	}
	return false;
}

static bool check_run_path_part(const struct look *look, const struct elf *elf, struct view part,
				struct error *err)
{
	static const char *const origins[] = {"$ORIGIN", "${ORIGIN}"};
	struct arena *arena = look->proof->execution->arena;
	const char *target = NULL;

	for (size_t i = 0; i < sizeof(origins) / sizeof(origins[0]); i++) {
		size_t size = strlen(origins[i]);
		struct view rest = {part.at + size, part.size - size};

		if (view_starts(part, origins[i]) && (!rest.size || rest.at[0] == '/') &&
		    !memchr(rest.at, '$', rest.size))
			target = run_path_target(arena, look->proof->tree->name, elf, rest);
	}
	if (target && is_ours(look->proof, target))
		return true;
	return error_exit(
		err, EXIT_VERIFY,
		"%s: its run path has '%s', want $ORIGIN and places in its own tree or in "
		"one it depends on",
		elf->path + 1, view_copy(arena, part));
}

static bool check_run_path(const struct look *look, const struct elf *elf, struct error *err)
{
	struct view rest = view_of(elf->runpath), part;

	if (elf->rpath)
		return error_exit(err, EXIT_VERIFY,
				  "%s: has a DT_RPATH ('%s'), which no environment can beat",
				  elf->path + 1, elf->rpath);
	while (elf->runpath) {
		bool more = memchr(rest.at, ':', rest.size);

		if (!view_split(&rest, ':', &part))
			part = (struct view){rest.at, 0};
		if (!check_run_path_part(look, elf, part, err))
			return false;
		if (!more)
			return true;
	}
	return true;
}

static bool check_relocations(const struct look *look, const struct elf *elf, struct error *err)
{
	(void)look;
	return !elf->text_relocations ||
	       bad(elf, err, "its code is changed while it is loaded (text relocations)");
}

static bool check_stack(const struct look *look, const struct elf *elf, struct error *err)
{
	(void)look;
	return elf->stack == ELF_STACK_PLAIN ||
	       bad(elf, err,
		   elf->stack == ELF_STACK_EXECUTABLE
			   ? "wants an executable stack"
			   : "does not say that its stack is not executable (PT_GNU_STACK)");
}

static bool check_file(const struct look *look, const struct elf *elf, struct error *err)
{
	static bool (*const checks[])(const struct look *look, const struct elf *elf,
				      struct error *err) = {
		check_machine, check_needed, check_run_path, check_relocations, check_stack};

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		if (!checks[i](look, elf, err))
			return false;
	}
	return true;
}

static bool check_all(struct look *look, struct error *err)
{
	struct proof *proof = look->proof;

	if (!look_around(look, "", 0, err))
		return false;
	for (size_t i = 0; i < proof->tree->depend_count; i++) {
		const struct names *libraries =
			&proof->tree->depends[i]->recipe->provides.libraries;

		for (size_t l = 0; l < libraries->count; l++)
			names_add(proof->execution->arena, &look->sonames, libraries->items[l]);
	}
	for (size_t i = 0; i < look->count; i++) {
		if (!check_file(look, look->files[i], err))
			return false;
	}
	if (look->count)
		proof_held(proof, "ELF files",
			   arena_printf(proof->execution->arena,
					"%zu: machine, libraries, run paths, no text relocations, "
					"no executable stack",
					look->count));
	return true;
}

bool prove_elf(struct proof *proof, struct error *err)
{
	struct look look = {.proof = proof};
	bool good;

	look.root = root_open(proof->execution->arena, proof->tree->staged, err);
	if (!look.root)
		return false;
	good = check_all(&look, err);
	root_close(look.root);
	return good;
}
