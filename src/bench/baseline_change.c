// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "bench/baseline.h"
#include "bench/statistics.h"
#include "catalog/identity.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const verdicts[] = {
	[CHANGE_NONE] = "same",
	[CHANGE_SLOWER] = "slower",
	[CHANGE_FASTER] = "faster",
	[CHANGE_UNDECIDED] = "undecided",
};

/* "altra Q80-30, 80 CPUs, aarch64" */
static const char *describe(struct arena *arena, const struct identity *host)
{
	const char *vm = host->virtualization.vm;
	const char *cpus = host->cpus.known
				   ? arena_printf(arena, "%" PRId64 " CPUs", host->cpus.number)
				   : "CPUs not known";

	return arena_printf(arena, "%s%s%s, %s, %s%s%s", host->family ? host->family : "unknown",
			    host->sku ? " " : "", host->sku ? host->sku : "", cpus,
			    host->arch ? host->arch : "architecture not known",
			    vm && strcmp(vm, "none") != 0 ? ", in " : "",
			    vm && strcmp(vm, "none") != 0 ? vm : "");
}

/* Why the two machines are not one; NULL: nothing says so. */
static const char *machine_differs(struct arena *arena, const struct identity *before,
				   const struct identity *now)
{
	if (text_same(before->family, now->family) && text_same(before->sku, now->sku) &&
	    text_same(before->arch, now->arch) &&
	    text_same(before->virtualization.vm, now->virtualization.vm) &&
	    before->cpus.known == now->cpus.known && before->cpus.number == now->cpus.number)
		return NULL;
	return arena_printf(arena, "the baseline is from another machine: %s; this is %s",
			    describe(arena, before), describe(arena, now));
}

static const struct bench_result *find(const struct baseline *baseline, const char *id)
{
	size_t low = 0, high = baseline->count;

	while (low < high) {
		size_t half = low + (high - low) / 2;
		int order = strcmp(id, baseline->results[half].id);

		if (!order)
			return &baseline->results[half];
		if (order < 0)
			high = half;
		else
			low = half + 1;
	}
	return NULL;
}

/* Why the two results are not of one thing; NULL: they are. */
static const char *result_differs(struct arena *arena, const struct bench_result *before,
				  const struct bench_result *now)
{
	if (!before)
		return "the baseline does not have it";
	if (before->suite_version != now->suite_version)
		return arena_printf(arena,
				    "the baseline is of version %" PRId64
				    " of the suite, this is %" PRId64,
				    before->suite_version, now->suite_version);
	if (!before->estimate)
		return arena_printf(arena, "the baseline has no number: %s",
				    before->reason ? before->reason : before->outcome);
	if (!text_same(before->estimate->unit, now->estimate->unit))
		return arena_printf(arena, "the baseline is in %s", before->estimate->unit);
	return NULL;
}

/* What else changed; NULL: nothing that is known. */
static const char *library_changed(struct arena *arena, const struct bench_library *before,
				   const struct bench_library *now)
{
	const struct {
		const char *what, *before, *now;
	} rows[] = {
		{"the library was", before->version, now->version},
		{"its capability word was", before->capability, now->capability},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!text_same(rows[i].before, rows[i].now))
			return arena_printf(arena, "%s %s, it is %s now", rows[i].what,
					    rows[i].before ? rows[i].before : "not known",
					    rows[i].now ? rows[i].now : "not known");
	}
	return NULL;
}

/* One median for each invocation that has samples which count. */
static struct statistics_groups medians_of(struct arena *arena, const struct bench_result *result)
{
	const struct bench_sample *raw = result->raw.items;
	struct statistics_sample *kept =
		arena_array(arena, struct statistics_sample, result->raw.count + 1);
	double *medians = arena_array(arena, double, result->raw.count + 1);
	size_t count = 0;

	for (size_t i = 0; i < result->raw.count; i++) {
		if (!raw[i].dropped && isfinite(raw[i].value) && raw[i].value > 0)
			kept[count++] = (struct statistics_sample){raw[i].invocation, raw[i].value};
	}
	return (struct statistics_groups){medians, statistics_invocations(kept, count, medians)};
}

struct bench_change *baseline_change(struct arena *arena, const struct baseline *baseline,
				     const struct identity *host, const struct bench_result *result,
				     double threshold)
{
	struct bench_change change = {NAN, NAN, NAN, "not-compared", NULL}, *out;
	const struct bench_result *before = find(baseline, result->id);
	struct statistics_comparison comparison;

	if (!result->estimate)
		return NULL;
	change.why = machine_differs(arena, baseline->host, host);
	if (!change.why)
		change.why = result_differs(arena, before, result);
	if (!change.why) {
		struct statistics_groups first = medians_of(arena, before);
		struct statistics_groups second = medians_of(arena, result);

		statistics_compare(&first, &second, threshold, &comparison);
		change = (struct bench_change){
			comparison.ratio, comparison.low, comparison.high,
			verdicts[comparison.change],
			library_changed(arena, &before->library, &result->library)};
	}
	out = arena_new(arena, struct bench_change);
	*out = change;
	return out;
}
