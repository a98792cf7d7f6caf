// SPDX-License-Identifier: BSD-2-Clause
#include "cli/documents.h"
#include "cli/loader.h"
#include "cli/store.h"

struct remove_summary {
	const char *prefix;
	bool prefix_gone;
	struct names left;
};

static const struct field summary_fields[] = {
	{.key = "prefix",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct remove_summary, prefix),
	 .required = true,
	 .doc = "where the trees were"},
	{.key = "prefix_gone",
	 .kind = FIELD_BOOL,
	 .offset = FIELD(struct remove_summary, prefix_gone),
	 .required = true,
	 .doc = "the directory itself was made by this program and is gone too"},
	{.key = "left",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct remove_summary, left),
	 .required = true,
	 .doc = "what was changed or put there by others and stays, \"PATH: why\""},
};

static const struct field_table summary_table =
	FIELD_TABLE("summary", struct remove_summary, summary_fields, "What is left.");

static const struct field remove_fields[] = {
	DOCUMENT_FIELDS(&store_tree_table, "The trees that were removed.", &summary_table),
};

static const struct field_table remove_table = FIELD_TABLE(
	"remove", struct document, remove_fields, "What `ampere-crypto remove --json` writes.");

const struct document_kind remove_kind = {"remove", "1.0.0", &remove_table};

static void show(struct document *document, const struct store_removal *removal,
		 const struct remove_summary *summary)
{
	struct section *section = document_section(document, NULL, 2, NULL);

	section_row(document, section, "prefix", summary->prefix);
	if (removal->prefix_gone || !removal->removed.count)
		section_row(document, section, "removed",
			    removal->prefix_gone ? "all of it" : "no tree was there");
	cli_show_trees(document, "removed", &removal->removed);
	for (size_t i = 0; i < removal->left.count; i++)
		document_message(document, "warning", "left: %s", removal->left.items[i]);
}

static bool remove_some(struct cli *cli, struct store *store, struct document *document)
{
	struct remove_summary *summary = arena_new(&cli->arena, struct remove_summary);
	struct store_removal removal;

	if (!store_remove(store, &cli->options.arguments, &removal, &cli->error))
		return false;
	*summary = (struct remove_summary){
		.prefix = store->prefix, .prefix_gone = removal.prefix_gone, .left = removal.left};
	document->summary = summary;
	document->results = (struct field_array){removal.removed.items, removal.removed.count};
	show(document, &removal, summary);
	return true;
}

static int run(struct cli *cli)
{
	struct document *document = cli_document(cli, &remove_kind);
	struct store store;
	bool done = true;

	if (!cli_lock_store(cli, &store))
		return cli_fail(cli, document);
	if (store.fd < 0 && cli->options.arguments.count)
		done = error_set(&cli->error, "nothing is installed in %s", store.prefix);
	else if (store.fd < 0)
		cli_nothing_installed(document, &store);
	else
		done = remove_some(cli, &store, document);
	/* Also when nothing was left to remove: an earlier run may have ended before this. */
	done = done && cli_follow_loader(cli, &store);
	store_close(&store);
	return done ? cli_finish(cli, document, EXIT_OK) : cli_fail(cli, document);
}

const struct command command_remove = {
	.name = "remove",
	.arguments = "[NAME...]",
	.summary = "delete what setup installed, exactly",
	.doc = "Delete the trees of these names, or everything that setup made below the prefix "
	       "when none is named. Files that others changed or added stay and are named.",
	.options = OPTIONS_REPORT | OPTION_PREFIX | OPTION_WAIT | OPTION_HELP,
	.arguments_max = 64,
	.completes = COMPLETES_RECIPES,
	.run = run,
};
