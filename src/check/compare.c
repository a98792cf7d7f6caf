// SPDX-License-Identifier: BSD-2-Clause
#include "check/compare.h"

#include <fnmatch.h>
#include <string.h>

static enum truth truth_of(bool is)
{
	return is ? TRUTH_TRUE : TRUTH_FALSE;
}

/* A fact of another kind than the constant is a mistake of the profile: nothing is known then. */
static enum truth judge_is(const struct value *found, const struct value *constant)
{
	if (found->kind != constant->kind)
		return TRUTH_UNKNOWN;
	if (found->kind == VALUE_BOOL)
		return truth_of(found->flag == constant->flag);
	if (found->kind == VALUE_NUMBER)
		return truth_of(found->number == constant->number);
	return found->kind == VALUE_TEXT ? truth_of(strcmp(found->text, constant->text) == 0)
					 : TRUTH_UNKNOWN;
}

static enum truth opposite(enum truth truth)
{
	return truth == TRUTH_UNKNOWN ? truth : truth_of(truth == TRUTH_FALSE);
}

static enum truth judge_is_not(const struct value *found, const struct value *constant)
{
	return opposite(judge_is(found, constant));
}

static enum truth judge_at_least(const struct value *found, const struct value *constant)
{
	if (found->kind != VALUE_NUMBER || constant->kind != VALUE_NUMBER)
		return TRUTH_UNKNOWN;
	return truth_of(found->number >= constant->number);
}

static enum truth judge_at_most(const struct value *found, const struct value *constant)
{
	if (found->kind != VALUE_NUMBER || constant->kind != VALUE_NUMBER)
		return TRUTH_UNKNOWN;
	return truth_of(found->number <= constant->number);
}

static enum truth judge_has(const struct value *found, const struct value *constant)
{
	if (found->kind != VALUE_LIST || constant->kind != VALUE_TEXT)
		return TRUTH_UNKNOWN;
	return truth_of(names_has(&found->list, constant->text));
}

static enum truth judge_lacks(const struct value *found, const struct value *constant)
{
	return opposite(judge_has(found, constant));
}

static size_t count_shared(const struct value *found, const struct value *constant)
{
	size_t shared = 0;

	for (size_t i = 0; i < constant->list.count; i++)
		shared += names_has(&found->list, constant->list.items[i]);
	return shared;
}

static enum truth judge_has_all(const struct value *found, const struct value *constant)
{
	if (found->kind != VALUE_LIST || constant->kind != VALUE_LIST)
		return TRUTH_UNKNOWN;
	return truth_of(count_shared(found, constant) == constant->list.count);
}

static enum truth judge_lacks_any(const struct value *found, const struct value *constant)
{
	if (found->kind != VALUE_LIST || constant->kind != VALUE_LIST)
		return TRUTH_UNKNOWN;
	return truth_of(count_shared(found, constant) == 0);
}

static enum truth judge_one_of(const struct value *found, const struct value *constant)
{
	if (found->kind != VALUE_TEXT || constant->kind != VALUE_LIST)
		return TRUTH_UNKNOWN;
	return truth_of(names_has(&constant->list, found->text));
}

static enum truth judge_matches(const struct value *found, const struct value *constant)
{
	if (found->kind != VALUE_TEXT || constant->kind != VALUE_TEXT)
		return TRUTH_UNKNOWN;
	return truth_of(fnmatch(constant->text, found->text, 0) == 0);
}

/* An empty list has no item that is right: nothing to pass. */
static enum truth judge_each(const struct value *found, const struct value *constant)
{
	if (found->kind != VALUE_LIST || constant->kind != VALUE_TEXT)
		return TRUTH_UNKNOWN;
	for (size_t i = 0; i < found->list.count; i++) {
		if (strcmp(found->list.items[i], constant->text) != 0)
			return TRUTH_FALSE;
	}
	return truth_of(found->list.count > 0);
}

static enum truth judge_empty(const struct value *found, const struct value *constant)
{
	bool empty;

	if (found->kind == VALUE_LIST)
		empty = found->list.count == 0;
	else if (found->kind == VALUE_TEXT)
		empty = found->text[0] == '\0';
	else
		return TRUTH_UNKNOWN;
	return truth_of(empty == constant->flag);
}

static enum truth judge_exists(const struct value *found, const struct value *constant)
{
	(void)found;
	return truth_of(constant->flag);
}

static const struct comparison comparisons[] = {
	{"is", VALUE_UNKNOWN, TRUTH_FALSE, judge_is, "%s"},
	{"is-not", VALUE_UNKNOWN, TRUTH_TRUE, judge_is_not, "not %s"},
	{"at-least", VALUE_NUMBER, TRUTH_FALSE, judge_at_least, "at least %s"},
	{"at-most", VALUE_NUMBER, TRUTH_FALSE, judge_at_most, "at most %s"},
	{"has", VALUE_TEXT, TRUTH_FALSE, judge_has, "%s"},
	{"has-all", VALUE_LIST, TRUTH_FALSE, judge_has_all, "%s"},
	{"lacks", VALUE_TEXT, TRUTH_TRUE, judge_lacks, "no %s"},
	{"lacks-any", VALUE_LIST, TRUTH_TRUE, judge_lacks_any, "none of %s"},
	{"one-of", VALUE_LIST, TRUTH_FALSE, judge_one_of, "one of %s"},
	{"matches", VALUE_TEXT, TRUTH_FALSE, judge_matches, "%s"},
	{"each", VALUE_TEXT, TRUTH_FALSE, judge_each, "%s everywhere"},
	{"empty", VALUE_BOOL, TRUTH_TRUE, judge_empty, "none"},
	{"exists", VALUE_BOOL, TRUTH_FALSE, judge_exists, "present"},
};

#define COMPARISONS (sizeof(comparisons) / sizeof(comparisons[0]))

const struct comparison *comparison_find(const char *key)
{
	for (size_t i = 0; i < COMPARISONS; i++) {
		if (strcmp(comparisons[i].key, key) == 0)
			return &comparisons[i];
	}
	return NULL;
}

const char *comparison_key(size_t index)
{
	return index < COMPARISONS ? comparisons[index].key : NULL;
}

enum truth comparison_judge(const struct comparison *comparison, const struct value *found,
			    const struct value *constant)
{
	if (found->kind == VALUE_UNKNOWN || constant->kind == VALUE_UNKNOWN ||
	    constant->kind == VALUE_NONE)
		return TRUTH_UNKNOWN;
	if (found->kind != VALUE_NONE)
		return comparison->judge(found, constant);
	/* "exists": false and "empty": false turn the answer round. */
	if (constant->kind == VALUE_BOOL && !constant->flag &&
	    (comparison->judge == judge_exists || comparison->judge == judge_empty))
		return opposite(comparison->none);
	return comparison->none;
}
