// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "host/der.h"
#include "host/host.h"
#include "host/redact_tls.h"
#include "host/tls.h"

#include <errno.h>
#include <string.h>

#define CITED_MAX 16

static const char *place_of(struct arena *arena, const struct tls_server *server)
{
	return server->line ? arena_printf(arena, "%s:%u", server->path, server->line)
			    : server->path;
}

static struct value problem_value(struct arena *arena, const struct tls_problem *problem)
{
	if (problem->number == ENOENT)
		return value_unknown(arena, UNKNOWN_DAMAGED,
				     "%s is named by the configuration and missing", problem->path);
	if (problem->number)
		return value_errno(arena, problem->path, problem->number);
	return value_unknown(arena, UNKNOWN_DAMAGED, "%s: %s", problem->path, problem->why);
}

/* The key of a certificate file; NULL with *out saying why it is not known. */
static const char *key_read(struct facts *facts, const struct tls_settings *settings,
			    const char *path, struct value *out)
{
	struct certificate certificate;
	struct view text, der;
	const char *key;
	int number;

	if (names_has(&settings->keys, path)) {
		*out = value_unknown(facts->arena, UNKNOWN_NOT_VISIBLE,
				     "%s holds the private key as well and is never opened", path);
		return NULL;
	}
	number = root_read(facts->host->root, path, &text);
	if (number) {
		*out = problem_value(facts->arena,
				     &(struct tls_problem){.path = path, .number = number});
		return NULL;
	}
	if (!pem_certificate(facts->arena, text, &der) || !certificate_parse(der, &certificate)) {
		*out = value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s holds no certificate",
				     path);
		return NULL;
	}
	key = certificate_key(facts->arena, &certificate);
	if (!key)
		*out = value_unknown(facts->arena, UNKNOWN_UNCONFIRMED,
				     "the kind of key of %s is not known", path);
	return key;
}

/* RSA signs slowly, and so do the larger curves, for which there is no fast code. */
static bool key_is_slow(const char *key)
{
	return strncmp(key, "RSA", 3) == 0 || strcmp(key, "EC P-384") == 0 ||
	       strcmp(key, "EC P-521") == 0;
}

/* A sentence when no certificate of this server has a fast key; NULL when one has, or *unknown says
 * why it is not known. */
static const char *server_key(struct facts *facts, const struct tls_server *server,
			      struct value *cited, struct value *unknown)
{
	const struct names *paths = &server->settings.certificates;
	const char *slow = NULL;
	bool all_known = true;

	for (size_t i = 0; i < paths->count; i++) {
		const char *key = key_read(facts, &server->settings, paths->items[i], unknown);

		if (!key) {
			all_known = false;
			continue;
		}
		if (cited->evidence_count < CITED_MAX)
			value_cite(facts->arena, cited, paths->items[i], key, CONFIDENCE_DIRECT);
		if (!key_is_slow(key)) {
			*unknown = value_bool(true);
			return NULL;
		}
		slow = slow ? slow : key;
	}
	if (!slow || !all_known)
		return NULL;
	return arena_printf(facts->arena, "%s has %s only", place_of(facts->arena, server), slow);
}

static struct value keys_read(struct facts *facts, const char *of)
{
	const struct tls *tls = host_tls(facts->host);
	struct value value = value_list((struct names){0}), first_unknown = value_bool(true);
	size_t servers = 0;

	(void)of;
	for (size_t i = 0; i < tls->count; i++) {
		struct value unknown = value_bool(true);
		const char *problem;

		if (tls->servers[i].settings.certificates.count == 0)
			continue;
		servers++;
		problem = server_key(facts, &tls->servers[i], &value, &unknown);
		if (problem)
			names_add(facts->arena, &value.list, problem);
		else if (unknown.kind == VALUE_UNKNOWN && first_unknown.kind != VALUE_UNKNOWN)
			first_unknown = unknown;
	}
	if (value.list.count > 0)
		return value;
	if (first_unknown.kind == VALUE_UNKNOWN)
		return first_unknown;
	if (tls->problem_count > 0)
		return problem_value(facts->arena, &tls->problems[0]);
	return servers ? value
		       : value_none("no nginx or haproxy server with a certificate is configured");
}

static const char *server_order(struct arena *arena, const struct tls_server *server)
{
	const struct tls_settings *settings = &server->settings;
	const char *list = NULL;

	/* The client's order decides where the server has no preference. */
	if (settings->server_prefers != 1)
		return NULL;
	if (settings->suites && tls_prefers_chacha(settings->suites))
		list = settings->suites;
	else if (settings->ciphers && tls_prefers_chacha(settings->ciphers))
		list = settings->ciphers;
	return list ? arena_printf(arena, "%s: %s", place_of(arena, server),
				   text_printable(arena, view_of(list)))
		    : NULL;
}

static struct value orders_read(struct facts *facts, const char *of)
{
	const struct tls *tls = host_tls(facts->host);
	struct value value = value_list((struct names){0});

	(void)of;
	for (size_t i = 0; i < tls->count; i++) {
		const struct tls_server *server = &tls->servers[i];
		const char *problem = server_order(facts->arena, server);

		if (problem)
			names_add(facts->arena, &value.list, problem);
		if (value.evidence_count < CITED_MAX)
			value_cite(facts->arena, &value, server->path,
				   server->settings.server_prefers == 1
					   ? "the server's order decides"
					   : "the client's order decides",
				   CONFIDENCE_DIRECT);
	}
	if (value.list.count == 0 && tls->problem_count > 0)
		return problem_value(facts->arena, &tls->problems[0]);
	return tls->count
		       ? value
		       : value_none("no TLS server is configured in nginx, haproxy or openssl.cnf");
}

static const struct fact rows[] = {
	{.name = "tls.slow-keys",
	 .summary = "TLS servers of nginx and haproxy that have RSA or large curves only",
	 .read = keys_read},
	{.name = "tls.chacha-first",
	 .summary = "TLS servers whose own order has ChaCha20-Poly1305 before AES-GCM",
	 .read = orders_read},
};

const struct fact_table tls_facts = FACT_TABLE(rows);
