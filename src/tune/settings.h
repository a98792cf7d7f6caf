// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "tune/tune.h"

struct check;

/* One failing check while its changes are planned. */
struct planner {
	struct facts *facts;
	const struct check *check;
	struct tune_plan *plan;
};

/* "NAME: cannot be read" and the like: no change is made on what is not known. */
void planner_advise(struct planner *planner, const char *kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* What the check itself says is to be done. */
void planner_advise_fix(struct planner *planner, const char *kind);
struct tune_change *planner_change(struct planner *planner, enum tune_kind kind, const char *id,
				   const char *path, const char *before, const char *wanted);
/* A file of the kernel that is to hold a word: a change, nothing when it does, or advice when it
 * cannot be read. */
void planner_word(struct planner *planner, const char *id, const char *path, const char *wanted);
/* A module that is not loaded. `path` of its file's directory below /lib/modules/RELEASE/kernel;
 * false, and nothing planned, when it is not known to be there. */
bool planner_module(struct planner *planner, const char *name, const char *directory);

/* tune/settings_cpu.c */
void plan_online(struct planner *planner);
void plan_governor(struct planner *planner);
void plan_max_frequency(struct planner *planner);
void plan_idle_states(struct planner *planner);
/* tune/settings_memory.c */
void plan_hugepages(struct planner *planner);
void plan_hugetlbfs(struct planner *planner);
/* tune/settings_kernel.c */
void plan_thp(struct planner *planner);
void plan_numa_balancing(struct planner *planner);
void plan_watchdog(struct planner *planner);
void plan_perf_user_access(struct planner *planner);
void plan_irqbalance(struct planner *planner);
void plan_memlock(struct planner *planner);
void plan_vfio(struct planner *planner);
void plan_crypto(struct planner *planner);
