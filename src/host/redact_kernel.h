// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

struct arena;

/*
 * Rows of host/redact.c for /proc/cmdline and for limits.conf(5). A kernel command line holds root
 * file systems, addresses and passwords: only values of parameters in a list of known settings are
 * kept, every other value and bare word becomes REDACTED. Of the limits only memlock lines stay,
 * without the names of users and groups.
 */
struct view redact_cmdline(struct arena *arena, struct view raw);
struct view redact_limits(struct arena *arena, struct view raw);
/* /proc/version: who built the kernel, and where. */
struct view redact_version(struct arena *arena, struct view raw);

/* /proc/mounts: only huge page file systems stay; others name servers, users and disks. */
struct view redact_mounts(struct arena *arena, struct view raw);
/* /proc/cpuinfo: boards with a device tree show their serial number in it. */
struct view redact_cpuinfo(struct arena *arena, struct view raw);
/* ld.so.conf: what stands behind '#'; the lines stay where they are. */
struct view redact_comments(struct arena *arena, struct view raw);
/* /proc/PID/comm: only names of programs that facts ask for. */
struct view redact_comm(struct arena *arena, struct view raw);

/* The next word of a command line; blanks inside double quotes do not separate (lib/cmdline.c,
 * next_arg). */
bool cmdline_word(struct view *rest, struct view *word);

/* limits.conf(5): "unlimited", "infinity" and "-1". */
bool limit_is_infinite(struct view value);
