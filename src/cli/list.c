// SPDX-License-Identifier: BSD-2-Clause
#include "bench/reference.h"
#include "bench/suite.h"
#include "catalog/profile.h"
#include "catalog/recipe.h"
#include "check/check.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/explain_case.h"

#include <string.h>

/* One thing that has a name here. */
struct list_entry {
	const char *id, *title, *severity, *unit, *of;
	struct names roles;
};

static const struct field entry_fields[] = {
	{.key = "id",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct list_entry, id),
	 .required = true,
	 .doc = "the name it is asked for by"},
	{.key = "title",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct list_entry, title),
	 .nullable = true,
	 .doc = "what it is, in one line"},
	{.key = "severity",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct list_entry, severity),
	 .doc = "of a check, for the role asked for"},
	{.key = "roles",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct list_entry, roles),
	 .doc = "roles a check is judged for; empty: all"},
	{.key = "unit",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct list_entry, unit),
	 .doc = "of a fact"},
	{.key = "of",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct list_entry, of),
	 .doc = "what the parameter of a fact names: FACT(PARAMETER)"},
};

static const struct field_table entry_table =
	FIELD_TABLE("entry", struct list_entry, entry_fields,
		    "A check, a fact, a profile, a recipe, a suite, a case or a reference.");

struct list_summary {
	int64_t count;
};

static const struct field summary_fields[] = {
	{.key = "count",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct list_summary, count),
	 .required = true,
	 .doc = "how many there are"},
};

static const struct field_table summary_table =
	FIELD_TABLE("summary", struct list_summary, summary_fields, "The results counted.");

static const struct field list_fields[] = {
	DOCUMENT_FIELDS(&entry_table, "The things listed.", &summary_table),
};

static const struct field_table list_table = FIELD_TABLE(
	"list", struct document, list_fields, "What `ampere-crypto list --json` writes.");

const struct document_kind list_kind = {"list", "1.0.0", &list_table};

static bool list_checks(struct cli *cli, struct field_array *out)
{
	struct checks checks;
	struct list_entry *entries;

	if (!cli_open_catalog(cli) || !checks_load(cli->facts, NULL, &checks, &cli->error))
		return false;
	entries = arena_array(&cli->arena, struct list_entry, checks.count);
	for (size_t i = 0; i < checks.count; i++)
		entries[i] = (struct list_entry){
			.id = checks.items[i].id,
			.title = checks.items[i].title,
			.roles = checks.items[i].roles,
			.severity = check_severity(&checks.items[i], cli->options.role)};
	*out = (struct field_array){entries, checks.count};
	return true;
}

static bool list_facts(struct cli *cli, struct field_array *out)
{
	size_t count = 0, done = 0;
	struct list_entry *entries;

	if (!cli_open_catalog(cli))
		return false;
	for (size_t t = 0; t < cli->facts->table_count; t++)
		count += cli->facts->tables[t]->count;
	entries = arena_array(&cli->arena, struct list_entry, count);
	for (size_t t = 0; t < cli->facts->table_count; t++) {
		for (size_t i = 0; i < cli->facts->tables[t]->count; i++) {
			const struct fact *fact = &cli->facts->tables[t]->facts[i];

			entries[done++] = (struct list_entry){.id = fact->name,
							      .title = fact->summary,
							      .unit = fact->unit,
							      .of = fact->of};
		}
	}
	*out = (struct field_array){entries, count};
	return true;
}

static bool list_profiles(struct cli *cli, struct field_array *out)
{
	struct list_entry *entries;
	struct cpu_profiles profiles;

	if (!cpu_profiles_load(&cli->arena, &profiles, &cli->error))
		return false;
	entries = arena_array(&cli->arena, struct list_entry, profiles.count + 1);
	for (size_t i = 0; i < profiles.count; i++)
		entries[i] = (struct list_entry){.id = profiles.items[i].name,
						 .title = profiles.items[i].title};
	*out = (struct field_array){entries, profiles.count};
	return true;
}

static bool list_recipes(struct cli *cli, struct field_array *out)
{
	struct list_entry *entries;
	struct names recipes;

	if (!recipe_names(&cli->arena, NULL, &recipes, &cli->error))
		return false;
	entries = arena_array(&cli->arena, struct list_entry, recipes.count + 1);
	for (size_t i = 0; i < recipes.count; i++) {
		const struct recipe *recipe;

		if (!recipe_load(&cli->arena, recipes.items[i], &recipe, &cli->error))
			return false;
		entries[i] = (struct list_entry){.id = recipe->name, .title = recipe->summary};
	}
	*out = (struct field_array){entries, recipes.count};
	return true;
}

static bool list_suites(struct cli *cli, struct field_array *out)
{
	struct list_entry *entries;
	struct names suites;

	if (!suite_names(&cli->arena, &suites, &cli->error))
		return false;
	entries = arena_array(&cli->arena, struct list_entry, suites.count + 1);
	for (size_t i = 0; i < suites.count; i++) {
		const struct suite *suite;

		if (!suite_load(&cli->arena, suites.items[i], &suite, &cli->error))
			return false;
		entries[i] = (struct list_entry){.id = suite->name, .title = suite->summary};
	}
	*out = (struct field_array){entries, suites.count};
	return true;
}

static bool list_cases(struct cli *cli, struct field_array *out)
{
	struct list_entry *entries;
	struct names cases, titles;

	if (!case_names(cli, &cases, &titles))
		return false;
	entries = arena_array(&cli->arena, struct list_entry, cases.count + 1);
	for (size_t i = 0; i < cases.count; i++)
		entries[i] = (struct list_entry){.id = cases.items[i], .title = titles.items[i]};
	*out = (struct field_array){entries, cases.count};
	return true;
}

static bool list_references(struct cli *cli, struct field_array *out)
{
	struct references references;
	struct list_entry *entries;

	if (!references_load(&cli->arena, &references, &cli->error))
		return false;
	entries = arena_array(&cli->arena, struct list_entry, references.count + 1);
	for (size_t i = 0; i < references.count; i++)
		entries[i] = (struct list_entry){.id = references.items[i].name,
						 .title = references.items[i].source};
	*out = (struct field_array){entries, references.count};
	return true;
}

static const struct list_kind {
	const char *name;
	bool (*list)(struct cli *cli, struct field_array *out);
} list_rows[] = {
	{"checks", list_checks},         {"facts", list_facts},   {"profiles", list_profiles},
	{"recipes", list_recipes},       {"suites", list_suites}, {"cases", list_cases},
	{"references", list_references},
};

static const char *const names[] = {"checks", "facts", "profiles",   "recipes",
				    "suites", "cases", "references", NULL};

static void show(struct cli *cli, struct document *document)
{
	const struct list_entry *entries = document->results.items;
	size_t columns = cli->options.quiet ? 1 : 3;
	struct section *section = document_section(document, NULL, columns, NULL);

	for (size_t i = 0; i < document->results.count; i++) {
		const struct list_entry *entry = &entries[i];
		const char *id = entry->id;

		if (entry->of && !cli->options.quiet)
			id = arena_printf(&cli->arena, "%s(%s)", id, entry->of);
		section_row(document, section, id,
			    entry->severity ? entry->severity
			    : entry->unit   ? entry->unit
					    : "",
			    entry->title);
	}
}

static int run(struct cli *cli)
{
	struct document *document = cli_document(cli, &list_kind);
	struct list_summary *summary = arena_new(&cli->arena, struct list_summary);
	const char *name = cli->options.arguments.items[0];
	const struct list_kind *kind = NULL;

	for (size_t i = 0; i < sizeof(list_rows) / sizeof(list_rows[0]); i++) {
		if (strcmp(list_rows[i].name, name) == 0)
			kind = &list_rows[i];
	}
	if (!kind) {
		usage_unknown(&cli->error, "list", name, names, words_count(names));
		return EXIT_USAGE;
	}
	if (!kind->list(cli, &document->results))
		return cli_fail(cli, document);
	summary->count = (int64_t)document->results.count;
	document->summary = summary;
	show(cli, document);
	return cli_finish(cli, document, EXIT_OK);
}

const struct command command_list = {
	.name = "list",
	.arguments = "WHAT",
	.summary = "checks, facts, profiles, recipes, suites, cases, references",
	.doc = "List what there is: checks, facts, profiles, recipes, suites of bench, their "
	       "cases, "
	       "or references. With --quiet the names alone, one a line.",
	.options = OPTIONS_REPORT | OPTION_ROLE | OPTION_HELP,
	.arguments_min = 1,
	.arguments_max = 1,
	.completes = COMPLETES_WORDS,
	.words = names,
	.run = run,
};
