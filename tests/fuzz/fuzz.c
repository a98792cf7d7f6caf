// SPDX-License-Identifier: BSD-2-Clause
#include "fuzz.h"

#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough for any honest input of this size; running into it is a finding. */
#define ARENA_MAX_BYTES ((size_t)256 << 20)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct target *chosen;

static const struct target *find(const struct target *rows, const char *name)
{
	for (; rows->name; rows++)
		if (strcmp(rows->name, name) == 0)
			return rows;
	return NULL;
}

/* One line per target: its name and its paths. */
static void list(const struct target *rows)
{
	for (; rows->name; rows++) {
		printf("%s", rows->name);
		for (size_t i = 0; rows->paths[i]; i++)
			printf("\t%s", rows->paths[i]);
		printf("\n");
	}
}

/* --list, --world=CAPTURE and --target=NAME; libFuzzer passes over options with two dashes. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	for (int i = 1; i < *argc; i++) {
		const char *word = (*argv)[i];

		if (strcmp(word, "--list") == 0) {
			list(text_targets);
			list(host_targets);
			exit(0);
		}
		if (strncmp(word, "--world=", 8) == 0)
			world_load(word + 8);
		if (strncmp(word, "--target=", 9) == 0) {
			chosen = find(text_targets, word + 9);
			if (!chosen)
				chosen = find(host_targets, word + 9);
		}
	}
	if (!chosen) {
		fprintf(stderr, "--target=NAME is wanted, one of --list\n");
		exit(64);
	}
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct view bytes = {(const char *)data, size};
	struct arena arena;

	arena_init(&arena, ARENA_MAX_BYTES);
	if (chosen->parse)
		chosen->parse(&arena, bytes);
	else
		world_run(chosen, &arena, bytes);
	arena_release(&arena);
	return 0;
}
