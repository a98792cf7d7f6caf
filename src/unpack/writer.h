// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/error.h"
#include "unpack/name.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/*
 * Makes files, directories and links below one directory, each relative to a descriptor of its
 * parent that was opened without following a link (openat2 with RESOLVE_BENEATH and
 * RESOLVE_NO_SYMLINKS, component by component where the kernel has none), and only what is not
 * there yet. Modes are 0644, 0755 and 0755 under a umask of 022, which is the caller's to set.
 * Errors speak of the cause alone; the caller names the entry.
 */
#define WRITER_PARENTS 8

struct writer {
	int top; /* the directory; -1: nothing is made and everything succeeds */
	bool has_openat2;
	unsigned turn;
	struct writer_parent {
		int fd;
		size_t size;
		char path[UNPACK_PATH_MAX];
	} parents[WRITER_PARENTS];
};

/* Whether this kernel has openat2; to be asked before it may no longer be. */
bool writer_has_openat2(int top);
/* `top` stays the caller's. */
void writer_init(struct writer *writer, int top);
void writer_release(struct writer *writer);

/* Of the first `count` components the first `known` are directories; the others are made. */
bool writer_directories(struct writer *writer, const struct name *name, size_t known, size_t count,
			struct error *err);
/* A new empty file, its parent being there. */
bool writer_open(struct writer *writer, const struct name *name, bool is_executable, int *fd,
		 struct error *err);
bool writer_write(int fd, struct view bytes, uint64_t offset, struct error *err);
/* Sets the size where the end is a hole, the time unless NULL, and closes, also after an error. */
bool writer_close(int fd, const uint64_t *size_bytes, const struct timespec *modified,
		  struct error *err);
bool writer_symlink(struct writer *writer, const struct name *name, const char *target,
		    struct error *err);
/* `target` is a regular file of this run; where the file system cannot link, it is copied if it is
 * not larger than *left_bytes, which becomes less by it. */
bool writer_hardlink(struct writer *writer, const struct name *name, const struct name *target,
		     uint64_t *left_bytes, struct error *err);
