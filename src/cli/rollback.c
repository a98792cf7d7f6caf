// SPDX-License-Identifier: BSD-2-Clause
#include "cli/documents.h"
#include "cli/loader.h"
#include "cli/store.h"

#include <inttypes.h>

struct rollback_summary {
	const char *prefix, *target;
	int64_t generation, before;
};

static const struct field summary_fields[] = {
	{.key = "prefix",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct rollback_summary, prefix),
	 .required = true,
	 .doc = "where the trees are"},
	{.key = "generation",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct rollback_summary, generation),
	 .required = true,
	 .doc = "number of the generation that is active now"},
	{.key = "before",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct rollback_summary, before),
	 .required = true,
	 .doc = "number of the one that was active before, 0: none"},
	{.key = "target",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct rollback_summary, target),
	 .required = true,
	 .nullable = true,
	 .doc = "the machine its trees are for"},
};

static const struct field_table summary_table =
	FIELD_TABLE("summary", struct rollback_summary, summary_fields, "Where one is now.");

static const struct field rollback_fields[] = {
	DOCUMENT_FIELDS(&store_tree_table, "The trees that are active now.", &summary_table),
};

static const struct field_table rollback_table =
	FIELD_TABLE("rollback", struct document, rollback_fields,
		    "What `ampere-crypto rollback --json` writes.");

const struct document_kind rollback_kind = {"rollback", "1.0.0", &rollback_table};

static bool read_number(struct cli *cli, uint32_t *out)
{
	uint64_t number = 0;

	if (cli->options.to &&
	    (!view_u64(view_of(cli->options.to), 10, &number) || !number || number > UINT32_MAX))
		return error_exit(&cli->error, EXIT_USAGE,
				  "--to %s: want the number of a generation, see ampere-crypto "
				  "status",
				  cli->options.to);
	*out = (uint32_t)number;
	return true;
}

static bool roll_back(struct cli *cli, struct store *store, struct document *document)
{
	struct rollback_summary *summary = arena_new(&cli->arena, struct rollback_summary);
	struct generation before, now;
	uint32_t to = 0;

	if (!read_number(cli, &to))
		return false;
	if (store->fd < 0)
		return error_set(&cli->error, "nothing is installed in %s", store->prefix);
	if (!store_current(store, &before, &cli->error) ||
	    !store_rollback(store, to, &now, &cli->error))
		return false;
	*summary = (struct rollback_summary){.prefix = store->prefix,
					     .target = now.target,
					     .generation = now.number,
					     .before = before.number};
	document->summary = summary;
	document->results = (struct field_array){now.trees.items, now.trees.count};
	cli_show_trees(document,
		       arena_printf(&cli->arena,
				    "generation %" PRIu32 " is active, %" PRIu32 " was before",
				    now.number, before.number),
		       &now.trees);
	return true;
}

static int run(struct cli *cli)
{
	struct document *document = cli_document(cli, &rollback_kind);
	struct store store;
	bool done;

	if (!cli_lock_store(cli, &store))
		return cli_fail(cli, document);
	done = roll_back(cli, &store, document) && cli_follow_loader(cli, &store);
	store_close(&store);
	return done ? cli_finish(cli, document, EXIT_OK) : cli_fail(cli, document);
}

const struct command command_rollback = {
	.name = "rollback",
	.summary = "make an older generation active again",
	.doc = "Make the generation before the active one active, or the one named by --to. One "
	       "link is renamed; nothing is built or deleted.",
	.options = OPTIONS_REPORT | OPTION_PREFIX | OPTION_TO | OPTION_WAIT | OPTION_HELP,
	.run = run,
};
