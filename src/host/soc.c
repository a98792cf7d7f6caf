// SPDX-License-Identifier: BSD-2-Clause
#include "host/soc.h"

#include "base/arena.h"

#include <errno.h>

#define SOC_BUS "/sys/bus/soc/devices"
#define SOC_DEVICES_MAX 16

static const char *soc_line(struct host *host, const char *dir, const char *file, int *number)
{
	const char *line = host_line(host, arena_printf(host->arena, "%s/%s", dir, file), number);

	return line && *line ? text_printable(host->arena, view_of(line)) : NULL;
}

/* The serial_number file beside these is never opened. */
static bool soc_read(struct host *host, const char *dir, struct soc *soc)
{
	int number;

	soc->id = soc_line(host, dir, "soc_id", &soc->number);
	if (!soc->id)
		return false;
	soc->number = 0;
	soc->id_path = arena_printf(host->arena, "%s/soc_id", dir);
	soc->family = soc_line(host, dir, "family", &number);
	soc->revision = soc_line(host, dir, "revision", &number);
	return true;
}

const struct soc *host_soc(struct host *host)
{
	struct soc *soc;
	struct names devices;
	int number;

	if (host->soc)
		return host->soc;
	soc = arena_new(host->arena, struct soc);
	soc->id_path = "/sys/devices/soc0/soc_id";
	host->soc = soc;
	if (soc_read(host, "/sys/devices/soc0", soc) || soc->number == EACCES)
		return soc;
	number = soc->number;
	if (root_list(host->root, SOC_BUS, &devices) == 0) {
		for (size_t i = 0; i < devices.count && i < SOC_DEVICES_MAX; i++) {
			if (soc_read(host,
				     arena_printf(host->arena, SOC_BUS "/%s", devices.items[i]),
				     soc))
				return soc;
		}
	}
	soc->number = number ? number : ENOENT;
	return soc;
}

static struct value soc_value(struct facts *facts, const char *text, const char *name)
{
	const struct soc *soc = host_soc(facts->host);
	struct value value;

	if (soc->number)
		return value_errno(facts->arena, soc->id_path, soc->number);
	if (!text)
		return value_none(arena_printf(facts->arena, "the soc device has no %s", name));
	value = value_text(text);
	value_cite(facts->arena, &value, soc->id_path, text, CONFIDENCE_DIRECT);
	return value;
}

static struct value soc_family(struct facts *facts, const char *of)
{
	(void)of;
	return soc_value(facts, host_soc(facts->host)->family, "family");
}

static struct value soc_id(struct facts *facts, const char *of)
{
	(void)of;
	return soc_value(facts, host_soc(facts->host)->id, "soc_id");
}

static struct value soc_revision(struct facts *facts, const char *of)
{
	(void)of;
	return soc_value(facts, host_soc(facts->host)->revision, "revision");
}

static const struct fact rows[] = {
	{.name = "soc.family",
	 .summary = "JEP-106 code of the maker (SMCCC SOC_ID, /sys/devices/soc0/family)",
	 .read = soc_family},
	{.name = "soc.id",
	 .summary = "the SoC itself (SMCCC SOC_ID, /sys/devices/soc0/soc_id): jep106:0a16:0001 is "
		    "Altra",
	 .read = soc_id},
	{.name = "soc.revision",
	 .summary = "its revision (SMCCC SOC_ID, /sys/devices/soc0/revision)",
	 .read = soc_revision},
};

const struct fact_table soc_facts = FACT_TABLE(rows);
