// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/job.h"

#define AEAD_UPDATE(label, cipher, key)                                                            \
	{                                                                                          \
		.name = label, .scheme = &scheme_update, .algorithm = cipher, .key_size = key,     \
		.iv_size = 12, .encrypt = 1                                                        \
	}
/* 13 bytes are what TLS 1.2 authenticates beside a record. */
#define AEAD_WHOLE(label, how, cipher, key)                                                        \
	{                                                                                          \
		.name = label, .scheme = how, .algorithm = cipher, .key_size = key, .iv_size = 12, \
		.aad_size = 13                                                                     \
	}
#define CIPHER(label, cipher, key, block, direction)                                               \
	{                                                                                          \
		.name = label, .scheme = &scheme_update, .algorithm = cipher, .key_size = key,     \
		.iv_size = 16, .block_size = block, .encrypt = direction                           \
	}

#define DIGEST(label)                                                                              \
	{                                                                                          \
		.name = label, .scheme = &scheme_digest, .algorithm = label                        \
	}
#define MAC(label, how, with, key)                                                                 \
	{                                                                                          \
		.name = label, .scheme = &scheme_mac, .algorithm = with, .key_size = key,          \
		.mac = how                                                                         \
	}
/* 32 bytes are signed: a SHA-256, and for Ed25519 a message. */
#define KEY(label, how, kin)                                                                       \
	{                                                                                          \
		.name = label, .scheme = how, .algorithm = label, .family = kin,                   \
		.message_size = 32                                                                 \
	}

const struct kind kinds[] = {
	AEAD_UPDATE("aes-128-gcm-update", "aes-128-gcm", 16),
	AEAD_UPDATE("aes-256-gcm-update", "aes-256-gcm", 32),
	{.name = "aes-128-gcm-rekey",
	 .scheme = &scheme_rekey,
	 .algorithm = "aes-128-gcm",
	 .key_size = 16,
	 .iv_size = 12,
	 .encrypt = 1},
	{.name = "aes-256-gcm-rekey",
	 .scheme = &scheme_rekey,
	 .algorithm = "aes-256-gcm",
	 .key_size = 32,
	 .iv_size = 12,
	 .encrypt = 1},
	AEAD_WHOLE("aes-128-gcm-seal", &scheme_seal, "aes-128-gcm", 16),
	AEAD_WHOLE("aes-256-gcm-seal", &scheme_seal, "aes-256-gcm", 32),
	AEAD_WHOLE("aes-128-gcm-open", &scheme_open, "aes-128-gcm", 16),
	AEAD_WHOLE("aes-256-gcm-open", &scheme_open, "aes-256-gcm", 32),
	AEAD_WHOLE("chacha20-poly1305-seal", &scheme_seal, "chacha20-poly1305", 32),
	AEAD_WHOLE("chacha20-poly1305-open", &scheme_open, "chacha20-poly1305", 32),
	CIPHER("aes-128-ctr", "aes-128-ctr", 16, 0, 1),
	CIPHER("aes-256-ctr", "aes-256-ctr", 32, 0, 1),
	CIPHER("aes-128-cbc-encrypt", "aes-128-cbc", 16, 16, 1),
	CIPHER("aes-128-cbc-decrypt", "aes-128-cbc", 16, 16, 0),
	CIPHER("aes-256-cbc-encrypt", "aes-256-cbc", 32, 16, 1),
	CIPHER("aes-256-cbc-decrypt", "aes-256-cbc", 32, 16, 0),
	DIGEST("sha1"),
	DIGEST("sha256"),
	DIGEST("sha512"),
	DIGEST("sha3-256"),
	MAC("hmac-sha1", MAC_HMAC, "sha1", 20),
	MAC("hmac-sha256", MAC_HMAC, "sha256", 32),
	MAC("cmac-aes-128", MAC_CMAC, "aes-128-cbc", 16),
	KEY("rsa-2048-sign", &scheme_sign, KEY_FAMILY_RSA),
	KEY("rsa-2048-verify", &scheme_verify, KEY_FAMILY_RSA),
	KEY("rsa-4096-sign", &scheme_sign, KEY_FAMILY_RSA),
	KEY("rsa-4096-verify", &scheme_verify, KEY_FAMILY_RSA),
	{.name = "ecdsa-p256-sign",
	 .scheme = &scheme_sign,
	 .algorithm = "ecdsa-p256",
	 .family = KEY_FAMILY_EC,
	 .message_size = 32,
	 .reverse = "ecdsa-p256-verify"},
	KEY("ecdsa-p256-verify", &scheme_verify, KEY_FAMILY_EC),
	KEY("ecdh-p256", &scheme_derive, KEY_FAMILY_EC),
	KEY("ed25519-sign", &scheme_sign, KEY_FAMILY_ED25519),
	KEY("ed25519-verify", &scheme_verify, KEY_FAMILY_ED25519),
	KEY("x25519", &scheme_derive, KEY_FAMILY_X25519),
};

const size_t kind_count = sizeof(kinds) / sizeof(kinds[0]);
