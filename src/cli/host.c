// SPDX-License-Identifier: BSD-2-Clause
#include "host/host.h"
#include "catalog/facts.h"
#include "catalog/profile.h"
#include "cli/command.h"

bool cli_open_catalog(struct cli *cli)
{
	cli->facts = facts_new(&cli->arena, NULL, cli->options.role);
	return true;
}

static bool open_root(struct cli *cli)
{
	const struct options *options = &cli->options;

	if (options->root && options->cpuinfo)
		return error_exit(&cli->error, EXIT_USAGE,
				  "--root and --cpuinfo exclude each other");
	cli->root = options->cpuinfo ? root_open_cpuinfo(&cli->arena, options->cpuinfo, &cli->error)
				     : root_open(&cli->arena, options->root, &cli->error);
	return cli->root;
}

/* The profile of --profile instead of the one that was found. */
static bool choose_profile(struct cli *cli, const struct cpu_profiles *profiles, const char *name)
{
	const char **names = arena_array(&cli->arena, const char *, profiles->count + 1);

	cli->facts->profile = cpu_profiles_find(profiles, name);
	if (cli->facts->profile)
		return true;
	for (size_t i = 0; i < profiles->count; i++)
		names[i] = profiles->items[i].name;
	return usage_unknown(&cli->error, "CPU profile", name, names, profiles->count);
}

bool cli_open_host(struct cli *cli)
{
	struct cpu_profiles profiles;

	if (!open_root(cli) || !cpu_profiles_load(&cli->arena, &profiles, &cli->error))
		return false;
	cli->facts = facts_new(&cli->arena, host_new(&cli->arena, cli->root), cli->options.role);
	cli->identity = identity_read(cli->facts, &profiles);
	return !cli->options.profile || choose_profile(cli, &profiles, cli->options.profile);
}
