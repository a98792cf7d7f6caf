// SPDX-License-Identifier: BSD-2-Clause
#include "setup/plan.h"

static const char *const step_words[] = {[STEP_RUN] = "argv",
					 [STEP_WRITE] = "write",
					 [STEP_EDIT] = "edit",
					 [STEP_LINK] = "link",
					 [STEP_CHECK] = "check"};

const char *plan_step_word(enum plan_step_kind kind)
{
	return step_words[kind];
}

struct plan_step plan_step_of(const struct recipe_step *recipe, const struct names **lines)
{
	const struct {
		const char *path;
		const struct names *lines;
	} kinds[] = {[STEP_RUN] = {NULL, &recipe->lines},
		     [STEP_WRITE] = {recipe->write, &recipe->lines},
		     [STEP_EDIT] = {recipe->edit, &recipe->insert},
		     [STEP_LINK] = {recipe->link, &recipe->to},
		     [STEP_CHECK] = {recipe->check, &recipe->has}};
	enum plan_step_kind kind = STEP_RUN;

	for (enum plan_step_kind k = STEP_WRITE; k <= STEP_CHECK; k++) {
		if (kinds[k].path)
			kind = k;
	}
	*lines = kinds[kind].lines;
	return (struct plan_step){.kind = kind,
				  .name = recipe->name,
				  .phase = recipe->phase,
				  .path = kinds[kind].path};
}
