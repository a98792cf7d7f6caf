// SPDX-License-Identifier: BSD-2-Clause
#include "bench/bench.h"

#include "base/error.h"
#include "engine/run.h"

#include <math.h>
#include <string.h>

#define BATCH_US 10000
#define BATCHES 9
#define TIMEOUT_MS 30000

/* What an algorithm asks of a unit of the core, so that its limit becomes bytes per second. A case
 * names it in `limits`. Rounds of AES: FIPS 197, table 4. Products of GHASH: three 64 × 64 bit ones
 * a block with Karatsuba's method, reduction left out, so the limit is never put too low. */
static const struct {
	const char *name, *kind;
	double ops_per_byte;
} needs[] = {
	{"aes-128", "aes", 10.0 / 16}, {"aes-192", "aes", 12.0 / 16}, {"aes-256", "aes", 14.0 / 16},
	{"ghash", "pmull", 3.0 / 16},  {"sha1", "sha1", 1},           {"sha256", "sha256", 1},
	{"sha512", "sha512", 1},
};

static double limit_of(const struct bench *bench, const char *kind)
{
	for (size_t i = 0; i < bench->core.limit_count; i++) {
		if (strcmp(bench->core.limits[i].kind, kind) == 0)
			return bench->core.limits[i].ops_per_s;
	}
	return NAN;
}

/* All units are taken to work at the same time, so the share of the tightest is the one that
 * counts. */
double bench_limit_share(const struct bench *bench, const struct suite_case *suite_case,
			 double bytes_per_s, const char **limit)
{
	double share = NAN;

	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++) {
		double one = bytes_per_s * needs[i].ops_per_byte / limit_of(bench, needs[i].kind);

		if (!names_has(&suite_case->limits, needs[i].name) || !isfinite(one))
			continue;
		if (!(share >= one)) {
			share = one;
			*limit = needs[i].name;
		}
	}
	return share;
}

/* What cannot be had is left out: no result depends on it. */
bool bench_core(struct bench *bench, struct error *err)
{
	struct kat_request request = {.helper = bench->helper,
				      .mode = "limit",
				      .cpu = bench->cpu,
				      .batch_us = BATCH_US,
				      .batches = BATCHES};
	struct names argv = {0};
	struct engine_job job = {.argv = &argv,
				 .cpu = bench->cpu,
				 .timeout_ms = TIMEOUT_MS,
				 .tick = bench->tick,
				 .context = bench->context};
	struct engine_ran ran;
	size_t middle;

	bench->clock_hz = NAN;
	bench->summary.clock_ghz = NAN;
	kat_argv(bench->arena, &request, &argv);
	if (!engine_run_job(bench->arena, &job, &ran, err))
		return false;
	if (ran.interrupted)
		return bench_interrupt(bench, err);
	if (!kat_parse(bench->arena, ran.output, &bench->core, NULL) || !bench->core.clock_count)
		return true;
	middle = bench->core.clock_count / 2;
	bench->clock_hz = bench->core.clock_hz[middle];
	bench->clock_spread =
		(bench->core.clock_hz[bench->core.clock_count - 1] - bench->core.clock_hz[0]) / 2 /
		bench->clock_hz;
	bench->summary.clock_ghz = bench->clock_hz / 1e9;
	return true;
}
