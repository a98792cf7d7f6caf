// SPDX-License-Identifier: BSD-2-Clause
#include "check/rule.h"

#include "base/arena.h"
#include "base/error.h"
#include "check/compare.h"

#include <math.h>
#include <string.h>

enum rule_kind { RULE_FACT, RULE_ALL, RULE_ANY, RULE_NOT };

struct rule {
	enum rule_kind kind;
	const cJSON *from; /* as written */
	const char *fact;  /* RULE_FACT */
	const struct comparison *comparison;
	struct value constant;
	const char *constant_fact; /* "{NAME}": the constant is this fact's value */
	const struct rule **rules; /* RULE_ALL, RULE_ANY, RULE_NOT (one) */
	size_t count;
};

static const struct {
	const char *key;
	enum rule_kind kind;
} groups[] = {
	{"all", RULE_ALL},
	{"any", RULE_ANY},
	{"not", RULE_NOT},
};

static bool load_group(struct arena *arena, const struct json *json, const cJSON *at,
		       struct rule *rule, struct error *err)
{
	const cJSON *child;

	if (rule->kind == RULE_NOT) {
		rule->rules = arena_array(arena, const struct rule *, 1);
		rule->count = 1;
		return rule_load(arena, json, at, &rule->rules[0], err);
	}
	if (!cJSON_IsArray(at) || !cJSON_GetArraySize(at))
		return json_error(json, at, err, "an array of rules is wanted");
	rule->rules = arena_array(arena, const struct rule *, (size_t)cJSON_GetArraySize(at));
	cJSON_ArrayForEach (child, at) {
		if (!rule_load(arena, json, child, &rule->rules[rule->count++], err))
			return false;
	}
	return true;
}

static bool load_list(struct arena *arena, const struct json *json, const cJSON *at,
		      struct value *out, struct error *err)
{
	const cJSON *item;

	*out = (struct value){.kind = VALUE_LIST};
	cJSON_ArrayForEach (item, at) {
		if (!cJSON_IsString(item))
			return json_error(json, item, err, "a string is wanted");
		names_add(arena, &out->list, arena_strdup(arena, item->valuestring));
	}
	return true;
}

static bool is_whole(double number)
{
	return fabs(number) <= 9007199254740992.0 && number == trunc(number);
}

static bool load_constant(struct arena *arena, const struct json *json, const cJSON *at,
			  struct rule *rule, struct error *err)
{
	enum value_kind want = rule->comparison->constant;
	size_t size = cJSON_IsString(at) ? strlen(at->valuestring) : 0;

	if (size > 2 && at->valuestring[0] == '{' && at->valuestring[size - 1] == '}') {
		rule->constant_fact = arena_copy(arena, at->valuestring + 1, size - 2);
		return true;
	}
	if (cJSON_IsString(at) && (want == VALUE_TEXT || want == VALUE_UNKNOWN))
		rule->constant = value_text(arena_strdup(arena, at->valuestring));
	else if (cJSON_IsNumber(at) && (want == VALUE_NUMBER || want == VALUE_UNKNOWN) &&
		 is_whole(at->valuedouble))
		rule->constant = value_number((int64_t)at->valuedouble);
	else if (cJSON_IsBool(at) && (want == VALUE_BOOL || want == VALUE_UNKNOWN))
		rule->constant = value_bool(cJSON_IsTrue(at));
	else if (cJSON_IsArray(at) && want == VALUE_LIST)
		return load_list(arena, json, at, &rule->constant, err);
	else
		return json_error(json, at, err, "wrong constant for \"%s\"",
				  rule->comparison->key);
	return true;
}

static bool unknown_key(const struct json *json, const cJSON *at, struct error *err)
{
	const char *keys[32], *nearest;
	size_t count = 0;

	while (count < sizeof(keys) / sizeof(keys[0]) && comparison_key(count)) {
		keys[count] = comparison_key(count);
		count++;
	}
	nearest = text_nearest(at->string, keys, count);
	return json_error(json, at, err, "no such comparison%s%s%s", nearest ? ", \"" : "",
			  nearest ? nearest : "", nearest ? "\" is the nearest" : "");
}

static bool load_fact(struct arena *arena, const struct json *json, const cJSON *from,
		      struct rule *rule, struct error *err)
{
	const cJSON *at;

	cJSON_ArrayForEach (at, from) {
		if (strcmp(at->string, "fact") == 0) {
			if (!cJSON_IsString(at))
				return json_error(json, at, err, "the name of a fact is wanted");
			rule->fact = arena_strdup(arena, at->valuestring);
			continue;
		}
		if (rule->comparison)
			return json_error(json, at, err,
					  "a rule has one comparison, put two into \"all\"");
		rule->comparison = comparison_find(at->string);
		if (!rule->comparison)
			return unknown_key(json, at, err);
		if (!load_constant(arena, json, at, rule, err))
			return false;
	}
	if (!rule->fact || !rule->comparison)
		return json_error(json, from, err,
				  "a rule is {\"fact\": NAME, COMPARISON: CONSTANT}");
	return true;
}

bool rule_load(struct arena *arena, const struct json *json, const cJSON *from,
	       const struct rule **out, struct error *err)
{
	struct rule *rule = arena_new(arena, struct rule);

	*out = rule;
	rule->from = from;
	if (!cJSON_IsObject(from) || !from->child)
		return json_error(json, from, err,
				  "a rule is {\"fact\": NAME, COMPARISON: CONSTANT}");
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		const cJSON *at = cJSON_GetObjectItemCaseSensitive(from, groups[i].key);

		if (!at)
			continue;
		if (from->child->next)
			return json_error(json, from, err, "\"%s\" stands alone in its rule",
					  groups[i].key);
		rule->kind = groups[i].kind;
		return load_group(arena, json, at, rule, err);
	}
	return load_fact(arena, json, from, rule, err);
}

void rule_write(struct json_writer *writer, const char *key, const struct rule *rule)
{
	json_tree(writer, key, rule->from);
}

static enum truth judge_fact(const struct rule *rule, struct facts *facts,
			     const struct value **deciding)
{
	const struct value *found = facts_get(facts, rule->fact);
	const struct value *constant = &rule->constant;
	enum truth truth;

	if (rule->constant_fact)
		constant = facts_get(facts, rule->constant_fact);
	if (!found || !constant)
		return TRUTH_UNKNOWN;
	truth = comparison_judge(rule->comparison, found, constant);
	*deciding = found;
	/* What was found is known and what is wanted is not: the reason is with the constant. */
	if (truth == TRUTH_UNKNOWN && found->kind != VALUE_UNKNOWN &&
	    (constant->kind == VALUE_UNKNOWN || constant->kind == VALUE_NONE))
		*deciding = constant;
	return truth;
}

/* all: the first false decides, else the first unknown, else the first; any: the same with true for
 * false. */
static enum truth judge_group(const struct rule *rule, struct facts *facts, enum truth stop,
			      const struct value **deciding)
{
	const struct value *first = NULL, *unknown = NULL;
	bool is_unknown = false;

	for (size_t i = 0; i < rule->count; i++) {
		const struct value *one = NULL;
		enum truth truth = rule_judge(rule->rules[i], facts, &one);

		if (truth == stop) {
			*deciding = one;
			return stop;
		}
		if (truth == TRUTH_UNKNOWN) {
			unknown = unknown ? unknown : one;
			is_unknown = true;
		}
		if (!first)
			first = one;
	}
	*deciding = unknown ? unknown : first;
	if (is_unknown)
		return TRUTH_UNKNOWN;
	return stop == TRUTH_FALSE ? TRUTH_TRUE : TRUTH_FALSE;
}

enum truth rule_judge(const struct rule *rule, struct facts *facts, const struct value **deciding)
{
	enum truth truth;

	switch (rule->kind) {
	case RULE_ALL:
		return judge_group(rule, facts, TRUTH_FALSE, deciding);
	case RULE_ANY:
		return judge_group(rule, facts, TRUTH_TRUE, deciding);
	case RULE_NOT:
		truth = rule_judge(rule->rules[0], facts, deciding);
		if (truth == TRUTH_UNKNOWN)
			return truth;
		return truth == TRUTH_TRUE ? TRUTH_FALSE : TRUTH_TRUE;
	case RULE_FACT:
		break;
	}
	return judge_fact(rule, facts, deciding);
}

const char *rule_fact(const struct rule *rule)
{
	return rule->kind == RULE_FACT ? rule->fact : rule_fact(rule->rules[0]);
}

static void describe_fact(struct buffer *out, const struct rule *rule, const struct facts *facts)
{
	const struct fact *fact = facts_find(facts, rule->fact);
	const char *constant = rule->constant_fact;
	const char *at = strstr(rule->comparison->words, "%s");

	if (!constant)
		constant = value_format(out->arena, &rule->constant, fact ? fact->unit : NULL);
	/* "empty": false and "exists": false say the opposite of their words. */
	if (rule->constant.kind == VALUE_BOOL && !rule->constant.flag && !at)
		buffer_text(out, "not ");
	if (!at) {
		buffer_text(out, rule->comparison->words);
		return;
	}
	buffer_add(out, rule->comparison->words, (size_t)(at - rule->comparison->words));
	buffer_text(out, constant);
	buffer_text(out, at + 2);
}

static void describe(struct buffer *out, const struct rule *rule, const struct facts *facts)
{
	if (rule->kind == RULE_FACT) {
		describe_fact(out, rule, facts);
		return;
	}
	if (rule->kind == RULE_NOT)
		buffer_text(out, "not ");
	for (size_t i = 0; i < rule->count; i++) {
		if (i)
			buffer_text(out, rule->kind == RULE_ALL ? " and " : " or ");
		describe(out, rule->rules[i], facts);
	}
}

const char *rule_describe(struct arena *arena, const struct rule *rule, const struct facts *facts)
{
	struct buffer out = buffer_new(arena, 4096);

	describe(&out, rule, facts);
	return buffer_string(&out);
}

void rule_facts(struct arena *arena, const struct rule *rule, struct names *out)
{
	if (rule->kind == RULE_FACT) {
		names_add(arena, out, rule->fact);
		if (rule->constant_fact)
			names_add(arena, out, rule->constant_fact);
		return;
	}
	for (size_t i = 0; i < rule->count; i++)
		rule_facts(arena, rule->rules[i], out);
}
