// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

/* "Ampere Altra Q80-30, 80 CPUs in 1 package, 1 node, kernel 6.8.0, bare metal" as far as it is
 * known. */
const char *identity_line(struct arena *arena, const struct identity *identity);
/* The identity for people: what it is, the evidence, what contradicts it, the compiler flags. */
void identity_sections(struct document *document, const struct identity *identity);
/* What contradicts the identity, as warnings. */
void identity_messages(struct document *document, const struct identity *identity);
