// SPDX-License-Identifier: BSD-2-Clause
#include "setup/execute.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/prove.h"
#include "setup/sandbox.h"
#include "setup/sources.h"
#include "setup/store.h"
#include "setup/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOG_MAX_BYTES ((size_t)256 << 20)

/* One tree being built. */
struct making {
	struct execution *execution;
	const struct plan_tree *tree;
	int log;
	const char *log_path;
	time_t started;
	const char *signature; /* what was seen of upstream's; NULL: there is none */
};

static void tell(const struct making *making, const char *phase)
{
	struct execution *execution = making->execution;

	if (execution->progress)
		execution->progress(execution->context, making->tree, phase);
}

/* The build's user owns the directories it works in, not the one they lie in. */
static bool make_work(struct making *making, struct error *err)
{
	static const char *const parts[] = {"source", "build", "stage", "trees", "home", "proof"};
	struct execution *execution = making->execution;
	const char *path;

	if (!store_directory(execution->store,
			     arena_printf(execution->arena, "work/%s", making->tree->name), &path,
			     err))
		return false;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!sandbox_directory(execution->sandbox,
				       arena_printf(execution->arena, "%s/%s", path, parts[i]),
				       err))
			return false;
	}
	making->log_path = arena_printf(execution->arena, "%s/build.log", path);
	making->log = open(making->log_path,
			   O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
	/* The build's user copies it. */
	return (making->log >= 0 && fchmod(making->log, 0644) == 0) ||
	       error_errno(err, errno, "%s", making->log_path);
}

static bool unpack(struct making *making, struct error *err)
{
	struct execution *execution = making->execution;
	const struct plan_tree *tree = making->tree;
	const char *directory = arena_printf(execution->arena, "%s/source", tree->work);
	int fd;

	tell(making, "unpack");
	if (tree->version->git)
		return sources_checkout(execution->sources, tree->version->git, directory,
					making->log, err);
	if (!sources_take(execution->sources, &tree->sources[0], &fd, &making->signature, err))
		return false;
	scoped_fd int archive = fd;
	return unpack_archive(execution->sandbox, execution->arena, archive, directory, making->log,
			      err) ||
	       error_context(err, "%s", tree->sources[0].file);
}

static bool build(struct making *making, struct error *err)
{
	const char *phase = "";

	for (size_t i = 0; i < making->tree->step_count; i++) {
		const struct plan_step *step = &making->tree->steps[i];

		if (strcmp(step->phase, phase) != 0)
			tell(making, step->phase);
		phase = step->phase;
		if (!execute_step(making->execution, making->tree, step, making->log, err))
			return error_context(err, "%s", step->name);
	}
	return true;
}

/* What was installed below DESTDIR gets the place it has in the store, among links to what it
 * depends on, so that relative run paths hold. */
static bool collect(void *context, struct error *err)
{
	const struct making *making = context;
	const struct plan_tree *tree = making->tree;
	struct arena *arena = making->execution->arena;
	const char *staged = arena_printf(arena, "%s/stage%s", tree->work, tree->path);

	if (!file_exists(tree->staged) && rename(staged, tree->staged) < 0)
		return error_errno(err, errno, "%s", staged);
	for (size_t i = 0; i < tree->depend_count; i++) {
		const char *link =
			arena_printf(arena, "%s/trees/%s", tree->work, tree->depends[i]->name);

		if (symlink(tree->depends[i]->path, link) < 0)
			return error_errno(err, errno, "%s", link);
	}
	return true;
}

/* The log of a build belongs to what it built. */
static bool move_log(void *context, struct error *err)
{
	const struct making *making = context;
	struct arena *arena = making->execution->arena;
	const char *directory =
		arena_printf(arena, "%s/%s", making->tree->staged, MANIFEST_DIRECTORY);
	const char *path = arena_printf(arena, "%s/build.log", directory);

	if (mkdir(directory, 0755) < 0 && errno != EEXIST)
		return error_errno(err, errno, "%s", directory);
	/* A build may have left one of its own. */
	if (unlink(path) < 0 && errno != ENOENT)
		return error_errno(err, errno, "%s", path);
	scoped_fd int from = open(making->log_path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	scoped_fd int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);

	if (from < 0 || to < 0)
		return error_errno(err, errno, "%s", from < 0 ? making->log_path : path);
	return file_copy_fd(from, to, path, LOG_MAX_BYTES, NULL, err);
}

static void add_signature(const struct making *making, struct manifest *manifest)
{
	size_t count = manifest->proof.count;
	struct manifest_proof *proofs =
		arena_array(making->execution->arena, struct manifest_proof, count + 1);

	if (!making->signature)
		return;
	if (count)
		memcpy(proofs + 1, manifest->proof.items, count * sizeof(proofs[0]));
	proofs[0] = (struct manifest_proof){"signature", making->signature};
	manifest->proof.items = proofs;
	manifest->proof.count = count + 1;
}

static bool make(struct making *making, struct error *err)
{
	struct execution *execution = making->execution;
	struct manifest manifest = {0};

	if (!unpack(making, err) || !build(making, err) ||
	    !sandbox_call(execution->sandbox, collect, making, err))
		return false;
	tell(making, "prove");
	if (!prove_tree(execution, making->tree, making->log, &manifest, err) ||
	    !execute_manifest(execution, making->tree, making->started, &manifest, err))
		return false;
	add_signature(making, &manifest);
	tell(making, "install");
	return sandbox_call(execution->sandbox, move_log, making, err) &&
	       store_install(execution->store, making->tree->staged, &manifest, err);
}

/* The log of a build that failed outlives its directory. */
static const char *keep_log(struct making *making)
{
	struct execution *execution = making->execution;
	const char *directory, *path;

	if (!making->log_path || !store_directory(execution->store, "logs", &directory, NULL))
		return NULL;
	path = arena_printf(execution->arena, "%s/%s.log", directory, making->tree->name);
	/* Moved, which also a full disk allows. */
	return rename(making->log_path, path) == 0 ? path : NULL;
}

bool execute_tree(struct execution *execution, const struct plan_tree *tree, const char **log,
		  struct error *err)
{
	struct making making = {
		.execution = execution, .tree = tree, .log = -1, .started = time(NULL)};
	bool good = make_work(&making, err) && make(&making, err);

	scoped_fd_close(&making.log);
	if (good) {
		tell(&making, NULL);
		return true;
	}
	*log = keep_log(&making);
	return error_context(err, "%s %s", tree->recipe->name, tree->version->version);
}
