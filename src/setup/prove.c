// SPDX-License-Identifier: BSD-2-Clause
#include "setup/prove_private.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "setup/prove_output.h"
#include "setup/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROOFS_MAX 256
#define OUTPUT_MAX_BYTES ((size_t)1 << 20)
#define TIMEOUT_S 300
#define STATUS_TIMED_OUT 124
#define STATUS_SIGNAL 128
#define LINE_SHOWN_BYTES 200

void proof_held(struct proof *proof, const char *what, const char *result)
{
	struct manifest *manifest = proof->manifest;

	if (!manifest->proof.items)
		manifest->proof.items =
			arena_array(proof->execution->arena, struct manifest_proof, PROOFS_MAX);
	if (manifest->proof.count < PROOFS_MAX)
		manifest->proof.items[manifest->proof.count++] =
			(struct manifest_proof){what, result};
}

static unsigned timeout_s(const struct execution *execution)
{
	return execution->proof_timeout_s ? execution->proof_timeout_s : TIMEOUT_S;
}

/* The emulator of the plan, or the one that its package for other systems brings. */
static const char *emulator_path(struct arena *arena, const struct plan_tree *tree)
{
	const char *name = tree->emulator.items[0];
	const char *path = process_find(arena, name);

	return path ? path : process_find(arena, arena_printf(arena, "%s-static", name));
}

static void add_words(struct arena *arena, struct names *to, const struct names *words, size_t from)
{
	for (size_t i = from; words && i < words->count; i++)
		names_add(arena, to, words->items[i]);
}

static bool command(struct proof *proof, const struct proof_run *run, struct names *out,
		    struct error *err)
{
	struct arena *arena = proof->execution->arena;
	const struct names *emulator = &proof->tree->emulator;

	if (run->emulated && emulator->count) {
		const char *path = emulator_path(arena, proof->tree);

		if (!path)
			return error_set(err, "%s: there is no such program on PATH",
					 emulator->items[0]);
		names_add(arena, out, path);
		add_words(arena, out, emulator, 1);
	}
	add_words(arena, out, run->argv, 0);
	dprintf(proof->log, "+ prove %s: %s\n", run->name, names_join(arena, out, " "));
	names_add(arena, out, NULL);
	return true;
}

bool proof_run(struct proof *proof, struct proof_run *run, struct error *err)
{
	struct arena *arena = proof->execution->arena;
	const char *path = arena_printf(arena, "%s/proof.log", proof->tree->work);
	struct names argv = {0};
	struct sandbox_job job = {.in = proof->tree->work,
				  .home = arena_printf(arena, "%s/home", proof->tree->work),
				  .environment = run->environment,
				  .timeout_s = timeout_s(proof->execution)};

	if (!command(proof, run, &argv, err))
		return false;
	job.argv = argv.items;
	scoped_fd int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return error_errno(err, errno, "%s", path);
	job.log = fd;
	if (!sandbox_run(proof->execution->sandbox, arena, &job, &run->status, err) ||
	    lseek(fd, 0, SEEK_SET) < 0)
		return false;
	if (!file_read_fd(arena, fd, path, OUTPUT_MAX_BYTES, &run->output, NULL))
		return error_exit(err, EXIT_VERIFY, "%s: prints more than %zu bytes", run->name,
				  OUTPUT_MAX_BYTES);
	return file_write_fd(proof->log, "log", run->output, err);
}

/* What a program wrote itself: recipes/loaded.c has the last word. */
static bool is_own(struct view line)
{
	return view_trim(line).size && !view_starts(line, "loaded /");
}

static const char *last_line(struct arena *arena, struct view output)
{
	struct view line, last = {0};

	while (view_line(&output, &line)) {
		if (is_own(line))
			last = view_trim(line);
	}
	if (last.size > LINE_SHOWN_BYTES)
		last.size = LINE_SHOWN_BYTES;
	return last.size ? arena_printf(arena, ": %s", text_printable(arena, last)) : "";
}

const char *proof_ending(struct proof *proof, const struct proof_run *run)
{
	struct arena *arena = proof->execution->arena;

	if (run->status == STATUS_TIMED_OUT)
		return arena_printf(arena, "ran longer than %u seconds",
				    timeout_s(proof->execution));
	if (run->status > STATUS_SIGNAL)
		return arena_printf(arena, "was ended by signal %d (%s)",
				    run->status - STATUS_SIGNAL,
				    strsignal(run->status - STATUS_SIGNAL));
	return arena_printf(arena, "ended with status %d%s", run->status,
			    last_line(arena, run->output));
}

static bool prove_products(struct proof *proof, struct error *err)
{
	struct arena *arena = proof->execution->arena;
	const struct names *products = &proof->tree->recipe->products;

	for (size_t i = 0; i < products->count; i++) {
		const char *path =
			arena_printf(arena, "%s/%s", proof->tree->staged, products->items[i]);

		if (!file_exists(path))
			return error_exit(err, EXIT_VERIFY, "%s was not built", products->items[i]);
	}
	proof_held(proof, "products", arena_printf(arena, "%zu files are there", products->count));
	return true;
}

/* What a run printed: NULL when it is what the recipe wants, else why not. */
static const char *judge(struct arena *arena, const struct plan_proof *wanted, struct view output)
{
	const struct recipe_proof *recipe = wanted->recipe;

	for (size_t i = 0; i < wanted->has.count; i++) {
		if (!view_find(output, wanted->has.items[i]))
			return arena_printf(arena, "'%s' is missing in its output",
					    wanted->has.items[i]);
	}
	for (size_t i = 0; i < wanted->lacks.count; i++) {
		if (view_find(output, wanted->lacks.items[i]))
			return arena_printf(arena, "'%s' is in its output", wanted->lacks.items[i]);
	}
	if (recipe->operations) {
		const char *why = output_rows(arena, output, (uint64_t)recipe->operations);

		if (why)
			return why;
	}
	return recipe->number ? output_number(arena, output, recipe->number, wanted->equals,
					      recipe->ignored)
			      : NULL;
}

static const char *result_of(struct arena *arena, const struct plan_proof *wanted)
{
	const struct recipe_proof *recipe = wanted->recipe;

	if (recipe->operations)
		return arena_printf(arena, "%jd operations, none failed",
				    (intmax_t)recipe->operations);
	if (recipe->number && recipe->ignored)
		return arena_printf(arena, "%s%s, but for the bits %s", recipe->number,
				    wanted->equals, recipe->ignored);
	if (recipe->number)
		return arena_printf(arena, "%s%s", recipe->number, wanted->equals);
	return wanted->has.count
		       ? view_copy(arena, view_trim(view_of(names_join(arena, &wanted->has, ", "))))
		       : "ended well";
}

static bool prove_run(struct proof *proof, const struct plan_proof *wanted, struct error *err)
{
	struct arena *arena = proof->execution->arena;
	struct proof_run run = {.name = wanted->recipe->name,
				.argv = &wanted->argv,
				.environment = &wanted->environment,
				.emulated = true};
	const char *why;

	if (!proof_run(proof, &run, err))
		return false;
	if (run.status != wanted->recipe->status)
		return error_exit(err, EXIT_VERIFY, "%s: %s %s", run.name, wanted->argv.items[0],
				  proof_ending(proof, &run));
	why = judge(arena, wanted, run.output);
	if (why)
		return error_exit(err, EXIT_VERIFY, "%s: %s", run.name, why);
	proof_held(proof, run.name, result_of(arena, wanted));
	return true;
}

static bool prove_runs(struct proof *proof, struct error *err)
{
	const struct plan_proof *proofs = proof->tree->proofs.items;

	for (size_t i = 0; i < proof->tree->proofs.count; i++) {
		if (!prove_run(proof, &proofs[i], err))
			return false;
	}
	return true;
}

bool prove_tree(struct execution *execution, const struct plan_tree *tree, int log,
		struct manifest *manifest, struct error *err)
{
	/* What is read comes before what is run: a wrong file is named, not a crash. */
	static bool (*const proofs[])(struct proof * proof, struct error * err) = {
		prove_products, prove_elf, prove_instructions, prove_smoke, prove_runs};
	struct proof proof = {execution, tree, log, manifest};

	for (size_t i = 0; i < sizeof(proofs) / sizeof(proofs[0]); i++) {
		if (!proofs[i](&proof, err))
			return false;
	}
	return true;
}
