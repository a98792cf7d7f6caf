// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "host/software.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Prints what the loader model says of programs, for comparison with the real loader:
 *   loader-dump ROOT [LD_LIBRARY_PATH [LD_PRELOAD]] < names of programs, one a line
 * Per program: "PROGRAM path", then "LIB name path", "MISSING name", "VERSION object from version"
 * lines, "FAILURE why", "UNKNOWN why", "STATIC". ROOT "/" is this machine; "-" is no
 * LD_LIBRARY_PATH.
 */
static void dump_openssl(const struct loader_object *object)
{
	struct openssl openssl;

	if (!object->elf || !object->elf->soname ||
	    strncmp(object->elf->soname, "libcrypto.so.", 13) != 0)
		return;
	openssl = openssl_read(object->elf);
	printf("OPENSSL %s\n", openssl.version ? openssl.version : openssl.unknown);
}

static void dump(struct host *host, const char *program, const struct loader_options *options)
{
	const struct loader_run *run = loader_run(host, program, options);

	printf("PROGRAM %s\n", program);
	if (!run->elf->number && !run->elf->damage && !run->elf->dynamic)
		puts("STATIC");
	for (size_t i = 2; i < run->count; i++) {
		const struct loader_object *object = run->objects[i];

		if (object->path)
			printf("LIB %s %s\n", object->name, object->path);
		else
			printf("MISSING %s\n", object->name);
	}
	for (size_t i = 0; i < run->count; i++)
		dump_openssl(run->objects[i]);
	for (size_t i = 0; i < run->version_count; i++)
		printf("VERSION %s %s %s\n", run->versions[i].object->path,
		       run->versions[i].from->path, run->versions[i].version);
	if (run->failure)
		printf("FAILURE %s\n", run->failure);
	if (run->unknown)
		printf("UNKNOWN %s\n", run->unknown);
	if (run->secure)
		puts("SECURE");
}

int main(int argc, char **argv)
{
	struct loader_options options = {0};
	struct arena arena;
	struct error err = {0};
	struct root *root;
	struct host *host;
	char line[4096];

	if (argc < 2)
		return EXIT_USAGE;
	if (argc > 2 && strcmp(argv[2], "-") != 0)
		options.library_path = argv[2];
	if (argc > 3)
		options.preload = argv[3];
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	root = root_open(&arena, strcmp(argv[1], "/") == 0 ? NULL : argv[1], &err);
	if (!root) {
		fprintf(stderr, "loader-dump: %s\n", err.text);
		return EXIT_TROUBLE;
	}
	host = host_new(&arena, root);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		dump(host, arena_strdup(&arena, line), &options);
	}
	root_close(root);
	arena_release(&arena);
	return EXIT_OK;
}
