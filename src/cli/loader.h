// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/ldconf.h"
#include "setup/plan.h"
#include "setup/store.h"

struct cli;

/*
 * The loader's entries follow from what is active: setup plans them for the generation that will
 * be, remove and rollback bring them up to what is left. The policy is --ld-so-conf; without it
 * `safe` for root in the default prefix, else none: a prefix of one's own is for trying things out.
 */
/* plan->policy is NULL when there is nothing to plan: no entries asked for, none there. */
bool cli_plan_loader(struct cli *cli, const struct store *store, const struct plan *trees,
		     struct ldconf_plan *plan);
bool cli_apply_loader(struct cli *cli, const struct ldconf_plan *plan);
/* After remove and rollback; `store` as it is now. */
bool cli_follow_loader(struct cli *cli, struct store *store);
/* What of ours stands in the loader's configuration for this prefix; NULL: nothing, or it could not
 * be read. */
const struct ldconf_state *cli_loader_state(struct cli *cli, const struct store *store);
