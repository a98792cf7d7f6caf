// SPDX-License-Identifier: BSD-2-Clause
#include "check/check.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <string.h>

#define FILE_MAX_BYTES ((size_t)1 << 20)
#define CHECKS_MAX 1000

static const char *const severities[] = {"critical", "high", "medium", "low", "info", NULL};

#define SEVERITY(role)                                                                             \
	{                                                                                          \
		.key = #role, .kind = FIELD_ENUM, .offset = FIELD(struct role_severity, role),     \
		.names = severities, .doc = "severity when the machine has the role " #role        \
	}

static const struct field role_severity_rows[] = {SEVERITY(dpdk), SEVERITY(ipsec), SEVERITY(tls)};

static const struct field_table role_severity_table =
	FIELD_TABLE("by-role", struct role_severity, role_severity_rows, "severity by role");

static bool load_rule(struct arena *arena, const struct json *json, const cJSON *from, void *member,
		      struct error *err)
{
	return rule_load(arena, json, from, member, err);
}

static void write_rule(struct json_writer *writer, const char *key, const void *member)
{
	const struct rule *const *rule = member;

	if (*rule)
		rule_write(writer, key, *rule);
}

static const struct field check_rows[] = {
	{.key = "id",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct check, id),
	 .required = true,
	 .pattern = "^[a-z0-9]+(-[a-z0-9]+)*(\\.[a-z0-9]+(-[a-z0-9]+)*)+$",
	 .doc = "stable name, never reused"},
	{.key = "title",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct check, title),
	 .required = true,
	 .doc = "a few words"},
	{.key = "severity",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct check, severity),
	 .required = true,
	 .names = severities,
	 .doc = "without a role, and for roles not in by-role"},
	{.key = "by-role",
	 .kind = FIELD_OBJECT,
	 .offset = FIELD(struct check, by_role),
	 .table = &role_severity_table,
	 .doc = "severity by role, where it differs"},
	{.key = "roles",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct check, roles),
	 .pattern = "^(dpdk|ipsec|tls)$",
	 .doc = "judged for these roles only; empty: always"},
	{.key = "applies",
	 .kind = FIELD_CUSTOM,
	 .offset = FIELD(struct check, applies),
	 .load = load_rule,
	 .write = write_rule,
	 .schema = rule_schema,
	 .define = "rule",
	 .doc = "a rule: false gives na, unknown gives unknown; absent: always"},
	{.key = "na",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct check, na_reason),
	 .doc = "why it does not apply, shown with na"},
	{.key = "pass",
	 .kind = FIELD_CUSTOM,
	 .offset = FIELD(struct check, pass),
	 .required = true,
	 .load = load_rule,
	 .write = write_rule,
	 .schema = rule_schema,
	 .define = "rule",
	 .doc = "a rule: true gives pass, false gives fail, unknown gives unknown"},
	{.key = "wanted",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct check, wanted),
	 .doc = "what is wanted, for people; absent: the rule in words"},
	{.key = "unknown",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct check, unknown_hint),
	 .doc = "what to look at when it is unknown"},
	{.key = "why",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct check, why),
	 .required = true,
	 .doc = "why it matters"},
	{.key = "cost",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct check, cost),
	 .required = true,
	 .doc = "published or measured cost of getting it wrong, or \"unknown\""},
	{.key = "read",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct check, read),
	 .required = true,
	 .doc = "how it is read"},
	{.key = "fix",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct check, fix),
	 .required = true,
	 .doc = "how to put it right"},
	{.key = "undo",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct check, undo),
	 .required = true,
	 .doc = "how to take the fix back"},
	{.key = "references",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct check, references),
	 .doc = "documents and specifications"},
};

const struct field_table check_table =
	FIELD_TABLE("check", struct check, check_rows, "a rule with a reason, a fix and a source");

struct check_file {
	struct field_array checks;
};

static const struct field check_file_rows[] = {
	{.key = "checks",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct check_file, checks),
	 .required = true,
	 .table = &check_table,
	 .doc = "the checks of this file"},
};

const struct field_table check_file_table =
	FIELD_TABLE("profile", struct check_file, check_file_rows, "a file of profiles/audit");

static bool facts_exist(struct facts *facts, const struct json *json, const cJSON *at,
			const struct check *check, struct error *err)
{
	struct names used = {0};

	rule_facts(facts->arena, check->pass, &used);
	if (check->applies)
		rule_facts(facts->arena, check->applies, &used);
	for (size_t i = 0; i < used.count; i++) {
		if (!facts_find(facts, used.items[i]))
			return json_error(
				json, at, err,
				"%s: there is no fact \"%s\", see 'ampere-crypto list facts'",
				check->id, used.items[i]);
	}
	return true;
}

static bool is_new(const struct checks *all, const struct check *check)
{
	for (size_t i = 0; i < all->count; i++) {
		if (strcmp(all->items[i].id, check->id) == 0)
			return false;
	}
	return true;
}

static bool load_file(struct facts *facts, const char *path, struct checks *all, struct error *err)
{
	struct check_file file = {0};
	const cJSON *at;
	struct check *items;
	struct json json;
	struct view text;

	if (!file_read(facts->arena, path, FILE_MAX_BYTES, &text, err) ||
	    !json_parse(facts->arena, path, text, &json, err) ||
	    !fields_load(facts->arena, &json, json.top, &check_file_table, &file, err))
		return false;
	items = file.checks.items;
	at = cJSON_GetObjectItemCaseSensitive(json.top, "checks")->child;
	for (size_t i = 0; i < file.checks.count; i++, at = at->next) {
		if (!facts_exist(facts, &json, at, &items[i], err))
			return false;
		if (!is_new(all, &items[i]))
			return json_error(&json, at, err, "there are two checks \"%s\"",
					  items[i].id);
		if (all->count == CHECKS_MAX)
			return json_error(&json, at, err, "more than %d checks", CHECKS_MAX);
		all->items[all->count++] = items[i];
	}
	return true;
}

bool checks_load(struct facts *facts, const char *path, struct checks *out, struct error *err)
{
	struct checks all = {.items = arena_array(facts->arena, struct check, CHECKS_MAX)};
	const char *directory = path;
	struct names files;

	if (path && view_ends(view_of(path), ".json")) {
		if (!load_file(facts, path, &all, err))
			return false;
		*out = all;
		return true;
	}
	if (!path)
		directory = file_data_path(facts->arena, "profiles/audit");
	if (!file_list(facts->arena, directory, ".json", &files, err))
		return false;
	for (size_t i = 0; i < files.count; i++) {
		if (!load_file(facts,
			       arena_printf(facts->arena, "%s/%s", directory, files.items[i]), &all,
			       err))
			return false;
	}
	*out = all;
	return true;
}

const char *check_severity(const struct check *check, const char *role)
{
	const char *special = NULL;

	if (role && check->by_role) {
		if (strcmp(role, "dpdk") == 0)
			special = check->by_role->dpdk;
		else if (strcmp(role, "ipsec") == 0)
			special = check->by_role->ipsec;
		else if (strcmp(role, "tls") == 0)
			special = check->by_role->tls;
	}
	return special ? special : check->severity;
}
