// SPDX-License-Identifier: BSD-2-Clause
#include "catalog/probe.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/identity.h"

static const struct field detect_fields[] = {
	DOCUMENT_FIELDS(&probe_compiler_table, "the compilers asked by --probe",
			&document_tool_table),
};

static const struct field_table detect_table = FIELD_TABLE(
	"detect", struct document, detect_fields, "what `ampere-crypto detect --json` writes");

const struct document_kind detect_kind = {"detect", "1.0.0", &detect_table};

static void show_probe(struct document *document, const struct probe *probe)
{
	struct section *section = document_section(document, "compilers asked", 2, NULL);

	for (size_t i = 0; i < probe->count; i++) {
		const struct probe_compiler *compiler = &probe->compilers[i];

		section_row(document, section, compiler->name,
			    compiler->accepted
				    ? compiler->accepted
				    : arena_printf(document->arena, "accepts nothing: %s",
						   compiler->why));
		section_row(document, section, "", compiler->version);
	}
}

static bool judge(struct cli *cli, struct document *document)
{
	struct identity *identity = arena_new(&cli->arena, struct identity);

	if (!cli_open_host(cli))
		return false;
	*identity = *cli->identity;
	document->host = identity;
	if (cli->options.cpuinfo && !identity->arch && !identity->midr)
		return error_set(&cli->error, "--cpuinfo: %s has no line of a /proc/cpuinfo",
				 cli->options.cpuinfo);
	if (!cli->options.probe) {
		identity_sections(document, identity);
		return true;
	}
	cli->facts->probe = probe_run(&cli->arena, cli->facts->profile);
	probe_apply(&cli->arena, cli->facts->probe, identity);
	document->results =
		(struct field_array){cli->facts->probe->compilers, cli->facts->probe->count};
	identity_sections(document, identity);
	show_probe(document, cli->facts->probe);
	return true;
}

static int run(struct cli *cli)
{
	struct document *document = cli_document(cli, &detect_kind);

	return judge(cli, document) ? cli_finish(cli, document, EXIT_OK) : cli_fail(cli, document);
}

const struct command command_detect = {
	.name = "detect",
	.summary = "what this machine is, how that is known, its compiler flags",
	.doc = "Say what this machine (or a copy of /proc/cpuinfo) is, each piece of evidence for "
	       "it, what contradicts it, and the compiler flags for it.",
	.options = OPTIONS_REPORT | OPTIONS_HOST | OPTION_CPUINFO | OPTION_PROBE | OPTION_HELP,
	.run = run,
};
