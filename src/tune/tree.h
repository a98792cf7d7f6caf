// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "tune/tune.h"

#include <sys/stat.h>

/*
 * What tune reads and writes of a tree, beneath it (base/beneath.h). Paths are absolute
 * within the tree. Everything returns 0 or an errno value.
 */
#define TUNE_LINE_MAX ((size_t)4096)
#define TUNE_FILE_MAX ((size_t)64 << 10)

/* A descriptor of a directory within the tree, opened for reading; closed by the caller. */
int tune_tree_directory(const struct tune_tree *tree, const char *path, int *out);
/* A whole regular file; more than `max` bytes is EFBIG. `status` may be NULL. */
int tune_tree_read(struct arena *arena, const struct tune_tree *tree, const char *path, size_t max,
		   struct view *out, struct stat *status);
/* Its first line, trimmed. */
int tune_tree_line(struct arena *arena, const struct tune_tree *tree, const char *path,
		   const char **line);
/* A line into a file that is there, by one write: what a kernel takes as one value. A regular file
 * of a scratch tree holds that line alone afterwards. */
int tune_tree_word(const struct tune_tree *tree, const char *path, const char *line);
/* A file whole or not at all, synced with its directory. The name of the file beside it that a
 * killed run leaves behind is always the same; tune_tree_remove() takes it away too. */
int tune_tree_file(const struct tune_tree *tree, const char *path, mode_t mode, struct view bytes);
int tune_tree_remove(const struct tune_tree *tree, const char *path);
/* That file beside it alone. */
void tune_tree_clean(const struct tune_tree *tree, const char *path);
/* With this mode whatever the umask; one that is there is fine as it is. Only an empty one is
 * removed. */
int tune_tree_folder(const struct tune_tree *tree, const char *path, unsigned mode);
int tune_tree_remove_folder(const struct tune_tree *tree, const char *path);
/* Whether something is there: 0, ENOENT, another errno value. */
int tune_tree_exists(const struct tune_tree *tree, const char *path);
