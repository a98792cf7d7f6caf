// SPDX-License-Identifier: BSD-2-Clause
/*
 * The parsers of measuring programs as a program, for tests. Standard input is texts, each behind a
 * line with its size in bytes; standard output is JSON, an array with the runs of each text. With
 * two arguments, ENGINE and STATUS, each text is one run that was started; with the argument
 * "import" the results of `bench --import` are printed, {"results", "notes"} for each text.
 */
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "bench/import.h"
#include "bench/result.h"
#include "engine/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define OUT_MAX ((size_t)256 << 20)

static const char *const ends[] = {"done",    "nothing", "missing", "unable",
				   "misused", "broken",  "wrong"};

static void whole(struct json_writer *writer, const char *key, int64_t number)
{
	if (number >= 0)
		json_number(writer, key, number);
}

static void real(struct json_writer *writer, const char *key, double number)
{
	if (number == number)
		json_real(writer, key, number);
}

static void text(struct json_writer *writer, const char *key, const char *value)
{
	if (value)
		json_text(writer, key, value);
}

static void texts(struct json_writer *writer, const char *key, const struct names *names)
{
	json_array(writer, key);
	for (size_t i = 0; i < names->count; i++)
		json_text(writer, NULL, names->items[i]);
	json_close(writer);
}

static void write_row(struct json_writer *writer, const struct engine_row *row)
{
	json_object(writer, NULL);
	text(writer, "name", row->name);
	text(writer, "operation", row->operation);
	whole(writer, "size", row->size_bytes);
	whole(writer, "core", row->core);
	whole(writer, "burst", row->burst);
	real(writer, "bytes_per_s", row->bytes_per_s);
	real(writer, "ops_per_s", row->ops_per_s);
	real(writer, "seconds", row->seconds);
	real(writer, "ticks_per_op", row->ticks_per_op);
	real(writer, "ticks_enqueue", row->ticks_enqueue);
	real(writer, "ticks_dequeue", row->ticks_dequeue);
	real(writer, "latency_us", row->latency_us);
	real(writer, "latency_max_us", row->latency_max_us);
	whole(writer, "enqueued", row->enqueued);
	whole(writer, "dequeued", row->dequeued);
	whole(writer, "failed_enqueue", row->failed_enqueue);
	whole(writer, "failed_dequeue", row->failed_dequeue);
	whole(writer, "failed_ops", row->failed_ops);
	text(writer, "void", row->void_reason);
	json_number(writer, "line", (int64_t)row->line);
	json_close(writer);
}

static void write_run(struct json_writer *writer, const struct engine_run *run)
{
	json_object(writer, NULL);
	json_text(writer, "engine", run->engine);
	text(writer, "test", run->test);
	text(writer, "version", run->version);
	text(writer, "library_version", run->library_version);
	text(writer, "device", run->device);
	text(writer, "capability", run->capability);
	json_bool(writer, "capability_forced", run->capability_forced);
	json_bool(writer, "elapsed", run->elapsed);
	json_bool(writer, "emulated", run->emulated);
	json_bool(writer, "debug_build", run->debug_build);
	real(writer, "timer_hz", run->timer_hz);
	json_number(writer, "jobs", run->jobs);
	json_text(writer, "end", ends[run->end]);
	text(writer, "reason", run->reason);
	texts(writer, "options", &run->options);
	texts(writer, "notes", &run->notes);
	json_number(writer, "line", (int64_t)run->line);
	json_array(writer, "rows");
	for (size_t i = 0; i < run->row_count; i++)
		write_row(writer, &run->rows[i]);
	json_close(writer);
	json_close(writer);
}

static struct view read_all(struct arena *arena)
{
	struct buffer in = buffer_new(arena, ENGINE_OUTPUT_MAX_BYTES);
	char block[65536];
	ssize_t size;

	while ((size = read(STDIN_FILENO, block, sizeof(block))) > 0)
		buffer_add(&in, block, (size_t)size);
	return buffer_view(&in);
}

static void exhausted(void)
{
	fprintf(stderr, "too much\n");
	abort();
}

static struct view next_text(struct view *rest)
{
	struct view line, text;
	uint64_t size;

	if (!view_line(rest, &line) || !view_u64(line, 10, &size) || size > rest->size)
		return (struct view){NULL, 0};
	text = (struct view){rest->at, size};
	rest->at += size;
	rest->size -= size;
	return text;
}

static void dump_import(struct arena *arena, struct json_writer *writer, struct view text)
{
	struct field_array results = {0};
	struct names notes = {0};
	struct error err = {0};

	if (!bench_import(arena, "FILE", text, &results, &notes, &err))
		abort();
	json_object(writer, NULL);
	json_array(writer, "results");
	for (size_t i = 0; i < results.count; i++)
		fields_write(writer, NULL, &bench_result_table,
			     &((struct bench_result *)results.items)[i]);
	json_close(writer);
	texts(writer, "notes", &notes);
	json_close(writer);
}

static void dump_text(struct arena *arena, struct json_writer *writer, struct view text, int argc,
		      char **argv)
{
	struct engine_runs runs;
	struct engine_run run;

	if (argc == 2) {
		dump_import(arena, writer, text);
		return;
	}
	if (argc == 3) {
		engine_parse_run(arena, argv[1], text, (int)strtol(argv[2], NULL, 10), &run);
		runs = (struct engine_runs){&run, 1};
	} else {
		engine_parse(arena, text, &runs);
	}
	json_array(writer, NULL);
	for (size_t i = 0; i < runs.count; i++)
		write_run(writer, &runs.items[i]);
	json_close(writer);
}

int main(int argc, char **argv)
{
	struct arena arena = {0};
	struct json_writer writer;
	struct buffer out;
	struct view rest;

	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	arena.exhausted = exhausted;
	rest = read_all(&arena);
	out = buffer_new(&arena, OUT_MAX);
	json_begin(&writer, &out);
	json_array(&writer, NULL);
	while (rest.size)
		dump_text(&arena, &writer, next_text(&rest), argc, argv);
	json_end(&writer);
	fwrite(out.at, 1, out.size, stdout);
	arena_release(&arena);
	return 0;
}
