// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;

/*
 * What the caller wants, one line each, words separated by one TAB:
 *   get ID FD SIZE|- SHA256|- MAX_BYTES URL [URL...]
 * FD is an open descriptor of a regular file, for reading and writing, that may hold the beginning
 * of the bytes. Addresses are tried in this order until one gives the right bytes.
 */

enum address_scheme { ADDRESS_REFUSED, ADDRESS_HTTPS, ADDRESS_FILE };

struct address {
	const char *url;
	const char *shown; /* without a user and password */
	enum address_scheme scheme;
	bool secret;      /* it has a user or password */
	const char *path; /* of ADDRESS_FILE */
};

struct request {
	const char *id;
	int fd;
	bool has_size;
	uint64_t size_bytes, max_bytes; /* max_bytes is the size where that is known */
	const char *sha256;             /* NULL: not known */
	struct address *addresses;
	size_t address_count;
};

struct requests {
	struct request *items;
	size_t count;
};

/* All lines until end of file; the first line that is not a request is wrong usage. */
bool requests_read(struct arena *arena, int fd, struct requests *requests, struct error *err);
