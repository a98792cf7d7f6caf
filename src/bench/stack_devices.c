// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "bench/stack_private.h"
#include "host/loader.h"
#include "host/software.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Every driver carries a line for usertools/dpdk-pmdinfo.py: PMD_INFO_STRING= {"name": "…". */
#define INFO "PMD_INFO_STRING= {"
#define INFO_BYTES 256
#define PIECE_BYTES ((size_t)1 << 20)
#define FILE_MAX_BYTES ((uint64_t)256 << 20)

/* The value of "name" in the line that begins here; buildtools wrote it with and without a blank
 * before the colon. */
static const char *name_at(struct arena *arena, struct view line)
{
	const char *key = view_find(line, "\"name\""), *start, *end;
	const char *limit = line.at + line.size;

	if (!key)
		return NULL;
	start = memchr(key + 6, '"', (size_t)(limit - key) - 6);
	end = start ? memchr(start + 1, '"', (size_t)(limit - start) - 1) : NULL;
	if (!end)
		return NULL;
	return text_printable(arena, (struct view){start + 1, (size_t)(end - start) - 1});
}

static void scan_piece(struct stack_search *search, struct view piece)
{
	struct names *devices = &search->out->devices;

	for (const char *at; (at = view_find(piece, INFO));) {
		size_t left = piece.size - (size_t)(at - piece.at);
		struct view line = {at, left < INFO_BYTES ? left : INFO_BYTES};
		const char *name = name_at(search->arena, line);

		if (name && strncmp(name, "crypto_", 7) == 0 && !names_has(devices, name))
			names_add(search->arena, devices, name);
		piece = (struct view){at + 1, left - 1};
	}
}

/* Pieces overlap by one line. False: it could not be read. */
static bool scan(struct stack_search *search, const char *path)
{
	char *bytes = malloc(PIECE_BYTES);
	size_t got = 0;
	bool read = bytes != NULL;

	for (uint64_t offset = 0; read && offset < FILE_MAX_BYTES;
	     offset += PIECE_BYTES - INFO_BYTES) {
		read = root_copy(search->host->root, path, offset, bytes, PIECE_BYTES, &got) == 0;
		if (read)
			scan_piece(search, (struct view){bytes, got});
		if (got < PIECE_BYTES)
			break;
	}
	free(bytes);
	return read;
}

/* Once for each driver: "librte_crypto_openssl.so.23.0" is another name of the same file. */
static bool scan_plugins(struct stack_search *search, const char *directory)
{
	struct names names, seen = {0};
	bool any = false;

	if (root_list(search->host->root, directory, &names) != 0)
		return false;
	for (size_t i = 0; i < names.count; i++) {
		const char *name = names.items[i], *path;

		if (fnmatch("librte_crypto_*.so*", name, 0) != 0)
			continue;
		any = true;
		path = arena_printf(search->arena, "%s/%s", directory, name);
		if (root_resolve(search->host->root, path, &path) != 0 || names_has(&seen, path))
			continue;
		names_add(search->arena, &seen, path);
		scan(search, path);
	}
	return any;
}

/* Where shared drivers are: the program's RUNPATH names it. */
static bool scan_run_path(struct stack_search *search, const struct elf *program)
{
	struct view rest = view_of(program->runpath ? program->runpath : program->rpath), part;
	const char *sysroot = search->request->sysroot;
	bool any = false;

	while (view_split(&rest, ':', &part)) {
		const char *directory = view_copy(search->arena, part);

		if (directory[0] != '/')
			continue;
		if (sysroot && search->out->dpdk.emulator.count)
			any |= scan_plugins(
				search, arena_printf(search->arena, "%s%s", sysroot, directory));
		if (!any)
			any |= scan_plugins(search, directory);
	}
	return any;
}

void stack_devices(struct stack_search *search)
{
	struct bench_stack *out = search->out;
	const struct elf *program = loader_elf(search->host, out->dpdk.path);
	bool shared = scan_run_path(search, program);

	out->devices_known = (scan(search, out->dpdk.path) && out->devices.count) || shared;
	names_sort(&out->devices);
}

/* librte_eal.so.N: the ABI of a release with long-term support is that of November, 23 of 22.11. */
static const char *version_of_abi(struct arena *arena, const struct elf *program)
{
	for (size_t i = 0; i < program->needed.count; i++) {
		const char *name = program->needed.items[i];
		uint64_t abi;

		if (strncmp(name, "librte_eal.so.", 14) == 0 &&
		    view_u64(view_of(name + 14), 10, &abi) && abi > 20 && abi < 100)
			return arena_printf(arena, "%u.11", (unsigned)abi - 1);
	}
	return NULL;
}

const char *stack_dpdk_version(struct stack_search *search, const char *directory,
			       struct elf *program)
{
	static const char *const below[] = {"lib", "lib64", "lib/x86_64-linux-gnu",
					    "lib/aarch64-linux-gnu"};

	for (size_t i = 0; i < sizeof(below) / sizeof(below[0]); i++) {
		const char *path = arena_printf(search->arena, "%s/%s/pkgconfig/libdpdk.pc",
						directory, below[i]);
		const char *version;
		struct view text;

		if (root_read(search->host->root, path, &text) != 0)
			continue;
		version = pc_value(search->arena, text, "Version");
		if (version)
			return version;
	}
	return version_of_abi(search->arena, program);
}
