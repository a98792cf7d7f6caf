// SPDX-License-Identifier: BSD-2-Clause
#include "base/clock.h"

#include "base/arena.h"

#include <time.h>

#define TEXT_SIZE 32

static struct tm now_utc(void)
{
	time_t now = time(NULL);
	struct tm parts;

	gmtime_r(&now, &parts);
	return parts;
}

int64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t clock_ms(void)
{
	return clock_ns() / 1000000;
}

const char *clock_utc(struct arena *arena)
{
	const struct tm parts = now_utc();
	char text[TEXT_SIZE];

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
	return arena_strdup(arena, text);
}

const char *clock_utc_day(struct arena *arena)
{
	const struct tm parts = now_utc();
	char text[TEXT_SIZE];

	strftime(text, sizeof(text), "%Y-%m-%d", &parts);
	return arena_strdup(arena, text);
}
