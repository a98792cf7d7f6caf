// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

struct arena;

/*
 * Identifiers are taken out as bytes enter the program, before anything is remembered or judged:
 * serial numbers, UUIDs, MAC and IP addresses, host names, keys. Redacted bytes keep their length
 * where a structure depends on it. One row per kind of file; the first whose glob (fnmatch, '*'
 * also matches '/') fits the path decides; other files pass unchanged.
 */
struct redaction {
	const char *glob;
	struct view (*redact)(struct arena *arena, struct view raw);
	const char *what; /* for capture(5) */
};

/* Applied to whole files and to ranges that start at offset 0. */
struct view redact(struct arena *arena, const char *path, struct view raw);
