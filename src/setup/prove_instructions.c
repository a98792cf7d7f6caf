// SPDX-License-Identifier: BSD-2-Clause
#include "setup/prove_private.h"

#include "base/arena.h"
#include "base/error.h"
#include "catalog/profile.h"
#include "host/instructions.h"
#include "host/root.h"

#include <stdio.h>
#include <string.h>

#define FOREIGN_SHOWN 4

/* Those of the recipe that the CPU has: each must be in one of the files. Counts can only be too
 * high (data that looks like code), so what is missing is missing. */
static bool check_expected(struct proof *proof, const struct names *there, struct error *err)
{
	const struct cpu_profile *profile = proof->execution->plan->request->target->profile;
	const struct names *wanted = &proof->tree->recipe->instructions;

	for (size_t i = 0; i < wanted->count; i++) {
		if (names_has(&profile->expected_instructions, wanted->items[i]) &&
		    !names_has(there, wanted->items[i]))
			return error_exit(err, EXIT_VERIFY,
					  "no %s in %s, which code for %s should have",
					  wanted->items[i],
					  names_join(proof->execution->arena,
						     &proof->tree->recipe->scanned, ", "),
					  profile->title);
	}
	return true;
}

static bool is_used(const struct instruction_family *family, const struct names *probes)
{
	for (size_t i = 0; i < family->function_count; i++) {
		const char *function = family->functions[i].name;

		if (!function || !names_match(probes, function))
			return true;
	}
	return family->unlisted > 0;
}

static void add_found(struct proof *proof, const struct instruction_scan *scan, struct names *there)
{
	const struct names *wanted = &proof->tree->recipe->instructions;

	for (size_t i = 0; i < wanted->count; i++) {
		const struct instruction_family *family = instructions_find(scan, wanted->items[i]);

		if (family && is_used(family, &proof->tree->recipe->probes))
			names_add(proof->execution->arena, there, wanted->items[i]);
	}
}

static bool check_foreign(struct proof *proof, const char *file,
			  const struct instruction_scan *scan, struct error *err)
{
	const struct cpu_profile *profile = proof->execution->plan->request->target->profile;
	struct arena *arena = proof->execution->arena;
	struct names outside = {0};

	instructions_outside(arena, scan, &profile->features_absent,
			     &proof->tree->recipe->dispatched, &outside);
	if (!outside.count)
		return true;
	dprintf(proof->log, "%s: %s\n", file, names_join(arena, &outside, ", "));
	if (outside.count > FOREIGN_SHOWN)
		outside.items[FOREIGN_SHOWN] = "…";
	outside.count = outside.count > FOREIGN_SHOWN ? FOREIGN_SHOWN + 1 : outside.count;
	return error_exit(
		err, EXIT_VERIFY,
		"%s: %s, which %s lacks, outside of functions that are chosen at run time", file,
		names_join(arena, &outside, ", "), profile->title);
}

/* Features of the CPU that the scan knows instructions of. */
static const char *scanned_names(struct arena *arena, const struct instruction_scan *scan,
				 const struct names *features)
{
	struct names known = {0};

	for (size_t i = 0; i < scan->family_count; i++) {
		const char *extension = scan->families[i].extension;

		if (names_has(features, extension) && !names_has(&known, extension))
			names_add(arena, &known, extension);
	}
	return names_join(arena, &known, ", ");
}

static const char *result_of(struct proof *proof, const struct instruction_scan *scan,
			     const struct names *there)
{
	const struct cpu_profile *profile = proof->execution->plan->request->target->profile;
	struct arena *arena = proof->execution->arena;
	const char *found =
		there->count ? names_join(arena, there, ", ") : "none that were looked for";

	if (scan->stripped || !scan->mapped)
		return arena_printf(arena, "unknown: stripped, functions have no names (%s)",
				    found);
	return arena_printf(arena, "%s; no %s outside of functions chosen at run time", found,
			    scanned_names(arena, scan, &profile->features_absent));
}

static bool check_file(struct proof *proof, struct root *root, const char *file, struct names *all,
		       struct error *err)
{
	struct arena *arena = proof->execution->arena;
	const struct instruction_scan *scan;
	struct names there = {0};
	struct elf *elf = elf_read(root, arena_printf(arena, "/%s", file));

	if (elf->number)
		return error_exit(err, EXIT_VERIFY, "%s: %s", file, strerror(elf->number));
	scan = instructions_scan(elf);
	if (scan->damage)
		return error_exit(err, EXIT_VERIFY, "%s: %s", file, scan->damage);
	if (!scan->applicable)
		return error_exit(err, EXIT_VERIFY, "%s: holds no code of AArch64", file);
	add_found(proof, scan, &there);
	add_found(proof, scan, all);
	/* Without names nobody can tell which of them are chosen at run time. */
	if (!scan->stripped && scan->mapped && !check_foreign(proof, file, scan, err))
		return false;
	proof_held(proof, arena_printf(arena, "instructions of %s", file),
		   result_of(proof, scan, &there));
	return true;
}

bool prove_instructions(struct proof *proof, struct error *err)
{
	const struct names *files = &proof->tree->recipe->scanned;
	struct names there = {0};
	struct root *root;
	bool good = true;

	/* Generic builds have no CPU to be compared with. */
	if (!proof->execution->plan->request->target->profile || !files->count)
		return true;
	root = root_open(proof->execution->arena, proof->tree->staged, err);
	if (!root)
		return false;
	for (size_t i = 0; good && i < files->count; i++)
		good = check_file(proof, root, files->items[i], &there, err);
	root_close(root);
	return good && check_expected(proof, &there, err);
}
