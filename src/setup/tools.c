// SPDX-License-Identifier: BSD-2-Clause
#include "setup/tools.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"

#include <string.h>

#define TIMEOUT_MS 30000
#define OUTPUT_MAX ((size_t)16 << 10)
#define OS_RELEASE_MAX ((size_t)64 << 10)

static bool runs(struct arena *arena, const struct names *argv, const char *input)
{
	struct names words = *argv;
	struct process_result result;

	names_add(arena, &words, NULL);
	return process_run(arena, words.items, view_of(input), TIMEOUT_MS, OUTPUT_MAX, &result,
			   NULL) &&
	       !result.timed_out && result.exit_status == 0;
}

static bool has_program(struct arena *arena, const struct toolchain *toolchain, const char *name)
{
	(void)toolchain;
	return process_find(arena, name);
}

static bool has_perl(struct arena *arena, const struct toolchain *toolchain, const char *name)
{
	const char *perl = process_find(arena, "perl");
	struct names argv = {0};

	(void)toolchain;
	if (!perl)
		return false;
	names_add(arena, &argv, perl);
	names_add(arena, &argv, arena_printf(arena, "-M%s", name));
	names_add(arena, &argv, "-e1");
	return runs(arena, &argv, "");
}

static bool has_python(struct arena *arena, const struct toolchain *toolchain, const char *name)
{
	/* Builds find the system's python first, whatever PATH of the caller says. */
	const char *python = file_exists("/usr/bin/python3") ? "/usr/bin/python3"
							     : process_find(arena, "python3");
	struct names argv = {0};

	(void)toolchain;
	if (!python)
		return false;
	names_add(arena, &argv, python);
	names_add(arena, &argv, "-c");
	names_add(arena, &argv, arena_printf(arena, "import %s", name));
	return runs(arena, &argv, "");
}

static bool compiles(struct arena *arena, const struct toolchain *toolchain, const char *input,
		     const char *const *words)
{
	struct names argv = {0};

	for (size_t i = 0; i < toolchain->cc.count; i++)
		names_add(arena, &argv, toolchain->cc.items[i]);
	if (toolchain->sysroot)
		names_add(arena, &argv, arena_printf(arena, "--sysroot=%s", toolchain->sysroot));
	for (size_t i = 0; words[i]; i++)
		names_add(arena, &argv, words[i]);
	return runs(arena, &argv, input);
}

static bool has_header(struct arena *arena, const struct toolchain *toolchain, const char *name)
{
	static const char *const words[] = {"-x", "c", "-E", "-o", "/dev/null", "-", NULL};

	return compiles(arena, toolchain, arena_printf(arena, "#include <%s>\n", name), words);
}

static bool has_library(struct arena *arena, const struct toolchain *toolchain, const char *name)
{
	const char *const words[] = {
		"-x", "c", "-shared", "-o", "/dev/null", "-", arena_printf(arena, "-l%s", name),
		NULL};

	return compiles(arena, toolchain, "", words);
}

static const struct {
	const char *kind, *word;
	bool (*has)(struct arena *arena, const struct toolchain *toolchain, const char *name);
} kinds[] = {
	{"program", "", has_program},
	{"perl", "perl module ", has_perl},
	{"python", "python module ", has_python},
	{"header", "header ", has_header},
	{"library", "library ", has_library},
};

/* How packages are named and installed here. */
static const struct distribution {
	const char *word; /* of ID or ID_LIKE in os-release */
	const char *install;
	size_t offset;
} distributions[] = {
	{"debian", "apt-get install", offsetof(struct recipe_tool, debian)},
	{"rhel", "dnf install", offsetof(struct recipe_tool, rhel)},
	{"fedora", "dnf install", offsetof(struct recipe_tool, rhel)},
	{"suse", "zypper install", offsetof(struct recipe_tool, suse)},
};

static const struct distribution *distribution_here(struct arena *arena)
{
	struct view text = {0}, line;

	file_read(arena, "/etc/os-release", OS_RELEASE_MAX, &text, NULL);
	while (view_line(&text, &line)) {
		if (!view_starts(line, "ID=") && !view_starts(line, "ID_LIKE="))
			continue;
		for (size_t i = 0; i < sizeof(distributions) / sizeof(distributions[0]); i++) {
			if (view_find(line, distributions[i].word))
				return &distributions[i];
		}
	}
	return NULL;
}

struct missing {
	struct names things, packages;
	const struct distribution *here;
};

static void look(struct arena *arena, const struct plan *plan, const struct recipe_tool *tool,
		 struct missing *missing)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const char *thing = arena_printf(arena, "%s%s", kinds[i].word, tool->name);
		const char *package;

		if (strcmp(kinds[i].kind, tool->kind) != 0 || names_has(&missing->things, thing) ||
		    kinds[i].has(arena, plan->request->toolchain, tool->name))
			continue;
		names_add(arena, &missing->things, thing);
		if (!missing->here)
			missing->here = distribution_here(arena);
		if (!missing->here)
			continue;
		memcpy(&package, (const char *)tool + missing->here->offset, sizeof(package));
		if (package && !names_has(&missing->packages, package))
			names_add(arena, &missing->packages, package);
	}
}

bool tools_check(struct arena *arena, const struct plan *plan, struct error *err)
{
	static const struct recipe_tool emulator = {.kind = "program",
						    .name = "qemu-aarch64",
						    .debian = "qemu-user",
						    .rhel = "qemu-user",
						    .suse = "qemu-linux-user"};
	static const struct recipe_tool pkg_config = {.kind = "program",
						      .name = "pkg-config",
						      .debian = "pkgconf",
						      .rhel = "pkgconf-pkg-config",
						      .suse = "pkgconf-pkg-config"};
	struct missing missing = {0};

	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_tree *tree = &plan->trees[i];
		const struct recipe_tool *tools = tree->recipe->tools.items;

		if (tree->state != PLAN_BUILD)
			continue;
		for (size_t t = 0; t < tree->recipe->tools.count; t++) {
			if (plan_when(plan, tree, tools[t].when))
				look(arena, plan, &tools[t], &missing);
		}
		if (tree->recipe->smoke.count)
			look(arena, plan, &pkg_config, &missing);
		/* Proofs take the statically linked one, too. */
		if (plan->request->target->cross && !process_find(arena, "qemu-aarch64-static"))
			look(arena, plan, &emulator, &missing);
	}
	if (!missing.things.count)
		return true;
	if (!missing.packages.count)
		return error_set(err, "missing on this machine: %s",
				 names_join(arena, &missing.things, ", "));
	return error_set(err, "missing on this machine: %s; install with: %s %s",
			 names_join(arena, &missing.things, ", "), missing.here->install,
			 names_join(arena, &missing.packages, " "));
}
