// SPDX-License-Identifier: BSD-2-Clause
#include "cli/report.h"

#include "cli/command.h"
#include "cli/documents.h"

#include <inttypes.h>

static struct field_array files_of(struct arena *arena, const struct results_machine *machine)
{
	struct report_file *files = arena_array(arena, struct report_file, machine->count);

	for (size_t i = 0; i < machine->count; i++) {
		const struct results *from = machine->files[i];

		files[i] = (struct report_file){from->name, from->command, from->started,
						from->schema, from->exit_code};
	}
	return (struct field_array){files, machine->count};
}

static struct field_array failing_of(struct arena *arena, const struct results *audit)
{
	const struct result_item *items[REPORT_FAILING_MAX];
	size_t count = fleet_failing(audit, items, REPORT_FAILING_MAX);
	struct report_finding *findings = arena_array(arena, struct report_finding, count);

	for (size_t i = 0; i < count; i++)
		findings[i] =
			(struct report_finding){items[i]->id, items[i]->severity, items[i]->found,
						items[i]->wanted, items[i]->evidence};
	return (struct field_array){findings, count};
}

static struct field_array checks_of(struct arena *arena, const struct fleet *fleet)
{
	struct report_check *checks = arena_array(arena, struct report_check, fleet->checks.count);
	const struct fleet_check *from = fleet->checks.items;

	for (size_t i = 0; i < fleet->checks.count; i++) {
		const struct result_item *item = from[i].item;

		checks[i] =
			(struct report_check){item->id,  item->title, item->severity,  item->why,
					      item->fix, item->undo,  from[i].machines};
	}
	return (struct field_array){checks, fleet->checks.count};
}

static struct report_machine machine_of(struct arena *arena, const struct fleet_machine *from)
{
	const struct result_members *host = from->host;
	struct report_machine machine = {
		.label = from->from->label,
		.family = results_member(host, "family"),
		.sku = results_member(host, "sku"),
		.arch = results_member(host, "arch"),
		.kernel = results_member(host, "kernel"),
		.firmware = results_member(host, "firmware.version"),
		.vendor = results_member(host, "machine.vendor"),
		.product = results_member(host, "machine.product"),
		.cpus = results_member(host, "cpus"),
		.page_size = results_member(host, "page_size_bytes"),
		.files = files_of(arena, from->from),
		.audit = from->audit,
		.bench = from->bench,
		.failing = failing_of(arena, from->newest[FLEET_AUDIT]),
		.drift = from->drift,
	};

	if (from->headline) {
		const struct result_number *number = from->headline->number;

		machine.headline = arena_new(arena, struct report_number);
		*machine.headline = (struct report_number){
			from->headline->id, number->unit, number->value, number->low, number->high};
	}
	return machine;
}

static void fill_document(struct cli *cli, struct document *document, const struct fleet *fleet,
			  const struct results_set *set)
{
	struct report_machine *machines =
		arena_array(&cli->arena, struct report_machine, fleet->count);
	struct report_summary *summary = arena_new(&cli->arena, struct report_summary);

	*summary = (struct report_summary){.machines = (int64_t)fleet->count,
					   .files = (int64_t)set->file_count,
					   .unreadable = (int64_t)set->bad_count,
					   .headline = fleet->headline,
					   .checks = checks_of(&cli->arena, fleet),
					   .differences = fleet->differences,
					   .outliers = fleet->outliers};
	for (size_t i = 0; i < fleet->count; i++) {
		machines[i] = machine_of(&cli->arena, &fleet->machines[i]);
		summary->worse += fleet->machines[i].worse;
		summary->better += fleet->machines[i].better;
		summary->changed += fleet->machines[i].changed;
	}
	document->results = (struct field_array){machines, fleet->count};
	document->summary = summary;
	report_page(document, fleet, summary, cli->options.quiet);
	report_details(document, fleet);
	report_plots(document, fleet);
}

/* What could not be read is said of each file; the page is of the others. */
static void say_bad(struct document *document, const struct results_set *set)
{
	for (size_t i = 0; i < set->bad.count; i++)
		document_message(document, "error", "%s", set->bad.items[i]);
	if (set->bad_count > set->bad.count)
		document_message(document, "error", "and %zu more files that could not be read",
				 set->bad_count - set->bad.count);
}

/* A run without results has not found that all is well. */
static void say_failed(struct document *document, const struct results_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct results_machine *machine = &set->machines[i];

		for (size_t j = 0; j < machine->count; j++) {
			const struct results *failed = machine->files[j];

			if (failed->trouble)
				document_message(
					document, "warning",
					"%s: %s of %s could not be done (exit status %" PRId64
					"), it is left out: %s",
					machine->label, failed->command, failed->started,
					failed->exit_code, failed->trouble);
		}
	}
}

static int run(struct cli *cli)
{
	struct document *document = cli_document(cli, &report_kind);
	struct results_set *set = arena_new(&cli->arena, struct results_set);
	struct fleet *fleet = arena_new(&cli->arena, struct fleet);

	if (!results_load(&cli->arena, &cli->options.arguments, set, &cli->error))
		return cli_fail(cli, document);
	if (!set->file_count) {
		error_set(&cli->error, "%s%s", set->bad.items[0],
			  set->bad_count > 1 ? ", and no other file could be read either" : "");
		return cli_fail(cli, document);
	}
	say_bad(document, set);
	say_failed(document, set);
	fleet_of(&cli->arena, set, fleet);
	fill_document(cli, document, fleet, set);
	if (set->bad_count)
		error_set(&cli->error,
			  "%zu of %zu files could not be read, the page is without them: %s",
			  set->bad_count, set->bad_count + set->file_count, set->bad.items[0]);
	return cli_finish(cli, document, set->bad_count ? EXIT_TROUBLE : EXIT_OK);
}

static const struct option_sense senses[] = {
	{OPTION_QUIET, "only what is worse, and machines that differ from most", COMPLETES_NOTHING},
	{OPTION_VERBOSE,
	 "with reason, fix and undo of what fails, and what was found on each machine",
	 COMPLETES_NOTHING},
	{0},
};

const struct command command_report = {
	.name = "report",
	.arguments = "[LABEL=]FILE...",
	.summary = "one page from results of one or many machines",
	.doc = "Put results that audit, bench, detect, setup and tune wrote with --json side by "
	       "side: what differs between machines, which ones differ from most, and what changed "
	       "since last time. Each FILE is a machine, called like the file; files with one "
	       "LABEL are of one machine, and so are the .json files of a directory. It judges "
	       "nothing itself. The page for a browser is written by --output html=PAGE.html.",
	.options = OPTIONS_REPORT | OPTION_VERBOSE | OPTION_HELP,
	.senses = senses,
	.arguments_min = 1,
	.arguments_max = RESULTS_FILES_MAX,
	.completes = COMPLETES_FILES,
	.run = run,
};
