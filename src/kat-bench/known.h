// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* A published vector, all in hex digits; NULL is empty. */
struct known {
	const char *kind, *source;
	const char *key, *iv, *aad, *in;
	const char *tag;  /* of what is opened; the signature of what is verified */
	const char *peer; /* of a key agreement */
	const char *out;  /* all that one operation gives, tag included; NULL: it is random */
};

struct known_table {
	const struct known *rows;
	size_t count;
};

extern const struct known_table known_ciphers, known_digests, known_keys;

/* The vectors of a case one by one: the first for NULL; NULL: there are no more. */
const struct known *known_next(const char *kind, const struct known *before);
