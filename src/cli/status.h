// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "setup/ldconf.h"
#include "setup/store.h"

/* What `ampere-crypto status --json` says of one tree, and of all. */
struct status_tree {
	const char *name, *version, *key, *path;
	bool active;
	const char *target, *arch, *built; /* NULL: the manifest cannot be read */
	struct names flags;
	const struct manifest_compiler *compiler;
	struct {
		struct manifest_dependency *items;
		size_t count;
	} dependencies;
	struct {
		struct manifest_proof *items;
		size_t count;
	} proof;
	int64_t elapsed_s;
	bool relocatable;
	struct {
		struct store_difference *items;
		size_t count;
	} differences;
};

struct status_generation {
	int64_t number;
	const char *created, *target;
	struct store_trees trees;
	bool active;
};

struct status_summary {
	const char *prefix, *target;
	int64_t generation, differences;
	bool verified;
	const struct ldconf_state *loader; /* NULL: no entry of ours is there */
	struct {
		struct status_generation *items;
		size_t count;
	} generations;
};

extern const struct field_table status_tree_table, status_summary_table;
