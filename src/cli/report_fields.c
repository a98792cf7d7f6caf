// SPDX-License-Identifier: BSD-2-Clause
#include "cli/documents.h"
#include "cli/report.h"

/* One row of a table: struct, key, kind, member, text, and what else there is to say. */
#define ROW(type, name, field_kind, member, text, ...)                                             \
	{                                                                                          \
		.key = (name), .kind = (field_kind), .offset = FIELD(struct type, member),         \
		.required = true, .doc = (text), ##__VA_ARGS__                                     \
	}
#define TEXT(type, name, member, text) ROW(type, name, FIELD_TEXT, member, text, .nullable = true)
#define COUNT(type, name, text) ROW(type, #name, FIELD_NUMBER, name, text)

static const struct field file_rows[] = {
	ROW(report_file, "name", FIELD_TEXT, name, "as it was given"),
	ROW(report_file, "command", FIELD_TEXT, command, "what wrote it"),
	ROW(report_file, "started", FIELD_TEXT, started, "when that was started, in UTC",
	    .pattern = DOCUMENT_TIME),
	ROW(report_file, "schema", FIELD_TEXT, schema, "the format it is in"),
	ROW(report_file, "exit_code", FIELD_NUMBER, exit_code, "of that run", .maximum = 255),
};

static const struct field_table file_table =
	FIELD_TABLE("report-file", struct report_file, file_rows, "A result that was read.");

static const struct field finding_rows[] = {
	ROW(report_finding, "id", FIELD_TEXT, id, "the check"),
	TEXT(report_finding, "severity", severity, "how much it matters for the role"),
	TEXT(report_finding, "found", found, "what is there, in words"),
	TEXT(report_finding, "wanted", wanted, "what is wanted"),
	TEXT(report_finding, "evidence", evidence, "where it was read: the first piece"),
};

static const struct field_table finding_table_of_report =
	FIELD_TABLE("report-finding", struct report_finding, finding_rows, "A check that fails.");

static const struct field check_rows[] = {
	ROW(report_check, "id", FIELD_TEXT, id, "the check"),
	TEXT(report_check, "title", title, "a few words"),
	TEXT(report_check, "severity", severity, "the worst of those it has on the machines"),
	TEXT(report_check, "why", why, "why it matters"),
	TEXT(report_check, "fix", fix, "how to put it right"),
	TEXT(report_check, "undo", undo, "how to take the fix back"),
	ROW(report_check, "machines", FIELD_TEXTS, machines, "on which it fails"),
};

static const struct field_table check_table_of_report = FIELD_TABLE(
	"report-check", struct report_check, check_rows, "A check that fails somewhere.");

static const struct field number_rows[] = {
	ROW(report_number, "id", FIELD_TEXT, id, "of the measurement"),
	TEXT(report_number, "unit", unit, "Gbps or MOps"),
	ROW(report_number, "value", FIELD_REAL, value, "the median", .nullable = true),
	ROW(report_number, "low", FIELD_REAL, low, "lower end of its interval", .nullable = true),
	ROW(report_number, "high", FIELD_REAL, high, "its upper end", .nullable = true),
};

static const struct field_table number_table =
	FIELD_TABLE("report-number", struct report_number, number_rows, "A measurement.");

static const struct field counts_rows[] = {
	TEXT(fleet_counts, "started", started, "of the newest result"),
	TEXT(fleet_counts, "role", role, "what the machine was judged for"),
	COUNT(fleet_counts, pass, "that pass"),
	COUNT(fleet_counts, fail, "that fail"),
	COUNT(fleet_counts, na, "that do not apply"),
	COUNT(fleet_counts, unknown, "without a verdict"),
	COUNT(fleet_counts, waived, "accepted by an owner"),
	COUNT(fleet_counts, critical, "critical ones of those that fail"),
	COUNT(fleet_counts, high, "high ones of those that fail"),
};

static const struct field_table counts_table = FIELD_TABLE(
	"report-counts", struct fleet_counts, counts_rows, "Outcomes of one result, counted.");

#define DRIFT(name, member, text, ...)                                                             \
	ROW(fleet_drift, name, FIELD_TEXT, change.member, text, ##__VA_ARGS__)

static const struct field drift_rows[] = {
	ROW(fleet_drift, "command", FIELD_TEXT, command, "what wrote the two results"),
	ROW(fleet_drift, "since", FIELD_TEXT, since, "when the former was started",
	    .pattern = DOCUMENT_TIME),
	ROW(fleet_drift, "until", FIELD_TEXT, until, "when the newest was started",
	    .pattern = DOCUMENT_TIME),
	{.key = "kind",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct fleet_drift, change.kind),
	 .required = true,
	 .names = change_kinds,
	 .doc = "in which way it changed"},
	DRIFT("id", id, "as ampere-crypto-diff(1) names it"),
	DRIFT("title", title, "a few words", .nullable = true),
	DRIFT("severity", severity, "in the newest result", .nullable = true),
	DRIFT("before", before, "in words", .nullable = true),
	DRIFT("after", after, "in words", .nullable = true),
	DRIFT("note", note, "what else changed, or why it is not judged", .nullable = true),
};

static const struct field_table drift_table =
	FIELD_TABLE("report-drift", struct fleet_drift, drift_rows,
		    "What is different in a machine's newest result of a command.");

static const struct field machine_rows[] = {
	ROW(report_machine, "label", FIELD_TEXT, label, "what the machine is called here"),
	TEXT(report_machine, "family", family, "the silicon"),
	TEXT(report_machine, "sku", sku, "its part number"),
	TEXT(report_machine, "arch", arch, "of its kernel"),
	TEXT(report_machine, "kernel", kernel, "its release"),
	TEXT(report_machine, "firmware", firmware, "its version"),
	TEXT(report_machine, "vendor", vendor, "who made the machine"),
	TEXT(report_machine, "product", product, "which model"),
	TEXT(report_machine, "cpus", cpus, "online"),
	TEXT(report_machine, "page_size_bytes", page_size, "of the kernel"),
	ROW(report_machine, "files", FIELD_ARRAY, files, "what was read, by time",
	    .table = &file_table),
	ROW(report_machine, "audit", FIELD_OBJECT, audit, "null: none", .nullable = true,
	    .table = &counts_table),
	ROW(report_machine, "bench", FIELD_OBJECT, bench, "null: none", .nullable = true,
	    .table = &counts_table),
	ROW(report_machine, "headline", FIELD_OBJECT, headline,
	    "the measurement that most machines have", .nullable = true, .table = &number_table),
	ROW(report_machine, "failing", FIELD_ARRAY, failing, "of the newest audit, worst first",
	    .table = &finding_table_of_report),
	ROW(report_machine, "drift", FIELD_ARRAY, drift, "since last time, worse first",
	    .table = &drift_table),
};

const struct field_table report_machine_table =
	FIELD_TABLE("report-machine", struct report_machine, machine_rows,
		    "A machine and what its results say.");

static const struct field value_rows[] = {
	ROW(fleet_value, "value", FIELD_TEXT, value, "in words"),
	ROW(fleet_value, "machines", FIELD_TEXTS, machines, "that have it"),
};

static const struct field_table value_table =
	FIELD_TABLE("report-value", struct fleet_value, value_rows, "Machines that say the same.");

static const struct field difference_rows[] = {
	ROW(fleet_difference, "id", FIELD_TEXT, id, "a check, a tree, or \"host.\" and a member"),
	TEXT(fleet_difference, "title", title, "of a check"),
	TEXT(fleet_difference, "severity", severity, "of a check, on the first machine"),
	ROW(fleet_difference, "what", FIELD_TEXT, what,
	    "machine (a member of the host), outcome, or found: outcomes are the same"),
	ROW(fleet_difference, "values", FIELD_ARRAY, values, "the most frequent first",
	    .table = &value_table),
};

static const struct field_table difference_table =
	FIELD_TABLE("report-difference", struct fleet_difference, difference_rows,
		    "What is not the same on all machines.");

static const struct field outlier_rows[] = {
	ROW(fleet_outlier, "machine", FIELD_TEXT, machine, "its label"),
	ROW(fleet_outlier, "id", FIELD_TEXT, id, "a check, a member, a tree or a measurement"),
	TEXT(fleet_outlier, "title", title, "a few words"),
	ROW(fleet_outlier, "value", FIELD_TEXT, value, "on this machine"),
	ROW(fleet_outlier, "usual", FIELD_TEXT, usual, "what the others have"),
	ROW(fleet_outlier, "rule", FIELD_TEXT, rule, "why it counts as one"),
};

static const struct field_table outlier_table = FIELD_TABLE(
	"report-outlier", struct fleet_outlier, outlier_rows, "A machine that differs from most.");

static const struct field summary_rows[] = {
	COUNT(report_summary, machines, "labels"),
	COUNT(report_summary, files, "that were read"),
	COUNT(report_summary, unreadable, "files that could not be read"),
	COUNT(report_summary, worse, "changes since last time to the worse, on all machines"),
	COUNT(report_summary, better, "to the better"),
	COUNT(report_summary, changed, "neither, added and removed ones with them"),
	TEXT(report_summary, "headline", headline, "the measurement that most machines have"),
	ROW(report_summary, "checks", FIELD_ARRAY, checks,
	    "that fail: the worst first, then those that fail on most machines",
	    .table = &check_table_of_report),
	ROW(report_summary, "differences", FIELD_ARRAY, differences,
	    "members of the host, then checks with different outcomes, then findings",
	    .table = &difference_table),
	ROW(report_summary, "outliers", FIELD_ARRAY, outliers, "machines that differ from most",
	    .table = &outlier_table),
};

const struct field_table report_summary_table =
	FIELD_TABLE("report-summary", struct report_summary, summary_rows,
		    "What the machines have in common, and what not.");

static const struct field report_fields[] = {
	DOCUMENT_FIELDS(&report_machine_table, "One per machine, by label.", &report_summary_table),
};

static const struct field_table report_table = FIELD_TABLE(
	"report", struct document, report_fields, "What `ampere-crypto report --json` writes.");

const struct document_kind report_kind = {"report", "1.0.0", &report_table};
