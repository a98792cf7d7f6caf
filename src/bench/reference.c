// SPDX-License-Identifier: BSD-2-Clause
#include "bench/reference.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <math.h>
#include <string.h>

#define FILE_MAX_BYTES ((size_t)1 << 20)
#define FILES_MAX 64
/* Gbps = MOps x bytes x 8 / 1000; both are printed with four digits, so a hundredth is a slip of
 * whoever typed them. */
#define SLIP 0.01
#define RATE_LEAST 1e-6 /* a kilobit or an operation a second */

/* One row of a table: key, kind, member, text, and what else there is to say. */
#define ROW(type, name, field_kind, member, text, ...)                                             \
	{                                                                                          \
		.key = (name), .kind = (field_kind), .offset = FIELD(struct type, member),         \
		.doc = (text), ##__VA_ARGS__                                                       \
	}

static const struct field row_rows[] = {
	ROW(reference_row, "case", FIELD_TEXT, name, "as suites name it", .required = true,
	    .pattern = "^[a-z0-9][a-z0-9+-]*$"),
	ROW(reference_row, "device", FIELD_TEXT, device, "the driver of DPDK; absent: whatever",
	    .nullable = true, .pattern = "^crypto_[a-z0-9_]+$"),
	ROW(reference_row, "size-bytes", FIELD_NUMBER, size_bytes,
	    "of one operation; 0: it has no size", .required = true, .minimum = 0,
	    .maximum = 1 << 30),
	ROW(reference_row, "cores", FIELD_NUMBER, cores, "that worked", .required = true,
	    .minimum = 1, .maximum = 1024),
	ROW(reference_row, "gbps", FIELD_REAL, gbps, "10^9 bits of data a second", .nullable = true,
	    .minimum = 0, .maximum = 1000000),
	ROW(reference_row, "mops", FIELD_REAL, mops, "10^6 operations a second", .nullable = true,
	    .minimum = 0, .maximum = 1000000),
};

static const struct field_table row_table =
	FIELD_TABLE("reference-row", struct reference_row, row_rows, "one published point");

static const struct field reference_rows[] = {
	ROW(reference, "name", FIELD_TEXT, name, "the file's name", .required = true,
	    .pattern = "^[a-z0-9][a-z0-9-]*$"),
	ROW(reference, "source", FIELD_TEXT, source, "who published it, where and when",
	    .required = true, .pattern = "."),
	ROW(reference, "family", FIELD_TEXT, family, "of the CPU, as detect names it",
	    .required = true, .pattern = "^[a-z0-9-]+$"),
	ROW(reference, "sku", FIELD_TEXT, sku, "its part number; null: not published",
	    .required = true, .nullable = true, .pattern = "^[A-Z0-9]+-[A-Z0-9]+$"),
	ROW(reference, "clock-ghz", FIELD_REAL, clock_ghz, "its rated clock; null: not published",
	    .required = true, .nullable = true, .minimum = 0, .maximum = 10),
	ROW(reference, "timer-hz", FIELD_MAYBE, timer_hz,
	    "of the timer whose ticks the source calls cycles; no ticks are kept here",
	    .nullable = true, .minimum = 0, .maximum = INT64_C(10000000000)),
	ROW(reference, "spread", FIELD_REAL, spread,
	    "how far the source disagrees with itself, relative to its numbers: no band is "
	    "narrower",
	    .required = true, .minimum = 0, .maximum = 1),
	ROW(reference, "stack", FIELD_TEXTS, stack, "the software it was measured with"),
	ROW(reference, "rows", FIELD_ARRAY, rows, "the published points", .required = true,
	    .table = &row_table),
	ROW(reference, "notes", FIELD_TEXTS, notes, "what a reader of the numbers should know"),
};

const struct field_table reference_table = FIELD_TABLE(
	"reference", struct reference, reference_rows, "published numbers to compare with");

static bool same_point(const struct reference_row *one, const struct reference_row *other)
{
	return strcmp(one->name, other->name) == 0 && one->size_bytes == other->size_bytes &&
	       one->cores == other->cores &&
	       (!one->device || !other->device || strcmp(one->device, other->device) == 0);
}

/* Absent numbers are 0 so far. */
static bool check_row(const struct json *json, const struct reference *reference, size_t index,
		      struct error *err)
{
	const cJSON *at =
		cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(json->top, "rows"), (int)index);
	struct reference_row *rows = reference->rows.items, *row = &rows[index];
	double gbps;

	if (!(row->gbps >= RATE_LEAST))
		row->gbps = NAN;
	if (!(row->mops >= RATE_LEAST))
		row->mops = NAN;
	if (isnan(row->gbps) && isnan(row->mops))
		return json_error(json, at, err, "neither gbps nor mops");
	if (isnan(row->mops) && !row->size_bytes)
		return json_error(json, at, err, "what has no size is published as mops");
	gbps = row->mops * (double)row->size_bytes * 8 / 1000;
	if (row->size_bytes && fabs(gbps - row->gbps) > SLIP * row->gbps)
		return json_error(json, at, err,
				  "%g MOps of %d bytes are %.4f Gbps, not %g: one was mistyped",
				  row->mops, (int)row->size_bytes, gbps, row->gbps);
	for (size_t i = 0; i < index; i++) {
		if (same_point(&rows[i], row))
			return json_error(json, at, err, "this point stands twice");
	}
	return true;
}

bool reference_read(struct arena *arena, const char *path, struct view text, struct reference *out,
		    struct error *err)
{
	struct reference reference = {.clock_ghz = NAN};
	struct json json;

	if (!json_parse(arena, path, text, &json, err) ||
	    !fields_load(arena, &json, json.top, &reference_table, &reference, err))
		return false;
	if (!reference.rows.count || reference.rows.count > REFERENCE_ROWS_MAX)
		return json_error(&json, cJSON_GetObjectItemCaseSensitive(json.top, "rows"), err,
				  "from 1 to %d points", REFERENCE_ROWS_MAX);
	if ((reference.sku == NULL) != (isnan(reference.clock_ghz) != 0))
		return json_error(&json, cJSON_GetObjectItemCaseSensitive(json.top, "clock-ghz"),
				  err, "the clock is that of the sku: both or neither");
	if (reference.sku && !(fabs(reference_sku_ghz(reference.sku) - reference.clock_ghz) < 0.01))
		return json_error(&json, cJSON_GetObjectItemCaseSensitive(json.top, "clock-ghz"),
				  err, "not the clock that %.40s is rated at", reference.sku);
	for (size_t i = 0; i < reference.rows.count; i++) {
		if (!check_row(&json, &reference, i, err))
			return false;
	}
	reference.path = path;
	*out = reference;
	return true;
}

bool references_load(struct arena *arena, struct references *out, struct error *err)
{
	const char *directory = file_data_path(arena, "profiles/reference");
	struct references all;
	struct names files;

	if (!file_list(arena, directory, ".json", &files, err))
		return false;
	if (files.count > FILES_MAX)
		return error_set(err, "%s: more than %d files", directory, FILES_MAX);
	all = (struct references){arena_array(arena, struct reference, files.count + 1), 0};
	for (size_t i = 0; i < files.count; i++) {
		const char *path = arena_printf(arena, "%s/%s", directory, files.items[i]);
		struct reference *one = &all.items[all.count++];
		struct view text;

		if (!file_read(arena, path, FILE_MAX_BYTES, &text, err) ||
		    !reference_read(arena, path, text, one, err))
			return false;
		if (strcmp(files.items[i], arena_printf(arena, "%s.json", one->name)) != 0)
			return error_set(err, "%s: name: \"%s\" is not the file's name", path,
					 one->name);
	}
	*out = all;
	return true;
}
