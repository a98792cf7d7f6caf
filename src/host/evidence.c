// SPDX-License-Identifier: BSD-2-Clause
#include "base/fields.h"
#include "host/value.h"

static void write_confidence(struct json_writer *writer, const char *key, const void *member)
{
	const enum confidence *confidence = member;

	json_text(writer, key, *confidence == CONFIDENCE_DIRECT ? "direct" : "inferred");
}

static const struct field evidence_rows[] = {
	{.key = "path",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct evidence, path),
	 .required = true,
	 .doc = "the file or register it was read from"},
	{.key = "raw",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct evidence, raw),
	 .nullable = true,
	 .doc = "the line or field that matters"},
	{.key = "confidence",
	 .kind = FIELD_CUSTOM,
	 .offset = FIELD(struct evidence, confidence),
	 .required = true,
	 .write = write_confidence,
	 .schema = "{\"enum\": [\"direct\", \"inferred\"]}",
	 .doc = "read as such, or concluded"},
};

const struct field_table evidence_table =
	FIELD_TABLE("evidence", struct evidence, evidence_rows, "where something was read");
