// SPDX-License-Identifier: BSD-2-Clause
#include <rte_bus_vdev.h>
#include <rte_cryptodev.h>
#include <rte_eal.h>
#include <stdio.h>
#include <string.h>

/*
 * Which algorithms the crypto drivers of a built DPDK have, against the tables of Ampere's DPDK
 * cryptography guide (2025). A driver that was not built is not asked for.
 */
struct wanted {
	const char *driver, *name;
	enum { CIPHER, AUTH, AEAD, ASYMMETRIC } kind;
	int algorithm;
};

#define CIPHER_ROW(driver, name)                                                                   \
	{                                                                                          \
		driver, #name, CIPHER, RTE_CRYPTO_CIPHER_##name                                    \
	}
#define AUTH_ROW(driver, name)                                                                     \
	{                                                                                          \
		driver, #name, AUTH, RTE_CRYPTO_AUTH_##name                                        \
	}
#define AEAD_ROW(driver, name)                                                                     \
	{                                                                                          \
		driver, #name, AEAD, RTE_CRYPTO_AEAD_##name                                        \
	}
#define ASYMMETRIC_ROW(driver, name)                                                               \
	{                                                                                          \
		driver, #name, ASYMMETRIC, RTE_CRYPTO_ASYM_XFORM_##name                            \
	}

static const struct wanted table[] = {
#ifdef RTE_CRYPTO_ARMV8
	CIPHER_ROW("crypto_armv8", AES_CBC),
	AUTH_ROW("crypto_armv8", SHA1_HMAC),
	AUTH_ROW("crypto_armv8", SHA256_HMAC),
#endif
	CIPHER_ROW("crypto_openssl", 3DES_CBC),
	CIPHER_ROW("crypto_openssl", AES_CBC),
	CIPHER_ROW("crypto_openssl", AES_CTR),
	CIPHER_ROW("crypto_openssl", 3DES_CTR),
	CIPHER_ROW("crypto_openssl", DES_DOCSISBPI),
	AUTH_ROW("crypto_openssl", AES_GMAC),
	AUTH_ROW("crypto_openssl", MD5),
	AUTH_ROW("crypto_openssl", SHA1),
	AUTH_ROW("crypto_openssl", SHA224),
	AUTH_ROW("crypto_openssl", SHA256),
	AUTH_ROW("crypto_openssl", SHA384),
	AUTH_ROW("crypto_openssl", SHA512),
	AUTH_ROW("crypto_openssl", MD5_HMAC),
	AUTH_ROW("crypto_openssl", SHA1_HMAC),
	AUTH_ROW("crypto_openssl", SHA224_HMAC),
	AUTH_ROW("crypto_openssl", SHA256_HMAC),
	AUTH_ROW("crypto_openssl", SHA384_HMAC),
	AUTH_ROW("crypto_openssl", SHA512_HMAC),
	AEAD_ROW("crypto_openssl", AES_GCM),
	AEAD_ROW("crypto_openssl", AES_CCM),
	ASYMMETRIC_ROW("crypto_openssl", RSA),
	ASYMMETRIC_ROW("crypto_openssl", DSA),
	ASYMMETRIC_ROW("crypto_openssl", DH),
	ASYMMETRIC_ROW("crypto_openssl", MODINV),
	ASYMMETRIC_ROW("crypto_openssl", MODEX),
#ifdef RTE_CRYPTO_IPSEC_MB
	CIPHER_ROW("crypto_snow3g", SNOW3G_UEA2),
	AUTH_ROW("crypto_snow3g", SNOW3G_UIA2),
	CIPHER_ROW("crypto_zuc", ZUC_EEA3),
	AUTH_ROW("crypto_zuc", ZUC_EIA3),
#endif
};

static bool symmetric_fits(const struct rte_cryptodev_symmetric_capability *has,
			   const struct wanted *row)
{
	switch (row->kind) {
	case CIPHER:
		return has->xform_type == RTE_CRYPTO_SYM_XFORM_CIPHER &&
		       (int)has->cipher.algo == row->algorithm;
	case AUTH:
		return has->xform_type == RTE_CRYPTO_SYM_XFORM_AUTH &&
		       (int)has->auth.algo == row->algorithm;
	case AEAD:
		return has->xform_type == RTE_CRYPTO_SYM_XFORM_AEAD &&
		       (int)has->aead.algo == row->algorithm;
	default:
		return false;
	}
}

static bool has(const struct rte_cryptodev_capabilities *at, const struct wanted *row)
{
	for (; at->op != RTE_CRYPTO_OP_TYPE_UNDEFINED; at++) {
		if (at->op == RTE_CRYPTO_OP_TYPE_SYMMETRIC && symmetric_fits(&at->sym, row))
			return true;
		if (at->op == RTE_CRYPTO_OP_TYPE_ASYMMETRIC && row->kind == ASYMMETRIC &&
		    (int)at->asym.xform_capa.xform_type == row->algorithm)
			return true;
	}
	return false;
}

/* The device of a driver, made on first use; -1: there is none. */
static int device_of(const char *driver)
{
	int device = rte_cryptodev_get_dev_id(driver);

	if (device < 0 && rte_vdev_init(driver, "") == 0)
		device = rte_cryptodev_get_dev_id(driver);
	return device;
}

#ifdef RTE_CRYPTO_IPSEC_MB
/* The guide names ZUC with keys of 256 bits beside that of 128; not every release's driver has
 * them. */
static void say_zuc_256(void)
{
	const struct rte_cryptodev_sym_capability_idx which = {
		.type = RTE_CRYPTO_SYM_XFORM_CIPHER, .algo.cipher = RTE_CRYPTO_CIPHER_ZUC_EEA3};
	const struct rte_cryptodev_symmetric_capability *has = NULL;
	int device = device_of("crypto_zuc");

	if (device >= 0)
		has = rte_cryptodev_sym_capability_get((uint8_t)device, &which);
	printf("crypto_zuc, keys of 256 bits: %s\n",
	       has && has->cipher.key_size.max >= 32
		       ? "there"
		       : "not proved: the driver of this release has keys of 128 bits");
}
#endif

int main(void)
{
	/* CPU 0 is there on machines with one CPU, too. */
	char *arguments[] = {"smoke", "--lcores", "0@0",         "--no-huge",     "-m",
			     "64",    "--no-pci", "--no-shconf", "--no-telemetry"};
	int wrong = 0;

	if (rte_eal_init(sizeof(arguments) / sizeof(arguments[0]), arguments) < 0)
		return 2;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct rte_cryptodev_info info = {0};
		int device = device_of(table[i].driver);
		bool there = false;

		if (device >= 0) {
			rte_cryptodev_info_get((uint8_t)device, &info);
			there = has(info.capabilities, &table[i]);
		}
		printf("%s %s: %s\n", table[i].driver, table[i].name, there ? "there" : "MISSING");
		wrong += !there;
	}
#ifdef RTE_CRYPTO_IPSEC_MB
	say_zuc_256();
#endif
	rte_eal_cleanup();
	return wrong ? 1 : 0;
}
