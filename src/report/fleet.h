// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"
#include "report/diff.h"
#include "report/results_set.h"

/*
 * What results of several machines say together. Of each machine and command the newest result
 * speaks; drift is from the one before it. Everything is in a fixed order: machines by name,
 * checks and cases as the first machine has them.
 */
enum fleet_command {
	FLEET_AUDIT,
	FLEET_BENCH,
	FLEET_SETUP,
	FLEET_TUNE,
	FLEET_DETECT,
	FLEET_COMMANDS,
};

extern const char *const fleet_commands[];

/* A change since last time. */
struct fleet_drift {
	const char *command, *since, *until; /* when the two results were started */
	struct change change;
};

struct fleet_counts {
	const char *started, *role;
	int64_t pass, fail, na, unknown, waived;
	int64_t critical, high; /* of those that fail */
};

struct fleet_machine {
	const struct results_machine *from;
	const struct results *newest[FLEET_COMMANDS], *before[FLEET_COMMANDS];
	const struct result_members *host; /* of the newest result with one; empty: none */
	struct fleet_counts *audit;        /* NULL: no audit */
	struct fleet_counts *bench;
	struct field_array drift; /* struct fleet_drift, worse first */
	int64_t worse, better, changed;
	const struct result_item *headline; /* the measurement that most machines have; NULL */
};

/* Machines that say the same. */
struct fleet_value {
	const char *value;
	struct names machines;
};

/* What is not the same on all machines that have it. */
struct fleet_difference {
	const char *id, *title, *severity; /* a check, or "host." and a path */
	const char *what;                  /* machine, outcome or found */
	struct field_array values;         /* struct fleet_value, the most frequent first */
};

struct fleet_outlier {
	const char *machine, *id, *title;
	const char *value, *usual; /* here, and what the others have */
	const char *rule;          /* which of the two, in words with its numbers */
};

/* A check that fails somewhere. */
struct fleet_check {
	const struct result_item *item; /* of the first machine with the worst severity */
	struct names machines;          /* on which it fails */
};

struct fleet {
	struct fleet_machine *machines;
	size_t count;
	struct field_array differences; /* struct fleet_difference */
	struct field_array outliers;    /* struct fleet_outlier */
	struct field_array checks;      /* struct fleet_check, worst first */
	const char *headline;           /* id of the measurement; NULL: no bench */
};

/* Of checks and members of the host: at least so many machines, and this share of them agrees. */
#define FLEET_LEAST 5
#define FLEET_MAJORITY 0.75
/* Of rates: what is nearer to the median is no outlier, whatever its score. */
#define FLEET_NEAR 0.03

/* A number that is compared: a wrong or uncertain result has none, an emulated one says nothing. */
bool fleet_is_rate(const struct result_item *item);
/* A growing array in the arena; `item` is copied. */
void fleet_append(struct arena *arena, struct field_array *array, const void *item, size_t size);
void fleet_of(struct arena *arena, const struct results_set *set, struct fleet *out);
/* Findings that fail, worst first; at most `most` of them. */
size_t fleet_failing(const struct results *audit, const struct result_item **out, size_t most);
