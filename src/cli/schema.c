// SPDX-License-Identifier: BSD-2-Clause
#include "audit/waivers.h"
#include "bench/reference.h"
#include "bench/suite.h"
#include "catalog/profile.h"
#include "catalog/recipe.h"
#include "check/check.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "host/root.h"
#include "provision/plan.h"
#include "setup/manifest.h"
#include "tune/record.h"

#include <string.h>

#define SCHEMA_MAX_BYTES ((size_t)16 << 20)

static const char *const names[] = {
	"audit",
	"bench",
	"capture",
	"capture-report",
	"detect",
	"diff",
	"explain",
	"inspect",
	"list",
	"provision",
	"remove",
	"report",
	"rollback",
	"setup",
	"status",
	"tune",
	"version",
	"check",
	"cpu",
	"finding",
	"manifest",
	"profile",
	"provision-plan",
	"recipe",
	"reference",
	"suite",
	"tune-record",
	"waivers",
	NULL,
};

static const struct document_kind *const kinds[] = {
	&audit_kind,   &bench_kind,  &capture_kind,   &detect_kind,  &diff_kind,   &explain_kind,
	&inspect_kind, &list_kind,   &provision_kind, &remove_kind,  &report_kind, &rollback_kind,
	&setup_kind,   &status_kind, &tune_kind,      &version_kind,
};

/* Formats that are files of their own, or parts people use alone. */
static const struct document_kind parts[] = {
	{"capture", "1.0.0", &root_capture_table},
	{"check", "1.0.0", &check_table},
	{"cpu", "1.0.0", &cpu_profile_table},
	{"finding", "1.0.0", &finding_table},
	{"manifest", MANIFEST_SCHEMA_VERSION, &manifest_table},
	{"profile", "1.0.0", &check_file_table},
	{"provision-plan", "1.0.0", &provision_plan_table},
	{"recipe", "1.0.0", &recipe_table},
	{"reference", "1.0.0", &reference_table},
	{"suite", "1.0.0", &suite_table},
	{"tune-record", "1.0.0", &tune_record_table},
	{"waivers", "1.0.0", &waivers_table},
};

static const struct document_kind *find(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i]->name, name) == 0)
			return kinds[i];
	}
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (strcmp(parts[i].name, name) == 0)
			return &parts[i];
	}
	return NULL;
}

static bool write_schema(struct cli *cli, const char *name, struct buffer *out)
{
	const struct document_kind *kind = find(name);
	struct json_writer writer;

	if (!kind)
		return usage_unknown(&cli->error, "schema", name, names, words_count(names));
	json_begin(&writer, out);
	fields_schema(
		&writer, kind->table,
		arena_printf(&cli->arena, "urn:ampere-crypto:%s:%s", kind->name, kind->version),
		kind->version);
	json_end(&writer);
	return true;
}

static int run(struct cli *cli)
{
	struct buffer out = buffer_new(&cli->arena, SCHEMA_MAX_BYTES);

	for (size_t i = 0; !cli->options.arguments.count && names[i]; i++)
		buffer_printf(&out, "%s\n", names[i]);
	if (cli->options.arguments.count &&
	    !write_schema(cli, cli->options.arguments.items[0], &out))
		return EXIT_USAGE;
	return output_bytes(buffer_view(&out), &cli->error) ? EXIT_OK : EXIT_TROUBLE;
}

const struct command command_schema = {
	.name = "schema",
	.arguments = "[NAME]",
	.summary = "the JSON Schema of a format",
	.doc = "Print the JSON Schema (draft 2020-12) of a format this program writes (audit, "
	       "bench, "
	       "capture-report, detect, diff, explain, inspect, list, provision, remove, report, "
	       "rollback, "
	       "status, "
	       "tune, version: "
	       "the JSON of that command) or reads (capture, check, cpu, finding, manifest, "
	       "profile, provision-plan, recipe, reference, suite, tune-record, waivers); without "
	       "NAME, their "
	       "names.",
	.options = OPTION_HELP,
	.arguments_max = 1,
	.completes = COMPLETES_WORDS,
	.words = names,
	.run = run,
};
