// SPDX-License-Identifier: BSD-2-Clause
#include "unpack/decode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INPUT_BYTES ((size_t)256 << 10)
#define MAGIC_BYTES 8
/* liblzma and zlib need 20 KiB of stack at most; the default of 8 MiB would count as memory. */
#define STACK_BYTES ((size_t)256 << 10)

static bool decode_plain(struct decode *decode, struct error *err);

static const struct {
	struct view magic;
	bool (*run)(struct decode *decode, struct error *err);
} formats[] = {
	{VIEW("\x1f\x8b"), decode_gzip},
	{VIEW("\xfd"
	      "7zXZ\0"),
	 decode_xz},
	{VIEW("\x28\xb5\x2f\xfd"), decode_zstd},
	{VIEW("BZh"), decode_bzip2},
	{VIEW(""), decode_plain},
};

static bool read_at(struct decode *decode, unsigned char *into, size_t size, size_t *got,
		    struct error *err)
{
	ssize_t n;

	do
		n = pread(decode->fd, into, size, (off_t)decode->read_bytes);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_errno(err, errno, "reading the archive");
	if (n == 0 && decode->read_bytes < decode->size_bytes)
		return error_set(err, "the archive became shorter while it was read");
	*got = (size_t)n;
	__atomic_store_n(&decode->read_bytes, decode->read_bytes + (uint64_t)n, __ATOMIC_RELAXED);
	return true;
}

/* Nothing past the size that was there at the start. */
static size_t left_of(const struct decode *decode, size_t size)
{
	uint64_t left = decode->size_bytes - decode->read_bytes;

	return left < size ? (size_t)left : size;
}

bool decode_read(struct decode *decode, struct view *piece, struct error *err)
{
	size_t size = left_of(decode, INPUT_BYTES), got = 0;

	if (size && !read_at(decode, decode->input, size, &got, err))
		return false;
	*piece = (struct view){(char *)decode->input, got};
	return true;
}

unsigned char *decode_room(struct decode *decode, size_t *left)
{
	if (!decode->room) {
		decode->room = ring_room(decode->ring);
		decode->used = 0;
	}
	*left = RING_SLOT_BYTES - decode->used;
	return decode->room ? decode->room + decode->used : NULL;
}

/* Hands the slot over. */
static void flush(struct decode *decode)
{
	size_t end = decode->used;

	if (!decode->room || !decode->used)
		return;
	while (end && !decode->room[end - 1])
		end--;
	if (end)
		decode->end_bytes = decode->out_bytes - decode->used + end;
	ring_put(decode->ring, decode->used);
	decode->room = NULL;
}

bool decode_put(struct decode *decode, size_t size, struct error *err)
{
	decode->used += size;
	decode->out_bytes += size;
	if (decode->used == RING_SLOT_BYTES)
		flush(decode);
	if (decode->out_bytes > decode->max_out_bytes)
		return error_set(err,
				 "the archive grows too much when unpacked: over %llu bytes "
				 "out of %llu",
				 (unsigned long long)decode->max_out_bytes,
				 (unsigned long long)decode->size_bytes);
	return true;
}

static bool decode_plain(struct decode *decode, struct error *err)
{
	for (;;) {
		size_t left, got = 0;
		unsigned char *room = decode_room(decode, &left);

		if (!room || !left_of(decode, left))
			return true;
		if (!read_at(decode, room, left_of(decode, left), &got, err) ||
		    !decode_put(decode, got, err))
			return false;
	}
}

static bool run(struct decode *decode, struct error *err)
{
	char start[MAGIC_BYTES];
	ssize_t size;
	size_t i = 0;

	do
		size = pread(decode->fd, start, sizeof(start), 0);
	while (size < 0 && errno == EINTR);
	if (size < 0)
		return error_errno(err, errno, "reading the archive");
	while (formats[i].magic.size > (size_t)size ||
	       (formats[i].magic.size && memcmp(formats[i].magic.at, start, formats[i].magic.size)))
		i++;
	return formats[i].run(decode, err);
}

static void *decode_thread(void *argument)
{
	struct decode *decode = argument;

	decode->failed = !run(decode, &decode->error);
	flush(decode);
	ring_end(decode->ring);
	return NULL;
}

bool decode_start(struct decode *decode, int fd, uint64_t size_bytes, uint64_t ratio,
		  struct ring *ring, struct error *err)
{
	pthread_attr_t attributes;
	int number;

	*decode = (struct decode){.fd = fd, .size_bytes = size_bytes, .ring = ring};
	if (__builtin_mul_overflow(size_bytes, ratio, &decode->max_out_bytes))
		decode->max_out_bytes = UINT64_MAX;
	if (decode->max_out_bytes < UNPACK_RATIO_FREE_BYTES)
		decode->max_out_bytes = UNPACK_RATIO_FREE_BYTES;
	decode->input = malloc(INPUT_BYTES);
	if (!decode->input)
		return error_set(err, "out of memory");
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	number = pthread_create(&decode->thread, &attributes, decode_thread, decode);
	pthread_attr_destroy(&attributes);
	decode->running = number == 0;
	return number == 0 || error_errno(err, number, "starting a thread");
}

void decode_finish(struct decode *decode)
{
	if (decode->running)
		pthread_join(decode->thread, NULL);
	decode->running = false;
	free(decode->input);
	decode->input = NULL;
}

uint64_t decode_progress(const struct decode *decode)
{
	return __atomic_load_n(&decode->read_bytes, __ATOMIC_RELAXED);
}
