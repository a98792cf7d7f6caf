// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/sources_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTE_SIZE 1200

bool sources_is_address(const char *mirror)
{
	return view_starts(view_of(mirror), "https://");
}

const char *sources_cached(const struct sources *sources, const char *name)
{
	return arena_printf(sources->arena, "%s/%s", sources->cache, name);
}

void sources_note(struct sources *sources, const char *format, ...)
{
	char text[NOTE_SIZE];
	va_list arguments;

	if (sources->notes.count >= SOURCES_NOTES_MAX)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	names_add(sources->arena, &sources->notes, text_printable(sources->arena, view_of(text)));
}

/* One word of plain ASCII: it becomes a word of the helper's requests. */
static bool check_address(struct arena *arena, const char *mirror, struct error *err)
{
	bool plain = true;

	for (const char *at = mirror; *at; at++)
		plain = plain && *at > ' ' && *at <= '~';
	if (plain && sources_is_address(mirror))
		return true;
	return error_exit(err, EXIT_USAGE,
			  "--mirror %s: want a directory or an https:// address without blanks",
			  text_printable(arena, view_of(mirror)));
}

bool sources_open(struct arena *arena, const char *prefix, const struct names *mirrors,
		  bool offline, struct sources *out, struct error *err)
{
	struct sources sources = {.arena = arena, .mirrors = *mirrors, .offline = offline};

	sources.cache = arena_printf(arena, "%s/cache", prefix);
	for (size_t i = 0; i < mirrors->count; i++) {
		const char *mirror = mirrors->items[i];

		if (strstr(mirror, "://") ? !check_address(arena, mirror, err)
					  : !mirror_list(&sources, mirror, err))
			return false;
	}
	if (sources.file_count)
		digests_load(&sources);
	*out = sources;
	return true;
}

/* A link there is nobody's doing but an attacker's or the user's: it is not followed. */
static bool is_cached(const struct sources *sources, const char *digest)
{
	struct stat status;

	return lstat(sources_cached(sources, digest), &status) == 0;
}

static void add_nearby(struct sources *sources, const struct recipe_version *version,
		       struct names *out)
{
	const struct recipe_source *files = version->sources.items;

	for (size_t i = 0; i < version->sources.count; i++) {
		if (files[i].sha256 && (is_cached(sources, files[i].sha256) ||
					mirror_find(sources, files[i].sha256, files[i].size)))
			names_add(sources->arena, out, files[i].sha256);
	}
	if (version->git && (git_is_cached(sources, version->git->commit) ||
			     git_mirrored(sources, version->git->commit)))
		names_add(sources->arena, out, version->git->commit);
}

void sources_nearby(struct sources *sources, const struct recipe *const *recipes, size_t count,
		    struct names *out)
{
	for (size_t r = 0; r < count; r++) {
		const struct recipe_version *versions = recipes[r]->versions.items;

		for (size_t v = 0; v < recipes[r]->versions.count; v++)
			add_nearby(sources, &versions[v], out);
	}
}

/* What no cache and no directory has. */
struct missing {
	struct wanted_file *files;
	size_t count;
	const struct recipe_git **gits;
	size_t git_count;
};

/* A mirror's file that has the name, and other bytes than wanted. */
static const struct source_file *impostor(const struct sources *sources,
					  const struct plan_source *source)
{
	for (size_t i = 0; i < sources->file_count; i++) {
		if (strcmp(sources->files[i].name, source->file) == 0)
			return &sources->files[i];
	}
	return NULL;
}

static void want_file(struct sources *sources, struct missing *missing,
		      const struct plan_source *source)
{
	const char *path = sources_cached(sources, source->sha256);

	for (size_t i = 0; i < missing->count; i++) {
		if (strcmp(missing->files[i].path, path) == 0)
			return;
	}
	missing->files[missing->count++] =
		(struct wanted_file){.source = source,
				     .name = source->file,
				     .part = arena_printf(sources->arena, "%s.part", path),
				     .path = path,
				     .fd = -1};
}

static bool gather_tree(struct sources *sources, const struct plan_tree *tree,
			struct missing *missing, struct error *err)
{
	const struct recipe_git *git = tree->version->git;

	if (git && !git_is_cached(sources, git->commit)) {
		if (git_mirrored(sources, git->commit) && !git_fetch(sources, git, err))
			return false;
		if (!git_is_cached(sources, git->commit))
			missing->gits[missing->git_count++] = git;
	}
	for (size_t i = 0; i < tree->source_count; i++) {
		const struct plan_source *source = &tree->sources[i];

		if (is_cached(sources, source->sha256) || mirror_copy(sources, source, err))
			continue;
		if (err->text[0])
			return false;
		want_file(sources, missing, source);
	}
	return true;
}

static bool gather(struct sources *sources, const struct plan *plan, struct missing *missing,
		   struct error *err)
{
	size_t files = 0;

	for (size_t i = 0; i < plan->count; i++)
		files += plan->trees[i].source_count;
	/* Each may have a signature. */
	missing->files = arena_array(sources->arena, struct wanted_file, 2 * files + 1);
	missing->gits = arena_array(sources->arena, const struct recipe_git *, plan->count + 1);
	for (size_t i = 0; i < plan->count; i++) {
		if (plan->trees[i].state == PLAN_BUILD &&
		    !gather_tree(sources, &plan->trees[i], missing, err))
			return false;
	}
	return true;
}

/* Offline: all that is missing at once, so that one walk to the machine with a network is enough.
 */
static bool refuse_network(struct sources *sources, const struct missing *missing,
			   struct error *err)
{
	struct names texts = {0};
	bool wrong = false;

	for (size_t i = 0; i < missing->count; i++) {
		const struct plan_source *source = missing->files[i].source;
		const struct source_file *other = impostor(sources, source);

		wrong = wrong || other;
		names_add(sources->arena, &texts,
			  arena_printf(sources->arena, "%s (%s, SHA-256 %s)%s%s%s", source->file,
				       source->url, source->sha256, other ? "; " : "",
				       other ? other->path : "",
				       other ? " has that name and other bytes" : ""));
	}
	for (size_t i = 0; i < missing->git_count; i++)
		names_add(sources->arena, &texts,
			  arena_printf(sources->arena, "commit %s of %s", missing->gits[i]->commit,
				       missing->gits[i]->url));
	return error_exit(err, wrong ? EXIT_VERIFY : EXIT_TROUBLE,
			  "--offline, and neither cache nor mirror has %s; bring it in a directory "
			  "and name that: --mirror DIR (contrib/mirror-from-distro fills one; a "
			  "commit comes as NAME.git or NAME.bundle)",
			  names_join(sources->arena, &texts, "; "));
}

/* Upstream's signatures come together with what they sign. */
static void want_signatures(struct sources *sources, struct missing *missing)
{
	for (size_t i = 0, count = missing->count; i < count; i++) {
		const struct plan_source *source = missing->files[i].source;
		const char *path = arena_printf(sources->arena, "%s.asc", missing->files[i].path);

		if (source->signature && source->signature->url)
			missing->files[missing->count++] = (struct wanted_file){
				.source = source,
				.name = arena_printf(sources->arena, "signature of %s",
						     source->file),
				.part = arena_printf(sources->arena, "%s.part", path),
				.path = path,
				.optional = true,
				.fd = -1};
	}
}

/* Open, and its digest is right. */
static bool open_checked(struct sources *sources, const struct plan_source *source, int *fd,
			 struct error *err)
{
	const char *path = sources_cached(sources, source->sha256);
	char hex[DIGEST_HEX_SIZE];

	scoped_fd int opened =
		open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
	if (opened < 0 && errno == ELOOP)
		return error_exit(err, EXIT_VERIFY,
				  "%s is a link, want a file: remove it and run again", path);
	if (opened < 0)
		return error_errno(err, errno, "%s", path);
	if (!digest_fd(sources->arena, opened, path, hex, NULL, err))
		return false;
	if (strcmp(hex, source->sha256) != 0) {
		unlink(path);
		return error_exit(err, EXIT_VERIFY,
				  "%s: its SHA-256 is %s, the recipe says %s for %s; it was "
				  "removed, run again to fetch it anew",
				  path, hex, source->sha256, source->file);
	}
	*fd = opened;
	opened = -1;
	return true;
}

static const struct source_check *find_check(const struct sources *sources, const char *sha256)
{
	for (size_t i = 0; i < sources->check_count; i++) {
		if (strcmp(sources->checks[i].sha256, sha256) == 0)
			return &sources->checks[i];
	}
	return NULL;
}

static bool check_source(struct sources *sources, const struct plan_source *source,
			 struct error *err)
{
	struct source_check check = {.sha256 = source->sha256};
	int fd = -1;

	if (find_check(sources, source->sha256))
		return true;
	if (!names_has(&sources->copied, source->sha256)) {
		if (!open_checked(sources, source, &fd, err))
			return false;
		close(fd);
	}
	if (source->signature && !signature_check(sources, source, &check.signature, err))
		return false;
	sources->checks[sources->check_count++] = check;
	return true;
}

static bool check_tree(struct sources *sources, const struct plan_tree *tree, struct error *err)
{
	if (tree->version->git && !git_check(sources, tree->version->git, err))
		return false;
	for (size_t i = 0; i < tree->source_count; i++) {
		if (!check_source(sources, &tree->sources[i], err))
			return false;
	}
	return true;
}

static bool bring(struct sources *sources, struct missing *missing, struct error *err)
{
	if (!missing->count && !missing->git_count)
		return true;
	if (sources->offline)
		return refuse_network(sources, missing, err);
	want_signatures(sources, missing);
	if (missing->count && !download_files(sources, missing->files, missing->count, err))
		return false;
	for (size_t i = 0; i < missing->git_count; i++) {
		if (!git_fetch(sources, missing->gits[i], err))
			return false;
	}
	return true;
}

bool sources_fetch(struct sources *sources, const struct plan *plan, struct error *err)
{
	struct missing missing = {0};
	bool good = gather(sources, plan, &missing, err);
	size_t files = 0;

	digests_save(sources);
	if (!good || !bring(sources, &missing, err))
		return false;
	for (size_t i = 0; i < plan->count; i++)
		files += plan->trees[i].source_count;
	sources->checks = arena_array(sources->arena, struct source_check, files + 1);
	sources->check_count = 0;
	for (size_t i = 0; i < plan->count; i++) {
		if (plan->trees[i].state == PLAN_BUILD &&
		    !check_tree(sources, &plan->trees[i], err))
			return false;
	}
	return true;
}

bool sources_take(struct sources *sources, const struct plan_source *source, int *fd,
		  const char **signature, struct error *err)
{
	const struct source_check *check = find_check(sources, source->sha256);
	const char *path = sources_cached(sources, source->sha256);
	int opened;

	if (!check)
		return error_set(err, "%s was not checked", source->file);
	/* Nobody but this run writes there: what was checked is what is opened. */
	opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
	if (opened < 0)
		return error_errno(err, errno, "%s", path);
	*signature = check->signature;
	*fd = opened;
	return true;
}
