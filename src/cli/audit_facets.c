// SPDX-License-Identifier: BSD-2-Clause
#include "audit/audit.h"
#include "base/arena.h"
#include "cli/facets.h"
#include "report/outcome.h"

#include <string.h>

/* The domain of a check: "cpu" of "cpu.family". */
static const char *domain_of(struct arena *arena, const char *id)
{
	return arena_copy(arena, id, strcspn(id, "."));
}

static bool is_judged(const struct finding *finding)
{
	return strcmp(finding->outcome, "unknown") != 0 && strcmp(finding->outcome, "na") != 0;
}

static const char *found_of(struct arena *arena, const struct finding *finding)
{
	if (outcome_nothing_found(&finding->found))
		return "none";
	return outcome_found(arena, finding, false);
}

static const char *text_of(struct arena *arena, const struct finding *finding, const char *found)
{
	if (!is_judged(finding))
		return finding->reason ? finding->reason : "";
	return arena_printf(arena, "found %s, wanted %s%s%s", found, finding->wanted,
			    finding->reason ? "; " : "", finding->reason ? finding->reason : "");
}

static void add_verdict(struct document *document, const struct finding *finding)
{
	struct arena *arena = document->arena;
	const char *found = is_judged(finding) ? found_of(arena, finding) : NULL;
	const struct waiver *waiver = finding->waiver;

	document_verdict(
		document,
		&(struct verdict){.group = domain_of(arena, finding->id),
				  .id = finding->id,
				  .title = finding->title,
				  .outcome = finding->outcome,
				  .severity = finding->severity,
				  .text = text_of(arena, finding, found),
				  .found = found,
				  .wanted = finding->wanted,
				  .remark = finding->reason,
				  .why = finding->why,
				  .cost = finding->cost,
				  .fix = finding->fix,
				  .undo = finding->undo,
				  .evidence = finding->evidence,
				  .references = finding->references,
				  .waived = waiver ? arena_printf(arena, "by %s until %s: %s",
								  waiver->owner, waiver->expires,
								  waiver->reason)
						   : NULL,
				  .elapsed_ms = -1});
}

/* Zeros too: who watches a count wants to see it go. */
static void count_findings(struct document *document, const struct finding *findings, size_t count)
{
	for (size_t o = 0; o < outcome_row_count; o++) {
		for (size_t s = 0; s < outcome_severity_count; s++) {
			size_t sum = 0;

			for (size_t i = 0; i < count; i++)
				sum += strcmp(findings[i].outcome, outcome_rows[o].outcome) == 0 &&
				       strcmp(findings[i].severity, outcome_severities[s]) == 0;
			document_metric(
				document,
				&(struct metric){.name = "findings",
						 .help = "Findings of the audit, counted",
						 .labels = {{"outcome", outcome_rows[o].outcome},
							    {"severity", outcome_severities[s]}},
						 .label_count = 2,
						 .value = (double)sum});
		}
	}
}

static void add_metrics(struct document *document, const struct finding *finding)
{
	document_metric(document, &(struct metric){.name = "finding_info",
						   .help = "Each check with its outcome",
						   .labels = {{"id", finding->id},
							      {"outcome", finding->outcome},
							      {"severity", finding->severity}},
						   .label_count = 3,
						   .value = 1});
	if (finding->found.kind == VALUE_NUMBER)
		document_metric(
			document,
			&(struct metric){.name = "found",
					 .help = "What a check found where that is a number, in "
						 "the unit of the check",
					 .labels = {{"id", finding->id}, {"unit", finding->unit}},
					 .label_count = 2,
					 .value = (double)finding->found.number});
}

void audit_facets(struct document *document, const struct audit *audit)
{
	const struct finding *findings = audit->findings.items;
	size_t count = audit->findings.count;

	count_findings(document, findings, count);
	for (size_t i = 0; i < count; i++) {
		add_verdict(document, &findings[i]);
		add_metrics(document, &findings[i]);
	}
}
