// SPDX-License-Identifier: BSD-2-Clause
#include "host/tls.h"

#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define PROBLEMS_MAX 64
#define SERVERS_MAX 100000

void tls_add(struct arena *arena, struct tls *tls, const struct tls_server *server)
{
	if (tls->count >= SERVERS_MAX)
		return;
	if (tls->count == tls->room) {
		size_t room = tls->room ? tls->room * 2 : 16;
		struct tls_server *grown = arena_array(arena, struct tls_server, room);

		if (tls->count)
			memcpy(grown, tls->servers, tls->count * sizeof(*grown));
		tls->servers = grown;
		tls->room = room;
	}
	tls->servers[tls->count++] = *server;
}

void tls_problem(struct arena *arena, struct tls *tls, const char *path, int number,
		 const char *why)
{
	if (!tls->problems)
		tls->problems = arena_array(arena, struct tls_problem, PROBLEMS_MAX);
	if (tls->problem_count < PROBLEMS_MAX)
		tls->problems[tls->problem_count++] =
			(struct tls_problem){.path = path, .number = number, .why = why};
}

/* Key words of ciphers(1) that bring in AES-GCM, in OpenSSL's own order of strength, which has it
 * first. */
static bool brings_gcm(struct view token)
{
	static const char *const groups[] = {
		"ALL",   "DEFAULT", "HIGH",   "COMPLEMENTOFDEFAULT", "TLSv1.2",   "ECDHE",
		"EECDH", "kEECDH",  "kECDHE", "SUITEB128",           "SUITEB192", "SUITEB128ONLY"};

	if (view_find(token, "GCM"))
		return true;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		if (view_is(token, groups[i]))
			return true;
	}
	return false;
}

bool tls_prefers_chacha(const char *list)
{
	const char *at = list;

	while (*at) {
		size_t size = strcspn(at, ": ,");
		struct view token = {.at = at, .size = size};

		at += size + (at[size] != '\0');
		/* "!x" and "-x" take away, "+x" moves to the end, "@x" is a command. */
		if (size == 0 || strchr("!-+@", token.at[0]))
			continue;
		if (view_find(token, "CHACHA20"))
			return true;
		if (brings_gcm(token))
			return false;
	}
	return false;
}

/* Options of SSL_CONF_cmd(3): "ServerPreference", "-PrioritizeChaCha". */
static void openssl_line(struct arena *arena, struct view line, struct tls_settings *settings)
{
	struct view key;

	view_split(&line, '=', &key);
	key = view_trim(key);
	line = view_trim(line);
	if (view_is(key, "CipherString"))
		settings->ciphers = view_copy(arena, line);
	else if (view_is(key, "Ciphersuites"))
		settings->suites = view_copy(arena, line);
	else if (view_is(key, "Options") && view_find(line, "ServerPreference"))
		settings->server_prefers = view_find(line, "-ServerPreference") ? -1 : 1;
}

static void openssl_read(struct host *host, struct tls *tls)
{
	static const char *const paths[] = {"/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf"};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct tls_server server = {.path = paths[i]};
		struct view text, line;
		int number = root_read(host->root, paths[i], &text);

		if (number && number != ENOENT)
			tls_problem(host->arena, tls, paths[i], number, NULL);
		if (number)
			continue;
		while (view_line(&text, &line))
			openssl_line(host->arena, line, &server.settings);
		if (server.settings.ciphers || server.settings.suites)
			tls_add(host->arena, tls, &server);
	}
}

const struct tls *host_tls(struct host *host)
{
	struct tls *tls;

	if (host->tls)
		return host->tls;
	tls = arena_new(host->arena, struct tls);
	tls_nginx_read(host, tls);
	tls_haproxy_read(host, tls);
	openssl_read(host, tls);
	host->tls = tls;
	return tls;
}
