// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/known.h"

#include <string.h>

static const struct known_table *const tables[] = {&known_ciphers, &known_digests, &known_keys};

const struct known *known_next(const char *kind, const struct known *before)
{
	bool behind = !before;

	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		for (size_t i = 0; i < tables[t]->count; i++) {
			const struct known *known = &tables[t]->rows[i];

			if (behind && !strcmp(known->kind, kind))
				return known;
			behind |= known == before;
		}
	}
	return NULL;
}
