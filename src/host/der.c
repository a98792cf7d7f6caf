// SPDX-License-Identifier: BSD-2-Clause
#include "host/der.h"

#include "base/arena.h"

#include <string.h>

#define INTEGER 0x02
#define BIT_STRING 0x03
#define OBJECT_IDENTIFIER 0x06
#define SEQUENCE 0x30
#define VERSION 0xa0

bool der_next(struct view *rest, struct der *element)
{
	const unsigned char *at = (const unsigned char *)rest->at;
	size_t header = 2, size;

	if (rest->size < header)
		return false;
	size = at[1];
	if (size & 0x80) {
		size_t bytes = size & 0x7f;

		if (bytes == 0 || bytes > 3 || rest->size < header + bytes)
			return false;
		size = 0;
		for (size_t i = 0; i < bytes; i++)
			size = size << 8 | at[header + i];
		header += bytes;
	}
	if (size > rest->size - header)
		return false;
	element->tag = at[0];
	element->content = (struct view){.at = rest->at + header, .size = size};
	rest->at += header + size;
	rest->size -= header + size;
	return true;
}

static bool der_expect(struct view *rest, unsigned tag, struct view *content)
{
	struct der element;

	if (!der_next(rest, &element) || element.tag != tag)
		return false;
	*content = element.content;
	return true;
}

bool certificate_parse(struct view bytes, struct certificate *certificate)
{
	struct view outer, body, ignored, version, key;
	struct certificate found = {0};

	if (!der_expect(&bytes, SEQUENCE, &outer) || !der_expect(&outer, SEQUENCE, &body))
		return false;
	if (body.size > 0 && (unsigned char)body.at[0] == VERSION)
		der_expect(&body, VERSION, &version);
	if (!der_expect(&body, INTEGER, &found.serial) ||
	    !der_expect(&body, SEQUENCE, &ignored) || /* signature algorithm */
	    !der_expect(&body, SEQUENCE, &found.issuer) ||
	    !der_expect(&body, SEQUENCE, &ignored) || /* validity */
	    !der_expect(&body, SEQUENCE, &found.subject) || !der_expect(&body, SEQUENCE, &key) ||
	    !der_expect(&key, SEQUENCE, &found.algorithm) ||
	    !der_expect(&key, BIT_STRING, &found.key))
		return false;
	found.extensions = body;
	if (!der_expect(&outer, SEQUENCE, &ignored) ||
	    !der_expect(&outer, BIT_STRING, &found.signature))
		return false;
	*certificate = found;
	return true;
}

/* RFC 8017 A.1, RFC 5480 2.1.1.1, RFC 8410 3. */
static const struct {
	const char *oid;
	size_t size;
	const char *name;
} algorithms[] = {
	{"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01", 9, "RSA"},
	{"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0a", 9, "RSA"},
	{"\x2a\x86\x48\xce\x3d\x02\x01", 7, "EC"},
	{"\x2a\x86\x48\xce\x3d\x03\x01\x07", 8, "P-256"},
	{"\x2b\x81\x04\x00\x22", 5, "P-384"},
	{"\x2b\x81\x04\x00\x23", 5, "P-521"},
	{"\x2b\x65\x70", 3, "Ed25519"},
	{"\x2b\x65\x71", 3, "Ed448"},
};

static const char *oid_name(struct view *rest)
{
	struct view oid;

	if (!der_expect(rest, OBJECT_IDENTIFIER, &oid))
		return NULL;
	for (size_t i = 0; i < sizeof(algorithms) / sizeof(algorithms[0]); i++) {
		if (oid.size == algorithms[i].size &&
		    memcmp(oid.at, algorithms[i].oid, oid.size) == 0)
			return algorithms[i].name;
	}
	return NULL;
}

/* An RSA key is SEQUENCE { modulus, exponent } after the count of unused bits; the modulus has a
 * zero byte in front. */
static unsigned rsa_bits(struct view key)
{
	struct view numbers, modulus;

	if (key.size == 0)
		return 0;
	key = (struct view){.at = key.at + 1, .size = key.size - 1};
	if (!der_expect(&key, SEQUENCE, &numbers) || !der_expect(&numbers, INTEGER, &modulus))
		return 0;
	return (unsigned)(modulus.size & ~(size_t)1) * 8;
}

const char *certificate_key(struct arena *arena, const struct certificate *certificate)
{
	struct view rest = certificate->algorithm;
	const char *algorithm = oid_name(&rest), *curve;

	if (!algorithm)
		return NULL;
	if (strcmp(algorithm, "RSA") == 0) {
		unsigned bits = rsa_bits(certificate->key);

		return bits ? arena_printf(arena, "RSA %u", bits) : NULL;
	}
	if (strcmp(algorithm, "EC") == 0) {
		curve = oid_name(&rest);
		return curve ? arena_printf(arena, "EC %s", curve) : NULL;
	}
	return algorithm;
}
