// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/job.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/sha256.h"
#include "kat-bench/known.h"

#include <string.h>

#define ANSWER_OPS 3
#define PAGE_BYTES 4096

const struct kind *kind_find(const char *name)
{
	for (size_t i = 0; i < kind_count; i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

struct view material_bytes(struct arena *arena, const char *label, size_t size)
{
	unsigned char *bytes = arena_alloc(arena, size + 32);
	struct sha256 digest;

	for (size_t at = 0; at < size; at += 32) {
		const char *text = arena_printf(arena, "%s %zu", label, at / 32);

		sha256_start(&digest);
		sha256_add(&digest, text, strlen(text));
		sha256_end(&digest, bytes + at);
	}
	return (struct view){(const char *)bytes, size};
}

static unsigned digit_of(char c)
{
	return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

struct view material_hex(struct arena *arena, const char *hex)
{
	size_t length = hex ? strlen(hex) : 0, size = 0;
	char *bytes = arena_alloc(arena, length / 2 + 1);

	for (size_t i = 0; i + 1 < length; i += 2)
		bytes[size++] = (char)(digit_of(hex[i]) << 4 | digit_of(hex[i + 1]));
	return (struct view){bytes, size};
}

static const struct material *make_material(struct arena *arena, const struct kind *kind,
					    size_t size)
{
	struct material *material = arena_new(arena, struct material);

	/* Made from the algorithm's name: its directions have the same. */
	if (kind->message_size) {
		/* Keys are not any bytes: those of the published vector. */
		const struct known *known = known_next(kind->name, NULL);

		material->key = material_hex(arena, known->key);
		material->peer = material_hex(arena, known->peer);
	} else {
		material->key = material_bytes(
			arena, arena_printf(arena, "key %s", kind->algorithm), kind->key_size);
	}
	material->iv =
		material_bytes(arena, arena_printf(arena, "iv %s", kind->algorithm), kind->iv_size);
	material->aad = material_bytes(arena, arena_printf(arena, "aad %s", kind->algorithm),
				       kind->aad_size);
	material->in = material_bytes(
		arena, arena_printf(arena, "in %s %zu", kind->algorithm, size), size);
	return material;
}

static unsigned char *make_buffer(struct arena *arena, size_t size)
{
	uintptr_t at = (uintptr_t)arena_alloc(arena, size + 2 * PAGE_BYTES);
	unsigned char *buffer = (unsigned char *)((at + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES);

	memset(buffer, 0, size);
	return buffer;
}

bool job_prepare(struct arena *arena, const struct library *library, const struct kind *kind,
		 size_t size, const struct material *material, struct job **out, struct error *err)
{
	struct job *job = arena_new(arena, struct job);

	if (kind->block_size && size % kind->block_size)
		return error_set(err, "it takes whole blocks of %zu bytes", kind->block_size);
	if (kind->message_size)
		size = material ? material->in.size : kind->message_size;
	*job = (struct job){.arena = arena, .library = library, .kind = kind, .size = size};
	job->material = material ? material : make_material(arena, kind, size);
	job->in = make_buffer(arena, size);
	job->out = make_buffer(arena, size + JOB_EXTRA_BYTES);
	if (size)
		memcpy(job->in, job->material->in.at, size);
	if (!kind->scheme->prepare(job, err))
		return false;
	if (!kind->scheme->rewind(job))
		return error_set(err, "%s cannot be started in this library", kind->algorithm);
	*out = job;
	return true;
}

/* A random output has no digest of its own: that of what was signed, if the check is passed. */
static const char *answer_random(struct job *job, char *hex)
{
	if (job->kind->scheme->check(job))
		return "";
	sha256_text((struct view){(const char *)job->in, job->size}, hex);
	return hex;
}

const char *job_answer(struct job *job)
{
	const struct scheme *scheme = job->kind->scheme;
	char *hex = arena_alloc(job->arena, DIGEST_HEX_SIZE);
	struct sha256 digest;

	if (job->kind->reverse)
		return answer_random(job, hex);
	sha256_start(&digest);
	if (!scheme->rewind(job))
		return "";
	for (int i = 0; i < ANSWER_OPS; i++) {
		if (!scheme->run(job, 1))
			return "";
		sha256_add(&digest, job->out, job->out_size);
		if (!scheme->finish)
			sha256_add(&digest, job->tag, job->tag_size);
	}
	if (scheme->finish) {
		if (!scheme->finish(job))
			return "";
		sha256_add(&digest, job->tag, job->tag_size);
	}
	sha256_hex(&digest, hex);
	return hex;
}
