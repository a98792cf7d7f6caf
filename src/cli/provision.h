// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/digest.h"
#include "base/fields.h"
#include "cli/command.h"
#include "provision/plan.h"
#include "provision/run.h"
#include "provision/stage.h"
#include "provision/state.h"

/* What came of one stage. */
struct provision_result {
	const char *stage;
	const char *outcome; /* pass fail na unknown */
	const char *text;    /* one line: what came of it, or why it was not begun */
	const char *as_of;   /* when it was measured, of a result that was kept; NULL: now */
	struct names command;
	struct names files;            /* that were written of its result */
	struct maybe_number exit_code; /* not known: it was not begun */
	int64_t elapsed_ms;
	bool ran; /* its own result is in the state directory */
};

struct provision_summary {
	const char *prefix, *state;
	struct names trees;    /* NAME-VERSION-KEY */
	const char *cache_key; /* NULL: not every key is known */
	int64_t pass, fail, na, unknown;
	int64_t needs_root; /* checks that could not be answered without root */
};

/* One run of provision. */
struct provision {
	struct cli *cli;
	struct document *document;
	struct provision_plan plan;
	struct json json; /* of the plan */
	struct provision_state state;
	struct provision_voice voice;
	struct provision_watch watch;
	struct provision_summary summary;
	int64_t begin_ms;
	struct provision_result results[STAGE_COUNT];
	size_t count;
	int exit_code;
};

extern const struct document_kind provision_kind;

/* Names of recipes, suites and formats in the plan that are not known here. */
bool provision_check(struct provision *provision);
/* All stages, one after the other; false: trouble of provision itself. */
bool provision_run_stages(struct provision *provision);
enum provision_stage provision_stage_of(const struct provision_result *result);
/* The sections, counts and verdicts of what the results hold. */
void provision_fill(struct provision *provision);
/* `--dry-run`: command lines and keys, nothing is written. */
bool provision_dry_run(struct provision *provision);

/* The JSON that a stage wrote, or NULL. */
const cJSON *provision_read_result(struct provision *provision, const char *path);
/* "3 trees: 1 built, 2 active" and the like, of what a stage wrote. */
const char *provision_say_result(struct provision *provision, enum provision_stage stage,
				 const cJSON *result);
/* Of a setup's results: the trees, and the key under which a cache may keep the prefix. */
void provision_keys(struct provision *provision, const cJSON *setup);
/* Likewise of a pack, which is known by its bytes. */
bool provision_pack_key(struct provision *provision);
/* SHA-256 of all that decides what bench would measure. */
bool provision_inputs(struct provision *provision, const struct names *command,
		      char hex[DIGEST_HEX_SIZE]);
