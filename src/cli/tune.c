// SPDX-License-Identifier: BSD-2-Clause
#include "cli/tune.h"

#include "audit/waivers.h"
#include "base/clock.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/identity.h"
#include "host/root.h"
#include "provision/stage.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool is_failure(const struct finding *finding)
{
	return strcmp(finding->outcome, "fail") == 0;
}

/* What cannot go well is said before anything is read. */
static bool check_options(struct cli *cli)
{
	const struct options *options = &cli->options;

	if (options->revert && (options->persist || options->only.count || options->skip.count ||
				options->waivers || options->role))
		return error_exit(&cli->error, EXIT_USAGE,
				  "--revert takes back all that is recorded: it goes without "
				  "--role, --only, --skip, --waivers and --persist");
	if (!options->root && !options->dry_run && geteuid() != 0)
		return error_set(
			&cli->error,
			"settings of this machine are root's to change: run it as root, or "
			"with --dry-run to see what it would do");
	return true;
}

static bool check_root(struct cli *cli)
{
	if (root_kind(cli->root) == ROOT_CAPTURE && !cli->options.dry_run)
		return error_exit(&cli->error, EXIT_USAGE,
				  "%s is a capture, which cannot be changed: give --dry-run",
				  cli->options.root);
	return true;
}

static bool judge(struct cli *cli, struct checks *checks, struct audit *out)
{
	struct audit_options options = {.only = cli->options.only,
					.skip = cli->options.skip,
					.fail_on = "never",
					.today = clock_utc_day(&cli->arena)};
	struct waivers waivers = {0};

	if (!checks_load(cli->facts, NULL, checks, &cli->error))
		return false;
	if (cli->options.waivers &&
	    !waivers_load(cli->facts, checks, cli->options.waivers, &waivers, &cli->error))
		return false;
	options.waivers = &waivers;
	return audit_run(cli->facts, checks, &options, out, &cli->error);
}

/* A dry run of somebody who may not read the record goes on without it. */
static bool add_recorded(struct cli *cli, struct document *document, struct tune_plan *plan)
{
	struct tune_tree tree;
	bool done;

	if (!cli->options.persist || root_kind(cli->root) == ROOT_CAPTURE)
		return true;
	if (!tune_tree_open(cli->options.root, &tree, &cli->error))
		return false;
	done = tune_recorded(&cli->arena, &tree, plan, &cli->error);
	tune_tree_close(&tree);
	if (!done && cli->options.dry_run) {
		document_message(document, "warning", "%s: what earlier runs made is not shown",
				 cli->error.text);
		cli->error = (struct error){0};
		done = true;
	}
	return done;
}

void tune_plan_of(struct cli *cli, const struct checks *checks, const struct audit *audit,
		  struct tune_plan *out)
{
	const struct finding *findings = audit->findings.items;
	struct names failing = {0};

	for (size_t i = 0; i < audit->findings.count; i++) {
		if (is_failure(&findings[i]))
			names_add(&cli->arena, &failing, findings[i].id);
	}
	tune_plan(cli->facts, checks, &failing, out);
}

static bool plan(struct cli *cli, struct document *document, struct tuning *tuning)
{
	struct checks checks;

	if (!cli_open_host(cli) || !check_root(cli))
		return false;
	document->host = cli->identity;
	if (!judge(cli, &checks, &tuning->before))
		return false;
	tune_plan_of(cli, &checks, &tuning->before, &tuning->plan);
	return add_recorded(cli, document, &tuning->plan);
}

/* The machine once more, from nothing that was remembered. */
static bool judge_again(struct cli *cli, struct tuning *tuning)
{
	struct checks checks;

	root_close(cli->root);
	cli->root = NULL;
	tuning->compared = cli_open_host(cli) && judge(cli, &checks, &tuning->after);
	return tuning->compared;
}

/* With the files of --persist as they are foreseen; the plan itself stays as it is. */
static bool foresee(struct cli *cli, const struct tune_plan *plan, struct tune_plan *out)
{
	const struct tune_change *changes = plan->changes.items;
	const struct tune_advice *advice = plan->advice.items;

	*out = (struct tune_plan){0};
	for (size_t i = 0; i < plan->changes.count; i++)
		*tune_add_change(&cli->arena, out) = changes[i];
	for (size_t i = 0; i < plan->advice.count; i++)
		*tune_add_advice(&cli->arena, out) = advice[i];
	return !cli->options.persist || tune_persist(cli->facts, out, &cli->error);
}

static size_t count_planned(const struct tune_plan *plan)
{
	const struct tune_change *changes = plan->changes.items;
	size_t count = 0;

	for (size_t i = 0; i < plan->changes.count; i++)
		count += tune_state_is(&changes[i], "planned");
	return count;
}

/* On the terminal, beside what goes to standard output. */
static bool ask(struct cli *cli, const struct tune_plan *plan)
{
	const struct tune_change *changes = plan->changes.items;
	char answer[16] = "";

	for (size_t i = 0, folded; i < plan->changes.count; i += folded) {
		const char *path;

		folded = tune_fold(&cli->arena, &changes[i], plan->changes.count - i, &path);
		if (!tune_state_is(&changes[i], "planned"))
			continue;
		fprintf(stderr, "%s: %s -> %s%s%s\n", text_printable(&cli->arena, view_of(path)),
			tune_value(&cli->arena, changes[i].before),
			tune_value(&cli->arena, changes[i].wanted), changes[i].reason ? "; " : "",
			changes[i].reason ? changes[i].reason : "");
	}
	fprintf(stderr, "apply %zu changes? [y/N] ", count_planned(plan));
	fflush(stderr);
	if (!fgets(answer, sizeof(answer), stdin))
		return false;
	return answer[0] == 'y' || answer[0] == 'Y';
}

/* A change in hand is finished first: tune_apply() looks for them. */
static void hold_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static bool apply(struct cli *cli, struct tuning *tuning)
{
	struct tune_tree tree;
	bool done;

	if (!tune_tree_open(cli->options.root, &tree, &cli->error))
		return false;
	done = tune_apply(&cli->arena, &tree, &tuning->plan, &cli->error);
	if (done && cli->options.persist && !tuning->plan.interrupted)
		done = tune_persist(cli->facts, &tuning->plan, &cli->error) &&
		       tune_apply(&cli->arena, &tree, &tuning->plan, &cli->error);
	tune_tree_close(&tree);
	return done && judge_again(cli, tuning);
}

static int finish(struct cli *cli, struct document *document, const struct tuning *tuning,
		  int exit_code)
{
	if (tuning->plan.interrupted) {
		document_message(document, "warning",
				 "interrupted: what is planned was not made; the record holds the "
				 "rest, 'ampere-crypto tune --revert' takes it back");
		exit_code = 128 + tuning->plan.interrupted;
	}
	tune_document(cli, document, tuning);
	return cli_finish(cli, document, exit_code);
}

/* As a shell reads it, whatever the tree's name. */
static const char *revert_command(struct cli *cli)
{
	struct names words = {0};

	names_add(&cli->arena, &words, "ampere-crypto");
	names_add(&cli->arena, &words, "tune");
	names_add(&cli->arena, &words, "--revert");
	if (cli->options.root)
		names_add(&cli->arena, &words,
			  arena_printf(&cli->arena, "--root=%s", cli->options.root));
	return provision_shell(&cli->arena, &words);
}

static int run_revert(struct cli *cli, struct document *document)
{
	struct tuning *tuning = arena_new(&cli->arena, struct tuning);
	struct tune_tree tree;
	bool done;

	tuning->reverting = true;
	tuning->verbose = cli->options.verbose;
	if (!cli_open_host(cli) || !check_root(cli))
		return cli_fail(cli, document);
	document->host = cli->identity;
	if (root_kind(cli->root) == ROOT_CAPTURE)
		return error_exit(&cli->error, EXIT_USAGE, "a capture holds no record of tune"),
		       cli_fail(cli, document);
	if (!tune_tree_open(cli->options.root, &tree, &cli->error))
		return cli_fail(cli, document);
	hold_signals();
	done = tune_revert(&cli->arena, &tree, cli->options.dry_run, &tuning->plan, &cli->error);
	tune_tree_close(&tree);
	if (!done)
		return cli_fail(cli, document);
	if (!tuning->plan.changes.count)
		document_message(document, "note",
				 "nothing is recorded: there is nothing to take "
				 "back");
	return finish(cli, document, tuning, tune_exit_code(&tuning->plan));
}

static int show_only(struct cli *cli, struct document *document, struct tuning *tuning,
		     const struct tune_plan *shown, int exit_code)
{
	tuning->plan = *shown;
	return finish(cli, document, tuning, exit_code);
}

static int run(struct cli *cli)
{
	struct document *document = cli_document(cli, &tune_kind);
	struct tuning *tuning = arena_new(&cli->arena, struct tuning);
	struct tune_plan shown;
	int exit_code;

	tuning->verbose = cli->options.verbose;
	if (!check_options(cli))
		return cli_fail(cli, document);
	if (cli->options.revert)
		return run_revert(cli, document);
	if (!plan(cli, document, tuning) || !foresee(cli, &tuning->plan, &shown))
		return cli_fail(cli, document);
	if (tuning->before.exit_code == EXIT_SKIPPED)
		return show_only(cli, document, tuning, &shown, EXIT_SKIPPED);
	if (cli->options.dry_run || !count_planned(&shown))
		return show_only(cli, document, tuning, &shown, EXIT_OK);
	if (!cli->options.yes && !isatty(STDIN_FILENO)) {
		exit_code = show_only(cli, document, tuning, &shown, EXIT_USAGE);
		error_exit(
			&cli->error, EXIT_USAGE,
			"nothing was changed: there is no terminal to ask on; give --yes to make "
			"%zu changes",
			count_planned(&shown));
		return exit_code;
	}
	if (!cli->options.yes && !ask(cli, &shown)) {
		document_message(document, "note", "nothing was changed");
		return show_only(cli, document, tuning, &shown, EXIT_FINDINGS);
	}
	hold_signals();
	if (!apply(cli, tuning))
		return cli_fail(cli, document);
	document->next = revert_command(cli);
	return finish(cli, document, tuning, tune_exit_code(&tuning->plan));
}

static const struct option_sense senses[] = {
	{OPTION_VERBOSE, "each CPU's change by itself, and what files would hold",
	 COMPLETES_NOTHING},
	{0},
};

const struct command command_tune = {
	.name = "tune",
	.summary = "apply the OS settings that audit found wrong, and take them back",
	.doc = "Set the settings of the operating system that audit finds wrong, so far as they "
	       "can "
	       "be set back.\n"
	       "What was there before is recorded first; --revert restores it. Firmware settings "
	       "and "
	       "the kernel's command line are never written: it says what to do there.",
	.options = OPTIONS_REPORT | OPTIONS_HOST | OPTION_ROLE | OPTION_ONLY | OPTION_SKIP |
		   OPTION_WAIVERS | OPTION_DRY_RUN | OPTION_YES | OPTION_PERSIST | OPTION_REVERT |
		   OPTION_VERBOSE | OPTION_HELP,
	.senses = senses,
	.run = run,
};
