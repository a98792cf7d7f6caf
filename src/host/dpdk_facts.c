// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/cpu.h"
#include "host/software.h"

#include <errno.h>
#include <string.h>

static struct value read_dpdk(struct facts *facts, const char *of)
{
	const struct software_dpdk *dpdk = &host_software(facts->host)->dpdk;
	struct value value;

	(void)of;
	if (!dpdk->directory && dpdk->number)
		return value_unread(facts->arena, dpdk->unread, dpdk->number);
	if (!dpdk->directory)
		return value_none("no DPDK is installed");
	if (!dpdk->version)
		return value_unknown(
			facts->arena, UNKNOWN_NOT_VISIBLE,
			"%s/dpdk has libraries of ABI %s but there is no libdpdk.pc, which "
			"tells the release",
			dpdk->directory, dpdk->abi ? dpdk->abi : "not known");
	value = value_text(dpdk->version);
	value_cite(facts->arena, &value, dpdk->pc,
		   arena_printf(facts->arena, "Version: %s", dpdk->version), CONFIDENCE_DIRECT);
	return value;
}

static struct value read_drivers(struct facts *facts, const char *of)
{
	const struct software_dpdk *dpdk = &host_software(facts->host)->dpdk;
	struct value value;

	(void)of;
	if (!dpdk->directory)
		return *facts_get(facts, "software.dpdk");
	if (dpdk->number)
		return value_unread(facts->arena, dpdk->unread, dpdk->number);
	value = value_list(dpdk->drivers);
	value_cite(facts->arena, &value, dpdk->directory,
		   dpdk->drivers.count ? names_join(facts->arena, &dpdk->drivers, ", ") : "none",
		   CONFIDENCE_DIRECT);
	return value;
}

/* Drivers that this machine's libraries make possible, and that the guide wants. */
static void add_wanted(struct facts *facts, struct names *wanted)
{
	const struct software *software = host_software(facts->host);
	const char *arch = host_arch(facts->host);

	names_add(facts->arena, wanted, "openssl");
	if (arch && strcmp(arch, "aarch64") == 0)
		names_add(facts->arena, wanted, "armv8");
	/* Since 21.11 one driver file serves all of ipsec-mb; its parts had their own before. */
	if (software->ipsec_mb.path && !names_has(&software->dpdk.drivers, "snow3g") &&
	    !names_has(&software->dpdk.drivers, "zuc"))
		names_add(facts->arena, wanted, "ipsec_mb");
}

static struct value read_missing_drivers(struct facts *facts, const char *of)
{
	const struct value *drivers = facts_get(facts, "software.dpdk-drivers");
	struct names wanted = {0}, missing = {0};
	struct value value;

	(void)of;
	if (drivers->kind != VALUE_LIST)
		return *drivers;
	add_wanted(facts, &wanted);
	for (size_t i = 0; i < wanted.count; i++) {
		if (!names_has(&drivers->list, wanted.items[i]))
			names_add(facts->arena, &missing,
				  arena_printf(facts->arena, "crypto_%s is not built",
					       wanted.items[i]));
	}
	value = value_list(missing);
	value_cite_all(facts->arena, &value, drivers);
	return value;
}

/* The file that holds the openssl driver: its own library, or a program it was linked into. */
static struct elf *openssl_driver(struct facts *facts)
{
	const struct software *software = host_software(facts->host);

	if (software->dpdk.openssl)
		return software->dpdk.openssl;
	for (size_t i = 0; i < software->program_count; i++) {
		if (strncmp(software->programs[i].name, "dpdk-", 5) == 0 &&
		    software->programs[i].libcrypto)
			return software->programs[i].run->elf;
	}
	return NULL;
}

/*
 * Compiled against OpenSSL 3.2 or later the driver copies its contexts with EVP_CIPHER_CTX_dup(),
 * whose version is OPENSSL_3.2.0; against an older one it does so the slow way, whatever it is run
 * with.
 */
static struct value read_compiled(struct facts *facts, const char *of)
{
	const struct value *drivers = facts_get(facts, "software.dpdk-drivers");
	const struct value *release = facts_get(facts, "software.dpdk");
	struct elf *elf = openssl_driver(facts);
	const struct elf_needs *needs;
	const char *newest = NULL;
	struct value value;

	(void)of;
	if (drivers->kind != VALUE_LIST)
		return *drivers;
	if (!elf)
		return value_none("no openssl driver to look at");
	if (elf->number)
		return value_unread(facts->arena, elf->path, elf->number);
	needs = elf_version_needs(elf);
	if (elf->damage || needs->damaged)
		return value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s: %s", elf->path,
				     elf->damage ? elf->damage : "its version needs are damaged");
	for (size_t i = 0; i < needs->count; i++) {
		const char *version = needs->items[i].version;

		if (strncmp(version, "OPENSSL_", 8) == 0 &&
		    (!newest || strverscmp(version, newest) > 0))
			newest = version;
	}
	if (!newest)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "%s wants no versions of libcrypto", elf->path);
	value = value_text(arena_printf(
		facts->arena, "DPDK%s%s, whose openssl driver was compiled for OpenSSL %s",
		release->kind == VALUE_TEXT ? " " : "",
		release->kind == VALUE_TEXT ? release->text : "", newest + strlen("OPENSSL_")));
	value_cite(facts->arena, &value, elf->path,
		   arena_printf(facts->arena, "imports up to %s", newest), CONFIDENCE_DIRECT);
	return value;
}

static struct value library_version(struct facts *facts, const struct software_library *library,
				    const char *name)
{
	struct value value;

	if (!library->path && library->number)
		return value_unread(facts->arena, library->unread, library->number);
	if (!library->path)
		return value_none(arena_printf(facts->arena, "no %s is installed", name));
	if (!library->version)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "%s does not tell its version", library->path);
	value = value_text(library->version);
	value_cite(facts->arena, &value, library->path, library->version, CONFIDENCE_DIRECT);
	return value;
}

static struct value read_ipsec_mb(struct facts *facts, const char *of)
{
	(void)of;
	return library_version(facts, &host_software(facts->host)->ipsec_mb, "ipsec-mb");
}

static struct value read_cryptolib(struct facts *facts, const char *of)
{
	(void)of;
	return library_version(facts, &host_software(facts->host)->aarch64cryptolib,
			       "AArch64cryptolib");
}

/* The .pc file names the directory it was built in; a tree that was moved is not there any more. */
static struct value read_cryptolib_faults(struct facts *facts, const char *of)
{
	static const struct {
		const char *key, *file;
	} wanted[] = {
		{"libdir", "libAArch64crypto.a"},
		{"includedir", "AArch64cryptolib.h"},
	};
	const struct software_library *library = &host_software(facts->host)->aarch64cryptolib;
	struct names faults = {0};
	struct value value;
	struct view text;

	(void)of;
	if (!library->path || root_read(facts->host->root, library->path, &text) != 0)
		return *facts_get(facts, "software.aarch64cryptolib");
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const char *directory = pc_value(facts->arena, text, wanted[i].key);
		const char *path =
			directory && directory[0] == '/'
				? arena_printf(facts->arena, "%s/%s", directory, wanted[i].file)
				: NULL;
		struct root_stat stat;
		int number = path ? root_stat(facts->host->root, path, &stat) : ENOENT;

		if (number && number != ENOENT && number != ENOTDIR)
			return value_unread(facts->arena, path, number);
		if (number)
			names_add(facts->arena, &faults,
				  arena_printf(facts->arena, "%s: %s %s does not hold %s",
					       library->path, wanted[i].key,
					       directory ? directory : "(not given)",
					       wanted[i].file));
	}
	value = value_list(faults);
	value_cite(facts->arena, &value, library->path,
		   arena_printf(facts->arena, "libdir=%s", pc_value(facts->arena, text, "libdir")),
		   CONFIDENCE_DIRECT);
	return value;
}

static const struct fact rows[] = {
	{.name = "software.dpdk", .summary = "release of DPDK, from libdpdk.pc", .read = read_dpdk},
	{.name = "software.dpdk-drivers",
	 .summary = "crypto drivers of it that were built",
	 .read = read_drivers},
	{.name = "software.dpdk-drivers-missing",
	 .summary =
		 "crypto drivers that the guide wants and this machine's libraries allow, but that "
		 "were not built",
	 .read = read_missing_drivers},
	{.name = "software.dpdk-openssl-import",
	 .summary = "release of DPDK, and the newest version of OpenSSL whose symbols its openssl "
		    "driver imports",
	 .read = read_compiled},
	{.name = "software.ipsec-mb",
	 .summary = "version of libIPSec_MB, from its file name",
	 .read = read_ipsec_mb},
	{.name = "software.aarch64cryptolib",
	 .summary = "version of AArch64cryptolib, from its .pc file",
	 .read = read_cryptolib},
	{.name = "software.aarch64cryptolib-faults",
	 .summary = "directories that its .pc file names and that do not hold it",
	 .read = read_cryptolib_faults},
};

const struct fact_table dpdk_facts = FACT_TABLE(rows);
