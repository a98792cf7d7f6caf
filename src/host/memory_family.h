// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"

/* What a family's memory controllers can do, with one DIMM per channel. */
struct memory_family {
	const char *family, *product;	   /* product NULL: not told apart */
	unsigned channels;		   /* per socket; 0: not known */
	unsigned slowest_mts, fastest_mts; /* the ceiling lies between them; 0, 0: not known */
};

/* Of the identified processor (facts cpu.family, cpu.product); NULL for any other. */
const struct memory_family *memory_family(struct facts *facts);
