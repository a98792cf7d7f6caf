// SPDX-License-Identifier: BSD-2-Clause
#include "host/elf.h"

#include <string.h>

/* DT_GNU_HASH: bucket count, first symbol, Bloom words and shift, Bloom filter, buckets, chains (32
 * bits each). */
#define CHAIN_MAX 1024u

static uint32_t gnu_hash(const char *name)
{
	uint32_t hash = 5381;
	for (const unsigned char *c = (const unsigned char *)name; *c; c++)
		hash = hash * 33 + *c;
	return hash;
}

static bool word_at(struct elf *elf, uint64_t offset, uint32_t *out)
{
	const uint8_t *at;
	if (!elf_bytes(elf, offset, 4, &at))
		return false;
	*out = (uint32_t)elf_number(elf, at, 4);
	return true;
}

/* True when symbol `index` has the name and is defined. */
static bool symbol_is(struct elf *elf, uint32_t index, const char *name, uint64_t *address,
		      uint64_t *size)
{
	bool wide = elf->bits == 64;
	unsigned entry = wide ? 24 : 16, word = wide ? 8 : 4;
	const uint8_t *at;
	if (!elf_bytes(elf, elf->symbols + (uint64_t)index * entry, entry, &at))
		return false;
	uint64_t section = elf_number(elf, at + (wide ? 6 : 14), 2);
	uint64_t value = elf_number(elf, at + (wide ? 8 : 4), word);
	uint64_t bytes = elf_number(elf, at + (wide ? 16 : 8), word);
	const char *found = elf_string(elf, elf_number(elf, at, 4));
	if (section == 0 || !found || strcmp(found, name) != 0)
		return false;
	*address = value;
	*size = bytes;
	return true;
}

bool elf_symbol(struct elf *elf, const char *name, uint64_t *address, uint64_t *size)
{
	const uint8_t *at;
	uint32_t hash = gnu_hash(name), index, chain;
	if (elf->damage || !elf->gnu_hash || !elf->symbols ||
	    !elf_bytes(elf, elf->gnu_hash, 16, &at))
		return false;
	uint64_t buckets = elf_number(elf, at, 4), first = elf_number(elf, at + 4, 4);
	uint64_t bloom = elf_number(elf, at + 8, 4) * (elf->bits / 8);
	uint64_t bucket_at = elf->gnu_hash + 16 + bloom, chain_at = bucket_at + buckets * 4;
	if (buckets == 0 || !word_at(elf, bucket_at + hash % buckets * 4, &index) || index < first)
		return false;
	for (unsigned i = 0; i < CHAIN_MAX; i++, index++) {
		if (!word_at(elf, chain_at + (index - first) * 4, &chain))
			return false;
		if ((chain | 1) == (hash | 1) && symbol_is(elf, index, name, address, size))
			return true;
		if (chain & 1)
			return false;
	}
	return false;
}

/* "endbr64; mov eax, constant; ret" and "xor eax, eax; ret" (Intel SDM, opcodes B8+rd, 31 /r, C3).
 */
static bool constant_x86_64(const uint8_t *code, size_t size, uint64_t *number)
{
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	if (size >= sizeof(endbr64) && memcmp(code, endbr64, sizeof(endbr64)) == 0) {
		code += sizeof(endbr64);
		size -= sizeof(endbr64);
	}
	if (size >= 6 && code[0] == 0xb8 && code[5] == 0xc3) {
		*number = code[1] | (uint64_t)code[2] << 8 | (uint64_t)code[3] << 16 |
			  (uint64_t)code[4] << 24;
		return true;
	}
	if (size >= 3 && (code[0] == 0x31 || code[0] == 0x33) && code[1] == 0xc0 &&
	    code[2] == 0xc3) {
		*number = 0;
		return true;
	}
	return false;
}

/* "bti c; movz x0, …; movk x0, …, lsl n; ret" (Arm ARM, C6.2: MOVZ, MOVK, BTI, RET). */
static bool constant_aarch64(const uint8_t *code, size_t size, uint64_t *number)
{
	uint64_t result = 0;
	bool set = false;
	for (size_t at = 0; at + 4 <= size && at < 32; at += 4) {
		uint32_t word = code[at] | (uint32_t)code[at + 1] << 8 |
				(uint32_t)code[at + 2] << 16 | (uint32_t)code[at + 3] << 24;
		unsigned shift = (word >> 21 & 3) * 16;
		uint64_t part = (uint64_t)(word >> 5 & 0xffff) << shift;
		if (word == 0xd65f03c0) {
			*number = result;
			return set;
		}
		if ((word & 0x7f80001f) == 0x52800000) {
			result = part;
			set = true;
		} else if ((word & 0x7f80001f) == 0x72800000 && set) {
			result = (result & ~((uint64_t)0xffff << shift)) | part;
		} else if (word != 0xd503245f) {
			return false;
		}
	}
	return false;
}

bool elf_constant(struct elf *elf, const char *function, uint64_t *number)
{
	uint64_t address, size, offset;
	const uint8_t *code;
	if (!elf_symbol(elf, function, &address, &size) || !elf_offset(elf, address, &offset))
		return false;
	if (size == 0 || size > 64)
		return false;
	if (!elf_bytes(elf, offset, (size_t)size, &code))
		return false;
	if (elf->machine == ELF_MACHINE_X86_64)
		return constant_x86_64(code, (size_t)size, number);
	if (elf->machine == ELF_MACHINE_AARCH64)
		return constant_aarch64(code, (size_t)size, number);
	return false;
}
