// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include "base/arena.h"

#include <string.h>

#define KEPT_MAX_BYTES 200
#define SIGNAL_BASE 128
#define LINE_MIN_BYTES 6
#define TROUBLES_MAX 100000 /* lines of trouble that are looked at */
#define WEIGHT_OF_CRASH 80
#define WEIGHT_OF_ABORT 82

static struct view from(struct view line, const char *at)
{
	return (struct view){at, (size_t)(line.at + line.size - at)};
}

/* Whether the message stands in the line; `kept` is what its first '*' stands for. */
static bool matches(const char *message, struct view line, struct view *kept)
{
	char piece[160];
	bool open = false;

	*kept = (struct view){NULL, 0};
	while (*message) {
		size_t size = strcspn(message, "*");
		const char *found;

		if (size >= sizeof(piece))
			return false;
		memcpy(piece, message, size);
		piece[size] = '\0';
		found = size ? view_find(line, piece) : NULL;
		if (size && !found)
			return false;
		if (open && !kept->at)
			*kept = (struct view){line.at,
					      size ? (size_t)(found - line.at) : line.size};
		if (size)
			line = from(line, found + size);
		open = message[size] == '*';
		message += size + open;
	}
	if (open && !kept->at)
		*kept = line;
	return true;
}

/* Which pairs of letters a line has: most messages are none of it without a search. */
struct pairs {
	uint64_t bits[1024];
};

static void count_pairs(struct view line, struct pairs *out)
{
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i + 1 < line.size; i++) {
		unsigned pair =
			(unsigned)(unsigned char)line.at[i] << 8 | (unsigned char)line.at[i + 1];

		out->bits[pair / 64] |= UINT64_C(1) << pair % 64;
	}
}

static bool may_match(const struct pairs *pairs, const char *message)
{
	unsigned pair = (unsigned)(unsigned char)message[0] << 8 | (unsigned char)message[1];

	return message[0] == '*' || message[1] == '*' || (pairs->bits[pair / 64] >> pair % 64 & 1);
}

static const struct trouble *find(const struct trouble *table, struct view line,
				  const struct pairs *pairs, struct view *kept)
{
	const struct trouble *best = NULL;

	for (; table->message; table++) {
		struct view mine;

		if ((best && table->weight <= best->weight) || !may_match(pairs, table->message) ||
		    !matches(table->message, line, &mine))
			continue;
		best = table;
		*kept = mine;
	}
	return best;
}

static const char *explain(struct parse *parse, const char *reason, const char *kept)
{
	const char *star = reason ? strchr(reason, '*') : NULL;

	if (!star)
		return reason;
	return arena_printf(parse->arena, "%.*s%s%s", (int)(star - reason), reason, kept, star + 1);
}

/* Ends of lines as in "[exit 139]", "Process completed with exit code 1." */
static bool status_line(struct parse *parse, struct view line)
{
	static const char *const before[] = {
		"[exit ",       "exit code ",          "exit code: ",
		"exit status ", "exited with status ", "non-zero status "};
	struct parse_run *now = parse_now(parse);

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		const char *found = view_find(line, before[i]);
		struct view number;
		uint64_t status;
		size_t size = 0;

		if (!found)
			continue;
		number = from(line, found + strlen(before[i]));
		while (size < number.size && number.at[size] >= '0' && number.at[size] <= '9')
			size++;
		if (!now || !view_u64((struct view){number.at, size}, 10, &status) || status > 255)
			return false;
		if (now->status < 0)
			now->status = (int)status;
		return true;
	}
	return false;
}

/* DPDK ends itself by abort() when it cannot start: why it could not stands before it. */
static bool is_consequence(const struct parse_run *now, const struct trouble *found)
{
	return !found->engine && found->weight == WEIGHT_OF_ABORT && now->trouble->engine &&
	       now->trouble->end != ENGINE_BROKEN && !now->run.row_count;
}

static void keep(struct parse *parse, struct parse_run *now, const struct trouble *found,
		 struct view kept)
{
	const char *text;

	parse->troubles++;
	kept = view_trim(kept);
	kept.size = kept.size > KEPT_MAX_BYTES ? KEPT_MAX_BYTES : kept.size;
	text = text_printable(parse->arena, kept);
	if (found->end == ENGINE_DONE) {
		const char *note = explain(parse, found->reason, text);

		if (note)
			parse_note(parse, now, note);
		return;
	}
	if (found->weight >= 95 && now->trouble == found && strcmp(text, now->trouble_kept) != 0)
		parse_note(parse, now, explain(parse, "it lacks * as well", text));
	if (now->trouble && (now->trouble->weight >= found->weight || is_consequence(now, found)))
		return;
	now->trouble = found;
	now->trouble_kept = text;
	now->trouble_line = parse->line;
}

bool trouble_line(struct parse *parse, struct view line)
{
	struct parse_run *now = parse_now(parse);
	struct view kept = {NULL, 0};
	const struct trouble *found;
	struct pairs pairs;
	bool eal = view_starts(line, "EAL:") || view_starts(line, "RTE EAL:");

	if (line.size < LINE_MIN_BYTES || parse->troubles > TROUBLES_MAX)
		return false;
	/* A shell's whole line, where no core is dumped. */
	if (view_is(view_trim(line), "Aborted"))
		line = view_of("Aborted (core dumped)");
	count_pairs(line, &pairs);
	found = find(cperf_troubles, line, &pairs, &kept);
	if (status_line(parse, line))
		return true;
	if (found && (eal || !now || !now->run.engine || !strcmp(now->run.engine, found->engine) ||
		      view_starts(line, "USER1:") || view_starts(line, "dpdk-test-crypto-perf"))) {
		if (view_find(line, "openssl: ") || view_find(line, "speed: "))
			found = NULL;
		else
			keep(parse, parse_run(parse, found->engine, false), found, kept);
		if (found)
			return true;
	}
	found = find(openssl_troubles, line, &pairs, &kept);
	if (found) {
		keep(parse, parse_run(parse, found->engine, false), found, kept);
		return true;
	}
	if (now && (now->closed || now->status == 0))
		return false;
	found = now ? find(any_troubles, line, &pairs, &kept) : NULL;
	if (found)
		keep(parse, now, found, kept);
	return found != NULL;
}

static void void_rows(struct parse *parse, struct parse_run *now, const char *why)
{
	for (size_t i = 0; i < now->run.row_count; i++)
		VOID_ROW(parse, &now->run.rows[i], "an error inside the run: %s", why);
}

static const char *of_status(struct parse *parse, int status)
{
	if (status > SIGNAL_BASE && status < SIGNAL_BASE + 65)
		return arena_printf(parse->arena, "it died of signal %d (%s)", status - SIGNAL_BASE,
				    strsignal(status - SIGNAL_BASE));
	return arena_printf(parse->arena, "it ended with status %d and no message that is known",
			    status);
}

void trouble_finish(struct parse *parse, struct parse_run *now)
{
	struct engine_run *run = &now->run;

	if (run->end == ENGINE_WRONG)
		return;
	/* Another program may have said it, and the rows are whole. */
	if (now->trouble && !now->trouble->engine && now->trouble->weight < WEIGHT_OF_CRASH &&
	    run->row_count && now->status <= 0)
		now->trouble = NULL;
	if (now->trouble) {
		run->end = now->trouble->end;
		run->reason = explain(parse, now->trouble->reason, now->trouble_kept);
		void_rows(parse, now, run->reason);
	} else if (now->status > 0) {
		run->end = ENGINE_BROKEN;
		run->reason = of_status(parse, now->status);
		void_rows(parse, now, run->reason);
	} else if (run->row_count) {
		run->end = ENGINE_DONE;
	} else {
		run->end = ENGINE_NOTHING;
		run->reason = now->command.engine
				      ? "the command stands there, and nothing that it measured"
				      : "there is no row of a table in its output";
	}
}
