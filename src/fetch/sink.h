// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct digest;
struct error;

/* The file that bytes go to, and the digest of what is in it so far. Every byte is read or written
 * once: what an earlier try left is hashed first, then bytes are hashed as they arrive. */
struct sink {
	struct arena *arena;
	int fd;
	uint64_t have_bytes;
	struct digest *digest;
};

/* keep_max_bytes: a file that holds more than that is emptied. */
bool sink_open(struct sink *sink, struct arena *arena, int fd, uint64_t keep_max_bytes,
	       struct error *err);
bool sink_add(struct sink *sink, const void *bytes, size_t size, struct error *err);
/* Throw away what is there. */
bool sink_empty(struct sink *sink, struct error *err);
/* The digest of everything; afterwards only sink_empty and sink_close are possible. */
void sink_digest(struct sink *sink, char *hex);
/* The descriptor stays open: it is the caller's. */
void sink_close(struct sink *sink);
