// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "tune/tune.h"

/* The kinds that are more than a file: done by modprobe(8), systemctl(1), mount(2), on the live
 * machine alone. As in struct kind. */
int kind_make_module(struct arena *arena, const struct tune_tree *tree,
		     const struct tune_change *change, const char *value, const char **why);
int kind_make_service(struct arena *arena, const struct tune_tree *tree,
		      const struct tune_change *change, const char *value, const char **why);
int kind_read_mount(struct arena *arena, const struct tune_tree *tree,
		    const struct tune_change *change, const char **value);
int kind_make_mount(struct arena *arena, const struct tune_tree *tree,
		    const struct tune_change *change, const char *value, const char **why);
/* "pagesize=2M" of what is mounted last on `path` in the text of /proc/mounts; another file
 * system's type; NULL: nothing is. */
const char *kind_mounted(struct arena *arena, struct view mounts, const char *path);
