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

/* What is looked for tools with. */
struct tools {
	struct arena *arena;
	const struct toolchain *toolchain;
	struct names perl; /* modules that are there, of those that the plan wants */
};

static bool runs(struct arena *arena, const struct names *argv, const char *input,
		 struct process_result *result)
{
	struct names words = *argv;

	names_add(arena, &words, NULL);
	return process_run(arena, words.items, view_of(input), TIMEOUT_MS, OUTPUT_MAX, result,
			   NULL) &&
	       !result->timed_out && result->exit_status == 0;
}

static bool has_program(const struct tools *tools, const char *name)
{
	return process_find(tools->arena, name);
}

/* One process for all modules: each that can be used is a line. One that ends perl is missing, and
 * so are those behind it. */
static void ask_perl(struct tools *tools, const struct names *modules)
{
	const char *perl = modules->count ? process_find(tools->arena, "perl") : NULL;
	struct process_result result = {0};
	struct view output, line;
	struct names argv = {0};

	if (!perl)
		return;
	names_add(tools->arena, &argv, perl);
	names_add(tools->arena, &argv, "-e");
	names_add(tools->arena, &argv,
		  "$| = 1; for (@ARGV) { eval \"use $_; 1\" and print \"$_\\n\" }");
	for (size_t i = 0; i < modules->count; i++)
		names_add(tools->arena, &argv, modules->items[i]);
	runs(tools->arena, &argv, "", &result);
	output = result.output;
	while (view_line(&output, &line))
		names_add(tools->arena, &tools->perl, view_copy(tools->arena, line));
}

static bool has_perl(const struct tools *tools, const char *name)
{
	return names_has(&tools->perl, name);
}

static bool has_python(const struct tools *tools, const char *name)
{
	struct arena *arena = tools->arena;
	/* Builds find the system's python first, whatever PATH of the caller says. */
	const char *python = file_exists("/usr/bin/python3") ? "/usr/bin/python3"
							     : process_find(arena, "python3");
	struct process_result result;
	struct names argv = {0};

	if (!python)
		return false;
	names_add(arena, &argv, python);
	names_add(arena, &argv, "-c");
	names_add(arena, &argv, arena_printf(arena, "import %s", name));
	return runs(arena, &argv, "", &result);
}

static bool compiles(const struct tools *tools, const char *input, const char *const *words)
{
	const struct toolchain *toolchain = tools->toolchain;
	struct arena *arena = tools->arena;
	struct process_result result;
	struct names argv = {0};

	for (size_t i = 0; i < toolchain->cc.count; i++)
		names_add(arena, &argv, toolchain->cc.items[i]);
	if (toolchain->sysroot)
		names_add(arena, &argv, arena_printf(arena, "--sysroot=%s", toolchain->sysroot));
	for (size_t i = 0; words[i]; i++)
		names_add(arena, &argv, words[i]);
	return runs(arena, &argv, input, &result);
}

static bool has_header(const struct tools *tools, const char *name)
{
	static const char *const words[] = {"-x", "c", "-E", "-o", "/dev/null", "-", NULL};

	return compiles(tools, arena_printf(tools->arena, "#include <%s>\n", name), words);
}

static bool has_library(const struct tools *tools, const char *name)
{
	const char *const words[] = {"-x",
				     "c",
				     "-shared",
				     "-o",
				     "/dev/null",
				     "-",
				     arena_printf(tools->arena, "-l%s", name),
				     NULL};

	return compiles(tools, "", words);
}

static const struct {
	const char *kind, *word;
	bool (*has)(const struct tools *tools, const char *name);
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

static void look(const struct tools *tools, const struct recipe_tool *tool, struct missing *missing)
{
	struct arena *arena = tools->arena;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const char *thing = arena_printf(arena, "%s%s", kinds[i].word, tool->name);
		const char *package;

		if (strcmp(kinds[i].kind, tool->kind) != 0 || names_has(&missing->things, thing) ||
		    kinds[i].has(tools, tool->name))
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

static struct names perl_modules(struct arena *arena, const struct plan *plan)
{
	struct names modules = {0};

	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_tree *tree = &plan->trees[i];
		const struct recipe_tool *wanted = tree->recipe->tools.items;

		for (size_t t = 0; tree->state == PLAN_BUILD && t < tree->recipe->tools.count;
		     t++) {
			if (strcmp(wanted[t].kind, "perl") == 0 &&
			    plan_when(plan, tree, wanted[t].when) &&
			    !names_has(&modules, wanted[t].name))
				names_add(arena, &modules, wanted[t].name);
		}
	}
	return modules;
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
	const struct names modules = perl_modules(arena, plan);
	struct tools tools = {.arena = arena, .toolchain = plan->request->toolchain};
	struct missing missing = {0};

	ask_perl(&tools, &modules);
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_tree *tree = &plan->trees[i];
		const struct recipe_tool *wanted = tree->recipe->tools.items;

		if (tree->state != PLAN_BUILD)
			continue;
		for (size_t t = 0; t < tree->recipe->tools.count; t++) {
			if (plan_when(plan, tree, wanted[t].when))
				look(&tools, &wanted[t], &missing);
		}
		if (tree->recipe->smoke.count)
			look(&tools, &pkg_config, &missing);
		/* Proofs take the statically linked one, too. */
		if (plan->request->target->cross && !process_find(arena, "qemu-aarch64-static"))
			look(&tools, &emulator, &missing);
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
