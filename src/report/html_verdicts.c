// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/value.h"
#include "report/html_private.h"
#include "report/markup.h"
#include "report/outcome.h"

#include <stdlib.h>
#include <string.h>

#define OPEN_MAX ((size_t)12)

/* A verdict where it stands on the page: the lower, the sooner. */
struct place {
	const struct verdict *verdict;
	size_t rank, order;
	bool folded;
};

static size_t severity_rank(const char *severity)
{
	size_t rank = 0;

	while (severity && rank < outcome_severity_count &&
	       strcmp(outcome_severities[rank], severity) != 0)
		rank++;
	return severity ? rank : outcome_severity_count;
}

static int by_rank(const void *a, const void *b)
{
	const struct place *left = a, *right = b;

	if (left->rank != right->rank)
		return left->rank < right->rank ? -1 : 1;
	return (left->order > right->order) - (left->order < right->order);
}

static struct place *sort_verdicts(const struct document *document, size_t *count)
{
	size_t counts[HTML_OUTCOMES_MAX], i = 0;
	struct place *places;

	*count = html_count(document, counts);
	places = arena_array(document->arena, struct place, *count + 1);
	for (const struct verdict *v = document->facets.first_verdict; v; v = v->next, i++) {
		const struct outcome_row *row = outcome_find(v->outcome);
		size_t outcome = row ? (size_t)(row - outcome_rows) : 0;

		places[i] = (struct place){.verdict = v,
					   .rank = outcome * (outcome_severity_count + 1) +
						   severity_rank(v->severity),
					   .order = i,
					   .folded = row && row->folded};
	}
	qsort(places, *count, sizeof(*places), by_rank);
	return places;
}

static void put_entry(struct buffer *out, const char *name, const char *class, const char *text)
{
	if (!text || !*text)
		return;
	buffer_printf(out, "<dt>%s</dt>", name);
	html_element(out, "dd", class, text);
	buffer_char(out, '\n');
}

static void put_evidence(struct buffer *out, const struct verdict *verdict)
{
	const struct evidence *evidence = verdict->evidence.items;

	if (!verdict->evidence.count)
		return;
	buffer_text(out, "<dt>evidence</dt><dd><ul>");
	for (size_t i = 0; i < verdict->evidence.count; i++) {
		buffer_text(out, "<li>");
		html_element(out, "code", NULL, evidence[i].path);
		buffer_char(out, ' ');
		html_element(out, "span", "raw", evidence[i].raw);
		if (evidence[i].confidence == CONFIDENCE_INFERRED)
			buffer_text(out, " (inferred)");
		buffer_text(out, "</li>");
	}
	buffer_text(out, "</ul></dd>\n");
}

/* Addresses are shown as text: a page about a machine sends nobody anywhere. */
static void put_references(struct buffer *out, const struct names *references)
{
	if (!references->count)
		return;
	buffer_text(out, "<dt>sources</dt><dd><ul>");
	for (size_t i = 0; i < references->count; i++)
		html_element(out, "li", NULL, references->items[i]);
	buffer_text(out, "</ul></dd>\n");
}

static bool is_failure(const struct verdict *verdict)
{
	return strcmp(verdict->outcome, "fail") == 0;
}

/* Whether there is more to say than the line that is always shown. */
static bool has_details(const struct verdict *verdict)
{
	return verdict->found || verdict->wanted || verdict->why || verdict->cost || verdict->fix ||
	       verdict->undo || verdict->waived || verdict->evidence.count ||
	       verdict->references.count;
}

static void put_line(struct buffer *out, const struct verdict *verdict)
{
	buffer_text(out, "<span class=\"state\">");
	html_badge(out, verdict->outcome);
	html_element(out, "span", "severity", verdict->severity);
	buffer_text(out, "</span><span class=\"title\">");
	markup_text(out, verdict->title ? verdict->title : verdict->id);
	if (verdict->title) {
		buffer_text(out, " ");
		html_element(out, "code", NULL, verdict->id);
	}
	buffer_text(out, "</span>");
	html_element(out, "span", verdict->found ? "short said" : "short", verdict->text);
}

static void put_verdict(struct buffer *out, const struct verdict *verdict)
{
	const struct outcome_row *row = outcome_find(verdict->outcome);

	buffer_printf(out, "<details class=\"verdict %s\"%s><summary>", row ? row->outcome : "na",
		      is_failure(verdict) && has_details(verdict) ? " open" : "");
	put_line(out, verdict);
	buffer_text(out, "</summary>\n<dl>");
	put_entry(out, "found", is_failure(verdict) ? "wrong" : NULL, verdict->found);
	put_entry(out, "wanted", NULL, verdict->wanted);
	if (verdict->found)
		put_entry(out, "remark", NULL, verdict->remark);
	put_entry(out, "waived", NULL, verdict->waived);
	put_evidence(out, verdict);
	put_entry(out, "why", NULL, verdict->why);
	put_entry(out, "cost", NULL, verdict->cost);
	put_entry(out, "fix", NULL, verdict->fix);
	put_entry(out, "undo", NULL, verdict->undo);
	put_references(out, &verdict->references);
	if (!has_details(verdict))
		put_entry(out, "id", NULL, verdict->id);
	buffer_text(out, "</dl>\n</details>\n");
}

/* Verdicts of one heading, behind one line where they are many and nothing fails. */
static void put_group(struct buffer *out, const struct place *places, size_t count, bool closed,
		      const char *words)
{
	if (!count)
		return;
	if (closed)
		buffer_printf(out, "<details class=\"folded\"><summary>%zu %s</summary>\n", count,
			      words);
	for (size_t i = 0; i < count; i++)
		put_verdict(out, places[i].verdict);
	if (closed)
		buffer_text(out, "</details>\n");
}

void html_verdicts(struct buffer *out, const struct document *document)
{
	size_t count, failed = 0, doubtful = 0;
	const struct place *places = sort_verdicts(document, &count);

	if (!count)
		return;
	while (failed < count && is_failure(places[failed].verdict))
		failed++;
	while (failed + doubtful < count && !places[failed + doubtful].folded)
		doubtful++;
	buffer_text(out, "<section>\n<h2>Verdicts</h2>\n");
	put_group(out, places, failed, false, NULL);
	put_group(out, places + failed, doubtful, doubtful > OPEN_MAX, "not known or waived");
	put_group(out, places + failed + doubtful, count - failed - doubtful, true,
		  "that pass or do not apply");
	buffer_text(out, "</section>\n");
}
