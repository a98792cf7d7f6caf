// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/store.h"

/*
 * Writes the active generation and all it depends on as one uncompressed archive (pax), and back:
 * every file is checked against the manifests before anything is installed (EXIT_VERIFY), a pack
 * for another PREFIX with a tree that is not relocatable and one for another target than `target`
 * (NULL: any) are refused (EXIT_UNSUPPORTED). pack_read() needs the lock; *out is what is active
 * afterwards.
 */
bool pack_write(struct store *store, const char *path, struct error *err);
bool pack_read(struct store *store, const char *path, const char *target, struct generation *out,
	       struct error *err);
