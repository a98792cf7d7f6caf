// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include "base/arena.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Checks of rows against the seconds they took, against the counts above the table and against the
 * command. */

#define SECONDS_SLACK 0.025
#define CLOCK_STEP_S 0.011 /* two decimals, and the 100 Hz of times(2) */
#define NAME_MAX_BYTES 80
#define WORK_MAX 4000000

/* Letters and digits alone, without "id": aes-128-gcm is AES-128-GCM, id-aes128-GCM and
 * "aes-128 gcm". */
static void canonical(const char *name, char out[NAME_MAX_BYTES])
{
	size_t size = 0;

	if (strncasecmp(name, "id-", 3) == 0)
		name += 3;
	for (; *name && size + 1 < NAME_MAX_BYTES; name++) {
		if (isalnum((unsigned char)*name))
			out[size++] = (char)tolower((unsigned char)*name);
	}
	out[size] = '\0';
	if (strncmp(out, "sha2", 4) == 0 && size > 6)
		memmove(out + 3, out + 4, size - 3);
}

/* Short names of the command line. */
static bool is_short_for(const char *asked, const char *name)
{
	static const char *const aliases[][2] = {{"des3", "desede3"},
						 {"ripemd160", "rmd160"},
						 {"rmd160", "ripemd160"},
						 {"bf", "blowfish"}};
	size_t size = strlen(asked);

	if (size >= 3 && strncmp(asked, name, size) == 0)
		return true;
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (strcmp(asked, aliases[i][0]) == 0 &&
		    strncmp(name, aliases[i][1], strlen(aliases[i][1])) == 0)
			return true;
	}
	return false;
}

static bool same_name(const char *a, const char *b)
{
	char left[NAME_MAX_BYTES], right[NAME_MAX_BYTES];

	canonical(a, left);
	canonical(b, right);
	return strcmp(left, right) == 0;
}

/* CPU time, unless wall-clock time was asked for: far from what was to be measured, a rate per
 * second of it is no rate per second. */
static void judge_seconds(struct parse *parse, const struct parse_run *now, struct engine_row *row,
			  const struct openssl_progress *progress)
{
	double wanted = progress->wanted_s, seconds = progress->seconds;
	double one = progress->count > 0 ? seconds / progress->count : seconds;

	if (isnan(wanted) || isnan(seconds))
		return;
	if (seconds <= 0)
		VOID_ROW(parse, row, "it took 0 seconds: nothing was measured");
	else if (seconds < wanted * (1 - SECONDS_SLACK) - CLOCK_STEP_S && !now->run.elapsed)
		VOID_ROW(parse, row,
			 "%.2f s of CPU time in %g s: the rate is of CPU time, so a wall-clock "
			 "second gave less; measure with -elapsed",
			 seconds, wanted);
	else if (seconds < wanted * (1 - SECONDS_SLACK) - CLOCK_STEP_S ||
		 seconds > wanted * (1 + SECONDS_SLACK) + CLOCK_STEP_S + 2 * one)
		VOID_ROW(parse, row, "%.2f s were measured where %g s were asked for", seconds,
			 wanted);
}

static bool is_of_row(const struct openssl_progress *progress, const struct engine_row *row)
{
	char bits[32], name[NAME_MAX_BYTES], key[NAME_MAX_BYTES];

	if (!progress->operation || !row->operation || row->size_bytes >= 0)
		return !progress->operation && row->size_bytes == progress->size &&
		       row->size_bytes >= 0 && row->name && progress->name &&
		       same_name(progress->name, row->name);
	if (!row->name || strcmp(progress->operation, row->operation) != 0)
		return false;
	canonical(row->name, name);
	canonical(progress->name, key);
	if (progress->bits < 0)
		return strcmp(name, key) == 0;
	snprintf(bits, sizeof(bits), "%" PRId64, progress->bits);
	return strstr(name, bits) && strstr(name, key);
}

/* The table is made of the same counts and seconds, which are printed with two decimals. */
static void judge_count(struct parse *parse, const struct parse_run *now, struct engine_row *row,
			const struct openssl_progress *progress)
{
	double rate = progress->count / progress->seconds;
	double have = row->ops_per_s, open;

	if (isnan(rate) || isnan(have) || progress->seconds <= 0 || now->openssl.children > 1)
		return;
	open = rate * (0.006 / progress->seconds) + 0.06 + rate * 1e-3;
	if (!engine_number_near(rate, have, open))
		VOID_ROW(parse, row,
			 "%.0f operations in %.2f s were counted, which is not what its table "
			 "says (%.0f a second)",
			 progress->count, progress->seconds, have);
}

/* -mr of 1.0.2 has seconds for an operation (six decimals) where later ones have operations a
 * second. */
static void judge_inverse(struct parse *parse, struct parse_run *now, struct engine_row *row,
			  const struct openssl_progress *progress)
{
	double rate = progress->count / progress->seconds;

	if (!now->openssl.mr || row->size_bytes >= 0 || isnan(rate) || rate <= 0 ||
	    fabs(row->ops_per_s * rate - 1) > 0.02 + rate * 0.5e-6 || fabs(rate - 1) < 0.05)
		return;
	row->ops_per_s = rate;
	parse_note(
		parse, now,
		"-mr of this release gives the seconds of an operation: rates are of its counts");
}

/* All sizes of a name were announced, and this one was not: its header is damaged. */
static void judge_unannounced(struct parse *parse, struct parse_run *now, struct engine_row *row)
{
	size_t announced = 0;

	if (row->size_bytes < 0 || !row->name)
		return;
	for (size_t i = 0; i < now->openssl.progress_count; i++) {
		const struct openssl_progress *progress = &now->openssl.progress[i];

		announced += !progress->operation && same_name(progress->name, row->name);
	}
	if (announced >= now->openssl.size_count)
		VOID_ROW(parse, row,
			 "no measurement of %" PRId64 " bytes was announced: the sizes "
			 "of its table are cut",
			 row->size_bytes);
}

/* With -multi the nth count of a name is of the (n / processes)th size. */
static void judge_children(struct parse *parse, struct parse_run *now)
{
	struct openssl_state *state = &now->openssl;

	for (size_t r = 0; r < now->run.row_count; r++) {
		struct engine_row *row = &now->run.rows[r];
		size_t index = 0, seen = 0;

		while (index < state->size_count && state->sizes[index] != row->size_bytes)
			index++;
		for (size_t i = 0; i < state->progress_count; i++) {
			struct openssl_progress *progress = &state->progress[i];

			if (progress->operation || !row->name ||
			    !same_name(progress->name, row->name))
				continue;
			if (seen++ / (size_t)state->children == index)
				judge_seconds(parse, now, row, progress);
		}
	}
}

static void judge_progress(struct parse *parse, struct parse_run *now)
{
	struct openssl_state *state = &now->openssl;
	size_t used = 0;

	if (state->children > 1) {
		judge_children(parse, now);
		return;
	}
	for (size_t r = 0; r < now->run.row_count; r++) {
		struct engine_row *row = &now->run.rows[r];
		bool found = false;

		for (size_t i = 0; i < state->progress_count; i++) {
			if (state->from_counts && state->progress[i].line != row->line)
				continue;
			/* The counts stand in the order of the table, so the next one is near. */
			struct openssl_progress *progress =
				&state->progress[state->from_counts
							 ? i
							 : (used + i) % state->progress_count];

			if (!is_of_row(progress, row))
				continue;
			row->seconds = progress->seconds;
			found = true;
			judge_inverse(parse, now, row, progress);
			judge_seconds(parse, now, row, progress);
			judge_count(parse, now, row, progress);
			used = (used + i) % state->progress_count;
			break;
		}
		if (!found)
			judge_unannounced(parse, now, row);
	}
}

static bool takes_value(const char *option)
{
	static const char *const with[] = {"engine",        "multi",     "bytes",      "seconds",
					   "primes",        "rand",      "async_jobs", "provider",
					   "provider-path", "propquery", "writerand",  "config",
					   "misalign"};

	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++) {
		if (strcmp(option, with[i]) == 0)
			return true;
	}
	return false;
}

/* What the command asks for by name; none: everything. */
static void asked_names(struct parse *parse, const struct engine_command *command,
			struct names *out)
{
	for (size_t i = 0; i < command->words.count; i++) {
		const char *word = command->words.items[i], *name = word;

		while (*name == '-')
			name++;
		if (name == word) {
			names_add(parse->arena, out, word);
			continue;
		}
		if (takes_value(name))
			i++;
		if (i + 1 >= command->words.count || (strcmp(name, "hmac") && strcmp(name, "cmac")))
			continue;
		i++;
		names_add(parse->arena, out,
			  arena_printf(parse->arena, "%s(%s)", name, command->words.items[i]));
	}
}

static bool is_asked(const struct names *asked, const char *name)
{
	char want[NAME_MAX_BYTES], have[NAME_MAX_BYTES];

	canonical(name, have);
	for (size_t i = 0; i < asked->count; i++) {
		canonical(asked->items[i], want);
		if (strcmp(want, have) == 0 || is_short_for(want, have))
			return true;
	}
	return asked->count == 0;
}

static void judge_names(struct parse *parse, struct parse_run *now)
{
	struct names asked = {0};
	const char *list;

	asked_names(parse, &now->command, &asked);
	list = parse_copy(parse, view_of(names_join(parse->arena, &asked, ", ")));
	for (size_t i = 0; i < now->run.row_count; i++) {
		struct engine_row *row = &now->run.rows[i];

		if (now->command.dash)
			VOID_ROW(
				parse, row,
				"the command has '%s' with a typographic dash, which is no option: "
				"write it with plain hyphens",
				text_printable(parse->arena, view_of(now->command.dash)));
		if (row->size_bytes >= 0 && row->name && now->command.complete &&
		    !is_asked(&asked, row->name))
			VOID_ROW(parse, row,
				 "the command asks for %s, the table is of %s: it is not this "
				 "command's",
				 list, row->name);
	}
}

static void judge_bytes(struct parse *parse, struct parse_run *now)
{
	const char *bytes = engine_command_value(&now->command, "bytes");
	uint64_t size = 0;

	if (!bytes || !view_u64(view_of(bytes), 10, &size))
		return;
	for (size_t i = 0; i < now->run.row_count; i++) {
		struct engine_row *row = &now->run.rows[i];

		if (row->size_bytes >= 0 && (uint64_t)row->size_bytes != size)
			VOID_ROW(parse, row,
				 "the command asks for -bytes %s, the table has %" PRId64
				 ": it is not this command's",
				 bytes, row->size_bytes);
	}
}

/* Without -seconds it is 3 for bytes and 10 for keys, in every release. */
static void judge_wanted(struct parse *parse, struct parse_run *now)
{
	const char *seconds = engine_command_value(&now->command, "seconds");
	uint64_t wanted = 0;
	double said = NAN;

	if (seconds ? !view_u64(view_of(seconds), 10, &wanted) : !now->command.complete)
		return;
	for (size_t p = 0; p < now->openssl.progress_count && isnan(said); p++) {
		const struct openssl_progress *progress = &now->openssl.progress[p];

		if (!isnan(progress->wanted_s) &&
		    progress->wanted_s != (seconds               ? (double)wanted
					   : progress->operation ? 10.0
								 : 3.0))
			said = progress->wanted_s;
	}
	for (size_t i = 0; !isnan(said) && i < now->run.row_count; i++)
		VOID_ROW(parse, &now->run.rows[i],
			 "the command asks for %s%s, it measured %g s: the output is not this "
			 "command's",
			 seconds ? "-seconds " : "no -seconds", seconds ? seconds : "", said);
}

static void judge_jobs(struct parse *parse, struct parse_run *now)
{
	const char *multi = engine_command_value(&now->command, "multi");
	uint64_t jobs;

	if (!multi || !view_u64(view_of(multi), 10, &jobs) || !now->openssl.children ||
	    (int64_t)jobs == now->openssl.children)
		return;
	for (size_t i = 0; i < now->run.row_count; i++)
		VOID_ROW(parse, &now->run.rows[i],
			 "the command asks for -multi %s, %" PRId64 " processes ran", multi,
			 now->openssl.children);
}

/* +F2 to +F4 before 1.1.1 have seconds; without counts beside them nothing tells. */
static void judge_slow_keys(struct parse *parse, struct parse_run *now)
{
	for (size_t i = 0; now->openssl.mr && i < now->run.row_count; i++) {
		struct engine_row *row = &now->run.rows[i];

		if (row->size_bytes < 0 && isnan(row->seconds) && row->ops_per_s < 1)
			VOID_ROW(parse, row,
				 "less than one operation a second, or the seconds of one, as -mr "
				 "of releases before 1.1.1 gives them: keep standard error, whose "
				 "counts tell");
	}
}

void openssl_judge(struct parse *parse, struct parse_run *now)
{
	struct engine_run *run = &now->run;

	if (now->openssl.progress_count && run->row_count <= WORK_MAX / now->openssl.progress_count)
		judge_progress(parse, now);
	else if (now->openssl.progress_count)
		parse_note(parse, now, "it is too long for its rows to be held against its counts");
	judge_slow_keys(parse, now);
	if (now->command.engine) {
		judge_names(parse, now);
		judge_bytes(parse, now);
		judge_wanted(parse, now);
		judge_jobs(parse, now);
	}
	if (!run->capability_forced)
		return;
	for (size_t i = 0; i < run->row_count; i++)
		VOID_ROW(parse, &run->rows[i],
			 "the environment forced %s, so the library did not use what this CPU has: "
			 "no measurement of it",
			 run->capability ? run->capability : "OPENSSL_armcap");
}
