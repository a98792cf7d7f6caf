// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "catalog/identity.h"
#include "check/finding.h"
#include "report/facets.h"

struct arena;

/*
 * What a command found, before any format. Machines get the fields of the kind's table; people get
 * the sections. Everything lives in the arena; raw bytes may stand in any text, each renderer makes
 * them safe for its format.
 */
struct document {
	struct arena *arena;
	const struct document_kind *kind;
	const char *schema; /* "ampere-crypto/audit 1.0.0" */
	struct document_tool {
		const char *name, *version;
	} tool;
	struct names argv;
	const char *started; /* UTC, "2025-01-31T23:59:59Z" */
	int64_t started_ms;  /* of the monotonic clock */
	int64_t elapsed_ms, exit_code;
	const struct identity *host; /* NULL: the command did not look at a host */
	struct field_array results;
	const void *summary;         /* the struct of the kind's summary table, or NULL */
	struct field_array messages; /* struct document_message */
	struct section *first, *last;
	const struct finding_list *findings; /* for the text of an audit; NULL */
	struct facets facets;                /* for programs that know nothing of ours */
	const char *next;                    /* the one command to go on with, or NULL */
};

/* Things said beside the results: a contradiction, an expired waiver. Shown last, and on no other
 * channel. */
struct document_message {
	const char *level; /* note, warning, error */
	const char *text;
};

/* The JSON of a command: DOCUMENT_FIELDS() with what its results and its summary are. */
struct document_kind {
	const char *name;
	const char *version; /* semantic, additive within a major */
	const struct field_table *table;
};

extern const struct field_table document_tool_table, document_message_table;
extern const char *const document_levels[];

#define DOCUMENT_TIME "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"

#define DOCUMENT_FIELD(name, type, member, text, ...)                                              \
	{                                                                                          \
		.key = (name), .kind = (type), .offset = FIELD(struct document, member),           \
		.required = true, .doc = (text), ##__VA_ARGS__                                     \
	}

/* Rows of a kind's table; each format is these with its own results and summary. */
#define DOCUMENT_FIELDS(results_table, results_doc, summary_table)                                 \
	DOCUMENT_FIELD("schema", FIELD_TEXT, schema, "name and semantic version of the format"),   \
		DOCUMENT_FIELD("tool", FIELD_INSIDE, tool, "what wrote this",                      \
			       .table = &document_tool_table),                                     \
		DOCUMENT_FIELD("argv", FIELD_TEXTS, argv, "the command line as given"),            \
		DOCUMENT_FIELD("started", FIELD_TEXT, started, "when it started, in UTC",          \
			       .pattern = DOCUMENT_TIME),                                          \
		DOCUMENT_FIELD("elapsed_ms", FIELD_NUMBER, elapsed_ms,                             \
			       "wall-clock time in milliseconds"),                                 \
		DOCUMENT_FIELD("exit_code", FIELD_NUMBER, exit_code,                               \
			       "exit status, see ampere-crypto(1)", .maximum = 255),               \
		DOCUMENT_FIELD("host", FIELD_OBJECT, host, "the machine, or null",                 \
			       .nullable = true, .table = &identity_table),                        \
		DOCUMENT_FIELD("results", FIELD_ARRAY, results, results_doc,                       \
			       .table = (results_table)),                                          \
		DOCUMENT_FIELD("summary", FIELD_OBJECT, summary, "the results counted",            \
			       .nullable = true, .table = (summary_table)),                        \
		DOCUMENT_FIELD("messages", FIELD_ARRAY, messages,                                  \
			       "what was noticed beside the results",                              \
			       .table = &document_message_table)

/* How the cells of a column look. */
enum column_kind {
	COLUMN_TEXT,
	COLUMN_NUMBER,  /* decimal points stand under each other; words end at the right margin */
	COLUMN_OUTCOME, /* pass, fail, na, unknown, waived */
	COLUMN_BAR,     /* section_share(); the last column, as wide as there is room */
};

/*
 * A part for people: rows of `columns` cells under a title. Without a header the first column names
 * the second. When the lines are too narrow for a table with `kinds`, its bar goes first, then the
 * columns on the right, so those that matter stand on the left.
 */
struct section {
	struct section *next;
	const char *title; /* NULL: none */
	const char *const *header;
	const enum column_kind *kinds; /* NULL: texts */
	size_t columns;
	const char **cells; /* row by row; NULL cells are empty */
	bool detail;        /* for pages: a terminal shows it with --verbose alone */
	bool verdicts;      /* what the facets' verdicts say: a page of them leaves it out */
	bool *notes;        /* rows that are one text, in their first cell, about the row above */
	size_t rows, room;
};

#define SECTION_COLUMNS_MAX 16

/* Findings with what is needed to show and to count them. */
struct finding_list {
	const struct finding *items;
	size_t count;
	int64_t needs_root; /* of the unknown ones */
};

struct document *document_new(struct arena *arena, const struct document_kind *kind,
			      const char *version, int argc, char *const *argv);
void document_message(struct document *document, const char *level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Stops the clock. */
void document_finish(struct document *document, int exit_code);

struct section *document_section(struct document *document, const char *title, size_t columns,
				 const char *const *header);
/* Exactly `columns` cells, each const char *. */
void section_row(struct document *document, struct section *section, ...);
/* Likewise, from an array. */
void section_cells(struct document *document, struct section *section, const char *const *cells);
/* A row of one text, under the row that it explains. */
void section_note(struct document *document, struct section *section, const char *text);
/* The cell of a bar: `share` is 0…1 (what is more is cut); NULL when it is not a number. */
const char *section_share(struct arena *arena, double share);
