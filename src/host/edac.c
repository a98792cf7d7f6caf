// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/memory.h"

#include <errno.h>

#define EDAC "/sys/devices/system/edac/mc"
#define CONTROLLERS_MAX 64

/*
 * Memory errors since boot as the kernel's EDAC drivers count them (ghes_edac on Ampere, fed by the
 * firmware's APEI tables). Without a controller nothing counts, so zero errors cannot be told from
 * no one looking.
 */
static struct value errors(struct facts *facts, const char *file)
{
	struct names entries = {0};
	struct value value;
	size_t controllers = 0;
	int64_t sum = 0;
	int number = root_list(facts->host->root, EDAC, &entries);

	if (number != 0 && number != ENOENT)
		return value_errno(facts->arena, EDAC, number);
	value = value_number(0);
	for (size_t i = 0; number == 0 && i < entries.count && controllers < CONTROLLERS_MAX; i++) {
		const char *path =
			arena_printf(facts->arena, EDAC "/%s/%s", entries.items[i], file);
		int64_t count;

		if (!view_starts(view_of(entries.items[i]), "mc"))
			continue;
		number = host_number(facts->host, path, &count);
		if (number == ENOENT)
			return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE, "%s does not exist",
					     path);
		if (number != 0)
			return value_errno(facts->arena, path, number);
		controllers++;
		sum += count;
		value_cite(facts->arena, &value, path,
			   arena_printf(facts->arena, "%lld", (long long)count), CONFIDENCE_DIRECT);
	}
	if (controllers == 0)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "no driver counts memory errors: %s has no controller "
				     "(modprobe ghes_edac, or switch APEI on in the firmware)",
				     EDAC);
	value.number = sum;
	return value;
}

static struct value uncorrected(struct facts *facts, const char *of)
{
	(void)of;
	return errors(facts, "ue_count");
}

static struct value corrected(struct facts *facts, const char *of)
{
	(void)of;
	return errors(facts, "ce_count");
}

static const struct fact rows[] = {
	{.name = "memory.errors-uncorrected",
	 .summary = "uncorrected memory errors since boot (EDAC, " EDAC "/mc*/ue_count)",
	 .read = uncorrected},
	{.name = "memory.errors-corrected",
	 .summary = "corrected memory errors since boot (EDAC, " EDAC "/mc*/ce_count)",
	 .read = corrected},
};

const struct fact_table edac_facts = FACT_TABLE(rows);
