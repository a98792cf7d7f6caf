// SPDX-License-Identifier: BSD-2-Clause
#include "bench/bench.h"

#include "base/arena.h"
#include "base/error.h"
#include "bench/stack.h"
#include "engine/engine.h"
#include "engine/run.h"

#include <inttypes.h>
#include <math.h>

/*
 * `openssl speed` and `bssl speed` beside our own loop, as cross-checks. They print no known
 * answers, so the library they load is asked by kat-bench, for the case that `verify` names.
 */
#define MEASURE_SECONDS 1
#define TIMEOUT_MS 15000
#define CPU_TIME_LEAST 0.97

struct speed_program {
	const char *engine;
	const struct bench_piece *(*piece)(const struct bench_stack *stack);
	const char *words[6];    /* before the suite's */
	const char *size_option; /* followed by the size */
};

static const struct bench_piece *openssl_piece(const struct bench_stack *stack)
{
	return &stack->openssl;
}

static const struct bench_piece *bssl_piece(const struct bench_stack *stack)
{
	return &stack->bssl;
}

static const struct speed_program openssl = {
	"openssl-speed", openssl_piece, {"speed", "-mr", "-elapsed", "-seconds", "1"}, "-bytes"};
static const struct speed_program bssl = {
	"bssl-speed", bssl_piece, {"speed", "-json", "-timeout", "1"}, "-chunks"};

static void add_argv(struct bench *bench, const struct speed_program *program,
		     const struct bench_series *series, struct names *argv)
{
	const struct bench_piece *piece = program->piece(bench->stack);
	const struct suite_case *suite_case = series->suite_case;

	for (size_t i = 0; i < piece->emulator.count; i++)
		names_add(bench->arena, argv, piece->emulator.items[i]);
	names_add(bench->arena, argv, piece->path);
	for (size_t i = 0; i < sizeof(program->words) / sizeof(program->words[0]); i++) {
		if (program->words[i])
			names_add(bench->arena, argv, program->words[i]);
	}
	if (series->result.size_bytes) {
		names_add(bench->arena, argv, program->size_option);
		names_add(bench->arena, argv,
			  arena_printf(bench->arena, "%" PRId64, series->result.size_bytes));
	}
	for (size_t i = 0; i < suite_case->words.count; i++)
		names_add(bench->arena, argv, suite_case->words.items[i]);
}

static bool verify(struct bench *bench, const struct speed_program *program,
		   struct bench_unit *unit, struct error *err)
{
	struct bench_series *series = unit->series[0];
	const struct bench_piece *piece = program->piece(bench->stack);

	if (!piece->path) {
		bench_lose(bench, series, "na", "%s", piece->why);
		return true;
	}
	series->result.emulated = piece->emulator.count > 0;
	series->result.library = bench->libcrypto;
	return bench_kat_check(bench, series, unit->suite_case->verify, err);
}

static const char *drop_reason(struct bench *bench, const struct engine_ran *ran)
{
	double share = (double)ran->cpu_ns / 1e9 / MEASURE_SECONDS;

	if (share < CPU_TIME_LEAST)
		return arena_printf(bench->arena, "ran for %.0f %% of its time", 100 * share);
	return NULL;
}

/* Why there is no row, in the words of what is known of the process or else of its output. */
static const char *end_text(const struct engine_ran *ran, const struct engine_run *run)
{
	if (ran->timed_out)
		return "it did not end in time";
	if (ran->cut)
		return "it printed more than can be a table";
	return run->reason ? run->reason : "it printed no number for this size";
}

/* Known answers are those of the library that was asked: the program must have loaded it, and not
 * hold another one itself. */
static bool loaded_as_verified(struct bench *bench, struct bench_series *series,
			       const struct engine_ran *ran)
{
	const char *asked = bench->stack->libcrypto.path;

	if (ran->mapped)
		return true;
	if (ran->mapped_other)
		bench_wrong(bench, series, "it loaded %s instead of %s", ran->mapped_other, asked);
	else
		bench_lose(bench, series, "unknown",
			   "it was not seen to load %s, whose answers are known", asked);
	return false;
}

static void read_row(struct bench *bench, struct bench_unit *unit, const struct engine_ran *ran)
{
	struct bench_series *series = unit->series[0];
	struct bench_result *result = &series->result;
	struct bench_sample sample = {.invocation = (int64_t)unit->invocations,
				      .seconds = MEASURE_SECONDS,
				      .cpu_seconds = (double)ran->cpu_ns / 1e9,
				      .switches = ran->involuntary,
				      .dropped = drop_reason(bench, ran)};
	struct engine_run run;

	engine_parse_run(bench->arena, unit->driver->engine, ran->output, ran->status, &run);
	for (size_t i = 0; i < run.row_count && !ran->timed_out && !ran->cut; i++) {
		const struct engine_row *row = &run.rows[i];

		if (result->size_bytes && row->size_bytes != result->size_bytes)
			continue;
		if (row->void_reason)
			sample.dropped = row->void_reason;
		sample.value =
			result->size_bytes ? row->bytes_per_s * 8 / 1e9 : row->ops_per_s / 1e6;
		if (!isfinite(sample.value) || sample.value <= 0)
			continue;
		if (loaded_as_verified(bench, series, ran))
			bench_sample(bench, series, &sample);
		return;
	}
	unit->hung |= ran->timed_out;
	bench_lose(bench, series, run.end == ENGINE_MISSING ? "na" : "unknown", "%s",
		   end_text(ran, &run));
}

static bool measure(struct bench *bench, const struct speed_program *program,
		    struct bench_unit *unit, struct error *err)
{
	struct names argv = {0};
	struct engine_job job = {.argv = &argv,
				 .cpu = bench->cpu,
				 .timeout_ms = TIMEOUT_MS,
				 .wants = bench->stack->libcrypto.path,
				 .tick = bench->tick,
				 .context = bench->context};
	struct engine_ran ran;
	struct error trouble = {0};

	add_argv(bench, program, unit->series[0], &argv);
	if (!engine_run_job(bench->arena, &job, &ran, &trouble)) {
		bench_lose(bench, unit->series[0], "unknown", "%s", trouble.text);
		return true;
	}
	if (ran.interrupted)
		return bench_interrupt(bench, err);
	read_row(bench, unit, &ran);
	return true;
}

static bool verify_openssl(struct bench *bench, struct bench_unit *unit, bool last,
			   struct error *err)
{
	(void)last;
	return verify(bench, &openssl, unit, err);
}

static bool measure_openssl(struct bench *bench, struct bench_unit *unit, struct error *err)
{
	return measure(bench, &openssl, unit, err);
}

static bool verify_bssl(struct bench *bench, struct bench_unit *unit, bool last, struct error *err)
{
	(void)last;
	return verify(bench, &bssl, unit, err);
}

static bool measure_bssl(struct bench *bench, struct bench_unit *unit, struct error *err)
{
	return measure(bench, &bssl, unit, err);
}

const struct bench_driver bench_openssl_driver = {"openssl-speed", verify_openssl, measure_openssl};
const struct bench_driver bench_bssl_driver = {"bssl-speed", verify_bssl, measure_bssl};
