// SPDX-License-Identifier: BSD-2-Clause
#include "bench/stack.h"
#include "catalog/profile.h"
#include "cli/bench.h"
#include "cli/store.h"
#include "host/root.h"

/* "NAME=DIRECTORY" for each active tree, and what CPU they are for. */
static bool active_trees(struct cli *cli, struct store *store, struct names *out,
			 const char **target)
{
	struct generation current;

	if (!store_current(store, &current, &cli->error))
		return false;
	for (size_t i = 0; i < current.trees.count; i++) {
		const struct store_tree *tree = &current.trees.items[i];

		names_add(&cli->arena, out,
			  arena_printf(&cli->arena, "%s=%s", tree->name,
				       store_tree_path(&cli->arena, store, tree->name,
						       tree->version, tree->key)));
	}
	*target = current.target;
	return true;
}

/* The emulated CPU for foreign programs: that of the trees, or of --profile. */
static bool choose_cpu(struct cli *cli, const char *target, const char **out)
{
	const struct cpu_profile *profile = cli->options.profile ? cli->facts->profile : NULL;
	struct cpu_profiles profiles;

	if (!profile && target) {
		if (!cpu_profiles_load(&cli->arena, &profiles, &cli->error))
			return false;
		profile = cpu_profiles_find(&profiles, target);
	}
	*out = profile ? profile->emulator : NULL;
	return true;
}

bool bench_stack_choose(struct cli *cli, struct bench_stack *out)
{
	struct bench_stack_request request = {.host = cli->facts->host,
					      .sysroot = cli->options.sysroot};
	struct store store = {.fd = -1};
	const char *target = NULL;

	if (!cli->options.system && root_kind(cli->root) == ROOT_LIVE) {
		bool done = cli_open_store(cli, &store) &&
			    (store.fd < 0 || active_trees(cli, &store, &request.trees, &target));

		if (store.fd >= 0)
			store_close(&store);
		if (!done)
			return false;
		if (!request.trees.count)
			request.prefix = cli->options.prefix;
	}
	if (!choose_cpu(cli, target, &request.cpu))
		return false;
	return bench_stack_find(&cli->arena, &request, out, &cli->error);
}
