// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct error;
struct stat;

/* The program's own files (profiles, waivers, reports, captures); what describes a host is read
 * through host/root. */

/* A descriptor that closes itself at the end of its scope: `scoped_fd int fd = open(…)`. */
void scoped_fd_close(int *fd);
#define scoped_fd __attribute__((cleanup(scoped_fd_close)))

/* The last `max` bytes of a file, or all of them; nothing when it cannot be read. */
struct view file_read_end(struct arena *arena, const char *path, size_t max);

/* A closed standard descriptor would be taken by the next file opened: afterwards input and output
 * of closed ones fail, and what goes to a closed standard error vanishes. Call it first. */
bool file_keep_standard(void);
/* The whole file, at most max bytes; a larger one, a directory and a device are errors. "-" is
 * standard input. */
bool file_read(struct arena *arena, const char *path, size_t max, struct view *out,
	       struct error *err);
/*
 * DIRECTORY/NAME/FILE, which decides what is run: all three belong to root or the caller and nobody
 * else may write there. No write bit for others; one for the group only where its number is the
 * owner's, as that of a private group is. NAME and FILE are no links. Where NAME is not there,
 * *exists is false and no error is set.
 */
bool file_read_owned(struct arena *arena, const char *directory, const char *name, const char *file,
		     size_t max, struct view *out, bool *exists, struct error *err);
/* Everything until end of file from an open descriptor. */
bool file_read_fd(struct arena *arena, int fd, const char *name, size_t max, struct view *out,
		  struct error *err);
/* Written beside the path and renamed, so that a reader sees the old or the new file whole; who may
 * read the old one may read the new one, and nobody else. */
bool file_write(const char *path, struct view bytes, struct error *err);
bool file_exists(const char *path);
/* Whether two paths name one regular file, also one that is yet to be made. */
bool file_is_same(const char *path, const char *other);
/* From the offset of one descriptor to its end, at most max bytes: more is an error. The kernel
 * copies where it can; size_bytes (may be NULL) is what was copied. */
bool file_copy_fd(int from, int to, const char *name, uint64_t max, uint64_t *size_bytes,
		  struct error *err);
/* "DEVICE:INODE:SIZE:MTIME:CTIME" in hex: another one is another file, or other bytes. */
const char *file_identity(struct arena *arena, const struct stat *status)
	__attribute__((returns_nonnull));
bool file_write_fd(int fd, const char *name, struct view bytes, struct error *err);
/* What a path names: two files of one device and number are one. Following links; not opened. */
struct file_look {
	bool directory;
	uint64_t device, number;
};
bool file_look(const char *path, struct file_look *out, struct error *err);
/* Names of a directory's entries that end in `suffix`, sorted. */
bool file_list(struct arena *arena, const char *path, const char *suffix, struct names *out,
	       struct error *err);
/* Where profiles and recipes are: from /proc/self/exe, so that an uninstalled build works. */
const char *file_data_path(struct arena *arena, const char *relative);
/* The helper program ampere-crypto-NAME, found the same way and never through PATH or the
 * environment; where it should be installed when there is none. */
const char *file_helper_path(struct arena *arena, const char *name);
/* A secret, open for reading: `from` is fd:N (duplicated) or a regular file that belongs to the
 * caller and that nobody else may use; NULL: the value of the variable, else *out is -1. The
 * variable is wiped in any case. Nothing of it is read into this process but what the environment
 * held. */
bool file_open_secret(const char *from, const char *variable, int *out, struct error *err);
