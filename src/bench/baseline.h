// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "bench/result.h"

struct identity;

/* A former document of `bench`, which is what --save keeps: nothing is in it that the JSON has not.
 */
struct baseline {
	const char *path;
	const struct identity *host; /* what tells machines apart; the rest is not filled in */
	const struct bench_result *results; /* sorted by id */
	size_t count;
};

#define BASELINE_RESULTS_MAX 20000
#define BASELINE_THRESHOLD 0.03

/* `schema` is what this program writes now, "ampere-crypto/bench 1.0.0"; the major version must be
 * the same, the minor not newer. */
bool baseline_load(struct arena *arena, const char *path, const char *schema, struct baseline *out,
		   struct error *err);
bool baseline_read(struct arena *arena, const char *path, struct view text, const char *schema,
		   struct baseline *out, struct error *err);

/* A result against that of the same id: medians of invocations, from raw. NULL: the result has no
 * number. What cannot be compared says why; another version of the library is said and compared. */
struct bench_change *baseline_change(struct arena *arena, const struct baseline *baseline,
				     const struct identity *host, const struct bench_result *result,
				     double threshold);
