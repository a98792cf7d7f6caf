// SPDX-License-Identifier: BSD-2-Clause
#include "cli/store.h"

#include <stdio.h>

static void note(const char *text)
{
	fprintf(stderr, "ampere-crypto: %s\n", text);
}

bool cli_open_store(struct cli *cli, struct store *store)
{
	if (!store_open(&cli->arena, cli->options.prefix, STORE_READ, store, &cli->error))
		return false;
	store->note = note;
	if (store->fd >= 0 && !store_is_ours(store))
		store_close(store);
	return true;
}

bool cli_lock_store(struct cli *cli, struct store *store)
{
	if (!cli_open_store(cli, store))
		return false;
	if (store->fd < 0)
		return true;
	if (!store_lock(store, cli->options.wait, &cli->error)) {
		store_close(store);
		return false;
	}
	store_clean(store);
	return true;
}

void cli_nothing_installed(struct document *document, const struct store *store)
{
	struct section *section = document_section(document, NULL, 2, NULL);

	section_row(document, section, "prefix", store->prefix);
	section_row(document, section, "installed", "nothing");
	document->next = "ampere-crypto setup";
}

void cli_show_trees(struct document *document, const char *title, const struct store_trees *trees)
{
	struct section *section = trees->count ? document_section(document, title, 3, NULL) : NULL;

	for (size_t i = 0; i < trees->count; i++)
		section_row(document, section, trees->items[i].name, trees->items[i].version,
			    trees->items[i].key);
}
