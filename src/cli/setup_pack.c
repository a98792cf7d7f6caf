// SPDX-License-Identifier: BSD-2-Clause
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/loader.h"
#include "cli/setup.h"
#include "cli/store.h"
#include "setup/pack.h"

static void show(struct cli *cli, struct document *document, const struct store *store,
		 const struct generation *generation, const char *file)
{
	struct section *section = document_section(document, NULL, 2, NULL);

	section_row(document, section, "prefix", store->prefix);
	section_row(document, section, "pack", file);
	section_row(document, section, "target", generation->target);
	cli_show_trees(document, cli->options.pack ? "packed" : "active", &generation->trees);
}

static bool write_pack(struct cli *cli, struct document *document)
{
	struct generation generation;
	struct store store;

	if (!cli_open_store(cli, &store))
		return false;
	if (store.fd < 0 || !store_current(&store, &generation, &cli->error) ||
	    !generation.trees.count)
		return cli->error.text[0] ? false
					  : error_set(&cli->error,
						      "nothing is installed in %s, so there is "
						      "nothing to pack",
						      store.prefix);
	if (!pack_write(&store, cli->options.pack, &cli->error))
		return false;
	show(cli, document, &store, &generation, cli->options.pack);
	store_close(&store);
	return true;
}

static bool read_pack(struct cli *cli, struct document *document, const struct target *target)
{
	struct generation generation;
	struct store store;
	bool good;

	if (!store_open(&cli->arena, cli->options.prefix, STORE_WRITE, &store, &cli->error))
		return false;
	good = store_lock(&store, cli->options.wait, &cli->error);
	if (good) {
		store_clean(&store);
		good = pack_read(&store, cli->options.unpack, target->name, &generation,
				 &cli->error) &&
		       cli_follow_loader(cli, &store);
	}
	if (good)
		show(cli, document, &store, &generation, cli->options.unpack);
	store_close(&store);
	return good;
}

bool setup_move(struct cli *cli, struct document *document, const struct target *target)
{
	const struct options *options = &cli->options;

	if (options->pack && options->unpack)
		return error_exit(&cli->error, EXIT_USAGE,
				  "--pack and --unpack exclude each other");
	if (options->arguments.count || options->dry_run)
		return error_exit(&cli->error, EXIT_USAGE,
				  "--%s moves what is active: without RECIPE and --dry-run",
				  options->pack ? "pack" : "unpack");
	return options->pack ? write_pack(cli, document) : read_pack(cli, document, target);
}
