// SPDX-License-Identifier: BSD-2-Clause
#include "base/text.h"
#include "host/crypto.h"

#include <fnmatch.h>
#include <string.h>

#define ARM "aarch64"
#define X86 "x86_64"

/* lib/crypto drivers named after the architecture (Linux 6.16) have a name of older assembly, but
 * this priority. */
#define LIBRARY_PRIORITY 300

struct driver {
	const char *pattern; /* fnmatch glob */
	enum crypto_tier tier;
	const char *arch; /* NULL: any */
	const char *features[2];
	const char *module;
	int64_t priority; /* at least */
};

struct algorithm {
	const char *name;
	struct driver drivers[12]; /* the first that fits decides */
};

/* Driver names and modules: arch/arm64/crypto, arch/x86/crypto, crypto/ and lib/crypto of
 * Linux 4.19 to 6.18. */
#define AES_MODE(mode)                                                                             \
	{                                                                                          \
		.name = mode "(aes)",                                                              \
		.drivers = {                                                                       \
			{mode "-aes-ce", CRYPTO_INSTRUCTIONS, ARM, {"aes"}, "aes-ce-blk", 0},      \
			{mode "-aes-aesni*", CRYPTO_INSTRUCTIONS, X86, {"aes"}, "aesni-intel", 0}, \
			{mode "-aes-vaes*", CRYPTO_INSTRUCTIONS, X86, {"aes"}, "aesni-intel", 0},  \
			{mode "-aes-neonbs", CRYPTO_VECTOR, ARM, {"asimd"}, "aes-neon-bs", 0},     \
			{mode "-aes-neon", CRYPTO_VECTOR, ARM, {"asimd"}, "aes-neon-blk", 0},      \
			{mode "(*", CRYPTO_GENERIC, NULL, {NULL}, NULL, 0},                        \
		},                                                                                 \
	}

static const struct algorithm algorithms[] = {
	{
		.name = "gcm(aes)",
		.drivers =
			{
				{"gcm-aes-ce",
				 CRYPTO_INSTRUCTIONS,
				 ARM,
				 {"aes", "pmull"},
				 "ghash-ce",
				 0},
				{"rfc4106-gcm-aes-ce",
				 CRYPTO_INSTRUCTIONS,
				 ARM,
				 {"aes", "pmull"},
				 "ghash-ce",
				 0},
				{"generic-gcm-*",
				 CRYPTO_INSTRUCTIONS,
				 X86,
				 {"aes", "pclmulqdq"},
				 "aesni-intel",
				 0},
				{"rfc4106-gcm-aesni*",
				 CRYPTO_INSTRUCTIONS,
				 X86,
				 {"aes", "pclmulqdq"},
				 "aesni-intel",
				 0},
				{"rfc4106-gcm-vaes*",
				 CRYPTO_INSTRUCTIONS,
				 X86,
				 {"aes", "pclmulqdq"},
				 "aesni-intel",
				 0},
				{"gcm_base(*", CRYPTO_GENERIC, NULL, {NULL}, NULL, 0},
				{"gcm(*", CRYPTO_GENERIC, NULL, {NULL}, NULL, 0},
			},
	},
	AES_MODE("cbc"),
	AES_MODE("ctr"),
	AES_MODE("xts"),
	{
		.name = "sha1",
		.drivers =
			{
				{"sha1-ce", CRYPTO_INSTRUCTIONS, ARM, {"sha1"}, "sha1-ce", 0},
				{"*sha1-lib", CRYPTO_LIBRARY, NULL, {NULL}, NULL, 0},
				{"sha1-arm64",
				 CRYPTO_LIBRARY,
				 NULL,
				 {NULL},
				 NULL,
				 LIBRARY_PRIORITY},
				{"sha1-x86*", CRYPTO_LIBRARY, NULL, {NULL}, NULL, LIBRARY_PRIORITY},
				{"sha1-ni", CRYPTO_INSTRUCTIONS, X86, {"sha_ni"}, "sha1-ssse3", 0},
				{"sha1-avx2",
				 CRYPTO_VECTOR,
				 X86,
				 {"avx2", "bmi2"},
				 "sha1-ssse3",
				 0},
				{"sha1-avx", CRYPTO_VECTOR, X86, {"avx"}, "sha1-ssse3", 0},
				{"sha1-ssse3", CRYPTO_VECTOR, X86, {"ssse3"}, "sha1-ssse3", 0},
				{"sha1-generic", CRYPTO_GENERIC, NULL, {NULL}, NULL, 0},
			},
	},
	{
		.name = "sha256",
		.drivers =
			{
				{"sha256-ce", CRYPTO_INSTRUCTIONS, ARM, {"sha2"}, "sha2-ce", 0},
				{"*sha256-lib", CRYPTO_LIBRARY, NULL, {NULL}, NULL, 0},
				{"sha256-arm64",
				 CRYPTO_LIBRARY,
				 NULL,
				 {NULL},
				 NULL,
				 LIBRARY_PRIORITY},
				{"sha256-x86*",
				 CRYPTO_LIBRARY,
				 NULL,
				 {NULL},
				 NULL,
				 LIBRARY_PRIORITY},
				{"sha256-ni",
				 CRYPTO_INSTRUCTIONS,
				 X86,
				 {"sha_ni"},
				 "sha256-ssse3",
				 0},
				{"sha256-arm64-neon",
				 CRYPTO_VECTOR,
				 ARM,
				 {"asimd"},
				 "sha256-arm64",
				 0},
				{"sha256-avx2",
				 CRYPTO_VECTOR,
				 X86,
				 {"avx2", "bmi2"},
				 "sha256-ssse3",
				 0},
				{"sha256-avx", CRYPTO_VECTOR, X86, {"avx"}, "sha256-ssse3", 0},
				{"sha256-ssse3", CRYPTO_VECTOR, X86, {"ssse3"}, "sha256-ssse3", 0},
				{"sha256-arm64", CRYPTO_GENERIC, NULL, {NULL}, NULL, 0},
				{"sha256-generic", CRYPTO_GENERIC, NULL, {NULL}, NULL, 0},
			},
	},
	{
		.name = "sha512",
		.drivers =
			{
				{"sha512-ce", CRYPTO_INSTRUCTIONS, ARM, {"sha512"}, "sha512-ce", 0},
				{"*sha512-lib", CRYPTO_LIBRARY, NULL, {NULL}, NULL, 0},
				{"sha512-arm64",
				 CRYPTO_LIBRARY,
				 NULL,
				 {NULL},
				 NULL,
				 LIBRARY_PRIORITY},
				{"sha512-x86*",
				 CRYPTO_LIBRARY,
				 NULL,
				 {NULL},
				 NULL,
				 LIBRARY_PRIORITY},
				{"sha512-arm64", CRYPTO_VECTOR, ARM, {"asimd"}, "sha512-arm64", 0},
				{"sha512-avx2",
				 CRYPTO_VECTOR,
				 X86,
				 {"avx2", "bmi2"},
				 "sha512-ssse3",
				 0},
				{"sha512-avx", CRYPTO_VECTOR, X86, {"avx"}, "sha512-ssse3", 0},
				{"sha512-ssse3", CRYPTO_VECTOR, X86, {"ssse3"}, "sha512-ssse3", 0},
				{"sha512-generic", CRYPTO_GENERIC, NULL, {NULL}, NULL, 0},
			},
	},
	{
		.name = "chacha20",
		.drivers =
			{
				{"chacha20-neon", CRYPTO_VECTOR, ARM, {"asimd"}, "chacha-neon", 0},
				{"*chacha20-lib", CRYPTO_LIBRARY, NULL, {NULL}, NULL, 0},
				{"chacha20-arm64",
				 CRYPTO_LIBRARY,
				 NULL,
				 {NULL},
				 NULL,
				 LIBRARY_PRIORITY},
				{"chacha20-x86*",
				 CRYPTO_LIBRARY,
				 NULL,
				 {NULL},
				 NULL,
				 LIBRARY_PRIORITY},
				{"chacha20-simd",
				 CRYPTO_VECTOR,
				 X86,
				 {"ssse3"},
				 "chacha-x86_64",
				 0},
				{"chacha20-generic", CRYPTO_GENERIC, NULL, {NULL}, NULL, 0},
			},
	},
};
#define ALGORITHMS (sizeof(algorithms) / sizeof(algorithms[0]))
#define DRIVERS (sizeof(algorithms[0].drivers) / sizeof(algorithms[0].drivers[0]))

static const struct algorithm *algorithm_find(const char *name)
{
	for (size_t i = 0; i < ALGORITHMS; i++) {
		if (strcmp(algorithms[i].name, name) == 0)
			return &algorithms[i];
	}
	return NULL;
}

/* "cryptd(ctr-aes-ce)" runs ctr-aes-ce on another thread. */
static bool driver_fits(const char *pattern, const char *driver)
{
	static const char wrapper[] = "cryptd(";
	size_t size = strlen(driver);

	if (strncmp(driver, wrapper, strlen(wrapper)) != 0 || driver[size - 1] != ')')
		return fnmatch(pattern, driver, 0) == 0;
	char inner[128];
	size_t inner_size = size - strlen(wrapper) - 1;
	if (inner_size >= sizeof(inner))
		return false;
	memcpy(inner, driver + strlen(wrapper), inner_size);
	inner[inner_size] = '\0';
	return fnmatch(pattern, inner, 0) == 0;
}

enum crypto_tier crypto_driver_tier(const char *algorithm, const char *driver, int64_t priority)
{
	const struct algorithm *known = algorithm_find(algorithm);

	for (size_t i = 0; known && i < DRIVERS && known->drivers[i].pattern; i++) {
		const struct driver *row = &known->drivers[i];

		if (priority >= row->priority && driver_fits(row->pattern, driver))
			return row->tier;
	}
	return CRYPTO_UNRECOGNIZED;
}

static bool driver_possible(const struct driver *row, const char *arch,
			    const struct names *features)
{
	if (row->tier == CRYPTO_LIBRARY || (row->arch && (!arch || strcmp(row->arch, arch) != 0)))
		return false;
	for (size_t i = 0; i < 2 && row->features[i]; i++) {
		if (!names_has(features, row->features[i]))
			return false;
	}
	return true;
}

struct crypto_best crypto_best(const char *algorithm, const char *arch,
			       const struct names *features)
{
	const struct algorithm *known = algorithm_find(algorithm);
	struct crypto_best best = {.tier = CRYPTO_UNRECOGNIZED};

	for (size_t i = 0; known && i < DRIVERS && known->drivers[i].pattern; i++) {
		const struct driver *row = &known->drivers[i];

		if (driver_possible(row, arch, features) && row->tier > best.tier)
			best = (struct crypto_best){
				.tier = row->tier, .driver = row->pattern, .module = row->module};
	}
	return best;
}
