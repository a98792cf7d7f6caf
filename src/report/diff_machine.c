// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "report/diff_private.h"

/* What does not change on one machine without somebody opening it. */
static const char *const fixed[] = {
	"arch", "family", "sku", "machine.vendor", "cpus", "machine.product", "virtualization.vm"};
static const char *const circumstances[] = {"kernel", "firmware.version", "page_size_bytes"};

/* "altra Q80-30, 80 CPUs, aarch64" */
static const char *describe(struct arena *arena, const struct results *results)
{
	const char *family = results_member(&results->host, "family");
	const char *sku = results_member(&results->host, "sku");
	const char *cpus = results_member(&results->host, "cpus");
	const char *arch = results_member(&results->host, "arch");
	const char *product = results_member(&results->host, "machine.product");

	return arena_printf(arena, "%s%s%s, %s CPUs, %s%s%s", family ? family : "unknown",
			    sku ? " " : "", sku ? sku : "", cpus ? cpus : "unknown",
			    arch ? arch : "unknown", product ? ", " : "", product ? product : "");
}

/* Values that only one of them knows tell nothing. */
static bool differs(const struct results *before, const struct results *after, const char *path)
{
	const char *old = results_member(&before->host, path);
	const char *new = results_member(&after->host, path);

	return old && new && !text_same(old, new);
}

const char *diff_machines(struct arena *arena, const struct results *before,
			  const struct results *after)
{
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++) {
		if (differs(before, after, fixed[i]))
			return arena_printf(arena,
					    "the results are of different machines (%s): %s is of "
					    "%s, %s of %s",
					    fixed[i], before->name, describe(arena, before),
					    after->name, describe(arena, after));
	}
	return NULL;
}

const char *diff_system(struct arena *arena, const struct results *before,
			const struct results *after)
{
	for (size_t i = 0; i < sizeof(circumstances) / sizeof(circumstances[0]); i++) {
		if (differs(before, after, circumstances[i]))
			return arena_printf(arena, "%s was %s, it is %s now", circumstances[i],
					    results_member(&before->host, circumstances[i]),
					    results_member(&after->host, circumstances[i]));
	}
	return NULL;
}
