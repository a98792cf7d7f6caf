// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>

/*
 * Paths opened beneath a directory that may be anybody's, as openat2(2) with RESOLVE_IN_ROOT opens
 * them: links and ".." end at that directory, whatever is renamed meanwhile, and magic links are
 * EXDEV. Where the call is not to be had (Linux before 5.6, a seccomp filter) the path is walked
 * component by component; see beneath.c for what both do alike.
 */
struct beneath {
	int fd;      /* of the directory, the caller's */
	bool walk;   /* no openat2 here */
	bool strict; /* for the caller to set: what would leave it is EXDEV (RESOLVE_BENEATH) */
};

struct beneath beneath_of(int fd);
/* A descriptor (O_CLOEXEC), or -1 with errno. Opens what is there: O_CREAT and O_TMPFILE are
 * EINVAL. With O_NOFOLLOW a last link is not followed. */
int beneath_open(const struct beneath *top, const char *path, int flags);
