// SPDX-License-Identifier: BSD-2-Clause
#include "setup/pack_format.h"

static const struct field tree_rows[] = {
	{.key = "name",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct pack_tree, name),
	 .required = true,
	 .doc = "name of the tree"},
	{.key = "version",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct pack_tree, version),
	 .required = true,
	 .doc = "its version"},
	{.key = "key",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct pack_tree, key),
	 .required = true,
	 .doc = "its key"},
	{.key = "manifest",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct pack_tree, manifest),
	 .required = true,
	 .pattern = "^[0-9a-f]{64}$",
	 .doc = "SHA-256 of its manifest, which has those of its files"},
	{.key = "active",
	 .kind = FIELD_BOOL,
	 .offset = FIELD(struct pack_tree, active),
	 .required = true,
	 .doc = "false: only there because another tree needs it"},
};

static const struct field_table tree_table =
	FIELD_TABLE("pack-tree", struct pack_tree, tree_rows, "a tree of the pack");

static const struct field pack_rows[] = {
	{.key = "schema",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct pack, schema),
	 .required = true,
	 .pattern = "^ampere-crypto/pack 1\\.[0-9]+\\.[0-9]+$",
	 .doc = "name and semantic version of the format"},
	{.key = "prefix",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct pack, prefix),
	 .required = true,
	 .pattern = "^/.*$",
	 .doc = "PREFIX the trees were built for"},
	{.key = "target",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct pack, target),
	 .required = true,
	 .doc = "the machine they are for"},
	{.key = "arch",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct pack, arch),
	 .nullable = true,
	 .doc = "architecture as uname names it"},
	{.key = "trees",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct pack, trees),
	 .required = true,
	 .table = &tree_table,
	 .doc = "the trees, sorted by the names of their directories"},
};

const struct field_table pack_table =
	FIELD_TABLE("pack", struct pack, pack_rows, "What is in a pack: pack.json, its first file");
