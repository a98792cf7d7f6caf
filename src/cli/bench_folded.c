// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "cli/bench_cells.h"
#include "cli/bench_text.h"

#include <inttypes.h>
#include <string.h>

#define NAMED_MAX 4 /* cases of one line */

static bool is(const struct bench_result *result, const char *outcome)
{
	return strcmp(result->outcome, outcome) == 0;
}

static const char *result_words(struct arena *arena, const struct bench_result *result)
{
	return arena_printf(arena, "%s %s", result->name, bench_place(result));
}

/* "snow3g-uea2 crypto_openssl (6 results): too noisy …", once for each reason. */
static const char *folded(struct arena *arena, const struct bench_page *page, size_t first)
{
	const struct bench_result *results = page->results;
	struct names names = {0}, shown;
	size_t count = 0;
	const char *many = "";

	for (size_t i = first; i < page->count; i++) {
		const char *words = result_words(arena, &results[i]);

		if (bench_in_table(&results[i]) ||
		    !text_same(results[i].outcome, results[first].outcome) ||
		    !text_same(results[i].reason, results[first].reason) ||
		    (page->all && i > first))
			continue;
		count++;
		if (!names_has(&names, words))
			names_add(arena, &names, words);
	}
	shown = names;
	shown.count = names.count > NAMED_MAX ? NAMED_MAX : names.count;
	if (count > 1)
		many = arena_printf(arena, " (%zu results)", count);
	else if (results[first].size_bytes)
		many = arena_printf(arena, ", %" PRId64 " bytes", results[first].size_bytes);
	return arena_printf(arena, "%s%s%s: %s", names_join(arena, &shown, ", "),
			    names.count > shown.count ? ", …" : "", many,
			    results[first].reason ? results[first].reason : "no reason was given");
}

static void add_folded(struct document *document, const struct bench_page *page,
		       struct section *section, const char *outcome)
{
	for (size_t i = 0; i < page->count; i++) {
		const struct bench_result *result = &page->results[i];
		bool before = false;

		if (bench_in_table(result) || !is(result, outcome))
			continue;
		for (size_t j = 0; j < i && !page->all; j++)
			before |= !bench_in_table(&page->results[j]) &&
				  is(&page->results[j], outcome) &&
				  text_same(page->results[j].reason, result->reason);
		if (!before)
			section_row(document, section, outcome, folded(document->arena, page, i));
	}
}

void bench_folded(struct document *document, const struct bench_page *page, const char *title,
		  const char *const *outcomes)
{
	static const enum column_kind kinds[] = {COLUMN_OUTCOME, COLUMN_TEXT};
	struct section *section = document_section(document, title, 2, NULL);

	section->kinds = kinds;
	section->verdicts = true;
	for (size_t i = 0; outcomes[i]; i++)
		add_folded(document, page, section, outcomes[i]);
}
