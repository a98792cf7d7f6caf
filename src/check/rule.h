// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/json.h"
#include "host/facts.h"

#include <stdbool.h>

struct error;

/* Kleene's three values: unknown and false is false, unknown or true is true, anything else with
 * unknown is unknown. */
enum truth { TRUTH_FALSE, TRUTH_TRUE, TRUTH_UNKNOWN };

/*
 * {"fact": NAME, COMPARISON: CONSTANT}, or {"all": [rule…]}, {"any": [rule…]}, {"not": rule}. A
 * text constant "{NAME}" is the value of another fact; while that is unknown or none, so is the
 * rule. Comparisons are the rows of one table in compare.c.
 */
struct rule;

/* JSON Schema of a rule, which refers to itself as #/$defs/rule. */
extern const char rule_schema[];

bool rule_load(struct arena *arena, const struct json *json, const cJSON *from,
	       const struct rule **out, struct error *err);
/* As it was loaded. */
void rule_write(struct json_writer *writer, const char *key, const struct rule *rule);
/* The truth of a rule on a host; *deciding gets the value of the fact that decided (for "found" and
 * evidence). */
enum truth rule_judge(const struct rule *rule, struct facts *facts, const struct value **deciding);
/* "performance", "at least 3200" … : what the rule wants, for people. */
const char *rule_describe(struct arena *arena, const struct rule *rule, const struct facts *facts);
/* The first fact a rule reads: its value is what a finding shows as "found". */
const char *rule_fact(const struct rule *rule);
/* Every fact name in the rule, for list and lint. */
void rule_facts(struct arena *arena, const struct rule *rule, struct names *out);
