// SPDX-License-Identifier: BSD-2-Clause
#include "cli/loader.h"

#include "cli/command.h"
#include "host/host.h"
#include "host/root.h"

#include <string.h>
#include <unistd.h>

/* A root of its own: what the command's own root remembers may have changed since. */
static struct host *fresh_host(struct cli *cli, struct root **root)
{
	*root = root_open(&cli->arena, NULL, &cli->error);
	return *root ? host_new(&cli->arena, *root) : NULL;
}

static const char *policy_of(struct cli *cli, const struct store *store, bool cross)
{
	if (cli->options.ld_so_conf)
		return cli->options.ld_so_conf;
	if (cross || geteuid() != 0)
		return "none";
	return strcmp(store->prefix, store_default_prefix(&cli->arena)) == 0 ? "safe" : "none";
}

static bool ask(struct cli *cli, const struct ldconf_request *request, struct ldconf_plan *plan)
{
	struct root *root;
	struct host *host = fresh_host(cli, &root);
	bool good = host && ldconf_plan(host, request, plan, &cli->error);

	if (root)
		root_close(root);
	return good;
}

/* `sonames`: what it will have; none, when it is there to be looked at. */
static struct ldconf_tree loader_tree(struct cli *cli, const char *name, const char *path,
				      struct names sonames)
{
	return (struct ldconf_tree){.name = name,
				    .directory = arena_printf(&cli->arena, "%s/lib", path),
				    .sonames = sonames};
}

bool cli_plan_loader(struct cli *cli, const struct store *store, const struct plan *trees,
		     struct ldconf_plan *plan)
{
	const struct target *target = trees->request->target;
	struct ldconf_tree *items = arena_array(&cli->arena, struct ldconf_tree, trees->count);
	struct ldconf_request request = {.policy = policy_of(cli, store, target->cross),
					 .prefix = store->prefix,
					 .trees = items,
					 .tree_count = trees->count};

	*plan = (struct ldconf_plan){0};
	if (strcmp(request.policy, "none") == 0 && !cli->options.ld_so_conf)
		return true;
	if (target->cross && strcmp(request.policy, "none") != 0)
		return error_exit(&cli->error, EXIT_USAGE,
				  "--ld-so-conf %s: what is built for %s is not for this machine's "
				  "loader",
				  request.policy, target->name);
	for (size_t i = 0; i < trees->count; i++)
		items[i] = loader_tree(cli, trees->trees[i].recipe->name, trees->trees[i].path,
				       trees->trees[i].recipe->provides.libraries);
	if (!ask(cli, &request, plan))
		return false;
	return !plan->refusal || error_exit(&cli->error, plan->refusal_exit, "--ld-so-conf %s: %s",
					    plan->policy, plan->refusal);
}

bool cli_apply_loader(struct cli *cli, const struct ldconf_plan *plan)
{
	const struct ldconf_place place = {.root = "/"};

	return !plan->policy || plan->done || ldconf_apply(&cli->arena, &place, plan, &cli->error);
}

bool cli_follow_loader(struct cli *cli, struct store *store)
{
	const struct ldconf_place place = {.root = "/"};
	struct root *root;
	struct host *host = fresh_host(cli, &root);
	struct generation active = {0};
	struct ldconf_request request = {.prefix = store->prefix};
	struct ldconf_tree *items;
	struct ldconf_plan plan;

	if (!host)
		return false;
	struct ldconf_state state = ldconf_current(host, store->prefix);

	root_close(root);
	if (!state.prefix || strcmp(state.prefix, store->prefix) != 0)
		return true;
	if (store->fd >= 0 && !store_current(store, &active, &cli->error))
		return false;
	if (!active.trees.count)
		return ldconf_remove(&cli->arena, &place, store->prefix, &cli->error);
	items = arena_array(&cli->arena, struct ldconf_tree, active.trees.count);
	for (size_t i = 0; i < active.trees.count; i++) {
		const struct store_tree *tree = &active.trees.items[i];

		items[i] = loader_tree(
			cli, tree->name,
			store_tree_path(&cli->arena, store, tree->name, tree->version, tree->key),
			(struct names){0});
	}
	request.policy = state.policy;
	request.trees = items;
	request.tree_count = active.trees.count;
	return ask(cli, &request, &plan) && cli_apply_loader(cli, &plan);
}

const struct ldconf_state *cli_loader_state(struct cli *cli, const struct store *store)
{
	struct ldconf_state *state = arena_new(&cli->arena, struct ldconf_state);
	struct error ignored = cli->error;
	struct root *root;
	struct host *host = fresh_host(cli, &root);

	cli->error = ignored;
	if (!host)
		return NULL;
	*state = ldconf_current(host, store->prefix);
	root_close(root);
	return state->prefix && strcmp(state->prefix, store->prefix) == 0 ? state : NULL;
}
