// SPDX-License-Identifier: BSD-2-Clause
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/identity.h"
#include "cli/tune.h"

#include <fnmatch.h>
#include <string.h>

struct tune_summary {
	const char *role;
	bool dry_run, revert;
	int64_t planned, applied, partly, refused, rolled_back, restored, kept, foreign;
	struct names mended, failing, appeared;
	struct field_array advice;
};

#define COUNT(name, member, text)                                                                  \
	{                                                                                          \
		.key = (name), .kind = FIELD_NUMBER, .offset = FIELD(struct tune_summary, member), \
		.required = true, .doc = (text)                                                    \
	}
#define IDS(name, member, text)                                                                    \
	{                                                                                          \
		.key = (name), .kind = FIELD_TEXTS, .offset = FIELD(struct tune_summary, member),  \
		.required = true, .doc = (text)                                                    \
	}

static const struct field summary_fields[] = {
	{.key = "role",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct tune_summary, role),
	 .required = true,
	 .nullable = true,
	 .doc = "that was asked for; null: none"},
	{.key = "dry_run",
	 .kind = FIELD_BOOL,
	 .offset = FIELD(struct tune_summary, dry_run),
	 .required = true,
	 .doc = "nothing was to be changed"},
	{.key = "revert",
	 .kind = FIELD_BOOL,
	 .offset = FIELD(struct tune_summary, revert),
	 .required = true,
	 .doc = "the record was taken back"},
	COUNT("planned", planned, "changes not made"),
	COUNT("applied", applied, "changes made"),
	COUNT("partly", partly, "pools with fewer pages than wanted"),
	COUNT("refused", refused, "changes the kernel refused"),
	COUNT("rolled_back", rolled_back, "changes taken back at once, being of no use"),
	COUNT("restored", restored, "old values that are back"),
	COUNT("kept", kept, "changes with nothing to do"),
	COUNT("foreign", foreign, "values of somebody else, left"),
	IDS("mended", mended, "checks that failed and do no more"),
	IDS("failing", failing, "checks that fail"),
	IDS("appeared", appeared, "checks that did not fail before"),
	{.key = "advice",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct tune_summary, advice),
	 .required = true,
	 .table = &tune_advice_table,
	 .doc = "what is left to people"},
};

static const struct field_table summary_table =
	FIELD_TABLE("tune_summary", struct tune_summary, summary_fields,
		    "The changes by state, the findings after them, and what is left to do.");

static const struct field tune_fields[] = {
	DOCUMENT_FIELDS(&tune_change_table,
			"The settings, in the order they are made; of --revert, last first.",
			&summary_table),
};

static const struct field_table tune_table = FIELD_TABLE(
	"tune", struct document, tune_fields, "What `ampere-crypto tune --json` writes.");

const struct document_kind tune_kind = {"tune", "1.0.0", &tune_table};

const char *tune_value(struct arena *arena, const char *value)
{
	size_t lines = 0;

	if (!value)
		return "nothing";
	if (!*value)
		return "a directory";
	for (const char *at = value; *at; at++)
		lines += *at == '\n';
	return lines ? arena_printf(arena, "%zu lines", lines)
		     : text_printable(arena, view_of(value));
}

static void count(struct tune_summary *summary, const struct tune_plan *plan)
{
	int64_t *const counters[] = {&summary->planned, &summary->applied,     &summary->partly,
				     &summary->refused, &summary->rolled_back, &summary->restored,
				     &summary->kept,    &summary->foreign};
	const struct tune_change *changes = plan->changes.items;

	for (size_t i = 0; i < plan->changes.count; i++) {
		for (size_t s = 0; tune_states[s]; s++)
			*counters[s] += strcmp(changes[i].state, tune_states[s]) == 0;
	}
}

/* Another change was there for this case, and was made. */
static bool is_stood_in_for(const struct tune_plan *plan, const struct tune_change *change)
{
	const struct tune_change *changes = plan->changes.items;

	for (size_t i = 0; i < plan->changes.count; i++) {
		if (changes[i].unless && fnmatch(changes[i].unless, change->id, 0) == 0 &&
		    (tune_state_is(&changes[i], "applied") || tune_state_is(&changes[i], "partly")))
			return true;
	}
	return false;
}

static bool is_undone(const struct tune_plan *plan, const struct tune_change *change)
{
	return (tune_state_is(change, "refused") || tune_state_is(change, "rolled-back") ||
		tune_state_is(change, "foreign")) &&
	       !is_stood_in_for(plan, change);
}

int tune_exit_code(const struct tune_plan *plan)
{
	const struct tune_change *changes = plan->changes.items;

	for (size_t i = 0; i < plan->changes.count; i++) {
		if (is_undone(plan, &changes[i]))
			return EXIT_FINDINGS;
	}
	return EXIT_OK;
}

static struct names failing(struct arena *arena, const struct audit *audit)
{
	const struct finding *findings = audit->findings.items;
	struct names names = {0};

	for (size_t i = 0; i < audit->findings.count; i++) {
		if (strcmp(findings[i].outcome, "fail") == 0)
			names_add(arena, &names, findings[i].id);
	}
	return names;
}

static void compare(struct arena *arena, const struct tuning *tuning, struct tune_summary *summary)
{
	struct names before = failing(arena, &tuning->before);

	summary->failing = tuning->compared ? failing(arena, &tuning->after) : before;
	for (size_t i = 0; i < before.count; i++) {
		if (!names_has(&summary->failing, before.items[i]))
			names_add(arena, &summary->mended, before.items[i]);
	}
	for (size_t i = 0; i < summary->failing.count; i++) {
		if (!names_has(&before, summary->failing.items[i]))
			names_add(arena, &summary->appeared, summary->failing.items[i]);
	}
}

static void add_verdict(struct document *document, const struct tuning *tuning,
			const struct tune_change *change)
{
	struct arena *arena = document->arena;
	const char *wanted = tuning->reverting ? change->before : change->wanted;
	bool planned = tune_state_is(change, "planned");
	struct verdict verdict = {
		.group = change->check,
		.id = change->id,
		.title = change->path,
		.outcome = is_undone(&tuning->plan, change) ? "fail"
			   : planned                        ? "unknown"
							    : "pass",
		.text = arena_printf(
			arena, "%s: %s -> %s%s%s", change->state,
			tune_value(arena, tuning->reverting ? change->wanted : change->before),
			tune_value(arena, wanted), change->reason ? "; " : "",
			change->reason ? change->reason : ""),
		.found = tune_value(arena, change->got),
		.wanted = tune_value(arena, wanted),
		.undo = tuning->reverting ? NULL : "ampere-crypto tune --revert",
		.elapsed_ms = -1,
	};

	document_verdict(document, &verdict);
}

/* What a file of ours would hold, line by line under its row. */
static void show_content(struct document *document, struct section *section, const char *content)
{
	struct view rest = view_of(content), line;

	while (view_split(&rest, '\n', &line))
		section_note(document, section, view_copy(document->arena, line));
}

static void show_change(struct document *document, struct section *section,
			const struct tuning *tuning, const struct tune_change *change,
			const char *path)
{
	const char *before = tune_value(document->arena, change->before);
	const char *wanted = tune_value(document->arena, change->wanted);

	section_row(document, section, change->state, tuning->reverting ? wanted : before,
		    tuning->reverting ? before : wanted, path);
	if (change->reason)
		section_note(document, section, change->reason);
	if (tuning->verbose && !tuning->reverting && change->wanted && strchr(change->wanted, '\n'))
		show_content(document, section, change->wanted);
}

static void show_changes(struct document *document, const struct tuning *tuning)
{
	static const char *const header[] = {"state", "was", "wanted", "setting"};
	static const char *const back_header[] = {"state", "set", "before", "setting"};
	const struct tune_change *changes = tuning->plan.changes.items;
	size_t count = tuning->plan.changes.count;
	struct section *section;

	if (!count)
		return;
	section =
		document_section(document, "changes", 4, tuning->reverting ? back_header : header);
	for (size_t i = 0, folded; i < count; i += folded) {
		const char *path = changes[i].path;

		folded = tuning->verbose
				 ? 1
				 : tune_fold(document->arena, &changes[i], count - i, &path);
		show_change(document, section, tuning, &changes[i], path);
	}
	for (size_t i = 0; i < count; i++)
		add_verdict(document, tuning, &changes[i]);
}

static void show_advice(struct document *document, const struct tune_plan *plan)
{
	const struct tune_advice *advice = plan->advice.items;
	struct section *section =
		plan->advice.count ? document_section(document, "left to you", 3, NULL) : NULL;

	for (size_t i = 0; i < plan->advice.count; i++) {
		section_row(document, section, advice[i].check, advice[i].kind, "");
		section_note(document, section, advice[i].text);
	}
}

static void show_names(struct document *document, struct section *section, const char *label,
		       const struct names *names)
{
	if (names->count)
		section_row(document, section, label, names_join(document->arena, names, ", "));
}

void tune_document(struct cli *cli, struct document *document, const struct tuning *tuning)
{
	struct tune_summary *summary = arena_new(&cli->arena, struct tune_summary);
	struct section *section;

	*summary = (struct tune_summary){.role = cli->options.role,
					 .dry_run = cli->options.dry_run,
					 .revert = tuning->reverting,
					 .advice = tuning->plan.advice};
	count(summary, &tuning->plan);
	if (!tuning->reverting)
		compare(&cli->arena, tuning, summary);
	document->results = tuning->plan.changes;
	document->summary = summary;
	section_row(document, document_section(document, NULL, 1, NULL),
		    identity_line(&cli->arena, document->host));
	show_changes(document, tuning);
	show_advice(document, &tuning->plan);
	section = document_section(document, "findings", 2, NULL);
	show_names(document, section, "mended", &summary->mended);
	show_names(document, section, "failing", &summary->failing);
	show_names(document, section, "new", &summary->appeared);
	if (!tuning->reverting && !tuning->plan.changes.count)
		document_message(document, "note",
				 summary->failing.count ? "nothing that fails is for tune to set"
							: "nothing fails: there is nothing to set");
}
