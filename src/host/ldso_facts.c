// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/software.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

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
	own = software_distribution_copy(facts->host, run, soname);
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

	/* A file that could not be read may put the distribution's directory first. */
	if (conf->number || cache->number || cache->damage)
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

/* Without a cache no directory of ld.so.conf has any effect. */
static void add_cache(struct facts *facts, const struct ldso_conf *conf, struct value *value)
{
	const struct ldso_cache *cache = &host_loader(facts->host)->cache;
	const char *fault = NULL;

	if (cache->number == ENOENT && conf->directory_count)
		fault = "there is no /etc/ld.so.cache: ldconfig was never run";
	if (cache->damage)
		fault = arena_printf(facts->arena, "/etc/ld.so.cache: %s; run ldconfig",
				     cache->damage);
	if (!fault)
		return;
	names_add(facts->arena, &value->list, fault);
	value_cite(facts->arena, value, "/etc/ld.so.cache", NULL, CONFIDENCE_DIRECT);
}

/* What was looked at when nothing is wrong. */
static void cite_looked_at(struct facts *facts, const struct ldso_conf *conf, struct value *value)
{
	const struct ldso_cache *cache = &host_loader(facts->host)->cache;
	struct names directories = {0};

	for (size_t i = 0; i < conf->directory_count && i < 16; i++)
		names_add(facts->arena, &directories, conf->directories[i].path);
	value_cite(facts->arena, value, "/etc/ld.so.conf",
		   names_join(facts->arena, &directories, ", "), CONFIDENCE_DIRECT);
	if (cache->number == 0)
		value_cite(facts->arena, value, "/etc/ld.so.cache",
			   arena_printf(facts->arena, "%u entries", cache->count),
			   CONFIDENCE_DIRECT);
}

static struct value read_conf(struct facts *facts, const char *of)
{
	const struct ldso_cache *cache = &host_loader(facts->host)->cache;
	const struct loader_run *run = any_run(facts->host);
	struct ldso_conf conf;
	struct value value = value_list((struct names){0});

	(void)of;
	ldso_conf_read(facts->host->root, &conf);
	if (conf.number == ENOENT)
		return value_none("there is no /etc/ld.so.conf");
	add_problems(facts, &conf, &value);
	add_cache(facts, &conf, &value);
	for (size_t i = 0; run && i < sizeof(sonames) / sizeof(sonames[0]); i++) {
		add_outranked(facts, &conf, run, sonames[i], &value);
		add_stale(facts, &conf, run, sonames[i], &value);
	}
	if (!value.list.count && conf.number)
		return value_unread(facts->arena, conf.unread, conf.number);
	if (!value.list.count && cache->number && cache->number != ENOENT)
		return value_unread(facts->arena, "/etc/ld.so.cache", cache->number);
	if (!value.list.count)
		cite_looked_at(facts, &conf, &value);
	return value;
}

static const struct fact rows[] = {
	{.name = "software.ld-so-conf-faults",
	 .summary = "lines of ld.so.conf that do nothing, and directories in it that take "
		    "libcrypto or "
		    "libssl from the distribution",
	 .read = read_conf},
};

const struct fact_table ldso_facts = FACT_TABLE(rows);
