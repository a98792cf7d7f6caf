// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/sources.h"

/* For the files of sources only. */

#define SOURCES_NOTES_MAX 128

/* NAME.git (a bare repository) or NAME.bundle of a mirror's directory. */
struct mirror_git {
	const char *path;
	bool bundle;
};

bool sources_is_address(const char *mirror);
/* PREFIX/cache/NAME */
const char *sources_cached(const struct sources *sources, const char *name);
void sources_note(struct sources *sources, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Files and repositories of a mirror's directory (sources_mirror.c). */
bool mirror_list(struct sources *sources, const char *directory, struct error *err);
/* A file of the mirrors with these bytes; where the size is known only files of it are read. */
struct source_file *mirror_find(struct sources *sources, const char *digest, int64_t size);
/* Copies until the bytes of a copy are right; false with err->text empty when no file has them. */
bool mirror_copy(struct sources *sources, const struct plan_source *source, struct error *err);
/* A small file of the mirrors, whole; false when it cannot be had. */
bool mirror_read(struct sources *sources, const struct source_file *file, size_t max,
		 struct view *out);

/* Digests of mirrors' files that an earlier run has read, PREFIX/cache/mirrors: lines of identity,
 * blank, digest. Damage costs time, nothing else: what counts is the digest of the copy. */
void digests_load(struct sources *sources);
const char *digests_find(const struct sources *sources, const char *identity);
void digests_save(struct sources *sources);

/* What one run of the fetching helper is to bring (sources_fetch.c). */
struct wanted_file {
	const struct plan_source *source;
	const char *name; /* of the file, for people */
	const char *part; /* where the bytes go, may be there in part */
	const char *path; /* where they go when they are right */
	bool optional;    /* a signature: its absence is no failure */
	int fd;
	uint64_t bytes, total_bytes;
	bool done, ended;
	const char *from;    /* the address that gave it */
	const char *failure; /* kind */
	const char *text;
};

bool download_files(struct sources *sources, struct wanted_file *files, size_t count,
		    struct error *err);

/* Whether upstream's signature of a file of the cache is good (sources_signature.c). */
bool signature_check(struct sources *sources, const struct plan_source *source, const char **result,
		     struct error *err);

/* Commits (sources_git.c, sources_commit.c). */
bool git_is_cached(const struct sources *sources, const char *commit);
const struct mirror_git *git_mirrored(const struct sources *sources, const char *commit);
bool git_fetch(struct sources *sources, const struct recipe_git *git, struct error *err);
/* A cached commit is what its name says, and whole; it is removed when not. */
bool git_check(struct sources *sources, const struct recipe_git *git, struct error *err);
/* Whether a repository's objects, or a bundle's header, have the commit. */
bool commit_is_in(const struct sources *sources, const struct mirror_git *from, const char *commit);
/* Makes cache/COMMIT.git of the objects of a repository that others wrote. */
bool commit_keep(struct sources *sources, const char *repository, const char *commit,
		 struct error *err);
