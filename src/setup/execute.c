// SPDX-License-Identifier: BSD-2-Clause
#include "setup/execute.h"

#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/manifest.h"
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
	static const char *const parts[] = {"source", "build", "stage", "trees", "home"};
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
	return making->log >= 0 || error_errno(err, errno, "%s", making->log_path);
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
					execution->sandbox, making->log, err);
	if (!sources_take(execution->sources, &tree->sources[0], &fd, err))
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

static void fill_sources(struct arena *arena, const struct plan_tree *tree,
			 struct manifest *manifest)
{
	const struct recipe_git *git = tree->version->git;
	size_t count = git ? 1 : tree->source_count;

	manifest->sources.items = arena_array(arena, struct manifest_source, count + 1);
	manifest->sources.count = count;
	if (git)
		manifest->sources.items[0] =
			(struct manifest_source){.url = git->url, .commit = git->commit};
	for (size_t i = 0; i < tree->source_count; i++)
		manifest->sources.items[i] =
			(struct manifest_source){.file = tree->sources[i].file,
						 .url = tree->sources[i].url,
						 .sha256 = tree->sources[i].sha256};
}

static bool recipe_digest(struct arena *arena, const struct recipe *recipe, const char **out,
			  struct error *err)
{
	const char *path = arena_printf(arena, "%s/recipe.json", recipe->directory);
	char hex[DIGEST_HEX_SIZE];
	uint64_t size;

	scoped_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "%s", path);
	if (!digest_fd(arena, fd, path, hex, &size, err))
		return false;
	*out = arena_strdup(arena, hex);
	return true;
}

static bool fill_manifest(const struct making *making, struct manifest *manifest, struct error *err)
{
	struct execution *execution = making->execution;
	const struct plan_request *request = execution->plan->request;
	const struct plan_tree *tree = making->tree;
	const struct toolchain *toolchain = request->toolchain;
	const struct recipe_provides *provides = &tree->recipe->provides;
	struct arena *arena = execution->arena;

	manifest->name = tree->recipe->name;
	manifest->version = tree->version->version;
	manifest->key = tree->key;
	manifest->license = tree->recipe->license;
	manifest->target = request->target->name;
	manifest->arch = request->target->arch;
	manifest->flags = toolchain->flags;
	manifest->compiler = (struct manifest_compiler){
		.name = toolchain->kind,
		.version = toolchain->version,
		.identity = arena_printf(arena, "%s; %s", toolchain->driver, toolchain->proper)};
	manifest->dependencies.items =
		arena_array(arena, struct manifest_dependency, tree->depend_count + 1);
	manifest->dependencies.count = tree->depend_count;
	for (size_t i = 0; i < tree->depend_count; i++)
		manifest->dependencies.items[i] = (struct manifest_dependency){
			tree->depends[i]->recipe->name, tree->depends[i]->version->version,
			tree->depends[i]->key};
	manifest->prefix = request->prefix;
	manifest->relocatable = tree->recipe->relocatable;
	manifest->outside = tree->recipe->outside;
	manifest->provides = (struct manifest_provides){provides->pkg_config, provides->libraries,
							provides->commands};
	manifest->elapsed_s = time(NULL) - making->started;
	fill_sources(arena, tree, manifest);
	return recipe_digest(arena, tree->recipe, &manifest->recipe, err);
}

static const char *now(struct arena *arena)
{
	char text[32];
	time_t seconds = time(NULL);
	struct tm utc;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
	return arena_strdup(arena, text);
}

/* The log of a build belongs to what it built. */
static bool move_log(void *context, struct error *err)
{
	const struct making *making = context;
	struct arena *arena = making->execution->arena;
	const char *directory =
		arena_printf(arena, "%s/%s", making->tree->staged, MANIFEST_DIRECTORY);
	const char *path = arena_printf(arena, "%s/build.log", directory);
	struct view text;

	if (mkdir(directory, 0755) < 0 && errno != EEXIST)
		return error_errno(err, errno, "%s", directory);
	return file_read(arena, making->log_path, LOG_MAX_BYTES, &text, err) &&
	       file_write(path, text, err);
}

static bool make(struct making *making, struct executed *result, struct error *err)
{
	struct execution *execution = making->execution;
	struct manifest manifest = {0};

	if (!unpack(making, err) || !build(making, err) ||
	    !sandbox_call(execution->sandbox, collect, making, err))
		return false;
	tell(making, "prove");
	if (!prove_tree(execution, making->tree, making->log, &manifest, err) ||
	    !fill_manifest(making, &manifest, err))
		return false;
	tell(making, "install");
	manifest.built = now(execution->arena);
	result->elapsed_s = manifest.elapsed_s;
	result->proof = (struct field_array){manifest.proof.items, manifest.proof.count};
	return sandbox_call(execution->sandbox, move_log, making, err) &&
	       store_install(execution->store, making->tree->staged, &manifest, err);
}

/* The log of a build that failed outlives its directory. */
static const char *keep_log(struct making *making)
{
	struct execution *execution = making->execution;
	const char *directory, *path;
	struct view text;

	if (!making->log_path || !store_directory(execution->store, "logs", &directory, NULL) ||
	    !file_read(execution->arena, making->log_path, LOG_MAX_BYTES, &text, NULL))
		return NULL;
	path = arena_printf(execution->arena, "%s/%s.log", directory, making->tree->name);
	return file_write(path, text, NULL) ? path : NULL;
}

static bool make_tree(struct execution *execution, const struct plan_tree *tree,
		      struct executed *result, struct error *err)
{
	struct making making = {
		.execution = execution, .tree = tree, .log = -1, .started = time(NULL)};
	bool good = make_work(&making, err) && make(&making, result, err);

	scoped_fd_close(&making.log);
	if (good) {
		tell(&making, NULL);
		return true;
	}
	result->state = "failed";
	result->log = keep_log(&making);
	return error_context(err, "%s %s", tree->recipe->name, tree->version->version);
}

static bool activate(struct execution *execution, struct error *err)
{
	const struct plan *plan = execution->plan;
	struct store_trees trees = {
		.items = arena_array(execution->arena, struct store_tree, plan->count + 1)};
	struct generation generation;

	for (size_t i = 0; i < plan->count; i++)
		trees.items[trees.count++] =
			(struct store_tree){plan->trees[i].recipe->name,
					    plan->trees[i].version->version, plan->trees[i].key};
	return store_activate(execution->store, plan->request->target->name, &trees, NULL,
			      &generation, err);
}

bool execute_plan(struct execution *execution, struct executed *results, struct error *err)
{
	static const char *const states[] = {
		[PLAN_BUILD] = "planned", [PLAN_STORED] = "stored", [PLAN_ACTIVE] = "active"};
	const struct plan *plan = execution->plan;
	const char *cache;

	for (size_t i = 0; i < plan->count; i++)
		results[i] = (struct executed){.name = plan->trees[i].recipe->name,
					       .version = plan->trees[i].version->version,
					       .key = plan->trees[i].key,
					       .path = plan->trees[i].path,
					       .why = plan->trees[i].why,
					       .state = states[plan->trees[i].state]};
	if (!store_directory(execution->store, "cache", &cache, err) ||
	    !sources_fetch(execution->sources, plan, err))
		return false;
	for (size_t i = 0; i < plan->count; i++) {
		if (plan->trees[i].state != PLAN_BUILD)
			continue;
		if (!make_tree(execution, &plan->trees[i], &results[i], err))
			return false;
		results[i].state = "built";
	}
	return activate(execution, err);
}
