// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdint.h>

struct arena;

/* CLOCK_MONOTONIC: for spans of time only, it has no date (clock_gettime(2)). */
int64_t clock_ns(void);
int64_t clock_ms(void);

/* The present moment in UTC: "2026-01-31T23:59:59Z", and its day alone (RFC 3339). */
const char *clock_utc(struct arena *arena);
const char *clock_utc_day(struct arena *arena);
