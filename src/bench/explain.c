// SPDX-License-Identifier: BSD-2-Clause
#include "bench/bench.h"

#include "base/arena.h"
#include "bench/stack.h"
#include "catalog/identity.h"
#include "check/finding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A clock this far below the rated one is worth a line of its own. */
#define CLOCK_LEAST 0.98

static void add(struct bench *bench, struct bench_series *series, const char *text)
{
	names_add(bench->arena, &series->result.explain, text);
}

/* What audit found wrong and is known to matter to this case, with what it costs. */
static size_t add_findings(struct bench *bench, struct bench_series *series)
{
	const struct finding *findings = bench->findings ? bench->findings->items : NULL;
	size_t count = bench->findings ? bench->findings->count : 0, added = 0;

	for (size_t i = 0; i < count; i++) {
		const struct finding *finding = &findings[i];

		if (strcmp(finding->outcome, "fail") != 0 ||
		    !names_match(&series->suite_case->checks, finding->id))
			continue;
		add(bench, series,
		    arena_printf(bench->arena, "%s: found %s, wanted %s%s%s", finding->id,
				 value_format(bench->arena, &finding->found, finding->unit),
				 finding->wanted, finding->cost ? "; it costs: " : "",
				 finding->cost ? finding->cost : ""));
		added++;
	}
	return added;
}

static void add_library(struct bench *bench, struct bench_series *series)
{
	const struct bench_library *library = &series->result.library;

	if (!library->path)
		return;
	add(bench, series,
	    arena_printf(bench->arena, "loaded: %s%s%s%s%s", library->path,
			 library->version ? ", " : "", library->version ? library->version : "",
			 library->capability ? ", " : "",
			 library->capability ? library->capability : ""));
}

static double rated_ghz(const struct bench *bench)
{
	return bench->identity ? reference_sku_ghz(bench->identity->sku) : NAN;
}

static void add_clock(struct bench *bench, struct bench_series *series)
{
	double rated = rated_ghz(bench), measured = bench->clock_hz / 1e9;

	if (!isfinite(measured))
		return;
	if (isfinite(rated))
		add(bench, series,
		    arena_printf(bench->arena, "clock: %.2f GHz measured, rated %.1f GHz%s",
				 measured, rated,
				 measured < CLOCK_LEAST * rated
					 ? ": this much of the shortfall is the clock's"
					 : ""));
	else
		add(bench, series,
		    arena_printf(bench->arena, "clock: %.2f GHz measured", measured));
}

static void add_limit(struct bench *bench, struct bench_series *series)
{
	if (isfinite(series->result.limit_share))
		add(bench, series,
		    arena_printf(bench->arena,
				 "the core itself: %.0f %% of what its %s instructions can do",
				 100 * series->result.limit_share, series->result.limit));
}

/* The one measurement that tells the most likely cause from the others. */
static const char *confirm(struct bench *bench, const struct bench_series *series, size_t findings)
{
	double rated = rated_ghz(bench), measured = bench->clock_hz / 1e9;

	if (isfinite(rated) && measured < CLOCK_LEAST * rated)
		return "set the governor to performance and measure again";
	if (findings)
		return "mend the first of these and measure again with --baseline";
	if (series->result.device && strcmp(series->result.device, "crypto_openssl") == 0 &&
	    strstr(series->result.name, "gcm"))
		return "measure the library alone: ampere-crypto bench library "
		       "--only 'library/*gcm*'";
	return "measure on another core of the same node: taskset -c N ampere-crypto bench";
}

void bench_explain(struct bench *bench, struct bench_series *series)
{
	size_t findings = add_findings(bench, series);

	add_library(bench, series);
	add_clock(bench, series);
	add_limit(bench, series);
	add(bench, series,
	    arena_printf(bench->arena, "to confirm: %s", confirm(bench, series, findings)));
}
