// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "setup/sandbox.h"
#include "setup/sources_private.h"
#include "setup/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FETCH_TIMEOUT_S 3600
#define CHECK_TIMEOUT_S 600
#define WORDS_MAX 48
#define LOG_MAX_BYTES ((size_t)64 << 10)

/* One run of git, as the user of the build: no configuration but this, no hooks, no protocol but
 * the one that is needed, nobody asked for a password. */
struct git_job {
	struct sources *sources;
	const char *directory; /* the job's own */
	const char *repository, *worktree;
	bool network;
	int log; /* -1: what it says becomes the error */
};

bool git_is_cached(const struct sources *sources, const char *commit)
{
	struct stat status;

	return lstat(arena_printf(sources->arena, "%s/%s.git", sources->cache, commit), &status) ==
	       0;
}

const struct mirror_git *git_mirrored(const struct sources *sources, const char *commit)
{
	for (size_t i = 0; i < sources->git_count; i++) {
		if (commit_is_in(sources, &sources->gits[i], commit))
			return &sources->gits[i];
	}
	return NULL;
}

static void add_kept(struct arena *arena, struct names *environment)
{
	static const char *const kept[] = {"https_proxy", "HTTPS_PROXY", "all_proxy",
					   "ALL_PROXY",   "no_proxy",    "NO_PROXY"};
	const char *authorities = getenv("SSL_CERT_FILE");

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		if (getenv(kept[i]))
			names_add(arena, environment,
				  arena_printf(arena, "%s=%s", kept[i], getenv(kept[i])));
	}
	if (authorities && authorities[0])
		names_add(arena, environment,
			  arena_printf(arena, "GIT_SSL_CAINFO=%s", authorities));
}

static void fill_environment(const struct git_job *job, struct names *environment)
{
	struct arena *arena = job->sources->arena;

	names_add(arena, environment, "GIT_CONFIG_NOSYSTEM=1");
	names_add(arena, environment, "GIT_TERMINAL_PROMPT=0");
	names_add(arena, environment, "GIT_ASKPASS=/bin/false");
	names_add(arena, environment, "GIT_NO_REPLACE_OBJECTS=1");
	names_add(arena, environment, arena_printf(arena, "GIT_DIR=%s", job->repository));
	names_add(arena, environment,
		  arena_printf(arena, "GIT_INDEX_FILE=%s/index", job->directory));
	if (job->worktree)
		names_add(arena, environment,
			  arena_printf(arena, "GIT_WORK_TREE=%s", job->worktree));
	if (job->network)
		add_kept(arena, environment);
}

/* The last line that git wrote. */
static bool complain(struct arena *arena, int log, int status, struct error *err)
{
	struct view text = {0}, line, last = {0};

	lseek(log, 0, SEEK_SET);
	file_read_fd(arena, log, "git", LOG_MAX_BYTES, &text, NULL);
	while (view_line(&text, &line))
		last = line.size ? line : last;
	return error_set(err, "git: %s",
			 last.size ? text_printable(arena, last)
				   : arena_printf(arena, "ended with status %d", status));
}

/* `words` end with NULL. */
static bool run_git(const struct git_job *job, const char *const *words, struct error *err)
{
	static const char *const always[] = {"-c", "protocol.allow=never",
					     "-c", "protocol.https.allow=always",
					     "-c", "transfer.fsckObjects=true",
					     "-c", "fetch.unpackLimit=1",
					     "-c", "core.hooksPath=/dev/null",
					     "-c", "credential.helper=",
					     "-c", "gc.auto=0",
					     "-c", "maintenance.auto=false",
					     "-c", "safe.directory=*",
					     "-c", "core.fsmonitor=false",
					     "-c", "http.lowSpeedLimit=1000",
					     "-c", "http.lowSpeedTime=60"};
	struct arena *arena = job->sources->arena;
	const char **argv = arena_array(arena, const char *, WORDS_MAX);
	struct names environment = {0};
	size_t count = 0;
	int status;

	scoped_fd int memory = memfd_create("git", MFD_CLOEXEC);
	int log = job->log >= 0 ? job->log : memory;
	argv[count++] = process_find(arena, "git");
	if (!argv[0])
		return error_set(err, "there is no git here: install it (package git, git-core)");
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		argv[count++] = always[i];
	while (*words && count + 1 < WORDS_MAX)
		argv[count++] = *words++;
	fill_environment(job, &environment);
	if (log < 0 ||
	    !sandbox_run(job->sources->sandbox, arena,
			 &(struct sandbox_job){.argv = argv,
					       .environment = &environment,
					       .in = job->directory,
					       .home = job->directory,
					       .log = log,
					       .network = job->network,
					       .timeout_s = job->network ? FETCH_TIMEOUT_S
									 : CHECK_TIMEOUT_S},
			 &status, err))
		return log >= 0 ? false : error_errno(err, errno, "git");
	if (status == 0)
		return true;
	return job->log >= 0 ? error_set(err, "git ended with status %d", status)
			     : complain(arena, memory, status, err);
}

static bool copy_bundle(struct sources *sources, const char *from, const char *to,
			struct error *err)
{
	struct view bytes;

	return file_read(sources->arena, from, (size_t)256 << 20, &bytes, err) &&
	       file_write(to, bytes, err) &&
	       (chmod(to, 0644) == 0 || error_errno(err, errno, "%s", to));
}

/* Into a repository of the build's user, of which the objects are then taken over. */
static bool fetch_into(const struct git_job *job, const struct mirror_git *from,
		       const struct recipe_git *git, struct error *err)
{
	const char *bundle = arena_printf(job->sources->arena, "%s/bundle", job->sources->work);
	const char *const init[] = {"init",        "--quiet",       "--bare",
				    "--template=", job->repository, NULL};
	const char *const fetch[] = {"fetch",   "--quiet",   "--no-tags",
				     "--depth", "1",         "--no-recurse-submodules",
				     git->url,  git->commit, NULL};
	const char *const unbundle[] = {"bundle", "unbundle", bundle, NULL};

	if (!view_starts(view_of(git->url), "https://") && !from)
		return error_set(err, "%s: git fetches over https alone", git->url);
	return (!from || copy_bundle(job->sources, from->path, bundle, err)) &&
	       run_git(job, init, err) && run_git(job, from ? unbundle : fetch, err) &&
	       commit_keep(job->sources, job->repository, git->commit, err);
}

/* The commit is what its name says, and all of it is there: git counts digests. */
static bool verify(const struct git_job *job, const char *commit, struct error *err)
{
	const char *name = arena_printf(job->sources->arena, "%s^{commit}", commit);
	const char *const parse[] = {"rev-parse", "--quiet", "--verify", name, NULL};
	const char *const fsck[] = {
		"fsck", "--full", "--no-dangling", "--no-progress", "--no-reflogs", commit, NULL};

	return run_git(job, parse, err) && run_git(job, fsck, err);
}

static bool verify_cached(const struct git_job *job, const char *commit, struct error *err)
{
	struct arena *arena = job->sources->arena;
	struct error inner = {0};

	if (verify(job, commit, &inner))
		return true;
	scoped_fd int cache = open(job->sources->cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool gone = cache >= 0 && tree_delete(cache, arena_printf(arena, "%s.git", commit));
	return error_exit(err, EXIT_VERIFY, "%s: commit %s is not whole or not right: %s%s",
			  job->repository, commit, inner.text,
			  gone ? "; it was removed, run again to fetch it anew" : "");
}

static bool make_directory(const struct sources *sources, const char *name, const char **path,
			   struct error *err)
{
	*path = arena_printf(sources->arena, "%s/%s", sources->work, name);
	return sandbox_directory(sources->sandbox, *path, err);
}

bool git_check(struct sources *sources, const struct recipe_git *git, struct error *err)
{
	struct git_job job = {.sources = sources,
			      .repository = arena_printf(sources->arena, "%s/%s.git",
							 sources->cache, git->commit),
			      .log = -1};

	return make_directory(sources, git->commit, &job.directory, err) &&
	       verify_cached(&job, git->commit, err);
}

bool git_fetch(struct sources *sources, const struct recipe_git *git, struct error *err)
{
	const struct mirror_git *from = git_mirrored(sources, git->commit);
	struct git_job job = {.sources = sources, .log = -1, .network = !from};

	if (git_is_cached(sources, git->commit))
		return true;
	/* git does not say how far it is. */
	if (!from && sources->downloading)
		sources->downloading(sources->context,
				     &(struct downloads){.name = git->url, .count = 1});
	if (!make_directory(sources, git->commit, &job.directory, err))
		return false;
	job.repository = arena_printf(sources->arena, "%s/repository", job.directory);
	if (from && !from->bundle ? !commit_keep(sources, from->path, git->commit, err)
				  : !fetch_into(&job, from, git, err))
		return error_context(err, "commit %s of %s", git->commit, git->url);
	sources_note(sources, "commit %s: from %s", git->commit, from ? from->path : git->url);
	return true;
}

bool sources_checkout(struct sources *sources, const struct recipe_git *git, const char *directory,
		      int log, struct error *err)
{
	const char *const read[] = {"read-tree", git->commit, NULL};
	const char *const write[] = {"checkout-index", "--all", "--quiet", NULL};
	struct git_job job = {.sources = sources,
			      .worktree = directory,
			      .repository = arena_printf(sources->arena, "%s/%s.git",
							 sources->cache, git->commit),
			      .log = log};

	return (make_directory(sources, git->commit, &job.directory, err) &&
		run_git(&job, read, err) && run_git(&job, write, err)) ||
	       error_context(err, "commit %s", git->commit);
}
