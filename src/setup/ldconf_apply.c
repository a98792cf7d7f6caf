// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/beneath.h"
#include "base/file.h"
#include "base/process.h"
#include "host/host.h"
#include "host/redact_kernel.h"
#include "setup/ldconf_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* One name, so that what a killed run left is found and replaced; not read by ldconfig. */
#define TEMPORARY ".ampere-crypto.new"
#define LDCONFIG_TIMEOUT_MS 300000u
#define LDCONFIG_OUTPUT_MAX ((size_t)64 << 10)

/* One change of a configuration, under its lock. */
struct applying {
	struct arena *arena;
	const struct ldconf_place *place;
	const char *const *ldconfig;
	int root;
	int directory;                    /* /etc/ld.so.conf.d of the place */
	const char *before[LDCONF_FILES]; /* what stood in our files; NULL: nothing */
};

static const char *base_name(const char *path)
{
	return strrchr(path, '/') + 1;
}

static bool is_here(const struct ldconf_place *place)
{
	return strcmp(place->root, "/") == 0;
}

/* ---- ldconfig */

static bool find_ldconfig(struct applying *applying, struct error *err)
{
	static const char *const places[] = {"/sbin/ldconfig", "/usr/sbin/ldconfig"};
	const char **argv = arena_array(applying->arena, const char *, 2);

	applying->ldconfig = applying->place->ldconfig;
	for (size_t i = 0; i < 2 && !applying->ldconfig; i++) {
		if (faccessat(AT_FDCWD, places[i], X_OK, 0) != 0)
			continue;
		argv[0] = places[i];
		applying->ldconfig = argv;
	}
	if (applying->ldconfig)
		return true;
	return error_set(err, "ldconfig is neither in /sbin nor in /usr/sbin: install libc-bin "
			      "(Debian, Ubuntu) or glibc (RHEL, SUSE)");
}

/* The cache only (-X): links in directories of others are not ours to make. */
static bool run_ldconfig(struct applying *applying, struct error *err)
{
	const char *const *given = applying->ldconfig;
	size_t count = 0;
	const char **argv;
	struct process_result result;
	struct view rest, line, last = {0};

	while (given[count])
		count++;
	argv = arena_array(applying->arena, const char *, count + 4);
	for (size_t i = 0; i < count; i++)
		argv[i] = given[i];
	argv[count++] = "-X";
	if (!is_here(applying->place)) {
		argv[count++] = "-r";
		argv[count++] = applying->place->root;
	}
	if (!process_run(applying->arena, argv, (struct view){0}, LDCONFIG_TIMEOUT_MS,
			 LDCONFIG_OUTPUT_MAX, &result, err))
		return false;
	if (result.timed_out)
		return error_set(err, "%s: not done after five minutes", argv[0]);
	if (result.exit_status == 0)
		return true;
	rest = result.output;
	while (view_line(&rest, &line))
		last = line.size ? line : last;
	return error_set(err, "%s: exit status %d: %s", argv[0], result.exit_status,
			 last.size ? text_printable(applying->arena, last) : "it says nothing");
}

/* ---- Files */

static bool open_directory(struct applying *applying, struct error *err)
{
	struct beneath top;

	applying->root = open(applying->place->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (applying->root < 0)
		return error_errno(err, errno, "%s", applying->place->root);
	top = beneath_of(applying->root);
	applying->directory = beneath_open(&top, LDCONF_CONFD, O_RDONLY | O_DIRECTORY);
	if (applying->directory < 0)
		return error_errno(err, errno, LDCONF_CONFD);
	if (flock(applying->directory, LOCK_EX | LOCK_NB) == 0)
		return true;
	if (errno != EWOULDBLOCK)
		return error_errno(err, errno, LDCONF_CONFD ": cannot be locked");
	return error_exit(err, EXIT_LOCKED,
			  "another run is changing the loader's configuration: try again later");
}

static bool is_from_setup(struct arena *arena, const char *text)
{
	const char *prefix = NULL, *foreign;
	struct names lines = {0};

	return strncmp(text, LDCONF_HEADER, strlen(LDCONF_HEADER)) == 0 && !strchr(text + 1, '#') &&
	       ldconf_file_parse(arena, text, &lines, &prefix, &foreign);
}

/* Our files as they are; something else under their names is an error. */
static bool read_before(struct applying *applying, size_t index, struct error *err)
{
	const char *file = ldconf_files[index];
	struct stat status;
	struct view text;
	scoped_fd int fd = openat(applying->directory, base_name(file),
				  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0 && errno == ELOOP)
		return error_set(err, "%s is a link, which setup does not write: move it away",
				 file);
	if (fd < 0 || fstat(fd, &status) < 0)
		return error_errno(err, errno, "%s", file);
	if (!S_ISREG(status.st_mode))
		return error_set(err, "%s is not a file: move it away", file);
	if (!file_read_fd(applying->arena, fd, file, LDCONF_FILE_MAX, &text, err))
		return false;
	applying->before[index] = text.at;
	if (strlen(text.at) == text.size && is_from_setup(applying->arena, text.at))
		return true;
	return error_set(err, "%s holds what setup has not written: move the file away", file);
}

/* Beside the file and renamed: it is never seen half written, and survives a power cut. */
static bool put_file(struct applying *applying, const char *file, const char *text,
		     struct error *err)
{
	int directory = applying->directory;
	scoped_fd int fd = -1;

	if (unlinkat(directory, TEMPORARY, 0) < 0 && errno != ENOENT)
		return error_errno(err, errno, "%s/%s", LDCONF_CONFD, TEMPORARY);
	fd = openat(directory, TEMPORARY, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    0644);
	if (fd < 0)
		return error_errno(err, errno, "%s", file);
	if (!file_write_fd(fd, file, view_of(text), err))
		return unlinkat(directory, TEMPORARY, 0), false;
	if (fchmod(fd, 0644) < 0 || (geteuid() == 0 && fchown(fd, 0, 0) < 0) || fsync(fd) < 0 ||
	    renameat(directory, TEMPORARY, directory, base_name(file)) < 0) {
		error_errno(err, errno, "%s", file);
		unlinkat(directory, TEMPORARY, 0);
		return false;
	}
	return true;
}

/* Puts a file to a text, NULL: none; nothing when it is so. */
static bool put(struct applying *applying, size_t index, const char *now, const char *text,
		struct error *err)
{
	const char *file = ldconf_files[index];

	if (text && now && strcmp(text, now) == 0)
		return true;
	if (text)
		return put_file(applying, file, text, err);
	if (now && unlinkat(applying->directory, base_name(file), 0) < 0 && errno != ENOENT)
		return error_errno(err, errno, "%s", file);
	return true;
}

/* As it was before; the first error stays the one told. */
static void take_back(struct applying *applying, const char *const after[LDCONF_FILES],
		      struct error *err)
{
	struct error again = {0};

	for (size_t i = 0; i < LDCONF_FILES; i++) {
		if (!put(applying, i, after[i] ? after[i] : "", applying->before[i], &again))
			error_context(err, "%s could not be put back (%s)", ldconf_files[i],
				      again.text);
	}
	if (!run_ldconfig(applying, &again))
		error_context(err, "the cache could not be put back (%s)", again.text);
}

static bool prepare(struct applying *applying, struct error *err)
{
	if (!find_ldconfig(applying, err) || !open_directory(applying, err))
		return false;
	for (size_t i = 0; i < LDCONF_FILES; i++) {
		if (!read_before(applying, i, err))
			return false;
	}
	return true;
}

/* ---- Read back */

static const char *is_left(const struct ldconf_plan *plan, const struct ldso_cache *cache)
{
	struct ldso_entry entry;

	for (uint32_t e = 0; ldso_cache_entry(cache, e, &entry); e++) {
		for (size_t i = 0; i < plan->taken_away.count; i++) {
			const struct ldconf_left *left = &plan->taken_away.items[i];

			if (!left->stays && ldconf_is_below(entry.path, left->directory))
				return entry.path;
		}
	}
	return NULL;
}

static bool check_cache(struct applying *applying, struct host *host,
			const struct ldconf_plan *plan, struct error *err)
{
	struct ldconf_plan ignored = {0};
	struct ldconf_work *work = arena_new(applying->arena, struct ldconf_work);
	const struct ldso_cache *cache = &host_loader(host)->cache;
	struct ldso_entry entry;
	const char *left;

	*work = (struct ldconf_work){.host = host, .arena = applying->arena, .plan = &ignored};
	if (cache->number || cache->damage)
		return error_exit(err, EXIT_VERIFY, "/etc/ld.so.cache after ldconfig: %s",
				  cache->damage ? cache->damage : strerrordesc_np(cache->number));
	if (!ldconf_check_glibc(work))
		return error_exit(err, EXIT_VERIFY, "%s", ignored.refusal);
	for (size_t i = 0; i < plan->winners.count; i++) {
		const struct ldconf_winner *winner = &plan->winners.items[i];
		bool found = ldso_cache_find(cache, winner->soname, work->flags,
					     &work->without.hwcaps, &entry);

		if (!found || strcmp(entry.path, winner->path) != 0)
			return error_exit(err, EXIT_VERIFY,
					  "the loader's cache has %s for %s, not %s: the entries "
					  "are taken away again",
					  found ? entry.path : "nothing", winner->soname,
					  winner->path);
	}
	left = is_left(plan, cache);
	return !left ||
	       error_exit(err, EXIT_VERIFY,
			  "the loader's cache still has %s: the entries are put back", left);
}

static struct root *open_root(struct applying *applying, struct error *err)
{
	const char *path = is_here(applying->place) ? NULL : applying->place->root;

	return root_open(applying->arena, path, err);
}

static bool read_back(struct applying *applying, const struct ldconf_plan *plan, struct error *err)
{
	struct root *root = open_root(applying, err);
	bool good;

	if (!root)
		return false;
	good = check_cache(applying, host_new(applying->arena, root), plan, err);
	root_close(root);
	return good;
}

/* ---- The two ways in */

static bool is_as_planned(struct applying *applying, const struct ldconf_plan *plan,
			  struct error *err)
{
	for (size_t i = 0; i < LDCONF_FILES; i++) {
		const char *now = applying->before[i], *then = plan->found[i];

		if (now)
			now = view_copy(applying->arena,
					redact_comments(applying->arena, view_of(now)));
		if (!now != !then || (now && strcmp(now, then) != 0))
			return error_set(err, "%s has changed since it was looked at: run again",
					 ldconf_files[i]);
	}
	return true;
}

static bool apply(struct applying *applying, const struct ldconf_plan *plan, struct error *err)
{
	const char *after[LDCONF_FILES];
	bool good = true;

	if (!prepare(applying, err) || !is_as_planned(applying, plan, err))
		return false;
	for (size_t i = 0; i < plan->entries.count; i++) {
		const char *line = plan->entries.items[i].line;

		if (!ldconf_check_owner(applying->arena, applying->root, line, err))
			return false;
	}
	for (size_t i = 0; i < LDCONF_FILES; i++)
		after[i] = plan->kept[i] ? applying->before[i]
					 : ldconf_file_text(applying->arena, plan, ldconf_files[i]);
	for (size_t i = 0; i < LDCONF_FILES && good; i++)
		good = put(applying, i, applying->before[i], after[i], err);
	good = good && (fsync(applying->directory) == 0 || error_errno(err, errno, LDCONF_CONFD));
	if (good && run_ldconfig(applying, err) && read_back(applying, plan, err))
		return true;
	take_back(applying, after, err);
	return false;
}

bool ldconf_apply(struct arena *arena, const struct ldconf_place *place,
		  const struct ldconf_plan *plan, struct error *err)
{
	struct applying applying = {.arena = arena, .place = place, .root = -1, .directory = -1};
	bool good;

	if (plan->refusal)
		return error_exit(err, plan->refusal_exit, "--ld-so-conf %s: %s", plan->policy,
				  plan->refusal);
	if (plan->done)
		return true;
	if (plan->provisional)
		return error_set(err, "--ld-so-conf %s: planned before all was built: plan again",
				 plan->policy);
	good = apply(&applying, plan, err);
	scoped_fd_close(&applying.directory);
	scoped_fd_close(&applying.root);
	return good;
}

static bool remove_files(struct applying *applying, const char *prefix, bool *removed,
			 struct error *err)
{
	if (!prepare(applying, err))
		return false;
	for (size_t i = 0; i < LDCONF_FILES; i++) {
		const char *of = NULL, *foreign;
		struct names lines = {0};

		if (!applying->before[i] ||
		    !ldconf_file_parse(applying->arena, applying->before[i], &lines, &of, &foreign))
			continue;
		if (prefix && of && strcmp(prefix, of) != 0)
			continue;
		if (!put(applying, i, applying->before[i], NULL, err))
			return false;
		*removed = true;
	}
	return fsync(applying->directory) == 0 || error_errno(err, errno, LDCONF_CONFD);
}

/* A run that was cut short may have left the cache behind the files. */
static bool is_stale(struct applying *applying, const char *prefix, bool *stale, struct error *err)
{
	struct root *root = open_root(applying, err);

	if (!root)
		return false;
	*stale = !ldconf_current(host_new(applying->arena, root), prefix).fresh;
	root_close(root);
	return true;
}

bool ldconf_remove(struct arena *arena, const struct ldconf_place *place, const char *prefix,
		   struct error *err)
{
	struct applying applying = {.arena = arena, .place = place, .root = -1, .directory = -1};
	bool removed = false, stale = false, good;

	good = remove_files(&applying, prefix, &removed, err) &&
	       is_stale(&applying, prefix, &stale, err);
	if (good && (removed || stale) && !run_ldconfig(&applying, err))
		good = error_context(err, "the entries are gone, but the cache still has them");
	scoped_fd_close(&applying.directory);
	scoped_fd_close(&applying.root);
	return good;
}
