// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include "base/arena.h"

#include <string.h>

/* Lines that begin with '#': the blocks of --ptest latency, one per device, lcore and size, and the
 * dump of options that stands before every table without --silent. CSV of latency is one row per
 * packet; here they become one row per size. */

#define DUMP_WORDS_MAX 40

static const struct {
	const char *said, *option;
} options[] = {
	{"cperf test", "ptest"},
	{"cperf operation type", "optype"},
	{"size of crypto op / mbuf pool", "pool-sz"},
	{"total number of ops", "total-ops"},
	{"buffer sizes", "buffer-sz"},
	{"burst sizes", "burst-sz"},
	{"segment size", "segment-sz"},
	{"cryptodev type", "devtype"},
	{"number of queue pairs per device", "queue-pairs"},
	{"crypto operation", "optype"},
	{"sessionless", "sessionless"},
	{"shared session", "shared-session"},
	{"out of place", "out-of-place"},
	{"auth algorithm", "auth-algo"},
	{"auth operation", "auth-op"},
	{"auth key size", "auth-key-sz"},
	{"auth iv size", "auth-iv-sz"},
	{"auth digest size", "digest-sz"},
	{"cipher algorithm", "cipher-algo"},
	{"cipher operation", "cipher-op"},
	{"cipher key size", "cipher-key-sz"},
	{"cipher iv size", "cipher-iv-sz"},
	{"aead algorithm", "aead-algo"},
	{"aead operation", "aead-op"},
	{"aead key size", "aead-key-sz"},
	{"aead iv size", "aead-iv-sz"},
	{"aead digest size", "digest-sz"},
	{"aead aad size", "aead-aad-sz"},
};

static struct view after(struct view line, size_t size)
{
	return view_trim((struct view){line.at + size, line.size - size});
}

static bool dump_line(struct parse *parse, struct view text)
{
	const char *colon = view_find(text, ":");
	struct parse_run *now;
	struct view key, value, word;
	const char *joined = "";

	if (!colon)
		return false;
	key = view_trim((struct view){text.at, (size_t)(colon - text.at)});
	value = after(text, (size_t)(colon - text.at) + 1);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (!view_is(key, options[i].said))
			continue;
		now = parse_run(parse, "dpdk-crypto-perf", false);
		if (now->cperf.column_count && now->run.row_count)
			now = parse_run(parse, "dpdk-crypto-perf", true);
		for (size_t n = 0; n < DUMP_WORDS_MAX && view_word(&value, &word); n++)
			joined = arena_printf(parse->arena, "%s%s%s", joined, *joined ? "," : "",
					      parse_copy(parse, word));
		joined = arena_printf(parse->arena, "%s=%s", options[i].option, joined);
		if (!names_has(&now->run.options, joined))
			names_add(parse->arena, &now->run.options, joined);
		return true;
	}
	return false;
}

/* The block that is being read was not whole. */
static void close_block(struct parse *parse, struct parse_run *now)
{
	struct engine_row *row;

	if (!now->cperf.in_block)
		return;
	now->cperf.in_block = false;
	row = parse_row(parse, now);
	if (!row)
		return;
	*row = now->cperf.block;
	if (isnan(row->latency_us))
		VOID_ROW(parse, row, "the table of this size is cut: it has no time");
}

static bool device_line(struct parse *parse, struct view text)
{
	struct view word, rest = text;
	struct parse_run *now = parse_now(parse);
	struct engine_row *block;
	uint64_t lcore;

	while (view_word(&rest, &word)) {
		if (view_is(word, "lcore"))
			break;
	}
	if (!view_word(&rest, &word) || !view_u64(word, 10, &lcore))
		return false;
	if (now && now->run.engine && !strcmp(now->run.engine, "dpdk-crypto-perf"))
		close_block(parse, now);
	now = parse_run(parse, "dpdk-crypto-perf",
			now && now->run.test && strcmp(now->run.test, "latency") != 0);
	now->run.test = "latency";
	now->cperf.in_block = true;
	now->cperf.average = now->cperf.maximum = -1;
	block = &now->cperf.block;
	*block = (struct engine_row){.size_bytes = -1, .burst = -1, .enqueued = -1, .dequeued = -1};
	block->core = (int64_t)lcore;
	block->failed_enqueue = block->failed_dequeue = block->failed_ops = -1;
	block->bytes_per_s = block->ops_per_s = block->seconds = block->ticks_per_op = NAN;
	block->latency_us = block->latency_max_us = NAN;
	block->ticks_enqueue = block->ticks_dequeue = NAN;
	block->line = parse->line;
	return true;
}

static void block_columns(struct cperf_state *state, struct view text)
{
	struct view word;

	for (int i = 0; view_word(&text, &word); i++) {
		if (view_is(word, "Average"))
			state->average = i;
		if (view_is(word, "Maximum"))
			state->maximum = i;
	}
}

static void block_time(struct parse *parse, struct parse_run *now, struct view text)
{
	struct engine_row *block = &now->cperf.block;
	struct engine_number number;
	struct view word;

	for (int i = 0; view_word(&text, &word); i++) {
		bool wanted = i == now->cperf.average || i == now->cperf.maximum;

		if (wanted && engine_number(word, &number)) {
			double *into = i == now->cperf.average ? &block->latency_us
							       : &block->latency_max_us;

			*into = number.value;
			if (number.decimals != 3)
				VOID_ROW(parse, block, "the row of times is cut");
		} else if (wanted) {
			VOID_ROW(parse, block, "'%s' is no time, or has a decimal comma: not read",
				 parse_copy(parse, word));
		}
	}
	if (isnan(block->latency_us) || isnan(block->latency_max_us))
		VOID_ROW(parse, block, "the row of times is cut");
	close_block(parse, now);
}

static void count_into(struct view text, int64_t *out)
{
	struct view word;
	uint64_t number;

	if (view_word(&text, &word) && view_u64(word, 10, &number) && number <= (uint64_t)INT64_MAX)
		*out = (int64_t)number;
}

static bool block_line(struct parse *parse, struct view text)
{
	struct parse_run *now = parse_now(parse);
	struct engine_row *block = now ? &now->cperf.block : NULL;

	if (!now || !now->cperf.in_block)
		return false;
	if (view_starts(text, "Buffer size:"))
		count_into(after(text, strlen("Buffer size:")), &block->size_bytes);
	else if (view_starts(text, "Burst size:"))
		count_into(after(text, strlen("Burst size:")), &block->burst);
	else if (view_starts(text, "Total"))
		block_columns(&now->cperf, text);
	else if (view_starts(text, "enqueued"))
		count_into(after(text, strlen("enqueued")), &block->enqueued);
	else if (view_starts(text, "dequeued"))
		count_into(after(text, strlen("dequeued")), &block->dequeued);
	else if (view_starts(text, "time [us]"))
		block_time(parse, now, after(text, strlen("time [us]")));
	else
		return view_starts(text, "cycles") || view_starts(text, "total operations") ||
		       view_starts(text, "Number of bursts");
	return true;
}

static bool running_verify(struct parse *parse, struct view text)
{
	struct parse_run *now = parse_now(parse);

	if (!view_starts(text, "Running verify test on device"))
		return false;
	now = parse_run(parse, "dpdk-crypto-perf",
			now && now->run.row_count && now->run.test &&
				strcmp(now->run.test, "verify") != 0);
	now->run.test = "verify";
	return true;
}

bool cperf_latency_line(struct parse *parse, struct view line)
{
	struct view text;

	if (!view_starts(line, "#"))
		return false;
	text = after(line, 1);
	if (view_starts(text, "Crypto Performance Application Options")) {
		struct parse_run *now = parse_now(parse);

		parse_run(parse, "dpdk-crypto-perf", now && now->run.row_count);
		return true;
	}
	if (view_starts(text, "Device "))
		return device_line(parse, text);
	return block_line(parse, text) || running_verify(parse, text) || dump_line(parse, text);
}
