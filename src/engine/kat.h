// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

/*
 * ampere-crypto-kat-bench: measures one libcrypto, opened by path, in a process of its own.
 *
 *   kat-bench measure --library PATH --cpu N --batch-us U --batches B --seed S CASE:SIZE…
 *   kat-bench answers --library PATH CASE:SIZE…       no timing: what would be compared
 *   kat-bench limit --cpu N --batch-us U --batches B  the core's own limits
 *   kat-bench vector --library PATH ALGORITHM:SIZE    a --test-file of dpdk-test-crypto-perf
 *   kat-bench cases                                   names it knows, one a line
 *
 * It prints lines of words, one fact each, and "end" last; without that the output was cut:
 *
 *   library PATH               what was really opened (from its own mappings)
 *   version TEXT…              OpenSSL_version(OPENSSL_VERSION)
 *   capability TEXT…           OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS), "OPENSSL_armcap=0xbd"
 *   cpu N                      where it is pinned
 *   na CASE REASON…            this library or core cannot do it
 *   known CASE right|wrong SOURCE…        published vectors, through the code that is timed
 *   answer first|last CASE SIZE SHA256    of all that the timed code wrote, tags included
 *   batch CASE SIZE OPS WALL_NS CPU_NS SWITCHES STEAL     SWITCHES: involuntary ones of the
 *                              thread; STEAL: ticks of this CPU in /proc/stat, -1 not known
 *   clock HZ                   of the core, by a chain of dependent operations, one per batch
 *   limit KIND OPS WALL_NS     KIND: aes (rounds of 16 bytes), pmull (64 × 64 bit products),
 *                              sha1, sha256, sha512 (bytes hashed by the instructions alone)
 *   error REASON…              and exit status 2; 4 when a published vector is wrong
 *
 * The order of CASE:SIZE is shuffled by the seed, batch by batch. Expected answers come from
 * `answers` run with the capabilities masked (OPENSSL_armcap=0, OPENSSL_ia32cap).
 */
struct kat_batch {
	const char *name; /* the case */
	int64_t size_bytes;
	double ops;
	int64_t wall_ns, cpu_ns, switches, steal;
};

struct kat_answer {
	const char *name;
	int64_t size_bytes;
	const char *first, *last; /* 64 hex digits; NULL: not there */
};

struct kat_verdict {
	const char *name, *source;
	bool right;
};

struct kat_limit {
	const char *kind;
	double ops_per_s; /* the best batch */
};

struct kat_absence {
	const char *name, *reason;
};

/* Everything one process said. */
struct kat_output {
	const char *library, *version, *capability;
	int64_t cpu;
	struct kat_batch *batches;
	size_t batch_count;
	struct kat_answer *answers;
	size_t answer_count;
	struct kat_verdict *verdicts;
	size_t verdict_count;
	struct kat_limit *limits;
	size_t limit_count;
	struct kat_absence *absences;
	size_t absence_count;
	double *clock_hz; /* sorted */
	size_t clock_count;
	const char *error; /* what it said, NULL */
};

struct kat_case {
	const char *name;
	int64_t size_bytes; /* 0: the case has no size */
};

struct kat_request {
	const char *helper; /* path of the program */
	const char *mode;   /* measure, answers, limit */
	const char *library;
	int64_t cpu; /* -1: do not pin */
	int64_t batch_us, batches;
	uint64_t seed;
	const struct kat_case *cases;
	size_t case_count;
};

/* The words of the command line. */
void kat_argv(struct arena *arena, const struct kat_request *request, struct names *out);
/* False: the output was cut or is not kat-bench's. */
bool kat_parse(struct arena *arena, struct view text, struct kat_output *out, struct error *err);
