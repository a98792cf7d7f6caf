// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

/* SHA-256 (FIPS 180-4) as 64 lower-case hex digits, through the libcrypto of this machine, which is
 * opened on first use: a host whose libcrypto is broken still starts the program. */

#define DIGEST_HEX_SIZE 65

/* A running digest; it ends with digest_end, which must be called. */
struct digest;

/* NULL when there is no usable libcrypto; the error names what was tried. */
struct digest *digest_start(struct arena *arena, struct error *err);
void digest_add(struct digest *digest, const void *bytes, size_t size);
/* Frees what libcrypto holds. The text is empty, which no digest is, when libcrypto failed on the
 * way. */
void digest_end(struct digest *digest, char hex[DIGEST_HEX_SIZE]);

bool digest_view(struct arena *arena, struct view bytes, char hex[DIGEST_HEX_SIZE],
		 struct error *err);
/* A whole regular file from its first byte; the descriptor's offset stays. `name` is for messages;
 * size_bytes may be NULL. */
bool digest_fd(struct arena *arena, int fd, const char *name, char hex[DIGEST_HEX_SIZE],
	       uint64_t *size_bytes, struct error *err);
/* Whether a text is a digest as this file writes it: upper case is not. */
bool digest_is(const char *text);
