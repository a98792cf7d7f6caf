// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/cpu.h"
#include "host/software.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#define IMPLEMENTER_AMPERE 0xc0

/* Which program's libcrypto is "the" OpenSSL, by role: the first that is there and needs one. */
static const struct {
	const char *role; /* NULL: any */
	const char *program;
} main_programs[] = {
	{"dpdk", "dpdk-test-crypto-perf"},
	{"dpdk", "dpdk-testpmd"},
	{"dpdk", "librte_crypto_openssl.so*"},
	{"tls", "nginx"},
	{"tls", "haproxy"},
	{NULL, "openssl"},
	{NULL, "*"},
};

static const struct software_program *main_program(struct facts *facts)
{
	const struct software *software = host_software(facts->host);

	for (size_t r = 0; r < sizeof(main_programs) / sizeof(main_programs[0]); r++) {
		const char *role = main_programs[r].role;

		if (role && (!facts->role || strcmp(role, facts->role) != 0))
			continue;
		for (size_t i = 0; i < software->program_count; i++) {
			const struct software_program *program = &software->programs[i];

			if (fnmatch(main_programs[r].program, program->name, 0) == 0 &&
			    (program->libcrypto || program->run->unknown))
				return program;
		}
	}
	return NULL;
}

enum unknown_kind software_unknown(int number)
{
	if (number == EACCES || number == EPERM)
		return UNKNOWN_NEEDS_ROOT;
	if (number == ENODATA)
		return UNKNOWN_NOT_CAPTURED;
	/* 0: nothing failed, the loader is one that is not modelled. */
	return number ? UNKNOWN_DAMAGED : UNKNOWN_NOT_VISIBLE;
}

static struct value run_unknown(struct facts *facts, const struct loader_run *run)
{
	return value_unknown(facts->arena, software_unknown(run->unknown_number), "%s: %s",
			     run->program, run->unknown);
}

/* Where a machine without any of the programs has it. */
static struct elf *lone_library(struct facts *facts, const char **path)
{
	static const char *const names[] = {"libcrypto.so.3", "libcrypto.so.1.1",
					    "libcrypto.so.10"};
	struct names directories = {0};

	software_library_directories(facts->host, &directories);
	for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		for (size_t d = 0; d < directories.count; d++) {
			struct elf *elf;

			*path = arena_printf(facts->arena, "%s/%s", directories.items[d], names[n]);
			elf = loader_elf(facts->host, *path);
			if (elf->number != ENOENT && elf->number != ENOTDIR)
				return elf;
		}
	}
	return NULL;
}

static struct value library_value(struct facts *facts, struct elf *elf, const char *path)
{
	struct openssl openssl;
	struct value value;

	if (elf->number)
		return value_unread(facts->arena, path, elf->number);
	if (elf->damage)
		return value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s: %s", path, elf->damage);
	openssl = openssl_read(elf);
	if (!openssl.version)
		return value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s", openssl.unknown);
	value = value_text(openssl.version);
	value_cite(facts->arena, &value, path, openssl.evidence, CONFIDENCE_DIRECT);
	return value;
}

static struct value read_openssl(struct facts *facts, const char *of)
{
	const struct software_program *program = main_program(facts);
	const char *path;
	struct elf *elf;

	(void)of;
	if (!program) {
		elf = lone_library(facts, &path);
		return elf ? library_value(facts, elf, path)
			   : value_none("no libcrypto is installed where programs look for it");
	}
	/* What could not be read may be the library that wins. */
	if (!program->libcrypto || program->run->unknown)
		return run_unknown(facts, program->run);
	if (!program->libcrypto->elf)
		return value_none(arena_printf(facts->arena, "%s needs %s, which is not found",
					       program->path, program->libcrypto->name));
	return library_value(facts, program->libcrypto->elf, program->libcrypto->path);
}

/* Whether that library is the distribution's own: it may then be taken to be unpatched. */
static struct value read_distribution(struct facts *facts, const char *of)
{
	const struct software_program *program = main_program(facts);

	(void)of;
	if (!program || !program->libcrypto || !program->libcrypto->path)
		return value_none("no program tells");
	return value_bool(loader_is_default(&program->run->layout, program->libcrypto->path));
}

static struct value read_overrides(struct facts *facts, const char *of)
{
	const struct software *software = host_software(facts->host);
	struct value value;

	(void)of;
	if (software->override_number && software->overrides.count == 0)
		return value_unread(facts->arena, software->override_unread,
				    software->override_number);
	value = value_list(software->overrides);
	for (size_t i = 0; i < software->overrides.count; i++)
		value_cite(facts->arena, &value, software->override_files.items[i],
			   software->overrides.items[i], CONFIDENCE_DIRECT);
	return value;
}

/*
 * OpenSSL 3.4.0 and later choose code for AmpereOne when MIDR can be read and the CPU has SHA3
 * (crypto/armcap.c); what was patched in before cannot be told from the version.
 */
static struct value read_ampere_path(struct facts *facts, const char *of)
{
	const struct value *version = facts_get(facts, "software.openssl");
	const struct cpus *cpus = host_cpus(facts->host);
	struct value value;
	uint64_t major = 0, minor = 0;
	struct view rest, part;

	(void)of;
	if (!cpus->id_known && cpus->number)
		return value_unread(facts->arena, "/proc/cpuinfo", cpus->number);
	if (!cpus->id_known || cpus->id.implementer != IMPLEMENTER_AMPERE)
		return value_none("only AmpereOne has code of its own in OpenSSL");
	if (version->kind != VALUE_TEXT)
		return *version;
	if (!cpus->features_known)
		return value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "/proc/cpuinfo shows no features");
	rest = view_of(version->text);
	if (!view_split(&rest, '.', &part) || !view_u64(part, 10, &major) ||
	    !view_split(&rest, '.', &part) || !view_u64(part, 10, &minor))
		return value_unknown(facts->arena, UNKNOWN_DAMAGED, "version %s", version->text);
	if (!cpus_have(cpus, "cpuid"))
		value = value_text("off: the CPU hides its identity (no cpuid feature)");
	else if (!cpus_have(cpus, "sha3"))
		value = value_text("off: no sha3 feature");
	else if (major < 3 || (major == 3 && minor < 4))
		value = value_text(arena_printf(facts->arena, "off: OpenSSL %s knows no AmpereOne",
						version->text));
	else
		value = value_text("on");
	value_cite_all(facts->arena, &value, version);
	value_cite(facts->arena, &value, "/proc/cpuinfo",
		   cpus_have(cpus, "cpuid") ? "Features: cpuid" : "Features: no cpuid",
		   CONFIDENCE_INFERRED);
	return value;
}

static const struct fact rows[] = {
	{.name = "software.openssl",
	 .summary =
		 "version of the libcrypto that the openssl program (role dpdk: DPDK's, role tls: "
		 "the server's) would load, read from that file",
	 .read = read_openssl},
	{.name = "software.openssl-of-distribution",
	 .summary = "whether that file is in a default directory of the loader",
	 .read = read_distribution},
	{.name = "software.openssl-overrides",
	 .summary = "places that set OPENSSL_armcap or OPENSSL_ia32cap: the environment, profile "
		    "files, units of services and their environment files",
	 .read = read_overrides},
	{.name = "software.openssl-ampere-path",
	 .summary =
		 "on AmpereOne, whether OpenSSL's code for it would be chosen, from version, MIDR "
		 "and features",
	 .read = read_ampere_path},
};

const struct fact_table software_facts = FACT_TABLE(rows);
