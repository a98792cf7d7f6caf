// SPDX-License-Identifier: BSD-2-Clause
#include "setup/manifest.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"

#include <string.h>

#define NAME_PATTERN "^[A-Za-z0-9][A-Za-z0-9._+~-]*$"
#define KEY_PATTERN "^[0-9a-f]{16}$"
#define SHA256_PATTERN "^[0-9a-f]{64}$"
#define COMMIT_PATTERN "^[0-9a-f]{40}$"
#define NAME_MAX_BYTES 80

#define ROW(struct_name, key_text, kind_of, member, text, ...)                                     \
	{                                                                                          \
		.key = (key_text), .kind = (kind_of), .offset = FIELD(struct struct_name, member), \
		.doc = (text), ##__VA_ARGS__                                                       \
	}
#define WANTED(struct_name, key_text, kind_of, member, text, ...)                                  \
	ROW(struct_name, key_text, kind_of, member, text, .required = true, ##__VA_ARGS__)

static const char *const types[] = {"file", "link", "directory", NULL};

static const struct field compiler_rows[] = {
	ROW(manifest_compiler, "name", FIELD_TEXT, name, "gcc, clang"),
	ROW(manifest_compiler, "version", FIELD_TEXT, version, "as it says"),
	ROW(manifest_compiler, "identity", FIELD_TEXT, identity, "what the key holds of it"),
};
const struct field_table manifest_compiler_table = FIELD_TABLE(
	"manifest-compiler", struct manifest_compiler, compiler_rows, "the compiler that built it");

static const struct field source_rows[] = {
	ROW(manifest_source, "file", FIELD_TEXT, file, "its name", .nullable = true),
	ROW(manifest_source, "url", FIELD_TEXT, url, "where the recipe has it from",
	    .nullable = true),
	ROW(manifest_source, "sha256", FIELD_TEXT, sha256, "of the file; null for git",
	    .nullable = true, .pattern = SHA256_PATTERN),
	ROW(manifest_source, "commit", FIELD_TEXT, commit, "of git; null for a file",
	    .nullable = true, .pattern = COMMIT_PATTERN),
};
static const struct field_table source_table = FIELD_TABLE(
	"manifest-source", struct manifest_source, source_rows, "a source or a patch, by digest");

static const struct field dependency_rows[] = {
	WANTED(manifest_dependency, "name", FIELD_TEXT, name, "name of the tree",
	       .pattern = NAME_PATTERN),
	WANTED(manifest_dependency, "version", FIELD_TEXT, version, "its version",
	       .pattern = NAME_PATTERN),
	WANTED(manifest_dependency, "key", FIELD_TEXT, key, "its key", .pattern = KEY_PATTERN),
};
const struct field_table manifest_dependency_table =
	FIELD_TABLE("manifest-dependency", struct manifest_dependency, dependency_rows,
		    "a tree of the same store that this one needs");

static const struct field library_rows[] = {
	WANTED(manifest_library, "library", FIELD_TEXT, library, "its soname, or a glob of it"),
	WANTED(manifest_library, "version", FIELD_TEXT, version, "its version"),
	ROW(manifest_library, "path", FIELD_TEXT, path, "its file", .nullable = true),
	ROW(manifest_library, "identity", FIELD_TEXT, identity,
	    "what the key holds of it: build-id or sha256, and hex digits", .nullable = true),
};
static const struct field_table library_table =
	FIELD_TABLE("manifest-library", struct manifest_library, library_rows,
		    "a library of the host it was built against");

static const struct field provides_rows[] = {
	ROW(manifest_provides, "pkg-config", FIELD_TEXTS, pkg_config, "modules of pkg-config"),
	ROW(manifest_provides, "libraries", FIELD_TEXTS, libraries, "sonames"),
	ROW(manifest_provides, "commands", FIELD_TEXTS, commands, "programs"),
};
static const struct field_table provides_table = FIELD_TABLE(
	"manifest-provides", struct manifest_provides, provides_rows, "what others use of it");

static const struct field proof_rows[] = {
	WANTED(manifest_proof, "what", FIELD_TEXT, what, "what was tried"),
	WANTED(manifest_proof, "result", FIELD_TEXT, result, "what came of it"),
};
const struct field_table manifest_proof_table =
	FIELD_TABLE("manifest-proof", struct manifest_proof, proof_rows,
		    "one thing shown before the tree was installed");

static const struct field file_rows[] = {
	WANTED(manifest_file, "path", FIELD_TEXT, path, "relative to the tree"),
	WANTED(manifest_file, "type", FIELD_ENUM, type, "file, link or directory", .names = types),
	ROW(manifest_file, "mode", FIELD_TEXT, mode, "permissions; null for a link",
	    .nullable = true, .pattern = "^0[0-7]{3}$"),
	ROW(manifest_file, "size", FIELD_NUMBER, size, "bytes of a file, else 0",
	    .maximum = INT64_C(1) << 53),
	ROW(manifest_file, "sha256", FIELD_TEXT, sha256, "of a file, else null", .nullable = true,
	    .pattern = SHA256_PATTERN),
	ROW(manifest_file, "target", FIELD_TEXT, target, "of a link, else null", .nullable = true),
};
static const struct field_table file_table = FIELD_TABLE(
	"manifest-file", struct manifest_file, file_rows, "a file, link or directory of the tree");

static const struct field manifest_rows[] = {
	WANTED(manifest, "schema", FIELD_TEXT, schema, "name and semantic version of the format",
	       .pattern = "^ampere-crypto/manifest 1\\.[0-9]+\\.[0-9]+$"),
	WANTED(manifest, "name", FIELD_TEXT, name, "of the recipe", .pattern = NAME_PATTERN),
	WANTED(manifest, "version", FIELD_TEXT, version, "of the software",
	       .pattern = NAME_PATTERN),
	WANTED(manifest, "key", FIELD_TEXT, key,
	       "the beginning of a SHA-256 of all that went into it", .pattern = KEY_PATTERN),
	ROW(manifest, "recipe", FIELD_TEXT, recipe, "SHA-256 of the recipe", .nullable = true,
	    .pattern = SHA256_PATTERN),
	ROW(manifest, "license", FIELD_TEXT, license, "SPDX expression; null: not known",
	    .nullable = true),
	WANTED(manifest, "target", FIELD_TEXT, target, "the machine it is for"),
	ROW(manifest, "arch", FIELD_TEXT, arch, "architecture as uname names it"),
	ROW(manifest, "flags", FIELD_TEXTS, flags, "flags for the compiler"),
	ROW(manifest, "compiler", FIELD_INSIDE, compiler, "what built it",
	    .table = &manifest_compiler_table),
	ROW(manifest, "sources", FIELD_ARRAY, sources, "sources", .table = &source_table),
	ROW(manifest, "patches", FIELD_ARRAY, patches, "patches, in order", .table = &source_table),
	ROW(manifest, "dependencies", FIELD_ARRAY, dependencies, "trees it needs",
	    .table = &manifest_dependency_table),
	ROW(manifest, "system", FIELD_ARRAY, system, "libraries of the host it was built against",
	    .table = &library_table),
	WANTED(manifest, "prefix", FIELD_TEXT, prefix, "PREFIX it was built for",
	       .pattern = "^/.*$"),
	ROW(manifest, "relocatable", FIELD_BOOL, relocatable, "works below another PREFIX too"),
	ROW(manifest, "outside", FIELD_TEXTS, outside, "links of the tree that may lead out of it"),
	ROW(manifest, "provides", FIELD_INSIDE, provides, "what others use of it",
	    .table = &provides_table),
	ROW(manifest, "proof", FIELD_ARRAY, proof, "what was shown before it was installed",
	    .table = &manifest_proof_table),
	ROW(manifest, "built", FIELD_TEXT, built, "when, in UTC",
	    .pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"),
	ROW(manifest, "elapsed_s", FIELD_NUMBER, elapsed_s, "how long the build took, in seconds"),
	WANTED(manifest, "files", FIELD_ARRAY, files,
	       "all that is in the tree but this file, sorted by path", .table = &file_table),
};
const struct field_table manifest_table =
	FIELD_TABLE("manifest", struct manifest, manifest_rows,
		    "What is in a tree of the store and where it comes from: "
		    ".ampere-crypto/manifest.json");

static bool name_fits(const char *name)
{
	size_t size = strlen(name);

	return size && size <= NAME_MAX_BYTES && name[0] != '.' && name[0] != '-' &&
	       strspn(name,
		      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+~-") ==
		       size;
}

bool manifest_names_fit(const char *name, const char *version, const char *key)
{
	return name && version && key && name_fits(name) && name_fits(version) &&
	       strlen(key) == 16 && strspn(key, "0123456789abcdef") == 16;
}

/* A relative path without empty, "." and ".." parts. */
static bool path_fits(const char *path)
{
	struct view rest = view_of(path), part;
	size_t size = strlen(path);

	if (!size || size > MANIFEST_PATH_MAX || path[0] == '/' || path[size - 1] == '/')
		return false;
	while (view_split(&rest, '/', &part)) {
		if (!part.size || view_is(part, ".") || view_is(part, ".."))
			return false;
	}
	return true;
}

static bool file_fits(const struct manifest *manifest, size_t i, struct error *err)
{
	const struct manifest_file *file = &manifest->files.items[i];
	bool is_file = strcmp(file->type, "file") == 0, is_link = strcmp(file->type, "link") == 0;

	if (!path_fits(file->path) || strcmp(file->path, MANIFEST_PATH) == 0)
		return error_set(err, "files[%zu]: the path '%s' cannot stand in a manifest", i,
				 file->path);
	if (i && strcmp(manifest->files.items[i - 1].path, file->path) >= 0)
		return error_set(err, "files[%zu]: '%s' stands twice or out of order", i,
				 file->path);
	if (is_file != (file->sha256 != NULL) || is_link != (file->target != NULL) ||
	    is_link != (file->mode == NULL) || (!is_file && file->size) || file->size < 0)
		return error_set(err, "files[%zu]: '%s' is described as no %s can be", i,
				 file->path, file->type);
	if (file->mode && (file->mode[2] & 2 || file->mode[3] & 2))
		return error_set(err, "files[%zu]: '%s' could be written by others (mode %s)", i,
				 file->path, file->mode);
	return true;
}

bool manifest_fits(const struct manifest *manifest, struct error *err)
{
	if (!manifest_names_fit(manifest->name, manifest->version, manifest->key))
		return error_set(err, "name, version or key cannot name a tree");
	if (!manifest->target || !manifest->prefix || manifest->prefix[0] != '/')
		return error_set(err, "a target and an absolute prefix are wanted");
	for (size_t i = 0; i < manifest->dependencies.count; i++) {
		const struct manifest_dependency *one = &manifest->dependencies.items[i];

		if (!manifest_names_fit(one->name, one->version, one->key))
			return error_set(err, "dependencies[%zu]: no such tree can be", i);
	}
	if (manifest->files.count > MANIFEST_FILES_MAX)
		return error_set(err, "more than %d files", MANIFEST_FILES_MAX);
	for (size_t i = 0; i < manifest->files.count; i++) {
		if (!file_fits(manifest, i, err))
			return false;
	}
	return true;
}

bool manifest_parse(struct arena *arena, const char *name, struct view text, struct manifest *out,
		    struct error *err)
{
	struct manifest manifest = {0};
	struct json json;

	if (!json_parse(arena, name, text, &json, err) ||
	    !fields_load(arena, &json, json.top, &manifest_table, &manifest, err))
		return false;
	if (!manifest_fits(&manifest, err))
		return error_context(err, "%s", name);
	*out = manifest;
	return true;
}

struct view manifest_text(struct arena *arena, const struct manifest *manifest)
{
	struct buffer out = buffer_new(arena, MANIFEST_BYTES_MAX);
	struct json_writer writer;

	json_begin(&writer, &out);
	fields_write(&writer, NULL, &manifest_table, manifest);
	json_end(&writer);
	return buffer_view(&out);
}
