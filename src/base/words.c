// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* Words are ids and option names; a longer one is nearest to nothing. */
#define WORD_MAX 64

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Levenshtein's distance, one row at a time. */
static size_t distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
	size_t row[WORD_MAX + 1];

	for (size_t j = 0; j <= b_size; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_size; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_size; j++) {
			size_t above = row[j];
			size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;

			row[j] = smaller(smaller(above, row[j - 1]) + 1, diagonal + cost);
			diagonal = above;
		}
	}
	return row[b_size];
}

bool text_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

const char *text_nearest(const char *word, const char *const *known, size_t count)
{
	size_t size = strlen(word);
	size_t best_distance = 1 + size / 3;
	const char *best = NULL;

	if (!size || size > WORD_MAX)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t known_size = strlen(known[i]);
		size_t found;

		if (known_size > WORD_MAX)
			continue;
		found = distance(word, size, known[i], known_size);
		if (found < best_distance || (found == best_distance && !best)) {
			best_distance = found;
			best = known[i];
		}
	}
	return best;
}

/* Most texts are nothing but printable ASCII. */
static size_t plain_size(struct view raw)
{
	size_t size = 0;

	while (size < raw.size && raw.at[size] >= ' ' && raw.at[size] < 0x7f)
		size++;
	return size;
}

const char *text_printable(struct arena *arena, struct view raw)
{
	struct buffer out = buffer_new(arena, raw.size * 4);

	while (raw.size) {
		uint32_t code;
		size_t size = plain_size(raw);

		buffer_add(&out, raw.at, size);
		raw = (struct view){raw.at + size, raw.size - size};
		if (!raw.size)
			break;
		size = utf8_next(raw, &code);

		if (size && !utf8_is_control(code)) {
			buffer_add(&out, raw.at, size);
		} else {
			size = size ? size : 1;
			for (size_t i = 0; i < size; i++)
				buffer_printf(&out, "\\x%02x", (unsigned char)raw.at[i]);
		}
		raw.at += size;
		raw.size -= size;
	}
	return buffer_string(&out);
}

static int order_u32(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

/* "2-40:1/2", of every two the first; kernel-parameters.rst, "cpu lists". */
static bool read_stride(struct view stride, uint64_t *used, uint64_t *group)
{
	struct view first;

	*used = *group = 1;
	if (!stride.at)
		return true;
	view_split(&stride, '/', &first);
	return view_u64(first, 10, used) && stride.at && view_u64(stride, 10, group) && *used > 0 &&
	       *used <= *group;
}

static bool add_range(struct arena *arena, struct view part, size_t max, uint32_t **cpus,
		      size_t *count, size_t *room)
{
	struct view range, first, last;
	uint64_t low, high, used, group;

	view_split(&part, ':', &range);
	view_split(&range, '-', &first);
	last = range.at ? range : first;
	if (!view_u64(first, 10, &low) || !view_u64(last, 10, &high) || high < low ||
	    high >= UINT32_MAX || high - low >= max - *count || !read_stride(part, &used, &group) ||
	    (part.at && !range.at))
		return false;
	for (uint64_t n = low; n <= high; n++) {
		if ((n - low) % group >= used)
			continue;
		if (*count == *room) {
			size_t bigger = *room ? *room * 2 : 64;
			uint32_t *grown = arena_array(arena, uint32_t, bigger);

			if (*count)
				memcpy(grown, *cpus, *count * sizeof(*grown));
			*cpus = grown;
			*room = bigger;
		}
		(*cpus)[(*count)++] = (uint32_t)n;
	}
	return true;
}

bool text_cpulist(struct arena *arena, struct view list, size_t max, uint32_t **cpus, size_t *count)
{
	struct view rest = view_trim(list), part;
	uint32_t *found = NULL;
	size_t found_count = 0, room = 0, unique = 0;

	while (rest.size && view_split(&rest, ',', &part)) {
		if (!add_range(arena, part, max, &found, &found_count, &room))
			return false;
	}
	if (found_count > 1)
		qsort(found, found_count, sizeof(*found), order_u32);
	for (size_t i = 0; i < found_count; i++) {
		if (!unique || found[unique - 1] != found[i])
			found[unique++] = found[i];
	}
	*cpus = found;
	*count = unique;
	return true;
}

const char *text_ranges(struct arena *arena, const uint32_t *numbers, size_t count)
{
	struct buffer out = buffer_new(arena, (size_t)1 << 16);

	for (size_t i = 0; i < count;) {
		size_t last = i;

		while (last + 1 < count && numbers[last + 1] == numbers[last] + 1)
			last++;
		buffer_printf(&out, "%s%u", i ? "," : "", numbers[i]);
		if (last > i)
			buffer_printf(&out, "-%u", numbers[last]);
		i = last + 1;
	}
	return buffer_string(&out);
}
