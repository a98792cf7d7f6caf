// SPDX-License-Identifier: BSD-2-Clause
#include "base/clock.h"
#include "base/file.h"
#include "base/sha256.h"
#include "cli/provision.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LOG_TAIL_BYTES ((size_t)64 << 10)
#define SECOND_MS 1000

enum provision_stage provision_stage_of(const struct provision_result *result)
{
	enum provision_stage stage = STAGE_SETUP;

	while (strcmp(provision_stages[stage], result->stage) != 0)
		stage++;
	return stage;
}

static void make_command(struct provision *provision, struct provision_result *result)
{
	struct arena *arena = &provision->cli->arena;
	struct names results = {0};

	for (size_t i = 0; i < provision->count && &provision->results[i] != result; i++) {
		if (provision->results[i].ran)
			names_add(arena, &results,
				  provision_result_path(arena, provision->summary.state,
							provision->results[i].stage, "json"));
	}
	provision_command(arena, &provision->plan, provision_stage_of(result),
			  provision->summary.state, &results, &provision->voice, &result->command);
}

static const char *outcome_of(int exit_code)
{
	if (exit_code == EXIT_OK)
		return "pass";
	if (exit_code == EXIT_SKIPPED)
		return "na";
	return exit_code == EXIT_UNKNOWN_ONLY ? "unknown" : "fail";
}

/* What a stage printed: with --verbose always, else when it failed. */
static void show_log(struct provision *provision, const struct provision_result *result)
{
	struct cli *cli = provision->cli;
	bool failed = result->exit_code.number != EXIT_OK, plain = !cli->options.outputs.standard;
	struct view text, line;

	if (cli->options.quiet || (!failed && !cli->options.verbose) ||
	    result->exit_code.number == EXIT_SKIPPED)
		return;
	text = file_read_end(
		&cli->arena,
		provision_result_path(&cli->arena, provision->summary.state, result->stage, "log"),
		LOG_TAIL_BYTES);
	while (view_line(&text, &line))
		fprintf(cli->options.verbose && plain ? stdout : stderr, "%s\n",
			text_printable(&cli->arena, line));
	fflush(stdout);
}

/* Puts the results of a stage where the plan wants them. */
static void deliver(struct provision *provision, struct provision_result *result)
{
	struct arena *arena = &provision->cli->arena;
	const struct provision_outputs *outputs = &provision->plan.outputs;

	for (size_t i = 0; i < outputs->count; i++) {
		const struct provision_output *output = &outputs->items[i];
		const char *from = provision_result_path(arena, provision->summary.state,
							 result->stage, output->format);
		struct error problem = {0};

		if (strcmp(output->of, result->stage) != 0 || !file_exists(from))
			continue;
		if (provision_deliver(arena, from, output->path, output->append, &problem)) {
			names_add(arena, &result->files, output->path);
			continue;
		}
		document_message(provision->document, "error", "%s: %s", result->stage,
				 problem.text);
		provision->exit_code = provision_worse(provision->exit_code, EXIT_TROUBLE);
	}
}

/* Results of an earlier run must not be taken for those of this one. */
static void forget_results(struct provision *provision, const struct provision_result *result)
{
	struct arena *arena = &provision->cli->arena;
	const struct provision_outputs *outputs = &provision->plan.outputs;
	const char *state = provision->summary.state;

	for (size_t i = 0; i < outputs->count; i++) {
		if (strcmp(outputs->items[i].of, result->stage) == 0)
			provision_forget(provision_result_path(arena, state, result->stage,
							       outputs->items[i].format));
	}
	provision_forget(provision_result_path(arena, state, result->stage, "json"));
	if (provision_stage_of(result) == STAGE_BENCH)
		provision_forget(provision_result_path(arena, state, result->stage, "done"));
}

/* What its exit status means to us: without a result nothing was found, whatever it says. */
static int status_of(const struct provision_result *result, int status)
{
	bool has_json = provision_stage_of(result) != STAGE_REPORT;

	switch (status) {
	case EXIT_USAGE:
		return status;
	case EXIT_OK:
	case EXIT_FINDINGS:
	case EXIT_TROUBLE:
	case EXIT_UNKNOWN_ONLY:
	case EXIT_VERIFY:
	case EXIT_LOCKED:
	case EXIT_UNSUPPORTED:
	case EXIT_SKIPPED:
		return result->ran || !has_json ? status : EXIT_TROUBLE;
	default:
		return EXIT_TROUBLE;
	}
}

/* Why a stage ended otherwise than by itself, or NULL; then *status is what that counts as. */
static const char *ended_how(struct provision *provision, const struct provision_ran *ran,
			     int64_t limit_ms, int *status)
{
	struct arena *arena = &provision->cli->arena;

	*status = EXIT_TROUBLE;
	if (provision->watch.signal) {
		*status = 128 + provision->watch.signal;
		return "interrupted";
	}
	if (ran->timed_out)
		return arena_printf(arena,
				    "stopped after its limit of %" PRId64
				    " s; \"limits\" in the plan allow more",
				    limit_ms / SECOND_MS);
	if (ran->killed)
		return arena_printf(arena, "ended by signal %d (%s)", ran->status - 128,
				    strsignal(ran->status - 128));
	return NULL;
}

/* The stage's own words; without a result those of how it ended. */
static void judge(struct provision *provision, struct provision_result *result,
		  const struct provision_ran *ran, int64_t limit_ms)
{
	const cJSON *json = provision_read_result(
		provision, provision_result_path(&provision->cli->arena, provision->summary.state,
						 result->stage, "json"));
	const char *how;
	int status;

	result->ran = json;
	how = ended_how(provision, ran, limit_ms, &status);
	if (!how)
		status = status_of(result, ran->status);
	if (how)
		result->text = how;
	else if (json)
		result->text = provision_say_result(provision, provision_stage_of(result), json);
	else
		result->text = status ? "ended without a result, see above" : "done";
	if (json && provision_stage_of(result) == STAGE_SETUP)
		provision_keys(provision, json);
	result->exit_code = (struct maybe_number){.known = true, .number = status};
	result->outcome = outcome_of(status);
	result->elapsed_ms = ran->elapsed_ms;
	provision->exit_code = provision_worse(provision->exit_code, status);
}

static int64_t limit_of(const struct provision *provision, enum provision_stage stage)
{
	int64_t limit_ms = provision->plan.limits.stages[stage] * SECOND_MS;
	int64_t left_ms =
		provision->plan.limits.all * SECOND_MS - (clock_ms() - provision->begin_ms);

	return left_ms < limit_ms ? left_ms : limit_ms;
}

static bool run_stage(struct provision *provision, struct provision_result *result)
{
	struct cli *cli = provision->cli;
	struct provision_job job = {.argv = &result->command,
				    .limit_ms = limit_of(provision, provision_stage_of(result))};
	struct provision_ran ran;

	forget_results(provision, result);
	scoped_fd int log =
		provision_state_log(&cli->arena, &provision->state, result->stage, &cli->error);
	if (log < 0)
		return false;
	job.output = log;
	if (!provision_run(&job, &provision->watch, &ran, &cli->error))
		return false;
	judge(provision, result, &ran, job.limit_ms);
	show_log(provision, result);
	deliver(provision, result);
	return true;
}

/* Whether the last measurement is of the same inputs, and still there as it was written. */
static bool still_holds(struct provision *provision, struct provision_result *result,
			const char *inputs)
{
	struct arena *arena = &provision->cli->arena;
	struct provision_done done = {0};
	char hex[DIGEST_HEX_SIZE];
	struct view bytes;
	const char *path =
		provision_result_path(arena, provision->summary.state, result->stage, "json");
	const cJSON *json;

	if (provision->cli->options.force ||
	    !provision_done_read(arena, &provision->state, &done) ||
	    strcmp(done.inputs, inputs) != 0 || !file_exists(path) ||
	    !file_read(arena, path, PROVISION_RESULT_BYTES_MAX, &bytes, NULL))
		return false;
	sha256_text(bytes, hex);
	json = strcmp(hex, done.result) == 0 ? provision_read_result(provision, path) : NULL;
	if (!json)
		return false;
	result->ran = true;
	result->as_of = done.finished;
	result->text = arena_printf(arena, "as of %s, nothing changed: %s", done.finished,
				    provision_say_result(provision, STAGE_BENCH, json));
	result->exit_code.known = true;
	result->outcome = "pass";
	provision->exit_code = provision_worse(provision->exit_code, EXIT_OK);
	deliver(provision, result);
	return true;
}

static bool keep(struct provision *provision, const struct provision_result *result,
		 const char *inputs)
{
	struct arena *arena = &provision->cli->arena;
	struct provision_done done = {.inputs = inputs, .finished = clock_utc(arena)};
	char hex[DIGEST_HEX_SIZE];
	struct view bytes;

	if (!file_read(
		    arena,
		    provision_result_path(arena, provision->summary.state, result->stage, "json"),
		    PROVISION_RESULT_BYTES_MAX, &bytes, &provision->cli->error))
		return false;
	sha256_text(bytes, hex);
	done.result = hex;
	return provision_done_write(arena, &provision->state, &done, &provision->cli->error);
}

/* What failed or was noisy is measured again next time. */
static bool run_bench(struct provision *provision, struct provision_result *result)
{
	const struct provision_voice silent = {0};
	char inputs[DIGEST_HEX_SIZE];
	struct names command;

	/* How it speaks decides nothing. */
	provision_command(&provision->cli->arena, &provision->plan, STAGE_BENCH,
			  provision->summary.state, &(struct names){0}, &silent, &command);
	if (!provision_inputs(provision, &command, inputs))
		return false;
	if (still_holds(provision, result, inputs))
		return true;
	if (!run_stage(provision, result))
		return false;
	return result->exit_code.number != EXIT_OK || !result->ran ||
	       keep(provision, result, inputs);
}

/* Why a stage is not begun, or NULL. */
static const char *reason_not_to(struct provision *provision, size_t index)
{
	struct arena *arena = &provision->cli->arena;

	if (!provision_goes_on(&provision->watch))
		return "not begun: interrupted";
	if (limit_of(provision, provision_stage_of(&provision->results[index])) <= 0)
		return "not begun: the limit of all stages together is over";
	if (provision_stage_of(&provision->results[index]) == STAGE_REPORT) {
		for (size_t i = 0; i < index; i++) {
			if (provision->results[i].ran)
				return NULL;
		}
		return "not begun: there is no result";
	}
	for (size_t i = 0; i < index; i++) {
		const struct provision_result *before = &provision->results[i];

		if ((provision_stage_of(before) == STAGE_SETUP ||
		     names_has(&provision->plan.stop_on, before->stage)) &&
		    before->exit_code.known && before->exit_code.number != EXIT_OK)
			return arena_printf(arena, "not begun: %s failed", before->stage);
	}
	return NULL;
}

bool provision_run_stages(struct provision *provision)
{
	for (size_t i = 0; i < provision->count; i++) {
		struct provision_result *result = &provision->results[i];

		make_command(provision, result);
		result->text = reason_not_to(provision, i);
		result->outcome = "unknown";
		if (result->text) {
			if (strstr(result->text, "limit"))
				provision->exit_code =
					provision_worse(provision->exit_code, EXIT_TROUBLE);
			continue;
		}
		if (!(provision_stage_of(result) == STAGE_BENCH ? run_bench(provision, result)
								: run_stage(provision, result)))
			return false;
	}
	if (!provision_goes_on(&provision->watch))
		provision->exit_code =
			provision_worse(provision->exit_code, 128 + provision->watch.signal);
	return true;
}
