// SPDX-License-Identifier: BSD-2-Clause
#include "cli/ldconf.h"

#include "base/arena.h"

static void add_rows(struct document *document, const char *title, const struct ldconf_left *items,
		     size_t count)
{
	static const char *const header[] = {"directory", "why"};
	struct section *section = count ? document_section(document, title, 2, header) : NULL;

	for (size_t i = 0; i < count; i++)
		section_row(document, section, items[i].directory, items[i].why);
}

static void add_entries(struct document *document, const struct ldconf_plan *plan)
{
	static const char *const header[] = {"file", "line", "why"};
	struct section *section =
		plan->entries.count
			? document_section(document, "entries for the loader", 3, header)
			: NULL;

	for (size_t i = 0; i < plan->entries.count; i++)
		section_row(document, section, plan->entries.items[i].file,
			    plan->entries.items[i].line, plan->entries.items[i].why);
}

static void add_changes(struct document *document, const struct ldconf_plan *plan)
{
	static const char *const header[] = {"program", "library", "now", "then", "missing"};
	struct section *section = plan->changes.count ? document_section(document,
									 "programs that would load "
									 "another file",
									 5, header)
						      : NULL;

	for (size_t i = 0; i < plan->changes.count; i++) {
		const struct ldconf_change *change = &plan->changes.items[i];

		section_row(document, section, change->program, change->library,
			    change->from ? change->from : "not found",
			    change->to ? change->to : "not found",
			    change->missing.count
				    ? names_join(document->arena, &change->missing, ", ")
				    : NULL);
	}
}

void ldconf_sections(struct document *document, const struct ldconf_plan *plan)
{
	if (plan->refusal)
		document_message(document, "error", "--ld-so-conf %s: %s", plan->policy,
				 plan->refusal);
	add_entries(document, plan);
	add_rows(document, "directories without an entry", plan->left_out.items,
		 plan->left_out.count);
	add_rows(document, "entries taken away", plan->taken_away.items, plan->taken_away.count);
	add_changes(document, plan);
	for (size_t i = 0; i < plan->notes.count; i++)
		document_message(document, "warning", "%s", plan->notes.items[i]);
}
