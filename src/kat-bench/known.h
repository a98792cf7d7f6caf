// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stddef.h>

/* A published vector, all in hex digits; NULL is empty. */
struct known {
	const char *kind, *source;
	const char *key, *iv, *aad, *in;
	const char *tag;  /* of what is opened; the signature of what is verified */
	const char *peer; /* of a key agreement */
	const char *out;  /* all that one operation gives, tag included */
};

struct known_table {
	const struct known *rows;
	size_t count;
};

extern const struct known_table known_ciphers;
