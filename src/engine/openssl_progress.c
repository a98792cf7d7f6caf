// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include "base/arena.h"

#include <string.h>
#include <strings.h>

/*
 * "Doing …" lines of openssl speed, of all releases:
 *   Doing NAME [ops ]for 3s on 16 size blocks: COUNT NAME['s| ops] in 3.00s
 *   Doing 2048 bits private rsa[ sign ops|'s] for 10s: COUNT 2048 bits private RSA… in 9.98s
 *   Doing ML-KEM-768 keygen ops for 10s: COUNT ML-KEM-768 KEM keygen ops in 10.00s
 * What follows the colon may stand on a later line.
 */

#define PROGRESS_MAX 20000
#define NAMES_MAX 256
#define ROWS_LOOKED_AT 1024

static void keep_name(struct parse *parse, struct names *names, const char *name)
{
	if (names->count < NAMES_MAX && !names_has(names, name))
		names_add(parse->arena, names, name);
}

void openssl_keep(struct parse *parse, struct parse_run *now,
		  const struct openssl_progress *progress)
{
	struct openssl_state *state = &now->openssl;

	if (state->progress_count == PROGRESS_MAX)
		return;
	if (state->progress_count == state->progress_room) {
		size_t room = state->progress_room ? state->progress_room * 2 : 32;
		struct openssl_progress *grown =
			arena_array(parse->arena, struct openssl_progress, room);

		if (state->progress_count)
			memcpy(grown, state->progress, state->progress_count * sizeof(*grown));
		state->progress = grown;
		state->progress_room = room;
	}
	state->progress[state->progress_count++] = *progress;
	if (progress->bits < 0 && progress->operation && progress->name) {
		if (strcmp(progress->operation, "encaps") == 0)
			keep_name(parse, &state->kem_names, progress->name);
		if (strcmp(progress->operation, "sign") == 0)
			keep_name(parse, &state->signature_names, progress->name);
	}
}

static struct view before(struct view text, const char *at)
{
	return (struct view){text.at, (size_t)(at - text.at)};
}

static struct view behind(struct view text, const char *at, size_t size)
{
	return (struct view){at + size, (size_t)(text.at + text.size - at) - size};
}

static const char *find_last(struct view text, const char *needle)
{
	const char *found = NULL, *at = view_find(text, needle);

	while (at) {
		found = at;
		at = view_find(behind(text, at, strlen(needle)), needle);
	}
	return found;
}

/* "3s" */
static bool read_seconds(struct view word, double *seconds)
{
	struct engine_number number;

	if (!view_ends(word, "s"))
		return false;
	word.size--;
	if (!engine_number(word, &number))
		return false;
	*seconds = number.value;
	return true;
}

static struct view drop_end(struct view text, const char *end)
{
	text = view_trim(text);
	if (view_ends(text, end))
		text.size -= strlen(end);
	return view_trim(text);
}

/* "2048 bits private rsa sign" and "ML-KEM-768 keygen": the key and what is done with it. */
static void read_key(struct parse *parse, struct view text, struct openssl_progress *out)
{
	static const struct {
		const char *word, *operation;
	} operations[] = {{"private", "sign"},    {"public", "verify"}, {"sign", "sign"},
			  {"signs", "sign"},      {"verify", "verify"}, {"encrypt", "encrypt"},
			  {"decrypt", "decrypt"}, {"keygen", "keygen"}, {"encaps", "encaps"},
			  {"decaps", "decaps"},   {"KEM", NULL},        {"signature", NULL}};
	struct view word, first = {NULL, 0}, rest = text;
	const char *name = NULL;
	uint64_t bits;

	out->operation = "derive";
	if (view_word(&rest, &first) && view_u64(first, 10, &bits) && bits <= INT32_MAX)
		out->bits = (int64_t)bits;
	else
		name = parse_copy(parse, first);
	while (view_word(&rest, &word)) {
		bool is_operation = false;

		for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
			if (!view_is(word, operations[i].word))
				continue;
			is_operation = true;
			if (operations[i].operation)
				out->operation = operations[i].operation;
		}
		if (!is_operation && !view_is(word, "bits") && !view_is(word, "bit") &&
		    out->bits >= 0)
			name = parse_copy(parse, drop_end(word, "'s"));
	}
	out->name = name ? name : "";
}

/* COUNT … in 3.00s */
static bool read_result(struct view text, struct openssl_progress *out)
{
	const char *in = find_last(text, " in ");
	struct view count, tail;
	struct engine_number number;

	text = view_trim(text);
	if (!in || !view_word(&text, &count) || !engine_number(count, &number) || number.decimals)
		return false;
	tail = view_trim((struct view){in + 4, (size_t)(text.at + text.size - in) - 4});
	if (!read_seconds(tail, &out->seconds))
		return false;
	out->count = number.value;
	return true;
}

/* What stands between "Doing " and the colon. */
static bool read_request(struct parse *parse, struct view text, struct openssl_progress *out)
{
	const char *on = find_last(text, " on "), *wait = find_last(text, " for ");
	struct view name, tail, word;
	uint64_t size;

	if (!wait)
		return false;
	name = drop_end(drop_end(before(text, wait), " ops"), "'s");
	tail = behind(text, wait, 5);
	if (!view_word(&tail, &word) || !read_seconds(word, &out->wanted_s))
		return false;
	if (!on || on < wait) {
		read_key(parse, name, out);
		return true;
	}
	tail = behind(text, on, 4);
	if (!view_word(&tail, &word) || !view_u64(word, 10, &size) || size > INT32_MAX)
		return false;
	out->size = (int64_t)size;
	out->name = parse_copy(parse, name);
	return true;
}

/* The counts of a table that stands above them: standard error after standard output. */
static bool is_of_table(const struct parse_run *now, const struct openssl_progress *progress)
{
	for (size_t i = 0; i < now->run.row_count && i < ROWS_LOOKED_AT; i++) {
		const struct engine_row *row = &now->run.rows[i];
		double rate = progress->count / progress->seconds;

		if (row->size_bytes == progress->size && row->name &&
		    strcasecmp(row->name, progress->name) == 0 &&
		    engine_number_near(rate, row->ops_per_s, rate * 0.01))
			return true;
	}
	return false;
}

/* A new process begins to measure: the one before has printed its table. */
static bool begins_another(const struct parse_run *now, const struct openssl_progress *progress)
{
	return now && now->run.engine && !strcmp(now->run.engine, "openssl-speed") &&
	       (now->openssl.table || now->openssl.version_said) && !is_of_table(now, progress);
}

static bool is_of_pending(const struct openssl_state *state, struct view line)
{
	const char *name = state->pending.name;
	struct view count, word;
	uint64_t number;

	if (!state->is_pending || !view_find(line, " in ") || !view_word(&line, &count) ||
	    !view_u64(count, 10, &number) || !view_word(&line, &word))
		return false;
	return state->pending.bits >= 0 || strncasecmp(word.at, name, word.size) == 0 ||
	       view_starts(word, name) || view_is(word, "evp");
}

bool openssl_progress_line(struct parse *parse, struct view line)
{
	struct openssl_progress progress = {
		.size = -1, .bits = -1, .code = -1, .wanted_s = NAN, .seconds = NAN, .count = NAN};
	struct parse_run *now = parse_now(parse);
	const char *doing = find_last(line, "Doing "), *colon;
	struct view text;
	bool whole;

	if (!doing) {
		if (!now || !is_of_pending(&now->openssl, line) ||
		    !read_result(line, &now->openssl.pending))
			return false;
		now->openssl.is_pending = false;
		openssl_keep(parse, now, &now->openssl.pending);
		return true;
	}
	text = behind(line, doing, 6);
	colon = view_find(text, ": ");
	if (!colon && view_ends(text, ":"))
		colon = text.at + text.size - 1;
	progress.line = parse->line;
	if (!read_request(parse, colon ? before(text, colon) : text, &progress))
		return false;
	whole = colon && read_result(behind(text, colon, 1), &progress);
	now = parse_run(parse, "openssl-speed", begins_another(now, &progress));
	now->openssl.is_pending = !whole;
	if (whole)
		openssl_keep(parse, now, &progress);
	now->openssl.pending = progress;
	return true;
}
