// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "cli/report.h"

#include <string.h>

enum { FAILING_SHOWN = 10 };

static void add_row(struct document *document, struct section *section, const char *label,
		    const char *text)
{
	if (text && *text)
		section_row(document, section, label, text);
}

/* What fails somewhere. */
void report_checks(struct document *document, const struct fleet *fleet)
{
	static const char *const header[] = {"severity", "check", "fails on"};
	const struct fleet_check *checks = fleet->checks.items;
	struct section *table = document_section(document, "What fails", 3, header);

	for (size_t i = 0; i < fleet->checks.count; i++)
		section_row(document, table, checks[i].item->severity, checks[i].item->id,
			    report_names(document->arena, &checks[i].machines));
}

/* What is to be done about it. */
void report_remedies(struct document *document, const struct fleet *fleet)
{
	const struct fleet_check *checks = fleet->checks.items;
	struct arena *arena = document->arena;

	for (size_t i = 0; i < fleet->checks.count; i++) {
		const struct result_item *item = checks[i].item;
		struct section *section = document_section(
			document,
			arena_printf(arena, "%s: %s", item->id, item->title ? item->title : ""), 2,
			NULL);

		section->detail = true;
		add_row(document, section, "why", item->why);
		add_row(document, section, "fix", item->fix);
		add_row(document, section, "undo", item->undo);
	}
}

static void add_findings(struct document *document, struct section *section,
			 const struct results *audit)
{
	const struct result_item *items[REPORT_FAILING_MAX];
	size_t count = fleet_failing(audit, items, REPORT_FAILING_MAX);
	struct arena *arena = document->arena;

	for (size_t i = 0; i < count && i < FAILING_SHOWN; i++) {
		const struct result_item *item = items[i];

		section_row(document, section, item->severity,
			    arena_printf(arena, "%s%s%s%s%s", item->id, item->found ? ": " : "",
					 item->found ? report_short(arena, item->found) : "",
					 item->wanted ? ", wanted " : "",
					 item->wanted ? item->wanted : ""));
		add_row(document, section, "", report_short(arena, item->evidence));
	}
	if (count > FAILING_SHOWN)
		section_row(document, section, "",
			    arena_printf(arena, "and %zu more that fail, see its audit",
					 count - FAILING_SHOWN));
}

static void add_machine(struct document *document, const struct fleet_machine *machine)
{
	struct section *section = document_section(
		document, arena_printf(document->arena, "Machine %s", machine->from->label), 2,
		NULL);
	section->detail = true;
	const char *vendor = results_member(machine->host, "machine.vendor");
	const char *product = results_member(machine->host, "machine.product");

	add_row(document, section, "model",
		vendor || product
			? arena_printf(document->arena, "%s%s%s", vendor ? vendor : "",
				       vendor && product ? " " : "", product ? product : "")
			: NULL);
	for (size_t i = 0; i < machine->from->count; i++) {
		const struct results *from = machine->from->files[i];

		section_row(document, section, from->command,
			    arena_printf(document->arena, "%s, %s%s%s", from->started, from->name,
					 from->role ? ", for " : "", from->role ? from->role : ""));
	}
	add_findings(document, section, machine->newest[FLEET_AUDIT]);
}

void report_details(struct document *document, const struct fleet *fleet)
{
	for (size_t i = 0; i < fleet->count && i < REPORT_DETAILS_MAX; i++)
		add_machine(document, &fleet->machines[i]);
	if (fleet->count > REPORT_DETAILS_MAX)
		document_message(document, "note",
				 "what fails is shown for the first %d of %zu machines; the JSON "
				 "has all",
				 REPORT_DETAILS_MAX, fleet->count);
}
