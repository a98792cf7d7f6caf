// SPDX-License-Identifier: BSD-2-Clause
#include "host/memory_family.h"

#include <string.h>

/* AC03's memory speed is published nowhere, and X and M share a MIDR: without the part number the
 * ceiling is a range. */
static const struct memory_family families[] = {
	{.family = "altra", .channels = 8, .slowest_mts = 3200, .fastest_mts = 3200},
	{.family = "altramax", .channels = 8, .slowest_mts = 3200, .fastest_mts = 3200},
	{.family = "ampereone-ac03", .channels = 8},
	{.family = "ampereone-ac04",
	 .product = "X",
	 .channels = 8,
	 .slowest_mts = 5200,
	 .fastest_mts = 5200},
	{.family = "ampereone-ac04",
	 .product = "M",
	 .channels = 12,
	 .slowest_mts = 5600,
	 .fastest_mts = 5600},
	{.family = "ampereone-ac04", .slowest_mts = 5200, .fastest_mts = 5600},
};

static const char *fact_text(struct facts *facts, const char *name)
{
	const struct value *value = facts_get(facts, name);

	return value && value->kind == VALUE_TEXT ? value->text : NULL;
}

const struct memory_family *memory_family(struct facts *facts)
{
	const char *family = fact_text(facts, "cpu.family");
	const char *product = fact_text(facts, "cpu.product");

	for (size_t i = 0; family && i < sizeof(families) / sizeof(families[0]); i++) {
		if (strcmp(families[i].family, family) != 0)
			continue;
		if (!families[i].product || (product && strcmp(families[i].product, product) == 0))
			return &families[i];
	}
	return NULL;
}
