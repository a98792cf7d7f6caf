// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct document;

/*
 * What a document says to programs that know nothing of ours, beside its results: verdicts (SARIF,
 * JUnit), metrics (OpenMetrics) and plots (HTML). A command adds what it has; a format that finds
 * none of its kind says so in one line. Texts may hold raw bytes, each renderer makes them safe.
 */

/* One thing judged: a finding, a measured result, a tree built, a setting made. */
struct verdict {
	struct verdict *next;
	const char *group;      /* what it stands under: a domain, a suite, a machine; NULL */
	const char *id, *title; /* the same id in a run is the same thing */
	const char *outcome;    /* pass fail na unknown waived */
	const char *severity;   /* critical high medium low info; NULL: it has none */
	const char *text;       /* one line: what was found and what was wanted, or why not known */
	const char *found, *wanted;          /* NULL: `text` says all */
	const char *remark;                  /* what else is to be known; in `text` too; NULL */
	const char *why, *cost, *fix, *undo; /* NULL: nothing to say */
	struct field_array evidence;         /* struct evidence; paths are of the host */
	struct names references;             /* addresses and names of sources */
	const char *waived;                  /* by whom, why, until when; NULL */
	int64_t elapsed_ms;                  /* -1: it took no time of its own */
};

struct metric_label {
	const char *name, *value;
};

#define METRIC_LABELS_MAX 8

/*
 * One number at one time; a gauge. `name` without the prefix "ampere_crypto_" and without its unit,
 * which is a word of the base units: seconds, bytes, hertz, ratio … or NULL. A thing that is named
 * is a name that ends in "_info" with the value 1. The label `command` is added to each; labels
 * that are NULL are left out. Metrics of one name have one help, and differ in their labels.
 */
struct metric {
	struct metric *next;
	const char *name, *unit, *help;
	struct metric_label labels[METRIC_LABELS_MAX];
	size_t label_count;
	double value;
};

enum plot_scale { SCALE_LINEAR, SCALE_LOG2 };

/* Points of one name, sorted by x; low and high are the ends of an interval, NaN: none. */
struct plot_line {
	const char *name;
	bool reference; /* published or theoretical: drawn apart, never as if measured here */
	struct plot_point {
		double x, y, low, high;
	} * points;
	size_t count;
};

/* A picture with a table behind it: whoever cannot see it reads the same numbers. */
struct plot {
	struct plot *next;
	const char *title, *x_title, *y_title; /* with units */
	enum plot_scale x_scale;
	struct plot_line *lines;
	size_t line_count;
	const char *note; /* what is to be known about it; NULL */
};

struct facets {
	struct verdict *first_verdict, *last_verdict;
	struct metric *first_metric, *last_metric;
	struct plot *first_plot, *last_plot;
};

/* Copies of what is given go to the end of the document's lists. */
void document_verdict(struct document *document, const struct verdict *verdict);
void document_metric(struct document *document, const struct metric *metric);
void document_plot(struct document *document, const struct plot *plot);
