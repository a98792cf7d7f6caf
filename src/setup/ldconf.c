// SPDX-License-Identifier: BSD-2-Clause
#include "setup/ldconf.h"

#include "base/arena.h"
#include "host/host.h"
#include "setup/ldconf_private.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

const char *const ldconf_policies[] = {"safe", "all", "none", NULL};

bool ldconf_refuse(struct ldconf_work *work, enum exit_code code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	work->plan->refusal = arena_vprintf(work->arena, format, args);
	va_end(args);
	work->plan->refusal_exit = code;
	return false;
}

bool ldconf_is_below(const char *path, const char *directory)
{
	size_t size = strlen(directory);

	return strncmp(path, directory, size) == 0 && path[size] == '/';
}

bool ldconf_is_ours(const struct ldconf_work *work, const char *path)
{
	for (size_t i = 0; i < work->ours.count; i++) {
		if (ldconf_is_below(path, work->ours.items[i]))
			return true;
	}
	return ldconf_is_below(path,
			       arena_printf(work->arena, "%s/current", work->request->prefix));
}

static bool is_none(const struct ldconf_work *work)
{
	return strcmp(work->plan->policy, "none") == 0;
}

/* ---- What of ours is there. */

static bool read_file(struct ldconf_work *work, size_t index)
{
	struct ldconf_plan *plan = work->plan;
	const char *file = ldconf_files[index], *prefix = NULL, *foreign = NULL;
	struct names lines = {0};
	struct view text;
	int number = root_read(work->host->root, file, &text);

	if (number == ENOENT)
		return true;
	if (number)
		return ldconf_refuse(work, EXIT_TROUBLE, "%s: %s", file, strerrordesc_np(number));
	plan->found[index] = arena_copy(work->arena, text.at, text.size);
	if (!ldconf_file_parse(work->arena, plan->found[index], &lines, &prefix, &foreign))
		return ldconf_refuse(work, EXIT_TROUBLE,
				     "%s holds what setup has not written: %s; move the file away",
				     file, foreign);
	if (prefix && strcmp(prefix, plan->prefix) != 0) {
		names_add(work->arena, &plan->notes,
			  arena_printf(work->arena, "%s is of another prefix, %s", file, prefix));
		plan->kept[index] = is_none(work);
	}
	for (size_t i = 0; !plan->kept[index] && i < lines.count; i++)
		names_add(work->arena, &work->ours, lines.items[i]);
	return true;
}

/* ---- What comes of it. */

static void leave_out(struct ldconf_plan *plan, struct arena *arena, const char *directory,
		      const char *why)
{
	plan->left_out.items = ldconf_room(arena, plan->left_out.items, plan->left_out.count,
					   sizeof(*plan->left_out.items));
	plan->left_out.items[plan->left_out.count++] =
		(struct ldconf_left){.directory = directory, .why = why};
}

static void add_winner(struct ldconf_plan *plan, struct arena *arena, const char *line,
		       const char *name)
{
	plan->winners.items = ldconf_room(arena, plan->winners.items, plan->winners.count,
					  sizeof(*plan->winners.items));
	plan->winners.items[plan->winners.count++] = (struct ldconf_winner){
		.soname = name,
		.path = arena_printf(arena, "%s/%s", line, name),
	};
}

static void add_winners(struct ldconf_work *work, struct names *sonames)
{
	for (size_t i = 0; i < work->request->tree_count; i++) {
		const struct ldconf_candidate *candidate = &work->candidates[i];

		work->plan->provisional |= !candidate->why_not && !candidate->built;
		if (candidate->why_not)
			leave_out(work->plan, work->arena, candidate->line, candidate->why_not);
		for (size_t n = 0; !candidate->why_not && n < candidate->sonames.count; n++) {
			const char *name = candidate->sonames.items[n];

			add_winner(work->plan, work->arena, candidate->line, name);
			names_add(work->arena, sonames, name);
		}
	}
}

static void take_away(struct ldconf_work *work, const char *line, bool stays)
{
	struct ldconf_plan *plan = work->plan;

	plan->taken_away.items =
		ldconf_room(work->arena, plan->taken_away.items, plan->taken_away.count,
			    sizeof(*plan->taken_away.items));
	plan->taken_away.items[plan->taken_away.count++] = (struct ldconf_left){
		.directory = line,
		.why = ldconf_is_below(line, plan->prefix) ? "this policy has no entry for it"
							   : "entries of one prefix at a time",
		.stays = stays,
	};
}

/* The file of somebody else that names the directory of a path, too; NULL. */
static const char *named_by(const struct ldconf_work *work, const char *path)
{
	const struct ldso_conf *conf = &work->without.conf;

	for (size_t i = 0; i < conf->directory_count; i++) {
		if (ldconf_is_below(path, conf->directories[i].path))
			return conf->directories[i].file;
	}
	return NULL;
}

/* What is said beside the tables. */
static void add_notes(struct ldconf_work *work)
{
	struct ldconf_plan *plan = work->plan;

	for (size_t i = 0; i < plan->taken_away.count; i++) {
		const struct ldconf_left *left = &plan->taken_away.items[i];

		if (left->stays)
			names_add(work->arena, &plan->notes,
				  arena_printf(work->arena,
					       "%s is named by %s, too: it stays there",
					       left->directory,
					       named_by(work, arena_printf(work->arena, "%s/",
									   left->directory))));
	}
	if (plan->provisional)
		names_add(work->arena, &plan->notes,
			  "what programs would load is known only when everything is built");
	if (work->all && plan->changes.count)
		names_add(work->arena, &plan->notes,
			  "programs that open libcrypto only while they run are not among those "
			  "listed");
}

static bool has_line(const struct ldconf_plan *plan, const char *line)
{
	for (size_t i = 0; i < plan->entries.count; i++) {
		if (strcmp(plan->entries.items[i].line, line) == 0)
			return true;
	}
	return false;
}

/* Lines that go away, and the names that the cache has because of them. */
static void add_taken_away(struct ldconf_work *work, struct names *sonames)
{
	const struct ldso_cache *cache = &host_loader(work->host)->cache;
	struct ldso_entry entry;

	for (size_t i = 0; i < work->ours.count; i++) {
		const char *line = work->ours.items[i],
			   *other = named_by(work, arena_printf(work->arena, "%s/", line));

		if (has_line(work->plan, line))
			continue;
		take_away(work, line, other);
		if (other)
			names_add(work->arena, &work->plan->notes,
				  arena_printf(work->arena,
					       "%s is named by %s, too: it stays there", line,
					       other));
	}
	for (uint32_t i = 0; ldso_cache_entry(cache, i, &entry); i++) {
		if (ldconf_is_ours(work, entry.path) && !names_has(sonames, entry.name))
			names_add(work->arena, sonames, entry.name);
	}
}

/* Whether the files say what is planned. */
static bool is_written(struct ldconf_work *work)
{
	const struct ldconf_plan *plan = work->plan;

	for (size_t i = 0; i < LDCONF_FILES; i++) {
		const char *text = ldconf_file_text(work->arena, plan, ldconf_files[i]),
			   *prefix = NULL, *foreign;
		struct names wanted = {0}, found = {0};

		if (plan->kept[i])
			continue;
		if (!text != !plan->found[i])
			return false;
		if (!text)
			continue;
		if (!ldconf_file_parse(work->arena, text, &wanted, &prefix, &foreign) ||
		    !ldconf_file_parse(work->arena, plan->found[i], &found, &prefix, &foreign) ||
		    strcmp(names_join(work->arena, &wanted, "\n"),
			   names_join(work->arena, &found, "\n")) != 0)
			return false;
	}
	return true;
}

static bool is_planned(const struct ldconf_plan *plan, const char *path)
{
	for (size_t i = 0; i < plan->winners.count; i++) {
		if (strcmp(plan->winners.items[i].path, path) == 0)
			return true;
	}
	return false;
}

/* Whether the cache has the planned winners, and nothing else of ours. */
static bool is_cached(struct ldconf_work *work)
{
	const struct ldconf_plan *plan = work->plan;
	const struct ldso_cache *cache = &host_loader(work->host)->cache;
	struct ldso_entry entry;

	if (cache->number || cache->damage)
		return !plan->winners.count;
	for (uint32_t i = 0; ldso_cache_entry(cache, i, &entry); i++) {
		if (ldconf_is_ours(work, entry.path) && !is_planned(plan, entry.path) &&
		    !named_by(work, entry.path))
			return false;
	}
	for (size_t i = 0; i < plan->winners.count; i++) {
		if (!ldso_cache_find(cache, plan->winners.items[i].soname, work->flags,
				     &work->without.hwcaps, &entry) ||
		    strcmp(entry.path, plan->winners.items[i].path) != 0)
			return false;
	}
	return true;
}

static bool choose(struct ldconf_work *work, struct ldconf_future *future, struct names *sonames)
{
	struct ldconf_plan *plan = work->plan;

	plan->provisional = false;
	plan->left_out.count = plan->taken_away.count = plan->winners.count = 0;
	*sonames = (struct names){0};
	if (!ldconf_choose(work, future))
		return false;
	add_winners(work, sonames);
	add_taken_away(work, sonames);
	plan->done = is_written(work) && is_cached(work);
	return true;
}

static void decide(struct ldconf_work *work)
{
	struct ldconf_plan *plan = work->plan;
	struct ldconf_future future;
	struct names sonames;

	for (size_t i = 0; i < LDCONF_FILES; i++) {
		if (!read_file(work, i))
			return;
	}
	/* Nothing of ours where nothing is wanted: true whatever this host is. */
	plan->done = is_none(work) && is_written(work) && is_cached(work);
	if (plan->done || !ldconf_check_glibc(work) || !ldconf_check_configuration(work))
		return;
	/* First by names, which is quick; where something is to be done, after a look at every
	 * file. */
	if (!choose(work, &future, &sonames) || plan->done)
		return;
	ldconf_future_fill(&work->without);
	if (!choose(work, &future, &sonames) || plan->done)
		return;
	if (work->all && plan->entries.count && !ldconf_check_policies(work))
		return;
	ldconf_programs_compare(&future, work->flags, &sonames, plan);
	add_notes(work);
}

bool ldconf_plan(struct host *host, const struct ldconf_request *request, struct ldconf_plan *plan,
		 struct error *err)
{
	const char *const *policy = ldconf_policies;
	struct ldconf_work *work = arena_new(host->arena, struct ldconf_work);

	while (*policy && strcmp(*policy, request->policy) != 0)
		policy++;
	if (!*policy)
		return error_exit(err, EXIT_USAGE,
				  "--ld-so-conf: safe, all or none is wanted, not \"%s\"",
				  request->policy);
	if (request->tree_count > LDCONF_TREES_MAX)
		return error_set(err, "more than %d trees", LDCONF_TREES_MAX);
	*plan = (struct ldconf_plan){.policy = *policy, .prefix = request->prefix};
	*work = (struct ldconf_work){
		.host = host,
		.arena = host->arena,
		.request = request,
		.plan = plan,
		.all = strcmp(*policy, "all") == 0,
	};
	work->without.host = host;
	decide(work);
	return true;
}
