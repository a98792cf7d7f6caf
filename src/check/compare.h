// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "check/rule.h"

/* A readable comparison: key in JSON, the constant it takes, how it judges a known value, how it
 * reads for people. */
struct comparison {
	const char *key;
	enum value_kind
		constant; /* VALUE_UNKNOWN: text, number or bool; VALUE_LIST: array of text */
	enum truth none;  /* what a value that is known not to exist gives */
	enum truth (*judge)(const struct value *found, const struct value *constant);
	const char *words; /* "at least %s"; "%s" is the constant */
};

const struct comparison *comparison_find(const char *key);
/* The keys in order, NULL past the last: for messages and the manual. */
const char *comparison_key(size_t index);
enum truth comparison_judge(const struct comparison *comparison, const struct value *found,
			    const struct value *constant);
