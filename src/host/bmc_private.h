// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct arena;
struct error;

#define BMC_LINE_MAX 4096

/* The helper at work (src/fetch/bmc.h has its lines). */
struct bmc_helper {
	struct arena *arena;
	const char *program;
	pid_t pid; /* 0: not running */
	int questions, answers, body;
	char line[BMC_LINE_MAX];
	struct view words[3];
	size_t word_count;
};

bool bmc_helper_start(struct bmc_helper *helper, const char *origin, const char *authorities,
		      int credentials_fd, struct error *err);
/* Sends a line and waits for the answer in `words`; false: the helper is gone. */
bool bmc_helper_ask(struct bmc_helper *helper, const char *verb, const char *path);
/* The body of the last reply. */
bool bmc_helper_body(const struct bmc_helper *helper, uint64_t size_bytes, struct view *out);
/* Ends its input, waits until the session is closed. */
void bmc_helper_end(struct bmc_helper *helper);
