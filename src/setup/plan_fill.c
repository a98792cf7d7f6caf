// SPDX-License-Identifier: BSD-2-Clause
#include "setup/plan.h"

#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/sha256.h"
#include "catalog/profile.h"
#include "setup/expand.h"

#include <string.h>

#define KEY_TEXT_MAX ((size_t)1 << 20)
#define KEY_DIGITS 16
#define KEY_UNKNOWN "KEY"
#define MESON_LIST_MAX ((size_t)256 << 10)

/* ['clang', '--target=aarch64-linux-gnu'], as meson's machine files want it. */
static const char *meson_list(struct arena *arena, const struct names *words)
{
	struct buffer text = buffer_new(arena, MESON_LIST_MAX);

	buffer_char(&text, '[');
	for (size_t i = 0; i < words->count; i++) {
		buffer_text(&text, i ? ", '" : "'");
		for (const char *at = words->items[i]; *at; at++) {
			if (*at == '\'' || *at == '\\')
				buffer_char(&text, '\\');
			buffer_char(&text, *at);
		}
		buffer_char(&text, '\'');
	}
	buffer_char(&text, ']');
	return buffer_string(&text);
}

/* What is the same for every recipe of the plan. */
static void set_toolchain(struct expand_scope *scope, const struct plan_request *request)
{
	const struct toolchain *toolchain = request->toolchain;
	static const char *const tools[] = {"ar", "ranlib", "strip"};
	struct names flags = {0}, sysroot = {0};

	if (toolchain->sysroot)
		names_add(scope->arena, &sysroot, toolchain->sysroot);
	expand_set_words(scope, "flags", &toolchain->flags);
	for (size_t i = 0; i < toolchain->flags.count; i++)
		names_add(scope->arena, &flags, toolchain->flags.items[i]);
	for (size_t i = 0; i < toolchain->user_flags.count; i++)
		names_add(scope->arena, &flags, toolchain->user_flags.items[i]);
	if (toolchain->sysroot)
		names_add(scope->arena, &flags,
			  arena_printf(scope->arena, "--sysroot=%s", toolchain->sysroot));
	expand_set_words(scope, "cc", &toolchain->cc);
	expand_set(scope, "cc-meson", meson_list(scope->arena, &toolchain->cc));
	expand_set_words(scope, "cflags", &flags);
	expand_set(scope, "cflags-meson", meson_list(scope->arena, &flags));
	expand_set(scope, "flags-meson", meson_list(scope->arena, &toolchain->flags));
	expand_set(scope, "tool-prefix", toolchain->tool_prefix);
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		expand_set(scope, tools[i],
			   arena_printf(scope->arena, "%s%s", toolchain->tool_prefix, tools[i]));
	expand_set_words(scope, "sysroot", &sysroot);
}

static void set_cpu(struct expand_scope *scope, const struct target *target)
{
	const struct cpu_profile *profile = target->profile;

	expand_set(scope, "family", target->family);
	expand_set(scope, "arch", target->arch);
	expand_set(scope, "triplet", target->triplet);
	if (!profile)
		return;
	if (profile->dpdk_platform)
		expand_set(scope, "cpu.dpdk-platform", profile->dpdk_platform);
	if (profile->dpdk_lcores.known)
		expand_set(
			scope, "cpu.dpdk-lcores",
			arena_printf(scope->arena, "%jd", (intmax_t)profile->dpdk_lcores.number));
	if (profile->armcap.known)
		expand_set(scope, "cpu.armcap",
			   arena_printf(scope->arena, "0x%jx", (intmax_t)profile->armcap.number));
	if (profile->emulator)
		expand_set(scope, "cpu.emulator", profile->emulator);
}

/* Paths; `real` is false for the key, which must not depend on where things are built. */
static void set_paths(struct expand_scope *scope, const struct plan *plan,
		      const struct plan_tree *tree, bool real)
{
	static const struct {
		const char *name, *below;
	} parts[] = {{"source", "source"}, {"build", "build"}, {"stage", "stage"}};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		expand_set(scope, parts[i].name,
			   real ? arena_printf(scope->arena, "%s/%s", tree->work, parts[i].below)
				: parts[i].name);
	expand_set(scope, "prefix", real ? tree->path : "prefix");
	expand_set(scope, "root", real ? plan->request->prefix : "root");
	expand_set(scope, "tree", real ? tree->staged : "tree");
	expand_set(scope, "recipe", real ? tree->recipe->directory : "recipe");
	expand_set(scope, "jobs",
		   real ? arena_printf(scope->arena, "%u", plan->request->jobs) : "jobs");
	expand_set(scope, "name", tree->recipe->name);
	expand_set(scope, "version", tree->version->version);
	for (size_t i = 0; i < tree->depend_count; i++) {
		const struct plan_tree *other = tree->depends[i];
		const char *name = other->recipe->name;

		expand_set(scope, arena_printf(scope->arena, "dep:%s", name),
			   real ? other->path : other->name);
		expand_set(scope, arena_printf(scope->arena, "dep-tree:%s", name), other->name);
		expand_set(scope, arena_printf(scope->arena, "dep-version:%s", name),
			   other->version->version);
	}
}

/* Puts file, line, column and place of an item before what is wrong with it. */
static bool misplaced(const struct plan_tree *tree, const char *array, size_t index,
		      struct error *err)
{
	const struct error inner = *err;
	const cJSON *name = recipe_at(tree->recipe, array, index, "name");

	return json_error(&tree->recipe->json, recipe_at(tree->recipe, array, index, NULL), err,
			  "%s%s%s", cJSON_IsString(name) ? name->valuestring : "",
			  cJSON_IsString(name) ? ": " : "", inner.text);
}

static bool set_lists(struct expand_scope *scope, const struct plan *plan,
		      const struct plan_tree *tree, struct error *err)
{
	const struct recipe_list *lists = tree->recipe->lists.items;

	for (size_t l = 0; l < tree->recipe->lists.count; l++) {
		const char *name = arena_printf(scope->arena, "list:%s", lists[l].name);
		const struct recipe_item *items = lists[l].items.items;
		struct names chosen = {0}, words;

		for (size_t i = 0; i < lists[l].items.count; i++) {
			if (plan_when(plan, tree, items[i].when))
				names_add(scope->arena, &chosen, items[i].text);
		}
		if (!expand_words(scope, &chosen, &words, err))
			return misplaced(tree, "lists", l, err);
		if (lists[l].separator)
			expand_set(scope, name,
				   names_join(scope->arena, &words, lists[l].separator));
		else
			expand_set_words(scope, name, &words);
	}
	return true;
}

static bool expand_maybe(const struct expand_scope *scope, const char *text, const char **out,
			 struct error *err)
{
	*out = NULL;
	return !text || expand_text(scope, text, out, err);
}

static bool fill_step(const struct expand_scope *scope, const struct recipe_step *recipe,
		      struct plan_step *out, struct error *err)
{
	const struct names *lines;

	*out = plan_step_of(recipe, &lines);
	return expand_words(scope, &recipe->argv, &out->argv, err) &&
	       expand_words(scope, &recipe->environment, &out->environment, err) &&
	       expand_words(scope, lines, &out->lines, err) &&
	       expand_text(scope, recipe->in ? recipe->in : "{build}", &out->in, err) &&
	       expand_maybe(scope, out->path, &out->path, err) &&
	       expand_maybe(scope, recipe->after, &out->after, err) &&
	       expand_maybe(scope, recipe->replace, &out->replace, err) &&
	       expand_maybe(scope, recipe->by, &out->by, err) &&
	       expand_maybe(scope, recipe->unless_file, &out->unless_file, err);
}

static bool fill_steps(struct arena *arena, const struct expand_scope *scope,
		       const struct plan *plan, struct plan_tree *tree, struct error *err)
{
	const struct recipe_step *steps = tree->recipe->steps.items;

	tree->step_count = 0;
	tree->steps = arena_array(arena, struct plan_step, tree->recipe->steps.count + 1);
	for (size_t i = 0; i < tree->recipe->steps.count; i++) {
		if (plan_when(plan, tree, steps[i].when) &&
		    !fill_step(scope, &steps[i], &tree->steps[tree->step_count++], err))
			return misplaced(tree, "steps", i, err);
	}
	return expand_words(scope, &tree->recipe->environment, &tree->environment, err) ||
	       misplaced(tree, "environment", 0, err);
}

static bool fill_proofs(struct arena *arena, const struct expand_scope *scope,
			const struct plan *plan, struct plan_tree *tree, struct error *err)
{
	const struct recipe_proof *recipes = tree->recipe->proofs.items;
	size_t count = 0;
	struct plan_proof *proofs =
		arena_array(arena, struct plan_proof, tree->recipe->proofs.count + 1);

	for (size_t i = 0; i < tree->recipe->proofs.count; i++) {
		struct plan_proof *proof = &proofs[count];

		if (!plan_when(plan, tree, recipes[i].when))
			continue;
		proof->recipe = &recipes[i];
		if (!expand_words(scope, &recipes[i].argv, &proof->argv, err) ||
		    !expand_words(scope, &recipes[i].environment, &proof->environment, err) ||
		    !expand_words(scope, &recipes[i].has, &proof->has, err) ||
		    !expand_words(scope, &recipes[i].lacks, &proof->lacks, err) ||
		    !expand_maybe(scope, recipes[i].equals, &proof->equals, err))
			return misplaced(tree, "proofs", i, err);
		count++;
	}
	tree->proofs = (struct field_array){proofs, count};
	return true;
}

/* Code of another architecture runs under QEMU as the CPU it is for, with the libraries that the
 * compiler's packages have of it unless --sysroot says where they are. */
static void fill_emulator(struct arena *arena, const struct plan *plan, struct plan_tree *tree)
{
	const struct target *target = plan->request->target;
	const char *sysroot = plan->request->toolchain->sysroot;
	struct names words = {0};

	if (target->cross) {
		names_add(arena, &words, arena_printf(arena, "qemu-%s", target->arch));
		names_add(arena, &words, "-L");
		names_add(arena, &words,
			  sysroot ? sysroot : arena_printf(arena, "/usr/%s", target->triplet));
	}
	if (target->cross && target->profile && target->profile->emulator) {
		names_add(arena, &words, "-cpu");
		names_add(arena, &words, target->profile->emulator);
	}
	tree->emulator = words;
}

static void key_line(struct buffer *text, const char *what, const char *value)
{
	if (value)
		buffer_printf(text, "%s %zu %s\n", what, strlen(value), value);
}

static void key_names(struct buffer *text, const char *what, const struct names *values)
{
	for (size_t i = 0; i < values->count; i++)
		key_line(text, what, values->items[i]);
}

/* Everything that decides what a tree holds, one line each; the lengths keep lines apart. */
static const char *key_text(struct arena *arena, const struct plan *plan,
			    const struct plan_tree *tree)
{
	const struct plan_request *request = plan->request;
	const struct toolchain *toolchain = request->toolchain;
	struct buffer text = buffer_new(arena, KEY_TEXT_MAX);

	buffer_text(&text, "ampere-crypto key 1\n");
	key_line(&text, "name", tree->recipe->name);
	key_line(&text, "version", tree->version->version);
	for (size_t i = 0; i < tree->source_count; i++)
		key_line(&text, "source", tree->sources[i].sha256);
	if (tree->version->git)
		key_line(&text, "commit", tree->version->git->commit);
	key_line(&text, "target", request->target->name);
	key_line(&text, "arch", request->target->arch);
	key_line(&text, "compiler", toolchain->version);
	key_line(&text, "driver", toolchain->driver);
	key_line(&text, "proper", toolchain->proper);
	for (size_t i = 0; i < tree->depend_count; i++)
		key_line(&text, "depends", tree->depends[i]->name);
	for (size_t i = 0; i < tree->library_count; i++) {
		key_line(&text, "system", tree->libraries[i]->soname);
		key_line(&text, "version", tree->libraries[i]->version);
		key_line(&text, "identity", tree->libraries[i]->identity);
	}
	if (!tree->recipe->relocatable)
		key_line(&text, "prefix", request->prefix);
	key_names(&text, "environment", &tree->environment);
	for (size_t i = 0; i < tree->step_count; i++) {
		const struct plan_step *step = &tree->steps[i];

		key_line(&text, "step", step->name);
		key_line(&text, "kind", plan_step_word(step->kind));
		key_names(&text, "argv", &step->argv);
		key_names(&text, "with", &step->environment);
		key_line(&text, "in", step->in);
		key_line(&text, "path", step->path);
		key_names(&text, "line", &step->lines);
		key_line(&text, "after", step->after);
		key_line(&text, "replace", step->replace);
		key_line(&text, "by", step->by);
		key_line(&text, "unless", step->unless_file);
	}
	return buffer_string(&text);
}

static const struct system_library *find_library(const struct plan_request *request,
						 const char *soname)
{
	for (size_t i = 0; i < request->library_count; i++) {
		if (strcmp(request->libraries[i].soname, soname) == 0)
			return &request->libraries[i];
	}
	return NULL;
}

static void fill_libraries(struct arena *arena, const struct plan *plan, struct plan_tree *tree)
{
	const struct recipe_tool *tools = tree->recipe->tools.items;

	tree->libraries =
		arena_array(arena, const struct system_library *, tree->recipe->tools.count + 1);
	for (size_t i = 0; i < tree->recipe->tools.count; i++) {
		const struct system_library *library =
			tools[i].soname ? find_library(plan->request, tools[i].soname) : NULL;

		if (library && plan_when(plan, tree, tools[i].when))
			tree->libraries[tree->library_count++] = library;
	}
}

static bool has_key(const struct plan_tree *tree)
{
	for (size_t i = 0; i < tree->depend_count; i++) {
		if (!tree->depends[i]->key)
			return false;
	}
	return !tree->unpinned;
}

static bool make_scope(struct arena *arena, const struct plan *plan, const struct plan_tree *tree,
		       bool real, struct expand_scope *scope, struct error *err)
{
	*scope = (struct expand_scope){.arena = arena};
	set_toolchain(scope, plan->request);
	set_cpu(scope, plan->request->target);
	set_paths(scope, plan, tree, real);
	return set_lists(scope, plan, tree, err);
}

bool plan_fill(struct arena *arena, const struct plan *plan, struct plan_tree *tree,
	       struct error *err)
{
	struct expand_scope *scope = arena_new(arena, struct expand_scope);
	const char *prefix = plan->request->prefix;
	char digest[DIGEST_HEX_SIZE];

	if (!make_scope(arena, plan, tree, false, scope, err) ||
	    !fill_steps(arena, scope, plan, tree, err))
		return false;
	fill_libraries(arena, plan, tree);
	sha256_text(view_of(key_text(arena, plan, tree)), digest);
	tree->key = has_key(tree) ? arena_copy(arena, digest, KEY_DIGITS) : NULL;
	tree->name = arena_printf(arena, "%s-%s-%s", tree->recipe->name, tree->version->version,
				  tree->key ? tree->key : KEY_UNKNOWN);
	tree->path = arena_printf(arena, "%s/store/%s", prefix, tree->name);
	tree->work = arena_printf(arena, "%s/work/%s", prefix, tree->name);
	tree->staged = arena_printf(arena, "%s/trees/%s", tree->work, tree->name);
	fill_emulator(arena, plan, tree);
	return make_scope(arena, plan, tree, true, scope, err) &&
	       fill_steps(arena, scope, plan, tree, err) &&
	       fill_proofs(arena, scope, plan, tree, err);
}
