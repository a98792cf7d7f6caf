// SPDX-License-Identifier: BSD-2-Clause
#include "host/ldso.h"

#include "base/arena.h"
#include "host/cpu.h"
#include "host/elf.h"

#include <errno.h>
#include <string.h>

/* Per architecture: what a distribution's glibc is built with. Flags of cache entries: glibc
 * sysdeps, ldconfig.h. */
struct architecture {
	uint16_t machine;
	unsigned bits;
	const char *triplet, *interp, *lib;
	const char *platform; /* AT_PLATFORM */
	uint32_t cache_flags;
};

static const struct architecture architectures[] = {
	{.machine = ELF_MACHINE_AARCH64,
	 .bits = 64,
	 .triplet = "aarch64-linux-gnu",
	 .interp = "/lib/ld-linux-aarch64.so.1",
	 .lib = "lib64",
	 .platform = "aarch64",
	 .cache_flags = 0x0a03},
	{.machine = ELF_MACHINE_X86_64,
	 .bits = 64,
	 .triplet = "x86_64-linux-gnu",
	 .interp = "/lib64/ld-linux-x86-64.so.2",
	 .lib = "lib64",
	 .platform = "x86_64",
	 .cache_flags = 0x0303},
	{.machine = ELF_MACHINE_386,
	 .bits = 32,
	 .triplet = "i386-linux-gnu",
	 .interp = "/lib/ld-linux.so.2",
	 .lib = "lib",
	 .platform = "i686",
	 .cache_flags = 0x0003},
	{.machine = ELF_MACHINE_ARM,
	 .bits = 32,
	 .triplet = "arm-linux-gnueabihf",
	 .interp = "/lib/ld-linux-armhf.so.3",
	 .lib = "lib",
	 .platform = "v7l",
	 .cache_flags = 0x0903},
};

static const struct architecture *architecture_of(uint16_t machine, unsigned bits)
{
	for (size_t i = 0; i < sizeof(architectures) / sizeof(architectures[0]); i++)
		if (architectures[i].machine == machine && architectures[i].bits == bits)
			return &architectures[i];
	return NULL;
}

uint32_t ldso_cache_flags(uint16_t machine, unsigned bits)
{
	const struct architecture *architecture = architecture_of(machine, bits);

	return architecture ? architecture->cache_flags : 0;
}

static struct ldso_layout
layout_multiarch(struct arena *arena, const struct architecture *architecture, const char *loader)
{
	return (struct ldso_layout){
		.glibc = true,
		.dirs = {arena_printf(arena, "/lib/%s", architecture->triplet),
			 arena_printf(arena, "/usr/lib/%s", architecture->triplet), "/lib",
			 "/usr/lib"},
		.dir_count = 4,
		.lib = arena_printf(arena, "lib/%s", architecture->triplet),
		.reason = arena_printf(arena, "the loader is %s: multiarch layout", loader),
	};
}

/* /lib64 and /usr/lib64, or /lib and /usr/lib; a loader elsewhere (Nix, Guix, a private glibc)
 * looks beside itself. */
static struct ldso_layout layout_plain(struct arena *arena, const char *loader)
{
	char *directory = arena_strdup(arena, loader);
	struct ldso_layout layout = {.glibc = true};

	*strrchr(directory, '/') = '\0';
	if (strncmp(directory, "/usr/", 5) == 0)
		directory += 4;
	layout.lib = strrchr(directory, '/') ? strrchr(directory, '/') + 1 : "lib";
	layout.dirs[layout.dir_count++] = directory;
	if (strncmp(directory, "/lib", 4) == 0 && !strchr(directory + 1, '/'))
		layout.dirs[layout.dir_count++] = arena_printf(arena, "/usr%s", directory);
	layout.reason = arena_printf(arena, "the loader is %s", loader);
	return layout;
}

struct ldso_layout ldso_layout(struct host *host, const struct elf *elf)
{
	const struct architecture *architecture = architecture_of(elf->machine, elf->bits);
	const char *interp = elf->interp, *loader, *name;
	struct ldso_layout layout;
	int number;

	if (!interp && !architecture)
		return (struct ldso_layout){
			.reason = "an architecture whose loader is not known here"};
	if (!interp)
		interp = architecture->interp;
	name = strrchr(interp, '/');
	if (!name || strncmp(name + 1, "ld-musl", 7) == 0)
		return (struct ldso_layout){
			.reason = arena_printf(host->arena, "%s is not glibc's loader", interp)};
	number = root_resolve(host->root, interp, &loader);
	if (number)
		return (struct ldso_layout){
			.number = number,
			.reason = arena_printf(host->arena, "%s: %s", interp,
					       number == ENODATA ? "not in this capture"
								 : strerrordesc_np(number))};
	if (architecture && strstr(loader, architecture->triplet))
		layout = layout_multiarch(host->arena, architecture, loader);
	else
		layout = layout_plain(host->arena, loader);
	layout.interp = interp;
	return layout;
}

/* psABI x86-64, table "Micro-Architecture Levels", in the kernel's spelling of /proc/cpuinfo. */
struct level {
	const char *name;
	const char *features[10];
};

static const struct level x86_levels[] = {
	{"x86-64-v2", {"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"}},
	{"x86-64-v3", {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}},
	{"x86-64-v4", {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}},
};

/* Up to glibc 2.36, in the order in which they are combined; the platform stands in its place. */
static const struct level x86_haswell = {"haswell",
					 {"avx2", "bmi1", "bmi2", "abm", "movbe", "popcnt"}};
static const struct level x86_avx512 = {"avx512_1",
					{"avx512cd", "avx512bw", "avx512dq", "avx512vl"}};
static const struct level arm_atomics = {"atomics", {"atomics"}};

/* glibc 2.36 and before: dl-hwcap.h, dl-procinfo.h of x86 and aarch64. */
#define LEGACY_TLS (UINT64_C(1) << 63)
#define ARM_BIT_ATOMICS (UINT64_C(1) << 8)
#define X86_BIT_64 (UINT64_C(1) << 1)
#define X86_BIT_AVX512 (UINT64_C(1) << 2)
#define X86_PLATFORM_MASK (UINT64_C(15) << 48)
#define X86_PLATFORM_HASWELL (UINT64_C(4) << 48)

static bool level_met(const struct cpus *cpus, const struct level *level)
{
	for (size_t i = 0;
	     i < sizeof(level->features) / sizeof(level->features[0]) && level->features[i]; i++)
		if (!cpus_have(cpus, level->features[i]))
			return false;
	return true;
}

static void hwcaps_x86(struct arena *arena, const struct cpus *cpus, struct ldso_hwcaps *hwcaps)
{
	size_t met = 0;

	while (met < sizeof(x86_levels) / sizeof(x86_levels[0]) &&
	       level_met(cpus, &x86_levels[met]))
		met++;
	while (met > 0)
		names_add(arena, &hwcaps->named, x86_levels[--met].name);
	names_add(arena, &hwcaps->legacy, "tls");
	hwcaps->platform = "x86_64";
	hwcaps->platform_mask = X86_PLATFORM_MASK;
	hwcaps->legacy_bits = LEGACY_TLS | X86_BIT_64;
	if (level_met(cpus, &x86_haswell)) {
		hwcaps->platform = x86_haswell.name;
		hwcaps->platform_bit = X86_PLATFORM_HASWELL;
		names_add(arena, &hwcaps->legacy, x86_haswell.name);
	}
	if (level_met(cpus, &x86_avx512)) {
		hwcaps->legacy_bits |= X86_BIT_AVX512;
		names_add(arena, &hwcaps->legacy, x86_avx512.name);
	}
	names_add(arena, &hwcaps->legacy, "x86_64");
}

static void hwcaps_aarch64(struct arena *arena, const struct cpus *cpus, struct ldso_hwcaps *hwcaps)
{
	hwcaps->platform = "aarch64";
	names_add(arena, &hwcaps->legacy, "tls");
	names_add(arena, &hwcaps->legacy, "aarch64");
	hwcaps->legacy_bits = LEGACY_TLS;
	if (level_met(cpus, &arm_atomics)) {
		hwcaps->legacy_bits |= ARM_BIT_ATOMICS;
		names_add(arena, &hwcaps->legacy, arm_atomics.name);
	}
}

struct ldso_hwcaps ldso_hwcaps(struct host *host, uint16_t machine)
{
	const struct cpus *cpus = host_cpus(host);
	struct ldso_hwcaps hwcaps = {.known = cpus->features_known};

	if (machine == ELF_MACHINE_X86_64)
		hwcaps_x86(host->arena, cpus, &hwcaps);
	else if (machine == ELF_MACHINE_AARCH64)
		hwcaps_aarch64(host->arena, cpus, &hwcaps);
	else
		names_add(host->arena, &hwcaps.legacy, "tls");
	return hwcaps;
}

int ldso_preload(struct root *root, struct names *out)
{
	struct view rest, part;
	int number = root_read(root, "/etc/ld.so.preload", &rest);
	char *text;

	if (number)
		return number;
	text = arena_copy(root_arena(root), rest.at, rest.size);
	/* A comment runs to the end of its line. */
	for (char *hash = strchr(text, '#'); hash; hash = strchr(hash, '#'))
		memset(hash, ' ', strcspn(hash, "\n"));
	for (char *c = text; *c; c++)
		if (*c == ':' || *c == '\t' || *c == '\n')
			*c = ' ';
	rest = view_of(text);
	while (view_word(&rest, &part))
		names_add(root_arena(root), out, view_copy(root_arena(root), part));
	return 0;
}
