// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "bench/dpdk.h"

#include <string.h>

#define KEY(member)                                                                                \
	{                                                                                          \
#member, offsetof(struct dpdk_vector, member)                                      \
	}

static const struct {
	const char *key;
	size_t offset;
} keys[] = {
	KEY(plaintext), KEY(cipher_key), KEY(auth_key), KEY(aead_key), KEY(cipher_iv),
	KEY(auth_iv),   KEY(aead_iv),    KEY(aad),      KEY(digest),
};

static int64_t *find(struct dpdk_vector *vector, struct view name)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (view_is(name, keys[i].key))
			return (int64_t *)(void *)((char *)vector + keys[i].offset);
	}
	return NULL;
}

static int64_t count_bytes(struct view line)
{
	struct view part;
	int64_t count = 0;

	while (view_split(&line, ',', &part))
		count += view_trim(part).size > 0;
	return count;
}

/* "key =" and bytes between commas, on that line and those that follow; "[section]". */
void dpdk_vector_read(struct arena *arena, struct view text, struct dpdk_vector *out)
{
	struct view rest = text, line;
	int64_t *count = NULL;

	*out = (struct dpdk_vector){.text = text};
	while (view_line(&rest, &line)) {
		const char *equals = memchr(line.at, '=', line.size);
		struct view bytes = line;

		if (!line.size || line.at[0] == '#' || line.at[0] == '/')
			continue;
		if (line.at[0] == '[') {
			const char *end = memchr(line.at, ']', line.size);

			if (end && !out->section)
				out->section =
					arena_copy(arena, line.at + 1, (size_t)(end - line.at) - 1);
			continue;
		}
		if (equals) {
			struct view name = {line.at, (size_t)(equals - line.at)};

			count = find(out, view_trim(name));
			bytes = (struct view){equals + 1, line.size - name.size - 1};
		}
		if (count)
			*count += count_bytes(bytes);
	}
}

static struct cperf_algorithm *
with_lengths(struct arena *arena, const struct cperf_algorithm *algorithm, int64_t key, int64_t iv)
{
	struct cperf_algorithm *copy;

	if (!algorithm)
		return NULL;
	copy = arena_new(arena, struct cperf_algorithm);
	*copy = *algorithm;
	copy->key = key;
	copy->iv = iv;
	return copy;
}

static bool fits(const struct cperf_algorithm *algorithm, int64_t key)
{
	return !algorithm || algorithm->key == key;
}

const struct cperf_case *dpdk_vector_case(struct arena *arena, const struct cperf_case *options,
					  const struct dpdk_vector *vector)
{
	struct cperf_case *out;

	if (!fits(options->cipher, vector->cipher_key) || !fits(options->auth, vector->auth_key) ||
	    !fits(options->aead, vector->aead_key) || !vector->plaintext)
		return NULL;
	out = arena_new(arena, struct cperf_case);
	*out = *options;
	out->cipher = with_lengths(arena, options->cipher, vector->cipher_key, vector->cipher_iv);
	out->auth = with_lengths(arena, options->auth, vector->auth_key, vector->auth_iv);
	out->aead = with_lengths(arena, options->aead, vector->aead_key, vector->aead_iv);
	out->aad = vector->aad;
	out->full_digest = vector->digest;
	return out;
}
