// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* The header of an HTTP reply (RFC 9110): what decides whether its body is wanted. */
#define REPLY_VALIDATOR_SIZE 256

struct reply {
	unsigned status; /* 0: none yet */
	bool has_length, has_range, has_total;
	bool chunked;
	uint64_t length_bytes;       /* Content-Length */
	uint64_t first, total_bytes; /* Content-Range: first byte, size of the whole */
	char entity_tag[REPLY_VALIDATOR_SIZE], modified[REPLY_VALIDATOR_SIZE];
	uint64_t header_bytes; /* of all replies of one try, redirects too */
	bool has_body;         /* the body began: what follows are trailers */
};

/* One header line as it came; a status line begins the next reply. True for the empty line that
 * ends a header. */
bool reply_add(struct reply *reply, struct view line);
/* A strong validator for If-Range (RFC 9110 section 13.1.5), or "". */
const char *reply_validator(const struct reply *reply);
