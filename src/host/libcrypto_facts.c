// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/software.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#define CRYPTO "libcrypto.so*"
#define DIRECTORIES_LOOKED_AT 64

/* Files of distributions name directories that need not exist. */
static const char *const distribution_files[] = {
	"*/libc.conf",
	"*-linux-gnu*.conf",
	"*biarch-compat.conf",
};

/* Sonames that a second copy must not take from the distribution unnoticed. */
static const char *const sonames[] = {
	"libcrypto.so.3",
	"libssl.so.3",
	"libcrypto.so.1.1",
	"libssl.so.1.1",
};

static const char *version_of(struct elf *elf)
{
	struct openssl openssl = openssl_read(elf);

	return openssl.version ? openssl.version : "version not known";
}

/* The distribution's own file of a name, NULL when it has none. */
static struct elf *distribution_copy(struct host *host, const struct loader_run *run,
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
	own = distribution_copy(facts->host, program->run,
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

/* ---- ld.so.conf */

static bool is_distribution_file(const char *file)
{
	for (size_t i = 0; i < sizeof(distribution_files) / sizeof(distribution_files[0]); i++) {
		if (fnmatch(distribution_files[i], file, 0) == 0)
			return true;
	}
	return false;
}

static bool is_expected(const struct ldso_problem *problem)
{
	return strcmp(problem->why, "there is no such directory") == 0 &&
	       is_distribution_file(problem->file);
}

static void add_problems(struct facts *facts, const struct ldso_conf *conf, struct value *value)
{
	for (size_t i = 0; i < conf->problem_count; i++) {
		const struct ldso_problem *problem = &conf->problems[i];
		const char *text;

		if (is_expected(problem))
			continue;
		text = problem->line
			       ? arena_printf(facts->arena, "%s:%u: %s: %s", problem->file,
					      problem->line, problem->text, problem->why)
			       : arena_printf(facts->arena, "%s %s", problem->file, problem->why);
		names_add(facts->arena, &value->list, text);
		value_cite(facts->arena, value, problem->file, problem->text, CONFIDENCE_DIRECT);
	}
}

static const struct ldso_directory *directory_of(const struct ldso_conf *conf, const char *path)
{
	size_t size = (size_t)(strrchr(path, '/') - path);

	for (size_t i = 0; i < conf->directory_count; i++) {
		if (strlen(conf->directories[i].path) == size &&
		    strncmp(conf->directories[i].path, path, size) == 0)
			return &conf->directories[i];
	}
	return NULL;
}

/* A program that shows the architecture and layout; NULL when there is none. */
static const struct loader_run *any_run(struct host *host)
{
	const struct software *software = host_software(host);

	for (size_t i = 0; i < software->program_count; i++) {
		if (software->programs[i].run->layout.dir_count)
			return software->programs[i].run;
	}
	return NULL;
}

static void add_outranked(struct facts *facts, const struct ldso_conf *conf,
			  const struct loader_run *run, const char *soname, struct value *value)
{
	const struct ldso_cache *cache = &host_loader(facts->host)->cache;
	const struct ldso_hwcaps none = {0};
	const struct ldso_directory *directory;
	struct ldso_entry entry;
	struct elf *own;

	if (cache->number || cache->damage ||
	    !ldso_cache_find(cache, soname, ldso_cache_flags(run->elf->machine, run->elf->bits),
			     &none, &entry) ||
	    loader_is_default(&run->layout, entry.path))
		return;
	own = distribution_copy(facts->host, run, soname);
	directory = directory_of(conf, entry.path);
	if (!own)
		return;
	names_add(facts->arena, &value->list,
		  arena_printf(facts->arena, "%s outranks the distribution's %s%s%s", entry.path,
			       own->path, directory ? ": named by " : "",
			       directory ? directory->file : ""));
	value_cite(facts->arena, value, "/etc/ld.so.cache",
		   arena_printf(facts->arena, "%s => %s", soname, entry.path), CONFIDENCE_DIRECT);
}

/* A library that ldconfig has not seen yet, in a directory that comes before the winner's. */
static void add_stale(struct facts *facts, const struct ldso_conf *conf,
		      const struct loader_run *run, const char *soname, struct value *value)
{
	const struct ldso_cache *cache = &host_loader(facts->host)->cache;
	const struct elf *winner = NULL;
	const struct ldso_hwcaps none = {0};
	struct ldso_entry entry;

	if (cache->number || cache->damage)
		return;
	if (ldso_cache_find(cache, soname, ldso_cache_flags(run->elf->machine, run->elf->bits),
			    &none, &entry))
		winner = loader_elf(facts->host, entry.path);
	for (size_t i = 0; i < conf->directory_count && i < DIRECTORIES_LOOKED_AT; i++) {
		const char *path =
			arena_printf(facts->arena, "%s/%s", conf->directories[i].path, soname);
		const struct elf *elf = loader_elf(facts->host, path);

		if (elf == winner)
			return;
		if (elf->number || elf->damage || elf->machine != run->elf->machine)
			continue;
		names_add(facts->arena, &value->list,
			  arena_printf(facts->arena,
				       "%s is not in /etc/ld.so.cache: when ldconfig runs it wins",
				       path));
		value_cite(facts->arena, value, conf->directories[i].file,
			   conf->directories[i].path, CONFIDENCE_DIRECT);
		return;
	}
}

static struct value read_conf(struct facts *facts, const char *of)
{
	const struct loader_run *run = any_run(facts->host);
	struct ldso_conf conf;
	struct value value = value_list((struct names){0});

	(void)of;
	ldso_conf_read(facts->host->root, &conf);
	if (conf.number == ENOENT)
		return value_none("there is no /etc/ld.so.conf");
	add_problems(facts, &conf, &value);
	for (size_t i = 0; run && i < sizeof(sonames) / sizeof(sonames[0]); i++) {
		add_outranked(facts, &conf, run, sonames[i], &value);
		add_stale(facts, &conf, run, sonames[i], &value);
	}
	if (!value.list.count && conf.number)
		return value_unread(facts->arena, conf.unread, conf.number);
	if (!value.list.count && host_loader(facts->host)->cache.number &&
	    host_loader(facts->host)->cache.number != ENOENT)
		return value_unread(facts->arena, "/etc/ld.so.cache",
				    host_loader(facts->host)->cache.number);
	for (size_t i = 0; !value.list.count && i < conf.directory_count; i++)
		value_cite(facts->arena, &value, conf.directories[i].file, conf.directories[i].path,
			   CONFIDENCE_DIRECT);
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
	{.name = "software.ld-so-conf-faults",
	 .summary = "lines of ld.so.conf that do nothing, and directories in it that take "
		    "libcrypto or "
		    "libssl from the distribution",
	 .read = read_conf},
};

const struct fact_table libcrypto_facts = FACT_TABLE(rows);
