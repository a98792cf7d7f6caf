// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include <string.h>
#include <strings.h>

/* Headers of app/test-crypto-perf, DPDK 16.11 to 26: people's and CSV. */
static const struct {
	const char *name;
	enum cperf_column column;
} known_columns[] = {
	{"lcore id", COLUMN_LCORE},
	{"lcore", COLUMN_LCORE},
	{"Buf Size", COLUMN_SIZE},
	{"Buffer Size(B)", COLUMN_SIZE},
	{"Buffer Size", COLUMN_SIZE},
	{"Burst Size", COLUMN_BURST},
	{"Enqueued", COLUMN_ENQUEUED},
	{"Dequeued", COLUMN_DEQUEUED},
	{"Failed Enq", COLUMN_FAILED_ENQUEUE},
	{"Failed Deq", COLUMN_FAILED_DEQUEUE},
	{"Failed Ops", COLUMN_FAILED_OPS},
	{"MOps", COLUMN_MOPS},
	{"Ops(Millions)", COLUMN_MOPS},
	{"Gbps", COLUMN_GBPS},
	{"Throughput(Gbps)", COLUMN_GBPS},
	{"Cycles/Buf", COLUMN_TICKS},
	{"Enq Retries", COLUMN_RETRIES_ENQUEUE},
	{"Deq Retries", COLUMN_RETRIES_DEQUEUE},
	{"Cycles/Op", COLUMN_TICKS_OP},
	{"Cycles/Enq", COLUMN_TICKS_ENQUEUE},
	{"Cycles/Deq", COLUMN_TICKS_DEQUEUE},
	{"Pakt Seq #", COLUMN_SEQUENCE},
	{"Packet Seq #", COLUMN_SEQUENCE},
	{"Packet Size", COLUMN_PACKET_SIZE},
	{"cycles", COLUMN_LATENCY_TICKS},
	{"time (us)", COLUMN_LATENCY_US},
};

/* Which column tells the test. */
static const struct {
	enum cperf_column column;
	const char *test;
} tests[] = {
	{COLUMN_FAILED_OPS, "verify"},  {COLUMN_TICKS_OP, "pmd-cyclecount"},
	{COLUMN_LATENCY_US, "latency"}, {COLUMN_MOPS, "throughput"},
	{COLUMN_GBPS, "throughput"},
};

/* Length of the longest known name the text begins with, blanks of any width inside. */
static size_t name_size(struct view text, const char *name)
{
	size_t i = 0;

	for (; *name; name++) {
		if (*name == ' ') {
			size_t from = i;

			while (i < text.size && (text.at[i] == ' ' || text.at[i] == '\t'))
				i++;
			if (i == from)
				return 0;
			continue;
		}
		if (i == text.size || strncasecmp(text.at + i, name, 1) != 0)
			return 0;
		i++;
	}
	return i == text.size || strchr(" \t,;", text.at[i]) ? i : 0;
}

static size_t column_at(struct view text, enum cperf_column *column)
{
	size_t best = 0;

	for (size_t i = 0; i < sizeof(known_columns) / sizeof(known_columns[0]); i++) {
		size_t size = name_size(text, known_columns[i].name);

		if (size > best) {
			best = size;
			*column = known_columns[i].column;
		}
	}
	return best;
}

static struct view skip_blanks(struct view text)
{
	while (text.size && strchr(" \t,;", text.at[0]))
		text.at++, text.size--;
	return text;
}

bool cperf_read_header(struct view line, struct cperf_state *out)
{
	struct cperf_state header = {0};

	if (view_starts(line, "#"))
		line.at++, line.size--;
	line = skip_blanks(line);
	header.csv = view_find(line, ",") || view_find(line, ";");
	while (line.size && header.column_count < CPERF_COLUMNS_MAX) {
		enum cperf_column column = COLUMN_OTHER;
		size_t size = column_at(line, &column);

		if (!header.column_count && column != COLUMN_LCORE)
			return false;
		while (column == COLUMN_OTHER && size < line.size &&
		       !strchr(" \t,;", line.at[size]))
			size++;
		header.columns[header.column_count++] = column;
		line = skip_blanks((struct view){line.at + size, line.size - size});
	}
	if (header.column_count < 4)
		return false;
	memcpy(out->columns, header.columns, sizeof(header.columns));
	out->column_count = header.column_count;
	out->csv = header.csv;
	return true;
}

bool cperf_has_column(const struct cperf_state *state, enum cperf_column column)
{
	for (size_t i = 0; i < state->column_count; i++) {
		if (state->columns[i] == column)
			return true;
	}
	return false;
}

const char *cperf_test_of(const struct cperf_state *state)
{
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (cperf_has_column(state, tests[i].column))
			return tests[i].test;
	}
	return NULL;
}
