// SPDX-License-Identifier: BSD-2-Clause
#include "plan_alone.h"

#include "base/error.h"
#include "catalog/profile.h"
#include "setup/plan.h"

#include <stdlib.h>
#include <string.h>

void plan_recipe_alone(struct arena *arena, const struct recipe *recipe)
{
	static const struct cpu_profile profile = {.dpdk_platform = "altra"};
	static const struct target machines[] = {
		{"native", "native", "x86_64", "x86_64-linux-gnu", NULL, false},
		{"altra", "altra", "aarch64", "aarch64-linux-gnu", &profile, true},
	};
	const struct toolchain toolchain = {.kind = "gcc",
					    .version = "gcc 12",
					    .tool_prefix = "",
					    .driver = "/usr/bin/gcc 1",
					    .proper = "/usr/bin/gcc 1"};
	const struct plan_wanted wanted = {recipe->name, NULL};

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		struct plan_request request = {.recipes = &recipe,
					       .recipe_count = 1,
					       .wanted = &wanted,
					       .wanted_count = 1,
					       .roots = 1,
					       .target = &machines[i],
					       .toolchain = &toolchain,
					       .prefix = "/prefix",
					       .jobs = 1};
		struct error err = {0};
		struct plan plan;

		if (plan_make(arena, &request, &plan, &err)
			    ? plan.count != 1 || strlen(plan.trees[0].key) != 16
			    : !err.text[0])
			abort();
	}
}
