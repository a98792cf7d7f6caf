// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/root.h"
#include "host/software.h"

#include <ctype.h>
#include <string.h>

#define SCAN_STEP ((size_t)16 << 10)
#define SCAN_MAX ((uint64_t)8 << 20)
#define TEXT_MAX 64
#define NUMBER_FUNCTION "OpenSSL_version_num"

enum { SEGMENT_LOAD = 1, SEGMENT_EXECUTABLE = 1 };

/* OPENSSL_VERSION_NUMBER: 0xMNN00PP0 since 3.0, 0xMNNFFPPS before, PP being the letter. */
static const char *version_of(struct arena *arena, uint64_t number)
{
	unsigned major = number >> 28 & 15, minor = number >> 20 & 255, fix = number >> 12 & 255;
	unsigned patch = number >> 4 & 255;

	if (major >= 3)
		return arena_printf(arena, "%u.%u.%u", major, minor, patch);
	if (patch == 0)
		return arena_printf(arena, "%u.%u.%u", major, minor, fix);
	return arena_printf(arena, "%u.%u.%u%c", major, minor, fix, (char)('a' + patch - 1));
}

/* AWS-LC, BoringSSL and LibreSSL answer with an OpenSSL number too, but version no symbols so. */
static bool has_openssl_versions(struct elf *elf)
{
	const struct elf_defs *defs = elf_version_defs(elf);

	for (size_t i = 0; i < defs->count; i++) {
		const char *name = elf_string(elf, defs->items[i].name);

		if (name && strncmp(name, "OPENSSL_", 8) == 0)
			return true;
	}
	return false;
}

/* " … 2024": a date ends the text, whatever distributions put before it. */
static bool ends_in_year(const char *at, const char *end)
{
	if (end - at < 6 || end[-5] != ' ')
		return false;
	for (int i = 1; i <= 4; i++) {
		if (!isdigit((unsigned char)end[-i]))
			return false;
	}
	return true;
}

/* "OpenSSL 3.0.13 30 Jan 2024", the NUL behind it included in what is looked at. */
static const char *match(struct arena *arena, struct view bytes, const char **evidence)
{
	static const char head[] = "OpenSSL ";
	struct view rest = bytes;
	const char *at;

	while ((at = view_find(rest, head))) {
		size_t left = rest.size - (size_t)(at - rest.at);
		const char *version = at + sizeof(head) - 1, *end = memchr(at, 0, left),
			   *c = version;

		rest = (struct view){at + 1, left - 1};
		if (!end || end - at >= TEXT_MAX)
			continue;
		while (isdigit((unsigned char)*c) || *c == '.')
			c++;
		if (c == version || !isdigit((unsigned char)version[0]))
			continue;
		while (isalnum((unsigned char)*c) || *c == '-')
			c++;
		if (*c != ' ' || !ends_in_year(c, end))
			continue;
		*evidence = text_printable(arena, (struct view){at, (size_t)(end - at)});
		return arena_copy(arena, version, (size_t)(c - version));
	}
	return NULL;
}

static const char *scan_segment(struct elf *elf, const struct elf_segment *segment,
				const char **evidence)
{
	uint64_t end = segment->offset + segment->size;

	if (end < segment->offset || end > elf->size)
		end = elf->size;
	for (uint64_t at = segment->offset; at < end && at - segment->offset < SCAN_MAX;
	     at += SCAN_STEP - TEXT_MAX) {
		struct view bytes;
		const char *version;

		if (root_range(elf->root, elf->path, at, SCAN_STEP, &bytes) != 0)
			return NULL;
		version = match(root_arena(elf->root), bytes, evidence);
		if (version)
			return version;
	}
	return NULL;
}

/* Read-only data first; files whose only segment holds code too are small. */
static const char *scan(struct elf *elf, const char **evidence)
{
	for (uint32_t executable = 0; executable <= SEGMENT_EXECUTABLE; executable++) {
		for (size_t i = 0; i < elf->segment_count; i++) {
			const struct elf_segment *segment = &elf->segments[i];
			const char *version;

			if (segment->type != SEGMENT_LOAD ||
			    (segment->flags & SEGMENT_EXECUTABLE) != executable)
				continue;
			version = scan_segment(elf, segment, evidence);
			if (version)
				return version;
		}
	}
	return NULL;
}

struct openssl openssl_read(struct elf *elf)
{
	struct arena *arena = root_arena(elf->root);
	struct openssl openssl = {0};
	uint64_t number;

	if (has_openssl_versions(elf) && elf_constant(elf, NUMBER_FUNCTION, &number)) {
		openssl.version = version_of(arena, number);
		openssl.evidence = arena_printf(arena, NUMBER_FUNCTION "() is 0x%08llx",
						(unsigned long long)number);
		return openssl;
	}
	openssl.version = scan(elf, &openssl.evidence);
	if (!openssl.version)
		openssl.unknown =
			arena_printf(arena, "%s holds no version text of OpenSSL", elf->path);
	return openssl;
}
