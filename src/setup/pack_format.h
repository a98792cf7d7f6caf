// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"

/* The first file of a pack says what is in it; the rest is PACK_TREES/NAME-VERSION-KEY/…: manifest,
 * then files. Directories and links are in the manifest only. */
#define PACK_FILE "pack.json"
#define PACK_TREES "store"
#define PACK_VERSION "1.0.0"
#define PACK_SCHEMA "ampere-crypto/pack " PACK_VERSION
#define PACK_BYTES_MAX ((size_t)1 << 20)
#define PACK_TREES_MAX 256

struct pack_tree {
	const char *name, *version, *key;
	const char *manifest; /* SHA-256 of its manifest */
	bool active;          /* false: there because another one needs it */
};

struct pack {
	const char *schema, *prefix, *target, *arch;
	struct {
		struct pack_tree *items;
		size_t count;
	} trees;
};

extern const struct field_table pack_table;
