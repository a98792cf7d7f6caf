// SPDX-License-Identifier: BSD-2-Clause
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Uses a built OpenSSL: published answers (FIPS 180-4 for "abc", the AES-GCM specification's test
 * case 4, RFC 2202 for HMAC-SHA1), the legacy provider, a TLS context, the host's certificates
 * through the default paths.
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

static const unsigned char hmac_tag[] = {0xef, 0xfc, 0xdf, 0x6a, 0xe5, 0xeb, 0x2f,
					 0xa2, 0xd2, 0x74, 0x16, 0xd5, 0xf1, 0x84,
					 0xdf, 0x9c, 0x25, 0x9a, 0x7c, 0x79};

/* The library that is loaded is the one whose headers were used. */
static int version_is_right(void)
{
	return OpenSSL_version_num() == OPENSSL_VERSION_NUMBER;
}

static int hmac_is_right(void)
{
	static const unsigned char data[] = "what do ya want for nothing?";
	unsigned char tag[EVP_MAX_MD_SIZE];
	unsigned int size = 0;

	return HMAC(EVP_sha1(), "Jefe", 4, data, sizeof(data) - 1, tag, &size) &&
	       size == sizeof(hmac_tag) && memcmp(tag, hmac_tag, size) == 0;
}

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

/* The tree that the loaded library is of; it may not stand where it was built for. */
static int find_tree(char *tree, size_t room)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];
	int found = 0;

	while (maps && !found && fgets(line, sizeof(line), maps)) {
		char *path = strchr(line, '/');
		char *name = path ? strstr(path, "/lib/libcrypto.so") : NULL;

		if (name) {
			snprintf(tree, room, "%.*s", (int)(name - path), path);
			found = 1;
		}
	}
	if (maps)
		fclose(maps);
	return found;
}

static int legacy_is_there(void)
{
	char tree[4096], directory[8192];
	OSSL_PROVIDER *legacy;
	int there;

	if (!find_tree(tree, sizeof(tree)))
		return 0;
	snprintf(directory, sizeof(directory), "%s/lib/ossl-modules", tree);
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

static int verifies(X509_STORE *store, X509 *certificate)
{
	X509_STORE_CTX *context = X509_STORE_CTX_new();
	int right = context && X509_STORE_CTX_init(context, store, certificate, NULL) &&
		    X509_verify_cert(context) == 1;

	X509_STORE_CTX_free(context);
	return right;
}

/* A certificate of the host's store that is valid today. */
static X509 *read_valid(const char *path)
{
	FILE *file = fopen(path, "r");
	X509 *certificate = NULL;

	while (file && (certificate = PEM_read_X509(file, NULL, NULL, NULL))) {
		if (X509_cmp_current_time(X509_get0_notBefore(certificate)) < 0 &&
		    X509_cmp_current_time(X509_get0_notAfter(certificate)) > 0)
			break;
		X509_free(certificate);
	}
	if (file)
		fclose(file);
	return certificate;
}

/* Trusted through the default paths, and by nothing else: a store without them refuses it. */
static int is_trusted(X509 *certificate)
{
	SSL_CTX *context = SSL_CTX_new(TLS_client_method());
	X509_STORE *empty = X509_STORE_new();
	int right = context && empty && SSL_CTX_set_default_verify_paths(context) &&
		    verifies(SSL_CTX_get_cert_store(context), certificate) &&
		    !verifies(empty, certificate);

	X509_STORE_free(empty);
	SSL_CTX_free(context);
	return right;
}

/* The default paths are those of the tree's final place; what is there is tried where it is now. */
static int certificates_are_found(void)
{
	char tree[4096], path[8192], end[8192];
	const char *built_for = X509_get_default_cert_file();
	X509 *certificate;
	int right;

	if (!find_tree(tree, sizeof(tree)))
		return 0;
	snprintf(end, sizeof(end), "%s/etc/ssl/cert.pem", strrchr(tree, '/'));
	if (strlen(built_for) < strlen(end) ||
	    strcmp(built_for + strlen(built_for) - strlen(end), end) != 0)
		return 0;
	snprintf(path, sizeof(path), "%s/etc/ssl/cert.pem", tree);
	certificate = read_valid(path);
	if (!certificate) {
		printf("certificates of the host: not proved: this host has none\n");
		return 1;
	}
	setenv("SSL_CERT_FILE", path, 1);
	right = is_trusted(certificate);
	X509_free(certificate);
	return right;
}

int main(void)
{
	static const struct {
		const char *what;
		int (*check)(void);
	} checks[] = {{"version", version_is_right},
		      {"HMAC-SHA1", hmac_is_right},
		      {"SHA-256", digest_is_right},
		      {"AES-128-GCM", gcm_is_right},
		      {"legacy provider", legacy_is_there},
		      {"TLS", tls_is_there},
		      {"default paths", certificates_are_found}};
	int wrong = 0;

	printf("%s\n", OpenSSL_version(OPENSSL_VERSION));
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		int right = checks[i].check();

		printf("%s: %s\n", checks[i].what, right ? "right" : "WRONG");
		wrong += !right;
	}
	return wrong ? 1 : 0;
}
