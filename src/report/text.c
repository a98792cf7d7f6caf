// SPDX-License-Identifier: BSD-2-Clause
#include "report/text.h"

#include "base/arena.h"
#include "report/outcome.h"
#include "report/section.h"

#include <inttypes.h>
#include <string.h>

/* A finding's line: status, severity, then id, title and verdict under one margin. */
enum { SEVERITY_COLUMN = 9, ID_COLUMN = 19, WIDE_ENOUGH_FOR_ID_COLUMN = 110 };

static bool is(const char *a, const char *b)
{
	return a && strcmp(a, b) == 0;
}

/* A label and its text, under the id of the finding. */
static void detail(struct page *page, const char *label, const char *text)
{
	if (!text || !*text)
		return;
	page_to(page, ID_COLUMN);
	page_put(page, STYLE_QUIET, label);
	page_to(page, ID_COLUMN + 10);
	page_paragraphs(page, ID_COLUMN + 10, text);
	page_end(page);
}

static void details(struct page *page, const struct finding *finding)
{
	const struct evidence *evidence = finding->evidence.items;

	for (size_t i = 0; i < finding->evidence.count; i++) {
		const char *raw = evidence[i].raw ? evidence[i].raw : "";
		const char *inferred =
			evidence[i].confidence == CONFIDENCE_INFERRED ? " (inferred)" : "";

		raw = text_printable(page->arena, view_of(raw));
		detail(page, "evidence",
		       arena_printf(page->arena, "%s%s%s%s", evidence[i].path, *raw ? ": " : "",
				    raw, inferred));
	}
	if (is(finding->outcome, "pass") || is(finding->outcome, "na"))
		return;
	if (is(finding->outcome, "unknown"))
		detail(page, "wanted", finding->wanted);
	detail(page, "why", finding->why);
	detail(page, "cost", finding->cost);
	detail(page, "fix", finding->fix);
	detail(page, "undo", finding->undo);
}

/* "TITLE: found, wanted X; reason"; of what is unknown or does not apply only why. */
static const char *verdict(struct page *page, const struct finding *finding, bool whole)
{
	struct buffer text = buffer_new(page->arena, (size_t)1 << 20);
	bool unsettled = is(finding->outcome, "unknown") || is(finding->outcome, "na");
	const char *separator = unsettled ? ": " : "; ";

	buffer_text(&text, finding->title);
	/* "none" of a list of faults, or of what is well absent, reads as if something were
	 * missing. */
	if (is(finding->outcome, "pass") && outcome_nothing_found(&finding->found) &&
	    finding->wanted)
		buffer_printf(&text, ": %s", finding->wanted);
	else if (!unsettled)
		buffer_printf(&text, ": %s", outcome_found(page->arena, finding, whole));
	if (!unsettled && !is(finding->outcome, "pass") && finding->wanted)
		buffer_printf(&text, ", wanted %s", finding->wanted);
	if (finding->reason)
		buffer_printf(&text, "%s%s", separator, finding->reason);
	if (finding->waiver)
		buffer_printf(&text, "; waived by %s until %s: %s", finding->waiver->owner,
			      finding->waiver->expires, finding->waiver->reason);
	return buffer_string(&text);
}

static void finding_line(struct page *page, const struct finding *finding,
			 const struct outcome_row *row, size_t id_cells, bool verbose)
{
	page_put(page, row->style, row->word);
	page_to(page, SEVERITY_COLUMN);
	page_put(page, STYLE_PLAIN, finding->severity);
	page_to(page, ID_COLUMN);
	page_put(page, STYLE_TITLE, finding->id);
	page_to(page, ID_COLUMN + id_cells + 2);
	page_wrap(page, ID_COLUMN, verdict(page, finding, verbose));
	page_end(page);
	if (verbose)
		details(page, finding);
}

/* Failing first, then by severity, then in the order of the checks. */
static void render_findings(struct page *page, const struct finding_list *list,
			    const struct text_style *style)
{
	size_t id_cells = 0;

	for (size_t i = 0; page->width >= WIDE_ENOUGH_FOR_ID_COLUMN && i < list->count; i++) {
		size_t cells = strlen(list->items[i].id);

		if (cells > id_cells)
			id_cells = cells;
	}
	for (size_t o = 0; o < outcome_row_count; o++) {
		if (outcome_rows[o].folded ? !style->all : style->quiet && o > 0)
			continue;
		for (size_t s = 0; s < outcome_severity_count; s++) {
			for (size_t i = 0; i < list->count; i++) {
				const struct finding *finding = &list->items[i];

				if (is(finding->outcome, outcome_rows[o].outcome) &&
				    is(finding->severity, outcome_severities[s]))
					finding_line(page, finding, &outcome_rows[o], id_cells,
						     style->verbose);
			}
		}
	}
}

static size_t count_findings(const struct finding_list *list, const char *outcome,
			     const char *severity)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct finding *finding = &list->items[i];

		if (is(finding->outcome, outcome) && (!severity || is(finding->severity, severity)))
			count++;
	}
	return count;
}

static void count_failures(struct buffer *text, const struct finding_list *list)
{
	const char *separator = " (";

	buffer_printf(text, "%zu fail", count_findings(list, "fail", NULL));
	for (size_t s = 0; s < outcome_severity_count; s++) {
		size_t count = count_findings(list, "fail", outcome_severities[s]);

		if (!count)
			continue;
		buffer_printf(text, "%s%zu %s", separator, count, outcome_severities[s]);
		separator = ", ";
	}
	if (separator[0] == ',')
		buffer_char(text, ')');
}

static void render_footer(struct page *page, const struct finding_list *list,
			  const struct text_style *style)
{
	struct buffer text = buffer_new(page->arena, 4096);
	size_t folded = count_findings(list, "pass", NULL) + count_findings(list, "na", NULL);

	count_failures(&text, list);
	buffer_printf(&text, ", %zu unknown", count_findings(list, "unknown", NULL));
	if (list->needs_root)
		buffer_printf(&text, " (%" PRId64 " %s root)", list->needs_root,
			      list->needs_root == 1 ? "needs" : "need");
	buffer_printf(&text, ", %zu waived, %zu pass, %zu na", count_findings(list, "waived", NULL),
		      count_findings(list, "pass", NULL), count_findings(list, "na", NULL));
	page_wrap(page, 2, buffer_string(&text));
	page_end(page);
	if (folded && !style->all) {
		page_put(page, STYLE_QUIET, "pass and na are shown by --all");
		page_end(page);
	}
}

static void render_messages(struct page *page, const struct document *document)
{
	const struct document_message *messages = document->messages.items;

	for (size_t i = 0; i < document->messages.count; i++) {
		page_put(page, is(messages[i].level, "note") ? STYLE_QUIET : STYLE_DOUBT,
			 messages[i].level);
		page_put(page, STYLE_PLAIN, ": ");
		page_wrap(page, 2, messages[i].text);
		page_end(page);
	}
}

void text_render(struct buffer *out, const struct document *document,
		 const struct text_style *style)
{
	struct page page = {.out = out,
			    .arena = document->arena,
			    .width = style->width,
			    .color = style->color,
			    .unicode = style->unicode};
	const struct finding_list *list = document->findings;
	size_t before = out->size;

	for (const struct section *section = document->first; section; section = section->next) {
		if (style->quiet && list)
			break;
		if (section->detail && !style->verbose)
			continue;
		if (section != document->first && section->title && section->rows)
			page_end(&page);
		section_render(&page, section);
	}
	if (list) {
		if (document->first && !style->quiet)
			page_end(&page);
		before = out->size;
		render_findings(&page, list, style);
	}
	if (style->quiet)
		return;
	if (list) {
		if (out->size > before)
			page_end(&page);
		render_footer(&page, list, style);
	}
	render_messages(&page, document);
	if (document->next) {
		page_put(&page, STYLE_PLAIN, "next: ");
		page_put(&page, STYLE_TITLE, document->next);
		page_end(&page);
	}
}
