// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

/*
 * The verdicts as SARIF 2.1.0 (OASIS, errata 01) has results: what passes is kind pass, na is
 * notApplicable, unknown is open, waived is a failure that is suppressed. A rule per id; paths of
 * evidence are relative to HOST, the root of the host that was looked at. No verdicts: no results.
 */
void sarif_render(struct buffer *out, const struct document *document);
