// SPDX-License-Identifier: BSD-2-Clause
#include "fuzz.h"

#include "base/arena.h"
#include "base/error.h"
#include "bench/baseline.h"
#include "bench/reference.h"
#include "bench/suite.h"
#include "catalog/identity.h"

#include <math.h>
#include <string.h>

/* A suite that is taken holds what the engines rely on. */
static void parse_suite(struct arena *arena, struct view bytes)
{
	const struct suite *suite;
	const struct suite_case *cases;
	struct error err = {0};

	if (!suite_read(arena, "x", bytes, &suite, &err)) {
		PROMISE(strncmp(err.text, "x:", 2) == 0);
		return;
	}
	cases = suite->cases.items;
	PROMISE(suite->cases.count > 0 && suite->cases.count <= SUITE_CASES_MAX);
	for (size_t i = 0; i < suite->cases.count; i++) {
		PROMISE(suite_find(suite, cases[i].name) == &cases[i]);
		PROMISE(cases[i].burst > 0 && cases[i].cores.count > 0 && cases[i].unit);
		PROMISE(!cases[i].dpdk == (strcmp(cases[i].engine, "dpdk-crypto-perf") != 0));
		PROMISE(!cases[i].dpdk || cases[i].devices.count);
		for (size_t j = 0; j < cases[i].sizes.count; j++)
			PROMISE(cases[i].sizes.items[j] > 0);
	}
}

/* A reference that is taken gives numbers, and bands around them. */
static void parse_reference(struct arena *arena, struct view bytes)
{
	const struct identity host = {.family = "altra",
				      .family_confidence = "certain",
				      .sku = "Q80-26",
				      .virtualization = {.vm = "none"}};
	const struct reference_circumstances circumstances = {.host = &host, .measured_ghz = 2.6};
	struct reference reference;
	struct references all = {&reference, 1};
	const struct reference_row *rows;
	struct error err = {0};

	if (!reference_read(arena, "x", bytes, &reference, &err)) {
		PROMISE(strncmp(err.text, "x:", 2) == 0);
		return;
	}
	rows = reference.rows.items;
	for (size_t i = 0; i < reference.rows.count && i < 64; i++) {
		const struct reference_match *match = reference_find(
			arena, &all, rows[i].name, rows[i].device, rows[i].size_bytes,
			rows[i].cores, rows[i].size_bytes ? "Gbps" : "MOps", &circumstances);

		PROMISE(match && match->value > 0);
		PROMISE(strcmp(match->comparable, "no") == 0
				? match->why && isnan(match->low)
				: match->low < match->value && match->value < match->high);
	}
}

/* A baseline is found again in itself, and is not slower than itself. */
static void parse_baseline(struct arena *arena, struct view bytes)
{
	struct baseline baseline;
	struct error err = {0};

	if (!baseline_read(arena, "x", bytes, "ampere-crypto/bench 1.0.0", &baseline, &err)) {
		PROMISE(strncmp(err.text, "x:", 2) == 0);
		return;
	}
	for (size_t i = 0; i < baseline.count && i < 64; i++) {
		const struct bench_result *result = &baseline.results[i];
		const struct bench_change *change =
			baseline_change(arena, &baseline, baseline.host, result, 0.03);

		PROMISE(!result->estimate == !change);
		PROMISE(!change || strcmp(change->verdict, "slower") != 0);
	}
}

const struct target bench_targets[] = {
	{.name = "suite", .parse = parse_suite},
	{.name = "reference", .parse = parse_reference},
	{.name = "baseline", .parse = parse_baseline},
	{.name = NULL}, /* the last */
};
