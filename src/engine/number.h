// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>

/* A number as a program printed it. */
struct engine_number {
	double value;
	unsigned decimals;
	double half; /* of its last digit: how far it may be from what was meant */
};

/* Digits with one point at most, the whole view; no sign, no exponent, at most 15 digits that
 * count. */
bool engine_number(struct view text, struct engine_number *out);
/* The same, and what is no number but stands where one was printed: inf, nan, a minus sign. */
bool engine_number_impossible(struct view text);
/* Digits and commas: of another locale, and whether "1,234" is 1.234 or 1234 nobody can say. */
bool engine_number_comma(struct view text);
/* The difference of two numbers is within what their digits leave open. */
bool engine_number_near(double a, double b, double open);
