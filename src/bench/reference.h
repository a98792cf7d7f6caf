// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"

struct identity;

/* One published point. */
struct reference_row {
	const char *name, *device; /* case, PMD; NULL: whatever */
	int64_t size_bytes, cores;
	double gbps, mops; /* NaN: not published */
};

/* A file of profiles/reference: published numbers with where they come from. */
struct reference {
	const char *name, *source, *family, *sku; /* sku NULL: the source does not say */
	double clock_ghz;             /* rated; NaN: the source does not name the model */
	struct maybe_number timer_hz; /* what its "cycles" are ticks of */
	double spread;                /* how far it disagrees with itself: 0.0037 */
	struct field_array rows;      /* struct reference_row */
	struct names stack;           /* what was measured: "OpenSSL 3.4.0" */
	struct names notes;
	const char *path; /* its file */
};

struct references {
	struct reference *items;
	size_t count;
};

extern const struct field_table reference_table;

#define REFERENCE_ROWS_MAX 4096

/* Every file of profiles/reference. */
bool references_load(struct arena *arena, struct references *out, struct error *err);
/* One of them from bytes; `path` is for messages. */
bool reference_read(struct arena *arena, const char *path, struct view text, struct reference *out,
		    struct error *err);

/* What keeps a result from being compared with published numbers. */
struct reference_circumstances {
	const struct identity *host;
	bool emulated, debug_build;
	double measured_ghz; /* NaN: not known */
};

/* A result beside a published number; part of a result. */
struct reference_match {
	double value; /* in the result's unit, scaled where that is said */
	const char *source;
	const char *comparable; /* same (SKU), estimate (scaled by clock), no */
	const char *why;        /* of an estimate and of no; NULL */
	/* The band a result must reach, in the result's unit: never narrower than the reference's
	 * own spread; NaN when comparable is no. */
	double low, high;
};

extern const struct field_table reference_match_table;
extern const char *const reference_comparables[];

/* The rated clock that a part number of Ampere's ends with: "Q80-26" 2.6, "A192-32X" 3.2, "M128-30"
 * 3.0 (tenths of GHz behind the hyphen, in Ampere's product briefs). NaN: it is no such name. */
double reference_sku_ghz(const char *sku);

/* NULL: nothing is published for this case, device, size and number of cores. Otherwise the best
 * match: same SKU, else same family at its clock, else any with comparable = no. `unit` is Gbps or
 * MOps. */
const struct reference_match *reference_find(struct arena *arena,
					     const struct references *references, const char *name,
					     const char *device, int64_t size_bytes, int64_t cores,
					     const char *unit,
					     const struct reference_circumstances *circumstances);
