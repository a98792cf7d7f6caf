// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>

/* The sanitizers' own memory and calls do not fit into limits made for the program. */
#ifdef __has_feature
#define CONFINE_HAS_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CONFINE_HAS_SANITIZER 1
#else
#define CONFINE_HAS_SANITIZER 0
#endif

/*
 * Gives up, for this process and for good, what unpacking does not need: new privileges, every file
 * but those below `destination` (Landlock), and every system call but those of a table (seccomp).
 * What this kernel does not offer is told in `missing`, a text; "" when all is there.
 */
void confine(int destination, bool has_openat2, struct buffer *missing);

/* NULL, or why the kernel took it not. */
const char *confine_files(int destination);
const char *confine_calls(bool has_openat2);
