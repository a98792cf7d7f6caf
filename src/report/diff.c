// SPDX-License-Identifier: BSD-2-Clause
#include "report/diff.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"

#include <string.h>

#define REPORT_MAX_BYTES ((size_t)32 << 20)
#define RESULTS_MAX 4096
#define MEMBERS_MAX 256
#define PATH_MAX_BYTES ((size_t)4096)

struct report {
	const char *path;
	struct json json;
	const char *kind; /* audit or detect */
	const cJSON *host, *results;
};

struct comparison {
	struct arena *arena;
	struct changes *changes;
};

static const char *member_text(const cJSON *object, const char *key)
{
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(member) ? member->valuestring : NULL;
}

static void add_words(struct buffer *out, const cJSON *value)
{
	const char *separator = "";

	if (cJSON_IsString(value))
		buffer_text(out, value->valuestring);
	else if (cJSON_IsNumber(value))
		buffer_printf(out, "%.15g", value->valuedouble);
	else if (cJSON_IsBool(value))
		buffer_text(out, cJSON_IsTrue(value) ? "yes" : "no");
	else if (!value || cJSON_IsNull(value))
		buffer_text(out, "not known");
	for (const cJSON *item = value ? value->child : NULL; item; item = item->next) {
		buffer_text(out, separator);
		if (item->string)
			buffer_printf(out, "%s ", item->string);
		add_words(out, item);
		separator = ", ";
	}
}

static const char *words(struct arena *arena, const cJSON *value)
{
	struct buffer out = buffer_new(arena, (size_t)1 << 20);

	add_words(&out, value);
	return buffer_string(&out);
}

static void add_change(struct comparison *comparison, struct change change)
{
	struct changes *changes = comparison->changes;

	if (changes->count == changes->room) {
		size_t room = changes->room ? changes->room * 2 : 32;
		struct change *grown = arena_array(comparison->arena, struct change, room);

		if (changes->count)
			memcpy(grown, changes->items, changes->count * sizeof(*grown));
		changes->items = grown;
		changes->room = room;
	}
	changes->items[changes->count++] = change;
}

static bool open_report(struct arena *arena, const char *path, struct view text, struct report *out,
			struct error *err)
{
	static const char *const kinds[] = {"audit", "detect"};
	const char *schema;

	*out = (struct report){.path = path};
	if (!json_parse(arena, path, text, &out->json, err))
		return false;
	schema = member_text(out->json.top, "schema");
	if (!schema)
		return error_set(err,
				 "%s: has no \"schema\", a report of audit --json or detect --json "
				 "is wanted",
				 path);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (view_starts(view_of(schema),
				arena_printf(arena, "ampere-crypto/%s 1.", kinds[i])))
			out->kind = kinds[i];
	}
	if (!out->kind)
		return error_set(err,
				 "%s: is '%s', a report of audit or detect in format 1 is wanted",
				 path, schema);
	out->host = cJSON_GetObjectItemCaseSensitive(out->json.top, "host");
	out->results = cJSON_GetObjectItemCaseSensitive(out->json.top, "results");
	if (!cJSON_IsArray(out->results))
		return error_set(err, "%s: \"results\" is not a list", path);
	if (cJSON_GetArraySize(out->results) > RESULTS_MAX)
		return error_set(err, "%s: more than %d results", path, RESULTS_MAX);
	return true;
}

/* How bad an outcome is; -1 for a word this version does not know. */
static int rank(const char *outcome)
{
	static const char *const ranks[][2] = {
		{"pass", "na"}, {"waived", NULL}, {"unknown", NULL}, {"fail", NULL}};

	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 2 && ranks[i][j]; j++) {
			if (outcome && strcmp(ranks[i][j], outcome) == 0)
				return i;
		}
	}
	return -1;
}

static int severity_rank(const char *severity)
{
	static const char *const ranks[] = {"info", "low", "medium", "high", "critical"};

	for (int i = 0; i < 5; i++) {
		if (severity && strcmp(ranks[i], severity) == 0)
			return i;
	}
	return -1;
}

static const cJSON *find_result(const cJSON *results, const char *key, const char *id)
{
	const cJSON *result;

	cJSON_ArrayForEach (result, results) {
		const char *other = member_text(result, key);

		if (other && strcmp(other, id) == 0)
			return result;
	}
	return NULL;
}

/* "fail: ondemand" */
static const char *verdict(struct arena *arena, const cJSON *result)
{
	const cJSON *found = cJSON_GetObjectItemCaseSensitive(result, "found");
	const char *outcome = member_text(result, "outcome");

	if (!found || cJSON_IsNull(found))
		return outcome ? outcome : "not known";
	return arena_printf(arena, "%s: %s", outcome ? outcome : "not known", words(arena, found));
}

static void compare_finding(struct comparison *comparison, const char *id, const cJSON *before,
			    const cJSON *after)
{
	struct diff_summary *summary = &comparison->changes->summary;
	const char *old = member_text(before, "outcome"), *new = member_text(after, "outcome");
	int step = rank(new) - rank(old);
	struct change change = {.id = id,
				.title = member_text(after, "title"),
				.severity = member_text(after, "severity"),
				.before = verdict(comparison->arena, before),
				.after = verdict(comparison->arena, after)};

	if (step == 0 && rank(new) == 3)
		step = severity_rank(change.severity) -
		       severity_rank(member_text(before, "severity"));
	if (step == 0 && strcmp(change.before, change.after) == 0) {
		summary->same++;
		return;
	}
	change.kind = step > 0 ? "worse" : step < 0 ? "better" : "changed";
	*(step > 0 ? &summary->worse : step < 0 ? &summary->better : &summary->changed) += 1;
	add_change(comparison, change);
}

static void add_lone(struct comparison *comparison, const char *id, const cJSON *result, bool added)
{
	const char *text = verdict(comparison->arena, result);

	*(added ? &comparison->changes->summary.added : &comparison->changes->summary.removed) += 1;
	add_change(comparison, (struct change){.kind = added ? "added" : "removed",
					       .id = id,
					       .title = member_text(result, "title"),
					       .severity = member_text(result, "severity"),
					       .before = added ? NULL : text,
					       .after = added ? text : NULL});
}

static void compare_findings(struct comparison *comparison, const cJSON *before, const cJSON *after)
{
	const cJSON *result, *other;
	const char *id;

	cJSON_ArrayForEach (result, after) {
		id = member_text(result, "id");
		other = id ? find_result(before, "id", id) : NULL;
		if (other)
			compare_finding(comparison, id, other, result);
		else if (id)
			add_lone(comparison, id, result, true);
	}
	cJSON_ArrayForEach (result, before) {
		id = member_text(result, "id");
		if (id && !find_result(after, "id", id))
			add_lone(comparison, id, result, false);
	}
}

/* What this program writes has a few dozen members; a larger one is compared as a whole. */
static bool is_small_object(const cJSON *value)
{
	return cJSON_IsObject(value) && cJSON_GetArraySize(value) <= MEMBERS_MAX;
}

/* Members of two objects, by path; lists are compared as wholes. */
static void compare_members(struct comparison *comparison, const char *path, const cJSON *before,
			    const cJSON *after)
{
	const char *old, *new;
	const cJSON *member;

	if (is_small_object(before) && is_small_object(after) && strlen(path) < PATH_MAX_BYTES) {
		cJSON_ArrayForEach (member, after)
			compare_members(
				comparison,
				arena_printf(comparison->arena, "%s.%s", path, member->string),
				cJSON_GetObjectItemCaseSensitive(before, member->string), member);
		cJSON_ArrayForEach (member, before) {
			if (!cJSON_GetObjectItemCaseSensitive(after, member->string))
				compare_members(comparison,
						arena_printf(comparison->arena, "%s.%s", path,
							     member->string),
						member, NULL);
		}
		return;
	}
	old = words(comparison->arena, before);
	new = words(comparison->arena, after);
	if (strcmp(old, new) == 0)
		return;
	comparison->changes->summary.changed++;
	add_change(comparison,
		   (struct change){.kind = "changed", .id = path, .before = old, .after = new});
}

static void compare_compilers(struct comparison *comparison, const cJSON *before,
			      const cJSON *after)
{
	const cJSON *result, *other;
	const char *name;

	cJSON_ArrayForEach (result, after) {
		name = member_text(result, "name");
		other = name ? find_result(before, "name", name) : NULL;
		if (other)
			compare_members(comparison,
					arena_printf(comparison->arena, "compiler.%s", name), other,
					result);
		else if (name)
			add_lone(comparison, arena_printf(comparison->arena, "compiler.%s", name),
				 result, true);
	}
	cJSON_ArrayForEach (result, before) {
		name = member_text(result, "name");
		if (name && !find_result(after, "name", name))
			add_lone(comparison, arena_printf(comparison->arena, "compiler.%s", name),
				 result, false);
	}
}

bool diff_texts(struct arena *arena, const struct diff_side *before_side,
		const struct diff_side *after_side, struct changes *out, struct error *err)
{
	struct comparison comparison = {arena, out};
	struct report before, after;

	if (!open_report(arena, before_side->name, before_side->text, &before, err) ||
	    !open_report(arena, after_side->name, after_side->text, &after, err))
		return false;
	if (strcmp(before.kind, after.kind) != 0)
		return error_set(err, "%s is a report of %s, %s of %s: compare two of one kind",
				 before.path, before.kind, after.path, after.kind);
	if (strcmp(before.kind, "audit") == 0)
		compare_findings(&comparison, before.results, after.results);
	else
		compare_compilers(&comparison, before.results, after.results);
	compare_members(&comparison, "host", before.host, after.host);
	return true;
}

bool diff_reports(struct arena *arena, const char *before_path, const char *after_path,
		  struct changes *out, struct error *err)
{
	struct diff_side before = {.name = before_path}, after = {.name = after_path};

	if (strcmp(before_path, "-") == 0 && strcmp(after_path, "-") == 0)
		return error_exit(err, EXIT_USAGE, "only one of the reports can be standard input");
	return file_read(arena, before_path, REPORT_MAX_BYTES, &before.text, err) &&
	       file_read(arena, after_path, REPORT_MAX_BYTES, &after.text, err) &&
	       diff_texts(arena, &before, &after, out, err);
}
