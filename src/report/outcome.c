// SPDX-License-Identifier: BSD-2-Clause
#include "report/outcome.h"

#include "base/arena.h"
#include "base/error.h"

#include <string.h>

#define LIST_SHOWN_MAX ((size_t)6)

const struct outcome_row outcome_rows[] = {
	{"fail", "FAIL", STYLE_BAD, false},       {"unknown", "UNKNOWN", STYLE_DOUBT, false},
	{"waived", "WAIVED", STYLE_QUIET, false}, {"pass", "PASS", STYLE_GOOD, true},
	{"na", "NA", STYLE_QUIET, true},
};
const size_t outcome_row_count = sizeof(outcome_rows) / sizeof(outcome_rows[0]);

const char *const outcome_severities[] = {"critical", "high", "medium", "low", "info"};
const size_t outcome_severity_count = sizeof(outcome_severities) / sizeof(outcome_severities[0]);

const struct outcome_row *outcome_find(const char *outcome)
{
	for (size_t i = 0; outcome && i < outcome_row_count; i++) {
		if (strcmp(outcome_rows[i].outcome, outcome) == 0)
			return &outcome_rows[i];
	}
	return NULL;
}

const char *outcome_found(struct arena *arena, const struct finding *finding, bool whole)
{
	struct value some = finding->found;

	if (whole || some.kind != VALUE_LIST || some.list.count <= LIST_SHOWN_MAX + 1)
		return value_format(arena, &finding->found, finding->unit);
	some.list.count = LIST_SHOWN_MAX;
	return arena_printf(arena, "%s and %zu more", value_format(arena, &some, finding->unit),
			    finding->found.list.count - LIST_SHOWN_MAX);
}

bool outcome_nothing_found(const struct value *found)
{
	return found->kind == VALUE_NONE || (found->kind == VALUE_LIST && !found->list.count);
}

const char *outcome_exit_word(int64_t exit_code)
{
	static const struct {
		int64_t code;
		const char *word;
	} rows[] = {
		{EXIT_OK, "success"},
		{EXIT_FINDINGS, "findings"},
		{EXIT_TROUBLE, "trouble"},
		{EXIT_UNKNOWN_ONLY, "only unknown results"},
		{EXIT_VERIFY, "verification failed"},
		{EXIT_LOCKED, "the prefix is in use"},
		{EXIT_UNSUPPORTED, "not for this machine"},
		{EXIT_SKIPPED, "nothing applies"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].code == exit_code)
			return rows[i].word;
	}
	return "see ampere-crypto(1)";
}
