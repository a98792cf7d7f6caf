// SPDX-License-Identifier: BSD-2-Clause
#include "audit/audit.h"

#include "audit/waivers.h"
#include "base/arena.h"
#include "base/error.h"

#include <fnmatch.h>
#include <string.h>

static const struct field summary_rows[] = {
	{.key = "pass",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct audit_summary, pass),
	 .required = true,
	 .doc = "findings as wanted"},
	{.key = "fail",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct audit_summary, fail),
	 .required = true,
	 .doc = "findings not as wanted"},
	{.key = "na",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct audit_summary, na),
	 .required = true,
	 .doc = "checks that do not apply here"},
	{.key = "unknown",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct audit_summary, unknown),
	 .required = true,
	 .doc = "checks that could not be judged"},
	{.key = "waived",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct audit_summary, waived),
	 .required = true,
	 .doc = "failures that somebody accepted"},
	{.key = "needs_root",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct audit_summary, needs_root),
	 .required = true,
	 .doc = "of the unknown ones, those that root could judge"},
};

const struct field_table audit_summary_table =
	FIELD_TABLE("audit-summary", struct audit_summary, summary_rows, "findings by outcome");

static bool is_selected(const struct check *check, const struct facts *facts,
			const struct audit_options *options)
{
	if (check->roles.count && !(facts->role && names_has(&check->roles, facts->role)))
		return false;
	if (options->only.count && !names_match(&options->only, check->id))
		return false;
	return !names_match(&options->skip, check->id);
}

/* A glob that fits no check is a misspelling, and would silently judge nothing. */
static bool globs_fit(struct arena *arena, const struct checks *checks, const char *option,
		      const struct names *globs, struct error *err)
{
	const char **ids = arena_array(arena, const char *, checks->count + 1);

	for (size_t i = 0; i < checks->count; i++)
		ids[i] = checks->items[i].id;
	for (size_t i = 0; i < globs->count; i++) {
		const char *nearest;
		size_t j = 0;

		while (j < checks->count && fnmatch(globs->items[i], ids[j], 0) != 0)
			j++;
		if (j < checks->count)
			continue;
		nearest = text_nearest(globs->items[i], ids, checks->count);
		return error_exit(err, EXIT_USAGE, "%s %s: no such check%s%s%s", option,
				  globs->items[i], nearest ? ", did you mean " : "",
				  nearest ? nearest : "",
				  nearest ? "?" : "; see 'ampere-crypto list checks'");
	}
	return true;
}

static const char *unknown_reason(struct arena *arena, const struct check *check,
				  const struct value *value)
{
	const char *why = value && value->why ? value->why : "not visible here";

	if (!check->unknown_hint)
		return why;
	return arena_printf(arena, "%s; %s", why, check->unknown_hint);
}

/* Fills in outcome, found, reason and evidence; `deciding` is the value that decided. */
static void judge(struct facts *facts, const struct check *check, struct finding *finding,
		  bool *needs_root)
{
	const struct value *deciding = NULL, *applying = NULL;
	enum truth truth = TRUTH_TRUE;

	if (check->applies)
		truth = rule_judge(check->applies, facts, &applying);
	if (truth != TRUTH_TRUE) {
		deciding = applying;
		finding->outcome = truth == TRUTH_FALSE ? "na" : "unknown";
	} else {
		truth = rule_judge(check->pass, facts, &deciding);
		finding->outcome = truth == TRUTH_TRUE    ? "pass"
				   : truth == TRUTH_FALSE ? "fail"
							  : "unknown";
	}
	if (deciding) {
		finding->found = *deciding;
		finding->evidence =
			(struct field_array){deciding->evidence, deciding->evidence_count};
	}
	if (strcmp(finding->outcome, "unknown") == 0)
		finding->reason = unknown_reason(facts->arena, check, deciding);
	else if (strcmp(finding->outcome, "na") == 0)
		finding->reason = check->na_reason;
	else if (deciding)
		finding->reason = deciding->why;
	*needs_root = truth == TRUTH_UNKNOWN && deciding && deciding->kind == VALUE_UNKNOWN &&
		      deciding->unknown == UNKNOWN_NEEDS_ROOT;
}

static struct finding finding_of(struct facts *facts, const struct check *check, bool *needs_root)
{
	const struct fact *fact = facts_find(facts, rule_fact(check->pass));
	struct finding finding = {
		.id = check->id,
		.title = check->title,
		.severity = check_severity(check, facts->role),
		.wanted = check->wanted,
		.unit = fact ? fact->unit : NULL,
		.why = check->why,
		.cost = check->cost,
		.fix = check->fix,
		.undo = check->undo,
		.references = check->references,
	};

	if (!finding.wanted)
		finding.wanted = rule_describe(facts->arena, check->pass, facts);
	judge(facts, check, &finding, needs_root);
	return finding;
}

/* From the most to the least severe; a threshold includes what stands before it. */
static const char *const ranks[] = {"critical", "high", "medium", "low", "info"};

static size_t rank_of(const char *severity)
{
	size_t rank = 0;

	while (rank < sizeof(ranks) / sizeof(ranks[0]) && strcmp(ranks[rank], severity) != 0)
		rank++;
	return rank;
}

static bool counts(const struct finding *finding, const char *fail_on)
{
	if (!fail_on)
		fail_on = "high";
	return strcmp(fail_on, "never") != 0 && rank_of(finding->severity) <= rank_of(fail_on);
}

static void sum_up(struct audit *audit, const struct audit_options *options)
{
	struct audit_summary *summary = &audit->summary;
	const struct finding *findings = audit->findings.items;
	bool failed = false;

	for (size_t i = 0; i < audit->findings.count; i++) {
		const char *outcome = findings[i].outcome;

		if (strcmp(outcome, "pass") == 0)
			summary->pass++;
		else if (strcmp(outcome, "na") == 0)
			summary->na++;
		else if (strcmp(outcome, "unknown") == 0)
			summary->unknown++;
		else if (strcmp(outcome, "waived") == 0)
			summary->waived++;
		else
			summary->fail++;
		if (strcmp(outcome, "fail") == 0 && counts(&findings[i], options->fail_on))
			failed = true;
	}
	audit->exit_code = failed ? EXIT_FINDINGS : EXIT_OK;
	if (!failed && options->strict && summary->unknown)
		audit->exit_code = EXIT_UNKNOWN_ONLY;
	/* Nothing was judged: a pipeline must not take that for a pass. */
	if ((size_t)summary->na == audit->findings.count)
		audit->exit_code = EXIT_SKIPPED;
}

bool audit_run(struct facts *facts, const struct checks *checks,
	       const struct audit_options *options, struct audit *out, struct error *err)
{
	struct finding *findings = arena_array(facts->arena, struct finding, checks->count + 1);
	struct audit audit = {.findings = {.items = findings}};

	if (!globs_fit(facts->arena, checks, "--only", &options->only, err) ||
	    !globs_fit(facts->arena, checks, "--skip", &options->skip, err))
		return false;
	for (size_t i = 0; i < checks->count; i++) {
		bool needs_root = false;

		if (!is_selected(&checks->items[i], facts, options))
			continue;
		findings[audit.findings.count++] =
			finding_of(facts, &checks->items[i], &needs_root);
		audit.summary.needs_root += needs_root;
	}
	if (options->waivers)
		waivers_apply(facts->arena, options->waivers, options->today, &audit.findings);
	sum_up(&audit, options);
	*out = audit;
	return true;
}
