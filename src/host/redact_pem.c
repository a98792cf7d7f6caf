// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/base64.h"
#include "host/der.h"
#include "host/redact_tls.h"

#include <string.h>

#define BEGIN "-----BEGIN "
#define BEGIN_CERTIFICATE "-----BEGIN CERTIFICATE-----"
#define END_CERTIFICATE "-----END CERTIFICATE-----"
#define NOTHING "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"

/* Binary files that hold such text somewhere are none: they have a NUL early. */
bool redact_is_pem(struct view raw)
{
	size_t early = raw.size < 64 ? raw.size : 64;

	return raw.size > 0 && !memchr(raw.at, '\0', early) && view_find(raw, BEGIN);
}

bool pem_certificate(struct arena *arena, struct view text, struct view *der)
{
	const char *begin = view_find(text, BEGIN_CERTIFICATE), *end;
	struct view body;

	if (!begin)
		return false;
	body.at = begin + strlen(BEGIN_CERTIFICATE);
	body.size = text.size - (size_t)(body.at - text.at);
	end = view_find(body, END_CERTIFICATE);
	if (!end)
		return false;
	body.size = (size_t)(end - body.at);
	return base64_decode(arena, body, der) && der->size > 0;
}

/* The same bytes in a copy, set to zero. */
static void blank(char *copy, struct view whole, struct view part)
{
	if (part.size)
		memset(copy + (part.at - whole.at), 0, part.size);
}

/* An RSA key keeps the headers that tell its length: { modulus, exponent } with zeroes for digits.
 */
static void blank_key(char *copy, struct view whole, struct view key)
{
	struct view rest = {.at = key.at + 1, .size = key.size ? key.size - 1 : 0}, numbers;
	struct der element;

	if (!der_next(&rest, &element) || element.tag != 0x30) {
		blank(copy, whole, key);
		return;
	}
	numbers = element.content;
	while (der_next(&numbers, &element))
		blank(copy, whole, element.content);
	blank(copy, whole, numbers);
	blank(copy, whole, rest);
}

struct view redact_pem(struct arena *arena, struct view raw)
{
	struct certificate certificate;
	struct buffer out;
	struct view der;
	const char *text;
	char *copy;

	if (!pem_certificate(arena, raw, &der) || !certificate_parse(der, &certificate))
		return VIEW(NOTHING);
	copy = arena_copy(arena, der.at, der.size);
	blank(copy, der, certificate.serial);
	blank(copy, der, certificate.issuer);
	blank(copy, der, certificate.subject);
	blank_key(copy, der, certificate.key);
	blank(copy, der, certificate.extensions);
	blank(copy, der, certificate.signature);
	text = base64_encode(arena, (struct view){.at = copy, .size = der.size});
	out = buffer_new(arena, strlen(text) + 128);
	buffer_text(&out, BEGIN_CERTIFICATE "\n");
	buffer_text(&out, text);
	buffer_text(&out, "\n" END_CERTIFICATE "\n");
	return buffer_view(&out);
}
