// SPDX-License-Identifier: BSD-2-Clause
#include "bench/import.h"

#include "base/arena.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define NAME_MAX_BYTES 128

/* Pieces of names that programs spell in several ways, after slug(). */
static const struct {
	const char *from, *to;
} spellings[] = {
	{"id-aes128-", "aes-128-"}, {"id-aes192-", "aes-192-"}, {"id-aes256-", "aes-256-"},
	{"aead-aes-", "aes-"},      {"sha2-", "sha"},           {"sha-1", "sha1"},
	{"sha-2", "sha2"},          {"sha-3", "sha3"},          {"sha-5", "sha5"},
	{"p-256", "p256"},          {"p-384", "p384"},          {"p-521", "p521"},
	{"p-224", "p224"},          {"-same-key", ""},
};

/* Of openssl's curves. */
static const struct {
	const char *printed, *name;
} curves[] = {{"nistp224", "p224"},   {"nistp256", "p256"}, {"nistp384", "p384"},
	      {"nistp521", "p521"},   {"X25519", "x25519"}, {"X448", "x448"},
	      {"Ed25519", "ed25519"}, {"Ed448", "ed448"},   {"CurveSM2", "sm2"}};

static const char *replaced(struct arena *arena, const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	if (!at)
		return text;
	return arena_printf(arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* Lower case; whatever is no letter, digit, '.' or '+' is one hyphen. */
static const char *slug(struct arena *arena, const char *text)
{
	struct buffer out = buffer_new(arena, NAME_MAX_BYTES);
	const char *made;

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (isalnum(c) || c == '.' || c == '+')
			buffer_char(&out, (char)tolower(c));
		else if (out.size && out.at[out.size - 1] != '-')
			buffer_char(&out, '-');
	}
	while (out.size && out.at[out.size - 1] == '-')
		out.size--;
	made = buffer_string(&out);
	if (strncmp(made, "slh-dsa-", 8) == 0) /* "sha2-128s" is no SHA-2 of 128 bits */
		return made;
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
		made = replaced(arena, made, spellings[i].from, spellings[i].to);
	return made;
}

static const char *option(const struct engine_run *run, const char *key)
{
	size_t size = strlen(key);

	for (size_t i = 0; i < run->options.count; i++) {
		const char *said = run->options.items[i];

		if (strncmp(said, key, size) == 0 && said[size] == '=')
			return said + size + 1;
	}
	return NULL;
}

/* "aes-cbc" with a key of 16 bytes is "aes-cbc-128"; CMAC's key is not part of its name. */
static const char *with_key(struct arena *arena, const struct engine_run *run, const char *name,
			    const char *key)
{
	const char *said = option(run, key);
	uint64_t bytes;

	name = slug(arena, name);
	if (!said || !view_u64(view_of(said), 10, &bytes) || bytes > 64)
		return name;
	if ((strncmp(name, "aes-", 4) == 0 && strcmp(name, "aes-cmac") != 0 &&
	     strcmp(name, "aes-xcbc-mac") != 0) ||
	    (strncmp(name, "zuc-", 4) == 0 && bytes == 32))
		return arena_printf(arena, "%s-%d", name, (int)bytes * 8);
	return name;
}

static const char *dpdk_name(struct arena *arena, const struct engine_run *run)
{
	const char *optype = option(run, "optype"), *cipher = option(run, "cipher-algo");
	const char *auth = option(run, "auth-algo"), *aead = option(run, "aead-algo");
	const char *operation = option(run, "cipher-op"), *name;

	if (!optype)
		return "unknown";
	if (strcmp(optype, "aead") == 0 && aead) {
		name = with_key(arena, run, aead, "aead-key-sz");
		operation = option(run, "aead-op");
	} else if (strcmp(optype, "cipher-only") == 0 && cipher) {
		name = with_key(arena, run, cipher, "cipher-key-sz");
	} else if (strcmp(optype, "auth-only") == 0 && auth) {
		name = with_key(arena, run, auth, "auth-key-sz");
		operation = NULL;
	} else if (strstr(optype, "-then-") && cipher && auth) {
		name = arena_printf(arena, "%s+%s", with_key(arena, run, cipher, "cipher-key-sz"),
				    with_key(arena, run, auth, "auth-key-sz"));
	} else {
		return slug(arena, optype);
	}
	if (operation && strcmp(operation, "decrypt") == 0)
		return arena_printf(arena, "%s-decrypt", name);
	return name;
}

/* "256 bits ecdsa (nistp256)", "253 bits ecdh (X25519)", "rsa 2048 bits", "2048 bits ffdh" */
static const char *key_name(struct arena *arena, const char *printed)
{
	const char *name = replaced(arena, replaced(arena, printed, " bits", ""), " bit ", " ");
	const char *bracket = strchr(printed, '(');
	struct view words = view_of(name), first, second;

	/* -mr gives no name; no other curve has so many bits */
	if (!bracket && strstr(printed, "253 bits ecdh"))
		return "x25519";
	if (!bracket && strstr(printed, "448 bits ecdh"))
		return "x448";
	for (size_t i = 0; bracket && i < sizeof(curves) / sizeof(curves[0]); i++) {
		const char *curve = curves[i].printed;

		if (strncmp(bracket + 1, curve, strlen(curve)) != 0)
			continue;
		if (curves[i].name[0] != 'p')
			return curves[i].name;
		return strstr(printed, "ecdsa") ? arena_printf(arena, "ecdsa-%s", curves[i].name)
						: arena_printf(arena, "ecdh-%s", curves[i].name);
	}
	if (view_word(&words, &first) && view_word(&words, &second) &&
	    isdigit((unsigned char)first.at[0]))
		return slug(arena, arena_printf(arena, "%s %s %s", view_copy(arena, second),
						view_copy(arena, first), view_copy(arena, words)));
	return slug(arena, name);
}

static const char *openssl_name(struct arena *arena, const char *printed)
{
	const char *name;

	if (strstr(printed, " bits") || strstr(printed, " bit "))
		return key_name(arena, printed);
	name = slug(arena, printed);
	if (strncmp(name, "cmac-", 5) == 0)
		return replaced(arena, name, "-cbc", "");
	return name;
}

const char *bench_import_name(struct arena *arena, const struct engine_run *run,
			      const struct engine_row *row)
{
	const char *name;
	bool derive;

	if (!run->engine || strcmp(run->engine, "dpdk-crypto-perf") == 0)
		return dpdk_name(arena, run);
	if (!row || !row->name || !*row->name)
		return "unknown";
	name = strcmp(run->engine, "openssl-speed") == 0 ? openssl_name(arena, row->name)
							 : slug(arena, row->name);
	derive = row->operation &&
		 (!strcmp(row->operation, "derive") || !strcmp(row->operation, "hash"));
	if (!row->operation || derive)
		return *name ? name : "unknown";
	return arena_printf(arena, "%s-%s", name, row->operation);
}
