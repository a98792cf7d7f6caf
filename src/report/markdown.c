// SPDX-License-Identifier: BSD-2-Clause
#include "report/markdown.h"

#include "base/arena.h"
#include "report/outcome.h"
#include "report/section.h"

#include <inttypes.h>
#include <string.h>

#define BAR_CELLS 10

struct markdown {
	struct buffer *out;
	struct arena *arena;
	const struct document *document;
};

/* What would be markup, and what stands for it. The comment keeps a name from being a mention or
 * an address and is not shown. */
static const char *const escapes[128] = {
	['\\'] = "\\\\", ['`'] = "\\`",   ['*'] = "\\*",      ['_'] = "\\_", ['['] = "\\[",
	[']'] = "\\]",   ['|'] = "\\|",   ['~'] = "\\~",      ['$'] = "\\$", ['<'] = "&lt;",
	['>'] = "&gt;",  ['&'] = "&amp;", ['@'] = "@<!-- -->"};

/* Links that need no brackets: "http://", "ftp://", "www.". */
static bool begins_link(const char *line, const char *at)
{
	return strncmp(at, "://", 3) == 0 ||
	       (at[0] == '.' && at - line >= 3 && strncasecmp(at - 3, "www", 3) == 0);
}

/* At the start of a line these begin a heading, a list or a line below a heading. */
static size_t put_start(struct buffer *out, const char *text)
{
	size_t digits = strspn(text, "0123456789");

	buffer_add(out, text, digits);
	if (digits ? (text[digits] == '.' || text[digits] == ')') &&
			     (!text[digits + 1] || text[digits + 1] == ' ')
		   : text[0] && strchr("#+-=", text[0])) {
		buffer_char(out, '\\');
		buffer_char(out, text[digits]);
		return digits + 1;
	}
	return digits;
}

static void put_line(struct markdown *markdown, struct view line)
{
	const char *text = text_printable(markdown->arena, line);
	struct buffer *out = markdown->out;

	while (*text == ' ')
		text++;
	for (const char *at = text + put_start(out, text); *at; at++) {
		const unsigned char c = (unsigned char)*at;

		if (c < sizeof(escapes) / sizeof(escapes[0]) && escapes[c])
			buffer_text(out, escapes[c]);
		else if (begins_link(text, at))
			buffer_printf(out, "\\%c", c);
		else
			buffer_char(out, (char)c);
	}
}

static struct view trim(struct view text)
{
	while (text.size && strchr(" \n", text.at[0]))
		text = (struct view){text.at + 1, text.size - 1};
	while (text.size && strchr(" \n", text.at[text.size - 1]))
		text.size--;
	return text;
}

/* Line feeds become breaks: a cell and a paragraph are one line of the file. */
static void put(struct markdown *markdown, const char *text)
{
	struct view rest = trim(view_of(text)), line;
	bool first = true;

	while (rest.size && view_split(&rest, '\n', &line)) {
		if (!first)
			buffer_text(markdown->out, "<br>");
		put_line(markdown, line);
		first = false;
	}
}

static void put_code(struct markdown *markdown, const char *text)
{
	buffer_text(markdown->out, "<code>");
	put(markdown, text);
	buffer_text(markdown->out, "</code>");
}

static void put_cell(struct markdown *markdown, enum column_kind kind, const char *cell)
{
	const struct outcome_row *row = kind == COLUMN_OUTCOME ? outcome_find(cell) : NULL;

	if (kind == COLUMN_BAR)
		put(markdown, section_bar(markdown->arena, cell, BAR_CELLS, true));
	else if (row && row->style == STYLE_BAD)
		buffer_printf(markdown->out, "**%s**", row->word);
	else
		put(markdown, row ? row->word : cell);
}

/* A table needs a head; it may be empty. */
static void put_head(struct markdown *markdown, const struct section *section)
{
	for (size_t i = 0; i < section->columns; i++) {
		buffer_text(markdown->out, i ? " " : "| ");
		put(markdown, section->header ? section->header[i] : "");
		buffer_text(markdown->out, " |");
	}
	buffer_text(markdown->out, "\n|");
	for (size_t i = 0; i < section->columns; i++)
		buffer_text(markdown->out,
			    section_kind(section, i) == COLUMN_NUMBER ? " ---: |" : " --- |");
	buffer_char(markdown->out, '\n');
}

static void put_row(struct markdown *markdown, const struct section *section, size_t row)
{
	const char *const *cells = section->cells + row * section->columns;

	for (size_t i = 0; i < section->columns; i++) {
		buffer_text(markdown->out, i ? " " : "| ");
		put_cell(markdown, section_kind(section, i), cells[i]);
		buffer_text(markdown->out, " |");
	}
	buffer_char(markdown->out, '\n');
}

/* Under the table, with the first cells of the row that they are about. */
static void put_notes(struct markdown *markdown, const struct section *section)
{
	const char *const *about = NULL;
	bool any = false;

	for (size_t row = 0; row < section->rows; row++) {
		const char *const *cells = section->cells + row * section->columns;

		if (!section->notes[row]) {
			about = cells;
			continue;
		}
		buffer_text(markdown->out, any ? "- " : "\n- ");
		any = true;
		for (size_t i = 0; about && i < 2 && i < section->columns; i++) {
			put_cell(markdown, section_kind(section, i), about[i]);
			buffer_text(markdown->out, i ? ": " : " ");
		}
		put(markdown, cells[0]);
		buffer_char(markdown->out, '\n');
	}
}

static void put_section(struct markdown *markdown, const struct section *section)
{
	bool lines = section->columns == 1 && !section->header;

	if (!section->rows)
		return;
	buffer_char(markdown->out, '\n');
	if (section->title) {
		buffer_text(markdown->out, "## ");
		put(markdown, section->title);
		buffer_text(markdown->out, "\n\n");
	}
	if (!lines)
		put_head(markdown, section);
	for (size_t row = 0; row < section->rows; row++) {
		if (lines) {
			buffer_text(markdown->out, row ? "\n" : "");
			put(markdown, section->cells[row]);
			buffer_char(markdown->out, '\n');
		} else if (!section->notes[row]) {
			put_row(markdown, section, row);
		}
	}
	if (!lines)
		put_notes(markdown, section);
}

static void put_finding(struct markdown *markdown, const struct finding *finding)
{
	struct buffer *out = markdown->out;
	bool unsettled =
		strcmp(finding->outcome, "unknown") == 0 || strcmp(finding->outcome, "na") == 0;
	const struct outcome_row *row = outcome_find(finding->outcome);

	buffer_text(out, "| ");
	put_cell(markdown, COLUMN_OUTCOME, finding->outcome);
	buffer_printf(out, " | %s | ", finding->severity);
	put_code(markdown, finding->id);
	buffer_text(out, "<br>");
	put(markdown, finding->title);
	buffer_text(out, " | ");
	if (!unsettled)
		put(markdown, outcome_found(markdown->arena, finding, false));
	if (finding->reason) {
		buffer_text(out, unsettled ? "" : "<br>");
		put(markdown, finding->reason);
	}
	if (finding->waiver) {
		buffer_text(out, "<br>");
		put(markdown, arena_printf(markdown->arena, "waived by %s until %s: %s",
					   finding->waiver->owner, finding->waiver->expires,
					   finding->waiver->reason));
	}
	buffer_text(out, " | ");
	put(markdown, finding->wanted);
	buffer_text(out, " | ");
	put(markdown, row && row->folded ? "" : finding->fix);
	buffer_text(out, " |\n");
}

static size_t count_outcome(const struct finding_list *list, const char *outcome)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += strcmp(list->items[i].outcome, outcome) == 0;
	return count;
}

/* Failing first, then by severity, then in the order of the checks. */
static void put_findings(struct markdown *markdown, const struct finding_list *list, bool folded)
{
	buffer_text(markdown->out, "\n| outcome | severity | check | found | wanted | fix |\n"
				   "| --- | --- | --- | --- | --- | --- |\n");
	for (size_t o = 0; o < outcome_row_count; o++) {
		for (size_t s = 0; outcome_rows[o].folded == folded && s < outcome_severity_count;
		     s++) {
			for (size_t i = 0; i < list->count; i++) {
				const struct finding *finding = &list->items[i];

				if (strcmp(finding->outcome, outcome_rows[o].outcome) == 0 &&
				    strcmp(finding->severity, outcome_severities[s]) == 0)
					put_finding(markdown, finding);
			}
		}
	}
}

static void put_audit(struct markdown *markdown, const struct finding_list *list)
{
	size_t counts[8] = {0}, folded = 0;

	buffer_text(markdown->out, "\n## Findings\n\n");
	for (size_t o = 0; o < outcome_row_count; o++) {
		counts[o] = count_outcome(list, outcome_rows[o].outcome);
		folded += outcome_rows[o].folded ? counts[o] : 0;
		buffer_printf(markdown->out, "%s%zu %s", o ? ", " : "", counts[o],
			      outcome_rows[o].outcome);
	}
	if (list->needs_root)
		buffer_printf(markdown->out, "; %" PRId64 " of the unknown %s root",
			      list->needs_root, list->needs_root == 1 ? "needs" : "need");
	buffer_char(markdown->out, '\n');
	if (list->count > folded)
		put_findings(markdown, list, false);
	if (!folded)
		return;
	buffer_printf(markdown->out,
		      "\n<details><summary>%zu that pass or do not apply</summary>\n", folded);
	put_findings(markdown, list, true);
	buffer_text(markdown->out, "\n</details>\n");
}

/* Commands that tell the host to people do so in their first section. */
static void put_host(struct markdown *markdown, const struct identity *host)
{
	const struct section *first = markdown->document->first;

	if (!host || (first && !first->title))
		return;
	buffer_char(markdown->out, '\n');
	put(markdown,
	    arena_printf(markdown->arena, "Machine: %s%s%s, %s, kernel %s",
			 host->family ? host->family : "not known", host->sku ? " " : "",
			 host->sku ? host->sku : "", host->arch ? host->arch : "not known",
			 host->kernel ? host->kernel : "not known"));
	buffer_char(markdown->out, '\n');
}

void markdown_render(struct buffer *out, const struct document *document)
{
	struct markdown markdown = {out, document->arena, document};
	const struct document_message *messages = document->messages.items;

	buffer_printf(out, "# %s %s\n\n", document->tool.name, document->kind->name);
	buffer_printf(out, "%s %s, %s, exit status %" PRId64 ": %s\n", document->tool.name,
		      document->tool.version, document->started, document->exit_code,
		      outcome_exit_word(document->exit_code));
	put_host(&markdown, document->host);
	for (const struct section *section = document->first; section; section = section->next)
		put_section(&markdown, section);
	if (document->findings)
		put_audit(&markdown, document->findings);
	for (size_t i = 0; i < document->messages.count; i++) {
		buffer_printf(out, "%s- **%s**: ", i ? "" : "\n", messages[i].level);
		put(&markdown, messages[i].text);
		buffer_char(out, '\n');
	}
	if (document->next) {
		buffer_text(out, "\nNext: ");
		put_code(&markdown, document->next);
		buffer_char(out, '\n');
	}
}
