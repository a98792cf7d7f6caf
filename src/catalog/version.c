// SPDX-License-Identifier: BSD-2-Clause
#include "catalog/version.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_MAX 6
#define PART_MAX 1000000000ul

struct version {
	unsigned long parts[PARTS_MAX]; /* those that are not given count as 0 */
	size_t count;
	char letter;      /* 0: none */
	bool early;       /* a pre-release */
	const char *rest; /* what was not taken */
};

static const char *const early_marks[] = {"-dev", "-alpha", "-beta", "-rc", "~rc", "-pre"};

static bool parse(const char *text, struct version *version)
{
	const char *at = text;

	*version = (struct version){0};
	while (version->count < PARTS_MAX && isdigit((unsigned char)*at)) {
		unsigned long part = 0;

		for (; isdigit((unsigned char)*at); at++)
			part = part < PART_MAX ? part * 10 + (unsigned long)(*at - '0') : part;
		version->parts[version->count++] = part;
		if (*at != '.' || !isdigit((unsigned char)at[1]))
			break;
		at++;
	}
	if (islower((unsigned char)*at) && !isalnum((unsigned char)at[1]))
		version->letter = *at++;
	for (size_t i = 0; i < sizeof(early_marks) / sizeof(early_marks[0]); i++)
		version->early |= strncmp(at, early_marks[i], strlen(early_marks[i])) == 0;
	version->rest = at;
	return version->count > 0;
}

int version_compare(const char *a, const char *b)
{
	struct version left, right;

	parse(a, &left);
	parse(b, &right);
	for (size_t i = 0; i < PARTS_MAX; i++) {
		if (left.parts[i] != right.parts[i])
			return left.parts[i] < right.parts[i] ? -1 : 1;
	}
	if (left.letter != right.letter)
		return left.letter < right.letter ? -1 : 1;
	return (int)right.early - (int)left.early;
}

/* The first `count` parts are those of the series. */
static bool in_series(const char *version, const char *series, size_t drop)
{
	struct version of, want;

	if (!parse(version, &of) || !parse(series, &want) || want.count <= drop)
		return false;
	for (size_t i = 0; i < want.count - drop; i++) {
		if (of.parts[i] != want.parts[i])
			return false;
	}
	return drop || !want.letter || (of.count == want.count && of.letter == want.letter);
}

bool version_fits(const char *version, const char *expression)
{
	size_t size = strlen(expression);
	struct version parsed;

	if (!size || !parse(version, &parsed))
		return false;
	if (strcmp(expression, "*") == 0)
		return true;
	if (strncmp(expression, ">=", 2) == 0)
		return version_compare(version, expression + 2) >= 0;
	if (expression[size - 1] == '+')
		return in_series(version, expression, 1) &&
		       version_compare(version, expression) >= 0;
	return in_series(version, expression, 0);
}

bool version_fits_any(const char *version, const struct names *expressions)
{
	for (size_t i = 0; i < expressions->count; i++) {
		if (version_fits(version, expressions->items[i]))
			return true;
	}
	return false;
}

bool version_expression(const char *expression)
{
	struct version parsed;
	size_t size = strlen(expression);

	if (strcmp(expression, "*") == 0)
		return true;
	if (strncmp(expression, ">=", 2) == 0)
		return parse(expression + 2, &parsed) && *parsed.rest == '\0';
	if (!parse(expression, &parsed))
		return false;
	return *parsed.rest == '\0' || (size && strcmp(parsed.rest, "+") == 0);
}
