// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "cli/progress.h"
#include "setup/execute.h"
#include "setup/ldconf.h"
#include "setup/sandbox.h"
#include "setup/sources.h"
#include "setup/store.h"

struct cli;
struct document;

/* One run of setup: what was asked, what is there, the plan, what came of it. */
struct setup {
	struct target target;
	struct toolchain toolchain;
	struct store store;
	struct sources sources;
	struct sandbox sandbox;
	struct plan_request request;
	struct plan plan;
	struct ldconf_plan loader; /* policy NULL: the loader is left alone */
	struct executed *results;  /* one per tree of the plan; NULL: nothing was executed */
	struct progress progress;
};

const char *setup_tree_name(struct cli *cli, const struct store_tree *tree);
/* The plan, or what came of it. */
void setup_sections(struct cli *cli, struct document *document, const struct setup *setup);
/* --pack and --unpack. */
bool setup_move(struct cli *cli, struct document *document, const struct target *target);
