// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"

struct check;
struct checks;
struct cli;
struct document;
struct finding;

/* A case of `bench`: what it measures, and what is published for it. */
struct explained_case {
	struct names suites;
	const struct suite_case *suite_case; /* of the first of them */
	struct field_array published;        /* struct reference, with the rows of the case alone */
};

extern const struct field_table explained_case_table;

/* Names of the cases of all shipped suites, sorted, each once, and what they measure. */
bool case_names(struct cli *cli, struct names *names, struct names *titles);
/* Adds sections to the document; NULL when `name` is no case, or with an error in cli->error. */
const struct explained_case *explain_case(struct cli *cli, struct document *document,
					  const struct checks *checks, const char *name);
/* The check judged on this host; NULL for one of another role. */
const struct finding *explain_judge(struct cli *cli, const struct check *check);
