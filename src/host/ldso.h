// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct elf;
struct host;
struct root;

/*
 * What glibc's dynamic loader is configured with on a host: /etc/ld.so.cache, /etc/ld.so.conf (read
 * as ldconfig reads it), /etc/ld.so.preload, and what is compiled into it. Source: ld.so(8),
 * ldconfig(8), and the file formats of glibc's dl-cache.h (2.2 to 2.41).
 */
#define LDSO_CONF_FILES_MAX 256
#define LDSO_CONF_DEPTH_MAX 8
#define LDSO_DIRECTORIES_MAX 1024
#define LDSO_CACHE_ENTRIES_MAX 262144

/* What is compiled into the loader of one architecture and distribution layout. */
struct ldso_layout {
	bool glibc;          /* false: another C library, whose loader is not modelled */
	const char *dirs[4]; /* default directories, in order */
	size_t dir_count;
	const char *interp; /* PT_INTERP, or the architecture's usual one; NULL */
	const char *lib;    /* $LIB */
	const char *reason; /* how that is known */
	int number;         /* errno value of finding out; then dirs are empty */
};

/* The layout of the loader that PT_INTERP names (NULL: the architecture's usual one), told by where
 * that file really is. */
struct ldso_layout ldso_layout(struct host *host, const struct elf *elf);

/* Subdirectories of every library directory, as far as this CPU has what they are for; best first.
 */
struct ldso_hwcaps {
	bool known;           /* false: /proc/cpuinfo could not be read */
	struct names named;   /* of "glibc-hwcaps": x86-64-v4 … */
	struct names legacy;  /* up to glibc 2.36: tls, haswell, …; every combination is tried */
	const char *platform; /* $PLATFORM; NULL */
	/* The same as bits of the cache entries that glibc up to 2.36 wrote for them. */
	uint64_t legacy_bits, platform_mask, platform_bit;
};

struct ldso_hwcaps ldso_hwcaps(struct host *host, uint16_t machine);

/* ld.so.cache, formats "1.1" alone and after the old one. Entries stay in the file's bytes. */
struct ldso_cache {
	int number;         /* errno value of /etc/ld.so.cache */
	const char *damage; /* why it cannot be used; NULL */
	struct view bytes;  /* from the new header on */
	bool big_endian;
	uint32_t count;
	struct names hwcaps;   /* of the extension section, by index */
	const char *generator; /* "ldconfig (Debian GLIBC …) …"; NULL */
};

struct ldso_entry {
	const char *name, *path;
	uint32_t flags, os_version;
	uint64_t hwcap;
	const char *subdirectory; /* of glibc-hwcaps; NULL */
};

void ldso_cache_read(struct root *root, struct ldso_cache *cache);
bool ldso_cache_entry(const struct ldso_cache *cache, uint32_t index, struct ldso_entry *out);
/* What the loader of an architecture takes for a name; false when nothing fits. */
bool ldso_cache_find(const struct ldso_cache *cache, const char *name, uint32_t flags,
		     const struct ldso_hwcaps *hwcaps, struct ldso_entry *out);
/* The entry kind of an architecture; 0 when its cache flags are not known here. */
uint32_t ldso_cache_flags(uint16_t machine, unsigned bits);

/* One directory of ld.so.conf, and where it is named. */
struct ldso_directory {
	const char *path, *file;
	unsigned line;
};

/* A line that does not do what its writer meant. */
struct ldso_problem {
	const char *file;
	unsigned line;    /* 0: the whole file */
	const char *text; /* the line, printable; NULL */
	const char *why;
};

struct ldso_conf {
	int number;         /* errno value of /etc/ld.so.conf, or of what it includes */
	const char *unread; /* the path that could not be read; NULL */
	struct ldso_directory *directories;
	size_t directory_count;
	struct ldso_problem *problems;
	size_t problem_count;
};

void ldso_conf_read(struct root *root, struct ldso_conf *conf);

/* A file as it would be: its new text, or NULL for one that is taken away. */
struct ldso_edit {
	const char *path, *text;
};

/* What ldconfig would read if these files were changed first. */
void ldso_conf_read_edited(struct root *root, const struct ldso_edit *edits, size_t count,
			   struct ldso_conf *conf);

/* Names in /etc/ld.so.preload; blanks and colons separate (ld.so(8)). ENOENT: there is none. */
int ldso_preload(struct root *root, struct names *out);
