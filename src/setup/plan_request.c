// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "setup/plan.h"

#include <ctype.h>
#include <string.h>

const struct recipe *plan_recipe(const struct plan_request *request, const char *name)
{
	for (size_t i = 0; i < request->recipe_count; i++) {
		if (strcmp(request->recipes[i]->name, name) == 0)
			return request->recipes[i];
	}
	return NULL;
}

const char *plan_wanted_version(const struct plan_request *request, const char *name)
{
	for (size_t i = 0; i < request->wanted_count; i++) {
		if (request->wanted[i].version && strcmp(request->wanted[i].name, name) == 0)
			return request->wanted[i].version;
	}
	return NULL;
}

static bool unknown_recipe(struct arena *arena, const struct plan_request *request,
			   const char *option, const char *name, struct error *err)
{
	const char **known = arena_array(arena, const char *, request->recipe_count + 1), *nearest;

	for (size_t i = 0; i < request->recipe_count; i++)
		known[i] = request->recipes[i]->name;
	nearest = text_nearest(name, known, request->recipe_count);
	if (nearest)
		return error_exit(err, EXIT_USAGE, "%sunknown recipe '%s', did you mean '%s'?",
				  option, name, nearest);
	return error_exit(err, EXIT_USAGE, "%sunknown recipe '%s', see ampere-crypto list recipes",
			  option, name);
}

static bool check_version(struct arena *arena, const struct plan_request *request,
			  const struct plan_wanted *wanted, struct error *err)
{
	const struct recipe *recipe = plan_recipe(request, wanted->name);
	const struct recipe_version *versions = recipe->versions.items;
	const char *first = plan_wanted_version(request, wanted->name);
	struct names known = {0};

	if (!wanted->version)
		return true;
	if (strcmp(first, wanted->version) != 0)
		return error_exit(err, EXIT_USAGE, "--version: %s is wanted as %s and as %s",
				  wanted->name, first, wanted->version);
	for (size_t i = 0; i < recipe->versions.count; i++)
		names_add(arena, &known, versions[i].version);
	if (known.count && !names_has(&known, wanted->version))
		return error_exit(err, EXIT_USAGE, "%s has no version %s here, only %s",
				  recipe->name, wanted->version, names_join(arena, &known, ", "));
	return true;
}

static bool check_names(struct arena *arena, const struct plan_request *request, const char *option,
			const struct names *names, struct error *err)
{
	for (size_t i = 0; i < names->count; i++) {
		if (!plan_recipe(request, names->items[i]))
			return unknown_recipe(arena, request, option, names->items[i], err);
	}
	return true;
}

static bool is_digest(const char *text)
{
	size_t digits = 0;

	while (isxdigit((unsigned char)text[digits]))
		digits++;
	return digits == DIGEST_HEX_SIZE - 1 && text[digits] == '\0';
}

/* [RECIPE=]SHA256 */
static bool check_accepted(struct arena *arena, const struct plan_request *request,
			   struct error *err)
{
	for (size_t i = 0; i < request->accepted.count; i++) {
		const char *word = request->accepted.items[i], *equals = strchr(word, '=');
		struct view name = {word, equals ? (size_t)(equals - word) : 0};

		if (equals && !plan_recipe(request, view_copy(arena, name)))
			return unknown_recipe(arena, request,
					      "--accept-digest: ", view_copy(arena, name), err);
		if (!is_digest(equals ? equals + 1 : word))
			return error_exit(err, EXIT_USAGE,
					  "--accept-digest: '%s' is no SHA-256 of 64 hex digits",
					  equals ? equals + 1 : word);
	}
	return true;
}

bool plan_check_request(struct arena *arena, const struct plan_request *request, struct error *err)
{
	for (size_t i = 0; i < request->wanted_count; i++) {
		const char *name = request->wanted[i].name;

		if (!plan_recipe(request, name))
			return unknown_recipe(arena, request,
					      i < request->roots ? "" : "--version: ", name, err);
		if (!check_version(arena, request, &request->wanted[i], err))
			return false;
		if (i < request->roots && names_has(&request->without, name))
			return error_exit(err, EXIT_USAGE, "--without %s: it is asked for, too",
					  name);
	}
	return check_names(arena, request, "--without: ", &request->without, err) &&
	       check_names(arena, request, "--allow: ", &request->allow, err) &&
	       check_accepted(arena, request, err);
}

static bool lacks_digest(const struct plan_tree *tree)
{
	const struct recipe_source *sources = tree->version->sources.items;

	for (size_t i = 0; i < tree->version->sources.count; i++) {
		if (!sources[i].sha256)
			return true;
	}
	return false;
}

/* The digest that the user vouches for, for the `index`th source without one; lower case. */
static const char *accepted(struct arena *arena, const struct plan_request *request,
			    const struct recipe *recipe, size_t index)
{
	size_t size = strlen(recipe->name);

	for (size_t i = 0; i < request->accepted.count; i++) {
		const char *word = request->accepted.items[i];
		char *digest;

		if (strchr(word, '=')) {
			if (strncmp(word, recipe->name, size) != 0 || word[size] != '=')
				continue;
			word += size + 1;
		}
		if (index--)
			continue;
		digest = arena_strdup(arena, word);
		for (char *at = digest; *at; at++)
			*at = (char)tolower((unsigned char)*at);
		return digest;
	}
	return NULL;
}

static const char *not_pinned(struct arena *arena, const struct plan_tree *tree, const char *file)
{
	const char *name = tree->recipe->name;

	return arena_printf(arena,
			    "%s %s: no digest of %s is known (%s); check it yourself and say "
			    "--accept-digest %s=SHA256, or leave it out with --without %s",
			    name, tree->version->version, file, tree->version->reason, name, name);
}

static void pin(struct arena *arena, const struct plan_request *request, struct plan_tree *tree)
{
	const struct recipe_source *sources = tree->version->sources.items;
	size_t unpinned = 0;

	tree->source_count = tree->version->sources.count;
	tree->sources = arena_array(arena, struct plan_source, tree->source_count + 1);
	for (size_t i = 0; i < tree->source_count; i++) {
		const char *digest = sources[i].sha256;

		if (!digest)
			digest = accepted(arena, request, tree->recipe, unpinned++);
		if (!digest && !tree->unpinned)
			tree->unpinned = not_pinned(arena, tree, sources[i].file);
		tree->sources[i] = (struct plan_source){.file = sources[i].file,
							.url = sources[i].url,
							.sha256 = digest,
							.size = sources[i].size,
							.signature = sources[i].signature};
	}
}

/* A digest without a name is of the only recipe that wants one. */
static bool check_owners(struct arena *arena, const struct plan *plan, struct error *err)
{
	const struct names *words = &plan->request->accepted;
	struct names wanting = {0};

	for (size_t i = 0; i < plan->count; i++) {
		if (lacks_digest(&plan->trees[i]))
			names_add(arena, &wanting, plan->trees[i].recipe->name);
	}
	for (size_t i = 0; i < words->count && wanting.count > 1; i++) {
		if (!strchr(words->items[i], '='))
			return error_exit(err, EXIT_USAGE,
					  "--accept-digest %.8s…: say of which of %s it is, "
					  "RECIPE=SHA256",
					  words->items[i], names_join(arena, &wanting, ", "));
	}
	return true;
}

bool plan_pin(struct arena *arena, struct plan *plan, struct error *err)
{
	if (!check_owners(arena, plan, err))
		return false;
	for (size_t i = 0; i < plan->count; i++)
		pin(arena, plan->request, &plan->trees[i]);
	return true;
}

bool plan_is_pinned(const struct plan *plan, struct error *err)
{
	for (size_t i = 0; i < plan->count; i++) {
		if (plan->trees[i].unpinned)
			return error_set(err, "%s", plan->trees[i].unpinned);
	}
	return true;
}

/* Whether --accept-digest had something to say. */
static bool is_used(struct arena *arena, const struct plan *plan, const char *word)
{
	const char *equals = strchr(word, '=');
	const char *name =
		equals ? view_copy(arena, (struct view){word, (size_t)(equals - word)}) : NULL;

	for (size_t i = 0; i < plan->count; i++) {
		if (lacks_digest(&plan->trees[i]) &&
		    (!name || strcmp(plan->trees[i].recipe->name, name) == 0))
			return true;
	}
	return false;
}

/* Of the first `count` notes of an option: what was said in vain. */
void plan_note_unused(struct arena *arena, struct plan *plan)
{
	const struct plan_request *request = plan->request;
	struct names *notes = &plan->notes;

	for (size_t i = request->roots; i < request->wanted_count; i++) {
		if (!plan_find(plan, request->wanted[i].name))
			names_add(arena, notes,
				  arena_printf(arena, "--version %s=%s: nothing needs %s",
					       request->wanted[i].name, request->wanted[i].version,
					       request->wanted[i].name));
	}
	for (size_t i = 0; i < request->allow.count; i++) {
		const struct plan_tree *tree = plan_find(plan, request->allow.items[i]);

		if (!tree || !tree->allowed)
			names_add(arena, notes,
				  arena_printf(arena, "--allow %s: nothing needed it",
					       request->allow.items[i]));
	}
	for (size_t i = 0; i < request->accepted.count; i++) {
		const char *word = request->accepted.items[i];

		if (!is_used(arena, plan, word))
			names_add(
				arena, notes,
				arena_printf(arena, "--accept-digest %s: nothing needed it", word));
	}
}
