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

static const struct target *find(const char *name)
{
	const struct target *const lists[] = {bench_targets, text_targets,   host_targets,
					      store_targets, unpack_targets, engine_targets};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		for (const struct target *row = lists[i]; row->name; row++)
			if (strcmp(row->name, name) == 0)
				return row;
	fprintf(stderr, "no target %s\n", name);
	exit(64);
}

static void list(const struct target *rows)
{
	for (; rows->name; rows++)
		printf("%s %s\n", rows->name, rows->parse ? "text" : "file");
}

static const char *after(const char *word, const char *option)
{
	size_t size = strlen(option);

	return strncmp(word, option, size) == 0 ? word + size : NULL;
}

/* --list, --world=CAPTURE, --target=NAME, --seeds=DIRECTORY; libFuzzer passes over two dashes. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *seeds = NULL, *value;

	for (int i = 1; i < *argc; i++) {
		const char *word = (*argv)[i];

		if (strcmp(word, "--list") == 0) {
			list(bench_targets);
			list(text_targets);
			list(host_targets);
			list(store_targets);
			list(unpack_targets);
			list(engine_targets);
			exit(0);
		}
		if ((value = after(word, "--world=")))
			world_load(value);
		if ((value = after(word, "--target=")))
			chosen = find(value);
		if ((value = after(word, "--seeds=")))
			seeds = value;
	}
	if (!chosen) {
		fprintf(stderr, "--target=NAME is wanted, one of --list\n");
		exit(64);
	}
	if (seeds) {
		world_seeds(chosen, seeds);
		exit(0);
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
