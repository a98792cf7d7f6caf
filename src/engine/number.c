// SPDX-License-Identifier: BSD-2-Clause
#include "engine/number.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define DIGITS_MAX 18

bool engine_number(struct view text, struct engine_number *out)
{
	const char *point = view_find(text, ".");
	size_t whole = point ? (size_t)(point - text.at) : text.size;
	size_t decimals = point ? text.size - whole - 1 : 0;
	uint64_t sum = 0, scale = 1;

	if (!whole || (point && !decimals) || whole + decimals > DIGITS_MAX)
		return false;
	for (size_t i = 0; i < text.size; i++) {
		char c = text.at[i];

		if (i == whole && point)
			continue;
		if (c < '0' || c > '9')
			return false;
		sum = sum * 10 + (uint64_t)(c - '0');
		if (i > whole)
			scale *= 10;
	}
	*out = (struct engine_number){.value = (double)sum / (double)scale,
				      .decimals = (unsigned)decimals,
				      .half = 0.5 / (double)scale};
	return true;
}

bool engine_number_impossible(struct view text)
{
	static const char *const words[] = {"inf", "infinity", "nan"};
	struct engine_number number;

	if (view_starts(text, "-")) {
		text.at++, text.size--;
		if (engine_number(text, &number))
			return true;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (text.size == strlen(words[i]) && strncasecmp(text.at, words[i], text.size) == 0)
			return true;
	}
	return false;
}

bool engine_number_comma(struct view text)
{
	bool comma = false;

	if (!text.size || text.at[0] < '0' || text.at[0] > '9' || text.at[text.size - 1] < '0' ||
	    text.at[text.size - 1] > '9')
		return false;
	for (size_t i = 0; i < text.size; i++) {
		char c = text.at[i];

		if (c == ',')
			comma = true;
		else if (c != '.' && c != '\'' && (c < '0' || c > '9'))
			return false;
	}
	return comma;
}

bool engine_number_near(double a, double b, double open)
{
	return fabs(a - b) <= open * 1.01 + 1e-12;
}
