// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "check/rule.h"

/*
 * A check is a rule with a reason, a fix and a source: one entry of profiles/audit/NAME.json
 * {"checks": […]}. Its field table (check_fields) is the loader, the schema `check` and the manual
 * page profile(5).
 */
struct check {
	const char *id; /* stable, never reused */
	const char *title;
	const char *severity; /* critical high medium low info: without a role, or for roles not
				 named below */
	struct role_severity *by_role; /* {"dpdk": "high"}; NULL */
	struct names roles;            /* only judged for these roles when not empty */
	const struct rule
		*applies; /* false: outcome na with na_reason; unknown: unknown. NULL: always */
	const char *na_reason;
	const struct rule *pass;  /* true: pass; false: fail; unknown: unknown */
	const char *wanted;       /* for people; NULL: rule_describe(pass) */
	const char *unknown_hint; /* what to look at when it is unknown: the menu path, "run as
				     root" … */
	const char *why;          /* why it matters */
	const char *cost;         /* published or measured cost of getting it wrong, or "unknown" */
	const char *read;         /* how it is read */
	const char *fix;
	const char *undo;
	struct names references;
};

struct role_severity {
	const char *dpdk, *ipsec, *tls;
};

extern const struct field_table check_table, check_file_table;

struct checks {
	struct check *items;
	size_t count;
};

/* All of profiles/audit/, or of `path` when given; duplicate ids and unknown facts are errors
 * naming file and line. */
bool checks_load(struct facts *facts, const char *path, struct checks *out, struct error *err);
const char *check_severity(const struct check *check, const char *role);
