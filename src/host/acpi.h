// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"
#include "host/host.h"

#define ACPI_TABLES "/sys/firmware/acpi/tables"
#define ACPI_DOMAINS_MAX 1024
#define ACPI_HEADER_BYTES ((size_t)36)

/* One table that was read: sound only when signature, length and checksum are right. `number` is
 * the errno of reading it. */
struct acpi_table {
	const char *path;
	int number;
	const char *damage; /* NULL: sound */
	struct view bytes;  /* as long as the table says */
};

struct acpi_domain {
	uint32_t id;
	size_t cpus, memories;
};

/*
 * What the firmware tells the kernel of processors, caches and distances (ACPI 6.5: PPTT 5.2.30,
 * SRAT 5.2.16, SLIT 5.2.17). The tables need root; their names do not.
 */
struct acpi {
	int names_number;   /* errno of the list; ENOENT: no ACPI here */
	struct names names; /* of the tables present */
	struct acpi_table pptt, srat, slit;
	size_t packages;             /* PPTT: nodes that are a physical package */
	unsigned cache_levels;       /* PPTT: the highest level any CPU reaches; 0: not known */
	uint64_t l3_bytes;           /* PPTT: size of a level 3 cache, 0 when not given */
	struct acpi_domain *domains; /* SRAT: enabled entries only */
	size_t domain_count;
	size_t localities; /* SLIT: its matrix is localities × localities bytes */
	const unsigned char *distances;
};

const struct acpi *host_acpi(struct host *host);
/* What is wrong with a table; NULL when it is sound, and *out is then cut to the length it states.
 */
const char *acpi_table_damage(struct view raw, const char *signature, struct view *out);
/* For tests and fuzzing: fills what one table gives. */
void acpi_parse_pptt(struct acpi *acpi, struct view raw);
void acpi_parse_srat(struct arena *arena, struct acpi *acpi, struct view raw);
void acpi_parse_slit(struct acpi *acpi, struct view raw);

extern const struct fact_table acpi_facts;
