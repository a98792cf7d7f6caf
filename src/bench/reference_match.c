// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "bench/reference.h"
#include "catalog/identity.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/*
 * The band. A published number is one run, without its own scatter, of another machine's firmware
 * and kernel. On the same SKU 3 % stand for that: three times what Ampere's guide disagrees with
 * itself, and the least slow-down that the statistics promise to find. At another clock 5 %: DPDK's
 * rings and the mesh do not run at the core's clock, so a rate does not quite follow it. A
 * reference that disagrees with itself by more has a band that wide.
 */
#define BAND_SAME 0.03
#define BAND_ESTIMATE 0.05

#define ROW(name, field_kind, member, text, ...)                                                   \
	{                                                                                          \
		.key = (name), .kind = (field_kind),                                               \
		.offset = FIELD(struct reference_match, member), .required = true, .doc = (text),  \
		##__VA_ARGS__                                                                      \
	}

const char *const reference_comparables[] = {"same", "estimate", "no", NULL};

static const struct field match_rows[] = {
	ROW("value", FIELD_REAL, value,
	    "the published number in the unit of the result, at this machine's clock when it is an "
	    "estimate",
	    .nullable = true),
	ROW("source", FIELD_TEXT, source, "who published it"),
	ROW("comparable", FIELD_ENUM, comparable,
	    "same: the same SKU; estimate: the same family at another clock; no",
	    .names = reference_comparables),
	ROW("why", FIELD_TEXT, why, "of an estimate, and of no", .nullable = true),
	ROW("low", FIELD_REAL, low, "what must be reached; null when it is not comparable",
	    .nullable = true),
	ROW("high", FIELD_REAL, high, "the other end of the band", .nullable = true),
};

const struct field_table reference_match_table =
	FIELD_TABLE("reference-match", struct reference_match, match_rows,
		    "A result beside a published number.");

/* What is asked for. */
struct asking {
	struct arena *arena;
	const struct reference_circumstances *circumstances;
	const char *unit;
	int64_t cores;
};

double reference_sku_ghz(const char *sku)
{
	const char *hyphen = sku ? strchr(sku, '-') : NULL;
	int tenths = 0;

	if (!hyphen || hyphen[1] < '1' || hyphen[1] > '9' || hyphen[2] < '0' || hyphen[2] > '9')
		return NAN;
	/* "A192-32X": one letter may follow. */
	if (hyphen[3] && ((hyphen[3] < 'A' || hyphen[3] > 'Z') || hyphen[4]))
		return NAN;
	tenths = (hyphen[1] - '0') * 10 + hyphen[2] - '0';
	return tenths / 10.0;
}

static double value_of(const struct reference_row *row, const char *unit)
{
	double bits = (double)row->size_bytes * 8;

	if (strcmp(unit, "MOps") == 0)
		return isnan(row->mops) ? row->gbps * 1000 / bits : row->mops;
	return isnan(row->gbps) ? row->mops * bits / 1000 : row->gbps;
}

/* Why nothing of this machine can be compared with published numbers; NULL: nothing hinders. */
static const char *machine_hinders(const struct asking *asking)
{
	const struct reference_circumstances *circumstances = asking->circumstances;
	const struct identity *host = circumstances->host;
	const char *vm = host->virtualization.vm;

	if (circumstances->emulated)
		return "this CPU is emulated";
	if (circumstances->debug_build)
		return "a debug build was measured";
	if (!host->family || strcmp(host->family, "ampere-unknown") == 0)
		return "the family of this CPU is not known";
	if (!host->family_confidence || strcmp(host->family_confidence, "unknown") == 0)
		return arena_printf(asking->arena, "it is not certain that this CPU is %s",
				    host->family);
	if (!vm)
		return "it is not known whether this is a virtual machine";
	if (strcmp(vm, "none") != 0)
		return arena_printf(asking->arena,
				    "this is a virtual machine (%s), which shares its cores", vm);
	return NULL;
}

/* Why this point is none for this machine; NULL: it is. */
static const char *point_hinders(const struct asking *asking, const struct reference *reference,
				 const struct reference_row *row)
{
	const struct identity *host = asking->circumstances->host;

	if (strcmp(host->family, reference->family) != 0)
		return arena_printf(asking->arena, "published for %s, this is %s",
				    reference->family, host->family);
	if (row->cores != asking->cores)
		return arena_printf(asking->arena,
				    "published for %" PRId64 " cores, this ran on %" PRId64,
				    row->cores, asking->cores);
	if (!reference->sku)
		return arena_printf(asking->arena,
				    "published for %s without its model, so its clock is not known",
				    reference->family);
	return NULL;
}

static void set_band(struct reference_match *match, const struct reference *reference, double least)
{
	double width = reference->spread > least ? reference->spread : least;

	match->low = match->value * (1 - width);
	match->high = match->value * (1 + width);
}

/* At this machine's clock: the rated one of its SKU, else the measured one. */
static void estimate(const struct asking *asking, const struct reference *reference,
		     struct reference_match *match)
{
	const char *sku = asking->circumstances->host->sku;
	double ghz = reference_sku_ghz(sku);
	bool rated = !isnan(ghz);

	if (!rated)
		ghz = asking->circumstances->measured_ghz;
	if (!(ghz > 0)) {
		match->why = arena_printf(asking->arena,
					  "published for %s; the clock of this CPU is not known",
					  reference->sku);
		return;
	}
	match->comparable = reference_comparables[1];
	match->value *= ghz / reference->clock_ghz;
	match->why = arena_printf(
		asking->arena, "published for %s at %.1f GHz, scaled to %s %.*f GHz%s%s",
		reference->sku, reference->clock_ghz, rated ? "the rated" : "the measured",
		rated ? 1 : 2, ghz, rated ? " of " : "", rated ? sku : "");
	set_band(match, reference, BAND_ESTIMATE);
}

static struct reference_match match_of(const struct asking *asking,
				       const struct reference *reference,
				       const struct reference_row *row)
{
	const struct identity *host = asking->circumstances->host;
	struct reference_match match = {.value = value_of(row, asking->unit),
					.source = reference->source,
					.comparable = reference_comparables[2],
					.low = NAN,
					.high = NAN};

	match.why = machine_hinders(asking);
	if (!match.why)
		match.why = point_hinders(asking, reference, row);
	if (match.why)
		return match;
	if (host->sku && strcmp(host->sku, reference->sku) == 0) {
		match.comparable = reference_comparables[0];
		set_band(&match, reference, BAND_SAME);
		return match;
	}
	estimate(asking, reference, &match);
	return match;
}

/* Smaller is better: same, estimate, no of this family and number of cores, other no. */
static int rank_of(const struct asking *asking, const struct reference *reference,
		   const struct reference_row *row, const struct reference_match *match)
{
	const char *family = asking->circumstances->host->family;
	int rank = 0;

	while (reference_comparables[rank] != match->comparable)
		rank++;
	return rank * 4 + (family && strcmp(family, reference->family) == 0 ? 0 : 1) +
	       (row->cores == asking->cores ? 0 : 2);
}

const struct reference_match *reference_find(struct arena *arena,
					     const struct references *references, const char *name,
					     const char *device, int64_t size_bytes, int64_t cores,
					     const char *unit,
					     const struct reference_circumstances *circumstances)
{
	const struct asking asking = {arena, circumstances, unit, cores};
	struct reference_match *best = NULL;
	int best_rank = 0;

	for (size_t i = 0; i < references->count; i++) {
		const struct reference *reference = &references->items[i];
		const struct reference_row *rows = reference->rows.items;

		for (size_t j = 0; j < reference->rows.count; j++) {
			struct reference_match match;
			int rank;

			if (strcmp(rows[j].name, name) != 0 || rows[j].size_bytes != size_bytes ||
			    (rows[j].device && (!device || strcmp(rows[j].device, device) != 0)) ||
			    isnan(value_of(&rows[j], unit)))
				continue;
			match = match_of(&asking, reference, &rows[j]);
			rank = rank_of(&asking, reference, &rows[j], &match);
			if (best && rank >= best_rank)
				continue;
			best = best ? best : arena_new(arena, struct reference_match);
			*best = match;
			best_rank = rank;
		}
	}
	return best;
}
