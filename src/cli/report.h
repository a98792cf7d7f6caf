// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"
#include "report/fleet.h"

/* A page of results of one or many machines, in parts. */

/* A file that was read. */
struct report_file {
	const char *name, *command, *started, *schema;
	int64_t exit_code;
};

/* A finding that fails. */
struct report_finding {
	const char *id, *severity, *found, *wanted, *evidence;
};

/* A check that fails somewhere, and what to do. */
struct report_check {
	const char *id, *title, *severity, *why, *fix, *undo;
	struct names machines;
};

struct report_number {
	const char *id, *unit;
	double value, low, high;
};

/* A machine as machines get it; texts that are not known are NULL. */
struct report_machine {
	const char *label, *family, *sku, *arch, *kernel, *firmware, *vendor, *product;
	const char *cpus, *page_size;
	struct field_array files; /* struct report_file */
	struct fleet_counts *audit, *bench;
	struct report_number *headline;
	struct field_array failing; /* struct report_finding, worst first */
	struct field_array drift;   /* struct fleet_drift */
};

struct report_summary {
	int64_t machines, files, unreadable;
	int64_t worse, better, changed; /* since last time, on all machines */
	const char *headline;
	struct field_array checks, differences, outliers;
};

extern const struct field_table report_machine_table, report_summary_table;

#define REPORT_FAILING_MAX 256
/* Machines that get a section of their own. */
#define REPORT_DETAILS_MAX 200

/* What people see (report_page.c, report_details.c, report_plots.c). */
void report_page(struct document *document, const struct fleet *fleet,
		 const struct report_summary *summary, bool quiet);
void report_checks(struct document *document, const struct fleet *fleet);
void report_remedies(struct document *document, const struct fleet *fleet);
void report_details(struct document *document, const struct fleet *fleet);
void report_plots(struct document *document, const struct fleet *fleet);
/* "a, b, c"; of many their number and the first ones. */
const char *report_names(struct arena *arena, const struct names *names);
/* At most 160 bytes of it. */
const char *report_short(struct arena *arena, const char *text);
