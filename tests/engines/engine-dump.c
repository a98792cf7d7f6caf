// SPDX-License-Identifier: BSD-2-Clause
/*
 * The parsers of measuring programs as a program, for tests: text on standard input, its runs as
 * JSON on standard output. With two arguments, ENGINE and STATUS, it is one run that was started.
 */
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
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

int main(int argc, char **argv)
{
	struct arena arena = {0};
	struct engine_runs runs;
	struct json_writer writer;
	struct buffer out;

	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	arena.exhausted = exhausted;
	if (argc == 3) {
		struct engine_run run;

		engine_parse_run(&arena, argv[1], read_all(&arena), (int)strtol(argv[2], NULL, 10),
				 &run);
		runs = (struct engine_runs){arena_alloc(&arena, sizeof(run)), 1};
		runs.items[0] = run;
	} else {
		engine_parse(&arena, read_all(&arena), &runs);
	}
	out = buffer_new(&arena, OUT_MAX);
	json_begin(&writer, &out);
	json_array(&writer, NULL);
	for (size_t i = 0; i < runs.count; i++)
		write_run(&writer, &runs.items[i]);
	json_end(&writer);
	fwrite(out.at, 1, out.size, stdout);
	arena_release(&arena);
	return 0;
}
