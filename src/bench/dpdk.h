// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "engine/cperf.h"
#include "engine/engine.h"
#include "engine/run.h"

struct bench_stack;

/*
 * One case of dpdk-test-crypto-perf on one device and one number of cores: verified and measured
 * with the same program, cores, memory, device options and libraries. Every call runs one process
 * per node, all at once.
 */
struct dpdk_work {
	struct arena *arena;
	const struct bench_stack *stack;
	const struct cperf_case *options;
	const char *name, *device; /* of the case; of DPDK */
	const struct eal_plan *cores;
	int64_t burst;
	const char *helper;  /* kat-bench, for vectors of the timed size; NULL: none */
	const char *vectors; /* directory of the published ones */
	unsigned timeout_ms; /* of one process; 0: by what it is asked to do */
	bool (*tick)(void *context);
	void *context;
};

enum dpdk_end {
	DPDK_DONE,
	DPDK_MISSING, /* na: not built in, or the device cannot */
	DPDK_FAILED,  /* unknown: it could not be run, or its output is not whole */
	DPDK_WRONG,   /* a known answer is wrong, or another library was loaded */
	DPDK_INTERRUPTED,
};

struct dpdk_outcome {
	enum dpdk_end end;
	const char *reason; /* one line; NULL when done */
	bool hung;          /* it did not end in time */
};

/* What the processes of one call did. */
struct dpdk_ran {
	struct engine_ran *rans;
	struct engine_run *runs;
	size_t count;
};

/* Starts the processes of a request (its process, prefix, program and emulator are set here) and
 * judges how they ended. `keep` is a descriptor they inherit, or -1. False: *err. */
bool dpdk_run(const struct dpdk_work *work, const struct cperf_request *request, int keep,
	      struct dpdk_ran *out, struct dpdk_outcome *outcome, struct error *err);

/* Published vectors of the case, both directions, full and timed digest. */
bool dpdk_verify_published(const struct dpdk_work *work, struct dpdk_outcome *outcome,
			   struct error *err);
/* A vector of this size, made by the stack's libcrypto with its capabilities masked. *note: what
 * stays unverified, NULL. */
bool dpdk_verify_size(const struct dpdk_work *work, int64_t size_bytes, const char **note,
		      struct dpdk_outcome *outcome, struct error *err);

/* A size summed over all workers. */
struct dpdk_row {
	int64_t size_bytes;
	double bytes_per_s, ops_per_s;
	double seconds; /* the longest worker's */
	double ticks_per_op;
	const char *dropped; /* why it does not count, NULL */
};

struct dpdk_measured {
	struct dpdk_row *rows; /* one for each size asked for */
	size_t count;
	double cpu_share; /* 0…1 of their time that the workers ran, the least; NaN: not known */
	int64_t switches; /* involuntary, of all workers */
	bool debug_build;
};

bool dpdk_measure(const struct dpdk_work *work, const struct numbers *sizes, int64_t operations,
		  struct dpdk_measured *out, struct dpdk_outcome *outcome, struct error *err);

/* A file of --test-file, as far as its lengths go. */
struct dpdk_vector {
	struct view text;
	const char *section; /* NULL: it has none */
	int64_t plaintext, cipher_key, auth_key, aead_key, cipher_iv, auth_iv, aead_iv, aad, digest;
};

void dpdk_vector_read(struct arena *arena, struct view text, struct dpdk_vector *out);
/* The case with the lengths of a vector; NULL when its keys are of other lengths. */
const struct cperf_case *dpdk_vector_case(struct arena *arena, const struct cperf_case *options,
					  const struct dpdk_vector *vector);
