// SPDX-License-Identifier: BSD-2-Clause
#include "bench/stack.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/process.h"
#include "bench/stack_private.h"
#include "host/cpu.h"
#include "host/loader.h"
#include "host/software.h"

#include <string.h>

static const char *const library_directories[] = {"lib", "lib64", "lib/x86_64-linux-gnu",
						  "lib/aarch64-linux-gnu"};
static const char *const library_names[] = {"libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

bool stack_is_file(struct stack_search *search, const char *path)
{
	struct root_stat stat;

	return root_stat(search->host->root, path, &stat) == 0 && stat.type == ROOT_FILE;
}

static const char *arch_of(const struct elf *elf)
{
	switch (elf->machine) {
	case ELF_MACHINE_AARCH64:
		return "aarch64";
	case ELF_MACHINE_X86_64:
		return "x86_64";
	case ELF_MACHINE_386:
		return "i386";
	case ELF_MACHINE_ARM:
		return "arm";
	default:
		return "another architecture";
	}
}

/* A program of another architecture runs under qemu-user, where that is installed. */
static bool find_emulator(struct stack_search *search, struct bench_piece *piece)
{
	struct arena *arena = search->arena;
	const struct bench_stack_request *request = search->request;
	const char *name = arena_printf(arena, "qemu-%s", piece->arch);
	const char *qemu = process_find(arena, name);

	if (!qemu)
		qemu = process_find(arena, arena_printf(arena, "%s-static", name));
	if (!qemu)
		return false;
	names_add(arena, &piece->emulator, qemu);
	if (request->cpu) {
		names_add(arena, &piece->emulator, "-cpu");
		names_add(arena, &piece->emulator, request->cpu);
	}
	if (request->sysroot) {
		names_add(arena, &piece->emulator, "-L");
		names_add(arena, &piece->emulator, request->sysroot);
	}
	search->out->emulated = true;
	return true;
}

/* The file behind all links: that is what mappings of a process show. */
static struct elf *take(struct stack_search *search, const char *path, struct bench_piece *piece)
{
	const char *host = host_arch(search->host), *canonical;
	struct elf *elf;

	if (root_resolve(search->host->root, path, &canonical) == 0)
		path = canonical;
	elf = loader_elf(search->host, path);
	*piece = (struct bench_piece){0};
	if (elf->number || elf->damage) {
		piece->why = arena_printf(search->arena, "%s: %s", path,
					  elf->damage ? elf->damage : strerror(elf->number));
		return NULL;
	}
	piece->path = path;
	piece->arch = arch_of(elf);
	if (!host || strcmp(host, piece->arch) == 0 || find_emulator(search, piece))
		return elf;
	piece->path = NULL;
	piece->why = arena_printf(search->arena,
				  "%s is for %s, this machine is %s: install qemu-user to run it "
				  "emulated",
				  path, piece->arch, host);
	return NULL;
}

static void take_openssl(struct stack_search *search, const char *path, struct bench_piece *piece)
{
	struct elf *elf = take(search, path, piece);

	if (elf)
		piece->version = openssl_read(elf).version;
}

static void take_dpdk(struct stack_search *search, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *above = arena_printf(search->arena, "%.*s/..", (int)(slash - path), path);
	struct bench_piece *piece = &search->out->dpdk;
	struct elf *elf = take(search, path, piece);

	if (!elf)
		return;
	piece->version = stack_dpdk_version(search, above, elf);
	stack_devices(search);
}

/* A directory with lib and bin: a tree of setup, or a prefix. */
static void from_directory(struct stack_search *search, const char *directory)
{
	struct bench_stack *out = search->out;
	const char *path;

	for (size_t i = 0; i < COUNT(library_directories); i++) {
		for (size_t j = 0; j < COUNT(library_names) && !out->libcrypto.path; j++) {
			path = arena_printf(search->arena, "%s/%s/%s", directory,
					    library_directories[i], library_names[j]);
			if (stack_is_file(search, path))
				take_openssl(search, path, &out->libcrypto);
		}
	}
	path = arena_printf(search->arena, "%s/bin/openssl", directory);
	if (!out->openssl.path && stack_is_file(search, path))
		take_openssl(search, path, &out->openssl);
	path = arena_printf(search->arena, "%s/bin/dpdk-test-crypto-perf", directory);
	if (!out->dpdk.path && stack_is_file(search, path))
		take_dpdk(search, path);
	path = arena_printf(search->arena, "%s/bin/bssl", directory);
	if (!out->bssl.path && stack_is_file(search, path))
		take(search, path, &out->bssl);
}

static const char *find_program(struct stack_search *search, const char *name)
{
	static const char *const directories[] = {"/usr/bin", "/usr/local/bin", "/usr/sbin",
						  "/usr/local/sbin"};
	const char *path = process_find(search->arena, name);

	for (size_t i = 0; !path && i < COUNT(directories); i++) {
		path = arena_printf(search->arena, "%s/%s", directories[i], name);
		if (!stack_is_file(search, path))
			path = NULL;
	}
	return path;
}

/* The libcrypto that a program would load, else the first in the places libraries are. */
static void find_libcrypto(struct stack_search *search, const char *program,
			   struct bench_piece *piece)
{
	const struct loader_object *object = NULL;
	const struct loader_options options = {0};
	struct names directories = {0};

	if (program)
		object =
			loader_object(loader_run(search->host, program, &options), "libcrypto.so*");
	if (object && object->path)
		take_openssl(search, object->path, piece);
	software_library_directories(search->host, &directories);
	for (size_t i = 0; i < directories.count; i++) {
		for (size_t j = 0; j < COUNT(library_names) && !piece->path; j++) {
			const char *path = arena_printf(search->arena, "%s/%s",
							directories.items[i], library_names[j]);

			if (stack_is_file(search, path))
				take_openssl(search, path, piece);
		}
	}
}

/* A foreign library is judged by what this machine's own one says. */
static void find_answers(struct stack_search *search)
{
	struct bench_stack *out = search->out;
	bool emulated = out->emulated;

	out->answers = out->libcrypto;
	if (out->libcrypto.path && !out->libcrypto.emulator.count)
		return;
	out->answers = (struct bench_piece){0};
	find_libcrypto(search, find_program(search, "openssl"), &out->answers);
	if (out->answers.emulator.count)
		out->answers = (struct bench_piece){.why = "no libcrypto that runs here"};
	out->emulated = emulated;
}

static void from_distribution(struct stack_search *search)
{
	struct bench_stack *out = search->out;
	const char *path = find_program(search, "openssl");

	if (path)
		take_openssl(search, path, &out->openssl);
	find_libcrypto(search, out->openssl.path, &out->libcrypto);
	path = find_program(search, "dpdk-test-crypto-perf");
	if (path)
		take_dpdk(search, path);
	path = find_program(search, "bssl");
	if (path)
		take(search, path, &out->bssl);
}

static void say_why(struct stack_search *search, struct bench_piece *piece, const char *what,
		    const char *advice)
{
	if (!piece->path && !piece->why)
		piece->why = arena_printf(search->arena, "no %s in %s: %s", what,
					  search->out->origin, advice);
}

static void from_trees(struct stack_search *search)
{
	const struct names *trees = &search->request->trees;

	for (size_t i = 0; i < trees->count; i++) {
		const char *directory = strchr(trees->items[i], '=');

		if (directory)
			from_directory(search, directory + 1);
	}
}

bool bench_stack_find(struct arena *arena, const struct bench_stack_request *request,
		      struct bench_stack *out, struct error *err)
{
	struct stack_search search = {arena, request->host, request, out};
	const char *install = "`ampere-crypto setup` builds it";

	*out = (struct bench_stack){.origin = "the distribution"};
	if (request->trees.count) {
		out->origin = request->prefix ? arena_printf(arena, "setup in %s", request->prefix)
					      : "what setup installed";
		from_trees(&search);
	} else if (request->prefix) {
		struct root_stat stat;

		if (root_stat(request->host->root, request->prefix, &stat) != 0 ||
		    stat.type != ROOT_DIR)
			return error_exit(err, EXIT_TROUBLE, "%s: no such directory",
					  request->prefix);
		out->origin = arena_printf(arena, "prefix %s", request->prefix);
		from_directory(&search, request->prefix);
	} else {
		from_distribution(&search);
		install = "install the package that has it, or `ampere-crypto setup`";
	}
	find_answers(&search);
	if (out->openssl.path && !out->openssl.version)
		out->openssl.version = out->libcrypto.version;
	say_why(&search, &out->libcrypto, "libcrypto", install);
	say_why(&search, &out->openssl, "openssl program", install);
	say_why(&search, &out->dpdk, "dpdk-test-crypto-perf",
		request->trees.count || request->prefix
			? install
			: "install dpdk-dev (Debian), or `ampere-crypto setup dpdk`");
	say_why(&search, &out->bssl, "bssl program", "it is part of AWS-LC and BoringSSL");
	return true;
}
