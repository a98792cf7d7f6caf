// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/software.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define PC_DEPTH_MAX 8

/* Crypto drivers of DPDK that this program's users build; drivers/crypto of its source. */
static const char *const driver_names[] = {
	"armv8",    "ipsec_mb",  "openssl", "snow3g",    "zuc",
	"aesni_mb", "aesni_gcm", "null",    "scheduler",
};

static bool pc_key(struct view line, const char *key, char separator, struct view *value)
{
	size_t size = strlen(key);

	if (line.size <= size || memcmp(line.at, key, size) != 0 || line.at[size] != separator)
		return false;
	*value = view_trim((struct view){line.at + size + 1, line.size - size - 1});
	return true;
}

static const char *expand(struct arena *arena, struct view text, struct view value, unsigned depth);

/* A variable ("prefix=…") or a field ("Version: …"). */
static const char *find(struct arena *arena, struct view text, const char *key, char separator,
			unsigned depth)
{
	struct view rest = text, line, value;

	while (view_line(&rest, &line)) {
		if (pc_key(view_trim(line), key, separator, &value))
			return expand(arena, text, value, depth);
	}
	return NULL;
}

/* ${name}; pc(5). What is not defined stays empty. */
static const char *expand(struct arena *arena, struct view text, struct view value, unsigned depth)
{
	struct buffer out = buffer_new(arena, 4096);

	for (size_t i = 0; i < value.size; i++) {
		const char *end = memchr(value.at + i, '}', value.size - i), *found;

		if (value.at[i] != '$' || i + 1 >= value.size || value.at[i + 1] != '{' || !end) {
			buffer_char(&out, value.at[i]);
			continue;
		}
		found = depth < PC_DEPTH_MAX ? find(arena, text,
						    arena_copy(arena, value.at + i + 2,
							       (size_t)(end - value.at) - i - 2),
						    '=', depth + 1)
					     : NULL;
		buffer_text(&out, found ? found : "");
		i = (size_t)(end - value.at);
	}
	return text_printable(arena, buffer_view(&out));
}

const char *pc_value(struct arena *arena, struct view text, const char *key)
{
	const char *found = find(arena, text, key, ':', 0);

	return found ? found : find(arena, text, key, '=', 0);
}

static void unread(struct software_dpdk *dpdk, const char *path, int number)
{
	if (number == ENOENT || number == ENOTDIR || dpdk->number)
		return;
	dpdk->number = number;
	dpdk->unread = path;
}

static bool by_pc(struct host *host, struct software_dpdk *dpdk, const char *directory)
{
	const char *path = arena_printf(host->arena, "%s/pkgconfig/libdpdk.pc", directory);
	struct view text;
	int number = root_read(host->root, path, &text);

	unread(dpdk, path, number);
	if (number)
		return false;
	dpdk->pc = path;
	dpdk->version = pc_value(host->arena, text, "Version");
	dpdk->directory = pc_value(host->arena, text, "libdir");
	if (!dpdk->directory || dpdk->directory[0] != '/')
		dpdk->directory = directory;
	return true;
}

/* DIRECTORY/dpdk/pmds-ABI, where meson puts shared drivers. */
static bool by_drivers(struct host *host, struct software_dpdk *dpdk, const char *directory)
{
	const char *top = arena_printf(host->arena, "%s/dpdk", directory);
	struct names names;
	int number = root_list(host->root, top, &names);

	unread(dpdk, top, number);
	for (size_t i = 0; number == 0 && i < names.count; i++) {
		if (fnmatch("pmds-*", names.items[i], 0) != 0)
			continue;
		dpdk->directory = directory;
		dpdk->abi = names.items[i] + strlen("pmds-");
		return true;
	}
	return false;
}

static bool exists(struct host *host, struct software_dpdk *dpdk, const char *path)
{
	struct root_stat stat;
	int number = root_stat(host->root, path, &stat);

	unread(dpdk, path, number);
	return number == 0;
}

static void find_driver(struct host *host, struct software_dpdk *dpdk, const char *name)
{
	const char *shared =
		arena_printf(host->arena, "%s/librte_crypto_%s.so", dpdk->directory, name);

	if (dpdk->abi) {
		const char *major = arena_copy(host->arena, dpdk->abi, strcspn(dpdk->abi, "."));

		shared = arena_printf(host->arena, "%s/dpdk/pmds-%s/librte_crypto_%s.so.%s",
				      dpdk->directory, dpdk->abi, name, major);
	}
	if (exists(host, dpdk, shared)) {
		names_add(host->arena, &dpdk->drivers, name);
		if (strcmp(name, "openssl") == 0)
			dpdk->openssl = loader_elf(host, shared);
		return;
	}
	if (exists(host, dpdk,
		   arena_printf(host->arena, "%s/librte_crypto_%s.a", dpdk->directory, name))) {
		names_add(host->arena, &dpdk->drivers, name);
		dpdk->static_drivers = true;
	}
}

void software_find_dpdk(struct host *host, struct software *software)
{
	struct software_dpdk *dpdk = &software->dpdk;
	struct names directories = {0}, prefixes;

	software_library_directories(host, &directories);
	for (size_t i = 0; i < directories.count && !dpdk->pc; i++)
		by_pc(host, dpdk, directories.items[i]);
	if (!dpdk->pc)
		unread(dpdk, "/opt", root_list(host->root, "/opt", &prefixes));
	if (dpdk->directory)
		by_drivers(host, dpdk, dpdk->directory);
	for (size_t i = 0; i < directories.count && !dpdk->directory; i++)
		by_drivers(host, dpdk, directories.items[i]);
	if (!dpdk->directory)
		return;
	for (size_t i = 0; i < sizeof(driver_names) / sizeof(driver_names[0]); i++)
		find_driver(host, dpdk, driver_names[i]);
}

/* "libIPSec_MB.so.1.5.0" -> "1.5.0": the file is named by its full version. */
static void find_ipsec_mb(struct host *host, struct software_library *library,
			  const char *directory)
{
	for (unsigned major = 1; major <= 4 && !library->path; major++) {
		const char *path =
			arena_printf(host->arena, "%s/libIPSec_MB.so.%u", directory, major);
		const char *target;
		const struct elf *elf = loader_elf(host, path);
		int number;

		if (elf->number == ENOENT || elf->number == ENOTDIR)
			continue;
		if (elf->number) {
			library->number = elf->number;
			library->unread = path;
			continue;
		}
		library->path = path;
		number = root_link(host->root, path, &target);
		target = number == 0 ? strstr(target, "libIPSec_MB.so.") : NULL;
		if (target && strchr(target + strlen("libIPSec_MB.so."), '.'))
			library->version = target + strlen("libIPSec_MB.so.");
	}
}

/* The copy that DPDK or its driver would load comes first in the order of directories. */
static void find_cryptolib(struct host *host, struct software_library *library, const char *path)
{
	struct view text;
	int number = root_read(host->root, path, &text);

	if (number == ENOENT || number == ENOTDIR)
		return;
	if (number) {
		library->number = number;
		library->unread = path;
		return;
	}
	library->path = path;
	library->version = pc_value(host->arena, text, "Version");
}

/* Copies in private prefixes cannot be ruled out when /opt cannot be listed. */
static void hide_behind_opt(struct software_library *library, int number)
{
	if (library->number || number == ENOENT || number == ENOTDIR)
		return;
	library->number = number;
	library->unread = "/opt";
}

void software_find_libraries(struct host *host, struct software *software)
{
	struct names directories = {0}, names;
	int number;

	software_library_directories(host, &directories);
	for (size_t i = 0; i < directories.count && !software->ipsec_mb.path; i++)
		find_ipsec_mb(host, &software->ipsec_mb, directories.items[i]);
	for (size_t i = 0; i < directories.count && !software->aarch64cryptolib.path; i++)
		find_cryptolib(host, &software->aarch64cryptolib,
			       arena_printf(host->arena, "%s/pkgconfig/libAArch64crypto.pc",
					    directories.items[i]));
	/* Built in place it has no lib directory: /opt/NAME/pkgconfig. */
	number = root_list(host->root, "/opt", &names);
	if (number) {
		hide_behind_opt(&software->ipsec_mb, number);
		hide_behind_opt(&software->aarch64cryptolib, number);
		return;
	}
	for (size_t i = 0;
	     i < names.count && i < SOFTWARE_PREFIXES_MAX && !software->aarch64cryptolib.path; i++)
		find_cryptolib(host, &software->aarch64cryptolib,
			       arena_printf(host->arena, "/opt/%s/pkgconfig/libAArch64crypto.pc",
					    names.items[i]));
}
