// SPDX-License-Identifier: BSD-2-Clause
#include "check/finding.h"

static const char *const outcomes[] = {"pass", "fail", "na", "unknown", "waived", NULL};
static const char *const severities[] = {"critical", "high", "medium", "low", "info", NULL};

/* A value of any kind as plain JSON; what is unknown or does not exist is null (the outcome and the
 * reason tell which). */
static void write_found(struct json_writer *writer, const char *key, const void *member)
{
	const struct value *value = member;

	switch (value->kind) {
	case VALUE_UNKNOWN:
	case VALUE_NONE:
		json_null(writer, key);
		break;
	case VALUE_BOOL:
		json_bool(writer, key, value->flag);
		break;
	case VALUE_NUMBER:
		json_number(writer, key, value->number);
		break;
	case VALUE_TEXT:
		json_text(writer, key, value->text);
		break;
	case VALUE_LIST:
		json_array(writer, key);
		for (size_t i = 0; i < value->list.count; i++)
			json_text(writer, NULL, value->list.items[i]);
		json_close(writer);
		break;
	}
}

static const struct field waiver_rows[] = {
	{.key = "id",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct waiver, id),
	 .required = true,
	 .pattern = "^[a-z0-9.*?-]+$",
	 .doc = "a check id, or a glob of ids"},
	{.key = "owner",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct waiver, owner),
	 .required = true,
	 .pattern = ".",
	 .doc = "who accepted it"},
	{.key = "reason",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct waiver, reason),
	 .required = true,
	 .pattern = ".",
	 .doc = "why it is accepted"},
	{.key = "expires",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct waiver, expires),
	 .required = true,
	 .pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
	 .doc = "YYYY-MM-DD, UTC; it holds to the end of that day"},
};

const struct field_table waiver_table = FIELD_TABLE("waiver", struct waiver, waiver_rows,
						    "an accepted finding: whose, why, until when");

static const struct field finding_rows[] = {
	{.key = "id",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct finding, id),
	 .required = true,
	 .doc = "the check's stable name"},
	{.key = "title",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct finding, title),
	 .required = true,
	 .doc = "a few words"},
	{.key = "outcome",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct finding, outcome),
	 .required = true,
	 .names = outcomes,
	 .doc = "how it was judged"},
	{.key = "severity",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct finding, severity),
	 .required = true,
	 .names = severities,
	 .doc = "how much it matters for the role"},
	{.key = "found",
	 .kind = FIELD_CUSTOM,
	 .offset = FIELD(struct finding, found),
	 .required = true,
	 .write = write_found,
	 .schema = "{\"type\": [\"string\", \"number\", \"boolean\", \"array\", \"null\"]}",
	 .doc = "what is there; null when it is not known or does not exist"},
	{.key = "wanted",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct finding, wanted),
	 .required = true,
	 .doc = "what is wanted, for people"},
	{.key = "unit",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct finding, unit),
	 .nullable = true,
	 .doc = "of found, when it is a number"},
	{.key = "reason",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct finding, reason),
	 .nullable = true,
	 .doc = "why na, why unknown, what a waiver's end means"},
	{.key = "evidence",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct finding, evidence),
	 .required = true,
	 .table = &evidence_table,
	 .doc = "where it was read"},
	{.key = "why",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct finding, why),
	 .required = true,
	 .doc = "why it matters"},
	{.key = "cost",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct finding, cost),
	 .required = true,
	 .doc = "published or measured cost, or \"unknown\""},
	{.key = "fix",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct finding, fix),
	 .required = true,
	 .doc = "how to put it right"},
	{.key = "undo",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct finding, undo),
	 .required = true,
	 .doc = "how to take the fix back"},
	{.key = "references",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct finding, references),
	 .required = true,
	 .doc = "documents and specifications"},
	{.key = "waiver",
	 .kind = FIELD_OBJECT,
	 .offset = FIELD(struct finding, waiver),
	 .nullable = true,
	 .table = &waiver_table,
	 .doc = "who accepted it"},
};

const struct field_table finding_table =
	FIELD_TABLE("finding", struct finding, finding_rows, "a check judged on a host");
