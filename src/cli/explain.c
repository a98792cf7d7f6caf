// SPDX-License-Identifier: BSD-2-Clause
#include "audit/audit.h"
#include "catalog/recipe.h"
#include "check/check.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/explain_case.h"
#include "tune/tune.h"

#include <string.h>

#define TOPICS_MAX ((size_t)4096)

/* A check, a fact with what it is here, the version rules of a recipe, or a case of bench. */
struct explanation {
	const char *id;
	const struct check *check;
	const struct finding *finding; /* the check judged here, or NULL */
	const struct fact_page {
		const char *name, *summary, *unit, *of, *found;
	} * fact;
	const struct recipe *recipe;
	const struct explained_case *bench_case;
};

static const struct field fact_fields[] = {
	{.key = "name",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct fact_page, name),
	 .required = true,
	 .doc = "as rules name it, with its parameter"},
	{.key = "summary",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct fact_page, summary),
	 .required = true,
	 .doc = "what it is and how it is read"},
	{.key = "unit",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct fact_page, unit),
	 .nullable = true,
	 .doc = "of its number"},
	{.key = "of",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct fact_page, of),
	 .nullable = true,
	 .doc = "what its parameter names"},
	{.key = "found",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct fact_page, found),
	 .nullable = true,
	 .doc = "what it is on this host, in words; null when a parameter is wanted"},
};

static const struct field_table fact_page_table =
	FIELD_TABLE("fact", struct fact_page, fact_fields, "A named value that rules can use.");

static const struct field explanation_fields[] = {
	{.key = "id",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct explanation, id),
	 .required = true,
	 .doc = "as asked for"},
	{.key = "check",
	 .kind = FIELD_OBJECT,
	 .offset = FIELD(struct explanation, check),
	 .required = true,
	 .nullable = true,
	 .table = &check_table,
	 .doc = "the check of that id"},
	{.key = "finding",
	 .kind = FIELD_OBJECT,
	 .offset = FIELD(struct explanation, finding),
	 .required = true,
	 .nullable = true,
	 .table = &finding_table,
	 .doc = "the check judged on this host; null when the role leaves it out"},
	{.key = "fact",
	 .kind = FIELD_OBJECT,
	 .offset = FIELD(struct explanation, fact),
	 .required = true,
	 .nullable = true,
	 .table = &fact_page_table,
	 .doc = "the fact of that name"},
	{.key = "recipe",
	 .kind = FIELD_OBJECT,
	 .offset = FIELD(struct explanation, recipe),
	 .required = true,
	 .nullable = true,
	 .table = &recipe_table,
	 .doc = "the recipe of that name"},
	{.key = "bench_case",
	 .kind = FIELD_OBJECT,
	 .offset = FIELD(struct explanation, bench_case),
	 .required = true,
	 .nullable = true,
	 .table = &explained_case_table,
	 .doc = "the case of bench of that name"},
};

static const struct field_table explanation_table =
	FIELD_TABLE("explanation", struct explanation, explanation_fields,
		    "A check, a fact, a recipe or a case of bench.");

static const struct field explain_fields[] = {
	DOCUMENT_FIELDS(&explanation_table, "What was asked for, in that order.",
			&document_tool_table),
};

static const struct field_table explain_table = FIELD_TABLE(
	"explain", struct document, explain_fields, "What `ampere-crypto explain --json` writes.");

const struct document_kind explain_kind = {"explain", "1.0.0", &explain_table};

static void row(struct document *document, struct section *section, const char *label,
		const char *text)
{
	if (text && *text)
		section_row(document, section, label, text);
}

static void show_evidence(struct cli *cli, struct document *document, struct section *section,
			  const struct evidence *evidence, size_t count)
{
	for (size_t i = 0; i < count; i++)
		row(document, section, i ? "" : "evidence",
		    arena_printf(
			    &cli->arena, "%s%s%s%s", evidence[i].path, evidence[i].raw ? ": " : "",
			    evidence[i].raw ? text_printable(&cli->arena, view_of(evidence[i].raw))
					    : "",
			    evidence[i].confidence == CONFIDENCE_INFERRED ? " (inferred)" : ""));
}

static void show_finding(struct cli *cli, struct document *document, struct section *section,
			 const struct finding *finding)
{
	const char *text = value_format(&cli->arena, &finding->found, finding->unit);

	if (finding->found.kind <= VALUE_NONE && finding->reason)
		text = finding->reason;
	else if (finding->reason)
		text = arena_printf(&cli->arena, "%s; %s", text, finding->reason);
	row(document, section, "here", arena_printf(&cli->arena, "%s: %s", finding->outcome, text));
	show_evidence(cli, document, section, finding->evidence.items, finding->evidence.count);
}

static void show_check(struct cli *cli, struct document *document, const struct check *check,
		       const struct finding *finding)
{
	struct section *section = document_section(document, check->id, 2, NULL);
	struct arena *arena = &cli->arena;

	row(document, section, "what", check->title);
	row(document, section, "severity", check_severity(check, cli->options.role));
	row(document, section, "roles", names_join(arena, &check->roles, ", "));
	row(document, section, "wanted",
	    check->wanted ? check->wanted : rule_describe(arena, check->pass, cli->facts));
	if (finding)
		show_finding(cli, document, section, finding);
	if (!finding || strcmp(finding->outcome, "na") != 0)
		row(document, section, "na when", check->na_reason);
	row(document, section, "read", check->read);
	row(document, section, "unknown", check->unknown_hint);
	row(document, section, "why", check->why);
	row(document, section, "cost", check->cost);
	row(document, section, "fix", check->fix);
	row(document, section, "undo", check->undo);
	if (tune_setting_of(check->id))
		row(document, section, "tune",
		    arena_printf(arena, "'ampere-crypto tune' %s; --revert takes it back",
				 tune_setting_of(check->id)));
	for (size_t i = 0; i < check->references.count; i++)
		row(document, section, i ? "" : "see", check->references.items[i]);
}

static void show_fact(struct cli *cli, struct document *document, const struct fact_page *fact,
		      const struct value *value)
{
	struct section *section = document_section(document, fact->name, 2, NULL);

	row(document, section, "what", fact->summary);
	row(document, section, "unit", fact->unit);
	row(document, section, "of", fact->of);
	if (!value)
		return;
	row(document, section, "here", fact->found);
	show_evidence(cli, document, section, value->evidence, value->evidence_count);
}

/* The row of a fact named with or without its parameter. */
static const struct fact *fact_row(const struct facts *facts, const char *name)
{
	size_t size = strcspn(name, "(");

	for (size_t t = 0; t < facts->table_count; t++) {
		for (size_t i = 0; i < facts->tables[t]->count; i++) {
			const struct fact *fact = &facts->tables[t]->facts[i];

			if (strlen(fact->name) == size && strncmp(fact->name, name, size) == 0)
				return fact;
		}
	}
	return NULL;
}

static bool explain_fact(struct cli *cli, struct document *document,
			 struct explanation *explanation)
{
	const struct fact *fact = fact_row(cli->facts, explanation->id);
	const struct value *value = NULL;
	struct fact_page *page;

	if (!fact)
		return false;
	page = arena_new(&cli->arena, struct fact_page);
	*page = (struct fact_page){explanation->id, fact->summary, fact->unit, fact->of, NULL};
	if (facts_find(cli->facts, explanation->id))
		value = facts_get(cli->facts, explanation->id);
	if (value)
		page->found = value_format(&cli->arena, value, fact->unit);
	explanation->fact = page;
	show_fact(cli, document, page, value);
	return true;
}

const struct finding *explain_judge(struct cli *cli, const struct check *check)
{
	struct checks one = {.items = arena_new(&cli->arena, struct check), .count = 1};
	struct audit_options options = {.today = "1970-01-01"};
	struct audit audit;

	*one.items = *check;
	if (!audit_run(cli->facts, &one, &options, &audit, NULL) || !audit.findings.count)
		return NULL;
	return audit.findings.items;
}

static bool explain_check(struct cli *cli, struct document *document, const struct checks *checks,
			  struct explanation *explanation)
{
	for (size_t i = 0; i < checks->count; i++) {
		if (strcmp(checks->items[i].id, explanation->id) != 0)
			continue;
		explanation->check = &checks->items[i];
		explanation->finding = explain_judge(cli, explanation->check);
		show_check(cli, document, explanation->check, explanation->finding);
		return true;
	}
	return false;
}

static void show_rule(struct cli *cli, struct document *document, struct section *section,
		      const struct recipe_rule *rule)
{
	struct arena *arena = &cli->arena;

	section_row(document, section, "on", names_join(arena, &rule->families, ", "));
	if (rule->with)
		row(document, section, "with",
		    arena_printf(arena, "%s %s", rule->with,
				 names_join(arena, &rule->with_versions, ", ")));
	row(document, section, "wanted", names_join(arena, &rule->versions, ", "));
	row(document, section, "avoid", names_join(arena, &rule->avoid, ", "));
	row(document, section, "why", rule->why);
	for (size_t i = 0; i < rule->references.count; i++)
		row(document, section, i ? "" : "see", rule->references.items[i]);
}

/* "3.4.1  eol  3.4 is out of support since October 2026" */
static void show_versions(struct cli *cli, struct document *document, const struct recipe *recipe)
{
	const struct recipe_version *versions = recipe->versions.items;
	struct section *section;

	if (!recipe->versions.count)
		return;
	section = document_section(
		document, arena_printf(&cli->arena, "versions of %s", recipe->name), 3, NULL);
	for (size_t i = 0; i < recipe->versions.count; i++)
		section_row(document, section, versions[i].version, versions[i].status,
			    versions[i].reason ? versions[i].reason : "");
}

static void show_depends(struct cli *cli, struct document *document, struct section *section,
			 const struct recipe *recipe)
{
	const struct recipe_depend *depends = recipe->depends.items;

	for (size_t i = 0; i < recipe->depends.count; i++) {
		const struct recipe_when *when = depends[i].when;
		bool some = when && when->versions.count;

		row(document, section, i ? "" : "depends",
		    arena_printf(&cli->arena, "%s %s%s%s%s", depends[i].name,
				 names_join(&cli->arena, &depends[i].versions, " or "),
				 some ? ", for " : "",
				 some ? names_join(&cli->arena, &when->versions, ", ") : "",
				 depends[i].optional ? "; can be left out" : ""));
	}
}

static bool explain_recipe(struct cli *cli, struct document *document, const struct names *recipes,
			   struct explanation *explanation)
{
	const struct recipe_rule *rules;
	struct section *section;

	if (!names_has(recipes, explanation->id) ||
	    !recipe_load(&cli->arena, explanation->id, &explanation->recipe, &cli->error))
		return false;
	section = document_section(document, explanation->id, 2, NULL);
	row(document, section, "what", explanation->recipe->summary);
	row(document, section, "license", explanation->recipe->license);
	row(document, section, "homepage", explanation->recipe->homepage);
	show_depends(cli, document, section, explanation->recipe);
	rules = explanation->recipe->rules.items;
	for (size_t i = 0; i < explanation->recipe->rules.count; i++)
		show_rule(cli, document, section, &rules[i]);
	show_versions(cli, document, explanation->recipe);
	return true;
}

static bool unknown_topic(struct cli *cli, const struct checks *checks, const struct names *recipes,
			  const struct names *cases, const char *word)
{
	const char **known = arena_array(&cli->arena, const char *, TOPICS_MAX);
	size_t count = 0;

	for (size_t i = 0; i < checks->count && count < TOPICS_MAX; i++)
		known[count++] = checks->items[i].id;
	for (size_t t = 0; t < cli->facts->table_count; t++) {
		for (size_t i = 0; i < cli->facts->tables[t]->count && count < TOPICS_MAX; i++)
			known[count++] = cli->facts->tables[t]->facts[i].name;
	}
	for (size_t i = 0; i < recipes->count && count < TOPICS_MAX; i++)
		known[count++] = recipes->items[i];
	for (size_t i = 0; i < cases->count && count < TOPICS_MAX; i++)
		known[count++] = cases->items[i];
	if (!text_nearest(word, known, count))
		return error_exit(
			&cli->error, EXIT_USAGE,
			"unknown check, fact, recipe or case '%s', see ampere-crypto list "
			"checks (or facts, recipes, cases)",
			word);
	return usage_unknown(&cli->error, "check, fact, recipe or case", word, known, count);
}

static bool explain_all(struct cli *cli, struct document *document)
{
	size_t count = cli->options.arguments.count;
	struct explanation *explanations = arena_array(&cli->arena, struct explanation, count);
	struct checks *checks = arena_new(&cli->arena, struct checks);
	struct names recipes, cases, titles;

	if (!cli_open_host(cli) || !checks_load(cli->facts, NULL, checks, &cli->error) ||
	    !recipe_names(&cli->arena, NULL, &recipes, &cli->error) ||
	    !case_names(cli, &cases, &titles))
		return false;
	for (size_t i = 0; i < count; i++) {
		explanations[i].id = cli->options.arguments.items[i];
		if (explain_check(cli, document, checks, &explanations[i]) ||
		    explain_fact(cli, document, &explanations[i]) ||
		    explain_recipe(cli, document, &recipes, &explanations[i]))
			continue;
		if (!cli->error.text[0])
			explanations[i].bench_case =
				explain_case(cli, document, checks, explanations[i].id);
		if (!explanations[i].bench_case)
			return cli->error.text[0] ? false
						  : unknown_topic(cli, checks, &recipes, &cases,
								  explanations[i].id);
	}
	document->results = (struct field_array){explanations, count};
	return true;
}

static int run(struct cli *cli)
{
	struct document *document = cli_document(cli, &explain_kind);

	if (!explain_all(cli, document))
		return cli_fail(cli, document);
	return cli_finish(cli, document, EXIT_OK);
}

const struct command command_explain = {
	.name = "explain",
	.arguments = "ID...",
	.summary = "why a check matters, how it is read, how to fix and undo it",
	.doc = "Explain checks, facts, recipes and cases of bench: why it matters, how it is read, "
	       "what is "
	       "expected, what "
	       "getting it wrong costs, how to fix it and how to undo the fix; and what it is on "
	       "this machine; what a case measures, what bounds it and what is published for it.",
	.options = OPTIONS_REPORT | OPTIONS_HOST | OPTION_ROLE | OPTION_HELP,
	.arguments_min = 1,
	.arguments_max = 16,
	.completes = COMPLETES_TOPICS,
	.run = run,
};
