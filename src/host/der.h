// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>

struct arena;

/* One element of DER (ITU-T X.690): one-byte tags and definite lengths, all that certificates have.
 */
struct der {
	unsigned tag;
	struct view content;
};

/* Cuts the next element off; false at the end and on anything that is not DER. */
bool der_next(struct view *rest, struct der *element);

/* The parts of a certificate (RFC 5280, 4.1) that this program looks at, or that name somebody. */
struct certificate {
	struct view serial, issuer, subject;
	struct view algorithm, key; /* of the public key: OIDs; the bit string */
	struct view extensions;     /* what follows the key: identifiers, alternative names … */
	struct view signature;
};

bool certificate_parse(struct view bytes, struct certificate *certificate);

/* "RSA 2048", "EC P-256", "Ed25519"; NULL when the algorithm is none of those known. */
const char *certificate_key(struct arena *arena, const struct certificate *certificate);
