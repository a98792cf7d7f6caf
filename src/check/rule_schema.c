// SPDX-License-Identifier: BSD-2-Clause
#include "check/rule.h"

/* "{NAME}" is the value of another fact, so text may stand where a number does. */
#define TEXT "{\"type\": \"string\"}"
#define ONE "{\"type\": [\"string\", \"integer\", \"boolean\"]}"
#define NUMBER "{\"type\": [\"integer\", \"string\"]}"
#define FLAG "{\"type\": [\"boolean\", \"string\"]}"
#define LIST "{\"type\": [\"array\", \"string\"], \"items\": {\"type\": \"string\"}}"
#define RULES "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"$ref\": \"#/$defs/rule\"}}"
#define ALONE(key, value)                                                                          \
	"{\"type\": \"object\", \"required\": [\"" key "\"], \"additionalProperties\": false, "    \
	"\"properties\": {\"" key "\": " value "}}"
#define KEY(key, value) "\"" key "\": " value

/* The comparisons of compare.c; a test keeps the two equal. */
/* clang-format off */
const char rule_schema[] =
	"{\"oneOf\": ["
	ALONE("all", RULES) ", "
	ALONE("any", RULES) ", "
	ALONE("not", "{\"$ref\": \"#/$defs/rule\"}") ", "
	"{\"type\": \"object\", \"required\": [\"fact\"], \"minProperties\": 2, \"maxProperties\": 2, "
	"\"additionalProperties\": false, \"properties\": {"
	KEY("fact", TEXT) ", "
	KEY("is", ONE) ", "
	KEY("is-not", ONE) ", "
	KEY("at-least", NUMBER) ", "
	KEY("at-most", NUMBER) ", "
	KEY("has", TEXT) ", "
	KEY("has-all", LIST) ", "
	KEY("lacks", TEXT) ", "
	KEY("lacks-any", LIST) ", "
	KEY("one-of", LIST) ", "
	KEY("matches", TEXT) ", "
	KEY("each", TEXT) ", "
	KEY("empty", FLAG) ", "
	KEY("exists", FLAG)
	"}}]}";
/* clang-format on */
