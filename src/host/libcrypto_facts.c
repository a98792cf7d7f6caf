// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/software.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#define CRYPTO "libcrypto.so*"

static const char *version_of(struct elf *elf)
{
	struct openssl openssl = openssl_read(elf);

	return openssl.version ? openssl.version : "version not known";
}

/* The distribution's own file of a name, NULL when it has none. */
struct elf *software_distribution_copy(struct host *host, const struct loader_run *run,
				       const char *name)
{
	for (size_t i = 0; i < run->layout.dir_count; i++) {
		struct elf *elf = loader_elf(
			host, arena_printf(host->arena, "%s/%s", run->layout.dirs[i], name));

		if (!elf->number && !elf->damage && elf->bits == run->elf->bits &&
		    elf->machine == run->elf->machine)
			return elf;
	}
	return NULL;
}

static void add_missing(struct facts *facts, const struct software_program *program,
			struct names *faults)
{
	for (size_t i = 0; i < program->run->count; i++) {
		const struct loader_object *object = program->run->objects[i];

		if (!object->path)
			names_add(facts->arena, faults,
				  arena_printf(facts->arena, "%s: %s is not found", program->path,
					       object->name));
	}
}

/* "/opt/ssl/bin/openssl loads /lib/…/libcrypto.so.3 (3.0.13), which lacks OPENSSL_3.2.0, …" */
static void add_versions(struct facts *facts, const struct software_program *program,
			 struct names *faults)
{
	const struct loader_run *run = program->run;

	for (size_t i = 0; i < run->version_count; i++) {
		const struct loader_version *first = &run->versions[i];
		struct buffer text = buffer_new(facts->arena, 4096);
		bool crypto = first->from->elf->soname &&
			      fnmatch(CRYPTO, first->from->elf->soname, 0) == 0;

		if (i && run->versions[i - 1].object == first->object &&
		    run->versions[i - 1].from == first->from)
			continue;
		buffer_text(&text, program->path);
		if (first->object != run->objects[0])
			buffer_printf(&text, " with %s", first->object->path);
		buffer_printf(&text, " loads %s", first->from->path);
		if (crypto)
			buffer_printf(&text, " (OpenSSL %s)", version_of(first->from->elf));
		buffer_printf(&text, ", which lacks %s", first->version);
		for (size_t j = i + 1;
		     j < run->version_count && run->versions[j].object == first->object &&
		     run->versions[j].from == first->from;
		     j++)
			buffer_printf(&text, ", %s", run->versions[j].version);
		names_add(facts->arena, faults, buffer_string(&text));
	}
}

static bool is_distributions(const char *path)
{
	return strncmp(path, "/usr/local/", 11) != 0 && strncmp(path, "/opt/", 5) != 0;
}

static void add_shadow(struct facts *facts, const struct software_program *program,
		       struct names *faults)
{
	const struct loader_object *crypto = program->libcrypto;
	struct elf *own;

	if (!crypto || !crypto->path || !is_distributions(program->path) ||
	    loader_is_default(&program->run->layout, crypto->path))
		return;
	own = software_distribution_copy(facts->host, program->run,
					 crypto->elf->soname ? crypto->elf->soname : crypto->name);
	if (!own || own == crypto->elf)
		return;
	names_add(facts->arena, faults,
		  arena_printf(
			  facts->arena,
			  "%s loads %s (OpenSSL %s, found by %s), not the distribution's %s (%s)",
			  program->path, crypto->path, version_of(crypto->elf), crypto->reason,
			  own->path, version_of(own)));
}

static void cite_winners(struct facts *facts, struct value *value)
{
	const struct software *software = host_software(facts->host);

	for (size_t i = 0; i < software->program_count; i++) {
		const struct software_program *program = &software->programs[i];

		if (program->libcrypto && program->libcrypto->path)
			value_cite(facts->arena, value, program->libcrypto->path,
				   arena_printf(facts->arena, "%s, by %s", program->path,
						program->libcrypto->reason),
				   CONFIDENCE_INFERRED);
	}
}

static const struct loader_run *first_unknown(const struct software *software)
{
	for (size_t i = 0; i < software->program_count; i++) {
		if (software->programs[i].run->unknown)
			return software->programs[i].run;
	}
	return NULL;
}

static struct value read_programs(struct facts *facts, const char *of)
{
	const struct software *software = host_software(facts->host);
	const struct loader_run *unknown = first_unknown(software);
	struct names list = {0};
	struct value value;

	(void)of;
	for (size_t i = 0; i < software->program_count; i++) {
		const struct software_program *program = &software->programs[i];

		if (program->libcrypto)
			names_add(facts->arena, &list,
				  arena_printf(facts->arena, "%s: %s", program->path,
					       program->libcrypto->path ? program->libcrypto->path
									: "not found"));
	}
	if (!list.count && unknown)
		return value_unknown(facts->arena, software_unknown(unknown->unknown_number),
				     "%s: %s", unknown->program, unknown->unknown);
	if (!list.count)
		return value_none("no known program that loads libcrypto is installed");
	value = value_list(list);
	cite_winners(facts, &value);
	return value;
}

static struct value read_faults(struct facts *facts, const char *of)
{
	const struct software *software = host_software(facts->host);
	const struct loader_run *unknown = first_unknown(software);
	struct names faults = {0};
	struct value value;

	(void)of;
	for (size_t i = 0; i < software->program_count; i++) {
		const struct software_program *program = &software->programs[i];

		/* What was not seen may be what seems to be missing. */
		if (program->run->unknown)
			continue;
		if (program->run->failure)
			names_add(facts->arena, &faults,
				  arena_printf(facts->arena, "%s: the loader stops at %s",
					       program->path, program->run->failure));
		add_missing(facts, program, &faults);
		add_versions(facts, program, &faults);
		add_shadow(facts, program, &faults);
	}
	if (!faults.count && unknown)
		return value_unknown(facts->arena, software_unknown(unknown->unknown_number),
				     "%s: %s", unknown->program, unknown->unknown);
	value = value_list(faults);
	cite_winners(facts, &value);
	return value;
}

static const struct fact rows[] = {
	{.name = "software.libcrypto-programs",
	 .summary = "known programs that need libcrypto, each with the file the loader would take",
	 .read = read_programs},
	{.name = "software.libcrypto-faults",
	 .summary = "programs that would not start for a missing library or symbol version, and "
		    "programs of the distribution that load a foreign libcrypto",
	 .read = read_faults},
};

const struct fact_table libcrypto_facts = FACT_TABLE(rows);
