// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/host.h"
#include "setup/ldconf_private.h"

#include <errno.h>
#include <string.h>

/* Where a name is already, in the cache or where the loader looks; NULL: nowhere. */
static const char *taken_by(struct ldconf_work *work, const char *name)
{
	const struct ldso_cache *cache = &host_loader(work->host)->cache;
	struct ldconf_future *without = &work->without;
	struct ldso_entry entry;

	for (uint32_t i = 0; ldso_cache_entry(cache, i, &entry); i++) {
		if (entry.flags == work->flags && strcmp(entry.name, name) == 0 &&
		    !ldconf_is_ours(work, entry.path))
			return arena_printf(work->arena, "%s is already in the cache (%s)", name,
					    entry.path);
	}
	if (!ldconf_future_find(without, name, work->flags, &without->hwcaps, &entry))
		return NULL;
	return arena_printf(work->arena,
			    "%s is already where the loader looks, though not in the cache (%s)",
			    name, entry.path);
}

static const char *provided_before(struct ldconf_work *work, size_t index, const char *name)
{
	for (size_t i = 0; i < index; i++) {
		const struct ldconf_candidate *other = &work->candidates[i];

		if (!other->why_not && names_has(&other->sonames, name))
			return arena_printf(work->arena, "%s comes from %s", name,
					    other->tree->name);
	}
	return NULL;
}

static const char *why_not(struct ldconf_work *work, size_t index)
{
	struct ldconf_candidate *candidate = &work->candidates[index];
	const char *why = NULL;

	if (strcmp(work->plan->policy, "none") == 0)
		return "the policy is none";
	if (!candidate->sonames.count)
		return "it holds no shared library: an entry would have no effect";
	for (size_t i = 0; i < candidate->sonames.count && !why; i++) {
		why = provided_before(work, index, candidate->sonames.items[i]);
		if (!why && !work->all)
			why = taken_by(work, candidate->sonames.items[i]);
	}
	return why;
}

/* What a tree's directory holds, or what it is said to hold when it is not built yet. */
static bool read_tree(struct ldconf_work *work, size_t index)
{
	const struct ldconf_tree *tree = &work->request->trees[index];
	struct ldconf_candidate *candidate = &work->candidates[index];
	struct ldconf_libraries libraries;
	int number = tree->directory
			     ? ldconf_libraries_read(work->host, tree->directory, &libraries)
			     : ENOENT;
	const char *fault;

	*candidate = (struct ldconf_candidate){.tree = tree, .sonames = tree->sonames};
	candidate->line = arena_printf(work->arena, "%s/current/%s/%s", work->request->prefix,
				       tree->name, tree->below ? tree->below : "lib");
	fault = ldconf_line_fault(work->arena, candidate->line);
	if (fault)
		return ldconf_refuse(work, EXIT_USAGE,
				     "%s cannot be an entry: %s; take another prefix or "
				     "--ld-so-conf none",
				     candidate->line, fault);
	if (number && number != ENOENT)
		return ldconf_refuse(work, EXIT_TROUBLE, "%s: %s", tree->directory,
				     strerrordesc_np(number));
	if (number)
		return true;
	candidate->built = true;
	candidate->sonames = libraries.sonames;
	if (libraries.fault)
		return ldconf_refuse(work, EXIT_TROUBLE, "%s", libraries.fault);
	if (libraries.first && (libraries.first->machine != work->native->machine ||
				libraries.first->bits != work->native->bits))
		candidate->why_not = "its libraries are of another machine than this host's";
	return true;
}

static void add_entry(struct ldconf_work *work, const struct ldconf_candidate *candidate)
{
	struct ldconf_plan *plan = work->plan;
	const char *names = names_join(work->arena, &candidate->sonames, ", ");

	plan->entries.items = ldconf_room(work->arena, plan->entries.items, plan->entries.count,
					  sizeof(*plan->entries.items));
	plan->entries.items[plan->entries.count++] = (struct ldconf_entry){
		.file = ldconf_files[work->all],
		.line = candidate->line,
		.why = work->all ? arena_printf(work->arena, "%s for every program of this host",
						names)
				 : arena_printf(work->arena, "%s is nowhere else here", names),
	};
}

/* The entries as they stand after all candidates were judged, and the cache that comes of them. */
static void future_of(struct ldconf_work *work, struct ldconf_future *future)
{
	struct ldconf_plan *plan = work->plan;
	const char *texts[LDCONF_FILES];

	*future = work->without;
	future->lines = work->lines;
	future->line_count = 0;
	plan->entries.count = 0;
	for (size_t i = 0; i < work->request->tree_count; i++) {
		const struct ldconf_candidate *candidate = &work->candidates[i];

		if (candidate->why_not)
			continue;
		add_entry(work, candidate);
		work->lines[future->line_count++] = (struct ldconf_future_line){
			.line = candidate->line,
			.directory = candidate->tree->directory ? candidate->tree->directory
								: candidate->line,
		};
	}
	for (size_t i = 0; i < LDCONF_FILES; i++)
		texts[i] = plan->kept[i] ? plan->found[i]
					 : ldconf_file_text(work->arena, plan, ldconf_files[i]);
	ldconf_future_read(future, texts);
	if (work->without.full)
		ldconf_future_fill(future);
}

/* A directory counts only as a whole: libssl of one build with libcrypto of another is nobody's. */
static bool wins(struct ldconf_work *work, struct ldconf_future *future,
		 struct ldconf_candidate *candidate)
{
	for (size_t i = 0; i < candidate->sonames.count; i++) {
		const char *name = candidate->sonames.items[i];
		struct ldso_entry entry;

		if (!ldconf_future_find(future, name, work->flags, &future->hwcaps, &entry) ||
		    ldconf_is_below(ldconf_future_path(future, entry.path), candidate->line))
			continue;
		candidate->why_not = arena_printf(
			work->arena, "%s would still be %s, which comes first", name, entry.path);
		return false;
	}
	return true;
}

bool ldconf_choose(struct ldconf_work *work, struct ldconf_future *future)
{
	bool again = true;

	for (size_t i = 0; i < work->request->tree_count; i++) {
		if (!read_tree(work, i))
			return false;
		if (!work->candidates[i].why_not)
			work->candidates[i].why_not = why_not(work, i);
	}
	while (again) {
		again = false;
		future_of(work, future);
		for (size_t i = 0; i < work->request->tree_count; i++) {
			struct ldconf_candidate *candidate = &work->candidates[i];

			if (candidate->built && !candidate->why_not)
				again |= !wins(work, future, candidate);
		}
	}
	return true;
}
