// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/arena.h"
#include "bench/bench.h"
#include "bench/stack.h"
#include "catalog/identity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Benches made by hand, without any process. */
static inline int made_setup(void **state)
{
	static struct arena arena;

	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	arena.exhausted = abort;
	*state = &arena;
	return 0;
}

static inline int made_teardown(void **state)
{
	arena_release(*state);
	return 0;
}

/* A bare-metal machine, and the program that measures its core is not there. */
static inline struct bench *made_bench(struct arena *arena, const char *family, const char *sku)
{
	struct bench *bench = arena_new(arena, struct bench);
	struct identity *identity = arena_new(arena, struct identity);

	*identity = (struct identity){.arch = "aarch64",
				      .family = family,
				      .family_confidence = "certain",
				      .sku = sku,
				      .virtualization = {.vm = "none"}};
	*bench = (struct bench){.arena = arena,
				.stack = arena_new(arena, struct bench_stack),
				.identity = identity,
				.references = arena_new(arena, struct references),
				.helper = "/nonexistent/kat-bench",
				.cpu = -1,
				.random = 42,
				.budget_ms = 600000,
				.clock_hz = NAN};
	return bench;
}

static inline struct bench_series *made_series(struct arena *arena,
					       const struct suite_case *suite_case)
{
	struct bench_series *series = arena_new(arena, struct bench_series);

	series->suite_case = suite_case;
	series->result = (struct bench_result){
		.id = "made",
		.suite = "made",
		.name = suite_case->name,
		.engine = suite_case->engine,
		.size_bytes = 1024,
		.cores = 1,
		.outcome = "unknown",
		.unverified = "not run",
		.rates = {.gbps = NAN, .mops = NAN, .ns_per_op = NAN, .ticks_per_op = NAN},
		.cycles_per_byte = NAN,
		.limit_share = NAN,
		.efficiency = NAN};
	return series;
}
