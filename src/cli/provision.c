// SPDX-License-Identifier: BSD-2-Clause
#include "cli/provision.h"

#include "base/clock.h"
#include "base/file.h"
#include "cli/documents.h"
#include "cli/progress_line.h"
#include "setup/store.h"

/* PREFIX, and the directory of the results; nothing is made. */
static bool find_places(struct provision *provision)
{
	struct cli *cli = provision->cli;
	const struct provision_plan *plan = &provision->plan;
	struct store store;

	if (!store_open(&cli->arena, plan->prefix, STORE_READ, &store, &cli->error))
		return false;
	provision->summary.prefix = store.prefix;
	provision->summary.state = plan->state ? plan->state
					       : arena_printf(&cli->arena, "%s/provision/%s",
							      store.prefix, plan->name);
	store_close(&store);
	return true;
}

/* Below the prefix the store makes it, so that `remove` knows what was made. */
static bool make_state(struct provision *provision)
{
	struct cli *cli = provision->cli;
	struct store store;
	const char *path;
	bool good = true;

	if (!provision->plan.state && !file_exists(provision->summary.state)) {
		if (!store_open(&cli->arena, provision->plan.prefix, STORE_WRITE, &store,
				&cli->error))
			return false;
		good = store_lock(&store, false, &cli->error) &&
		       store_directory(
			       &store,
			       arena_printf(&cli->arena, "provision/%s", provision->plan.name),
			       &path, &cli->error);
		store_close(&store);
	}
	return good && provision_state_open(&cli->arena, provision->summary.state,
					    &provision->state, &cli->error);
}

/* Before an hour of building, not after it. */
static bool check_outputs(struct provision *provision)
{
	struct cli *cli = provision->cli;
	const struct provision_outputs *outputs = &provision->plan.outputs;

	for (size_t i = 0; i < outputs->count; i++) {
		struct error problem = {0};
		const cJSON *at = provision_plan_at(&provision->json, NULL, "outputs", i);

		if (!provision_may_write(&cli->arena, outputs->items[i].path, &problem))
			return json_error(&provision->json,
					  cJSON_GetObjectItemCaseSensitive(at, "path"), &cli->error,
					  "cannot be written: %s", problem.text);
	}
	return true;
}

static bool prepare(struct provision *provision)
{
	struct cli *cli = provision->cli;

	if (!cli->options.plan)
		return error_exit(&cli->error, EXIT_USAGE,
				  "--plan FILE is missing, see provision(5)");
	if (!progress_check(cli) ||
	    !provision_plan_load(&cli->arena, cli->options.plan, &provision->plan, &provision->json,
				 &cli->error) ||
	    !provision_check(provision) || !find_places(provision))
		return false;
	for (enum provision_stage stage = STAGE_SETUP; stage < STAGE_COUNT; stage++) {
		if (provision_plan_has(&provision->plan, stage))
			provision->results[provision->count++] = (struct provision_result){
				.stage = provision_stages[stage], .outcome = "unknown"};
	}
	return true;
}

static int run(struct cli *cli)
{
	struct provision *provision = arena_new(&cli->arena, struct provision);
	bool good;

	*provision = (struct provision){.cli = cli,
					.document = cli_document(cli, &provision_kind),
					.state = {.lock_fd = -1},
					.voice = {.progress = cli->options.progress,
						  .quiet = cli->options.quiet,
						  .verbose = cli->options.verbose},
					.begin_ms = clock_ms(),
					.exit_code = EXIT_SKIPPED};
	if (!prepare(provision))
		return cli_fail(cli, provision->document);
	if (cli->options.dry_run)
		return provision_dry_run(provision) ? cli_finish(cli, provision->document, EXIT_OK)
						    : cli_fail(cli, provision->document);
	provision_signals(&provision->watch);
	good = check_outputs(provision) && make_state(provision) && provision_run_stages(provision);
	provision_fill(provision);
	provision_state_close(&provision->state);
	if (good)
		return cli_finish(cli, provision->document, provision->exit_code);
	cli->error.exit_code = (enum exit_code)provision_worse(
		provision->exit_code,
		cli->error.exit_code ? (int)cli->error.exit_code : EXIT_TROUBLE);
	return cli_fail(cli, provision->document);
}

static const struct option_sense senses[] = {
	{OPTION_DRY_RUN, "show the command lines of the stages, run none", COMPLETES_NOTHING},
	{OPTION_FORCE, "measure again, whether or not anything changed", COMPLETES_NOTHING},
	{OPTION_QUIET, "only stages that failed", COMPLETES_NOTHING},
	{OPTION_VERBOSE, "what each stage prints, too", COMPLETES_NOTHING},
	{0},
};

const struct command command_provision = {
	.name = "provision",
	.summary = "setup, audit, bench and reports by one plan, one exit status",
	.doc = "Do what a plan says: setup, audit, bench and reports, each a command of its own, "
	       "with one exit status for all.\n"
	       "A second run with nothing to do takes milliseconds; it never asks.",
	.options = OPTIONS_REPORT | OPTION_PLAN | OPTION_DRY_RUN | OPTION_FORCE | OPTION_PROGRESS |
		   OPTION_VERBOSE | OPTION_HELP,
	.senses = senses,
	.run = run,
};
