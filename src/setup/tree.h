// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <sys/types.h>

struct arena;
struct error;

/* Directories below a descriptor. No link is ever followed, names of others are never trusted; on
 * failure errno tells. */

/* Opens a directory (O_RDONLY) by a relative path, one part at a time; "" is a new descriptor of
 * `at` itself. -1: not there, a link, or no directory. */
int tree_open(int at, const char *path);
/* The directory that holds the last part of a relative path, and that part in *name. */
int tree_open_parent(int at, const char *path, const char **name);
/* A regular file for reading; ELOOP for a link, EINVAL for anything else. */
int tree_open_file(int at, const char *path);
/* Names in a directory without "." and "..", sorted by bytes. */
bool tree_list(struct arena *arena, int directory, struct names *out);
/* 0755 whatever the umask; true when it is there already. */
bool tree_make(int at, const char *name);
/* Removes whatever stands under the name, with all below it; true when it was not there. What is
 * mounted there stays. Depth does not matter. */
bool tree_delete(int at, const char *name);
/* Removes all entries of a directory; false when one is left. */
bool tree_empty(int directory);
/* Makes what was changed in a directory last; true where the file system knows no such thing. */
bool tree_sync(int directory);
/* A new file, 0644 whatever the umask, written and synced; replaces a file of that name. */
bool tree_write(int at, const char *name, struct view bytes, struct error *err);
/* Makes a symbolic link in place of what had the name, by one rename. */
bool tree_link(int at, const char *name, const char *target);
/* The target of a link, NULL when it is none. */
const char *tree_read_link(struct arena *arena, int at, const char *name);
