// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct error;

/* The stages, in the order in which they run. */
enum provision_stage { STAGE_SETUP, STAGE_AUDIT, STAGE_BENCH, STAGE_REPORT, STAGE_COUNT };

/* "setup", "audit", "bench", "report": also the commands that they are. */
extern const char *const provision_stages[STAGE_COUNT + 1];

struct provision_setup {
	const char *target, *pack, *sysroot, *own_recipes, *loader;
	struct names recipes, versions, without, allow, digests, mirrors;
	bool offline, build_as_root;
	int64_t jobs; /* 0: not given */
};

struct provision_audit {
	const char *role, *fail_on, *waivers, *profile;
	struct names only, skip;
	bool strict, probe;
};

struct provision_bench {
	const char *baseline;
	struct names suites, only, skip;
	struct numbers cores;
	double threshold_percent; /* 0: not given */
	int64_t seconds;          /* 0: not given */
	bool strict, system;
};

/* A file made of the result of one stage. */
struct provision_output {
	const char *of, *format, *path;
	bool append;
};

struct provision_outputs {
	struct provision_output *items;
	size_t count;
};

/* Seconds that a stage may take, and all of them together. */
struct provision_limits {
	int64_t stages[STAGE_COUNT], all;
};

/* What to provide: provision(5). A stage runs when the plan has its key. */
struct provision_plan {
	const char *path, *name; /* of the file: as given; without directory and .json */
	const char *prefix, *state;
	struct provision_setup *setup;
	struct provision_audit *audit;
	struct provision_bench *bench;
	struct provision_outputs outputs;
	struct provision_limits limits;
	struct names stop_on;
};

#define PROVISION_OUTPUTS_MAX 64

extern const struct field_table provision_plan_table;

/* Relative paths become those below the directory of the plan. A mistake is an error with file,
 * line, column and key. */
bool provision_plan_load(struct arena *arena, const char *path, struct provision_plan *out,
			 struct json *json, struct error *err);
/* Likewise of a text; `path` is where it would stand. */
bool provision_plan_parse(struct arena *arena, const char *path, struct view text,
			  struct provision_plan *out, struct json *json, struct error *err);
/* Whether a stage of this plan runs. */
bool provision_plan_has(const struct provision_plan *plan, enum provision_stage stage);
/* The value of STAGE.KEY (or of KEY, or of the INDEX-th item in it), for json_error(); NULL: it is
 * not there. */
const cJSON *provision_plan_at(const struct json *json, const char *stage, const char *key,
			       size_t index);
