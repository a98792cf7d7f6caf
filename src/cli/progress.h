// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct cli;
struct execution;

/*
 * What a long command is doing, on standard error: a line per phase on a terminal, a heartbeat a
 * minute elsewhere, nothing with --quiet or --progress never.
 */
struct progress {
	int fd; /* -1: silent */
	bool terminal;
	int64_t started_ms, told_ms;
};

void progress_start(struct progress *progress, struct cli *cli, struct execution *execution);
void progress_end(struct progress *progress);
