// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

/*
 * ampere-crypto-kat-bench: measures one libcrypto, opened by path, or the core alone, in a process
 * of its own.
 *
 *   kat-bench measure --library PATH --cpu N --batch-us U --batches B --seed S CASE:SIZE…
 *   kat-bench answers --library PATH CASE:SIZE…       no timing: what would be compared
 *   kat-bench limit --cpu N --batch-us U --batches B  the core's own limits
 *   kat-bench machine --cpu N --batch-us U --batches B WALK:SIZE…   its clock, and what a step of a
 *                                                     walk through SIZE bytes takes
 *   kat-bench vector --library PATH ALGORITHM:SIZE    a --test-file of dpdk-test-crypto-perf and
 *                                                     nothing else; "error REASON…" in its place
 *   kat-bench cases                                   names it knows, one a line
 *
 * The others print lines of words, one fact each, and "end" last, after an error, too; without that
 * the output was cut:
 *
 *   library PATH               what was really opened (from its own mappings)
 *   version TEXT…              OpenSSL_version(OPENSSL_VERSION)
 *   capability TEXT…           OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS), "OPENSSL_armcap=0xbd"
 *   cpu N                      where it is pinned
 *   na CASE SIZE REASON…       this library or core cannot do it; SIZE 0: in no size. A limit is
 *                              the case limit-KIND
 *   known CASE right|wrong SOURCE…        published vectors, through the code that is timed
 *   answer first|last CASE SIZE SHA256    of all that the timed code wrote, tags included
 *   batch CASE SIZE OPS WALL_NS CPU_NS SWITCHES STEAL     SWITCHES: involuntary ones of the
 *                              thread; STEAL: ticks of this CPU in /proc/stat, -1 not known
 *   clock-source pmu|chain     what the clock was measured with: the core's cycle counter, or a
 *                              chain of dependent additions
 *   clock HZ                   of the core, over CPU time, beside the batches
 *   limit KIND OPS CPU_NS      KIND: aes (rounds of 16 bytes), pmull (64 × 64 bit products),
 *                              sha1, sha256, sha512 (bytes hashed by the instructions alone)
 *                              `machine` prints one "batch clock 0 1" for each clock, and for each
 *                              walk batches whose OPS are steps that wait for each other, a line
 *                              of 64 bytes each: `chase` in random order within windows of 128
 *                              KiB, `stride-64` and `stride-256` in order
 *   error REASON…              and exit status 2; 4 when a published vector is wrong
 *
 * `openssl speed -evp aes-128-gcm` of older releases does what aes-128-gcm-update does; since pull
 * request 25823 of November 2024 (3.0.22 and 3.5.7 have it) it sets key and IV anew in each
 * operation, as aes-128-gcm-rekey does.
 *
 * The order of CASE:SIZE is shuffled by the seed, batch by batch. Published vectors and the first
 * answers come before all batches, and without them there are none. Expected answers come from
 * `answers` run with the capabilities masked (kat_masks); `measure` refuses such an environment.
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
	int64_t size_bytes; /* 0: every size */
};

/* Everything one process said. */
struct kat_output {
	const char *library, *version;
	const char *capability; /* NULL: the library does not tell (before 3.0) */
	int64_t cpu;            /* -1: not pinned */
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
	const char *clock_source; /* pmu, chain; NULL: not measured */
	double *clock_hz;         /* sorted */
	size_t clock_count;
	const char *error; /* what it said, NULL */
};

struct kat_case {
	const char *name;
	int64_t size_bytes; /* 0: the case has no size */
};

struct kat_request {
	const char *helper; /* path of the program */
	const char *mode;   /* measure, answers, limit, machine, vector */
	const char *library;
	int64_t cpu; /* -1: do not pin */
	int64_t batch_us, batches;
	uint64_t seed;
	const struct kat_case *cases;
	size_t case_count;
};

/* The environment in which a libcrypto uses no instruction that the base architecture lacks. */
extern const char *const kat_masks[2];

/* The words of the command line: those options that the mode takes. */
void kat_argv(struct arena *arena, const struct kat_request *request, struct names *out);
/* False: the output was cut or is not kat-bench's. */
bool kat_parse(struct arena *arena, struct view text, struct kat_output *out, struct error *err);
/*
 * What the timed code answered against what was expected; of one case, or of all (`only` is NULL).
 * NULL: the same, first and last; else one line that names the first difference. What was timed
 * and has no answer on either side differs, too.
 */
const char *kat_compare(struct arena *arena, const struct kat_output *timed,
			const struct kat_output *expected, const struct kat_case *only);
