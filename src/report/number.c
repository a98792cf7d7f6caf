// SPDX-License-Identifier: BSD-2-Clause
#include "report/number.h"

#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounded in the scientific form, where 9.996 becomes 1.00e+01, then written without it. */
const char *number_digits(struct arena *arena, double number, int significant)
{
	const char *text;
	long places;

	if (!isfinite(number))
		return "n/a";
	text = arena_printf(arena, "%.*e", significant - 1, number);
	places = significant - 1 - strtol(strchr(text, 'e') + 1, NULL, 10);
	return arena_printf(arena, "%.*f",
			    (int)(places < 0    ? 0
				  : places > 12 ? 12
						: places),
			    strtod(text, NULL));
}
