// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "catalog/recipe.h"

#include <string.h>

#define PLACEHOLDER_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789.:-"

const struct recipe_placeholder recipe_placeholders[] = {
	{"source", "the unpacked source"},
	{"build", "an empty directory to build in"},
	{"stage", "where DESTDIR points; {stage}{prefix} becomes the tree"},
	{"prefix", "where the tree will be: PREFIX/store/NAME-VERSION-KEY"},
	{"root", "PREFIX"},
	{"tree", "of proofs: the staged tree"},
	{"recipe", "the recipe's directory"},
	{"name", "of the recipe"},
	{"version", "that is built"},
	{"jobs", "processes a build may run at once"},
	{"cc", "the compiler: one or more words"},
	{"cc-meson", "likewise, as a list of meson"},
	{"flags", "for the target's CPU: one or more words, none for native"},
	{"flags-meson", "likewise, as a list of meson"},
	{"cflags", "{flags}, the user's CFLAGS and --sysroot"},
	{"cflags-meson", "likewise, as a list of meson"},
	{"tool-prefix", "in front of the names of binutils"},
	{"ar", "the archiver"},
	{"ranlib", "its indexer"},
	{"strip", "of binutils"},
	{"sysroot", "the argument of --sysroot; no word without it"},
	{"family", "of the target's CPU, or native"},
	{"arch", "aarch64 or x86_64"},
	{"triplet", "aarch64-linux-gnu or x86_64-linux-gnu"},
	{"cpu.dpdk-platform", "from the CPU's profile, see profile(5); not for native"},
	{"cpu.dpdk-lcores", "likewise"},
	{"cpu.armcap", "likewise, in hex"},
	{"cpu.emulator", "likewise"},
	{NULL, NULL},
};

bool recipe_placeholder_at(const char *text, const char *at, struct view *name)
{
	size_t size;

	if (*at != '{' || (at > text && at[-1] == '$'))
		return false;
	size = strspn(at + 1, PLACEHOLDER_CHARACTERS);
	*name = (struct view){at + 1, size};
	return size && at[1 + size] == '}';
}

const cJSON *recipe_at(const struct recipe *recipe, const char *array, size_t index,
		       const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(recipe->json.top, array), *member;

	if (cJSON_IsArray(item))
		item = cJSON_GetArrayItem(item, (int)index);
	member = key ? cJSON_GetObjectItemCaseSensitive(item, key) : NULL;
	return member ? member : item;
}

static bool depends_on(const struct recipe *recipe, struct view name)
{
	const struct recipe_depend *depends = recipe->depends.items;

	for (size_t i = 0; i < recipe->depends.count; i++) {
		if (view_is(name, depends[i].name))
			return true;
	}
	return false;
}

static bool has_list(const struct recipe *recipe, size_t lists, struct view name)
{
	const struct recipe_list *items = recipe->lists.items;

	for (size_t i = 0; i < lists; i++) {
		if (view_is(name, items[i].name))
			return true;
	}
	return false;
}

static struct view behind(struct view name, const char *prefix)
{
	size_t size = strlen(prefix);

	return (struct view){name.at + size, name.size - size};
}

/* The first `lists` of the recipe are known. */
static bool check_placeholder(struct arena *arena, const struct recipe *recipe, size_t lists,
			      struct view name, const cJSON *at, struct error *err)
{
	static const char *const of_depends[] = {"dep:", "dep-tree:", "dep-version:"};
	const char *known[sizeof(recipe_placeholders) / sizeof(recipe_placeholders[0])];
	const char *text = view_copy(arena, name), *nearest;
	size_t count = 0;

	for (; recipe_placeholders[count].name; count++) {
		known[count] = recipe_placeholders[count].name;
		if (view_is(name, known[count]))
			return true;
	}
	for (size_t i = 0; i < sizeof(of_depends) / sizeof(of_depends[0]); i++) {
		if (!view_starts(name, of_depends[i]))
			continue;
		return depends_on(recipe, behind(name, of_depends[i])) ||
		       json_error(&recipe->json, at, err, "'{%s}' is of nothing in depends", text);
	}
	if (view_starts(name, "list:"))
		return has_list(recipe, lists, behind(name, "list:")) ||
		       json_error(&recipe->json, at, err,
				  "'{%s}' is no list that stands before its use", text);
	nearest = text_nearest(text, known, count);
	if (nearest)
		return json_error(&recipe->json, at, err,
				  "'{%s}' is no placeholder; did you mean '{%s}'?", text, nearest);
	return json_error(&recipe->json, at, err, "'{%s}' is no placeholder, see recipe(5)", text);
}

/* Every text below, but those that no placeholder is looked for in. */
static bool check_texts(struct arena *arena, const struct recipe *recipe, size_t lists,
			const cJSON *from, struct error *err)
{
	static const char *const plain[] = {"when", "name", "phase", "separator", NULL};
	struct view name;

	if (cJSON_IsString(from)) {
		for (const char *at = from->valuestring; *at; at++) {
			if (recipe_placeholder_at(from->valuestring, at, &name) &&
			    !check_placeholder(arena, recipe, lists, name, from, err))
				return false;
		}
		return true;
	}
	for (const cJSON *child = from ? from->child : NULL; child; child = child->next) {
		bool skipped = false;

		for (size_t i = 0; plain[i] && child->string; i++)
			skipped |= strcmp(child->string, plain[i]) == 0;
		if (!skipped && !check_texts(arena, recipe, lists, child, err))
			return false;
	}
	return true;
}

static bool check_placeholders(struct arena *arena, const struct recipe *recipe, struct error *err)
{
	static const char *const parts[] = {"environment", "steps", "proofs"};
	const struct recipe_list *lists = recipe->lists.items;

	for (size_t i = 0; i < recipe->lists.count; i++) {
		if (has_list(recipe, i, view_of(lists[i].name)))
			return json_error(&recipe->json, recipe_at(recipe, "lists", i, "name"), err,
					  "the list %s stands twice", lists[i].name);
		if (!check_texts(arena, recipe, i, recipe_at(recipe, "lists", i, "items"), err))
			return false;
	}
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!check_texts(arena, recipe, recipe->lists.count,
				 cJSON_GetObjectItemCaseSensitive(recipe->json.top, parts[i]), err))
			return false;
	}
	return true;
}

static bool check_with(const struct recipe *recipe, const cJSON *names, struct error *err)
{
	for (const cJSON *item = names ? names->child : NULL; item; item = item->next) {
		if (!depends_on(recipe, view_of(item->valuestring)))
			return json_error(&recipe->json, item, err,
					  "%s is not in depends, so it is never part of this build",
					  item->valuestring);
	}
	return true;
}

/* Every "when" below `from`; `early`: it is asked before that is known. */
static bool check_whens(const struct recipe *recipe, const cJSON *from, bool early,
			struct error *err)
{
	for (const cJSON *child = from ? from->child : NULL; child; child = child->next) {
		const cJSON *with, *without;

		if (!child->string || strcmp(child->string, "when") != 0) {
			if (!check_whens(recipe, child,
					 early || (child->string &&
						   strcmp(child->string, "depends") == 0),
					 err))
				return false;
			continue;
		}
		with = cJSON_GetObjectItemCaseSensitive(child, "with");
		without = cJSON_GetObjectItemCaseSensitive(child, "without");
		if (early && (with || without))
			return json_error(&recipe->json, with ? with : without, err,
					  "what is part of the build is not known yet where "
					  "dependencies are chosen");
		if (!check_with(recipe, with, err) || !check_with(recipe, without, err))
			return false;
	}
	return true;
}

/* Of the recipe itself only the target can be asked. */
static bool check_target(const struct recipe *recipe, struct error *err)
{
	static const char *const keys[] = {"versions", "with", "without"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const cJSON *when = cJSON_GetObjectItemCaseSensitive(recipe->json.top, "when");
		const cJSON *member = cJSON_GetObjectItemCaseSensitive(when, keys[i]);

		if (member)
			return json_error(&recipe->json, member, err,
					  "whether a recipe is for a target is asked before its "
					  "version is chosen; put the condition on its steps");
	}
	return true;
}

/* Keys that mean something only beside the one that says what a step is. */
static const struct {
	const char *key, *beside;
} step_keys[] = {
	{"to", "link"},          {"in", "argv"},     {"environment", "argv"}, {"lines", "write"},
	{"after", "edit"},       {"insert", "edit"}, {"replace", "edit"},     {"by", "edit"},
	{"unless-file", "edit"}, {"has", "check"},   {"insert", "after"},     {"by", "replace"},
};

static bool step_error(const struct recipe *recipe, size_t index, const char *key,
		       struct error *err, const char *text)
{
	const struct recipe_step *steps = recipe->steps.items;

	return json_error(&recipe->json, recipe_at(recipe, "steps", index, key), err, "step %s: %s",
			  steps[index].name, text);
}

/* A file that a step touches lies below its own three directories. */
static bool check_path(const struct recipe *recipe, size_t index, const char *key, const char *path,
		       struct error *err)
{
	static const char *const tops[] = {"{source}/", "{build}/", "{stage}/", "{stage}{prefix}/"};
	bool below = false;

	if (!path)
		return true;
	for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]); i++)
		below |= view_starts(view_of(path), tops[i]);
	if (!below || view_find(view_of(path), "/../") || view_ends(view_of(path), "/.."))
		return step_error(recipe, index, key, err,
				  "a path begins with {source}/, {build}/, {stage}/ or "
				  "{stage}{prefix}/ and has no .. in it");
	return true;
}

static bool check_paths(const struct recipe *recipe, size_t index, struct error *err)
{
	const struct recipe_step *step = (const struct recipe_step *)recipe->steps.items + index;

	return check_path(recipe, index, "write", step->write, err) &&
	       check_path(recipe, index, "edit", step->edit, err) &&
	       check_path(recipe, index, "check", step->check, err) &&
	       check_path(recipe, index, "link", step->link, err);
}

static bool check_step(struct arena *arena, const struct recipe *recipe, size_t index,
		       struct error *err)
{
	const struct recipe_step *step = (const struct recipe_step *)recipe->steps.items + index;
	const cJSON *from = recipe_at(recipe, "steps", index, NULL);
	int kinds = (step->argv.count > 0) + (step->write != NULL) + (step->edit != NULL) +
		    (step->check != NULL) + (step->link != NULL);

	if (kinds != 1)
		return step_error(recipe, index, NULL, err,
				  "exactly one of argv, write, edit, check and link");
	if (step->edit && !step->after == !step->replace)
		return step_error(recipe, index, "edit", err,
				  "an edit has either after or replace");
	if (step->replace && (!*step->replace || !step->by))
		return step_error(recipe, index, "replace", err, "replace needs a text, and by");
	if (step->link && !step->to.count)
		return step_error(recipe, index, "link", err, "a link needs to, where it leads");
	if (step->check && !step->has.count)
		return step_error(recipe, index, "check", err,
				  "check needs has, the lines that must be there");
	for (size_t i = 0; i < sizeof(step_keys) / sizeof(step_keys[0]); i++) {
		if (cJSON_GetObjectItemCaseSensitive(from, step_keys[i].key) &&
		    !cJSON_GetObjectItemCaseSensitive(from, step_keys[i].beside))
			return step_error(recipe, index, step_keys[i].key, err,
					  arena_printf(arena, "%s is for steps that have %s",
						       step_keys[i].key, step_keys[i].beside));
	}
	return check_paths(recipe, index, err);
}

static bool check_proof(const struct recipe *recipe, size_t index, struct error *err)
{
	const struct recipe_proof *proof =
		(const struct recipe_proof *)recipe->proofs.items + index;

	return (!proof->number == !proof->equals && (proof->number || !proof->ignored)) ||
	       json_error(&recipe->json, recipe_at(recipe, "proofs", index, NULL), err,
			  "proof %s: number and equals go together", proof->name);
}

static bool version_error(const struct recipe *recipe, size_t index, const char *key,
			  struct error *err, const char *text)
{
	const struct recipe_version *versions = recipe->versions.items;

	return json_error(&recipe->json, recipe_at(recipe, "versions", index, key), err,
			  "version %s: %s", versions[index].version, text);
}

static bool check_version(const struct recipe *recipe, size_t index, struct error *err)
{
	const struct recipe_version *versions = recipe->versions.items, *version = &versions[index];
	const struct recipe_source *sources = version->sources.items;
	bool pinned = true;

	for (size_t i = 0; i < index; i++) {
		if (strcmp(versions[i].version, version->version) == 0)
			return version_error(recipe, index, "version", err, "stands twice");
	}
	if (!version->git == !version->sources.count)
		return version_error(recipe, index, NULL, err, "either sources or git");
	for (size_t i = 0; i < version->sources.count; i++)
		pinned = pinned && sources[i].sha256;
	/* What is ended or refused, too, may lack a digest: then it wants both permissions. */
	if (pinned ? strcmp(version->status, "unpinned") == 0
		   : strcmp(version->status, "supported") == 0)
		return version_error(recipe, index, "status", err,
				     pinned ? "every digest is there, so it is not unpinned"
					    : "a digest is missing, so it is unpinned");
	if (strcmp(version->status, "supported") != 0 && !version->reason)
		return version_error(recipe, index, "status", err, "this status needs a reason");
	return true;
}

/* What is linked is of the target, and allowed. */
static bool check_tools(const struct recipe *recipe, struct error *err)
{
	const struct recipe_tool *tools = recipe->tools.items;

	for (size_t i = 0; i < recipe->tools.count; i++) {
		if (tools[i].soname &&
		    !(tools[i].of_target && names_has(&recipe->needed, tools[i].soname)))
			return json_error(&recipe->json, recipe_at(recipe, "tools", i, "soname"),
					  err, "%s",
					  tools[i].of_target ? "does not stand in needed"
							     : "needs of-target");
	}
	return true;
}

bool recipe_check(struct arena *arena, const struct recipe *recipe, struct error *err)
{
	for (size_t i = 0; i < recipe->versions.count; i++) {
		if (!check_version(recipe, i, err))
			return false;
	}
	for (size_t i = 0; i < recipe->steps.count; i++) {
		if (!check_step(arena, recipe, i, err))
			return false;
	}
	for (size_t i = 0; i < recipe->proofs.count; i++) {
		if (!check_proof(recipe, i, err))
			return false;
	}
	if (recipe->versions.count && !recipe->steps.count)
		return json_error(&recipe->json, recipe_at(recipe, "versions", 0, NULL), err,
				  "there are versions but no steps that build them");
	if (recipe->lists.count > RECIPE_LISTS_MAX)
		return json_error(&recipe->json, recipe_at(recipe, "lists", RECIPE_LISTS_MAX, NULL),
				  err, "more than %d lists", RECIPE_LISTS_MAX);
	return check_tools(recipe, err) && check_target(recipe, err) &&
	       check_whens(recipe, recipe->json.top, false, err) &&
	       check_placeholders(arena, recipe, err);
}
