// SPDX-License-Identifier: BSD-2-Clause
#include "host/software.h"

#include "base/arena.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#define PROGRAMS_MAX 256

/* Programs that load libcrypto on servers; others by their own full path. */
struct program_row {
	const char *name; /* in the usual directories, or an absolute path */
	bool service;
};

static const struct program_row program_rows[] = {
	{.name = "openssl"},
	{.name = "curl"},
	{.name = "wget"},
	{.name = "ssh"},
	{.name = "sshd", .service = true},
	{.name = "/usr/lib/openssh/sshd-session", .service = true},
	{.name = "/usr/libexec/openssh/sshd-session", .service = true},
	{.name = "/usr/lib/git-core/git-remote-https"},
	{.name = "/usr/libexec/git-core/git-remote-https"},
	{.name = "nginx", .service = true},
	{.name = "haproxy", .service = true},
	{.name = "apache2", .service = true},
	{.name = "httpd", .service = true},
	{.name = "vpp", .service = true},
	{.name = "ovs-vswitchd", .service = true},
	{.name = "dpdk-test-crypto-perf"},
	{.name = "dpdk-testpmd"},
	{.name = "dpdk-test"},
	{.name = "dpdk-l2fwd-crypto"},
};

static const char *const usual_directories[] = {
	"/usr/local/sbin",
	"/usr/local/bin",
	"/usr/sbin",
	"/usr/bin",
};

/* Directories of /opt/NAME/bin and sbin, where private prefixes are. */
static void opt_directories(struct host *host, const char *const *below, size_t count,
			    struct names *out)
{
	struct names names;

	if (root_list(host->root, "/opt", &names) != 0)
		return;
	for (size_t i = 0; i < names.count && i < SOFTWARE_PREFIXES_MAX; i++) {
		for (size_t b = 0; b < count; b++) {
			const char *path =
				arena_printf(host->arena, "/opt/%s/%s", names.items[i], below[b]);
			struct root_stat stat;
			int number = root_stat(host->root, path, &stat);

			/* One that cannot be seen is kept: who looks into it learns why. */
			if (number ? number != ENOENT && number != ENOTDIR : stat.type == ROOT_DIR)
				names_add(host->arena, out, path);
		}
	}
}

static bool is_known(const struct software *software, const struct elf *elf)
{
	for (size_t i = 0; i < software->program_count; i++) {
		if (software->programs[i].run->elf == elf)
			return true;
	}
	return false;
}

static const char *environment(struct host *host, const char *name)
{
	const struct names *all = &host->live->environment;
	size_t size = strlen(name);

	for (size_t i = 0; i < all->count; i++) {
		if (strncmp(all->items[i], name, size) == 0 && all->items[i][size] == '=')
			return all->items[i] + size + 1;
	}
	return NULL;
}

static void add_program(struct host *host, struct software *software, const char *path,
			bool service)
{
	struct loader_options options = {.versions_of = "lib@(crypto|ssl).so*"};
	struct root_stat stat;
	struct software_program *program;
	int number = root_stat(host->root, path, &stat);

	if (number == ENOENT || number == ENOTDIR || software->program_count == PROGRAMS_MAX)
		return;
	/* One file under two names (bin and sbin may be one directory) is one program. */
	if (number == 0 && is_known(software, loader_elf(host, path)))
		return;
	if (!service) {
		options.library_path = environment(host, "LD_LIBRARY_PATH");
		options.preload = environment(host, "LD_PRELOAD");
	}
	program = &software->programs[software->program_count];
	*program = (struct software_program){
		.name = strrchr(path, '/') + 1,
		.path = path,
		.service = service,
		.run = loader_run(host, path, &options),
	};
	/* Scripts and programs of another C library tell nothing here. */
	if (program->run->elf->damage)
		return;
	program->libcrypto = loader_object(program->run, "libcrypto.so*");
	software->program_count++;
}

/* python3's _ssl module: the version is in the name that /usr/bin/python3 leads to. */
static void add_python(struct host *host, struct software *software)
{
	static const char *const libraries[] = {"/usr/lib", "/usr/lib64"};
	const char *target;

	if (root_link(host->root, "/usr/bin/python3", &target) != 0 || strchr(target, '/'))
		return;
	for (size_t l = 0; l < sizeof(libraries) / sizeof(libraries[0]); l++) {
		const char *directory =
			arena_printf(host->arena, "%s/%s/lib-dynload", libraries[l], target);
		struct names names;

		if (root_list(host->root, directory, &names) != 0)
			continue;
		for (size_t i = 0; i < names.count; i++) {
			if (fnmatch("_ssl.*.so", names.items[i], 0) == 0)
				add_program(host, software,
					    arena_printf(host->arena, "%s/%s", directory,
							 names.items[i]),
					    false);
		}
	}
}

void software_find_programs(struct host *host, struct software *software)
{
	static const char *const below[] = {"sbin", "bin"};
	struct names directories = {0};

	software->programs = arena_array(host->arena, struct software_program, PROGRAMS_MAX);
	for (size_t i = 0; i < sizeof(usual_directories) / sizeof(usual_directories[0]); i++)
		names_add(host->arena, &directories, usual_directories[i]);
	opt_directories(host, below, 2, &directories);
	for (size_t i = 0; i < sizeof(program_rows) / sizeof(program_rows[0]); i++) {
		const struct program_row *row = &program_rows[i];

		for (size_t d = 0; row->name[0] != '/' && d < directories.count; d++)
			add_program(
				host, software,
				arena_printf(host->arena, "%s/%s", directories.items[d], row->name),
				row->service);
		if (row->name[0] == '/')
			add_program(host, software, row->name, row->service);
	}
	add_python(host, software);
	/* EAL loads the driver at run time, by its directory. */
	if (software->dpdk.openssl)
		add_program(host, software, software->dpdk.openssl->path, false);
}

void software_library_directories(struct host *host, struct names *out)
{
	static const char *const below[] = {"lib", "lib64"};
	const char *arch = host->live->arch ? host->live->arch : "aarch64";

	names_add(host->arena, out, arena_printf(host->arena, "/usr/local/lib/%s-linux-gnu", arch));
	names_add(host->arena, out, "/usr/local/lib64");
	names_add(host->arena, out, "/usr/local/lib");
	names_add(host->arena, out, arena_printf(host->arena, "/usr/lib/%s-linux-gnu", arch));
	names_add(host->arena, out, "/usr/lib64");
	names_add(host->arena, out, "/usr/lib");
	opt_directories(host, below, 2, out);
}

const struct software *host_software(struct host *host)
{
	struct software *software;

	if (host->software)
		return host->software;
	software = arena_new(host->arena, struct software);
	software_find_dpdk(host, software);
	software_find_libraries(host, software);
	software_find_programs(host, software);
	software_find_overrides(host, software);
	host->software = software;
	return software;
}
