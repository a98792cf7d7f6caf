// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "cli/command.h"
#include "setup/store.h"

/* The store of --prefix for reading: store->fd is -1 when there is none, or PREFIX is not this
 * program's. */
bool cli_open_store(struct cli *cli, struct store *store);
/* Likewise, locked and cleaned, for a command that changes it; it never makes one. */
bool cli_lock_store(struct cli *cli, struct store *store);
/* "nothing is installed in PREFIX", and how to change that. */
void cli_nothing_installed(struct document *document, const struct store *store);
/* Rows "NAME VERSION KEY". */
void cli_show_trees(struct document *document, const char *title, const struct store_trees *trees);
