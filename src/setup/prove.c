// SPDX-License-Identifier: BSD-2-Clause
#include "setup/prove.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROOFS_MAX 64
#define OUTPUT_MAX_BYTES ((size_t)1 << 20)
#define TIMEOUT_S 300

static void proved(struct arena *arena, struct manifest *manifest, const char *what,
		   const char *result)
{
	if (!manifest->proof.items)
		manifest->proof.items = arena_array(arena, struct manifest_proof, PROOFS_MAX);
	if (manifest->proof.count < PROOFS_MAX)
		manifest->proof.items[manifest->proof.count++] =
			(struct manifest_proof){what, result};
}

static bool prove_products(struct execution *execution, const struct plan_tree *tree,
			   struct manifest *manifest, struct error *err)
{
	const struct names *products = &tree->recipe->products;

	for (size_t i = 0; i < products->count; i++) {
		const char *path =
			arena_printf(execution->arena, "%s/%s", tree->staged, products->items[i]);

		if (!file_exists(path))
			return error_exit(err, EXIT_VERIFY, "%s was not built", products->items[i]);
	}
	proved(execution->arena, manifest, "products",
	       arena_printf(execution->arena, "%zu files are there", products->count));
	return true;
}

/* Runs a program of the tree; its output goes to the log and comes back. */
static bool run(struct execution *execution, const struct plan_tree *tree,
		const struct plan_proof *proof, int log, int *status, struct view *output,
		struct error *err)
{
	struct arena *arena = execution->arena;
	const char *path = arena_printf(arena, "%s/proof.log", tree->work);
	struct names argv = {0};
	struct sandbox_job job = {.in = tree->work,
				  .home = arena_printf(arena, "%s/home", tree->work),
				  .environment = &proof->environment,
				  .timeout_s = TIMEOUT_S};

	for (size_t i = 0; i < tree->emulator.count; i++)
		names_add(arena, &argv, tree->emulator.items[i]);
	for (size_t i = 0; i < proof->argv.count; i++)
		names_add(arena, &argv, proof->argv.items[i]);
	dprintf(log, "+ prove %s: %s\n", proof->recipe->name, names_join(arena, &argv, " "));
	names_add(arena, &argv, NULL);
	job.argv = argv.items;
	scoped_fd int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return error_errno(err, errno, "%s", path);
	job.log = fd;
	if (!sandbox_run(execution->sandbox, arena, &job, status, err) ||
	    lseek(fd, 0, SEEK_SET) < 0 ||
	    !file_read_fd(arena, fd, path, OUTPUT_MAX_BYTES, output, err))
		return false;
	return file_write_fd(log, "log", *output, err);
}

static bool prove_run(struct execution *execution, const struct plan_tree *tree,
		      const struct plan_proof *proof, int log, struct manifest *manifest,
		      struct error *err)
{
	const char *name = proof->recipe->name;
	struct view output;
	int status;

	if (!run(execution, tree, proof, log, &status, &output, err))
		return false;
	if (status != proof->recipe->status)
		return error_exit(err, EXIT_VERIFY, "%s: %s ended with status %d", name,
				  proof->argv.items[0], status);
	for (size_t i = 0; i < proof->has.count; i++) {
		if (!view_find(output, proof->has.items[i]))
			return error_exit(err, EXIT_VERIFY, "%s: '%s' is missing in its output",
					  name, proof->has.items[i]);
	}
	for (size_t i = 0; i < proof->lacks.count; i++) {
		if (view_find(output, proof->lacks.items[i]))
			return error_exit(err, EXIT_VERIFY, "%s: '%s' is in its output", name,
					  proof->lacks.items[i]);
	}
	proved(execution->arena, manifest, name,
	       proof->has.count ? names_join(execution->arena, &proof->has, ", ") : "ended well");
	return true;
}

bool prove_tree(struct execution *execution, const struct plan_tree *tree, int log,
		struct manifest *manifest, struct error *err)
{
	const struct plan_proof *proofs = tree->proofs.items;

	if (!prove_products(execution, tree, manifest, err))
		return false;
	for (size_t i = 0; i < tree->proofs.count; i++) {
		if (!prove_run(execution, tree, &proofs[i], log, manifest, err))
			return false;
	}
	return true;
}
