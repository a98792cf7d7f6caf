// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/vector.h"

#include "base/arena.h"
#include "base/error.h"
#include "kat-bench/job.h"
#include "kat-bench/snow3g.h"
#include "kat-bench/zuc.h"

#include <string.h>

#define BYTES_PER_LINE 16
#define MAC_32_BYTES 4
/* EVP_CTRL_AEAD_SET_IVLEN, GET_TAG, SET_TAG of evp.h. */
#define SET_IV_SIZE 0x9
#define GET_TAG 0x10
#define SET_TAG 0x11
#define TAG_BYTES 16
#define DES_BLOCK_BYTES 8

enum cipher {
	CIPHER_NONE,
	CIPHER_PLAIN,
	CIPHER_GCM,
	CIPHER_CCM,
	CIPHER_DES_CTR,
	CIPHER_SNOW3G,
	CIPHER_ZUC
};
enum auth { AUTH_NONE, AUTH_DIGEST, AUTH_HMAC, AUTH_CMAC, AUTH_GMAC, AUTH_SNOW3G, AUTH_ZUC };

/* Sizes in bytes. Names of algorithms are libcrypto's. */
struct vector {
	const char *name;
	enum cipher cipher;
	const char *cipher_name;
	size_t key, iv, block;
	enum auth auth;
	const char *auth_name;
	size_t auth_key, auth_iv;
};

#define PLAIN(with, bytes, of) .cipher = CIPHER_PLAIN, .cipher_name = with, .key = bytes, .iv = of
#define AES_CBC(with, bytes) PLAIN(with, bytes, 16), .block = 16
#define HMAC(with, bytes) .auth = AUTH_HMAC, .auth_name = with, .auth_key = bytes
#define DIGEST(with) .auth = AUTH_DIGEST, .auth_name = with
#define AEAD(how, with, bytes, of) .cipher = how, .cipher_name = with, .key = bytes, .iv = of
#define GMAC(with, bytes) .auth = AUTH_GMAC, .auth_name = with, .auth_key = bytes, .auth_iv = 12

/* The digest of a chain is of what was encrypted. A CMAC key has 32 bytes, as in Ampere's guide. */
static const struct vector vectors[] = {
	{"aes-cbc-128+sha1-hmac", AES_CBC("aes-128-cbc", 16), HMAC("sha1", 64)},
	{"aes-cbc-128+sha256-hmac", AES_CBC("aes-128-cbc", 16), HMAC("sha256", 64)},
	{"aes-ctr-128+aes-cmac", PLAIN("aes-128-ctr", 16, 16), .auth = AUTH_CMAC,
	 .auth_name = "aes-256-cbc", .auth_key = 32},
	{"aes-cbc-128", AES_CBC("aes-128-cbc", 16)},
	{"aes-cbc-192", AES_CBC("aes-192-cbc", 24)},
	{"aes-cbc-256", AES_CBC("aes-256-cbc", 32)},
	{"aes-ctr-128", PLAIN("aes-128-ctr", 16, 16)},
	{"aes-ctr-192", PLAIN("aes-192-ctr", 24, 16)},
	{"aes-ctr-256", PLAIN("aes-256-ctr", 32, 16)},
	{"aes-gcm-128", AEAD(CIPHER_GCM, "aes-128-gcm", 16, 12)},
	{"aes-gcm-192", AEAD(CIPHER_GCM, "aes-192-gcm", 24, 12)},
	{"aes-gcm-256", AEAD(CIPHER_GCM, "aes-256-gcm", 32, 12)},
	{"aes-ccm-128", AEAD(CIPHER_CCM, "aes-128-ccm", 16, 13)},
	{"aes-ccm-192", AEAD(CIPHER_CCM, "aes-192-ccm", 24, 13)},
	{"aes-ccm-256", AEAD(CIPHER_CCM, "aes-256-ccm", 32, 13)},
	{"aes-gmac-128", GMAC("aes-128-gcm", 16)},
	{"aes-gmac-192", GMAC("aes-192-gcm", 24)},
	{"aes-gmac-256", GMAC("aes-256-gcm", 32)},
	{"aes-cmac", .auth = AUTH_CMAC, .auth_name = "aes-256-cbc", .auth_key = 32},
	{"3des-cbc", PLAIN("des-ede3-cbc", 24, DES_BLOCK_BYTES), .block = DES_BLOCK_BYTES},
	{"3des-ctr", .cipher = CIPHER_DES_CTR, .cipher_name = "des-ede3", .key = 24, .iv = 8},
	{"snow3g-uea2", .cipher = CIPHER_SNOW3G, .key = 16, .iv = 16},
	{"snow3g-uia2", .auth = AUTH_SNOW3G, .auth_key = 16, .auth_iv = 16},
	{"zuc-eea3", .cipher = CIPHER_ZUC, .key = 16, .iv = 16},
	{"zuc-eia3", .auth = AUTH_ZUC, .auth_key = 16, .auth_iv = 16},
	{"md5", DIGEST("md5")},
	{"sha1", DIGEST("sha1")},
	{"sha224", DIGEST("sha224")},
	{"sha256", DIGEST("sha256")},
	{"sha384", DIGEST("sha384")},
	{"sha512", DIGEST("sha512")},
	{"md5-hmac", HMAC("md5", 64)},
	{"sha1-hmac", HMAC("sha1", 64)},
	{"sha224-hmac", HMAC("sha224", 64)},
	{"sha256-hmac", HMAC("sha256", 64)},
	{"sha384-hmac", HMAC("sha384", 128)},
	{"sha512-hmac", HMAC("sha512", 128)},
};

#define VECTORS (sizeof(vectors) / sizeof(vectors[0]))

/* What a file holds; empty: not in it. */
struct parts {
	struct view plain, cipher, key, iv, aad, auth_key, auth_iv, digest;
};

struct maker {
	struct arena *arena;
	const struct library *library;
	const struct vector *vector;
	struct parts parts;
};

static const unsigned char *bytes_of(struct view view)
{
	return (const unsigned char *)view.at;
}

/* One operation of a scheme that is measured elsewhere. */
static bool run_scheme(const struct maker *maker, const struct kind *kind,
		       const struct material *material, struct job **out, struct error *err)
{
	if (!job_prepare(maker->arena, maker->library, kind, material->in.size, material, out, err))
		return false;
	if (!kind->scheme->run(*out, 1))
		return error_set(err, "%s fails in this library", kind->algorithm);
	return true;
}

static struct view output_of(const struct job *job)
{
	return (struct view){(const char *)job->out, job->out_size};
}

static bool encrypt_plain(struct maker *maker, struct error *err)
{
	const struct parts *parts = &maker->parts;
	struct material material = {.key = parts->key, .iv = parts->iv, .in = parts->plain};
	struct kind kind = {.name = maker->vector->name,
			    .scheme = &scheme_update,
			    .algorithm = maker->vector->cipher_name,
			    .iv_size = parts->iv.size,
			    .encrypt = 1};
	struct job *job;

	if (!run_scheme(maker, &kind, &material, &job, err))
		return false;
	maker->parts.cipher = output_of(job);
	return true;
}

static bool encrypt_gcm(struct maker *maker, struct error *err)
{
	const struct parts *parts = &maker->parts;
	struct material material = {
		.key = parts->key, .iv = parts->iv, .aad = parts->aad, .in = parts->plain};
	struct kind kind = {.name = maker->vector->name,
			    .scheme = &scheme_seal,
			    .algorithm = maker->vector->cipher_name,
			    .iv_size = parts->iv.size};
	struct job *job;

	if (!run_scheme(maker, &kind, &material, &job, err))
		return false;
	maker->parts.cipher = output_of(job);
	maker->parts.digest = (struct view){(const char *)job->tag, job->tag_size};
	return true;
}

/* Its sizes are told before its data (EVP_EncryptInit(3), "CCM mode"). */
static bool encrypt_ccm(struct maker *maker, struct error *err)
{
	const struct library *library = maker->library;
	const struct parts *parts = &maker->parts;
	const void *cipher = library_cipher(library, maker->vector->cipher_name);
	void *context = library->cipher_context_new();
	int size = (int)parts->plain.size, written, good;
	unsigned char *out = arena_alloc(maker->arena, parts->plain.size + TAG_BYTES);
	unsigned char *tag = out + size;

	if (!cipher || !context)
		return error_set(err, "this library has no %s", maker->vector->cipher_name);
	good = library->cipher_init(context, cipher, NULL, NULL, NULL, 1);
	good &= library->cipher_control(context, SET_IV_SIZE, (int)parts->iv.size, NULL);
	good &= library->cipher_control(context, SET_TAG, TAG_BYTES, NULL);
	good &= library->cipher_init(context, NULL, NULL, bytes_of(parts->key), bytes_of(parts->iv),
				     1);
	good &= library->encrypt_update(context, NULL, &written, NULL, size);
	good &= library->encrypt_update(context, NULL, &written, bytes_of(parts->aad),
					(int)parts->aad.size);
	good &= library->encrypt_update(context, out, &written, bytes_of(parts->plain), size);
	good &= library->encrypt_final(context, tag, &written);
	good &= library->cipher_control(context, GET_TAG, TAG_BYTES, tag);
	library->cipher_context_free(context);
	if (good != 1)
		return error_set(err, "%s fails in this library", maker->vector->cipher_name);
	maker->parts.cipher = (struct view){(const char *)out, parts->plain.size};
	maker->parts.digest = (struct view){(const char *)tag, TAG_BYTES};
	return true;
}

/* NIST SP 800-38A section 6.5 over the block cipher: the counter is the whole block. */
static bool encrypt_des_ctr(struct maker *maker, struct error *err)
{
	size_t size = maker->parts.plain.size;
	size_t blocks = (size + DES_BLOCK_BYTES - 1) / DES_BLOCK_BYTES;
	struct view plain = maker->parts.plain;
	unsigned char *counters = arena_alloc(maker->arena, blocks * DES_BLOCK_BYTES), *out;
	uint64_t counter = 0;

	for (int i = 0; i < DES_BLOCK_BYTES; i++)
		counter = counter << 8 | bytes_of(maker->parts.iv)[i];
	for (size_t i = 0; i < blocks; i++, counter++)
		for (int n = 0; n < DES_BLOCK_BYTES; n++)
			counters[i * DES_BLOCK_BYTES + (size_t)n] =
				(unsigned char)(counter >> (56 - 8 * n));
	maker->parts.plain = (struct view){(const char *)counters, blocks * DES_BLOCK_BYTES};
	if (!encrypt_plain(maker, err))
		return false;
	out = arena_alloc(maker->arena, size);
	for (size_t i = 0; i < size; i++)
		out[i] = (unsigned char)(plain.at[i] ^ maker->parts.cipher.at[i]);
	maker->parts.plain = plain;
	maker->parts.cipher = (struct view){(const char *)out, size};
	return true;
}

static bool encrypt_mobile(struct maker *maker, struct error *err)
{
	const struct parts *parts = &maker->parts;
	unsigned char *out = arena_alloc(maker->arena, parts->plain.size);

	(void)err;
	(maker->vector->cipher == CIPHER_ZUC ? zuc_encrypt : snow3g_encrypt)(
		bytes_of(parts->key), bytes_of(parts->iv), bytes_of(parts->plain), out,
		parts->plain.size);
	maker->parts.cipher = (struct view){(const char *)out, parts->plain.size};
	return true;
}

static struct view authenticated(const struct maker *maker)
{
	return maker->vector->cipher ? maker->parts.cipher : maker->parts.plain;
}

static bool digest_or_mac(struct maker *maker, struct error *err)
{
	struct material material = {.key = maker->parts.auth_key, .in = authenticated(maker)};
	struct kind kind = {.name = maker->vector->name,
			    .scheme = maker->vector->auth == AUTH_DIGEST ? &scheme_digest
									 : &scheme_mac,
			    .algorithm = maker->vector->auth_name,
			    .mac = maker->vector->auth == AUTH_CMAC ? MAC_CMAC : MAC_HMAC};
	struct job *job;

	if (!run_scheme(maker, &kind, &material, &job, err))
		return false;
	maker->parts.digest = output_of(job);
	return true;
}

static bool mac_gcm(struct maker *maker, struct error *err)
{
	struct material material = {.key = maker->parts.auth_key,
				    .iv = maker->parts.auth_iv,
				    .aad = authenticated(maker),
				    .in = {"", 0}};
	struct kind kind = {.name = maker->vector->name,
			    .scheme = &scheme_seal,
			    .algorithm = maker->vector->auth_name,
			    .iv_size = maker->parts.auth_iv.size};
	struct job *job;

	if (!run_scheme(maker, &kind, &material, &job, err))
		return false;
	maker->parts.digest = (struct view){(const char *)job->tag, job->tag_size};
	return true;
}

static bool mac_mobile(struct maker *maker, struct error *err)
{
	struct view in = authenticated(maker);
	unsigned char *mac = arena_alloc(maker->arena, MAC_32_BYTES);

	(void)err;
	(maker->vector->auth == AUTH_ZUC ? zuc_mac : snow3g_mac)(bytes_of(maker->parts.auth_key),
								 bytes_of(maker->parts.auth_iv),
								 bytes_of(in), in.size, mac);
	maker->parts.digest = (struct view){(const char *)mac, MAC_32_BYTES};
	return true;
}

static bool (*const encrypting[])(struct maker *maker, struct error *err) = {
	[CIPHER_PLAIN] = encrypt_plain,   [CIPHER_GCM] = encrypt_gcm,
	[CIPHER_CCM] = encrypt_ccm,       [CIPHER_DES_CTR] = encrypt_des_ctr,
	[CIPHER_SNOW3G] = encrypt_mobile, [CIPHER_ZUC] = encrypt_mobile,
};

static bool (*const authenticating[])(struct maker *maker, struct error *err) = {
	[AUTH_DIGEST] = digest_or_mac, [AUTH_HMAC] = digest_or_mac, [AUTH_CMAC] = digest_or_mac,
	[AUTH_GMAC] = mac_gcm,         [AUTH_SNOW3G] = mac_mobile,  [AUTH_ZUC] = mac_mobile,
};

static struct view make_bytes(const struct maker *maker, const char *what, size_t size)
{
	const char *label = arena_printf(maker->arena, "%s %s %zu", what, maker->vector->name,
					 maker->parts.plain.size);

	return size ? material_bytes(maker->arena, label, size) : (struct view){NULL, 0};
}

static void print_part(FILE *to, const char *key, struct view bytes)
{
	if (bytes.size)
		fprintf(to, "\n%s =\n", key);
	for (size_t i = 0; i < bytes.size; i++) {
		bool last = i + 1 == bytes.size;

		fprintf(to, "0x%02x%s%s", (unsigned char)bytes.at[i], last ? "" : ",",
			last || i % BYTES_PER_LINE == BYTES_PER_LINE - 1 ? "\n" : " ");
	}
}

static void print_parts(const struct vector *vector, const struct parts *parts, FILE *to)
{
	bool aead = vector->cipher == CIPHER_GCM || vector->cipher == CIPHER_CCM;

	fprintf(to, "# %s of %zu bytes, written by ampere-crypto-kat-bench\n", vector->name,
		parts->plain.size);
	print_part(to, "plaintext", parts->plain);
	print_part(to, "ciphertext", parts->cipher);
	print_part(to, aead ? "aead_key" : "cipher_key", parts->key);
	print_part(to, aead ? "aead_iv" : "cipher_iv", parts->iv);
	print_part(to, "aad", parts->aad);
	print_part(to, "auth_key", parts->auth_key);
	print_part(to, "auth_iv", parts->auth_iv);
	if (parts->digest.size)
		fprintf(to, "\n[expected]");
	print_part(to, "digest", parts->digest);
}

bool vector_print(struct arena *arena, const struct library *library, const char *algorithm,
		  size_t size, FILE *to, struct error *err)
{
	struct maker maker = {.arena = arena, .library = library};
	const struct vector *vector = vectors;

	while (vector < vectors + VECTORS && strcmp(vector->name, algorithm))
		vector++;
	if (vector == vectors + VECTORS)
		return error_set(err, "%s is no algorithm of vectors", algorithm);
	if (!size || (vector->block && size % vector->block))
		return error_set(err, "%s wants a size, in whole blocks", algorithm);
	maker.vector = vector;
	maker.parts.plain.size = size;
	maker.parts.plain = make_bytes(&maker, "plaintext", size);
	maker.parts.key = make_bytes(&maker, "key", vector->key);
	maker.parts.iv = make_bytes(&maker, "iv", vector->iv);
	maker.parts.auth_key = make_bytes(&maker, "auth key", vector->auth_key);
	maker.parts.auth_iv = make_bytes(&maker, "auth iv", vector->auth_iv);
	if (vector->cipher == CIPHER_GCM || vector->cipher == CIPHER_CCM)
		maker.parts.aad = make_bytes(&maker, "aad", 16);
	if (vector->cipher && !encrypting[vector->cipher](&maker, err))
		return false;
	if (vector->auth && !authenticating[vector->auth](&maker, err))
		return false;
	print_parts(vector, &maker.parts, to);
	return true;
}

void vector_list(FILE *to)
{
	for (size_t i = 0; i < VECTORS; i++)
		fprintf(to, "%s\n", vectors[i].name);
}
