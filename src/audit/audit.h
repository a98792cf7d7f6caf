// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "check/check.h"
#include "check/finding.h"

struct waivers; /* audit/waivers.h */

struct audit_options {
	struct names only, skip;       /* id globs */
	const char *fail_on;           /* critical high medium low never; NULL: high */
	bool strict;                   /* unknown fails (exit 3 when nothing else does) */
	const struct waivers *waivers; /* NULL */
	const char *today;             /* YYYY-MM-DD, for waivers */
};

struct audit_summary {
	int64_t pass, fail, na, unknown, waived;
	int64_t needs_root; /* unknowns that root would answer */
};

struct audit {
	struct field_array findings; /* struct finding, in the order of the checks */
	struct audit_summary summary;
	int exit_code;
};

extern const struct field_table audit_summary_table;

/* Judges every check that fits the options. Unknown ids in only/skip are errors (exit 64, nearest
 * suggested). */
bool audit_run(struct facts *facts, const struct checks *checks,
	       const struct audit_options *options, struct audit *out, struct error *err);
