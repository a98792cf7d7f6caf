// SPDX-License-Identifier: BSD-2-Clause
#include "engine/kat.h"

#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define LINES_MAX 1000000
#define ANSWERS_MAX 20000
#define WORD_BYTES_MAX 128

const char *const kat_masks[2] = {"OPENSSL_armcap=0", "OPENSSL_ia32cap=0:0"};

/* Which modes take which option. */
static const struct {
	const char *mode;
	bool library, timing, seed, cases;
} modes[] = {
	{"measure", .library = true, .timing = true, .seed = true, .cases = true},
	{"answers", .library = true, .cases = true},
	{"limit", .timing = true},
	{"machine", .timing = true, .cases = true},
	{"vector", .library = true, .cases = true},
};

static void add_number(struct arena *arena, struct names *out, const char *option, int64_t number)
{
	names_add(arena, out, option);
	names_add(arena, out, arena_printf(arena, "%lld", (long long)number));
}

void kat_argv(struct arena *arena, const struct kat_request *request, struct names *out)
{
	size_t i = 0;

	while (i + 1 < sizeof(modes) / sizeof(modes[0]) && strcmp(modes[i].mode, request->mode))
		i++;
	names_add(arena, out, request->helper);
	names_add(arena, out, request->mode);
	if (modes[i].library) {
		names_add(arena, out, "--library");
		names_add(arena, out, request->library);
	}
	if (modes[i].timing) {
		if (request->cpu >= 0)
			add_number(arena, out, "--cpu", request->cpu);
		add_number(arena, out, "--batch-us", request->batch_us);
		add_number(arena, out, "--batches", request->batches);
	}
	if (modes[i].seed) {
		names_add(arena, out, "--seed");
		names_add(arena, out,
			  arena_printf(arena, "%llu", (unsigned long long)request->seed));
	}
	for (size_t n = 0; modes[i].cases && n < request->case_count; n++)
		names_add(arena, out,
			  arena_printf(arena, "%s:%lld", request->cases[n].name,
				       (long long)request->cases[n].size_bytes));
}

/* One line, its words behind the first. A reader returns what is wrong with it, or NULL. */
struct line {
	struct arena *arena;
	struct view rest;
	struct kat_output *out;
};

static const char *take_word(struct line *line)
{
	struct view word;

	if (!view_word(&line->rest, &word) || word.size > WORD_BYTES_MAX)
		return NULL;
	return view_copy(line->arena, word);
}

static bool take_number(struct line *line, int64_t min, int64_t *number)
{
	struct view word;

	return view_word(&line->rest, &word) && view_i64(word, number) && *number >= min;
}

static const char *take_rest(struct line *line)
{
	struct view rest = view_trim(line->rest);

	line->rest = (struct view){NULL, 0};
	return rest.size ? text_printable(line->arena, rest) : NULL;
}

static bool read_library(struct line *line)
{
	return (line->out->library = take_rest(line));
}

static bool read_version(struct line *line)
{
	return (line->out->version = take_rest(line));
}

static bool read_capability(struct line *line)
{
	return (line->out->capability = take_rest(line));
}

static bool read_error(struct line *line)
{
	return (line->out->error = take_rest(line));
}

static bool read_cpu(struct line *line)
{
	return take_number(line, 0, &line->out->cpu);
}

static bool read_absence(struct line *line)
{
	struct kat_absence *absence = &line->out->absences[line->out->absence_count++];

	return (absence->name = take_word(line)) && take_number(line, 0, &absence->size_bytes) &&
	       (absence->reason = take_rest(line));
}

static bool read_verdict(struct line *line)
{
	struct kat_verdict *verdict = &line->out->verdicts[line->out->verdict_count++];
	const char *word;

	verdict->name = take_word(line);
	word = take_word(line);
	if (!verdict->name || !word || (strcmp(word, "right") && strcmp(word, "wrong")))
		return false;
	verdict->right = !strcmp(word, "right");
	return (verdict->source = take_rest(line));
}

static struct kat_answer *find_answer(const struct kat_output *output, const char *name,
				      int64_t size_bytes)
{
	for (size_t i = 0; i < output->answer_count; i++)
		if (output->answers[i].size_bytes == size_bytes &&
		    !strcmp(output->answers[i].name, name))
			return &output->answers[i];
	return NULL;
}

static bool read_answer(struct line *line)
{
	const char *when = take_word(line), *name = take_word(line), *digest, **to;
	struct kat_answer *answer;
	int64_t size_bytes;

	if (!when || !name || !take_number(line, 0, &size_bytes) || !(digest = take_word(line)) ||
	    !digest_is(digest))
		return false;
	answer = find_answer(line->out, name, size_bytes);
	if (!answer) {
		answer = &line->out->answers[line->out->answer_count++];
		*answer = (struct kat_answer){.name = name, .size_bytes = size_bytes};
	}
	to = !strcmp(when, "first") ? &answer->first : &answer->last;
	if (*to || (strcmp(when, "first") && strcmp(when, "last")))
		return false;
	*to = digest;
	return true;
}

static bool read_batch(struct line *line)
{
	struct kat_batch *batch = &line->out->batches[line->out->batch_count++];
	int64_t ops;

	if (!(batch->name = take_word(line)) || !take_number(line, 0, &batch->size_bytes) ||
	    !take_number(line, 1, &ops) || !take_number(line, 1, &batch->wall_ns) ||
	    !take_number(line, 0, &batch->cpu_ns) || !take_number(line, 0, &batch->switches) ||
	    !take_number(line, -1, &batch->steal))
		return false;
	batch->ops = (double)ops;
	return true;
}

static bool read_clock_source(struct line *line)
{
	const char *word = take_word(line);

	line->out->clock_source = word;
	return word && (!strcmp(word, "pmu") || !strcmp(word, "chain"));
}

static bool read_clock(struct line *line)
{
	int64_t hz;

	if (!take_number(line, 1, &hz))
		return false;
	line->out->clock_hz[line->out->clock_count++] = (double)hz;
	return true;
}

static bool read_limit(struct line *line)
{
	const char *kind = take_word(line);
	int64_t ops, wall_ns;
	double rate;
	size_t i = 0;

	if (!kind || !take_number(line, 1, &ops) || !take_number(line, 1, &wall_ns))
		return false;
	rate = (double)ops * 1e9 / (double)wall_ns;
	while (i < line->out->limit_count && strcmp(line->out->limits[i].kind, kind))
		i++;
	if (i == line->out->limit_count)
		line->out->limits[line->out->limit_count++] = (struct kat_limit){.kind = kind};
	if (line->out->limits[i].ops_per_s < rate)
		line->out->limits[i].ops_per_s = rate;
	return true;
}

#define OUTPUT_LIST(member, type)                                                                  \
	.list = offsetof(struct kat_output, member), .item_bytes = sizeof(type)

/* Every line that there is; item_bytes 0: once at most. */
static const struct {
	const char *word;
	bool (*read)(struct line *line);
	size_t list, item_bytes;
} words[] = {
	{"library", read_library},
	{"version", read_version},
	{"capability", read_capability},
	{"cpu", read_cpu},
	{"error", read_error},
	{"clock-source", read_clock_source},
	{"na", read_absence, OUTPUT_LIST(absences, struct kat_absence)},
	{"known", read_verdict, OUTPUT_LIST(verdicts, struct kat_verdict)},
	{"answer", read_answer, OUTPUT_LIST(answers, struct kat_answer)},
	{"batch", read_batch, OUTPUT_LIST(batches, struct kat_batch)},
	{"clock", read_clock, OUTPUT_LIST(clock_hz, double)},
	{"limit", read_limit, OUTPUT_LIST(limits, struct kat_limit)},
};

#define WORDS (sizeof(words) / sizeof(words[0]))

/* The row of a line's first word; WORDS: none. */
static size_t find_word(struct view *line)
{
	struct view word;
	size_t i = 0;

	if (!view_word(line, &word))
		return WORDS;
	while (i < WORDS && !view_is(word, words[i].word))
		i++;
	return i;
}

/* Room for as many items of each list as there are lines. */
static bool prepare_lists(struct arena *arena, struct view text, struct kat_output *out,
			  struct error *err)
{
	size_t counts[WORDS + 1] = {0}, lines = 0;
	struct view line, last = {NULL, 0};

	while (view_line(&text, &line)) {
		struct view rest = line;

		last = line;
		if (++lines > LINES_MAX)
			return error_set(err, "more than %d lines", LINES_MAX);
		counts[find_word(&rest)]++;
	}
	if (!lines)
		return error_set(err, "kat-bench printed nothing");
	if (!view_is(last, "end"))
		return error_set(err, "the output was cut: its last line is not \"end\"");
	for (size_t i = 0; i < WORDS; i++) {
		size_t max = words[i].read == read_answer ? ANSWERS_MAX : LINES_MAX;
		void *list;

		if (counts[i] > max)
			return error_set(err, "more than %zu lines \"%s\"", max, words[i].word);
		if (!words[i].item_bytes && counts[i] > 1)
			return error_set(err, "more than one line \"%s\"", words[i].word);
		if (!words[i].item_bytes)
			continue;
		list = arena_alloc_array(arena, counts[i], words[i].item_bytes);
		memcpy((char *)out + words[i].list, &list, sizeof(list));
	}
	return true;
}

static int compare_clocks(const void *a, const void *b)
{
	const double *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

bool kat_parse(struct arena *arena, struct view text, struct kat_output *out, struct error *err)
{
	struct kat_output output = {.cpu = -1};
	struct line line = {.arena = arena, .out = &output};
	struct view whole;
	size_t number = 0;

	/* The last LF belongs to its line: an "end" without it is one that was cut. */
	if (text.size && text.at[text.size - 1] != '\n')
		return error_set(err, "the output was cut within a line");
	if (!prepare_lists(arena, text, &output, err))
		return false;
	while (number++, view_line(&text, &whole)) {
		size_t i;

		if (view_is(whole, "end") && !text.size)
			break;
		line.rest = whole;
		i = find_word(&line.rest);
		if (i == WORDS || !words[i].read(&line) || view_trim(line.rest).size)
			return error_set(err, "line %zu is not kat-bench's: %s", number,
					 text_printable(arena, whole));
	}
	if (output.clock_count)
		qsort(output.clock_hz, output.clock_count, sizeof(double), compare_clocks);
	*out = output;
	return true;
}

static const char *compare_answer(struct arena *arena, const struct kat_output *expected,
				  const char *name, int64_t size_bytes,
				  const struct kat_answer *timed)
{
	const struct kat_answer *right = find_answer(expected, name, size_bytes);
	const char *of = arena_printf(arena, "%s of %lld bytes", name, (long long)size_bytes);

	if (!timed || !timed->first || !timed->last)
		return arena_printf(arena, "%s: the code that was timed gave no %s answer", of,
				    timed && timed->first ? "last" : "first");
	if (!right || !right->first)
		return arena_printf(arena, "%s: there is no expected answer", of);
	if (right->last && strcmp(right->first, right->last))
		return arena_printf(arena, "%s: the expected answer changes by itself", of);
	if (strcmp(timed->first, right->first))
		return arena_printf(arena, "%s: the first answer is %.16s…, expected %.16s…", of,
				    timed->first, right->first);
	if (strcmp(timed->last, right->first))
		return arena_printf(arena,
				    "%s: the answer after the batches is %.16s…, expected %.16s…",
				    of, timed->last, right->first);
	return NULL;
}

static bool is_wanted(const struct kat_case *only, const char *name, int64_t size_bytes)
{
	return !only || (only->size_bytes == size_bytes && !strcmp(only->name, name));
}

const char *kat_compare(struct arena *arena, const struct kat_output *timed,
			const struct kat_output *expected, const struct kat_case *only)
{
	bool any = false;

	for (size_t i = 0; i < timed->verdict_count; i++)
		if (!timed->verdicts[i].right &&
		    (!only || !strcmp(only->name, timed->verdicts[i].name)))
			return arena_printf(arena, "%s: wrong: %s", timed->verdicts[i].name,
					    timed->verdicts[i].source);
	for (size_t i = 0; i < timed->answer_count; i++) {
		const struct kat_answer *answer = &timed->answers[i];
		const char *fault;

		if (!is_wanted(only, answer->name, answer->size_bytes))
			continue;
		any = true;
		fault = compare_answer(arena, expected, answer->name, answer->size_bytes, answer);
		if (fault)
			return fault;
	}
	for (size_t i = 0; i < timed->batch_count; i++) {
		const struct kat_batch *batch = &timed->batches[i];

		if (is_wanted(only, batch->name, batch->size_bytes) &&
		    !find_answer(timed, batch->name, batch->size_bytes))
			return compare_answer(arena, expected, batch->name, batch->size_bytes,
					      NULL);
	}
	if (!any && only)
		return compare_answer(arena, expected, only->name, only->size_bytes, NULL);
	return any ? NULL : "nothing was answered";
}
