// SPDX-License-Identifier: BSD-2-Clause
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>

/*
 * Uses a built OpenSSL: published answers (FIPS 180-4 for "abc", the AES-GCM specification's test
 * case 4), the legacy provider, a TLS context. Says which libraries were loaded.
 */
static const unsigned char sha256_abc[] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea,
					   0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
					   0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c,
					   0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
static const unsigned char gcm_key[] = {0xfe, 0xff, 0xe9, 0x92, 0x86, 0x65, 0x73, 0x1c,
					0x6d, 0x6a, 0x8f, 0x94, 0x67, 0x30, 0x83, 0x08};
static const unsigned char gcm_nonce[] = {0xca, 0xfe, 0xba, 0xbe, 0xfa, 0xce,
					  0xdb, 0xad, 0xde, 0xca, 0xf8, 0x88};
static const unsigned char gcm_aad[] = {0xfe, 0xed, 0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef, 0xfe, 0xed,
					0xfa, 0xce, 0xde, 0xad, 0xbe, 0xef, 0xab, 0xad, 0xda, 0xd2};
static const unsigned char gcm_plain[] = {
	0xd9, 0x31, 0x32, 0x25, 0xf8, 0x84, 0x06, 0xe5, 0xa5, 0x59, 0x09, 0xc5, 0xaf, 0xf5, 0x26,
	0x9a, 0x86, 0xa7, 0xa9, 0x53, 0x15, 0x34, 0xf7, 0xda, 0x2e, 0x4c, 0x30, 0x3d, 0x8a, 0x31,
	0x8a, 0x72, 0x1c, 0x3c, 0x0c, 0x95, 0x95, 0x68, 0x09, 0x53, 0x2f, 0xcf, 0x0e, 0x24, 0x49,
	0xa6, 0xb5, 0x25, 0xb1, 0x6a, 0xed, 0xf5, 0xaa, 0x0d, 0xe6, 0x57, 0xba, 0x63, 0x7b, 0x39};
static const unsigned char gcm_tag[] = {0x5b, 0xc9, 0x4f, 0xbc, 0x32, 0x21, 0xa5, 0xdb,
					0x94, 0xfa, 0xe9, 0x5a, 0xe7, 0x12, 0x1a, 0x47};

static int digest_is_right(void)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	size_t size;

	return EVP_Q_digest(NULL, "SHA256", NULL, "abc", 3, digest, &size) &&
	       size == sizeof(sha256_abc) && memcmp(digest, sha256_abc, size) == 0;
}

static int gcm_is_right(void)
{
	EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
	unsigned char out[sizeof(gcm_plain)], tag[sizeof(gcm_tag)];
	int size;
	int right = context &&
		    EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, gcm_key, gcm_nonce) &&
		    EVP_EncryptUpdate(context, NULL, &size, gcm_aad, sizeof(gcm_aad)) &&
		    EVP_EncryptUpdate(context, out, &size, gcm_plain, sizeof(gcm_plain)) &&
		    EVP_EncryptFinal_ex(context, out + size, &size) &&
		    EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, sizeof(tag), tag) &&
		    memcmp(tag, gcm_tag, sizeof(tag)) == 0;

	EVP_CIPHER_CTX_free(context);
	return right;
}

/* After the first use: what is mapped is what was really loaded. */
static void each_loaded(void (*use)(char *path, void *context), void *context)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096], last[4096] = "";

	while (maps && fgets(line, sizeof(line), maps)) {
		char *path = strchr(line, '/');

		if (!path || !strstr(path, ".so") || strcmp(path, last) == 0)
			continue;
		snprintf(last, sizeof(last), "%s", path);
		use(path, context);
	}
	if (maps)
		fclose(maps);
}

static void say(char *path, void *context)
{
	(void)context;
	printf("loaded %s", path);
}

/* The tree may not stand where it was built for: its modules are beside its library. */
static void search_beside(char *path, void *context)
{
	char *name = strstr(path, "/libcrypto.so");
	char *directory = context;

	if (name)
		snprintf(directory, 4096, "%.*s/ossl-modules", (int)(name - path), path);
}

static int legacy_is_there(void)
{
	char directory[4096] = "";
	OSSL_PROVIDER *legacy;
	int there;

	each_loaded(search_beside, directory);
	OSSL_PROVIDER_set_default_search_path(NULL, directory);
	legacy = OSSL_PROVIDER_load(NULL, "legacy");
	there = legacy != NULL;
	OSSL_PROVIDER_unload(legacy);
	return there;
}

static int tls_is_there(void)
{
	SSL_CTX *context = SSL_CTX_new(TLS_client_method());
	int there = context != NULL;

	SSL_CTX_free(context);
	return there;
}

int main(void)
{
	static const struct {
		const char *what;
		int (*check)(void);
	} checks[] = {{"SHA-256", digest_is_right},
		      {"AES-128-GCM", gcm_is_right},
		      {"legacy provider", legacy_is_there},
		      {"TLS", tls_is_there}};
	int wrong = 0;

	printf("%s\n", OpenSSL_version(OPENSSL_VERSION));
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		int right = checks[i].check();

		printf("%s: %s\n", checks[i].what, right ? "right" : "WRONG");
		wrong += !right;
	}
	each_loaded(say, NULL);
	return wrong ? 1 : 0;
}
