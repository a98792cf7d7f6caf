// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"
#include "setup/ldconf.h"

/* The loader policy for people: refusal, entries, directories left out, what programs would load
 * differently, notes. */
void ldconf_sections(struct document *document, const struct ldconf_plan *plan);
