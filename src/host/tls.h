// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "host/facts.h"

#include <stdbool.h>
#include <stddef.h>

struct host;

/* What a block of configuration says about TLS; NULL and 0 where it says nothing. */
struct tls_settings {
	struct names certificates; /* paths */
	struct names keys;         /* paths of private keys, which are never opened */
	const char *ciphers;       /* up to TLS 1.2 */
	const char *suites;        /* TLS 1.3 */
	int server_prefers;        /* 1 yes, -1 no, 0 not said */
	bool listens;              /* for TLS connections */
};

/* One server (or, of openssl.cnf, the default of every program) with what it inherits. */
struct tls_server {
	const char *path;
	unsigned line; /* where its block starts */
	struct tls_settings settings;
};

/* Configuration that could not be followed. */
struct tls_problem {
	const char *path;
	int number; /* errno; 0: what `why` says */
	const char *why;
};

/* nginx and haproxy as they are configured, openssl.cnf; of the programs themselves nothing is read
 * or run. */
struct tls {
	struct tls_server *servers;
	size_t count, room;
	struct tls_problem *problems;
	size_t problem_count;
};

const struct tls *host_tls(struct host *host);

/* For the readers of one program's configuration each. */
void tls_nginx_read(struct host *host, struct tls *tls);
void tls_haproxy_read(struct host *host, struct tls *tls);
void tls_add(struct arena *arena, struct tls *tls, const struct tls_server *server);
void tls_problem(struct arena *arena, struct tls *tls, const char *path, int number,
		 const char *why);

/* True when a client that takes what the server prefers gets ChaCha20-Poly1305 though AES-GCM was
 * possible: an OpenSSL cipher list or a list of TLS 1.3 suites. */
bool tls_prefers_chacha(const char *list);

extern const struct fact_table tls_facts;
