// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/library.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define MAPS_BYTES_MAX ((size_t)4 << 20)
/* OPENSSL_INIT_NO_LOAD_CONFIG of crypto.h. */
#define INIT_NO_LOAD_CONFIG 0x80

#define FUNCTION(member, symbol)                                                                   \
	{                                                                                          \
		symbol, offsetof(struct library, member), false                                    \
	}
#define OPTIONAL(member, symbol)                                                                   \
	{                                                                                          \
		symbol, offsetof(struct library, member), true                                     \
	}

static const struct {
	const char *name;
	size_t offset;
	bool optional;
} functions[] = {
	FUNCTION(version, "OpenSSL_version"),
	FUNCTION(init, "OPENSSL_init_crypto"),
	OPTIONAL(info, "OPENSSL_info"),
	FUNCTION(cipher_context_new, "EVP_CIPHER_CTX_new"),
	FUNCTION(cipher_context_free, "EVP_CIPHER_CTX_free"),
	FUNCTION(cipher_by_name, "EVP_get_cipherbyname"),
	OPTIONAL(cipher_fetch, "EVP_CIPHER_fetch"),
	FUNCTION(cipher_init, "EVP_CipherInit_ex"),
	FUNCTION(encrypt_update, "EVP_EncryptUpdate"),
	FUNCTION(decrypt_update, "EVP_DecryptUpdate"),
	FUNCTION(encrypt_final, "EVP_EncryptFinal_ex"),
	FUNCTION(decrypt_final, "EVP_DecryptFinal_ex"),
	FUNCTION(cipher_control, "EVP_CIPHER_CTX_ctrl"),
	FUNCTION(cipher_padding, "EVP_CIPHER_CTX_set_padding"),
	FUNCTION(digest_context_new, "EVP_MD_CTX_new"),
	FUNCTION(digest_context_free, "EVP_MD_CTX_free"),
	FUNCTION(digest_by_name, "EVP_get_digestbyname"),
	OPTIONAL(digest_fetch, "EVP_MD_fetch"),
	FUNCTION(digest_init, "EVP_DigestInit_ex"),
	FUNCTION(digest_update, "EVP_DigestUpdate"),
	FUNCTION(digest_final, "EVP_DigestFinal_ex"),
	OPTIONAL(mac_fetch, "EVP_MAC_fetch"),
	OPTIONAL(mac_context_new, "EVP_MAC_CTX_new"),
	OPTIONAL(mac_context_free, "EVP_MAC_CTX_free"),
	OPTIONAL(mac_init, "EVP_MAC_init"),
	OPTIONAL(mac_update, "EVP_MAC_update"),
	OPTIONAL(mac_final, "EVP_MAC_final"),
	OPTIONAL(hmac_new, "HMAC_CTX_new"),
	OPTIONAL(hmac_free, "HMAC_CTX_free"),
	OPTIONAL(hmac_init, "HMAC_Init_ex"),
	OPTIONAL(hmac_update, "HMAC_Update"),
	OPTIONAL(hmac_final, "HMAC_Final"),
	OPTIONAL(cmac_new, "CMAC_CTX_new"),
	OPTIONAL(cmac_free, "CMAC_CTX_free"),
	OPTIONAL(cmac_init, "CMAC_Init"),
	OPTIONAL(cmac_update, "CMAC_Update"),
	OPTIONAL(cmac_final, "CMAC_Final"),
	FUNCTION(private_key, "d2i_AutoPrivateKey"),
	FUNCTION(public_key, "d2i_PUBKEY"),
	FUNCTION(raw_private_key, "EVP_PKEY_new_raw_private_key"),
	FUNCTION(raw_public_key, "EVP_PKEY_new_raw_public_key"),
	FUNCTION(key_free, "EVP_PKEY_free"),
	FUNCTION(key_context_new, "EVP_PKEY_CTX_new"),
	FUNCTION(key_context_free, "EVP_PKEY_CTX_free"),
	FUNCTION(key_context_text, "EVP_PKEY_CTX_ctrl_str"),
	FUNCTION(sign_init, "EVP_PKEY_sign_init"),
	FUNCTION(sign, "EVP_PKEY_sign"),
	FUNCTION(verify_init, "EVP_PKEY_verify_init"),
	FUNCTION(verify, "EVP_PKEY_verify"),
	FUNCTION(derive_init, "EVP_PKEY_derive_init"),
	FUNCTION(derive_peer, "EVP_PKEY_derive_set_peer"),
	FUNCTION(derive, "EVP_PKEY_derive"),
	FUNCTION(message_sign_init, "EVP_DigestSignInit"),
	FUNCTION(message_sign, "EVP_DigestSign"),
	FUNCTION(message_verify_init, "EVP_DigestVerifyInit"),
	FUNCTION(message_verify, "EVP_DigestVerify"),
};

/* The mapping that holds an address. Its line: FIRST-LAST MODE OFFSET DEVICE INODE PATH. */
static const char *find_mapped(struct arena *arena, const void *function)
{
	struct view text, line;

	if (!file_read(arena, "/proc/self/maps", MAPS_BYTES_MAX, &text, NULL))
		return NULL;
	while (view_line(&text, &line)) {
		struct view first, last, word;
		uint64_t begin, end;

		if (!view_split(&line, '-', &first) || !view_word(&line, &last) ||
		    !view_u64(first, 16, &begin) || !view_u64(last, 16, &end))
			continue;
		if ((uintptr_t)function < begin || (uintptr_t)function >= end)
			continue;
		for (int i = 0; i < 4; i++)
			view_word(&line, &word);
		line = view_trim(line);
		return line.size ? text_printable(arena, line) : NULL;
	}
	return NULL;
}

static bool find_functions(struct library *library, const char *path, struct error *err)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *function = dlsym(library->handle, functions[i].name);

		if (!function && !functions[i].optional)
			return error_set(
				err, "%s is no libcrypto of OpenSSL 1.1.1 or later: it has no %s",
				path, functions[i].name);
		memcpy((char *)library + functions[i].offset, &function, sizeof(function));
	}
	return true;
}

bool library_open(struct arena *arena, const char *path, struct library *out, struct error *err)
{
	struct library library = {0};
	const void *function;

	/* A name without a slash would be searched for. */
	if (!strchr(path, '/'))
		return error_set(
			err, "%s: want the path of a libcrypto, as /usr/lib/libcrypto.so.3", path);
	unsetenv("OPENSSL_CONF");
	unsetenv("OPENSSL_ENGINES");
	unsetenv("OPENSSL_MODULES");
	library.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (!library.handle)
		return error_set(err, "%s cannot be opened: %s", path, dlerror());
	if (!find_functions(&library, path, err))
		return false;
	memcpy(&function, &library.encrypt_update, sizeof(function));
	library.path = find_mapped(arena, function);
	if (!library.path)
		return error_set(err, "%s: where it is mapped is not in /proc/self/maps", path);
	if (!library.init(INIT_NO_LOAD_CONFIG, NULL))
		return error_set(err, "%s does not start (OPENSSL_init_crypto)", path);
	*out = library;
	return true;
}

const char *library_capability(const struct library *library)
{
	return library->info ? library->info(LIBRARY_CPU_SETTINGS) : NULL;
}

const void *library_cipher(const struct library *library, const char *name)
{
	if (library->cipher_fetch)
		return library->cipher_fetch(NULL, name, NULL);
	return library->cipher_by_name(name);
}

const void *library_digest(const struct library *library, const char *name)
{
	if (library->digest_fetch)
		return library->digest_fetch(NULL, name, NULL);
	return library->digest_by_name(name);
}
