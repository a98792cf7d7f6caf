// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/execute.h"
#include "setup/manifest.h"

/*
 * What must be true of a staged tree before it is installed. Each proof that held is added to the
 * manifest; the first that does not is EXIT_VERIFY, and nothing of the tree is installed.
 */
bool prove_tree(struct execution *execution, const struct plan_tree *tree, int log,
		struct manifest *manifest, struct error *err);
