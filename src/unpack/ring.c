// SPDX-License-Identifier: BSD-2-Clause
#include "unpack/ring.h"

#include <stdlib.h>

bool ring_init(struct ring *ring)
{
	*ring = (struct ring){.bytes = malloc(RING_SLOTS * RING_SLOT_BYTES)};
	if (!ring->bytes)
		return false;
	pthread_mutex_init(&ring->lock, NULL);
	pthread_cond_init(&ring->changed, NULL);
	return true;
}

void ring_release(struct ring *ring)
{
	if (!ring->bytes)
		return;
	pthread_cond_destroy(&ring->changed);
	pthread_mutex_destroy(&ring->lock);
	free(ring->bytes);
	ring->bytes = NULL;
}

unsigned char *ring_room(struct ring *ring)
{
	unsigned char *room = NULL;

	pthread_mutex_lock(&ring->lock);
	while (!ring->stopped && ring->put - ring->taken + ring->holds >= RING_SLOTS)
		pthread_cond_wait(&ring->changed, &ring->lock);
	if (!ring->stopped)
		room = ring->bytes + ring->put % RING_SLOTS * RING_SLOT_BYTES;
	pthread_mutex_unlock(&ring->lock);
	return room;
}

void ring_put(struct ring *ring, size_t size)
{
	pthread_mutex_lock(&ring->lock);
	ring->sizes[ring->put % RING_SLOTS] = size;
	ring->put++;
	pthread_cond_signal(&ring->changed);
	pthread_mutex_unlock(&ring->lock);
}

void ring_end(struct ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	ring->ended = true;
	pthread_cond_signal(&ring->changed);
	pthread_mutex_unlock(&ring->lock);
}

bool ring_take(struct ring *ring, struct view *block)
{
	bool found;

	pthread_mutex_lock(&ring->lock);
	if (ring->holds) {
		ring->holds = false;
		pthread_cond_signal(&ring->changed);
	}
	while (!ring->ended && ring->put == ring->taken)
		pthread_cond_wait(&ring->changed, &ring->lock);
	found = ring->put != ring->taken;
	if (found) {
		size_t slot = ring->taken % RING_SLOTS;

		*block = (struct view){(char *)ring->bytes + slot * RING_SLOT_BYTES,
				       ring->sizes[slot]};
		ring->taken++;
		ring->holds = true;
	}
	pthread_mutex_unlock(&ring->lock);
	return found;
}

void ring_stop(struct ring *ring)
{
	pthread_mutex_lock(&ring->lock);
	ring->stopped = true;
	pthread_cond_signal(&ring->changed);
	pthread_mutex_unlock(&ring->lock);
}
