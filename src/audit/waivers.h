// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "check/check.h"
#include "check/finding.h"

/* Accepted findings, from a waivers file: {"waivers": [{"id", "owner", "reason", "expires"}]}. */
struct waivers {
	struct waiver *items;
	size_t count;
};

extern const struct field_table waivers_table;

/* An id that fits no check and a day that does not exist are errors naming file, line and key. */
bool waivers_load(struct facts *facts, const struct checks *checks, const char *path,
		  struct waivers *out, struct error *err);
bool waivers_parse(struct arena *arena, const struct checks *checks, const char *name,
		   struct view text, struct waivers *out, struct error *err);
/*
 * Failures that a waiver fits become "waived"; one that has ended (today is past expires) leaves
 * the failure, with a reason that says so. `today` is YYYY-MM-DD.
 */
void waivers_apply(struct arena *arena, const struct waivers *waivers, const char *today,
		   struct field_array *findings);
