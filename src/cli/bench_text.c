// SPDX-License-Identifier: BSD-2-Clause
#include "cli/bench_text.h"

#include "base/arena.h"
#include "base/text.h"
#include "cli/bench_cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is(const struct bench_result *result, const char *outcome)
{
	return strcmp(result->outcome, outcome) == 0;
}

static void add_libraries(struct document *document, const struct bench_page *page,
			  struct section *section)
{
	struct names seen = {0};

	for (size_t i = 0; i < page->count; i++) {
		const struct bench_library *library = &page->results[i].library;

		if (!library->path && !library->version)
			continue;
		const char *text = arena_printf(
			document->arena, "%s%s%s%s%s", library->path ? library->path : "",
			library->path && library->version ? ", " : "",
			library->version ? library->version : "", library->capability ? ", " : "",
			library->capability ? library->capability : "");

		if (!names_has(&seen, text)) {
			names_add(document->arena, &seen, text);
			section_row(document, section, "library", text);
		}
	}
}

static size_t count_results(const struct bench_page *page, const char *outcome)
{
	size_t count = 0;

	for (size_t i = 0; i < page->count; i++)
		count += is(&page->results[i], outcome);
	return count;
}

/* "verified 48 results before and after, 0 wrong; 3 measured without" */
static const char *answers(struct arena *arena, const struct bench_page *page)
{
	size_t verified = 0, wrong = 0, without = 0;

	for (size_t i = 0; i < page->count; i++) {
		const struct bench_result *result = &page->results[i];

		verified += result->verified;
		wrong += !result->verified && is(result, "fail");
		without += !result->verified && result->estimate && !is(result, "fail");
	}
	if (!verified && !wrong && !without)
		return NULL;
	if (without)
		return arena_printf(arena,
				    "verified %zu before and after, %zu wrong, %zu not verified",
				    verified, wrong, without);
	return arena_printf(arena, "verified %zu before and after, %zu wrong", verified, wrong);
}

/* "aes-128 33.1, ghash 62.0 Gbps" */
static const char *limits_text(struct arena *arena, const struct bench_summary *summary)
{
	const struct bench_limit *limits = summary->limits.items;
	struct buffer text = buffer_new(arena, 4096);

	for (size_t i = 0; i < summary->limits.count; i++)
		buffer_printf(&text, "%s%s %s", i ? ", " : "", limits[i].name,
			      bench_digits(arena, limits[i].gbps));
	buffer_text(&text, " Gbps, this core alone");
	return buffer_string(&text);
}

static void add_heading(struct document *document, const struct bench_page *page)
{
	struct section *section = document_section(document, NULL, 2, NULL);
	const struct bench_summary *summary = page->summary;
	struct arena *arena = document->arena;
	const char *known = answers(arena, page);

	if (page->machine)
		section_row(document, section, "machine", page->machine);
	if (page->origin)
		section_row(document, section, "benched", page->origin);
	add_libraries(document, page, section);
	if (summary && isfinite(summary->clock_ghz))
		section_row(document, section, "clock",
			    arena_printf(arena, "%s GHz, measured",
					 bench_digits(arena, summary->clock_ghz)));
	if (summary && summary->limits.count)
		section_row(document, section, "limits", limits_text(arena, summary));
	if (known)
		section_row(document, section, "answers", known);
	if (summary && summary->measurement_ms)
		section_row(
			document, section, "took",
			arena_printf(arena, "%s s for known answers, %s s measuring%s%s",
				     bench_digits(arena, (double)summary->verification_ms / 1000),
				     bench_digits(arena, (double)summary->measurement_ms / 1000),
				     summary->seed ? ", seed " : "",
				     summary->seed ? summary->seed : ""));
	section_row(document, section, "results",
		    arena_printf(arena, "%zu fail, %zu unknown, %zu pass, %zu na",
				 count_results(page, "fail"), count_results(page, "unknown"),
				 count_results(page, "pass"), count_results(page, "na")));
}

static bool together(const struct bench_result *a, const struct bench_result *b)
{
	return text_same(a->suite, b->suite) && text_same(a->name, b->name) &&
	       text_same(a->engine, b->engine) && text_same(a->device, b->device) &&
	       text_same(a->estimate->unit, b->estimate->unit) &&
	       text_same(a->library.path, b->library.path) &&
	       text_same(a->library.version, b->library.version);
}

static int by_size(const void *left, const void *right)
{
	const struct bench_result *a = *(const struct bench_result *const *)left,
				  *b = *(const struct bench_result *const *)right;

	if (a->size_bytes != b->size_bytes)
		return a->size_bytes < b->size_bytes ? -1 : 1;
	if (a->cores != b->cores)
		return a->cores < b->cores ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void describe(struct bench_group *group)
{
	const struct bench_result *first = group->results[0];
	bool operations = strcmp(first->estimate->unit, "MOps") == 0;

	group->compared = true;
	for (size_t i = 0; i < group->count; i++) {
		const struct bench_result *result = group->results[i];

		if (result->estimate->value > group->best)
			group->best = result->estimate->value;
		group->failed |= is(result, "fail");
		group->changed |= result->change != NULL;
		group->cores |= result->cores != first->cores;
		group->compared &=
			result->reference && strcmp(result->reference->comparable, "no") != 0;
	}
	/* Signatures are thousands a second. */
	group->scale = operations && group->best < 0.1 ? 1000 : 1;
	group->unit = !operations ? "Gbps" : group->scale > 1 ? "kOps/s" : "MOps/s";
}

/* The group that begins at `first`; false when an earlier result began it. */
static bool gather(struct arena *arena, const struct bench_page *page, size_t first,
		   struct bench_group *group)
{
	const struct bench_result *results = page->results;

	if (!bench_in_table(&results[first]))
		return false;
	for (size_t i = 0; i < first; i++) {
		if (bench_in_table(&results[i]) && together(&results[i], &results[first]))
			return false;
	}
	*group = (struct bench_group){
		.results = arena_array(arena, const struct bench_result *, page->count)};
	for (size_t i = first; i < page->count; i++) {
		if (bench_in_table(&results[i]) && together(&results[i], &results[first]))
			group->results[group->count++] = &results[i];
	}
	qsort(group->results, group->count, sizeof(group->results[0]), by_size);
	describe(group);
	return true;
}

static const char *group_title(struct arena *arena, const struct bench_page *page,
			       const struct bench_group *group)
{
	const struct bench_result *first = group->results[0];
	bool suites = false;
	const char *cores = "";

	for (size_t i = 0; i < page->count; i++)
		suites |= !text_same(page->results[i].suite, first->suite);
	if (!group->cores && first->cores)
		cores = arena_printf(
			arena, ", %" PRId64 " %s%s%s%s", first->cores,
			first->cores == 1 ? "core" : "cores", first->core_list ? " (" : "",
			first->core_list ? first->core_list : "", first->core_list ? ")" : "");
	return arena_printf(arena, "%s%s%s, %s%s", suites && first->suite ? first->suite : "",
			    suites && first->suite ? ": " : "", first->name, bench_place(first),
			    cores);
}

/* Whether what is said below a row is said again below the next one. */
static bool explained_later(const struct bench_group *group, size_t row)
{
	const struct names *mine = &group->results[row]->explain, *next;

	if (row + 1 == group->count || !is(group->results[row + 1], "fail"))
		return false;
	next = &group->results[row + 1]->explain;
	for (size_t i = 0; i < mine->count; i++) {
		if (!names_has(next, mine->items[i]))
			return false;
	}
	return true;
}

/* The table itself says that a number is below its band. */
static bool reason_is_shown(const struct bench_result *result)
{
	return is(result, "fail") && result->reference &&
	       result->estimate->value < result->reference->low;
}

static const char *particulars(struct arena *arena, const struct bench_result *result)
{
	return arena_printf(arena, "%s: %" PRId64 " samples, %" PRId64 " dropped%s%s", result->id,
			    result->estimate->samples, result->estimate->dropped,
			    result->reference ? "; published by " : "",
			    result->reference ? result->reference->source : "");
}

static void add_notes(struct document *document, const struct bench_group *group, size_t row,
		      bool verbose, struct section *section, struct names *said)
{
	const struct bench_result *result = group->results[row];
	struct names notes = {0};

	if (result->reason && !reason_is_shown(result))
		names_add(document->arena, &notes, result->reason);
	for (size_t i = 0; i < result->explain.count && !explained_later(group, row); i++)
		names_add(document->arena, &notes, result->explain.items[i]);
	if (result->reference && strcmp(result->reference->comparable, "same") != 0 &&
	    result->reference->why)
		names_add(document->arena, &notes,
			  arena_printf(document->arena, "%s: %s",
				       strcmp(result->reference->comparable, "no") == 0
					       ? "no verdict"
					       : "~ is an estimate",
				       result->reference->why));
	if (verbose)
		names_add(document->arena, &notes, particulars(document->arena, result));
	for (size_t i = 0; i < notes.count; i++) {
		if (names_has(said, notes.items[i]))
			continue;
		names_add(document->arena, said, notes.items[i]);
		section_note(document, section, notes.items[i]);
	}
}

static void add_group(struct document *document, const struct bench_page *page,
		      const struct bench_group *group)
{
	const struct bench_column *columns[SECTION_COLUMNS_MAX];
	const char **header = arena_array(document->arena, const char *, bench_column_count);
	enum column_kind *kinds =
		arena_array(document->arena, enum column_kind, bench_column_count);
	struct section *section;
	struct names said = {0};
	size_t count = 0;

	_Static_assert(SECTION_COLUMNS_MAX >= 13, "every column finds room");
	for (size_t c = 0; c < bench_column_count; c++) {
		bool any = false;

		for (size_t i = 0; i < group->count; i++)
			any |= bench_columns[c].cell(document->arena, group, group->results[i]) !=
			       NULL;
		if (!any)
			continue;
		header[count] = bench_columns[c].header ? bench_columns[c].header : group->unit;
		kinds[count] = bench_columns[c].kind;
		columns[count++] = &bench_columns[c];
	}
	section = document_section(document, group_title(document->arena, page, group), count,
				   header);
	section->kinds = kinds;
	for (size_t i = 0; i < group->count; i++) {
		const char *cells[SECTION_COLUMNS_MAX];

		for (size_t c = 0; c < count; c++) {
			cells[c] = columns[c]->cell(document->arena, group, group->results[i]);
			if (!cells[c] && kinds[c] != COLUMN_BAR)
				cells[c] = "n/a";
		}
		section_cells(document, section, cells);
		add_notes(document, group, i, page->verbose, section, &said);
	}
}

static void add_groups(struct document *document, const struct bench_page *page, bool failed)
{
	for (size_t i = 0; i < page->count; i++) {
		struct bench_group group;

		if (gather(document->arena, page, i, &group) && group.failed == failed)
			add_group(document, page, &group);
	}
}

static const char *next_command(const struct bench_page *page)
{
	bool wrong = false, all_smoke = true;

	for (size_t i = 0; i < page->count; i++) {
		wrong |= is(&page->results[i], "fail") && !page->results[i].verified;
		all_smoke &= text_same(page->results[i].suite, "smoke");
	}
	if (wrong)
		return "ampere-crypto status --verify";
	if (count_results(page, "fail"))
		return "ampere-crypto audit --role dpdk";
	if (!page->summary || !count_results(page, "pass"))
		return NULL;
	return all_smoke ? "ampere-crypto bench library dpdk"
			 : "ampere-crypto bench --save baseline.json";
}

void bench_text(struct document *document, const struct bench_page *page)
{
	static const char *const failed[] = {"fail", NULL}, *const others[] = {"pass", "unknown",
									       "na", NULL};

	if (!page->quiet)
		add_heading(document, page);
	bench_folded(document, page, "Failed, without a number", failed);
	add_groups(document, page, true);
	if (!page->quiet) {
		add_groups(document, page, false);
		bench_folded(document, page, "Not measured", others);
	}
	if (!document->next)
		document->next = next_command(page);
}
