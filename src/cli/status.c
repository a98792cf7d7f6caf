// SPDX-License-Identifier: BSD-2-Clause
#include "cli/status.h"
#include "cli/documents.h"
#include "cli/loader.h"
#include "cli/store.h"

#include <inttypes.h>
#include <string.h>

static const struct field status_fields[] = {
	DOCUMENT_FIELDS(&status_tree_table, "The trees of the store, the active ones first.",
			&status_summary_table),
};

static const struct field_table status_table = FIELD_TABLE(
	"status", struct document, status_fields, "What `ampere-crypto status --json` writes.");

const struct document_kind status_kind = {"status", "1.0.0", &status_table};

struct status {
	struct cli *cli;
	struct store *store;
	struct document *document;
	struct generation current;
	struct generations generations;
	struct status_tree *trees;
	size_t count;
	struct status_summary *summary;
};

static struct status_tree *find(const struct status *status, const struct store_tree *tree)
{
	for (size_t i = 0; i < status->count; i++) {
		struct status_tree *one = &status->trees[i];

		if (strcmp(one->name, tree->name) == 0 &&
		    strcmp(one->version, tree->version) == 0 && strcmp(one->key, tree->key) == 0)
			return one;
	}
	return NULL;
}

static void add_difference(struct status *status, struct status_tree *tree,
			   const struct store_differences *found)
{
	size_t count = tree->differences.count;
	struct store_difference *items =
		arena_array(&status->cli->arena, struct store_difference, count + found->count + 1);

	if (count)
		memcpy(items, tree->differences.items, count * sizeof(items[0]));
	if (found->count)
		memcpy(items + count, found->items, found->count * sizeof(items[0]));
	tree->differences.items = items;
	tree->differences.count = count + found->count;
	status->summary->differences += (int64_t)found->count;
}

/* A manifest that is gone or cannot be read is a difference too: nothing else would say so. */
static void add_damage(struct status *status, struct status_tree *tree, const char *path,
		       const char *what, const char *why)
{
	struct arena *arena = &status->cli->arena;
	struct store_differences one = {arena_new(arena, struct store_difference), 1};

	*one.items =
		(struct store_difference){.path = path, .what = what, .why = why, .foreign = true};
	add_difference(status, tree, &one);
}

static void fill(struct status *status, struct status_tree *tree)
{
	const struct store_tree name = {tree->name, tree->version, tree->key};
	struct arena *arena = &status->cli->arena;
	struct manifest *manifest = arena_new(arena, struct manifest);
	struct store_differences differences;
	struct error problem = {0};

	if (!store_has(status->store, tree->name, tree->version, tree->key)) {
		add_damage(status, tree, tree->path, "missing",
			   "the tree is not there, or has no manifest");
		return;
	}
	if (!store_manifest(status->store, &name, manifest, &problem)) {
		add_damage(status, tree, tree->path, "changed", arena_strdup(arena, problem.text));
		return;
	}
	tree->target = manifest->target;
	tree->arch = manifest->arch;
	tree->flags = manifest->flags;
	tree->compiler = &manifest->compiler;
	tree->dependencies.items = manifest->dependencies.items;
	tree->dependencies.count = manifest->dependencies.count;
	tree->proof.items = manifest->proof.items;
	tree->proof.count = manifest->proof.count;
	tree->built = manifest->built;
	tree->elapsed_s = manifest->elapsed_s;
	tree->relocatable = manifest->relocatable;
	if (!status->cli->options.verify)
		return;
	if (store_verify(status->store, &name, &differences, &problem))
		add_difference(status, tree, &differences);
	else
		add_damage(status, tree, tree->path, "changed", arena_strdup(arena, problem.text));
}

static void add_trees(struct status *status, const struct store_trees *trees, bool active)
{
	for (size_t i = 0; i < trees->count; i++) {
		const struct store_tree *tree = &trees->items[i];

		if (find(status, tree))
			continue;
		struct status_tree *one = &status->trees[status->count++];
		*one = (struct status_tree){.name = tree->name,
					    .version = tree->version,
					    .key = tree->key,
					    .path = store_tree_path(&status->cli->arena,
								    status->store, tree->name,
								    tree->version, tree->key),
					    .active = active};
		fill(status, one);
	}
}

static void list_generations(struct status *status)
{
	size_t count = status->generations.count;
	struct status_generation *items =
		arena_array(&status->cli->arena, struct status_generation, count + 1);

	for (size_t i = 0; i < count; i++) {
		const struct generation *one = &status->generations.items[i];

		items[i] = (struct status_generation){.number = one->number,
						      .created = one->created,
						      .target = one->target,
						      .trees = one->trees,
						      .active = one->active};
	}
	status->summary->generations.items = items;
	status->summary->generations.count = count;
}

/* The links of every generation; one that lost a tree is of no use either. */
static void verify_links(struct status *status)
{
	struct arena *arena = &status->cli->arena;

	for (size_t i = 0; i < status->generations.count; i++) {
		const struct generation *one = &status->generations.items[i];

		for (size_t t = 0; t < one->trees.count; t++) {
			struct status_tree *tree = find(status, &one->trees.items[t]);
			const char *fault =
				generation_link_fault(status->store, one, &one->trees.items[t]);

			if (tree && fault)
				add_damage(status, tree,
					   arena_printf(arena, "%s/generations/%" PRIu32 "/%s",
							status->store->prefix, one->number,
							tree->name),
					   "changed", fault);
		}
	}
}

static bool read_store(struct status *status)
{
	struct error *err = &status->cli->error;
	struct store_trees stored;
	size_t room;

	if (!store_current(status->store, &status->current, err) ||
	    !store_generations(status->store, &status->generations, err) ||
	    !store_trees(status->store, &stored, err))
		return false;
	room = status->current.trees.count + stored.count;
	status->trees = arena_array(&status->cli->arena, struct status_tree, room + 1);
	add_trees(status, &status->current.trees, true);
	add_trees(status, &stored, false);
	status->summary->prefix = status->store->prefix;
	status->summary->generation = status->current.number;
	status->summary->target = status->current.target;
	status->summary->verified = status->cli->options.verify;
	if (status->cli->options.verify)
		verify_links(status);
	list_generations(status);
	status->document->results = (struct field_array){status->trees, status->count};
	status->document->summary = status->summary;
	return true;
}

static const char *needs(struct arena *arena, const struct status_tree *tree)
{
	struct names names = {0};

	for (size_t i = 0; i < tree->dependencies.count; i++)
		names_add(arena, &names, tree->dependencies.items[i].name);
	return names_join(arena, &names, " ");
}

static const char *compiler(struct arena *arena, const struct status_tree *tree)
{
	const struct manifest_compiler *one = tree->compiler;

	if (!one || !one->name)
		return "";
	/* A compiler may say its name with its version. */
	if (one->version && strstr(one->version, one->name))
		return one->version;
	return arena_printf(arena, "%s %s", one->name, one->version ? one->version : "");
}

static void show_trees(struct status *status, const char *title, bool active)
{
	static const char *const header[] = {"name", "version", "key", "compiler", "needs"};
	struct arena *arena = &status->cli->arena;
	struct section *section = NULL;

	for (size_t i = 0; i < status->count; i++) {
		const struct status_tree *tree = &status->trees[i];

		if (tree->active != active)
			continue;
		if (!section)
			section = document_section(status->document, title, 5, header);
		section_row(status->document, section, tree->name, tree->version, tree->key,
			    compiler(arena, tree), needs(arena, tree));
	}
}

/* What was shown of a tree before it was installed, and how it was built. */
static void show_details(struct status *status, const struct status_tree *tree)
{
	struct section *section = document_section(
		status->document,
		arena_printf(&status->cli->arena, "%s %s", tree->name, tree->version), 2, NULL);

	section_row(status->document, section, "path", tree->path);
	section_row(status->document, section, "target", tree->target);
	section_row(status->document, section, "built", tree->built);
	section_row(status->document, section, "flags",
		    names_join(&status->cli->arena, &tree->flags, " "));
	for (size_t i = 0; i < tree->proof.count; i++)
		section_row(status->document, section, tree->proof.items[i].what,
			    tree->proof.items[i].result);
}

static void show_generations(struct status *status)
{
	static const char *const header[] = {"generation", "created", "target", "trees", ""};
	struct arena *arena = &status->cli->arena;
	struct section *section = document_section(status->document, "generations", 5, header);

	for (size_t i = status->generations.count; i-- > 0;) {
		const struct generation *one = &status->generations.items[i];
		struct names names = {0};

		for (size_t t = 0; t < one->trees.count; t++)
			names_add(arena, &names,
				  arena_printf(arena, "%s-%s", one->trees.items[t].name,
					       one->trees.items[t].version));
		section_row(status->document, section, arena_printf(arena, "%" PRIu32, one->number),
			    one->created, one->target, names_join(arena, &names, " "),
			    one->active ? "active" : "");
	}
}

static void show_differences(struct status *status)
{
	static const char *const header[] = {"found", "path", "why"};
	struct section *section = NULL;

	for (size_t i = 0; i < status->count; i++) {
		for (size_t d = 0; d < status->trees[i].differences.count; d++) {
			const struct store_difference *one = &status->trees[i].differences.items[d];

			if (!section)
				section = document_section(status->document, "differences", 3,
							   header);
			section_row(status->document, section, one->what, one->path, one->why);
		}
	}
}

static void show_loader(struct status *status)
{
	static const char *const header[] = {"file", "entry", "for"};
	const struct ldconf_state *loader = status->summary->loader;
	struct section *section;

	if (!loader)
		return;
	section = document_section(status->document, "entries of the loader", 3, header);
	for (size_t i = 0; i < loader->entries.count; i++)
		section_row(status->document, section, loader->entries.items[i].file,
			    loader->entries.items[i].line, loader->entries.items[i].why);
	if (!loader->fresh && loader->stale)
		document_message(status->document, "warning",
				 "the loader's cache is not as the entries say: %s; run ldconfig",
				 loader->stale);
}

static void show(struct status *status)
{
	struct arena *arena = &status->cli->arena;
	struct section *section = document_section(status->document, NULL, 2, NULL);

	section_row(status->document, section, "prefix", status->store->prefix);
	section_row(status->document, section, "generation",
		    status->current.number
			    ? arena_printf(arena, "%" PRIu32 ", for %s, since %s",
					   status->current.number, status->current.target,
					   status->current.created)
			    : "none is active");
	if (status->cli->options.verify)
		section_row(status->document, section, "verified",
			    status->summary->differences
				    ? arena_printf(arena, "%" PRId64 " differences",
						   status->summary->differences)
				    : "every file is as it was installed");
	show_trees(status, "active", true);
	show_trees(status, "not active", false);
	for (size_t i = 0; status->cli->options.verbose && i < status->count; i++)
		show_details(status, &status->trees[i]);
	if (status->generations.count)
		show_generations(status);
	show_loader(status);
	show_differences(status);
	if (status->summary->differences)
		status->document->next = "ampere-crypto remove NAME, then ampere-crypto setup";
}

static int run(struct cli *cli)
{
	struct status status = {.cli = cli, .document = cli_document(cli, &status_kind)};
	struct store store;
	bool done = true;

	status.summary = arena_new(&cli->arena, struct status_summary);
	status.store = &store;
	if (!cli_open_store(cli, &store))
		return cli_fail(cli, status.document);
	status.summary->prefix = store.prefix;
	if (store.fd < 0) {
		status.document->summary = status.summary;
		cli_nothing_installed(status.document, &store);
	} else {
		done = read_store(&status);
		status.summary->loader = cli_loader_state(cli, &store);
	}
	store_close(&store);
	if (!done)
		return cli_fail(cli, status.document);
	if (status.trees)
		show(&status);
	return cli_finish(cli, status.document,
			  status.summary->differences ? EXIT_VERIFY : EXIT_OK);
}

static const struct option_sense senses[] = {
	{OPTION_VERBOSE, "where each tree is, its target and flags, and what was shown of it",
	 COMPLETES_NOTHING},
	{0},
};

const struct command command_status = {
	.name = "status",
	.summary = "what setup installed, and whether it is still as it was",
	.doc = "Show the active trees, what they were built with and from what, and the older "
	       "generations. With --verify every file is compared with the manifests: exit "
	       "status 4 when one differs.",
	.options = OPTIONS_REPORT | OPTION_PREFIX | OPTION_VERIFY | OPTION_VERBOSE | OPTION_HELP,
	.senses = senses,
	.run = run,
};
