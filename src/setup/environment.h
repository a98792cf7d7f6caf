// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/store.h"

/*
 * What makes other programs find the active trees: directories of programs (PATH), of .pc files
 * (PKG_CONFIG_PATH) and of shared libraries (LD_LIBRARY_PATH), as PREFIX/current/NAME/….
 */
struct environment {
	struct names programs, pkg_config, libraries;
	const char *arch; /* the trees are for, NULL: none are active */
};

/* An error for a PREFIX that has a colon: no such variable can hold it. */
bool environment_read(struct store *store, struct environment *out, struct error *err);
/* Lines for a POSIX shell that extend the variables; the last one only when wanted. */
const char *environment_lines(struct arena *arena, const struct environment *environment,
			      bool library_path);
/* "DIR:DIR:VALUE" for a variable that has VALUE now (NULL or empty: none). */
const char *environment_extend(struct arena *arena, const struct names *directories,
			       const char *value);
