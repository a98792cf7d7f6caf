// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/plan.h"

/*
 * What the trees of a plan that are to be built need of the build machine: programs, perl and
 * python modules, headers and libraries. All that is missing is named at once, with the package
 * that has it here, before anything starts.
 */
bool tools_check(struct arena *arena, const struct plan *plan, struct error *err);
