// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/fields.h"

#include <stdbool.h>

struct arena;
struct error;

/*
 * What is in a tree of the store and where it comes from: .ampere-crypto/manifest.json. Whoever
 * installs a tree fills all but schema and files. Times are UTC, "2025-01-31T23:59:59Z".
 */

#define MANIFEST_SCHEMA_VERSION "1.0.0"
#define MANIFEST_SCHEMA "ampere-crypto/manifest " MANIFEST_SCHEMA_VERSION
#define MANIFEST_DIRECTORY ".ampere-crypto"
#define MANIFEST_PATH MANIFEST_DIRECTORY "/manifest.json"
#define MANIFEST_SBOM_PATH MANIFEST_DIRECTORY "/sbom.spdx.json"
#define MANIFEST_BYTES_MAX ((size_t)64 << 20)
#define MANIFEST_FILES_MAX 100000
#define MANIFEST_PATH_MAX 1024

struct manifest_compiler {
	const char *name, *version;
	const char *identity; /* what the key holds of it */
};

struct manifest_source {
	const char *file;   /* its name; NULL for git */
	const char *url;    /* where the recipe has it from */
	const char *sha256; /* NULL for git */
	const char *commit; /* of git, NULL otherwise */
};

struct manifest_dependency {
	const char *name, *version, *key;
};

struct manifest_library {
	const char *library, *version; /* soname; what the file's name says */
	const char *path, *identity;   /* the file; what the key holds of it; NULL: not known */
};

struct manifest_provides {
	struct names pkg_config; /* modules: "libcrypto" */
	struct names libraries;  /* sonames: "libcrypto.so.3" */
	struct names commands;
};

struct manifest_proof {
	const char *what, *result;
};

struct manifest_file {
	const char *path;   /* relative to the tree, no dot names */
	const char *type;   /* file, link, directory */
	const char *mode;   /* "0644"; NULL for a link */
	int64_t size;       /* bytes; 0 unless a file */
	const char *sha256; /* of a file, NULL otherwise */
	const char *target; /* of a link, NULL otherwise */
};

struct manifest {
	const char *schema;
	const char *name, *version, *key; /* key: 16 hex digits */
	const char *recipe;               /* SHA-256 of the recipe */
	const char *license;              /* SPDX expression; NULL: not known */
	const char *target, *arch;        /* "ampereone-ac04", "aarch64" */
	struct names flags;
	struct manifest_compiler compiler;
	struct {
		struct manifest_source *items;
		size_t count;
	} sources, patches;
	struct {
		struct manifest_dependency *items;
		size_t count;
	} dependencies;
	struct {
		struct manifest_library *items;
		size_t count;
	} system;             /* libraries of the host it was built against */
	const char *prefix;   /* the PREFIX it was built for, an absolute path */
	bool relocatable;     /* works below another PREFIX too */
	struct names outside; /* links of the tree that may lead out of it: "etc/ssl/certs" */
	struct manifest_provides provides;
	struct {
		struct manifest_proof *items;
		size_t count;
	} proof;
	const char *built;
	int64_t elapsed_s;
	struct {
		struct manifest_file *items;
		size_t count;
	} files; /* sorted by path (bytes); all but the manifest itself */
};

extern const struct field_table manifest_table, manifest_compiler_table, manifest_dependency_table,
	manifest_proof_table;

/* `name` is the file's, for messages. Refuses what no tree of the store can hold: paths that are
 * absolute, have dot names, stand twice or out of order, setuid modes, links without a target. */
bool manifest_parse(struct arena *arena, const char *name, struct view text, struct manifest *out,
		    struct error *err);
/* What manifest_parse() refuses beside the types. */
bool manifest_fits(const struct manifest *manifest, struct error *err);
struct view manifest_text(struct arena *arena, const struct manifest *manifest);
/* Whether these can name a tree: NAME and VERSION of [A-Za-z0-9._+~-], KEY of 16 hex digits. */
bool manifest_names_fit(const char *name, const char *version, const char *key);
