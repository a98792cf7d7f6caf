// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

/*
 * Release versions: numbers between dots, then at most one letter ("3.0.13", "1.1.1w", "24.07");
 * what follows ("-rc1", "+dfsg") is left out of comparisons, except that a pre-release ("-dev",
 * "-alpha1",
 * "-rc0") comes before its release.
 */

/* Less than, equal to or greater than 0, as a is older, the same or newer. */
int version_compare(const char *a, const char *b);
/*
 * Whether a version fits an expression of a recipe: "*" any; ">=3.2.0" that one or newer; "3.0" any
 * of that series (3.0, 3.0.13, 3.0a); "22.11.6+" that one or newer of its series (22.11.*).
 */
bool version_fits(const char *version, const char *expression);
bool version_fits_any(const char *version, const struct names *expressions);
/* Whether it is one of these forms. */
bool version_expression(const char *expression);
