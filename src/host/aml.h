// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"

/*
 * Named integers in ACPI definition blocks (ACPI 6.5, 20.2.5.1 DefName, 20.2.3 integers): nothing
 * is interpreted, so a name counts only where it is defined once in all tables, with a constant.
 * edk2-platforms writes what was chosen in Altra's setup into \_SB.CPCE and \_SB.LPIE.
 */
struct aml_integer {
	size_t definitions; /* what looks like one, in strings and buffers too */
	bool constant;      /* of the last one: it is a whole number */
	uint64_t number;
};

#define AML_SEGMENT_BYTES 4

/* Adds what one table's body holds; `segment` is a NameSeg, "CPCE". */
void aml_find(struct view body, const char *segment, struct aml_integer *found);

extern const struct fact_table aml_facts; /* acpi.integer(CPCE) */
