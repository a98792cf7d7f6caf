// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

struct arena;

/*
 * Rows of host/redact.c for files that set environment variables (systemd units, environment(5),
 * /etc/default, /etc/sysconfig, profile scripts). They hold passwords and addresses: of each line
 * only assignments of OPENSSL_* and LD_* stay, and EnvironmentFile= of known places. Line numbers
 * stay.
 */
struct view redact_environment(struct arena *arena, struct view raw);
/* The same for /etc/systemd, where units of tune stay whole: it compares them with what it wants.
 */
struct view redact_unit(struct arena *arena, struct view raw);
/* Whether a word, quotes taken off, assigns a variable that changes what crypto software does. */
bool environment_is_kept(struct view word);
/* Cuts off quotes, "export", "Environment=" and the like in front of an assignment. */
struct view environment_word(struct view word);
