// SPDX-License-Identifier: BSD-2-Clause
#include "report/html.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/sha256.h"
#include "report/html_private.h"
#include "report/markup.h"
#include "report/outcome.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

void html_element(struct buffer *out, const char *tag, const char *class, const char *text)
{
	if (!text || !*text)
		return;
	buffer_printf(out, "<%s", tag);
	markup_attribute(out, "class", class);
	buffer_char(out, '>');
	markup_text(out, text);
	buffer_printf(out, "</%s>", tag);
}

void html_badge(struct buffer *out, const char *outcome)
{
	const struct outcome_row *row = outcome_find(outcome);

	if (row)
		buffer_printf(out, "<span class=\"badge %s\">%s</span>", row->outcome, row->word);
	else
		markup_text(out, outcome);
}

size_t html_count(const struct document *document, size_t counts[HTML_OUTCOMES_MAX])
{
	size_t all = 0;

	memset(counts, 0, HTML_OUTCOMES_MAX * sizeof(*counts));
	for (const struct verdict *v = document->facets.first_verdict; v; v = v->next, all++) {
		const struct outcome_row *row = outcome_find(v->outcome);

		if (row)
			counts[row - outcome_rows]++;
	}
	return all;
}

/* RFC 4648, of the 32 bytes of a digest. */
static void put_base64(struct buffer *out, const unsigned char bytes[32])
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < 32; i += 3) {
		unsigned second = i + 1 < 32 ? bytes[i + 1] : 0,
			 third = i + 2 < 32 ? bytes[i + 2] : 0;
		unsigned bits = (unsigned)bytes[i] << 16 | second << 8 | third;

		buffer_char(out, digits[bits >> 18 & 63]);
		buffer_char(out, digits[bits >> 12 & 63]);
		buffer_char(out, digits[bits >> 6 & 63]);
		buffer_char(out, i + 2 < 32 ? digits[bits & 63] : '=');
	}
}

/* Content Security Policy 3: nothing is fetched or run, and of styles only ours counts. */
static void put_policy(struct buffer *out)
{
	struct sha256 digest;
	unsigned char bytes[32];

	sha256_start(&digest);
	sha256_add(&digest, html_style, strlen(html_style));
	sha256_end(&digest, bytes);
	buffer_text(out,
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		    "style-src 'sha256-");
	put_base64(out, bytes);
	buffer_text(out, "'; base-uri 'none'; form-action 'none'\">\n");
}

/* "2 of 53 fail" */
static const char *headline(const struct document *document)
{
	size_t counts[HTML_OUTCOMES_MAX], all = html_count(document, counts);
	size_t failed = counts[outcome_find("fail") - outcome_rows],
	       unknown = counts[outcome_find("unknown") - outcome_rows];

	/* what judges nothing, such as report, must not seem to say that nothing is wrong */
	if (!all && document->exit_code == EXIT_OK)
		return arena_printf(document->arena, "%c%s",
				    toupper((unsigned char)document->kind->name[0]),
				    document->kind->name + 1);
	if (!all)
		return arena_printf(document->arena, "%s: %s", document->kind->name,
				    outcome_exit_word(document->exit_code));
	if (failed)
		return arena_printf(document->arena, "%zu of %zu fail", failed, all);
	if (unknown)
		return arena_printf(document->arena, "Nothing fails, %zu of %zu not known", unknown,
				    all);
	return arena_printf(document->arena, "Nothing fails of %zu", all);
}

static void put_head(struct buffer *out, const struct document *document, const char *title)
{
	const struct identity *host = document->host;

	buffer_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
	put_policy(out);
	buffer_text(out,
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		    "<meta name=\"color-scheme\" content=\"light dark\">\n"
		    "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
	markup_printf(out, "%s - ampere-crypto %s%s%s", title, document->kind->name,
		      host && host->family ? ", " : "", host && host->family ? host->family : "");
	buffer_text(out, "</title>\n<style>");
	buffer_text(out, html_style);
	buffer_text(out, "</style>\n</head>\n");
}

static void put_counts(struct buffer *out, const struct document *document)
{
	size_t counts[HTML_OUTCOMES_MAX];

	if (!html_count(document, counts))
		return;
	buffer_text(out, "<ul class=\"counts\">");
	for (size_t i = 0; i < outcome_row_count; i++)
		buffer_printf(out, "<li class=\"%s%s\"><b>%zu</b> <span>%s</span></li>",
			      outcome_rows[i].outcome, counts[i] ? "" : " none", counts[i],
			      outcome_rows[i].outcome);
	buffer_text(out, "</ul>\n");
}

/* A first section without a title and with one column is what a command says of itself. */
static bool is_lead(const struct document *document, const struct section *section)
{
	return section && section == document->first && !section->title && section->columns == 1;
}

static void put_lead(struct buffer *out, const struct document *document)
{
	const struct section *section = document->first;

	for (size_t row = 0; is_lead(document, section) && row < section->rows; row++)
		html_element(out, "p", "machine", section->cells[row]);
}

static void put_facts(struct buffer *out, const struct document *document)
{
	buffer_text(out, "<ul class=\"facts\"><li>");
	markup_printf(out, "exit status %" PRId64 ": %s", document->exit_code,
		      outcome_exit_word(document->exit_code));
	buffer_text(out, "</li><li>");
	buffer_text(out, "<time");
	markup_attribute(out, "datetime", document->started);
	buffer_char(out, '>');
	markup_text(out, document->started);
	buffer_text(out, "</time></li><li>");
	markup_printf(out, "took %" PRId64 ".%03" PRId64 " s", document->elapsed_ms / 1000,
		      document->elapsed_ms % 1000);
	buffer_text(out, "</li><li>");
	markup_printf(out, "%s %s", document->tool.name, document->tool.version);
	buffer_text(out, "</li></ul>\n");
}

static void put_messages(struct buffer *out, const struct document *document)
{
	const struct document_message *messages = document->messages.items;

	if (!document->messages.count)
		return;
	buffer_text(out, "<section>\n<h2>Messages</h2>\n<ul class=\"messages\">\n");
	for (size_t i = 0; i < document->messages.count; i++) {
		buffer_text(out, "<li");
		markup_attribute(out, "class", messages[i].level);
		buffer_text(out, "><strong>");
		markup_text(out, messages[i].level);
		buffer_text(out, ":</strong> ");
		markup_text(out, messages[i].text);
		buffer_text(out, "</li>\n");
	}
	buffer_text(out, "</ul>\n</section>\n");
}

static void put_end(struct buffer *out, const struct document *document)
{
	if (document->next) {
		buffer_text(out, "<section>\n<h2>Next</h2>\n<p>");
		html_element(out, "code", NULL, document->next);
		buffer_text(out, "</p>\n</section>\n");
	}
	buffer_text(out, "<footer><p>Made by <code>");
	markup_text(out, names_join(document->arena, &document->argv, " "));
	buffer_text(out, "</code></p></footer>\n</main>\n</body>\n</html>\n");
}

void html_render(struct buffer *out, const struct document *document)
{
	const char *title = headline(document);

	put_head(out, document, title);
	buffer_text(out, "<body>\n<main>\n<header>\n");
	html_element(out, "p", "brand",
		     arena_printf(document->arena, "ampere-crypto %s", document->kind->name));
	html_element(out, "h1", NULL, title);
	put_lead(out, document);
	put_facts(out, document);
	put_counts(out, document);
	buffer_text(out, "</header>\n");
	if (!is_lead(document, document->first) && document->first && !document->first->title)
		html_section(out, document->first);
	html_verdicts(out, document);
	/* of what judges nothing, such as report, the tables are what is looked for */
	if (document->facets.first_verdict)
		html_plots(out, document);
	for (const struct section *section = document->first; section; section = section->next) {
		if (!section->verdicts && (section != document->first || section->title))
			html_section(out, section);
	}
	if (!document->facets.first_verdict)
		html_plots(out, document);
	put_messages(out, document);
	put_end(out, document);
}
