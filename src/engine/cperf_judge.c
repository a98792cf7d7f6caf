// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include "base/arena.h"

#include <inttypes.h>
#include <string.h>

/* Checks of rows against themselves, against each other and against what was asked for. */

#define FREQUENCY_SLACK 0.002

/* Timers of rte_rdtsc() on arm64 that are known (CNTFRQ_EL0). */
static const struct {
	double hz;
	bool emulated;
	const char *note;
} timers[] = {
	{25e6, false,
	 "Cycles/Buf are ticks of a 25 MHz timer, as Ampere Altra has it, not cycles of the core"},
	{1000e6, false,
	 "Cycles/Buf are ticks of a 1000 MHz timer, as AmpereOne has it, not cycles of the core"},
	{62.5e6, true,
	 "Cycles/Buf are ticks of a 62.5 MHz timer, which is QEMU's: the run was emulated and its "
	 "numbers say nothing about any machine"},
};

static bool said(const struct engine_run *run, const char *key, const char **value)
{
	size_t size = strlen(key);

	for (size_t i = 0; i < run->options.count; i++) {
		const char *option = run->options.items[i];

		if (strncmp(option, key, size) == 0 && option[size] == '=') {
			*value = option + size + 1;
			return true;
		}
	}
	return false;
}

/* Without a size of its own: an operation on a key. */
static bool is_asymmetric(const struct engine_run *run)
{
	static const char *const types[] = {
		"modex",     "rsa",   "secp192r1", "secp224r1",    "secp256r1",    "secp384r1",
		"secp521r1", "eddsa", "sm2",       "ecdsa_p256r1", "ecdsa_p384r1", "ecdsa_p521r1"};
	const char *optype;

	if (!said(run, "optype", &optype))
		return false;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strcmp(types[i], optype) == 0)
			return true;
	}
	return false;
}

static void check_itself(struct parse *parse, struct engine_row *row, const struct cperf_open *open)
{
	double mops = row->ops_per_s / 1e6, gbps = row->bytes_per_s * 8 / 1e9, want;

	if (row->enqueued >= 0 && row->dequeued >= 0 && row->enqueued != row->dequeued)
		VOID_ROW(parse, row,
			 "%" PRId64 " operations went in and %" PRId64 " came back: some were lost",
			 row->enqueued, row->dequeued);
	if (isnan(mops) || isnan(gbps) || row->size_bytes < 0)
		return;
	want = mops * (double)row->size_bytes * 8 / 1000;
	if (!engine_number_near(want, gbps,
				open->mops * (double)row->size_bytes * 8 / 1000 + open->gbps))
		VOID_ROW(parse, row,
			 "the row contradicts itself: %.4f million operations of %" PRId64
			 " bytes are %.4f Gbps, not %.4f",
			 mops, row->size_bytes, want, gbps);
}

/* MOps x Cycles/Buf is the timer's frequency, with what the digits leave open. */
static double frequency(const struct engine_row *row, const struct cperf_open *open, double *slack)
{
	double mops = row->ops_per_s / 1e6;

	*slack = 1;
	if (isnan(mops) || isnan(row->ticks_per_op) || mops <= 0 || row->ticks_per_op <= 0)
		return NAN;
	*slack = open->mops / mops + open->ticks / row->ticks_per_op + FREQUENCY_SLACK;
	return row->ops_per_s * row->ticks_per_op;
}

static bool fits(double hz, double slack, double other, double other_slack)
{
	return fabs(hz - other) <= (slack * hz + other_slack * other) * 1.01;
}

/* The frequency that most rows agree on; NaN. */
static double common_frequency(const struct parse_run *now, double *slack)
{
	double best = NAN;
	size_t most = 0, rows = now->run.row_count < 256 ? now->run.row_count : 256;

	for (size_t i = 0; i < rows; i++) {
		double mine, hz = frequency(&now->run.rows[i], &now->cperf.open[i], &mine);
		size_t agree = 0;

		if (isnan(hz) || now->run.rows[i].void_reason)
			continue;
		for (size_t j = 0; j < rows; j++) {
			double other_slack, other = frequency(&now->run.rows[j],
							      &now->cperf.open[j], &other_slack);

			agree += !isnan(other) && fits(hz, mine, other, other_slack);
		}
		if (agree > most || (agree == most && mine < *slack)) {
			most = agree;
			best = hz;
			*slack = mine;
		}
	}
	return best;
}

static void judge_timer(struct parse *parse, struct parse_run *now)
{
	struct engine_run *run = &now->run;
	double slack = 1, hz = common_frequency(now, &slack);
	bool all[sizeof(timers) / sizeof(timers[0])];

	if (isnan(hz))
		return;
	run->timer_hz = hz;
	for (size_t t = 0; t < sizeof(all); t++)
		all[t] = slack < 0.05 && fits(hz, slack, timers[t].hz, 0);
	for (size_t i = 0; i < run->row_count; i++) {
		double mine, other = frequency(&run->rows[i], &now->cperf.open[i], &mine);

		if (isnan(other))
			continue;
		if (!fits(hz, slack, other, mine))
			VOID_ROW(parse, &run->rows[i],
				 "the row contradicts the others: its rate and ticks make a timer "
				 "of %.1f MHz, theirs %.1f MHz",
				 other / 1e6, hz / 1e6);
	}
	for (size_t t = 0; t < sizeof(all); t++) {
		if (!all[t])
			continue;
		run->timer_hz = timers[t].hz;
		run->emulated |= timers[t].emulated;
		parse_note(parse, now, timers[t].note);
	}
}

/* "64,128", "64:64:256", "64": whether a number is one of them. */
static bool in_list(const char *list, int64_t number)
{
	struct view rest = view_of(list), part, at[3];
	uint64_t bound[3], one;

	while (view_split(&rest, ',', &part)) {
		size_t count = 0;

		if (view_u64(part, 10, &one) && (int64_t)one == number)
			return true;
		while (count < 3 && view_split(&part, ':', &at[count]) &&
		       view_u64(at[count], 10, &bound[count]))
			count++;
		if (count == 3 && bound[1] && (uint64_t)number >= bound[0] &&
		    (uint64_t)number <= bound[2] && ((uint64_t)number - bound[0]) % bound[1] == 0)
			return true;
	}
	return false;
}

static const struct {
	const char *option, *preset, *what;
} asked[] = {
	{"buffer-sz", "64", "buffers"},
	{"burst-sz", "32", "bursts"},
	{"total-ops", "10000000", "operations"},
};

static void judge_request(struct parse *parse, struct parse_run *now)
{
	const struct engine_command *command = &now->command;
	struct engine_run *run = &now->run;
	const char *text;
	bool imix = (command->engine && engine_command_has(command, "imix")) ||
		    said(run, "imix", &text);

	for (size_t i = 0; i < run->row_count; i++) {
		struct engine_row *row = &run->rows[i];
		const int64_t have[] = {row->size_bytes, row->burst, row->enqueued};

		if (command->dash)
			VOID_ROW(parse, row,
				 "the program ignored '%s' for its typographic dash and measured "
				 "its defaults: write it with plain hyphens",
				 parse_copy(parse, view_of(command->dash)));
		for (size_t a = 0; a < sizeof(asked) / sizeof(asked[0]); a++) {
			const char *want = command->engine
						   ? engine_command_value(command, asked[a].option)
						   : NULL;
			bool dumped = !want && said(run, asked[a].option, &want);

			if (have[a] < 0 || (!want && !command->complete) || imix ||
			    is_asymmetric(run) ||
			    (!strcmp(asked[a].option, "total-ops") && run->test &&
			     !strcmp(run->test, "latency")))
				continue;
			if (!want && engine_command_has(command, "test-file"))
				continue;
			if (!in_list(want ? want : asked[a].preset, have[a]))
				VOID_ROW(parse, row,
					 "the %s for %s %s %s, the row has %" PRId64
					 ": the table is not of it",
					 dumped ? "options ask" : "command asks", asked[a].what,
					 want ? "of" : "of the preset",
					 want ? parse_copy(parse, view_of(want)) : asked[a].preset,
					 have[a]);
		}
	}
}

static void judge_test(struct parse *parse, struct parse_run *now)
{
	const char *keys[] = {"ptest",       "devtype",   "optype",
			      "cipher-algo", "auth-algo", "aead-algo"};
	struct engine_run *run = &now->run;

	for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		const char *want =
			now->command.engine ? engine_command_value(&now->command, keys[k]) : NULL;
		const char *have = NULL;

		if (k == 0)
			have = run->test;
		else
			said(run, keys[k], &have);
		if (!want || !have || strcmp(want, have) == 0)
			continue;
		for (size_t i = 0; i < run->row_count; i++)
			VOID_ROW(parse, &run->rows[i],
				 "the command asks for --%s %s, the output is of %s", keys[k],
				 parse_copy(parse, view_of(want)), have);
	}
}

static void judge_verify(struct parse *parse, struct parse_run *now)
{
	struct engine_run *run = &now->run;

	for (size_t i = 0; i < run->row_count; i++) {
		struct engine_row *row = &run->rows[i];

		if (row->failed_ops > 0) {
			VOID_ROW(parse, row,
				 "%" PRId64 " of %" PRId64 " operations gave a wrong answer",
				 row->failed_ops, row->dequeued);
			run->end = ENGINE_WRONG;
			run->reason = row->void_reason;
		} else if (row->failed_enqueue > 0 || row->failed_dequeue > 0) {
			VOID_ROW(parse, row, "%" PRId64 " of %" PRId64 " operations failed",
				 row->failed_enqueue > 0 ? row->failed_enqueue
							 : row->failed_dequeue,
				 row->enqueued);
		}
	}
}

/* Neither the size nor the Gbps of an operation on a key mean anything. */
static void strip_sizes(struct parse *parse, struct parse_run *now)
{
	for (size_t i = 0; i < now->run.row_count; i++) {
		now->run.rows[i].size_bytes = -1;
		now->run.rows[i].bytes_per_s = NAN;
	}
	if (now->run.row_count)
		parse_note(parse, now,
			   "an operation on a key has no size: Buf Size and Gbps mean nothing "
			   "here, MOps does");
}

void cperf_judge(struct parse *parse, struct parse_run *now)
{
	struct engine_run *run = &now->run;
	int64_t retries = 0;

	for (size_t i = 0; i < run->row_count; i++) {
		if (i < now->cperf.open_room)
			check_itself(parse, &run->rows[i], &now->cperf.open[i]);
		retries += run->rows[i].failed_enqueue > 0;
	}
	judge_test(parse, now);
	judge_request(parse, now);
	if (run->test && strcmp(run->test, "verify") == 0)
		judge_verify(parse, now);
	else if (retries)
		parse_note(parse, now, "Failed Enq and Failed Deq are retries, not failures");
	if (run->test && strcmp(run->test, "throughput") == 0 && now->cperf.open_room)
		judge_timer(parse, now);
	if (is_asymmetric(run))
		strip_sizes(parse, now);
}
