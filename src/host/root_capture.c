// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/fields.h"
#include "host/live.h"
#include "host/root_private.h"

#include <errno.h>
#include <string.h>

#define SCHEMA "ampere-crypto/capture 1."

/* Every directory above a path of a complete capture exists and lists it. */
static void imply_parents(struct root *root, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash + 1;

	while (slash) {
		const char *parent =
			slash == path ? "/" : arena_copy(root->arena, path, (size_t)(slash - path));
		struct entry *entry = root_entry(root, parent);
		bool known = entry->implied;

		if (*name)
			names_add(root->arena, &entry->names, name);
		entry->implied = true;
		if (known || strcmp(parent, "/") == 0)
			return;
		path = entry->path;
		slash = strrchr(path, '/');
		name = slash + 1;
	}
}

/* A name may come from a "list" and from each path below it. */
static void keep_unique(struct names *names)
{
	size_t unique = 0;

	names_sort(names);
	for (size_t i = 0; i < names->count; i++) {
		if (!unique || strcmp(names->items[unique - 1], names->items[i]) != 0)
			names->items[unique++] = names->items[i];
	}
	names->count = unique;
}

static void imply_directories(struct root *root)
{
	struct entry **slots = root->slots;
	size_t slot_count = root->slot_count;

	for (size_t i = 0; i < slot_count; i++) {
		/* A path that does not exist or a denied one below a listed directory still has
		 * parents. */
		if (slots[i] && slots[i]->path[1] && slots[i]->read.number != ENOENT)
			imply_parents(root, slots[i]->path);
	}
	for (size_t i = 0; i < root->slot_count; i++) {
		struct entry *entry = root->slots[i];

		if (!entry || !entry->implied)
			continue;
		keep_unique(&entry->names);
		entry->list.asked = true;
	}
}

/* `root` is where the questions go. */
struct capture {
	const char *schema;
	bool complete;
	struct live live;
	struct root *root;
};

static bool load_questions(struct arena *arena, const struct json *json, const cJSON *from,
			   void *member, struct error *err)
{
	struct root *root = *(struct root **)member;
	const cJSON *question;

	(void)arena;
	if (!cJSON_IsObject(from))
		return json_error(json, from, err, "must be an object of paths");
	cJSON_ArrayForEach (question, from) {
		if (!root_question_load(root, json, question, err))
			return false;
	}
	return true;
}

static const struct field capture_rows[] = {
	{.key = "schema",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct capture, schema),
	 .required = true,
	 .pattern = "^ampere-crypto/capture 1\\.[0-9]+\\.[0-9]+$",
	 .doc = "name and version of this format"},
	{.key = "live",
	 .kind = FIELD_INSIDE,
	 .offset = FIELD(struct capture, live),
	 .table = &live_table,
	 .doc = "what is not a file; what is absent, 0 or null is not known"},
	{.key = "complete",
	 .kind = FIELD_BOOL,
	 .offset = FIELD(struct capture, complete),
	 .doc = "true: a path without an entry does not exist; false: it was not asked for"},
	{.key = "questions",
	 .kind = FIELD_CUSTOM,
	 .offset = FIELD(struct capture, root),
	 .required = true,
	 .load = load_questions,
	 .schema = root_questions_schema,
	 .doc = "by path, the answers to what was asked of it"},
};

const struct field_table root_capture_table =
	FIELD_TABLE("capture", struct capture, capture_rows, "a host as it was asked");

bool root_capture_load(struct root *root, struct view text, struct error *err)
{
	struct capture capture = {.root = root};
	const cJSON *schema;
	struct json json;

	if (!json_parse(root->arena, root->name, text, &json, err))
		return false;
	schema = cJSON_GetObjectItemCaseSensitive(json.top, "schema");
	if (!cJSON_IsString(schema) || strncmp(schema->valuestring, SCHEMA, strlen(SCHEMA)) != 0)
		return json_error(&json, json.top, err,
				  "is not a capture: \"schema\" is not \"%s…\"; make one with "
				  "'ampere-crypto capture FILE'",
				  SCHEMA);
	if (!fields_load(root->arena, &json, json.top, &root_capture_table, &capture, err))
		return false;
	live_settle(&capture.live);
	root->live = capture.live;
	root->complete = capture.complete;
	if (root->complete)
		imply_directories(root);
	return true;
}

/* Walks the components of `path` through recorded links, as the kernel would. */
/* What is below a directory that cannot be looked into cannot be asked either. */
static struct entry *below_denied(struct root *root, const struct entry *directory)
{
	struct entry *entry;
	struct answer answer = {.asked = true};

	if (!directory || !directory->list.asked)
		return NULL;
	answer.number = directory->list.number;
	if (answer.number != EACCES && answer.number != EPERM)
		return NULL;
	entry = arena_new(root->arena, struct entry);
	entry->path = directory->path;
	entry->read = entry->list = entry->link = entry->stat = entry->lstat = entry->range =
		answer;
	return entry;
}

struct entry *root_capture_resolve(struct root *root, const char *path)
{
	const struct entry *directory = NULL;
	const char *done = "";
	struct view rest = view_of(path), part;
	unsigned links = 0;

	while (view_split(&rest, '/', &part)) {
		const struct entry *entry;

		if (!part.size || view_is(part, "."))
			continue;
		if (view_is(part, "..")) {
			const char *slash = strrchr(done, '/');

			done = slash ? arena_copy(root->arena, done, (size_t)(slash - done)) : "";
			continue;
		}
		entry = root_find(
			root, arena_printf(root->arena, "%s/%.*s", done, (int)part.size, part.at));
		if (!entry)
			return below_denied(root, directory);
		if (!entry->target) {
			directory = entry;
			done = entry->path;
			continue;
		}
		if (++links > ROOT_LINKS_MAX)
			return NULL;
		if (entry->target[0] == '/')
			done = "";
		rest = view_of(arena_printf(root->arena, "%s/%.*s", entry->target, (int)rest.size,
					    rest.size ? rest.at : ""));
	}
	return root_find(root, done[0] ? done : "/");
}
