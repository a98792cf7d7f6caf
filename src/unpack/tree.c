// SPDX-License-Identifier: BSD-2-Clause
#include "unpack/tree.h"

#include <stdlib.h>

#define FIRST_ROOM 1024
#define KIND_MASK ((uint64_t)3)

/* FNV-1a, 64 bits, over the path so far, as written and with ASCII capitals made small. */
struct hashes {
	uint64_t exact, folded;
};

static uint64_t add_byte(uint64_t hash, unsigned char c)
{
	return (hash ^ c) * 0x100000001b3u;
}

static void add_part(struct hashes *hashes, struct view part)
{
	for (size_t i = 0; i < part.size; i++) {
		unsigned char c = (unsigned char)part.at[i];

		hashes->exact = add_byte(hashes->exact, c);
		hashes->folded = add_byte(hashes->folded, c >= 'A' && c <= 'Z' ? c + 32 : c);
	}
	hashes->exact = add_byte(hashes->exact, '/');
	hashes->folded = add_byte(hashes->folded, '/');
}

/* FNV's low bits come out of the low bits of the bytes alone. */
static struct hashes finish(struct hashes hashes)
{
	hashes.exact ^= hashes.exact >> 29;
	hashes.folded ^= hashes.folded >> 29;
	hashes.folded += !hashes.folded; /* 0 is an empty slot */
	return hashes;
}

/* The slot of the hash, or the empty one where it belongs. */
static struct tree_slot *slot_of(const struct tree *tree, uint64_t folded)
{
	size_t at = folded & (tree->room - 1);

	while (tree->slots[at].folded && tree->slots[at].folded != folded)
		at = (at + 1) & (tree->room - 1);
	return &tree->slots[at];
}

bool tree_init(struct tree *tree, uint64_t seed)
{
	*tree = (struct tree){.seed = seed, .room = FIRST_ROOM};
	tree->slots = calloc(tree->room, sizeof(*tree->slots));
	return tree->slots;
}

void tree_release(struct tree *tree)
{
	free(tree->slots);
	tree->slots = NULL;
}

static bool grow(struct tree *tree)
{
	struct tree larger = {.seed = tree->seed, .room = tree->room * 2, .count = tree->count};

	larger.slots = calloc(larger.room, sizeof(*larger.slots));
	if (!larger.slots)
		return false;
	for (size_t i = 0; i < tree->room; i++)
		if (tree->slots[i].folded)
			*slot_of(&larger, tree->slots[i].folded) = tree->slots[i];
	free(tree->slots);
	*tree = larger;
	return true;
}

enum tree_kind tree_find(const struct tree *tree, const struct name *name)
{
	struct hashes hashes = {tree->seed, tree->seed};
	const struct tree_slot *slot;

	if (!name->count)
		return TREE_DIRECTORY;
	for (size_t i = 0; i < name->count; i++)
		add_part(&hashes, name_part(name, i));
	hashes = finish(hashes);
	slot = slot_of(tree, hashes.folded);
	if (!slot->folded || (slot->exact ^ hashes.exact) & ~KIND_MASK)
		return TREE_ABSENT;
	return (enum tree_kind)(slot->exact & KIND_MASK);
}

const char *tree_check(const struct tree *tree, const struct name *name, enum tree_kind kind,
		       size_t *known)
{
	struct hashes hashes = {tree->seed, tree->seed};

	*known = 0;
	for (size_t i = 0; i < name->count; i++) {
		bool is_last = i + 1 == name->count;
		const struct tree_slot *slot;
		struct hashes here;

		add_part(&hashes, name_part(name, i));
		here = finish(hashes);
		slot = slot_of(tree, here.folded);
		if (!slot->folded)
			return NULL;
		if ((slot->exact ^ here.exact) & ~KIND_MASK)
			return "a name that differs from an earlier one in capitals only";
		if (is_last && (kind != TREE_DIRECTORY || kind != (slot->exact & KIND_MASK)))
			return "the name comes twice";
		if ((slot->exact & KIND_MASK) == TREE_LINK)
			return "a name below a symbolic link";
		if ((slot->exact & KIND_MASK) == TREE_FILE)
			return "a name below a file";
		(*known)++;
	}
	return NULL;
}

bool tree_add(struct tree *tree, const struct name *name, enum tree_kind kind)
{
	struct hashes hashes = {tree->seed, tree->seed};

	for (size_t i = 0; i < name->count; i++) {
		struct tree_slot *slot;
		struct hashes here;

		if (tree->count * 2 >= tree->room && !grow(tree))
			return false;
		add_part(&hashes, name_part(name, i));
		here = finish(hashes);
		slot = slot_of(tree, here.folded);
		if (slot->folded)
			continue;
		slot->folded = here.folded;
		slot->exact = (here.exact & ~KIND_MASK) |
			      (i + 1 < name->count ? TREE_DIRECTORY : (uint64_t)kind);
		tree->count++;
	}
	return true;
}
