// SPDX-License-Identifier: BSD-2-Clause
#include "setup/execute.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>

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

bool execute_manifest(struct execution *execution, const struct plan_tree *tree, time_t started,
		      struct manifest *manifest, struct error *err)
{
	const struct plan_request *request = execution->plan->request;
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
	manifest->system.items =
		arena_array(arena, struct manifest_library, tree->library_count + 1);
	manifest->system.count = tree->library_count;
	for (size_t i = 0; i < tree->library_count; i++)
		manifest->system.items[i] = (struct manifest_library){
			tree->libraries[i]->soname, tree->libraries[i]->version,
			tree->libraries[i]->path, tree->libraries[i]->identity};
	manifest->prefix = request->prefix;
	manifest->relocatable = tree->recipe->relocatable;
	manifest->outside = tree->recipe->outside;
	manifest->provides = (struct manifest_provides){provides->pkg_config, provides->libraries,
							provides->commands};
	manifest->elapsed_s = time(NULL) - started;
	manifest->built = clock_utc(arena);
	fill_sources(arena, tree, manifest);
	return recipe_digest(arena, tree->recipe, &manifest->recipe, err);
}
