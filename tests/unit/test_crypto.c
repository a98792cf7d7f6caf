// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/cpu.h"
#include "host/crypto.h"

#include "machine.h"

static const struct fact_table *const tables[] = {&crypto_facts, &cpu_facts};

/* Blocks of a public dump of an arm64 machine; the fields that do not matter here are left out. */
#define ENTRY(name, driver, priority, selftest, internal)                                          \
	"name         : " name "\\ndriver       : " driver                                         \
	"\\nmodule       : x\\npriority     : " priority                                           \
	"\\nrefcnt       : 1\\nselftest     : " selftest "\\ninternal     : " internal             \
	"\\ntype         : skcipher\\nasync        : yes\\nblocksize    : 16\\n\\n"
#define GOOD(name, driver, priority) ENTRY(name, driver, priority, "passed", "no")
#define CRYPTO(text) "\"/proc/crypto\":{\"text\":\"" text "\"}"
#define CPU(features)                                                                              \
	"\"/proc/cpuinfo\":{\"text\":\"processor\\t: 0\\nFeatures\\t: " features                   \
	"\\nCPU implementer\\t: 0x41\\nCPU part\\t: 0xd0c\\n\\n\"}"
#define ALTRA CPU("fp asimd aes pmull sha1 sha2 crc32 atomics")
#define AMPEREONE CPU("fp asimd aes pmull sha1 sha2 crc32 atomics sha3 sha512")
#define PLAIN_ARM CPU("fp asimd crc32")
#define X86                                                                                        \
	"\"/proc/cpuinfo\":{\"text\":\"processor\\t: 0\\nflags\\t\\t: fpu ssse3 aes avx avx2 "     \
	"bmi2 pclmulqdq\\n\\n\"}"
#define MODULE(name) "\"/lib/modules/6.8.0/kernel/arch/arm64/crypto/" name "\":{\"text\":\"x\"}"

static const struct {
	const char *name, *arch, *questions, *fact, *want;
} rows[] = {
	{"highest priority of those that are not internal", "aarch64",
	 CRYPTO(ENTRY("ecb(aes)", "cryptd(__ecb-aes-ce)", "350", "passed", "yes")
			GOOD("ecb(aes)", "ecb-aes-ce", "300")
				GOOD("ecb(aes)", "ecb-aes-neon", "200")) "," ALTRA,
	 "crypto.driver(ecb(aes))", "ecb-aes-ce"},
	{"the same driver twice", "aarch64",
	 CRYPTO(GOOD("ctr(aes)", "ctr-aes-ce", "300")
			GOOD("ctr(aes)", "ctr-aes-ce", "299")) "," ALTRA,
	 "crypto.driver(ctr(aes))", "ctr-aes-ce"},
	{"a driver whose self test has not passed serves nobody", "aarch64",
	 CRYPTO(ENTRY("sha256", "sha256-ce", "200", "unknown", "no")
			GOOD("sha256", "sha256-generic", "100")) "," ALTRA,
	 "crypto.driver(sha256)", "sha256-generic"},
	{"absent is known", "aarch64", CRYPTO(GOOD("sha1", "sha1-ce", "200")) "," ALTRA,
	 "crypto.driver(gcm(aes))",
	 "none: gcm(aes) is not registered; the kernel does so on first use"},
	{"an empty file is damage", "aarch64", CRYPTO("") "," ALTRA, "crypto.driver(gcm(aes))",
	 "unknown: /proc/crypto lists no algorithm"},
	{"denied", "aarch64", "\"/proc/crypto\":{\"errno\":\"EACCES\"}," ALTRA,
	 "crypto.better(gcm(aes))", "unknown: /proc/crypto needs root"},

	{"Altra's GCM", "aarch64", CRYPTO(GOOD("gcm(aes)", "gcm-aes-ce", "300")) "," ALTRA,
	 "crypto.better(gcm(aes))", "none"},
	{"the template of C code wins, the module is there", "aarch64",
	 CRYPTO(GOOD("gcm(aes)", "gcm_base(ctr-aes-ce,ghash-generic)", "100")) "," ALTRA "," MODULE(
		 "ghash-ce.ko.zst"),
	 "crypto.better(gcm(aes))",
	 "gcm_base(ctr-aes-ce,ghash-generic) serves gcm(aes); gcm-aes-ce is not loaded: run "
	 "'modprobe ghash-ce'"},
	{"the kernel has no such module", "aarch64",
	 CRYPTO(GOOD("cbc(aes)", "cbc(aes-arm64)", "200")) "," ALTRA "," MODULE("sha1-ce.ko"),
	 "crypto.better(cbc(aes))",
	 "cbc(aes-arm64) serves cbc(aes); cbc-aes-ce: this kernel has no module aes-ce-blk"},
	{"modules are not to be seen", "aarch64",
	 CRYPTO(GOOD("cbc(aes)", "cbc-aes-neon", "200")) "," ALTRA, "crypto.better(cbc(aes))",
	 "cbc-aes-neon serves cbc(aes); cbc-aes-ce is not registered (module aes-ce-blk)"},
	{"a better one loses by priority", "aarch64",
	 CRYPTO(GOOD("xts(aes)", "xts-aes-ce", "10")
			GOOD("xts(aes)", "xts-aes-neonbs", "250")) "," ALTRA,
	 "crypto.better(xts(aes))",
	 "xts-aes-neonbs serves xts(aes); xts-aes-ce is registered, but a lower one wins by "
	 "priority"},
	{"NEON is the best without AES instructions", "aarch64",
	 CRYPTO(GOOD("xts(aes)", "xts-aes-neonbs", "250")) "," PLAIN_ARM, "crypto.better(xts(aes))",
	 "none"},

	/* Altra has no SHA-512 instructions, AmpereOne has. */
	{"Altra's SHA-512 is assembly", "aarch64",
	 CRYPTO(GOOD("sha512", "sha512-arm64", "150")
			GOOD("sha512", "sha512-generic", "100")) "," ALTRA,
	 "crypto.better(sha512)", "none"},
	{"AmpereOne can do better", "aarch64",
	 CRYPTO(GOOD("sha512", "sha512-arm64", "150")) "," AMPEREONE, "crypto.better(sha512)",
	 "sha512-arm64 serves sha512; sha512-ce is not registered (module sha512-ce)"},
	{"AmpereOne's SHA-512", "aarch64",
	 CRYPTO(GOOD("sha512", "sha512-ce", "200")
			GOOD("sha512", "sha512-arm64", "150")) "," AMPEREONE,
	 "crypto.better(sha512)", "none"},
	{"C code on Altra", "aarch64", CRYPTO(GOOD("sha512", "sha512-generic", "100")) "," ALTRA,
	 "crypto.better(sha512)",
	 "sha512-generic serves sha512; sha512-arm64 is not registered (module sha512-arm64)"},
	{"lib/crypto picks the code itself, first versions", "aarch64",
	 CRYPTO(GOOD("sha512", "sha512-lib", "100")) "," AMPEREONE, "crypto.better(sha512)",
	 "none"},
	{"lib/crypto under the name of the architecture", "aarch64",
	 CRYPTO(GOOD("sha256", "sha256-arm64", "300")) "," ALTRA, "crypto.better(sha256)", "none"},
	{"scalar assembly of the same name", "aarch64",
	 CRYPTO(GOOD("sha256", "sha256-arm64", "125")) "," ALTRA, "crypto.better(sha256)",
	 "sha256-arm64 serves sha256; sha256-ce is not registered (module sha2-ce)"},
	{"lib/crypto needs no features to be judged", "aarch64",
	 CRYPTO(GOOD("sha1", "sha1-lib", "300")), "crypto.better(sha1)", "none"},
	{"ChaCha20 with NEON", "aarch64",
	 CRYPTO(GOOD("chacha20", "chacha20-neon", "300")) "," ALTRA, "crypto.better(chacha20)",
	 "none"},
	{"a driver of an accelerator", "aarch64",
	 CRYPTO(GOOD("cbc(aes)", "cbc-aes-caam", "3000")) "," ALTRA, "crypto.better(cbc(aes))",
	 "unknown: how driver cbc-aes-caam of cbc(aes) compares with the others is not known"},
	{"cryptd around the best", "aarch64",
	 CRYPTO(GOOD("ctr(aes)", "cryptd(ctr-aes-ce)", "350")) "," ALTRA, "crypto.better(ctr(aes))",
	 "none"},

	{"x86 with AES-NI", "x86_64", CRYPTO(GOOD("cbc(aes)", "cbc-aes-aesni", "400")) "," X86,
	 "crypto.better(cbc(aes))", "none"},
	{"x86 kernel without AES-NI", "x86_64",
	 CRYPTO(GOOD("cbc(aes)", "cbc(ecb(aes-fixed-time))", "101")) "," X86,
	 "crypto.better(cbc(aes))",
	 "cbc(ecb(aes-fixed-time)) serves cbc(aes); cbc-aes-aesni is not registered (module "
	 "aesni-intel)"},
	{"x86 GCM with VAES", "x86_64",
	 CRYPTO(GOOD("gcm(aes)", "generic-gcm-vaes-avx10_512", "800")) "," X86,
	 "crypto.better(gcm(aes))", "none"},
	{"another architecture", "riscv64",
	 CRYPTO(GOOD("cbc(aes)", "cbc-aes-riscv64-zvkned", "300")) "," ALTRA,
	 "crypto.better(cbc(aes))",
	 "unknown: how driver cbc-aes-riscv64-zvkned of cbc(aes) compares with the others is not "
	 "known"},

	{"no template of ESP", "aarch64", CRYPTO(GOOD("sha1", "sha1-ce", "200")) "," ALTRA,
	 "crypto.slow-templates", "none: no ESP template is in use"},
	{"templates of the best", "aarch64",
	 CRYPTO(GOOD("rfc4106(gcm(aes))", "rfc4106-gcm-aes-ce", "300")
			GOOD("seqiv(rfc4106(gcm(aes)))", "seqiv(rfc4106-gcm-aes-ce)", "300")
				GOOD("authenc(hmac(sha256),cbc(aes))",
				     "authenc(hmac(sha256-ce),cbc-aes-ce)", "3200")) "," ALTRA,
	 "crypto.slow-templates", "none"},
	{"made before the module was loaded", "aarch64",
	 CRYPTO(GOOD("authenc(hmac(sha256),cbc(aes))", "authenc(hmac(sha256-generic),cbc-aes-ce)",
		     "3100") GOOD("rfc4106(gcm(aes))",
				  "rfc4106(gcm_base(ctr-aes-ce,ghash-generic))", "100")) "," ALTRA,
	 "crypto.slow-templates",
	 "authenc(hmac(sha256),cbc(aes)) was made with sha256-generic, "
	 "rfc4106(gcm(aes)) was made with gcm_base(ctr-aes-ce,ghash-generic)"},
	{"templates over lib/crypto", "aarch64",
	 CRYPTO(GOOD("authenc(hmac(sha256),cbc(aes))", "authenc(hmac(sha256-arm64),cbc-aes-ce)",
		     "3300") GOOD("sha256", "sha256-arm64", "300")
			GOOD("authenc(hmac(sha512),cbc(aes))",
			     "authenc(hmac-sha512-lib,cbc-aes-ce)", "3300")) "," ALTRA,
	 "crypto.slow-templates", "none"},
};

static void the_best_driver_depends_on_the_cpu(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine machine;
		const char *got, *live;
		char text[80];

		snprintf(text, sizeof(text), "\"arch\":\"%s\",\"kernel\":\"6.8.0\"", rows[i].arch);
		live = text;
		machine_open(&machine, live, rows[i].questions, tables, 2);
		got = machine_fact(&machine, rows[i].fact);
		if (strcmp(got, rows[i].want) != 0)
			fail_msg("%s: %s is \"%s\", not \"%s\"", rows[i].name, rows[i].fact, got,
				 rows[i].want);
		machine_close(&machine);
	}
}

/* Text of every shape must end in entries with a name, never in a crash. */
static void odd_text_is_survived(void **state)
{
	static const char *const texts[] = {"",
					    ":",
					    "driver : x\n",
					    "name\n",
					    "name : a\nname : b",
					    "name:a\npriority:x\n",
					    "\n\n\n:::\nname : \ndriver:\n"};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct crypto crypto = {0};

		crypto_parse(&arena, view_of(texts[i]), &crypto);
		for (size_t j = 0; j < crypto.count; j++)
			assert_true(crypto.entries[j].name && crypto.entries[j].driver);
		assert_null(crypto_winner(&crypto, "a"));
	}
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_driver_depends_on_the_cpu),
		cmocka_unit_test(odd_text_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
