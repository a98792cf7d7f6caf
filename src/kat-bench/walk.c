// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/walk.h"

#include "base/random.h"

#include <string.h>

#define WINDOW_LINES (WALK_SIZE_STEP / WALK_LINE_BYTES)

static const struct walk walks[] = {{"chase", 0}, {"stride-64", 64}, {"stride-256", 256}};

struct order {
	const struct walk *walk;
	size_t size;
	uint64_t state;
	uint16_t window[WINDOW_LINES];
};

const struct walk *walk_find(const char *name)
{
	for (size_t i = 0; i < sizeof(walks) / sizeof(walks[0]); i++)
		if (!strcmp(walks[i].name, name))
			return &walks[i];
	return NULL;
}

static void shuffle_window(struct order *order)
{
	for (size_t i = 0; i < WINDOW_LINES; i++)
		order->window[i] = (uint16_t)i;
	for (size_t i = WINDOW_LINES; i > 1; i--) {
		size_t other = (size_t)(random_next(&order->state) % i);
		uint16_t kept = order->window[i - 1];

		order->window[i - 1] = order->window[other];
		order->window[other] = kept;
	}
}

/* Where the line visited as the number `turn` stands; turns are asked for one after the other. */
static size_t offset_of(struct order *order, size_t turn)
{
	size_t stride = order->walk->stride_bytes, rows;

	if (stride) {
		rows = order->size / stride;
		return turn % rows * stride + turn / rows * WALK_LINE_BYTES;
	}
	if (turn % WINDOW_LINES == 0)
		shuffle_window(order);
	return turn / WINDOW_LINES * WALK_SIZE_STEP +
	       order->window[turn % WINDOW_LINES] * WALK_LINE_BYTES;
}

char *walk_link(const struct walk *walk, char *memory, size_t size)
{
	struct order order = {.walk = walk, .size = size};
	char *first = memory + offset_of(&order, 0), *last = first;

	for (size_t turn = 1; turn < size / WALK_LINE_BYTES; turn++) {
		char *line = memory + offset_of(&order, turn);

		memcpy(last, &line, sizeof(line));
		last = line;
	}
	memcpy(last, &first, sizeof(first));
	return first;
}
