// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/error.h"
#include "base/text.h"
#include "unpack/limits.h"
#include "unpack/ring.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Turns the archive (gzip, xz, zstd, bzip2 or not compressed) into blocks of a ring, in a thread of
 * its own, so that decoding and writing files go on at once. Everything up to the last byte of the
 * file must belong to the compressed data and its checksums must hold. gzip and xz go through zlib
 * and liblzma, since libarchive passes over gzip's checksum and a dictionary of up to 1 GiB.
 */
struct decode {
	int fd; /* a regular file, read from its start */
	uint64_t size_bytes;
	uint64_t max_out_bytes;
	struct ring *ring;
	uint64_t read_bytes; /* so far; read by others through decode_progress() */
	uint64_t out_bytes;
	uint64_t end_bytes; /* one past the last byte of the output that is not zero */
	unsigned char *input, *room;
	size_t used; /* of room */
	pthread_t thread;
	struct error error;
	bool failed, running;
};

/* Starts the thread. `fd` and `ring` stay the caller's. */
bool decode_start(struct decode *decode, int fd, uint64_t size_bytes, uint64_t ratio,
		  struct ring *ring, struct error *err);
/* Ends it, at once or after the last block; afterwards failed, error and the counts are final. */
void decode_finish(struct decode *decode);
uint64_t decode_progress(const struct decode *decode);

/* For the decoders below: the next piece of the file (empty at its end), a place for output (NULL
 * when nobody wants any), and how much of it was filled. */
bool decode_read(struct decode *decode, struct view *piece, struct error *err);
unsigned char *decode_room(struct decode *decode, size_t *left);
bool decode_put(struct decode *decode, size_t size, struct error *err);

bool decode_gzip(struct decode *decode, struct error *err);
bool decode_xz(struct decode *decode, struct error *err);
bool decode_zstd(struct decode *decode, struct error *err);
bool decode_bzip2(struct decode *decode, struct error *err);
