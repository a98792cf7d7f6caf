// SPDX-License-Identifier: BSD-2-Clause
#pragma once

struct arena;
struct recipe;

/* A plan of one recipe, for a CPU and for none; a refusal says something, else it aborts. */
void plan_recipe_alone(struct arena *arena, const struct recipe *recipe);
