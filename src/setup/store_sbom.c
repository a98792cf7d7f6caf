// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/json.h"
#include "setup/sha1.h"
#include "setup/store_private.h"

#include <stdlib.h>
#include <string.h>

/*
 * SPDX 2.3 as JSON: the tree is one package whose files were analysed, its sources and the trees it
 * depends on are packages too. Mandatory (sections 6 to 8): version, licence, identifier, name and
 * namespace of the document, when and by what it was made; name, identifier and download location
 * of a package; name, identifier and SHA-1 of a file; and the verification code where files were
 * analysed. That code and the SHA-1 are kept for readers; what is relied on is SHA-256.
 */

#define LICENCE_OF_DATA "CC0-1.0"
#define PACKAGE "SPDXRef-Package"

static int by_text(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Section 7.9.4: SHA-1 of the sorted SHA-1 of all files, one after the other. */
static const char *verification_code(struct arena *arena, const struct scan *scan)
{
	const char **sums = arena_array(arena, const char *, scan->count + 1);
	char hex[SHA1_HEX_SIZE];
	struct sha1 sha1;
	size_t count = 0;

	for (size_t i = 0; i < scan->count; i++) {
		if (scan->items[i].file.sha256)
			sums[count++] = scan->items[i].sha1;
	}
	qsort(sums, count, sizeof(sums[0]), by_text);
	sha1_start(&sha1);
	for (size_t i = 0; i < count; i++)
		sha1_add(&sha1, sums[i], strlen(sums[i]));
	sha1_end(&sha1, hex);
	return arena_strdup(arena, hex);
}

static void write_checksum(struct json_writer *writer, const char *algorithm, const char *value)
{
	json_object(writer, NULL);
	json_text(writer, "algorithm", algorithm);
	json_text(writer, "checksumValue", value);
	json_close(writer);
}

static void write_creation(struct json_writer *writer, const struct manifest *manifest)
{
	json_object(writer, "creationInfo");
	json_text(writer, "created", manifest->built ? manifest->built : "1970-01-01T00:00:00Z");
	json_array(writer, "creators");
	json_text(writer, NULL, "Tool: ampere-crypto-" AMPERE_CRYPTO_VERSION);
	json_close(writer);
	json_close(writer);
}

/* Where its first source is had from. Git is written as section 7.7.1 wants it. */
static const char *location(struct arena *arena, const struct manifest_source *source)
{
	if (!source->url || !source->url[0])
		return "NOASSERTION";
	if (source->commit)
		return arena_printf(arena, "git+%s@%s", source->url, source->commit);
	return source->url;
}

static void write_tree(struct json_writer *writer, struct arena *arena,
		       const struct manifest *manifest, const struct scan *scan)
{
	json_object(writer, NULL);
	json_text(writer, "SPDXID", PACKAGE);
	json_text(writer, "name", manifest->name);
	json_text(writer, "versionInfo", manifest->version);
	json_text(writer, "downloadLocation",
		  manifest->sources.count ? location(arena, &manifest->sources.items[0])
					  : "NOASSERTION");
	json_bool(writer, "filesAnalyzed", true);
	json_object(writer, "packageVerificationCode");
	json_text(writer, "packageVerificationCodeValue", verification_code(arena, scan));
	json_array(writer, "packageVerificationCodeExcludedFiles");
	json_text(writer, NULL, "./" MANIFEST_SBOM_PATH);
	json_text(writer, NULL, "./" MANIFEST_PATH);
	json_close(writer);
	json_close(writer);
	json_text(writer, "licenseConcluded", "NOASSERTION");
	json_text(writer, "licenseDeclared", manifest->license ? manifest->license : "NOASSERTION");
	json_text(writer, "copyrightText", "NOASSERTION");
	json_text(writer, "sourceInfo",
		  arena_printf(arena, "built for %s with %s %s %s", manifest->target,
			       manifest->compiler.name ? manifest->compiler.name : "a compiler",
			       manifest->compiler.version ? manifest->compiler.version : "",
			       names_join(arena, &manifest->flags, " ")));
	json_close(writer);
}

static void write_other(struct json_writer *writer, const char *id, const char *name,
			const char *version, const char *from, const char *sha256)
{
	json_object(writer, NULL);
	json_text(writer, "SPDXID", id);
	json_text(writer, "name", name);
	if (version)
		json_text(writer, "versionInfo", version);
	json_text(writer, "downloadLocation", from);
	json_bool(writer, "filesAnalyzed", false);
	if (sha256) {
		json_array(writer, "checksums");
		write_checksum(writer, "SHA256", sha256);
		json_close(writer);
	}
	json_close(writer);
}

static const char *source_name(const struct manifest *manifest,
			       const struct manifest_source *source)
{
	return source->file ? source->file : source->url ? source->url : manifest->name;
}

static void write_packages(struct json_writer *writer, struct arena *arena,
			   const struct manifest *manifest, const struct scan *scan)
{
	json_array(writer, "packages");
	write_tree(writer, arena, manifest, scan);
	for (size_t i = 0; i < manifest->sources.count; i++) {
		const struct manifest_source *one = &manifest->sources.items[i];

		write_other(writer, arena_printf(arena, "SPDXRef-Source-%zu", i),
			    source_name(manifest, one), one->commit, location(arena, one),
			    one->sha256);
	}
	for (size_t i = 0; i < manifest->patches.count; i++) {
		const struct manifest_source *one = &manifest->patches.items[i];

		write_other(writer, arena_printf(arena, "SPDXRef-Patch-%zu", i),
			    source_name(manifest, one), NULL, location(arena, one), one->sha256);
	}
	for (size_t i = 0; i < manifest->dependencies.count; i++) {
		const struct manifest_dependency *one = &manifest->dependencies.items[i];

		write_other(writer, arena_printf(arena, "SPDXRef-Dependency-%zu", i), one->name,
			    one->version, "NOASSERTION", NULL);
	}
	json_close(writer);
}

static void write_files(struct json_writer *writer, struct arena *arena, const struct scan *scan)
{
	json_array(writer, "files");
	for (size_t i = 0; i < scan->count; i++) {
		const struct scan_entry *entry = &scan->items[i];

		if (!entry->file.sha256)
			continue;
		json_object(writer, NULL);
		json_text(writer, "SPDXID", arena_printf(arena, "SPDXRef-File-%zu", i));
		json_text(writer, "fileName", arena_printf(arena, "./%s", entry->file.path));
		json_array(writer, "checksums");
		write_checksum(writer, "SHA1", entry->sha1);
		write_checksum(writer, "SHA256", entry->file.sha256);
		json_close(writer);
		json_text(writer, "licenseConcluded", "NOASSERTION");
		json_text(writer, "copyrightText", "NOASSERTION");
		json_close(writer);
	}
	json_close(writer);
}

static void write_relation(struct json_writer *writer, const char *from, const char *type,
			   const char *to)
{
	json_object(writer, NULL);
	json_text(writer, "spdxElementId", from);
	json_text(writer, "relationshipType", type);
	json_text(writer, "relatedSpdxElement", to);
	json_close(writer);
}

static void write_relations(struct json_writer *writer, struct arena *arena,
			    const struct manifest *manifest, const struct scan *scan)
{
	json_array(writer, "relationships");
	write_relation(writer, "SPDXRef-DOCUMENT", "DESCRIBES", PACKAGE);
	for (size_t i = 0; i < manifest->sources.count; i++)
		write_relation(writer, PACKAGE, "GENERATED_FROM",
			       arena_printf(arena, "SPDXRef-Source-%zu", i));
	for (size_t i = 0; i < manifest->patches.count; i++)
		write_relation(writer, arena_printf(arena, "SPDXRef-Patch-%zu", i), "PATCH_APPLIED",
			       PACKAGE);
	for (size_t i = 0; i < manifest->dependencies.count; i++)
		write_relation(writer, PACKAGE, "DEPENDS_ON",
			       arena_printf(arena, "SPDXRef-Dependency-%zu", i));
	for (size_t i = 0; i < scan->count; i++) {
		if (scan->items[i].file.sha256)
			write_relation(writer, PACKAGE, "CONTAINS",
				       arena_printf(arena, "SPDXRef-File-%zu", i));
	}
	json_close(writer);
}

struct view sbom_text(struct arena *arena, const struct manifest *manifest, const struct scan *scan)
{
	const char *name = store_tree_name(arena, manifest->name, manifest->version, manifest->key);
	struct buffer out = buffer_new(arena, MANIFEST_BYTES_MAX);
	struct json_writer writer;

	json_begin(&writer, &out);
	json_object(&writer, NULL);
	json_text(&writer, "spdxVersion", "SPDX-2.3");
	json_text(&writer, "dataLicense", LICENCE_OF_DATA);
	json_text(&writer, "SPDXID", "SPDXRef-DOCUMENT");
	json_text(&writer, "name", name);
	/* Section 6.5: the place for creators without a web site of their own. */
	json_text(&writer, "documentNamespace",
		  arena_printf(arena, "https://spdx.org/spdxdocs/ampere-crypto-%s", name));
	write_creation(&writer, manifest);
	write_packages(&writer, arena, manifest, scan);
	write_files(&writer, arena, scan);
	write_relations(&writer, arena, manifest, scan);
	json_end(&writer);
	return buffer_view(&out);
}
