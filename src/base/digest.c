// SPDX-License-Identifier: BSD-2-Clause
#include "base/digest.h"

#include "base/arena.h"
#include "base/error.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHA256_BYTES 32
#define PIECE_BYTES (64 << 10)

/* EVP_DigestInit(3) of OpenSSL 1.1.0 and later; the handles are opaque. */
struct digest {
	void *context;
	bool failed;
	void *(*context_new)(void);
	void (*context_free)(void *context);
	const void *(*sha256)(void);
	int (*init)(void *context, const void *type, void *engine);
	int (*update)(void *context, const void *bytes, size_t size);
	int (*final)(void *context, unsigned char *out, unsigned *size);
};

static const char *const libraries[] = {"libcrypto.so.3", "libcrypto.so.1.1"};

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	{"EVP_MD_CTX_new", offsetof(struct digest, context_new)},
	{"EVP_MD_CTX_free", offsetof(struct digest, context_free)},
	{"EVP_sha256", offsetof(struct digest, sha256)},
	{"EVP_DigestInit_ex", offsetof(struct digest, init)},
	{"EVP_DigestUpdate", offsetof(struct digest, update)},
	{"EVP_DigestFinal_ex", offsetof(struct digest, final)},
};

static bool find_functions(struct digest *digest, const char *library, struct error *err)
{
	/* It stays loaded for the next digest: libcrypto registers handlers for the exit of the
	 * process, which must not dangle. */
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	bool found = true;

	if (!handle)
		return error_set(err, "%s", dlerror());
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *function = dlsym(handle, functions[i].name);

		if (!function)
			found = error_set(err, "%s has no %s", library, functions[i].name);
		memcpy((char *)digest + functions[i].offset, &function, sizeof(function));
	}
	dlclose(handle);
	return found;
}

static bool open_library(struct digest *digest, struct error *err)
{
	struct error last = {0};

	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		struct error one = {0};

		if (find_functions(digest, libraries[i], &one))
			return true;
		/* Of a library that is there and broken the reason is wanted, not that the next one
		 * is missing. */
		if (i == 0)
			last = one;
	}
	return error_set(err, "no usable libcrypto for SHA-256, install OpenSSL 3 (libssl3): %s",
			 last.text);
}

struct digest *digest_start(struct arena *arena, struct error *err)
{
	struct digest *digest = arena_new(arena, struct digest);

	if (!open_library(digest, err))
		return NULL;
	digest->context = digest->context_new();
	if (digest->context && digest->init(digest->context, digest->sha256(), NULL) == 1)
		return digest;
	digest->context_free(digest->context);
	error_set(err, "libcrypto gives no SHA-256, look at its configuration (openssl.cnf)");
	return NULL;
}

void digest_add(struct digest *digest, const void *bytes, size_t size)
{
	if (size && digest->update(digest->context, bytes, size) != 1)
		digest->failed = true;
}

void digest_end(struct digest *digest, char hex[DIGEST_HEX_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char bytes[64];
	unsigned size = 0;

	hex[0] = '\0';
	if (digest->final(digest->context, bytes, &size) != 1 || size != SHA256_BYTES)
		digest->failed = true;
	digest->context_free(digest->context);
	digest->context = NULL;
	if (digest->failed)
		return;
	for (size_t i = 0; i < SHA256_BYTES; i++) {
		hex[2 * i] = digits[bytes[i] >> 4];
		hex[2 * i + 1] = digits[bytes[i] & 15];
	}
	hex[2 * SHA256_BYTES] = '\0';
}

/* The end of a digest into an output that is written only on success. */
static bool finish(struct digest *digest, char hex[DIGEST_HEX_SIZE], struct error *err)
{
	char text[DIGEST_HEX_SIZE];

	digest_end(digest, text);
	if (!text[0])
		return error_set(err, "libcrypto failed to compute a SHA-256");
	memcpy(hex, text, sizeof(text));
	return true;
}

bool digest_view(struct arena *arena, struct view bytes, char hex[DIGEST_HEX_SIZE],
		 struct error *err)
{
	struct digest *digest = digest_start(arena, err);

	if (!digest)
		return false;
	digest_add(digest, bytes.at, bytes.size);
	return finish(digest, hex, err);
}

static bool add_file(struct digest *digest, int fd, const char *name, uint64_t *size_bytes,
		     struct error *err)
{
	char piece[PIECE_BYTES];

	for (*size_bytes = 0;;) {
		ssize_t got = pread(fd, piece, sizeof(piece), (off_t)*size_bytes);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_errno(err, errno, "%s", name);
		if (got == 0)
			return true;
		digest_add(digest, piece, (size_t)got);
		*size_bytes += (uint64_t)got;
	}
}

bool digest_fd(struct arena *arena, int fd, const char *name, char hex[DIGEST_HEX_SIZE],
	       uint64_t *size_bytes, struct error *err)
{
	char unused[DIGEST_HEX_SIZE];
	struct digest *digest;
	struct stat status;
	uint64_t size;

	if (fstat(fd, &status) < 0)
		return error_errno(err, errno, "%s", name);
	if (!S_ISREG(status.st_mode))
		return error_set(err, "%s: not a regular file", name);
	digest = digest_start(arena, err);
	if (!digest)
		return false;
	if (!add_file(digest, fd, name, &size, err)) {
		digest_end(digest, unused);
		return false;
	}
	if (!finish(digest, hex, err))
		return error_context(err, "%s", name);
	if (size_bytes)
		*size_bytes = size;
	return true;
}

bool digest_is(const char *text)
{
	return strlen(text) == DIGEST_HEX_SIZE - 1 &&
	       strspn(text, "0123456789abcdef") == DIGEST_HEX_SIZE - 1;
}
