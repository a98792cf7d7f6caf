// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "bench/bench.h"
#include "cli/progress_line.h"

/*
 * What bench is doing, on a line of progress: "aes-gcm-128 crypto_openssl: measure [####....] 43 %,
 * 0:17 left". Programs (--progress fd:N) get "bench", phase, what, units done, units, seconds left
 * (-1: not known), separated by tabs.
 */
struct bench_display {
	struct cli *cli;
	struct progress_line line;
	struct buffer text;
	struct bench_progress now; /* phase NULL: nothing yet */
	int64_t now_ms;            /* when that was said */
	const char *raw, *what;    /* the unit, and as it is shown */
};

void bench_display_start(struct bench_display *display, struct cli *cli);
void bench_display_tell(struct bench_display *display, const struct bench_progress *progress);
/* To be called often; draws when it is time. */
void bench_display_tick(struct bench_display *display);
void bench_display_end(struct bench_display *display);
/* What the line says; `what` is printable. */
void bench_display_text(struct buffer *out, const struct bench_progress *progress);
