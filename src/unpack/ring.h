// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Blocks of bytes from one thread to another, in order, without copying: the writer fills a slot
 * while the reader still holds an earlier one. The last block may be short. Memory is the heap's.
 */
#define RING_SLOTS 8
#define RING_SLOT_BYTES ((size_t)128 << 10)

struct ring {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned char *bytes;
	size_t sizes[RING_SLOTS];
	size_t put, taken; /* blocks since the start; the slot of `taken - 1` is the reader's */
	bool holds;        /* the reader has one */
	bool ended, stopped;
};

bool ring_init(struct ring *ring);
void ring_release(struct ring *ring);

/* The writer: a slot to fill (NULL when the reader went away), how much is in it, and the end. */
unsigned char *ring_room(struct ring *ring);
void ring_put(struct ring *ring, size_t size);
void ring_end(struct ring *ring);

/* The reader: gives the block it has back and takes the next; false at the end. */
bool ring_take(struct ring *ring, struct view *block);
/* The reader goes away; the writer gets no more room. */
void ring_stop(struct ring *ring);
