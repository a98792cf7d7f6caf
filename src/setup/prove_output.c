// SPDX-License-Identifier: BSD-2-Clause
#include "setup/prove_output.h"

#include "base/arena.h"
#include "engine/engine.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define LOADED "loaded /"

/* Proofs are of one program, so that its rows are known without their header. */
#define VERIFY_HEADER                                                                              \
	"lcore id  Buf Size  Burst size  Enqueued  Dequeued  Failed Enq  Failed Deq  Failed Ops\n"

static const char *judge_row(struct arena *arena, const struct engine_row *row, int64_t operations)
{
	const int64_t failed[] = {row->failed_enqueue, row->failed_dequeue, row->failed_ops};

	if (row->enqueued != operations || row->dequeued != operations)
		return arena_printf(arena, "%" PRId64 " of %" PRId64 " operations came back",
				    row->dequeued, operations);
	for (size_t i = 0; i < sizeof(failed) / sizeof(failed[0]); i++) {
		if (failed[i])
			return arena_printf(arena, "%" PRId64 " of %" PRId64 " operations failed",
					    failed[i], operations);
	}
	return NULL;
}

const char *output_rows(struct arena *arena, struct view output, uint64_t operations)
{
	struct buffer text = buffer_new(arena, sizeof(VERIFY_HEADER) + output.size);
	struct engine_run run;
	size_t rows = 0;

	buffer_text(&text, VERIFY_HEADER);
	buffer_add(&text, output.at, output.size);
	engine_parse_run(arena, "dpdk-crypto-perf", buffer_view(&text), 0, &run);
	for (size_t i = 0; i < run.row_count; i++) {
		const char *why = NULL;

		/* Not a row of verify, or not a whole one. */
		if (run.rows[i].failed_ops < 0)
			continue;
		rows++;
		why = judge_row(arena, &run.rows[i], (int64_t)operations);
		if (why)
			return why;
	}
	if (run.end != ENGINE_DONE && run.end != ENGINE_NOTHING && run.end != ENGINE_WRONG)
		return run.reason;
	return rows ? NULL : "its output has no row of operations";
}

/* Reads 0x…, up to the first character that is no hexadecimal digit. */
static bool read_hex(struct view text, uint64_t *number)
{
	size_t size = view_starts(text, "0x") ? 2 : 0;

	while (size && size < text.size && isxdigit((unsigned char)text.at[size]))
		size++;
	if (size < text.size && (isalnum((unsigned char)text.at[size]) || text.at[size] == '_'))
		return false;
	return size && view_u64((struct view){text.at, size}, 16, number);
}

const char *output_number(struct arena *arena, struct view output, const char *before,
			  const char *wanted, const char *ignored)
{
	uint64_t want, got, mask = 0;
	const char *at = view_find(output, before);
	struct view text;

	if (!view_u64(view_of(wanted), 16, &want) ||
	    (ignored && !view_u64(view_of(ignored), 16, &mask)))
		return "what the recipe wants is no hexadecimal number";
	if (!at)
		return arena_printf(arena, "'%s' is missing in its output", before);
	text.at = at + strlen(before);
	text.size = (size_t)(output.at + output.size - text.at);
	if (!read_hex(text, &got))
		return arena_printf(arena, "there is no number behind '%s'", before);
	if ((got ^ want) & ~mask)
		return arena_printf(arena, "%s0x%" PRIx64 ", want 0x%" PRIx64, before, got, want);
	return NULL;
}

void output_loaded(struct arena *arena, struct view output, struct names *out)
{
	struct view line;

	while (view_line(&output, &line)) {
		const char *path;

		if (!view_starts(line, LOADED))
			continue;
		path = view_copy(arena, (struct view){line.at + strlen(LOADED) - 1,
						      line.size - (strlen(LOADED) - 1)});
		if (!names_has(out, path))
			names_add(arena, out, path);
	}
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *output_other(const struct names *loaded, const char *path, bool *there)
{
	const char *name = base_name(path), *end = strstr(name, ".so");
	size_t size = end ? (size_t)(end - name) + strlen(".so") : strlen(name);
	const char *other = NULL;

	*there = false;
	for (size_t i = 0; i < loaded->count; i++) {
		if (strcmp(loaded->items[i], path) == 0)
			*there = true;
		else if (!other && strncmp(base_name(loaded->items[i]), name, size) == 0)
			other = loaded->items[i];
	}
	return other;
}

void output_checks(struct arena *arena, struct view output, struct names *right,
		   struct names *wrong)
{
	static const struct {
		const char *end;
		bool right;
	} verdicts[] = {
		{": right", true}, {": there", true}, {": WRONG", false}, {": MISSING", false}};
	struct view line;

	while (view_line(&output, &line)) {
		for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
			struct view what = line;

			if (!view_ends(line, verdicts[i].end))
				continue;
			if (verdicts[i].right)
				what.size -= strlen(verdicts[i].end);
			names_add(arena, verdicts[i].right ? right : wrong,
				  text_printable(arena, what));
		}
	}
}

void output_words(struct arena *arena, struct view output, struct names *out)
{
	struct view line, last = {0};
	struct buffer word;
	bool open = false;

	while (view_line(&output, &line)) {
		if (view_trim(line).size)
			last = view_trim(line);
	}
	word = buffer_new(arena, last.size + 1);
	for (size_t i = 0; i <= last.size; i++) {
		bool blank = i == last.size || last.at[i] == ' ' || last.at[i] == '\t';

		if (blank && open) {
			names_add(arena, out, arena_strdup(arena, buffer_string(&word)));
			word = buffer_new(arena, last.size + 1);
		}
		open = !blank;
		if (blank)
			continue;
		if (last.at[i] == '\\' && i + 1 < last.size)
			i++;
		buffer_char(&word, last.at[i]);
	}
}
