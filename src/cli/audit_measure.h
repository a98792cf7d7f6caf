// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "catalog/measure.h"

struct cli;

/* Runs the helper on one CPU of each node, one after the other: about half a second and 64 MiB at
 * most for each. Never fails as a whole: what could not be measured says why. */
const struct measure *audit_measure(struct cli *cli);
