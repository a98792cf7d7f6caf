// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "tune/record.h"

/* The entry of the same kind and path; NULL. */
struct tune_change *record_find(struct tune_record *record, const struct tune_change *change);
/* A change about to be made. Where an earlier run's value still stands, its `before` stays, and
 * what it wanted goes on to be ours. */
void record_enter(struct arena *arena, struct tune_record *record,
		  const struct tune_change *change);
void record_leave(struct tune_record *record, const struct tune_change *change);
