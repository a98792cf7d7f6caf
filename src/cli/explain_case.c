// SPDX-License-Identifier: BSD-2-Clause
#include "cli/explain_case.h"

#include "bench/reference.h"
#include "bench/suite.h"
#include "catalog/identity.h"
#include "check/check.h"
#include "check/finding.h"
#include "cli/command.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct field case_rows[] = {
	{.key = "suites",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct explained_case, suites),
	 .required = true,
	 .doc = "that have it"},
	{.key = "case",
	 .kind = FIELD_OBJECT,
	 .offset = FIELD(struct explained_case, suite_case),
	 .required = true,
	 .table = &suite_case_table,
	 .doc = "as the first of them has it"},
	{.key = "published",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct explained_case, published),
	 .required = true,
	 .table = &reference_table,
	 .doc = "references, with the points of this case alone"},
};

const struct field_table explained_case_table =
	FIELD_TABLE("bench-case", struct explained_case, case_rows, "A case of bench.");

static bool load_suites(struct cli *cli, struct names *names, const struct suite ***out)
{
	const struct suite **suites;

	if (!suite_names(&cli->arena, names, &cli->error))
		return false;
	suites = arena_array(&cli->arena, const struct suite *, names->count + 1);
	for (size_t i = 0; i < names->count; i++) {
		if (!suite_load(&cli->arena, names->items[i], &suites[i], &cli->error))
			return false;
	}
	*out = suites;
	return true;
}

static const struct suite_case *find_case(const struct suite *const *suites, size_t count,
					  const char *name)
{
	const struct suite_case *found = NULL;

	for (size_t i = 0; i < count && !found; i++)
		found = suite_find(suites[i], name);
	return found;
}

bool case_names(struct cli *cli, struct names *names, struct names *titles)
{
	const struct suite **suites;
	struct names of_suites, all = {0}, told = {0};

	if (!load_suites(cli, &of_suites, &suites))
		return false;
	for (size_t i = 0; i < of_suites.count; i++) {
		const struct suite_case *cases = suites[i]->cases.items;

		for (size_t j = 0; j < suites[i]->cases.count; j++) {
			if (!names_has(&all, cases[j].name))
				names_add(&cli->arena, &all, cases[j].name);
		}
	}
	names_sort(&all);
	for (size_t i = 0; i < all.count; i++)
		names_add(&cli->arena, &told,
			  find_case(suites, of_suites.count, all.items[i])->title);
	*names = all;
	*titles = told;
	return true;
}

static void row(struct document *document, struct section *section, const char *label,
		const char *text)
{
	if (text && *text)
		section_row(document, section, label, text);
}

static const char *join_numbers(struct arena *arena, const struct numbers *numbers,
				const char *unit)
{
	struct names words = {0};

	for (size_t i = 0; i < numbers->count; i++)
		names_add(arena, &words, arena_printf(arena, "%" PRId64, numbers->items[i]));
	return words.count ? arena_printf(arena, "%s%s", names_join(arena, &words, ", "), unit)
			   : NULL;
}

/* "aes-gcm encrypt, key of 16 bytes, IV of 12" */
static void show_algorithm(struct document *document, struct section *section, const char *label,
			   const struct cperf_algorithm *algorithm)
{
	struct arena *arena = document->arena;

	if (!algorithm)
		return;
	row(document, section, label,
	    arena_printf(arena, "%s %s%s%s", algorithm->name, algorithm->op,
			 algorithm->key
				 ? arena_printf(arena, ", key of %" PRId64 " bytes", algorithm->key)
				 : ", no key",
			 algorithm->iv
				 ? arena_printf(arena, ", IV of %" PRId64 " bytes", algorithm->iv)
				 : ""));
}

static void show_dpdk(struct document *document, struct section *section,
		      const struct suite_case *one)
{
	const struct cperf_case *options = one->dpdk;
	struct arena *arena = document->arena;
	struct names answers = {0};

	row(document, section, "operation",
	    arena_printf(arena, "%s, in bursts of %" PRId64, options->optype, one->burst));
	show_algorithm(document, section, "cipher", options->cipher);
	show_algorithm(document, section, "auth", options->auth);
	show_algorithm(document, section, "aead", options->aead);
	if (options->aad)
		row(document, section, "additional data",
		    arena_printf(arena, "%" PRId64 " bytes", options->aad));
	if (options->digest)
		row(document, section, "digest",
		    arena_printf(arena, "%" PRId64 " bytes timed, all %" PRId64 " verified",
				 options->digest,
				 options->full_digest ? options->full_digest : options->digest));
	if (options->vector)
		names_add(arena, &answers, "answers of another implementation at each size");
	if (options->published.count)
		names_add(arena, &answers,
			  arena_printf(arena, "published vectors (%s)",
				       names_join(arena, &options->published, ", ")));
	row(document, section, "verified by",
	    answers.count ? names_join(arena, &answers, "; ")
			  : "nothing: no vector is known, so its numbers are marked unverified");
}

static void show_case(struct document *document, const struct explained_case *explained)
{
	const struct suite_case *one = explained->suite_case;
	struct section *section = document_section(document, one->name, 2, NULL);
	struct arena *arena = document->arena;

	row(document, section, "what", one->title);
	row(document, section, "suites", names_join(arena, &explained->suites, ", "));
	row(document, section, "engine",
	    one->words.count
		    ? arena_printf(arena, "%s %s", one->engine, names_join(arena, &one->words, " "))
		    : one->engine);
	row(document, section, "devices", names_join(arena, &one->devices, ", "));
	if (one->dpdk)
		show_dpdk(document, section, one);
	row(document, section, "sizes", join_numbers(arena, &one->sizes, " bytes"));
	row(document, section, "cores", join_numbers(arena, &one->cores, ""));
	row(document, section, "unit",
	    strcmp(one->unit, "MOps") == 0 ? "MOps/s, 10^6 operations a second"
					   : "Gbps, 10^9 bits of data a second");
	row(document, section, "bounded by",
	    one->limits.count
		    ? arena_printf(arena,
				   "what the core can do of %s, which bench measures beside it",
				   names_join(arena, &one->limits, ", "))
		    : "no instructions made for it: code, caches and clock");
}

/* "0.21 Gbps, 64 bytes, 1 core" */
static const char *point_of(struct arena *arena, const struct reference_row *point)
{
	bool gbps = !isnan(point->gbps);

	return arena_printf(arena, "%g %s, %" PRId64 " bytes, %" PRId64 " core%s%s%s",
			    gbps ? point->gbps : point->mops, gbps ? "Gbps" : "MOps/s",
			    point->size_bytes, point->cores, point->cores == 1 ? "" : "s",
			    point->device ? ", " : "", point->device ? point->device : "");
}

/* What is published, and whether this machine is compared with it. */
static void show_published(struct cli *cli, struct document *document,
			   const struct references *references,
			   const struct explained_case *explained)
{
	const struct reference_circumstances circumstances = {.host = cli->identity,
							      .measured_ghz = NAN};
	const struct reference *items = explained->published.items;
	const char *name = explained->suite_case->name;
	struct section *section = document_section(
		document, arena_printf(document->arena, "published for %s", name), 2, NULL);

	for (size_t i = 0; i < explained->published.count; i++) {
		const struct reference_row *points = items[i].rows.items;
		const struct reference_match *match =
			reference_find(document->arena, references, name, points->device,
				       points->size_bytes, points->cores, "Gbps", &circumstances);

		row(document, section, items[i].name, items[i].source);
		for (size_t j = 0; j < items[i].rows.count; j++)
			row(document, section, "", point_of(document->arena, &points[j]));
		if (match && i + 1 == explained->published.count)
			row(document, section, "here",
			    match->why ? arena_printf(document->arena, "%s: %s",
						      strcmp(match->comparable, "no") == 0
							      ? "not comparable"
							      : match->comparable,
						      match->why)
				       : "comparable: the same model");
	}
	if (!explained->published.count)
		row(document, section, "nothing", "there is no number to compare with");
}

static void show_checks(struct cli *cli, struct document *document, const struct checks *checks,
			const struct suite_case *one)
{
	struct section *section = document_section(
		document, arena_printf(document->arena, "checks that matter to %s", one->name), 3,
		NULL);

	for (size_t i = 0; i < checks->count; i++) {
		const struct check *check = &checks->items[i];
		const struct finding *finding;

		if (!names_match(&one->checks, check->id))
			continue;
		finding = explain_judge(cli, check);
		section_row(document, section, check->id, finding ? finding->outcome : "other role",
			    check->cost);
	}
}

/* The references that have points of this case, with those alone. */
static struct field_array published_for(struct arena *arena, const struct references *references,
					const char *name)
{
	struct reference *found = arena_array(arena, struct reference, references->count + 1);
	size_t count = 0;

	for (size_t i = 0; i < references->count; i++) {
		const struct reference_row *all = references->items[i].rows.items;
		struct reference_row *rows = arena_array(arena, struct reference_row,
							 references->items[i].rows.count + 1);
		size_t row_count = 0;

		for (size_t j = 0; j < references->items[i].rows.count; j++) {
			if (strcmp(all[j].name, name) == 0)
				rows[row_count++] = all[j];
		}
		if (!row_count)
			continue;
		found[count] = references->items[i];
		found[count++].rows = (struct field_array){rows, row_count};
	}
	return (struct field_array){found, count};
}

const struct explained_case *explain_case(struct cli *cli, struct document *document,
					  const struct checks *checks, const char *name)
{
	struct explained_case *explained = arena_new(&cli->arena, struct explained_case);
	const struct suite **suites;
	struct references references;
	struct names names;

	if (!load_suites(cli, &names, &suites))
		return NULL;
	for (size_t i = 0; i < names.count; i++) {
		const struct suite_case *one = suite_find(suites[i], name);

		if (!one)
			continue;
		names_add(&cli->arena, &explained->suites, names.items[i]);
		if (!explained->suite_case)
			explained->suite_case = one;
	}
	if (!explained->suite_case || !references_load(&cli->arena, &references, &cli->error))
		return NULL;
	explained->published = published_for(&cli->arena, &references, name);
	show_case(document, explained);
	show_published(cli, document, &references, explained);
	show_checks(cli, document, checks, explained->suite_case);
	return explained;
}
