// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

struct arena;

/*
 * Rows of host/redact.c for the configuration of TLS servers. Of nginx and haproxy only the
 * directives of a list stay, with their blocks and line numbers: certificates' paths, ciphers,
 * includes; names, addresses, passwords and all else go. Of openssl.cnf the sections and cipher
 * settings stay.
 */
struct view redact_nginx(struct arena *arena, struct view raw);
struct view redact_haproxy(struct arena *arena, struct view raw);
struct view redact_openssl_cnf(struct arena *arena, struct view raw);

/*
 * Any text with PEM blocks (RFC 7468): the first certificate stays, with zeroes for serial number,
 * names, key bits, extensions and signature; every other block goes.
 */
bool redact_is_pem(struct view raw);
struct view redact_pem(struct arena *arena, struct view raw);

/* The next token of nginx's grammar: a mark is one of "{", "}", ";"; a word comes without its
 * quotes; comments are passed over. *lines counts the line ends passed. */
enum nginx_token { NGINX_END, NGINX_WORD, NGINX_MARK };
enum nginx_token nginx_next(struct view *rest, struct view *token, unsigned *lines);

/* The first certificate of a PEM text as DER. */
bool pem_certificate(struct arena *arena, struct view text, struct view *der);
