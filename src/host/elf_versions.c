// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/elf.h"
#include "host/root.h"

#include <string.h>

/* Symbol versioning: LSB core, "Symbol versioning". Verneed and Verdef entries are the same in
 * ELF32 and ELF64. */
enum { NEED_SIZE = 16, NEED_AUX_SIZE = 16, DEF_SIZE = 20, DEF_AUX_SIZE = 8 };
enum { FLAG_BASE = 1, FLAG_WEAK = 2 };

uint32_t elf_version_hash(const char *version)
{
	/* The System V hash, gABI "Hash table". */
	uint32_t hash = 0;
	for (const unsigned char *c = (const unsigned char *)version; *c; c++) {
		hash = (hash << 4) + *c;
		hash ^= hash >> 24 & 0xf0;
		hash &= 0x0fffffff;
	}
	return hash;
}

static bool need_file(struct elf *elf, struct elf_needs *needs, uint64_t offset, const uint8_t *at)
{
	const char *file = elf_string(elf, elf_number(elf, at + 4, 4));
	uint64_t count = elf_number(elf, at + 2, 2);
	uint64_t aux = offset + elf_number(elf, at + 8, 4);
	if (!file)
		return false;
	for (uint64_t i = 0; i < count; i++) {
		if (needs->count == ELF_VERSIONS_MAX || !elf_bytes(elf, aux, NEED_AUX_SIZE, &at))
			return false;
		uint64_t next = elf_number(elf, at + 12, 4);
		struct elf_need *need = &needs->items[needs->count];
		*need = (struct elf_need){
			.file = file,
			.hash = (uint32_t)elf_number(elf, at, 4),
			.weak = elf_number(elf, at + 4, 2) & FLAG_WEAK,
			.version = elf_string(elf, elf_number(elf, at + 8, 4)),
		};
		if (!need->version)
			return false;
		needs->count++;
		if (next == 0)
			return true;
		aux += next;
	}
	return true;
}

/* The number of entries first, so that the array has the right size; a chain longer than it says is
 * damage. */
static uint64_t needs_count(struct elf *elf)
{
	uint64_t offset = elf->version_needs, total = 0;
	const uint8_t *at;
	for (uint64_t i = 0; i < elf->version_needs_count && total <= ELF_VERSIONS_MAX; i++) {
		if (!elf_bytes(elf, offset, NEED_SIZE, &at))
			return total;
		total += elf_number(elf, at + 2, 2);
		uint64_t next = elf_number(elf, at + 12, 4);
		if (next == 0)
			return total;
		offset += next;
	}
	return total;
}

const struct elf_needs *elf_version_needs(struct elf *elf)
{
	if (elf->needs)
		return elf->needs;
	struct elf_needs *needs = arena_new(root_arena(elf->root), struct elf_needs);
	uint64_t offset = elf->version_needs, total = needs_count(elf);
	elf->needs = needs;
	if (elf->version_needs == 0 || elf->damage)
		return needs;
	if (total > ELF_VERSIONS_MAX) {
		needs->damaged = true;
		return needs;
	}
	needs->items = arena_array(root_arena(elf->root), struct elf_need, total + 1);
	for (uint64_t i = 0; i < elf->version_needs_count; i++) {
		const uint8_t *at;
		if (!elf_bytes(elf, offset, NEED_SIZE, &at)) {
			needs->damaged = true;
			return needs;
		}
		uint64_t next = elf_number(elf, at + 12, 4);
		if (needs->count + elf_number(elf, at + 2, 2) > total ||
		    !need_file(elf, needs, offset, at)) {
			needs->damaged = true;
			return needs;
		}
		if (next == 0)
			return needs;
		offset += next;
	}
	return needs;
}

const struct elf_defs *elf_version_defs(struct elf *elf)
{
	if (elf->defs)
		return elf->defs;
	struct elf_defs *defs = arena_new(root_arena(elf->root), struct elf_defs);
	uint64_t offset = elf->version_defs;
	elf->defs = defs;
	if (elf->version_defs == 0 || elf->damage)
		return defs;
	if (elf->version_defs_count > ELF_VERSIONS_MAX) {
		defs->damaged = true;
		return defs;
	}
	defs->items =
		arena_array(root_arena(elf->root), struct elf_def, elf->version_defs_count + 1);
	for (uint64_t i = 0; i < elf->version_defs_count; i++) {
		const uint8_t *at, *aux;
		if (!elf_bytes(elf, offset, DEF_SIZE, &at) ||
		    !elf_bytes(elf, offset + elf_number(elf, at + 12, 4), DEF_AUX_SIZE, &aux)) {
			defs->damaged = true;
			return defs;
		}
		if (!(elf_number(elf, at + 2, 2) & FLAG_BASE))
			defs->items[defs->count++] = (struct elf_def){
				.hash = (uint32_t)elf_number(elf, at + 8, 4),
				.name = (uint32_t)elf_number(elf, aux, 4),
			};
		uint64_t next = elf_number(elf, at + 16, 4);
		if (next == 0)
			return defs;
		offset += next;
	}
	return defs;
}

bool elf_defines(struct elf *elf, const char *version, uint32_t hash)
{
	const struct elf_defs *defs = elf_version_defs(elf);
	for (size_t i = 0; i < defs->count; i++) {
		if (defs->items[i].hash != hash)
			continue;
		const char *name = elf_string(elf, defs->items[i].name);
		if (name && strcmp(name, version) == 0)
			return true;
	}
	return false;
}
