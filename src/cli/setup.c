// SPDX-License-Identifier: BSD-2-Clause
#include "cli/setup.h"

#include "base/file.h"
#include "catalog/profile.h"
#include "catalog/recipe.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/loader.h"
#include "cli/progress.h"
#include "setup/execute.h"
#include "setup/sandbox.h"
#include "setup/sources.h"
#include "setup/store.h"
#include "setup/tools.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#define LOG_TAIL_BYTES (16 << 10)
#define LOG_LINES 12

/* Versions of what is not asked for count when it is needed; plan_make() checks the words. */
static bool read_version(struct cli *cli, struct plan_wanted *wanted, size_t *count,
			 const char *word)
{
	const struct names *arguments = &cli->options.arguments;
	const char *equals = strchr(word, '=');
	struct view name = {word, equals ? (size_t)(equals - word) : 0};

	if (!equals && arguments->count != 1)
		return error_exit(&cli->error, EXIT_USAGE,
				  "--version %s: say which recipe, RECIPE=VERSION", word);
	wanted[(*count)++] =
		(struct plan_wanted){equals ? view_copy(&cli->arena, name) : arguments->items[0],
				     equals ? equals + 1 : word};
	return true;
}

/* RECIPE…, and --version RECIPE=VERSION for those and for what they depend on. */
static bool read_wanted(struct cli *cli, struct setup *setup)
{
	const struct options *options = &cli->options;
	struct plan_wanted *wanted =
		arena_array(&cli->arena, struct plan_wanted,
			    options->arguments.count + options->versions.count + 1);

	setup->request.wanted = wanted;
	for (size_t i = 0; i < options->arguments.count; i++)
		wanted[setup->request.wanted_count++].name = options->arguments.items[i];
	setup->request.roots = setup->request.wanted_count;
	for (size_t i = 0; i < options->versions.count; i++) {
		if (!read_version(cli, wanted, &setup->request.wanted_count,
				  options->versions.items[i]))
			return false;
	}
	return true;
}

/* RECIPE=… of options, without what follows. */
static void add_named(struct arena *arena, struct names *names, const struct names *words)
{
	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->items[i], *equals = strchr(word, '=');

		names_add(arena, names,
			  equals ? arena_copy(arena, word, (size_t)(equals - word)) : word);
	}
}

/* Those that are named; all of them when none is, or when a name has to be looked up by people. */
static struct names wanted_recipes(struct cli *cli, const struct names *all)
{
	const struct options *options = &cli->options;
	struct names wanted = {0};

	add_named(&cli->arena, &wanted, &options->arguments);
	add_named(&cli->arena, &wanted, &options->without);
	add_named(&cli->arena, &wanted, &options->allow);
	for (size_t i = 0; i < wanted.count; i++) {
		if (!names_has(all, wanted.items[i]))
			return *all;
	}
	return options->arguments.count && !options->versions.count && !options->accept_digest.count
		       ? wanted
		       : *all;
}

/* What is asked for and what it depends on; `wanted` grows on the way. */
static bool load_recipes(struct cli *cli, struct setup *setup)
{
	const struct recipe **recipes;
	struct names all, wanted;
	size_t count = 0;

	if (!recipe_names(&cli->arena, cli->options.recipes, &all, &cli->error))
		return false;
	recipes = arena_array(&cli->arena, const struct recipe *, all.count + 1);
	wanted = wanted_recipes(cli, &all);
	for (size_t i = 0; i < wanted.count; i++) {
		const char *name = wanted.items[i];

		if (names_has(&(struct names){.items = wanted.items, .count = i}, name) ||
		    !names_has(&all, name))
			continue;
		if (!recipe_load_from(&cli->arena, cli->options.recipes, name, &recipes[count],
				      &cli->error))
			return false;
		const struct recipe_depend *depends = recipes[count++]->depends.items;

		for (size_t d = 0; d < recipes[count - 1]->depends.count; d++)
			names_add(&cli->arena, &wanted, depends[d].name);
	}
	setup->request.recipes = recipes;
	setup->request.recipe_count = count;
	return true;
}

static bool read_jobs(struct cli *cli, unsigned *out)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t jobs = online > 0 ? (uint64_t)online : 1;

	if (cli->options.jobs &&
	    (!view_u64(view_of(cli->options.jobs), 10, &jobs) || !jobs || jobs > 4096))
		return error_exit(&cli->error, EXIT_USAGE,
				  "--jobs: '%s' is no number from 1 to 4096", cli->options.jobs);
	*out = (unsigned)jobs;
	return true;
}

static bool choose_target(struct cli *cli, struct setup *setup)
{
	const char *name = cli->options.target;
	struct cpu_profiles profiles = {0};
	struct utsname machine;

	/* Who this machine is matters only when the target was not named. */
	if (!name && !cli_open_host(cli))
		return false;
	if (uname(&machine) < 0)
		return error_errno(&cli->error, errno, "the kernel's name");
	if ((!name || strcmp(name, "native") != 0) &&
	    !cpu_profiles_load(&cli->arena, &profiles, &cli->error))
		return false;
	return target_choose(&cli->arena, &profiles, cli->options.target, cli->identity,
			     machine.machine, &setup->target, &cli->error);
}

static struct toolchain_request toolchain_request(const struct cli *cli, const struct setup *setup)
{
	return (struct toolchain_request){.target = &setup->target,
					  .cc = getenv("CC"),
					  .cflags = getenv("CFLAGS"),
					  .sysroot = cli->options.sysroot,
					  .cache = setup->store.fd < 0 ? NULL
								       : setup->sources.cache};
}

static bool choose_toolchain(struct cli *cli, struct setup *setup)
{
	const struct toolchain_request request = toolchain_request(cli, setup);

	return toolchain_find(&cli->arena, &request, &setup->toolchain, &cli->error);
}

/* Asked once; nothing is written before the lock is held. */
static bool keep_toolchain(struct cli *cli, struct setup *setup)
{
	const struct toolchain_request request = toolchain_request(cli, setup);
	const char *cache;

	if (!store_directory(&setup->store, "cache", &cache, &cli->error))
		return false;
	toolchain_keep(&cli->arena, &request, &setup->toolchain);
	return true;
}

/* Makefiles, shells and configure scripts read other characters as something else. */
static bool check_prefix(struct cli *cli, const char *prefix)
{
	for (const char *at = prefix; *at; at++) {
		if ((unsigned char)*at < 0x80 && !isalnum((unsigned char)*at) &&
		    !strchr("/._+-@~", *at))
			return error_exit(&cli->error, EXIT_USAGE,
					  "the prefix '%s' has '%s' in it, which builds read as "
					  "something else; choose one of letters, digits and "
					  "/._+-@~",
					  text_printable(&cli->arena, view_of(prefix)),
					  text_printable(&cli->arena, (struct view){at, 1}));
	}
	return true;
}

static bool read_store(struct cli *cli, struct setup *setup)
{
	struct store_trees trees;
	struct generation active;

	if (!store_trees(&setup->store, &trees, &cli->error) ||
	    !store_current(&setup->store, &active, &cli->error))
		return false;
	for (size_t i = 0; i < trees.count; i++)
		names_add(&cli->arena, &setup->request.stored,
			  setup_tree_name(cli, &trees.items[i]));
	for (size_t i = 0; i < active.trees.count; i++)
		names_add(&cli->arena, &setup->request.active,
			  setup_tree_name(cli, &active.trees.items[i]));
	return true;
}

const char *setup_tree_name(struct cli *cli, const struct store_tree *tree)
{
	return arena_printf(&cli->arena, "%s-%s-%s", tree->name, tree->version, tree->key);
}

/* Everything the plan depends on is read; nothing is written. */
static bool prepare(struct cli *cli, struct setup *setup)
{
	const struct options *options = &cli->options;

	setup->request = (struct plan_request){.without = options->without,
					       .allow = options->allow,
					       .accepted = options->accept_digest,
					       .offline = options->offline,
					       .target = &setup->target,
					       .toolchain = &setup->toolchain};
	if (!progress_check(cli) || !read_wanted(cli, setup) ||
	    !read_jobs(cli, &setup->request.jobs) || !load_recipes(cli, setup) ||
	    !choose_target(cli, setup) ||
	    !store_open(&cli->arena, options->prefix, STORE_READ, &setup->store, &cli->error) ||
	    !check_prefix(cli, setup->store.prefix) || !read_store(cli, setup) ||
	    !sources_open(&cli->arena, setup->store.prefix, &options->mirrors, options->offline,
			  &setup->sources, &cli->error) ||
	    !choose_toolchain(cli, setup))
		return false;
	setup->request.prefix = setup->store.prefix;
	system_libraries(&cli->arena, setup->request.recipes, setup->request.recipe_count,
			 &setup->target, &setup->toolchain, &setup->request.libraries,
			 &setup->request.library_count);
	sources_nearby(&setup->sources, setup->request.recipes, setup->request.recipe_count,
		       &setup->request.nearby);
	return plan_make(&cli->arena, &setup->request, &setup->plan, &cli->error) &&
	       cli_plan_loader(cli, &setup->store, &setup->plan, &setup->loader);
}

/* The plan again under the lock: another run may have ended meanwhile. */
static bool execute(struct cli *cli, struct setup *setup)
{
	struct execution execution = {.arena = &cli->arena,
				      .plan = &setup->plan,
				      .store = &setup->store,
				      .sources = &setup->sources,
				      .sandbox = &setup->sandbox};
	bool good;

	store_close(&setup->store);
	if (!store_open(&cli->arena, cli->options.prefix, STORE_WRITE, &setup->store,
			&cli->error) ||
	    !store_lock(&setup->store, cli->options.wait, &cli->error))
		return false;
	store_clean(&setup->store);
	setup->request.stored = setup->request.active = (struct names){0};
	if (!keep_toolchain(cli, setup) || !read_store(cli, setup) ||
	    !plan_make(&cli->arena, &setup->request, &setup->plan, &cli->error) ||
	    !sandbox_open(&cli->arena, cli->options.build_as_root, &setup->sandbox, &cli->error))
		return false;
	setup->results = arena_array(&cli->arena, struct executed, setup->plan.count);
	progress_start(&setup->progress, cli, &execution);
	setup->sandbox.tick = execution.tick;
	setup->sandbox.context = execution.context;
	good = execute_plan(&execution, setup->results, &cli->error);
	progress_end(&setup->progress);
	store_clean(&setup->store);
	return good;
}

/* Whatever the caller's mask: others can read what is installed, and write none of it. */
static bool execute_masked(struct cli *cli, struct setup *setup)
{
	mode_t mask = umask(022);
	bool good = execute(cli, setup);

	umask(mask);
	return good;
}

/* The end of the log of what failed, where a person looks first. */
static void show_log(struct cli *cli, const struct setup *setup)
{
	for (size_t i = 0; setup->results && !cli->options.quiet && i < setup->plan.count; i++) {
		const char *path = setup->results[i].log;
		struct view line, text = {0};
		size_t size, lines = 0;

		if (path)
			text = file_read_end(&cli->arena, path, LOG_TAIL_BYTES);
		size = text.size;
		while (text.size && lines <= LOG_LINES)
			lines += text.at[--text.size] == '\n';
		text = (struct view){text.at + text.size, size - text.size};
		while (view_line(&text, &line)) {
			if (line.size)
				fprintf(stderr, "  | %s\n", text_printable(&cli->arena, line));
		}
	}
}

/* What programs would load is known only now that everything is built. */
static bool settle_loader(struct cli *cli, struct setup *setup)
{
	return (!setup->loader.provisional ||
		cli_plan_loader(cli, &setup->store, &setup->plan, &setup->loader)) &&
	       cli_apply_loader(cli, &setup->loader);
}

static int move(struct cli *cli, struct setup *setup, struct document *document)
{
	bool good = choose_target(cli, setup) && setup_move(cli, document, &setup->target);

	return good ? cli_finish(cli, document, EXIT_OK) : cli_fail(cli, document);
}

static int run(struct cli *cli)
{
	struct document *document = cli_document(cli, &setup_kind);
	struct setup *setup = arena_new(&cli->arena, struct setup);

	if (cli->options.pack || cli->options.unpack)
		return move(cli, setup, document);
	bool good = prepare(cli, setup);

	if (good && !cli->options.dry_run && !plan_is_done(&setup->plan))
		good = plan_is_pinned(&setup->plan, &cli->error) &&
		       tools_check(&cli->arena, &setup->plan, &cli->error) &&
		       execute_masked(cli, setup);
	if (good && !cli->options.dry_run)
		good = settle_loader(cli, setup);
	if (!good)
		show_log(cli, setup);
	if (setup->plan.count)
		setup_sections(cli, document, setup);
	store_close(&setup->store);
	return good ? cli_finish(cli, document, EXIT_OK) : cli_fail(cli, document);
}

#define ARGUMENTS_MAX 16

static const struct option_sense senses[] = {
	{OPTION_VERBOSE, "every step of each tree, as --dry-run shows it", COMPLETES_NOTHING},
	{0},
};

const struct command command_setup = {
	.name = "setup",
	.arguments = "[RECIPE...]",
	.summary = "fetch, verify, build, prove and install the crypto stack",
	.doc = "Fetch, verify, build, prove and install AArch64cryptolib, OpenSSL, ipsec-mb and "
	       "DPDK with the flags of the target, below one directory.\n"
	       "Without RECIPE everything that is for the target. A second run with nothing to do "
	       "changes nothing.",
	.options = OPTIONS_REPORT | OPTION_TARGET | OPTION_PREFIX | OPTION_VERSION | OPTION_MIRROR |
		   OPTION_OFFLINE | OPTION_DRY_RUN | OPTION_JOBS | OPTION_WITHOUT | OPTION_ALLOW |
		   OPTION_ACCEPT_DIGEST | OPTION_SYSROOT | OPTION_RECIPES | OPTION_BUILD_AS_ROOT |
		   OPTION_PROGRESS | OPTION_LD_SO_CONF | OPTION_PACK | OPTION_UNPACK | OPTION_WAIT |
		   OPTION_VERBOSE | OPTION_HELP,
	.senses = senses,
	.arguments_max = ARGUMENTS_MAX,
	.completes = COMPLETES_RECIPES,
	.run = run,
};
