// SPDX-License-Identifier: BSD-2-Clause
#include "check/rule.h"

/* "{NAME}" is the value of another fact, and may stand for any constant. */
#define TEXT "{\"type\": \"string\"}"
#define ONE "{\"type\": [\"string\", \"integer\", \"boolean\"]}"
#define OR_FACT(constant)                                                                          \
	"{\"anyOf\": [" constant ", {\"type\": \"string\", \"pattern\": \"^\\\\{.+\\\\}$\"}]}"
#define NUMBER OR_FACT("{\"type\": \"integer\"}")
#define FLAG OR_FACT("{\"type\": \"boolean\"}")
#define LIST OR_FACT("{\"type\": \"array\", \"items\": {\"type\": \"string\"}}")
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
	"{\"type\": \"object\", \"required\": [\"fact\"], \"minProperties\": 2, "
	"\"maxProperties\": 2, \"additionalProperties\": false, \"properties\": {"
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
