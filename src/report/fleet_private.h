// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/fleet.h"

/* One item of one machine's newest result. */
struct fleet_entry {
	const struct result_item *item;
	size_t machine;
};

/* What all machines have of one id. */
struct fleet_entries {
	struct fleet_entry *items; /* by machine */
	size_t count;
};

/* One value of each machine that has it. */
struct fleet_said {
	const char *value;
	size_t machine;
};

/* struct fleet_entries of each id of one command, in the order of the first machine that has it. */
struct field_array fleet_entries(struct arena *arena, const struct fleet *fleet,
				 enum fleet_command command);
/* struct fleet_value of equal values: the most frequent first, then by value. Sorts `said`. */
struct field_array fleet_group(struct arena *arena, const struct fleet *fleet,
			       struct fleet_said *said, size_t count);
void fleet_differences(struct arena *arena, struct fleet *fleet);
void fleet_checks(struct arena *arena, struct fleet *fleet);
void fleet_rates(struct arena *arena, struct fleet *fleet);
