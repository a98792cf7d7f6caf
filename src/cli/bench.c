// SPDX-License-Identifier: BSD-2-Clause
#include "cli/bench.h"

#include "audit/audit.h"
#include "base/file.h"
#include "bench/stack.h"
#include "cli/bench_progress.h"
#include "cli/bench_text.h"
#include "cli/documents.h"
#include "cli/facets.h"
#include "cli/identity.h"
#include "host/root.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct field bench_fields[] = {
	DOCUMENT_FIELDS(&bench_result_table,
			"Every measurement that was asked for, in the order of the suites.",
			&bench_summary_table),
};

static const struct field_table bench_table = FIELD_TABLE(
	"bench", struct document, bench_fields, "What `ampere-crypto bench --json` writes.");

const struct document_kind bench_kind = {"bench", "1.0.0", &bench_table};

static bool load_suites(struct cli *cli, struct bench_choice *choice)
{
	struct names names = cli->options.arguments;
	const struct suite **suites;

	if (!names.count)
		names_add(&cli->arena, &names, "smoke");
	suites = arena_array(&cli->arena, const struct suite *, names.count);
	for (size_t i = 0; i < names.count; i++) {
		struct names before = {.items = names.items, .count = i};

		if (names_has(&before, names.items[i]))
			continue;
		if (!suite_load(&cli->arena, names.items[i], &suites[choice->suite_count],
				&cli->error))
			return false;
		choice->suite_count++;
	}
	choice->suites = suites;
	return true;
}

/* What audit finds wrong, for the explanation of a shortfall. */
static bool ask_audit(struct cli *cli, struct bench *bench)
{
	struct audit_options options = {.fail_on = "never"};
	struct audit *audit = arena_new(&cli->arena, struct audit);
	struct checks checks;

	if (!checks_load(cli->facts, NULL, &checks, &cli->error) ||
	    !audit_run(cli->facts, &checks, &options, audit, &cli->error))
		return false;
	bench->findings = &audit->findings;
	return true;
}

/* One-core engines run where a DPDK worker would. */
static int64_t choose_cpu(struct arena *arena, const struct eal_host *cpus)
{
	struct eal_plan plan;

	eal_plan_cores(arena, cpus, 1, false, 0, &plan);
	if (!plan.na && plan.count)
		return plan.processes[0].workers[0];
	if (!cpus->node_count || !cpus->nodes[0].cpu_count)
		return -1;
	return cpus->nodes[0].cpus[0];
}

/* Of another machine every CPU that is online counts, of this one those that we may use. */
static bool read_cpus(struct cli *cli, struct eal_host *out)
{
	return root_kind(cli->root) == ROOT_LIVE
		       ? eal_host_read(cli->facts->host, out, &cli->error)
		       : eal_host_of(cli->facts->host, NULL, 0, out, &cli->error);
}

static bool prepare(struct cli *cli, struct bench *bench, double *threshold)
{
	struct eal_host *cpus = arena_new(&cli->arena, struct eal_host);
	struct bench_stack *stack = arena_new(&cli->arena, struct bench_stack);
	struct references *references = arena_new(&cli->arena, struct references);
	struct bench_settings settings;
	struct bench_choice choice = {
		.only = &cli->options.only, .skip = &cli->options.skip, .cores = &settings.cores};

	if (!bench_settings_read(cli, &settings) || !load_suites(cli, &choice) ||
	    !bench_stack_choose(cli, stack) || !read_cpus(cli, cpus) ||
	    !references_load(&cli->arena, references, &cli->error))
		return false;
	*bench = (struct bench){.arena = &cli->arena,
				.stack = stack,
				.cpus = cpus,
				.identity = cli->identity,
				.references = references,
				.helper = file_helper_path(&cli->arena, "kat-bench"),
				.cpu = choose_cpu(&cli->arena, cpus),
				.random = settings.seed};
	*threshold = settings.threshold;
	bench->summary.clock_ghz = NAN;
	bench->summary.seed = arena_printf(&cli->arena, "%" PRIu64, settings.seed);
	if (!bench_kat_cases(bench, &choice, &cli->error) ||
	    !bench_plan(bench, &choice, &cli->error))
		return false;
	if (!bench->series_count)
		return error_exit(&cli->error, EXIT_SKIPPED,
				  "--only and --skip leave nothing to measure: ids are "
				  "SUITE/CASE/DEVICE-OR-ENGINE/SIZE/CORES, all of them in "
				  "`ampere-crypto bench --dry-run --json`");
	if (settings.seconds)
		bench->budget_ms = settings.seconds * 1000;
	return true;
}

static bool check_options(struct cli *cli)
{
	const struct options *options = &cli->options;

	if (!progress_check(cli))
		return false;
	if (options->imports.count &&
	    (options->arguments.count || options->dry_run || options->baseline || options->save))
		return error_exit(&cli->error, EXIT_USAGE,
				  "--import only reads files: no suite, --dry-run, --save or "
				  "--baseline goes with it");
	if (options->root && !options->dry_run && !options->imports.count)
		return error_exit(&cli->error, EXIT_USAGE,
				  "--root: only --dry-run and --import can speak of another "
				  "machine, nothing can be measured there");
	return true;
}

/* Noise has one cause and one cure, however many results it takes. */
static void say_noise(struct document *document, const struct bench *bench)
{
	size_t noisy = 0;

	for (size_t i = 0; i < bench->series_count; i++) {
		const char *reason = bench->series[i]->result.reason;

		noisy += reason && strncmp(reason, "too noisy", 9) == 0;
	}
	if (noisy)
		document_message(
			document, "note",
			"%zu of %zu results are too noisy: stop what else runs on this machine, or "
			"give it more time with --seconds; NOISE in ampere-crypto-bench(1)",
			noisy, bench->series_count);
}

/* Variables that choose other code or other libraries: what is measured never sees them. */
static void say_environment(struct document *document)
{
	static const char *const names[] = {"OPENSSL_armcap",  "OPENSSL_ia32cap", "OPENSSL_CONF",
					    "OPENSSL_MODULES", "OPENSSL_ENGINES", "LD_PRELOAD",
					    "LD_LIBRARY_PATH"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (getenv(names[i]))
			document_message(document, "note",
					 "%s is set here: what was measured ran without it",
					 names[i]);
	}
}

static void fill_document(struct cli *cli, struct document *document, struct bench *bench)
{
	struct bench_result *results =
		arena_array(&cli->arena, struct bench_result, bench->series_count + 1);

	if (cli->options.dry_run)
		bench_plan_page(cli, document, bench);
	for (size_t i = 0; i < bench->series_count; i++)
		results[i] = bench->series[i]->result;
	document->results = (struct field_array){results, bench->series_count};
	document->summary = &bench->summary;
	bench_count(&bench->summary, &document->results);
	if (!cli->options.dry_run)
		bench_text(document, &(struct bench_page){
					     .results = results,
					     .count = bench->series_count,
					     .summary = &bench->summary,
					     .machine = identity_line(&cli->arena, cli->identity),
					     .origin = bench->stack->origin,
					     .quiet = cli->options.quiet});
	bench_facets(document);
	say_noise(document, bench);
	if (!cli->options.dry_run)
		say_environment(document);
	identity_messages(document, cli->identity);
}

/* The callbacks of a run. */
struct watching {
	struct bench_watch watch;
	struct bench_display display;
};

static bool tick(void *context)
{
	struct watching *watching = context;

	bench_display_tick(&watching->display);
	return bench_watch_goes_on(&watching->watch);
}

static void progress(void *context, const struct bench_progress *now)
{
	bench_display_tell(&((struct watching *)context)->display, now);
}

static bool work(struct cli *cli, struct watching *watching, struct bench *bench, double *threshold)
{
	bool done;

	if (!prepare(cli, bench, threshold))
		return false;
	if (cli->options.dry_run)
		return true;
	if (!ask_audit(cli, bench))
		return false;
	bench->tick = tick;
	bench->progress = progress;
	bench->context = watching;
	bench_watch_start(&watching->watch);
	bench_display_start(&watching->display, cli);
	done = bench_run(bench, &cli->error);
	bench_display_end(&watching->display);
	return done;
}

static int run_imports(struct cli *cli, struct document *document)
{
	int status;

	if (!bench_import_files(cli, document, &status))
		return cli_fail(cli, document);
	bench_text(document, &(struct bench_page){.results = document->results.items,
						  .count = document->results.count,
						  .quiet = cli->options.quiet});
	bench_facets(document);
	return cli_finish(cli, document, status);
}

static int run(struct cli *cli)
{
	struct document *document = cli_document(cli, &bench_kind);
	struct bench *bench = arena_new(&cli->arena, struct bench);
	struct watching *watching = arena_new(&cli->arena, struct watching);
	const struct baseline *baseline = NULL;
	double threshold = BASELINE_THRESHOLD;

	if (!check_options(cli))
		return cli_fail(cli, document);
	if (cli->options.imports.count)
		return run_imports(cli, document);
	if (!cli_open_host(cli))
		return cli_fail(cli, document);
	document->host = cli->identity;
	if (!bench_baseline_read(cli, document, &baseline) ||
	    !work(cli, watching, bench, &threshold))
		return cli_fail(cli, document);
	if (!cli->options.dry_run)
		bench_baseline_compare(document, bench, baseline, threshold);
	fill_document(cli, document, bench);
	if (!cli->options.dry_run && !watching->watch.signal &&
	    !bench_baseline_keep(cli, document, bench))
		return cli_fail(cli, document);
	return cli_finish(cli, document, bench_exit_code(cli, bench, watching->watch.signal));
}

static const struct option_sense senses[] = {
	{OPTION_ROOT, "with --dry-run or --import: of this directory tree or capture",
	 COMPLETES_FILES},
	{OPTION_PROFILE, "take this machine for that CPU", COMPLETES_PROFILES},
	{OPTION_ONLY,
	 "only results whose id matches, as '*/aes-gcm-128/*': "
	 "SUITE/CASE/DEVICE-OR-ENGINE/SIZE/CORES; repeatable",
	 COMPLETES_NOTHING},
	{OPTION_SKIP, "no results whose id matches; repeatable", COMPLETES_NOTHING},
	{OPTION_ALL, "a line for each result that was not measured, not one for each reason",
	 COMPLETES_NOTHING},
	{OPTION_PREFIX,
	 "measure what setup installed there, or the libraries of a plain prefix; default: what "
	 "setup installed, else the distribution's",
	 COMPLETES_FILES},
	{OPTION_DRY_RUN, "show what would be measured and what cannot be, measure nothing",
	 COMPLETES_NOTHING},
	{OPTION_SYSROOT, "libraries of the system that emulated programs run on", COMPLETES_FILES},
	{OPTION_QUIET, "only what fails: no heading, no tables of what passes, no next step",
	 COMPLETES_NOTHING},
	{OPTION_VERBOSE,
	 "under each number its id, how many samples it is made of, whose number it is compared "
	 "with",
	 COMPLETES_NOTHING},
	{0},
};

const struct command command_bench = {
	.name = "bench",
	.arguments = "[SUITE...]",
	.summary = "verify, measure, compare with published numbers",
	.doc = "Check known answers, measure the cryptography of this machine, check again, and "
	       "compare with published numbers or a baseline. Suites: smoke (half a minute; when "
	       "none is named), dpdk, dpdk-all, library, scaling, or the path of a file of your "
	       "own.",
	.options = OPTIONS_REPORT | OPTIONS_HOST | OPTION_ONLY | OPTION_SKIP | OPTION_STRICT |
		   OPTION_PREFIX | OPTION_SYSTEM | OPTION_SYSROOT | OPTION_DRY_RUN |
		   OPTION_SECONDS | OPTION_CORES | OPTION_SEED | OPTION_IMPORT | OPTION_SAVE |
		   OPTION_BASELINE | OPTION_THRESHOLD | OPTION_PROGRESS | OPTION_ALL |
		   OPTION_VERBOSE | OPTION_HELP,
	.senses = senses,
	.arguments_max = 16,
	.completes = COMPLETES_SUITES,
	.run = run,
};
