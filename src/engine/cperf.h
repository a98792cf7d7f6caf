// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "engine/eal.h"

/* Options of dpdk-test-crypto-perf that say what is measured, as a suite's case gives them. 0 and
 * NULL: not given. Key, iv, aad and digest are bytes. */
struct cperf_algorithm {
	const char *name, *op; /* "aes-cbc", "encrypt" */
	int64_t key, iv;
};

struct cperf_case {
	const char *optype; /* cipher-only, auth-only, cipher-then-auth, auth-then-cipher, aead */
	struct cperf_algorithm *cipher, *auth, *aead; /* NULL: none */
	int64_t aad, digest;
	int64_t full_digest;    /* all bytes the algorithm gives; verified beside `digest` */
	const char *vector;     /* the algorithm of kat-bench's vectors, "aes-cbc-128+sha1-hmac" */
	struct names published; /* files of recipes/dpdk/vectors with their section and size in
				 * their own head */
};

extern const struct field_table cperf_case_table;

enum cperf_test { CPERF_THROUGHPUT, CPERF_LATENCY, CPERF_CYCLECOUNT, CPERF_VERIFY };

struct cperf_request {
	const char *program;
	const struct names *emulator; /* NULL: none */
	const struct cperf_case *options;
	const char *device; /* "crypto_openssl" */
	enum cperf_test test;
	const struct eal_process *process;
	const char *prefix;
	const struct numbers *sizes; /* one of them for verify */
	int64_t burst, operations;
	const char *test_file, *section; /* verify */
	bool opposite;                   /* decrypt/verify instead of encrypt/generate */
	bool full_digest;
};

/* The whole command line; an error (EXIT_USAGE) when a word is not ASCII or no DPDK takes it. */
bool cperf_argv(struct arena *arena, const struct cperf_request *request, struct names *out,
		struct error *err);

/* Operations of one row that take about `seconds` at the rate of an earlier row; of the first, 0
 * or NaN, an amount that is soon done. Capped for latency, which keeps 24 bytes of each. Pure. */
int64_t cperf_operations(enum cperf_test test, double ops_per_s, double seconds);
