// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/ldso.h"
#include "host/root.h"

#include <limits.h>
#include <string.h>

/* glibc, sysdeps/generic/dl-cache.h. */
#define OLD_MAGIC "ld.so-1.7.0"
#define NEW_MAGIC "glibc-ld.so.cache1.1"
enum { OLD_HEADER = 16, OLD_ENTRY = 12, NEW_HEADER = 48, NEW_ENTRY = 24 };
enum { ENDIAN_MASK = 3, ENDIAN_UNSET = 0, ENDIAN_LITTLE = 2, ENDIAN_BIG = 3 };
#define EXTENSION_MAGIC 0xeaa42174u
enum { EXTENSION_GENERATOR = 0, EXTENSION_HWCAPS = 1, EXTENSIONS_MAX = 64, HWCAPS_MAX = 256 };
/* In the upper half of an entry's hwcap: this bit says that the lower half is an index of the
 * extension's names. */
#define HWCAP_EXTENSION 0x40000000u
#define HWCAP_LEVEL_MASK 0x3ffu

static uint32_t word(const struct ldso_cache *cache, size_t at)
{
	const unsigned char *byte = (const unsigned char *)cache->bytes.at + at;

	if (cache->big_endian)
		return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 |
		       byte[3];
	return (uint32_t)byte[3] << 24 | (uint32_t)byte[2] << 16 | (uint32_t)byte[1] << 8 | byte[0];
}

static const char *string(const struct ldso_cache *cache, uint32_t at)
{
	if (at >= cache->bytes.size || !memchr(cache->bytes.at + at, 0, cache->bytes.size - at))
		return NULL;
	return cache->bytes.at + at;
}

/* The new format stands alone, or behind the old one at the next multiple of 8. */
static const char *find_new(struct ldso_cache *cache, struct view file)
{
	if (view_starts(file, OLD_MAGIC) && file.size >= OLD_HEADER) {
		size_t room = file.size - OLD_HEADER, skip;

		cache->bytes = file;
		uint32_t count = word(cache, 12);
		if (count > room / OLD_ENTRY) {
			cache->big_endian = true;
			count = word(cache, 12);
		}
		if (count > room / OLD_ENTRY)
			return "its old part is cut short";
		skip = (OLD_HEADER + (size_t)count * OLD_ENTRY + 7) & ~(size_t)7;
		if (skip > file.size)
			return "only the format of before glibc 2.2";
		file = (struct view){file.at + skip, file.size - skip};
	}
	if (!view_starts(file, NEW_MAGIC) || file.size < NEW_HEADER)
		return "not a loader cache of glibc 2.2 or later";
	cache->bytes = file;
	return NULL;
}

static void extension_take(struct root *root, struct ldso_cache *cache, size_t section)
{
	uint32_t tag = word(cache, section), at = word(cache, section + 8),
		 size = word(cache, section + 12);

	if (at > cache->bytes.size || size > cache->bytes.size - at)
		return;
	if (tag == EXTENSION_GENERATOR)
		cache->generator =
			text_printable(root_arena(root), (struct view){cache->bytes.at + at, size});
	for (uint32_t i = 0; tag == EXTENSION_HWCAPS && i < size / 4 && i < HWCAPS_MAX; i++) {
		const char *name = string(cache, word(cache, at + (size_t)i * 4));

		names_add(root_arena(root), &cache->hwcaps, name ? name : "");
	}
}

static void extensions_read(struct root *root, struct ldso_cache *cache)
{
	uint32_t at = word(cache, 32), count;

	if (at == 0 || at > cache->bytes.size - 8 || word(cache, at) != EXTENSION_MAGIC)
		return;
	count = word(cache, (size_t)at + 4);
	for (uint32_t i = 0; i < count && i < EXTENSIONS_MAX; i++) {
		size_t section = (size_t)at + 8 + (size_t)i * 16;

		if (section + 16 > cache->bytes.size)
			return;
		extension_take(root, cache, section);
	}
}

void ldso_cache_read(struct root *root, struct ldso_cache *cache)
{
	struct view file;
	unsigned endian;

	cache->number = root_read(root, "/etc/ld.so.cache", &file);
	if (cache->number)
		return;
	cache->damage = find_new(cache, file);
	if (cache->damage)
		return;
	endian = (unsigned char)cache->bytes.at[28] & ENDIAN_MASK;
	if (endian != ENDIAN_UNSET)
		cache->big_endian = endian == ENDIAN_BIG;
	cache->count = word(cache, 20);
	if (cache->count > LDSO_CACHE_ENTRIES_MAX ||
	    cache->count > (cache->bytes.size - NEW_HEADER) / NEW_ENTRY) {
		cache->count = 0;
		cache->damage = "it is cut short";
		return;
	}
	extensions_read(root, cache);
}

bool ldso_cache_entry(const struct ldso_cache *cache, uint32_t index, struct ldso_entry *out)
{
	size_t at = NEW_HEADER + (size_t)index * NEW_ENTRY;
	uint32_t low, high;

	if (index >= cache->count)
		return false;
	low = word(cache, at + (cache->big_endian ? 20 : 16));
	high = word(cache, at + (cache->big_endian ? 16 : 20));
	*out = (struct ldso_entry){
		.flags = word(cache, at),
		.name = string(cache, word(cache, at + 4)),
		.path = string(cache, word(cache, at + 8)),
		.os_version = word(cache, at + 12),
		.hwcap = (uint64_t)high << 32 | low,
	};
	if ((high & ~HWCAP_LEVEL_MASK) == HWCAP_EXTENSION)
		out->subdirectory = low < cache->hwcaps.count ? cache->hwcaps.items[low] : "";
	return out->name && out->path;
}

/* Digits of both names as one number, saturated; the loader's own overflows would only misplace
 * absurd names. */
static int digits(const char **at)
{
	long long number = 0;

	for (; **at >= '0' && **at <= '9'; (*at)++)
		number = number > INT_MAX ? number : number * 10 + (**at - '0');
	return number > INT_MAX ? INT_MAX : (int)number;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The order of the cache (glibc's _dl_cache_libcmp): numbers by value, a digit after any other
 * character. */
static int order(const char *a, const char *b)
{
	while (*a) {
		if (is_digit(*a) && is_digit(*b)) {
			int left = digits(&a), right = digits(&b);

			if (left != right)
				return left < right ? -1 : 1;
		} else if (is_digit(*a) || is_digit(*b)) {
			return is_digit(*a) ? 1 : -1;
		} else if (*a != *b) {
			return (signed char)*a < (signed char)*b ? -1 : 1;
		} else {
			a++;
			b++;
		}
	}
	return *b ? -1 : 0;
}

static bool legacy_fits(const struct ldso_hwcaps *hwcaps, uint64_t wanted)
{
	uint64_t platform = wanted & hwcaps->platform_mask;

	return !(wanted & ~(hwcaps->legacy_bits | hwcaps->platform_mask)) &&
	       (!platform || platform == hwcaps->platform_bit);
}

/* The first of the entries with this name; the cache is in descending order. */
static bool find_first(const struct ldso_cache *cache, const char *name, uint32_t *first)
{
	uint32_t low = 0, high = cache->count;
	struct ldso_entry entry;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (!ldso_cache_entry(cache, middle, &entry))
			return false;
		if (order(name, entry.name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*first = low;
	return ldso_cache_entry(cache, low, &entry) && order(name, entry.name) == 0;
}

static size_t priority(const struct names *subdirectories, const char *name)
{
	size_t at = 0;

	while (at < subdirectories->count && strcmp(subdirectories->items[at], name) != 0)
		at++;
	return at;
}

bool ldso_cache_find(const struct ldso_cache *cache, const char *name, uint32_t flags,
		     const struct ldso_hwcaps *hwcaps, struct ldso_entry *out)
{
	uint32_t index;
	size_t best = hwcaps->named.count;
	struct ldso_entry entry;
	bool found = false;

	if (!flags || !find_first(cache, name, &index))
		return false;
	/* Entries of glibc-hwcaps subdirectories come first; the search ends with the first that is
	 * none. */
	for (; ldso_cache_entry(cache, index, &entry) && order(name, entry.name) == 0; index++) {
		size_t rank;

		if (entry.flags != flags)
			continue;
		if (!entry.subdirectory) {
			if (found)
				return true;
			if (!legacy_fits(hwcaps, entry.hwcap))
				continue;
			*out = entry;
			return true;
		}
		rank = priority(&hwcaps->named, entry.subdirectory);
		if (rank < best) {
			best = rank;
			*out = entry;
			found = true;
		}
	}
	return found;
}
