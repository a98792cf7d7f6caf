// SPDX-License-Identifier: BSD-2-Clause
#include "bench/import.h"

#include "base/arena.h"

#include <string.h>
#include <strings.h>

#define ROWS_COMPARED 2000
#define SPREAD_OF_ONE_CORE 1.10

static bool says(const char *path, const char *word)
{
	const char *slash = strrchr(path, '/');

	return strcasestr(slash ? slash + 1 : path, word) != NULL;
}

bool bench_import_says_emulated(const char *path)
{
	return says(path, "qemu") && !says(path, "kvm");
}

static bool is_same(const struct engine_row *a, const struct engine_row *b)
{
	return a->size_bytes == b->size_bytes && a->name && b->name &&
	       strcmp(a->name, b->name) == 0 && a->size_bytes > 0 &&
	       text_same(a->operation, b->operation) && !a->void_reason && !b->void_reason &&
	       a->bytes_per_s > 0 && b->bytes_per_s > 0;
}

static double ratio(const struct engine_row *a, const struct engine_row *b)
{
	double up = a->bytes_per_s / b->bytes_per_s;

	return up > 1 ? up : 1 / up;
}

const char *bench_import_spread(struct arena *arena, const struct engine_run *run)
{
	size_t count = run->row_count < ROWS_COMPARED ? run->row_count : ROWS_COMPARED;
	const struct engine_row *widest = NULL;
	double spread = SPREAD_OF_ONE_CORE;

	if (!run->engine || strcmp(run->engine, "openssl-speed") != 0)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		for (size_t j = i + 1; j < count; j++) {
			const struct engine_row *a = &run->rows[i], *b = &run->rows[j];

			if (!is_same(a, b) || ratio(a, b) < spread)
				continue;
			spread = ratio(a, b);
			widest = a;
		}
	}
	return widest ? arena_printf(arena,
				     "rows of one algorithm and size differ, %s of %lld bytes by a "
				     "factor of %.2f: cores of different types or clocks, or other "
				     "load; which row is of which core is not in the text",
				     widest->name, (long long)widest->size_bytes, spread)
		      : NULL;
}
