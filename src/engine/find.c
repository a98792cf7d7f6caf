// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include "base/arena.h"
#include "engine/lines.h"

#include <ctype.h>
#include <string.h>

#define COMMAND_MAX_BYTES 16384
#define NOTES_MAX 64
#define NAME_MAX_BYTES 256
#define RUNS_MAX 5000
#define LABEL_MAX_BYTES 40
#define LINE_MIN_BYTES 4     /* no program says anything in less */
#define BYTES_PER_S_MAX 1e14 /* memory of the largest machines gives a hundredth of it */
#define OPS_PER_S_MAX 1e12

const char *parse_copy(struct parse *parse, struct view text)
{
	text.size = text.size < NAME_MAX_BYTES ? text.size : NAME_MAX_BYTES;
	return text_printable(parse->arena, text);
}

void parse_note(struct parse *parse, struct parse_run *now, const char *note)
{
	if (note && now->run.notes.count < NOTES_MAX && !names_has(&now->run.notes, note))
		names_add(parse->arena, &now->run.notes, note);
}

struct parse_run *parse_now(struct parse *parse)
{
	return parse->count ? &parse->items[parse->count - 1] : NULL;
}

static struct parse_run *begin(struct parse *parse)
{
	struct parse_run *now;

	if (parse->count == parse->room) {
		size_t room = parse->room ? parse->room * 2 : 4;
		struct parse_run *grown = arena_array(parse->arena, struct parse_run, room);

		if (parse->count)
			memcpy(grown, parse->items, parse->count * sizeof(*grown));
		parse->items = grown;
		parse->room = room;
	}
	now = &parse->items[parse->count++];
	*now = (struct parse_run){.status = -1};
	now->run.line = parse->line;
	now->run.jobs = 1;
	now->run.timer_hz = NAN;
	now->cperf.average = now->cperf.maximum = -1;
	return now;
}

struct parse_run *parse_run(struct parse *parse, const char *engine, bool fresh)
{
	struct parse_run *now = parse_now(parse);
	bool other = now && now->run.engine && strcmp(now->run.engine, engine) != 0;

	if (!now || ((fresh || other) && !parse->single && parse->count < RUNS_MAX))
		now = begin(parse);
	if (!now->run.engine)
		now->run.engine = engine;
	return now;
}

struct engine_row parse_blank_row(void)
{
	return (struct engine_row){.size_bytes = -1,
				   .core = -1,
				   .burst = -1,
				   .bytes_per_s = NAN,
				   .ops_per_s = NAN,
				   .seconds = NAN,
				   .ticks_per_op = NAN,
				   .ticks_enqueue = NAN,
				   .ticks_dequeue = NAN,
				   .latency_us = NAN,
				   .latency_max_us = NAN,
				   .enqueued = -1,
				   .dequeued = -1,
				   .failed_enqueue = -1,
				   .failed_dequeue = -1,
				   .failed_ops = -1};
}

struct engine_row *parse_row(struct parse *parse, struct parse_run *now)
{
	struct engine_row *row;

	if (parse->rows == ENGINE_ROWS_MAX)
		return NULL;
	if (now->run.row_count == now->row_room) {
		size_t room = now->row_room ? now->row_room * 2 : 16;
		struct engine_row *grown = arena_array(parse->arena, struct engine_row, room);

		if (now->run.row_count)
			memcpy(grown, now->run.rows, now->run.row_count * sizeof(*grown));
		now->run.rows = grown;
		now->row_room = room;
	}
	if (parse->label)
		parse_note(parse, now,
			   arena_printf(parse->arena, "it stands under '%s'", parse->label));
	parse->label = NULL;
	parse->rows++;
	row = &now->run.rows[now->run.row_count++];
	*row = parse_blank_row();
	row->line = parse->line;
	return row;
}

/* "dpdk-stable-22.11.2/" in a prompt or a path tells the release, if nothing better does. */
static const char *release_in(struct parse *parse, struct view line)
{
	static const char *const before[] = {"dpdk-stable-", "dpdk-"};

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		const char *at = view_find(line, before[i]);
		size_t size = 0;
		struct view rest;

		if (!at)
			continue;
		rest = (struct view){at + strlen(before[i]),
				     (size_t)(line.at + line.size - at) - strlen(before[i])};
		while (size < rest.size &&
		       (isdigit((unsigned char)rest.at[size]) || rest.at[size] == '.'))
			size++;
		while (size && rest.at[size - 1] == '.')
			size--;
		if (size >= 5 && memchr(rest.at, '.', size))
			return parse_copy(parse, (struct view){rest.at, size});
	}
	return NULL;
}

static bool is_same(const struct engine_command *a, const struct engine_command *b)
{
	if (!a->engine || strcmp(a->engine, b->engine) != 0 || a->words.count != b->words.count)
		return false;
	for (size_t i = 0; i < a->words.count; i++) {
		if (strcmp(a->words.items[i], b->words.items[i]) != 0)
			return false;
	}
	return true;
}

/* A prompt with another command: what follows is not of the run above. */
static void close_run(struct parse *parse, struct view line)
{
	struct parse_run *now = parse_now(parse);
	struct view word;

	if (!now || !view_word(&line, &word) || !view_trim(line).size)
		return;
	if (view_ends(word, "$") ||
	    (memchr(word.at, '@', word.size) && (view_ends(word, "#") || view_ends(word, "%"))))
		now->closed = true;
}

static bool command_line(struct parse *parse, struct view line)
{
	struct engine_command command = {0};
	struct parse_run *now;

	if (parse->commands == RUNS_MAX || !engine_command_read(parse->arena, line, &command))
		return false;
	parse->commands++;
	command.line = parse->line;
	now = parse_now(parse);
	/* CI systems print the command and then the shell prints it again. */
	if (now && is_same(&now->command, &command) && !now->run.row_count && !now->trouble &&
	    !now->openssl.progress_count)
		return true;
	now = parse_run(parse, command.engine, true);
	now->command = command;
	if (strcmp(command.engine, "dpdk-crypto-perf") == 0)
		parse->hint = release_in(parse, line);
	return true;
}

/* "0: ./dpdk-test-crypto-perf (rte_dump_stack+0x42) [5557…]" is no command. */
static bool is_stack_frame(struct view line)
{
	return view_find(line, "+0x") && view_find(line, ") [");
}

static void read_line(struct parse *parse, struct view line)
{
	struct parse_run *now;

	if (line.size < LINE_MIN_BYTES || is_stack_frame(line) || command_line(parse, line))
		return;
	close_run(parse, line);
	if (fact_line(parse, line) || cperf_line(parse, line) || openssl_line(parse, line) ||
	    bssl_line(parse, line) || trouble_line(parse, line))
		return;
	now = parse_now(parse);
	/* "Before:", "After:": what someone called the runs below. */
	if (line.size > LABEL_MAX_BYTES || line.at[line.size - 1] != ':' ||
	    !isupper((unsigned char)line.at[0]) || parse->single)
		return;
	if (parse->count == RUNS_MAX)
		return;
	parse->label = parse_copy(parse, line);
	if (now && now->run.row_count)
		begin(parse);
}

static void read_lines(struct parse *parse, struct view text)
{
	struct buffer joined = buffer_new(parse->arena, COMMAND_MAX_BYTES);
	struct engine_lines lines;
	struct view line;
	bool open = false;

	engine_lines_begin(parse->arena, text, &lines);
	while (parse->rows < ENGINE_ROWS_MAX && parse->count < RUNS_MAX &&
	       engine_lines_next(&lines, &line)) {
		bool more = view_ends(line, "\\");

		if (!open)
			parse->line = lines.number;
		/* A command that goes on in the next line. */
		if (open || (more && (view_find(line, "speed") ||
				      view_find(line, "dpdk-test-crypto-perf")))) {
			struct view part = line;

			part.size -= more;
			buffer_add(&joined, part.at, part.size);
			buffer_char(&joined, ' ');
			open = more && !joined.full;
			if (open)
				continue;
			read_line(parse, buffer_view(&joined));
			joined = buffer_new(parse->arena, COMMAND_MAX_BYTES);
			continue;
		}
		read_line(parse, line);
	}
	if (open)
		read_line(parse, buffer_view(&joined));
	if (parse->rows == ENGINE_ROWS_MAX || parse->count == RUNS_MAX)
		parse_note(parse, parse_now(parse), "it has more rows or runs than are read");
	if (lines.cut && parse_now(parse))
		parse_note(parse, parse_now(parse), "a line was longer than is read");
}

static bool is_empty(const struct parse_run *now)
{
	return !now->run.row_count && !now->trouble && !now->command.engine && now->status <= 0 &&
	       !now->run.notes.count && !now->run.version && !now->cperf.column_count &&
	       !now->cperf.device;
}

/* No machine does this: the digits were damaged. */
static void judge_possible(struct parse *parse, struct parse_run *now)
{
	for (size_t i = 0; i < now->run.row_count; i++) {
		struct engine_row *row = &now->run.rows[i];

		if (row->bytes_per_s > BYTES_PER_S_MAX || row->ops_per_s > OPS_PER_S_MAX)
			VOID_ROW(parse, row, "such a rate cannot be: its digits are damaged");
	}
}

static void finish_run(struct parse *parse, struct parse_run *now)
{
	const char *engine = now->run.engine ? now->run.engine : "";

	if (strcmp(engine, "dpdk-crypto-perf") == 0) {
		if (!now->run.version)
			now->run.version = parse->hint;
		cperf_finish(parse, now);
	}
	if (strcmp(engine, "openssl-speed") == 0)
		openssl_finish(parse, now);
	if (strcmp(engine, "bssl-speed") == 0)
		bssl_finish(parse, now);
	judge_possible(parse, now);
	trouble_finish(parse, now);
}

/* Nothing that measures: what else it may be. */
static void nothing(struct parse *parse, struct engine_run *out)
{
	*out = (struct engine_run){.end = ENGINE_NOTHING, .jobs = 1, .timer_hz = NAN, .line = 1};
	out->reason =
		"there is no output of dpdk-test-crypto-perf, openssl speed or bssl speed in it";
	if (parse->l2fwd)
		out->reason = parse->l2fwd_enqueued ? "it is of dpdk-l2fwd-crypto, whose counters "
						      "add up from its start: "
						      "no rate can be taken from them"
						    : "it is of dpdk-l2fwd-crypto and no packet "
						      "was encrypted: only IPv4 "
						      "packets go through crypto";
	if (!parse->version)
		return;
	out->engine = "openssl-speed";
	out->version = parse->version;
	out->library_version = parse->library;
	out->line = parse->version_line;
	out->reason = "it tells the version of OpenSSL and measures nothing";
	if (parse->library && isdigit((unsigned char)parse->library[0]))
		names_add(parse->arena, &out->notes,
			  arena_printf(parse->arena,
				       "the program is of %s, but the library it loads is %s: what "
				       "counts is the library",
				       parse->version, parse->library));
}

static void parse_text(struct parse *parse, struct view text, struct engine_runs *out)
{
	if (text.size > ENGINE_OUTPUT_MAX_BYTES)
		text.size = ENGINE_OUTPUT_MAX_BYTES;
	read_lines(parse, text);
	out->items = arena_array(parse->arena, struct engine_run, parse->count + 1);
	out->count = 0;
	for (size_t i = 0; i < parse->count; i++) {
		struct parse_run *now = &parse->items[i];

		if (is_empty(now) && now->openssl.progress_count == 0)
			continue;
		finish_run(parse, now);
		if (now->run.row_count || now->trouble || now->command.engine || now->status > 0 ||
		    parse->count == 1 || now->run.notes.count)
			out->items[out->count++] = now->run;
	}
	if (!out->count)
		nothing(parse, &out->items[out->count++]);
}

void engine_parse(struct arena *arena, struct view text, struct engine_runs *out)
{
	struct parse parse = {.arena = arena};

	parse_text(&parse, text, out);
}

void engine_parse_run(struct arena *arena, const char *engine, struct view text, int status,
		      struct engine_run *out)
{
	struct parse parse = {.arena = arena, .single = true};
	struct engine_runs runs;

	begin(&parse);
	parse.items[0].run.engine = engine;
	parse.items[0].status = status;
	parse_text(&parse, text, &runs);
	*out = runs.items[0];
	out->engine = engine;
}
