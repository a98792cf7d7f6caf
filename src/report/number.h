// SPDX-License-Identifier: BSD-2-Clause
#pragma once

struct arena;

/* So many significant digits without an exponent: "0.00123", "9.87", "812000"; "n/a" for what is no
 * number. */
const char *number_digits(struct arena *arena, double number, int significant);
