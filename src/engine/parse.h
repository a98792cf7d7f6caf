// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "engine/command.h"
#include "engine/engine.h"
#include "engine/number.h"

#include <math.h>

/* What the parsers share while a text is read. Lines are cleaned (engine/lines.h) and live until
 * the next one; what is kept is copied. */

enum cperf_column {
	COLUMN_OTHER,
	COLUMN_LCORE,
	COLUMN_SIZE,
	COLUMN_BURST,
	COLUMN_ENQUEUED,
	COLUMN_DEQUEUED,
	COLUMN_FAILED_ENQUEUE,
	COLUMN_FAILED_DEQUEUE,
	COLUMN_FAILED_OPS,
	COLUMN_MOPS,
	COLUMN_GBPS,
	COLUMN_TICKS,
	COLUMN_RETRIES_ENQUEUE,
	COLUMN_RETRIES_DEQUEUE,
	COLUMN_TICKS_OP,
	COLUMN_TICKS_ENQUEUE,
	COLUMN_TICKS_DEQUEUE,
	COLUMN_SEQUENCE,
	COLUMN_PACKET_SIZE,
	COLUMN_LATENCY_TICKS,
	COLUMN_LATENCY_US,
	COLUMN_COUNT,
};

#define CPERF_COLUMNS_MAX 16

/* Digits a row left open, beside the row itself: for its self-checks. */
struct cperf_open {
	double mops, gbps, ticks;
};

struct cperf_state {
	enum cperf_column columns[CPERF_COLUMNS_MAX];
	size_t column_count; /* 0: no header yet */
	bool csv;
	struct engine_row block; /* latency of one size, as far as it was read */
	bool in_block;
	int average, maximum; /* their places among the columns of a block; -1 */
	struct cperf_open *open;
	size_t open_room;
	const char *device;
	size_t latency_row; /* + 1: the row that gathers a CSV of packets; 0: none */
};

/* What a "Doing …" or +DT line announced, and what came of it. */
struct openssl_progress {
	const char *name, *operation; /* operation NULL: of bytes */
	int64_t size, bits;
	double wanted_s, seconds, count; /* NaN: not known */
	size_t line;
	int code; /* of +R<code>; -1 */
};

#define OPENSSL_SIZES_MAX 64
#define OPENSSL_COLUMNS_MAX 12

struct openssl_column {
	const char *operation;
	bool rate; /* per second; else seconds */
};

struct openssl_state {
	struct openssl_progress *progress;
	size_t progress_count, progress_room;
	struct openssl_progress pending;
	bool is_pending, version_said, table, mr, from_counts;
	int64_t sizes[OPENSSL_SIZES_MAX];
	size_t size_count;
	struct openssl_column columns[OPENSSL_COLUMNS_MAX];
	size_t column_count;
	size_t kems, signatures;                 /* lines of +F9 and +F10 so far */
	struct names kem_names, signature_names; /* in the order they were announced */
	int64_t children;
};

struct bssl_state {
	const char *description; /* of the JSON object that is being read */
	double calls, microseconds, bytes;
	bool in_json;
};

struct trouble {
	const char *engine;  /* NULL: of any, and begins no run */
	const char *message; /* stands somewhere in the line; '*' is any text, the first is kept */
	enum engine_end end; /* ENGINE_DONE: only a note */
	int weight;          /* the heaviest is the reason */
	const char *reason;  /* '*' is what was kept */
};

/* One run while it is read. */
struct parse_run {
	struct engine_run run;
	size_t row_room;
	struct engine_command command;
	const struct trouble *trouble;
	const char *trouble_kept;
	size_t trouble_line;
	int status;  /* -1: not known */
	bool closed; /* another command stands below it */
	struct cperf_state cperf;
	struct openssl_state openssl;
	struct bssl_state bssl;
};

struct parse {
	struct arena *arena;
	struct parse_run *items; /* the last one is being read */
	size_t count, room;
	bool single;                          /* one process printed all: never begin another run */
	const char *version, *library, *hint; /* of `openssl version` and such, for the next run */
	size_t version_line;
	const char *label;   /* "After:", above rows that are not there yet */
	struct names *notes; /* harmless things said before any run */
	bool l2fwd; /* counters of dpdk-l2fwd-crypto were seen, and how many were enqueued */
	uint64_t l2fwd_enqueued;
	size_t line;
	size_t rows;
	size_t commands, troubles; /* read so far */
};

/* The run that is being read, of this engine: another engine begins another run; `fresh` always
 * does, unless nothing but its command was read. */
struct parse_run *parse_run(struct parse *parse, const char *engine, bool fresh);
struct parse_run *parse_now(struct parse *parse); /* NULL: none yet */
/* A row with nothing known, kept in the run; NULL when there are too many. */
struct engine_row *parse_row(struct parse *parse, struct parse_run *now);
/* Nothing is known of it yet: NaN, -1, NULL. */
struct engine_row parse_blank_row(void);
void parse_note(struct parse *parse, struct parse_run *now, const char *note);
const char *parse_copy(struct parse *parse, struct view text);

/* Each takes a line or says that it is not its own. */
bool cperf_line(struct parse *parse, struct view line);
bool cperf_latency_line(struct parse *parse, struct view line);
bool openssl_line(struct parse *parse, struct view line);
bool openssl_mr_line(struct parse *parse, struct view line);
bool openssl_progress_line(struct parse *parse, struct view line);
bool bssl_line(struct parse *parse, struct view line);
bool trouble_line(struct parse *parse, struct view line);
bool fact_line(struct parse *parse, struct view line);

/* What is to be said when all lines are read: names, void rows, notes. */
void cperf_finish(struct parse *parse, struct parse_run *now);
void cperf_judge(struct parse *parse, struct parse_run *now);
void openssl_finish(struct parse *parse, struct parse_run *now);
void openssl_judge(struct parse *parse, struct parse_run *now);
void bssl_finish(struct parse *parse, struct parse_run *now);
void trouble_finish(struct parse *parse, struct parse_run *now);

/* Shared by cperf_*.c: the line of a table's names, which columns it has, what test that is. */
bool cperf_read_header(struct view line, struct cperf_state *out);
bool cperf_has_column(const struct cperf_state *state, enum cperf_column column);
const char *cperf_test_of(const struct cperf_state *state);

/* Shared by openssl_*.c. */
void openssl_keep(struct parse *parse, struct parse_run *now,
		  const struct openssl_progress *progress);
void openssl_row(struct parse *parse, struct parse_run *now, const char *name,
		 const char *operation, int64_t size, double bytes_per_s, double ops_per_s);

extern const struct trouble cperf_troubles[], openssl_troubles[], any_troubles[];

#define VOID_ROW(parse, row, ...)                                                                  \
	((row)->void_reason                                                                        \
		 ? (void)0                                                                         \
		 : (void)((row)->void_reason = arena_printf((parse)->arena, __VA_ARGS__)))
