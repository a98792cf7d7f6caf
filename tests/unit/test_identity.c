// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "catalog/facts.h"
#include "catalog/identity.h"
#include "catalog/profile.h"
#include "host/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define CPUINFO(bogomips, features, implementer, variant, part, revision)                          \
	"\"/proc/cpuinfo\": {\"text\": \"processor : 0\\nBogoMIPS : " bogomips                     \
	"\\nFeatures : fp asimd aes pmull sha1 sha2 atomics cpuid" features                        \
	"\\nCPU implementer : " implementer "\\nCPU architecture: 8\\nCPU variant : " variant      \
	"\\nCPU part : " part "\\nCPU revision : " revision "\\n\"}"
#define N1(bogomips) CPUINFO(bogomips, "", "0x41", "0x3", "0xd0c", "1")
#define SOC(id)                                                                                    \
	", \"/sys/devices/soc0/family\": {\"text\": \"jep106:0a16\\n\"}, "                         \
	"\"/sys/devices/soc0/soc_id\": {\"text\": \"jep106:0a16:" id "\\n\"}"
#define PACKAGE_OF(last)                                                                           \
	", \"/sys/devices/system/cpu/online\": {\"text\": \"0-" last "\\n\"}, "                    \
	"\"/sys/devices/system/cpu/cpu0/topology/package_cpus_list\": {\"text\": \"0-" last        \
	"\\n\"}"

/* facts: Altra, Altra Max and Graviton2 have MIDR 0x413fd0c1; SOC_ID jep106:0a16:0001, 0002, 0004;
 * timers 25 MHz and 121.875 MHz; QEMU's N1 is r4p1; Altra has at most 80 cores a socket; 0xac5 and
 * 0xac7 are Ampere's, products not named. */
static const struct {
	const char *what, *questions, *family, *confidence;
	size_t contradictions;
} rows[] = {
	{"N1 r3p1 alone", N1("0.00"), "neoverse-n1", "unknown", 0},
	{"Altra's timer", N1("50.00"), "altra", "likely", 0},
	{"Graviton2's timer", N1("243.75"), "neoverse-n1", "likely", 0},
	{"SOC_ID of Altra", N1("50.00") SOC("0001"), "altra", "certain", 0},
	{"SOC_ID of Altra Max", N1("50.00") SOC("0002"), "altramax", "certain", 0},
	{"SOC_ID of AmpereOne on an N1", N1("50.00") SOC("0004"), "altra", "likely", 1},
	{"more cores than Altra has", N1("50.00") PACKAGE_OF("127"), "altramax", "likely", 0},
	{"SOC_ID of Altra with 128 cores", N1("50.00") SOC("0001") PACKAGE_OF("127"), "altra",
	 "certain", 1},
	{"QEMU's N1", CPUINFO("50.00", "", "0x41", "0x4", "0xd0c", "1"), "neoverse-n1", "certain",
	 0},
	{"N1 with SHA-3", CPUINFO("50.00", " sha3", "0x41", "0x3", "0xd0c", "1") SOC("0001"),
	 "altra", "certain", 1},
	{"AC03", CPUINFO("50.00", " sha3 sha512", "0xc0", "0x0", "0xac3", "1"), "ampereone-ac03",
	 "certain", 0},
	{"AC04", CPUINFO("2000.00", " sha3 sha512 sm3 sm4", "0xc0", "0x0", "0xac4", "0"),
	 "ampereone-ac04", "certain", 0},
	{"AC03 with SM4", CPUINFO("50.00", " sha3 sha512 sm4", "0xc0", "0x0", "0xac3", "1"),
	 "ampereone-ac03", "certain", 1},
	{"Ampere-1B", CPUINFO("2000.00", " sha3", "0xc0", "0x0", "0xac5", "0"), "ampere-unknown",
	 "certain", 0},
	{"a part no table has", CPUINFO("2000.00", " sha3", "0xc0", "0x0", "0xac6", "0"),
	 "ampere-unknown", "certain", 0},
	{"eMAG", CPUINFO("80.00", "", "0x50", "0x3", "0x000", "2"), "emag", "certain", 1},
	{"eMAG's part without a variant",
	 "\"/proc/cpuinfo\": {\"text\": \"processor : 0\\nCPU implementer : 0x50\\nCPU part : "
	 "0x000\\nCPU revision : 2\\n\"}",
	 "emag", "likely", 0},
	{"AC04 without variant and revision",
	 "\"/proc/cpuinfo\": {\"text\": \"processor : 0\\nCPU implementer : 0xc0\\nCPU part : "
	 "0xac4\\n\"}",
	 "ampereone-ac04", "certain", 0},
	{"X-Gene, same part, other variant", CPUINFO("100.00", "", "0x50", "0x0", "0x000", "1"),
	 "other", "certain", 0},
	{"Kunpeng 920", CPUINFO("200.00", "", "0x48", "0x1", "0xd01", "0"), "other", "certain", 0},
	{"Neoverse N2, not N1", CPUINFO("50.00", "", "0x41", "0x0", "0xd49", "0"), "other",
	 "certain", 0},
	{"x86",
	 "\"/proc/cpuinfo\": {\"text\": \"processor : 0\\nvendor_id : GenuineIntel\\nflags : fpu "
	 "aes\\n\"}",
	 "other", "certain", 0},
	{"SOC_ID without cpuinfo", "\"/x\": {\"text\": \"\"}" SOC("0001"), "altra", "likely", 0},
	{"nothing to see", "\"/x\": {\"text\": \"\"}", NULL, "unknown", 0},
};

static const struct identity *identify(struct arena *arena, const char *questions)
{
	char path[] = "/tmp/test-identity-XXXXXX";
	struct cpu_profiles profiles;
	struct error err = {0};
	const struct identity *identity;
	struct root *root;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_true(
		file_write_fd(fd, path,
			      view_of(arena_printf(arena,
						   "{\"schema\": \"ampere-crypto/capture 1.0.0\", "
						   "\"complete\": true, \"questions\": {%s}}",
						   questions)),
			      &err));
	close(fd);
	root = root_open(arena, path, &err);
	unlink(path);
	if (!root || !cpu_profiles_load(arena, &profiles, &err))
		fail_msg("%s", err.text);
	identity = identity_read(facts_new(arena, host_new(arena, root), NULL), &profiles);
	root_close(root);
	return identity;
}

static void evidence_decides_in_order_of_trust(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct identity *identity = identify(&arena, rows[i].questions);

		if (!rows[i].family != !identity->family ||
		    (identity->family && strcmp(identity->family, rows[i].family) != 0) ||
		    strcmp(identity->family_confidence, rows[i].confidence) != 0 ||
		    identity->contradictions.count != rows[i].contradictions)
			fail_msg("%s: %s, %s, %zu contradictions: %s", rows[i].what,
				 identity->family ? identity->family : "no family",
				 identity->family_confidence, identity->contradictions.count,
				 names_join(&arena, &identity->contradictions, "; "));
	}
	arena_release(&arena);
}

static void every_profile_says_what_its_family_needs(void **state)
{
	static const char *const needed[] = {"altra",          "altramax", "ampereone-ac03",
					     "ampereone-ac04", "emag",     "neoverse-n1"};
	struct cpu_profiles profiles;
	struct error err = {0};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	if (!cpu_profiles_load(&arena, &profiles, &err))
		fail_msg("%s", err.text);
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		const struct cpu_profile *profile = cpu_profiles_find(&profiles, needed[i]);

		assert_non_null(profile);
		assert_true(profile->gcc.count > 0 && profile->clang.count > 0);
		assert_true(names_has(&profile->features, "aes"));
	}
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(evidence_decides_in_order_of_trust),
		cmocka_unit_test(every_profile_says_what_its_family_needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
