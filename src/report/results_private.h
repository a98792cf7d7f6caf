// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/results_set.h"

#include <cjson/cJSON.h>

/* One file that is being read. */
struct results_reading {
	struct arena *scratch;
	struct pool *pool;
};

#define RESULTS_UNKNOWN "not known"

const cJSON *results_get(const cJSON *object, const char *key);
const char *results_text(const struct results_reading *reading, const cJSON *object,
			 const char *key);
/* A value of any kind in words. */
const char *results_words(const struct results_reading *reading, const cJSON *value);
void results_add_member(const struct results_reading *reading, struct result_members *members,
			const char *path, const cJSON *value);
/* Members of members too, each by its path. */
void results_flatten(const struct results_reading *reading, struct result_members *members,
		     const char *path, const cJSON *value);

/* How the results of one command are read; false: the item has no id and is passed over. */
struct results_kind {
	const char *command;
	bool (*read)(const struct results_reading *reading, const cJSON *from,
		     struct result_item *item);
};

extern const struct results_kind results_kinds[];
extern const size_t results_kind_count;

/* An argument of `report`. */
struct results_argument {
	const char *label, *path;
	const char *longer; /* of results_arguments() */
	bool named;         /* by the caller: LABEL=PATH */
};

/* What the words of the command line name; labels of those that have none are made to differ. */
bool results_arguments(struct arena *arena, const struct names *words, struct results_argument *out,
		       struct error *err);
/* Whether they differ but where the caller wants it so. */
bool results_labels(struct arena *arena, struct results_argument *arguments, size_t count,
		    struct error *err);
