// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/loader.h"
#include "setup/ldconf.h"

/* Shared by ldconf.c (decides), ldconf_file.c (text of our files), ldconf_cache.c (what ldconfig
 * would write), ldconf_programs.c (who would load what), ldconf_apply.c (does it). */
enum { LDCONF_FILES = 2 };
extern const char *const ldconf_files[LDCONF_FILES]; /* safe, all */
#define LDCONF_FILE_MAX ((size_t)64 << 10)
#define LDCONF_CONFD "/etc/ld.so.conf.d"
/* How the first line of a file of ours begins. */
#define LDCONF_HEADER "# ampere-crypto setup"

/* ---- ldconf_file.c */

/* Why a path cannot stand in a line; NULL when it can. */
const char *ldconf_line_fault(struct arena *arena, const char *path);
/* The whole file for the entries of a plan; NULL when there are none in it. */
const char *ldconf_file_text(struct arena *arena, const struct ldconf_plan *plan, const char *file);
/* Lines and prefix of a file of ours (comments left out); false when something else stands in it,
 * which *foreign names. */
bool ldconf_file_parse(struct arena *arena, const char *text, struct names *lines,
		       const char **prefix, const char **foreign);

/* ---- ldconf_cache.c */

/* One directory that ldconfig would look into: as the cache names it, and where its files are now.
 */
struct ldconf_directory {
	const char *path, *real;
	bool hwcaps;               /* has a subdirectory glibc-hwcaps */
	struct ldconf_made *items; /* of a full reading */
	size_t count;
};

/* An entry that ldconfig would make of a file. */
struct ldconf_made {
	const char *name, *path, *level; /* of processor; NULL: any */
	uint32_t flags;
	bool link;
};

/* What the cache would be after a change of our files and a run of ldconfig. */
struct ldconf_future {
	struct host *host;
	struct ldso_layout layout;
	struct ldso_hwcaps hwcaps;
	struct ldso_conf conf;
	struct ldconf_directory *directories; /* first wins; the built-in ones at the end */
	size_t count;
	bool full; /* every file was looked at; else only those that are called what is asked for */
	const struct ldconf_future_line *lines;
	size_t line_count;
};

/* A line of ours and the directory that it will lead to. */
struct ldconf_future_line {
	const char *line, *directory;
};

void ldconf_future_read(struct ldconf_future *future, const char *const texts[LDCONF_FILES]);
/* Reads every directory, as ldconfig does: files enter by what they call themselves. */
void ldconf_future_fill(struct ldconf_future *future);
/* For loader_options.cache; paths are those where the files are now. */
bool ldconf_future_find(void *future, const char *name, uint32_t flags,
			const struct ldso_hwcaps *hwcaps, struct ldso_entry *out);
/* A path found so, as the cache will name it. */
const char *ldconf_future_path(const struct ldconf_future *future, const char *path);
/* Names that ldconfig would give a directory's files, and of which machine they are; false when the
 * directory cannot be read. `fault`: ldconfig would write into it. */
struct ldconf_libraries {
	struct names sonames;
	struct elf *first;
	const char *fault;
};
int ldconf_libraries_read(struct host *host, const char *directory,
			  struct ldconf_libraries *libraries);

/* ---- ldconf_programs.c */

/* What every program of the host would load from elsewhere: fills changes and notes; and the
 * refusal when one would not start. */
void ldconf_programs_compare(struct ldconf_future *future, uint32_t flags,
			     const struct names *sonames, struct ldconf_plan *plan);

/* ---- A request on its way to a plan. */

struct ldconf_candidate {
	const struct ldconf_tree *tree;
	const char *line;
	struct names sonames;
	bool built;
	const char *why_not; /* NULL: it gets an entry */
};

struct ldconf_work {
	struct host *host;
	struct arena *arena;
	const struct ldconf_request *request;
	struct ldconf_plan *plan;
	bool all;
	const struct elf *native;     /* a program of this host: its machine and its loader */
	uint32_t flags;               /* of the host's entries in the cache */
	struct ldconf_future without; /* our files taken away */
	struct ldconf_candidate candidates[LDCONF_TREES_MAX];
	struct ldconf_future_line lines[LDCONF_TREES_MAX];
	struct names ours; /* lines that stand in our files now */
};

/* Says so in the plan; returns false. */
bool ldconf_refuse(struct ldconf_work *work, enum exit_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool ldconf_is_below(const char *path, const char *directory);
/* A path in the cache that is there because of us, now or before a run that was cut short. */
bool ldconf_is_ours(const struct ldconf_work *work, const char *path);

/* ldconf_host.c: whether there is a glibc, and a configuration that would read our file; and
 * whether a libcrypto for everybody may be had here. */
bool ldconf_check_glibc(struct ldconf_work *work);
bool ldconf_check_configuration(struct ldconf_work *work);
bool ldconf_check_policies(struct ldconf_work *work);

/* ldconf_choose.c: fills candidates and the plan's entries. */
bool ldconf_choose(struct ldconf_work *work, struct ldconf_future *future);

/* ldconf_owner.c: every part of a path, and of what links on it name, is root's alone to change. */
bool ldconf_check_owner(struct arena *arena, int root, const char *path, struct error *err);

/* Room for one more in an array of `count`: it doubles. */
void *ldconf_room(struct arena *arena, void *items, size_t count, size_t size);
bool ldconf_same_file(struct host *host, const char *a, const char *b);
