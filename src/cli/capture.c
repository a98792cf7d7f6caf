// SPDX-License-Identifier: BSD-2-Clause
#include "audit/audit.h"
#include "cli/bmc.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/tune.h"
#include "host/root.h"

#include <string.h>

/* Captures of the largest machines are a few MB. */
#define CAPTURE_MAX_BYTES ((size_t)64 << 20)

struct capture_result {
	const char *path;
	int64_t size_bytes;
};

static const struct field result_fields[] = {
	{.key = "path",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct capture_result, path),
	 .required = true,
	 .doc = "the file written"},
	{.key = "size_bytes",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct capture_result, size_bytes),
	 .required = true,
	 .doc = "its size"},
};

static const struct field_table result_table =
	FIELD_TABLE("file", struct capture_result, result_fields, "A file written.");

static const struct field capture_fields[] = {
	DOCUMENT_FIELDS(&result_table, "The capture written; its own format is capture(5).",
			&result_table),
};

static const struct field_table capture_table =
	FIELD_TABLE("capture-report", struct document, capture_fields,
		    "What `ampere-crypto capture --json` writes.");

const struct document_kind capture_kind = {"capture-report", "1.0.0", &capture_table};

/* Asks everything that any command would ask: every fact, the checks of every role, and what tune
 * would look at to mend what fails. */
static bool ask_everything(struct cli *cli)
{
	static const char *const roles[] = {NULL, "dpdk", "ipsec", "tls"};
	const struct audit_options options = {.today = "1970-01-01"};
	struct facts *facts = cli->facts;
	struct checks checks;
	struct tune_plan plan;
	struct audit audit;

	for (size_t t = 0; t < facts->table_count; t++) {
		for (size_t i = 0; i < facts->tables[t]->count; i++) {
			if (!facts->tables[t]->facts[i].of)
				facts_get(facts, facts->tables[t]->facts[i].name);
		}
	}
	if (!checks_load(facts, NULL, &checks, &cli->error))
		return false;
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		facts->role = roles[i];
		if (!audit_run(facts, &checks, &options, &audit, &cli->error))
			return false;
		tune_plan_of(cli, &checks, &audit, &plan);
	}
	return true;
}

static bool record(struct cli *cli, struct buffer *out)
{
	struct json_writer writer;

	*out = buffer_new(&cli->arena, CAPTURE_MAX_BYTES);
	if (!cli_open_host(cli) || !cli_open_bmc(cli) || !ask_everything(cli))
		return false;
	cli_close_bmc(cli);
	json_begin(&writer, out);
	json_object(&writer, NULL);
	json_text(&writer, "schema", "ampere-crypto/capture 1.0.0");
	root_record(cli->root, &writer);
	json_end(&writer);
	if (out->full)
		return error_set(&cli->error, "the capture is larger than %zu MB",
				 CAPTURE_MAX_BYTES >> 20);
	return true;
}

static int capture_to_stdout(struct cli *cli)
{
	struct buffer bytes;

	if (cli->options.json || cli->options.outputs.count) {
		error_exit(&cli->error, EXIT_USAGE,
			   "'-' already writes to standard output, leave --json and --output out");
		return EXIT_USAGE;
	}
	return record(cli, &bytes) && output_bytes(buffer_view(&bytes), &cli->error) ? EXIT_OK
										     : EXIT_TROUBLE;
}

static int run(struct cli *cli)
{
	const char *path = cli->options.arguments.items[0];
	struct document *document = cli_document(cli, &capture_kind);
	struct capture_result *result = arena_new(&cli->arena, struct capture_result);
	struct section *section;
	struct buffer bytes;

	if (!cli_check_bmc(cli))
		return EXIT_USAGE;
	if (strcmp(path, "-") == 0)
		return capture_to_stdout(cli);
	if (output_names(&cli->options.outputs, path)) {
		error_exit(&cli->error, EXIT_USAGE,
			   "--output: %s is the capture itself, name another file", path);
		return EXIT_USAGE;
	}
	if (!record(cli, &bytes) ||
	    !output_private(path, buffer_view(&bytes), cli->options.force, &cli->error))
		return cli_fail(cli, document);
	*result = (struct capture_result){path, (int64_t)bytes.size};
	document->results = (struct field_array){result, 1};
	document->host = cli->identity;
	cli_bmc_messages(cli, document);
	if (!cli->options.quiet) {
		section = document_section(document, NULL, 1, NULL);
		section_row(document, section,
			    arena_printf(&cli->arena,
					 "%s: %zu bytes; serial numbers, UUIDs, addresses, host "
					 "names and keys were "
					 "removed, read it before you share it",
					 path, bytes.size));
		document->next = arena_printf(&cli->arena, "ampere-crypto audit --root %s", path);
	}
	return cli_finish(cli, document, EXIT_OK);
}

const struct command command_capture = {
	.name = "capture",
	.arguments = "FILE",
	.summary = "a redacted copy of what audit and tune read, replayed with --root",
	.doc = "Write all that detect, audit and tune read here to FILE ('-': standard output), "
	       "without "
	       "serial numbers, UUIDs, "
	       "addresses, host names and keys. Any command replays it with --root FILE. An "
	       "existing FILE is only replaced "
	       "with --force; only its owner can read it.",
	.options = OPTION_JSON | OPTION_OUTPUT | OPTION_QUIET | OPTION_COLOR | OPTION_ROOT |
		   OPTION_FORCE | OPTIONS_BMC | OPTION_HELP,
	.arguments_min = 1,
	.arguments_max = 1,
	.completes = COMPLETES_FILES,
	.run = run,
};
