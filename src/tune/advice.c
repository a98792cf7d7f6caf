// SPDX-License-Identifier: BSD-2-Clause
#include "tune/tune.h"

#include <stddef.h>

static const char *const advice_kinds[] = {"firmware", "command-line", "by-hand", NULL};

static const struct field advice_fields[] = {
	{.key = "check",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct tune_advice, check),
	 .required = true,
	 .doc = "the check it is about"},
	{.key = "title",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct tune_advice, title),
	 .required = true,
	 .doc = "of the check"},
	{.key = "kind",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct tune_advice, kind),
	 .required = true,
	 .names = advice_kinds,
	 .doc = "where it is done"},
	{.key = "text",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct tune_advice, text),
	 .required = true,
	 .doc = "what to do"},
};

const struct field_table tune_advice_table =
	FIELD_TABLE("tune_advice", struct tune_advice, advice_fields,
		    "What tune leaves to people: firmware, the kernel's command line.");
