// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "cli/report.h"
#include "report/number.h"

#include <inttypes.h>
#include <string.h>

enum {
	DIGITS = 3,
	NAMES_SHOWN = 4,
	SHORT_BYTES = 160,
	DRIFT_SHOWN = 200,
	OUTLIERS_SHOWN = 200,
	VALUES_SHOWN = 6
};

const char *report_names(struct arena *arena, const struct names *names)
{
	struct names first = {.items = names->items, .count = names->count};

	if (names->count <= NAMES_SHOWN)
		return names_join(arena, &first, ", ");
	first.count = NAMES_SHOWN - 1;
	return arena_printf(arena, "%zu machines: %s ...", names->count,
			    names_join(arena, &first, ", "));
}

const char *report_short(struct arena *arena, const char *text)
{
	size_t size = SHORT_BYTES;

	if (!text || strlen(text) <= SHORT_BYTES)
		return text;
	while (size && ((unsigned char)text[size] & 0xc0) == 0x80)
		size--;
	return arena_printf(arena, "%.*s ...", (int)size, text);
}

static const char *text_or(const char *text, const char *other)
{
	return text ? text : other;
}

static const char *silicon(struct arena *arena, const struct result_members *host)
{
	const char *family = results_member(host, "family"), *sku = results_member(host, "sku");

	return arena_printf(arena, "%s%s%s", text_or(family, "n/a"), sku ? " " : "",
			    text_or(sku, ""));
}

static const char *number(struct arena *arena, const struct fleet_counts *counts, int64_t value)
{
	return counts ? arena_printf(arena, "%" PRId64, value) : "n/a";
}

static const char *headline(struct arena *arena, const struct fleet_machine *machine)
{
	const struct result_number *from = machine->headline ? machine->headline->number : NULL;

	return from ? arena_printf(arena, "%s %s", number_digits(arena, from->value, DIGITS),
				   from->unit)
		    : "n/a";
}

static const char *drift_text(struct arena *arena, const struct fleet_machine *machine)
{
	bool twice = false;

	for (int c = 0; c < FLEET_COMMANDS; c++)
		twice |= machine->before[c] != NULL;
	if (!twice)
		return "n/a";
	if (!machine->worse && !machine->better && !machine->changed)
		return "none";
	return arena_printf(arena, "%" PRId64 " worse, %" PRId64 " better, %" PRId64 " changed",
			    machine->worse, machine->better, machine->changed);
}

/* Those that matter most stand on the left: narrow terminals lose columns from the right. */
static void add_overview(struct document *document, const struct fleet *fleet)
{
	static const char *const header[] = {"machine", "fail",     "critical", "unknown",
					     "pass",    "drift",    "bench",    "silicon",
					     "kernel",  "firmware", "latest"};
	static const enum column_kind kinds[] = {COLUMN_TEXT,   COLUMN_NUMBER, COLUMN_NUMBER,
						 COLUMN_NUMBER, COLUMN_NUMBER, COLUMN_TEXT,
						 COLUMN_NUMBER, COLUMN_TEXT,   COLUMN_TEXT,
						 COLUMN_TEXT,   COLUMN_TEXT};
	struct section *section = document_section(document, "Machines", 11, header);
	struct arena *arena = document->arena;

	section->kinds = kinds;
	for (size_t i = 0; i < fleet->count; i++) {
		const struct fleet_machine *one = &fleet->machines[i];
		const struct fleet_counts *audit = one->audit;
		const struct results *last = one->from->files[one->from->count - 1];

		section_row(document, section, one->from->label,
			    number(arena, audit, audit ? audit->fail : 0),
			    number(arena, audit, audit ? audit->critical : 0),
			    number(arena, audit, audit ? audit->unknown : 0),
			    number(arena, audit, audit ? audit->pass : 0), drift_text(arena, one),
			    headline(arena, one), silicon(arena, one->host),
			    text_or(results_member(one->host, "kernel"), "n/a"),
			    text_or(results_member(one->host, "firmware.version"), "n/a"),
			    last->started);
	}
	if (fleet->headline)
		section_note(document, section,
			     arena_printf(arena, "bench is %s", fleet->headline));
}

/* The machines of a value: those of the most frequent one are not of interest one by one. */
static const char *holders(struct arena *arena, const struct fleet_value *value, bool usual)
{
	if (usual && value->machines.count > 1)
		return arena_printf(arena, "%zu machines", value->machines.count);
	return report_names(arena, &value->machines);
}

static void add_difference(struct document *document, struct section *section,
			   const struct fleet_difference *difference)
{
	const struct fleet_value *values = difference->values.items;
	size_t count = difference->values.count;
	size_t shown = count <= VALUES_SHOWN ? count : VALUES_SHOWN - 1;
	struct arena *arena = document->arena;

	for (size_t v = 0; v < shown; v++)
		section_row(document, section, v ? "" : difference->id,
			    holders(arena, &values[v], !v), report_short(arena, values[v].value));
	if (shown < count)
		section_row(document, section, "", "",
			    arena_printf(arena, "and %zu other values", count - shown));
}

static void add_differences(struct document *document, const struct fleet *fleet)
{
	static const char *const header[] = {"what", "machines", "value"};
	const struct fleet_difference *all = fleet->differences.items;
	struct section *section =
		document_section(document, "What differs between machines", 3, header);

	for (size_t i = 0; i < fleet->differences.count; i++)
		add_difference(document, section, &all[i]);
}

static void add_outliers(struct document *document, const struct fleet *fleet)
{
	static const char *const header[] = {"machine", "what", "here, and on the others"};
	const struct fleet_outlier *all = fleet->outliers.items;
	struct section *section =
		document_section(document, "Machines that differ from most", 3, header);
	struct arena *arena = document->arena;
	size_t count = fleet->outliers.count;

	for (size_t i = 0; i < count && i < OUTLIERS_SHOWN; i++)
		section_row(document, section, all[i].machine, all[i].id,
			    arena_printf(arena, "%s; others %s (%s)",
					 report_short(arena, all[i].value),
					 report_short(arena, all[i].usual), all[i].rule));
	if (count > OUTLIERS_SHOWN)
		section_note(document, section,
			     arena_printf(arena, "and %zu more", count - OUTLIERS_SHOWN));
}

static size_t add_drift(struct document *document, struct section *section,
			const struct fleet_machine *machine, const char *kind, size_t shown)
{
	const struct fleet_drift *drift = machine->drift.items;
	struct arena *arena = document->arena;

	for (size_t i = 0; i < machine->drift.count; i++) {
		const struct change *change = &drift[i].change;

		if (strcmp(change->kind, kind) != 0 || shown++ >= DRIFT_SHOWN)
			continue;
		section_row(
			document, section, machine->from->label, change->kind, change->id,
			arena_printf(arena, "%s -> %s",
				     text_or(report_short(arena, change->before), "(not there)"),
				     text_or(report_short(arena, change->after), "(not there)")));
		if (change->note)
			section_note(document, section, report_short(arena, change->note));
	}
	return shown;
}

/* What got worse, better, different, of all machines together. */
static void add_drifts(struct document *document, const struct fleet *fleet, bool quiet)
{
	static const char *const header[] = {"machine", "change", "what", "before -> after"};
	static const char *const kinds[] = {"worse", "better", "changed", "added", "removed"};
	struct section *section = document_section(document, "Since last time", 4, header);
	size_t shown = 0, last = quiet ? 1 : sizeof(kinds) / sizeof(kinds[0]);

	for (size_t k = 0; k < last; k++)
		for (size_t i = 0; i < fleet->count; i++)
			shown = add_drift(document, section, &fleet->machines[i], kinds[k], shown);
	if (shown > DRIFT_SHOWN)
		section_note(document, section,
			     arena_printf(document->arena, "and %zu more", shown - DRIFT_SHOWN));
}

static void add_totals(struct document *document, const struct report_summary *summary)
{
	section_row(document, document_section(document, NULL, 1, NULL),
		    arena_printf(document->arena,
				 "%" PRId64 " %s, %" PRId64 " %s; since last time %" PRId64
				 " worse, %" PRId64 " better, %" PRId64 " changed",
				 summary->machines, summary->machines == 1 ? "machine" : "machines",
				 summary->files, summary->files == 1 ? "result" : "results",
				 summary->worse, summary->better, summary->changed));
}

void report_page(struct document *document, const struct fleet *fleet,
		 const struct report_summary *summary, bool quiet)
{
	if (!quiet) {
		add_totals(document, summary);
		add_overview(document, fleet);
	}
	add_drifts(document, fleet, quiet);
	if (!quiet)
		report_checks(document, fleet);
	add_outliers(document, fleet);
	if (!quiet) {
		add_differences(document, fleet);
		report_remedies(document, fleet);
	}
}
