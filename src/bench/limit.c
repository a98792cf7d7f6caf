// SPDX-License-Identifier: BSD-2-Clause
#include "bench/bench.h"

#include "base/arena.h"
#include "bench/stack.h"
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

#define NEEDS (sizeof(needs) / sizeof(needs[0]))

/* What a case asks of one unit for every byte; *name is the first that asks it. */
static double asked(const struct suite_case *suite_case, const char *kind, const char **name)
{
	double ops = 0;

	for (size_t i = suite_case->limits.count; i > 0; i--) {
		for (size_t n = 0; n < NEEDS; n++) {
			if (strcmp(needs[n].kind, kind) != 0 ||
			    strcmp(needs[n].name, suite_case->limits.items[i - 1]) != 0)
				continue;
			ops += needs[n].ops_per_byte;
			*name = needs[n].name;
		}
	}
	return ops;
}

/* Units are taken to work at the same time, so the one with the most to do is what binds. */
double bench_limit_share(const struct bench *bench, const struct suite_case *suite_case,
			 double bytes_per_s, const char **limit)
{
	double share = NAN;

	for (size_t i = 0; i < bench->core.limit_count; i++) {
		const struct kat_limit *one = &bench->core.limits[i];
		const char *name = NULL;
		double ops = asked(suite_case, one->kind, &name);

		if (!name || !(one->ops_per_s > 0) || share >= bytes_per_s * ops / one->ops_per_s)
			continue;
		share = bytes_per_s * ops / one->ops_per_s;
		*limit = name;
	}
	return share;
}

/* False: it could not be run, or *interrupted. */
static bool ask(struct bench *bench, const struct kat_request *request, struct kat_output *out,
		bool *interrupted)
{
	struct names argv = {0};
	struct engine_job job = {.argv = &argv,
				 .cpu = request->cpu,
				 .timeout_ms = TIMEOUT_MS,
				 .tick = bench->tick,
				 .context = bench->context};
	struct engine_ran ran;

	*interrupted = false;
	kat_argv(bench->arena, request, &argv);
	if (!engine_run_job(bench->arena, &job, &ran, NULL))
		return false;
	*interrupted = ran.interrupted;
	return !ran.interrupted && kat_parse(bench->arena, ran.output, out, NULL);
}

static void list_limits(struct bench *bench)
{
	struct bench_limit *limits = arena_array(bench->arena, struct bench_limit, NEEDS);
	size_t count = 0;

	for (size_t n = 0; n < NEEDS; n++) {
		for (size_t i = 0; i < bench->core.limit_count; i++) {
			const struct kat_limit *one = &bench->core.limits[i];

			if (strcmp(one->kind, needs[n].kind) == 0)
				limits[count++] = (struct bench_limit){
					needs[n].name,
					one->ops_per_s / needs[n].ops_per_byte * 8 / 1e9};
		}
	}
	bench->summary.limits = (struct field_array){limits, count};
}

static void read_clock(struct bench *bench)
{
	const struct kat_output *core = &bench->core;

	if (!core->clock_count)
		return;
	bench->clock_hz = core->clock_hz[core->clock_count / 2];
	bench->summary.clock_ghz = bench->clock_hz / 1e9;
}

/* What cannot be had is left out: no result depends on it. */
bool bench_core(struct bench *bench, struct error *err)
{
	static const struct kat_case one = {"sha256", 16};
	const struct bench_piece *libcrypto = &bench->stack->libcrypto;
	struct kat_request limits = {.helper = bench->helper,
				     .mode = "limit",
				     .cpu = bench->cpu,
				     .batch_us = BATCH_US,
				     .batches = BATCHES};
	struct kat_request library = {.helper = bench->helper,
				      .mode = "answers",
				      .library = libcrypto->path,
				      .cpu = -1,
				      .cases = &one,
				      .case_count = 1};
	struct kat_output told;
	bool interrupted;

	bench->clock_hz = NAN;
	bench->summary.clock_ghz = NAN;
	bench->libcrypto =
		(struct bench_library){.path = libcrypto->path, .version = libcrypto->version};
	if (ask(bench, &limits, &bench->core, &interrupted)) {
		read_clock(bench);
		list_limits(bench);
	}
	if (!interrupted && libcrypto->path && !libcrypto->emulator.count &&
	    ask(bench, &library, &told, &interrupted))
		bench->libcrypto.capability = told.capability;
	return !interrupted || bench_interrupt(bench, err);
}
