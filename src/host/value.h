// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct field_table;

/*
 * One thing known, or not, about a host, with where it came from. "none" is knowledge (there is no
 * cpufreq here), "unknown" is the lack of it. Three-valued logic is built on this: nothing unknown
 * ever becomes a pass.
 */
enum value_kind { VALUE_UNKNOWN, VALUE_NONE, VALUE_BOOL, VALUE_NUMBER, VALUE_TEXT, VALUE_LIST };

enum unknown_kind {
	UNKNOWN_NEEDS_ROOT,   /* EACCES, EPERM */
	UNKNOWN_NOT_VISIBLE,  /* this kind of machine does not show it */
	UNKNOWN_DAMAGED,      /* unreadable, truncated, contradictory */
	UNKNOWN_NOT_CAPTURED, /* the capture was not asked this */
	UNKNOWN_UNCONFIRMED,  /* no source says what is right here */
};

enum confidence { CONFIDENCE_DIRECT, CONFIDENCE_INFERRED };

struct evidence {
	const char *path;
	const char *raw; /* short: the line or field that matters, not the file; printable */
	enum confidence confidence;
};

extern const struct field_table evidence_table;

struct value {
	enum value_kind kind;
	enum unknown_kind unknown;
	const char *why; /* one line for a person: UNKNOWN and NONE: why; else what speaks against
			    it, or NULL */
	union {
		bool flag;
		int64_t number;
		const char *text;
		struct names list;
	};
	struct evidence *evidence;
	size_t evidence_count;
};

struct value value_none(const char *why);
struct value value_bool(bool flag);
struct value value_number(int64_t number);
struct value value_text(const char *text); /* NULL gives unknown, not visible */
struct value value_list(struct names list);
struct value value_unknown(struct arena *arena, enum unknown_kind kind, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* From the answer of a root question: "PATH: needs root", "PATH: not in this capture" …; ENOENT
 * gives `none`. */
struct value value_errno(struct arena *arena, const char *path, int number);

/* Likewise for a file whose absence says nothing: ENOENT gives unknown. */
struct value value_unread(struct arena *arena, const char *path, int number);

void value_cite(struct arena *arena, struct value *value, const char *path, const char *raw,
		enum confidence confidence);
void value_cite_all(struct arena *arena, struct value *value, const struct value *from);
/* "performance", "3000000000", "yes", "aes, pmull", "none", "unknown: needs root" */
const char *value_format(struct arena *arena, const struct value *value, const char *unit);
