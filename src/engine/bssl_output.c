// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include "base/arena.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/*
 * `bssl speed` of BoringSSL and AWS-LC: "Did N WHAT operations in Yus (Z ops/sec): W MB/s", where
 * "(16 bytes)" stands somewhere in WHAT and MB are 10^6 bytes; with -json an array of objects with
 * description, numCalls, microseconds and bytesPerCall.
 */

#define DESCRIPTION_MAX_BYTES 200
#define ROWS_LOOKED_AT 512

static const struct {
	const char *word, *operation;
} operations[] = {{"seal", "seal"},         {"open", "open"},          {"encrypt", "encrypt"},
		  {"decrypt", "decrypt"},   {"signing", "sign"},       {"sign", "sign"},
		  {"verify", "verify"},     {"keygen", "keygen"},      {"key-gen", "keygen"},
		  {"encap", "encaps"},      {"encaps", "encaps"},      {"decap", "decaps"},
		  {"decaps", "decaps"},     {"encapsulate", "encaps"}, {"decapsulate", "decaps"},
		  {"generation", "keygen"}, {"hash", "hash"},          {"derive", "derive"},
		  {"init", "init"},         {"verification", "verify"}};

/* "AES-128-GCM (16 bytes) seal": name, operation and size. */
static void read_description(struct parse *parse, struct view text, struct engine_row *row)
{
	struct buffer name = buffer_new(parse->arena, DESCRIPTION_MAX_BYTES);
	struct view word, unit;
	uint64_t size;

	while (view_word(&text, &word)) {
		bool taken = view_is(word, "operations") || view_is(word, "operation");

		if (word.size > 1 && word.at[0] == '(' &&
		    view_u64((struct view){word.at + 1, word.size - 1}, 10, &size)) {
			struct view rest = text;

			if (view_word(&rest, &unit) &&
			    (view_is(unit, "bytes)") || view_is(unit, "byte)")) &&
			    size <= INT32_MAX) {
				row->size_bytes = (int64_t)size;
				text = rest;
				continue;
			}
		}
		for (size_t i = 0; !taken && i < sizeof(operations) / sizeof(operations[0]); i++) {
			if (word.size != strlen(operations[i].word) ||
			    strncasecmp(word.at, operations[i].word, word.size) != 0)
				continue;
			row->operation = operations[i].operation;
			taken = true;
		}
		if (taken)
			continue;
		if (name.size)
			buffer_char(&name, ' ');
		buffer_add(&name, word.at, word.size);
	}
	row->name = parse_copy(parse, buffer_view(&name));
}

/* A process prints each once: a second one is of another process. */
static bool is_again(const struct parse_run *now, const struct engine_row *row)
{
	if (!now || !now->run.engine || strcmp(now->run.engine, "bssl-speed") != 0)
		return false;
	for (size_t i = now->run.row_count > ROWS_LOOKED_AT ? now->run.row_count - ROWS_LOOKED_AT
							    : 0;
	     i < now->run.row_count; i++) {
		const struct engine_row *other = &now->run.rows[i];

		if (other->size_bytes == row->size_bytes && strcmp(other->name, row->name) == 0 &&
		    (other->operation == row->operation ||
		     (other->operation && row->operation &&
		      !strcmp(other->operation, row->operation))))
			return true;
	}
	return false;
}

static void keep(struct parse *parse, const struct engine_row *row)
{
	struct parse_run *now = parse_run(parse, "bssl-speed", is_again(parse_now(parse), row));
	struct engine_row *kept = parse_row(parse, now);

	if (kept) {
		size_t line = kept->line;

		*kept = *row;
		kept->line = line;
	}
}

static struct view behind(struct view text, const char *at, size_t size)
{
	return (struct view){at + size, (size_t)(text.at + text.size - at) - size};
}

/* A number up to `end`; a comma makes the row void. */
static bool read_number(struct parse *parse, struct engine_row *row, struct view text,
			const char *end, struct engine_number *out)
{
	const char *at = view_find(text, end);
	struct view number;

	if (!at)
		return false;
	number = view_trim((struct view){text.at, (size_t)(at - text.at)});
	if (engine_number(number, out))
		return true;
	if (engine_number_comma(number))
		VOID_ROW(parse, row,
			 "'%s' has a decimal comma or thousands separators (another locale): not "
			 "read; "
			 "run it with LC_ALL=C",
			 parse_copy(parse, number));
	else if (engine_number_impossible(number))
		VOID_ROW(parse, row, "'%s' is no rate: nothing was measured",
			 parse_copy(parse, number));
	return false;
}

/* Count, time, rate and MB/s must agree; the rate has one decimal, so has MB/s. */
static void check(struct parse *parse, struct engine_row *row, double count, double us,
		  const struct engine_number *rate, const struct engine_number *mb)
{
	double made = count / us * 1e6;

	if (us <= 0 || count <= 0 || rate->value <= 0) {
		VOID_ROW(parse, row, "it is 0: nothing was measured");
		return;
	}
	if (!engine_number_near(made, rate->value, rate->half + made * 1e-6))
		VOID_ROW(
			parse, row,
			"the row contradicts itself: %.0f operations in %.0f us are %.1f a second, "
			"not %.1f",
			count, us, made, rate->value);
	if (row->size_bytes < 0 || isnan(mb->value))
		return;
	if (!engine_number_near(made * (double)row->size_bytes / 1e6, mb->value,
				mb->half + made * (double)row->size_bytes * 1e-12))
		VOID_ROW(parse, row,
			 "the row contradicts itself: %.1f operations of %d bytes a second are "
			 "%.1f MB/s, not %.1f",
			 made, (int)row->size_bytes, made * (double)row->size_bytes / 1e6,
			 mb->value);
}

static bool text_line(struct parse *parse, struct view line)
{
	struct engine_row row = parse_blank_row();
	struct engine_number us = {0}, rate = {0}, mb = {.value = NAN};
	struct view text = {line.at + 4, line.size - 4}, what, word;
	const char *in;
	uint64_t count;

	if (!view_starts(line, "Did ") || !view_word(&text, &word) || !view_u64(word, 10, &count))
		return false;
	in = view_find(text, " operations in ");
	what = in ? (struct view){text.at, (size_t)(in - text.at)} : text;
	if (!in) {
		in = view_find(text, " operation in ");
		if (!in)
			return false;
		what.size = (size_t)(in - text.at);
		in--;
	}
	read_description(parse, what, &row);
	text = behind(text, in, strlen(" operations in "));
	if (!read_number(parse, &row, text, "us", &us))
		VOID_ROW(parse, &row, "the row is cut: it has no time");
	in = view_find(text, "(");
	if (!in || !read_number(parse, &row, behind(text, in, 1), " ops/sec", &rate))
		VOID_ROW(parse, &row, "the row is cut: it has no rate");
	in = view_find(text, "):");
	if (in && read_number(parse, &row, behind(text, in, 2), " MB/s", &mb)) {
		row.bytes_per_s = mb.value * 1e6;
	} else if (row.size_bytes >= 0) {
		VOID_ROW(parse, &row, "the row is cut: it has no MB/s");
	}
	if (!row.void_reason) {
		row.ops_per_s = rate.value;
		row.seconds = us.value / 1e6;
		check(parse, &row, (double)count, us.value, &rate, &mb);
	} else {
		row.bytes_per_s = NAN;
	}
	keep(parse, &row);
	return true;
}

static void close_object(struct parse *parse, struct bssl_state *state)
{
	struct engine_row row = parse_blank_row();

	if (!state->description)
		return;
	read_description(parse, view_of(state->description), &row);
	if (!isnan(state->bytes) && state->bytes > 0 && row.size_bytes < 0)
		row.size_bytes = (int64_t)state->bytes;
	if (isnan(state->calls) || isnan(state->microseconds)) {
		VOID_ROW(parse, &row, "the object is cut: it has no numCalls or no microseconds");
	} else if (state->calls <= 0 || state->microseconds <= 0) {
		VOID_ROW(parse, &row, "it is 0: nothing was measured");
	} else {
		row.seconds = state->microseconds / 1e6;
		row.ops_per_s = state->calls / row.seconds;
		if (row.size_bytes >= 0)
			row.bytes_per_s = row.ops_per_s * (double)row.size_bytes;
	}
	state->description = NULL;
	keep(parse, &row);
}

static void take_member(struct parse *parse, struct bssl_state *state, struct view key,
			struct view value)
{
	struct engine_number number;

	if (view_is(key, "description")) {
		close_object(parse, state);
		*state = (struct bssl_state){
			.calls = NAN, .microseconds = NAN, .bytes = NAN, .in_json = true};
		state->description = parse_copy(parse, value);
		return;
	}
	if (!state->description || !engine_number(value, &number))
		return;
	if (view_is(key, "numCalls"))
		state->calls = number.value;
	else if (view_is(key, "microseconds") || view_is(key, "timeInMicroseconds"))
		state->microseconds = number.value;
	else if (view_is(key, "bytesPerCall"))
		state->bytes = number.value;
}

/* Members and ends of objects, however the lines are broken. */
static bool json_line(struct parse *parse, struct view line)
{
	struct parse_run *now = parse_now(parse);
	bool inside = now && now->bssl.in_json && now->bssl.description;

	if (!view_find(line, "\"description\"") &&
	    (!inside || (!view_find(line, "\"") && !view_find(line, "}"))))
		return false;
	while (line.size) {
		const char *quote = view_find(line, "\""), *close = view_find(line, "}"), *end;
		struct view key, value;

		if (close && (!quote || close < quote)) {
			if (parse_now(parse))
				close_object(parse, &parse_now(parse)->bssl);
			line = behind(line, close, 1);
			continue;
		}
		if (!quote)
			break;
		line = behind(line, quote, 1);
		end = view_find(line, "\"");
		if (!end)
			break;
		key = (struct view){line.at, (size_t)(end - line.at)};
		line = behind(line, end, 1);
		value = view_trim(line);
		if (!view_starts(value, ":"))
			continue;
		value = view_trim(behind(value, value.at, 1));
		if (view_starts(value, "\"")) {
			value = behind(value, value.at, 1);
			end = view_find(value, "\"");
			value.size = end ? (size_t)(end - value.at) : value.size;
			line = end ? behind(line, end, 1) : (struct view){NULL, 0};
		} else {
			size_t size = 0;

			while (size < value.size && (isalnum((unsigned char)value.at[size]) ||
						     strchr(".-+", value.at[size])))
				size++;
			line = behind(line, value.at, size);
			value.size = size;
		}
		now = parse_run(parse, "bssl-speed", false);
		take_member(parse, &now->bssl, key, value);
	}
	return true;
}

bool bssl_line(struct parse *parse, struct view line)
{
	return text_line(parse, line) || json_line(parse, line);
}

void bssl_finish(struct parse *parse, struct parse_run *now)
{
	struct engine_run *run = &now->run;
	const char *threads = engine_command_value(&now->command, "threads");
	uint64_t jobs;

	if (now->bssl.description) {
		struct engine_row *row = parse_row(parse, now);

		if (row)
			row->name = now->bssl.description;
		if (row)
			VOID_ROW(parse, row, "the object is cut: it has no end");
	}
	run->elapsed = true;
	run->jobs = threads && view_u64(view_of(threads), 10, &jobs) && jobs && jobs < 65536
			    ? (int64_t)jobs
			    : 1;
	if (now->command.dash) {
		for (size_t i = 0; i < run->row_count; i++)
			VOID_ROW(parse, &run->rows[i],
				 "the command has '%s' with a typographic dash, which is no option",
				 text_printable(parse->arena, view_of(now->command.dash)));
	}
}
