// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"
#include "host/redact_tls.h"
#include "host/tls.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#define DIRECTORY "/etc/nginx"
#define INCLUDES_MAX 8 /* deep */
#define FILES_MAX 4096 /* in all */
#define BLOCKS_MAX 8
#define WORDS_MAX 16

struct reading {
	struct host *host;
	struct tls *tls;
	unsigned files;
	struct tls_server
		blocks[BLOCKS_MAX]; /* open blocks, outermost first; [0] is outside of all */
	bool is_server[BLOCKS_MAX];
	size_t depth;
	unsigned too_deep; /* blocks open beyond those */
};

static void read_file(struct reading *reading, const char *path, unsigned deep);

/* A list of a block takes the place of the outer one's; nginx does the same. */
static void add_certificate(struct reading *reading, struct names *names, const struct names *outer,
			    const char *path)
{
	if (names->items == outer->items)
		*names = (struct names){0};
	names_add(reading->host->arena, names, path);
}

static const char *absolute(struct arena *arena, struct view path)
{
	const char *text = view_copy(arena, path);

	return text[0] == '/' ? text : arena_printf(arena, DIRECTORY "/%s", text);
}

/* "include conf.d/?.conf": a pattern in the last part only, and only below /etc/nginx. */
static void include(struct reading *reading, struct view pattern, unsigned deep)
{
	struct arena *arena = reading->host->arena;
	const char *path = absolute(arena, pattern);
	const char *slash = strrchr(path, '/');
	const char *directory = arena_copy(arena, path, (size_t)(slash - path));
	struct names names = {0};
	int number;

	if (!strpbrk(path, "*?[")) {
		read_file(reading, path, deep + 1);
		return;
	}
	if (strpbrk(directory, "*?[") || strncmp(path, DIRECTORY "/", strlen(DIRECTORY "/")) != 0) {
		tls_problem(arena, reading->tls, path, 0, "this include is not followed");
		return;
	}
	number = root_list(reading->host->root, directory, &names);
	if (number && number != ENOENT)
		tls_problem(arena, reading->tls, directory, number, NULL);
	for (size_t i = 0; number == 0 && i < names.count; i++) {
		if (fnmatch(slash + 1, names.items[i], FNM_PERIOD) == 0)
			read_file(reading, arena_printf(arena, "%s/%s", directory, names.items[i]),
				  deep + 1);
	}
}

/* "ssl_conf_command Ciphersuites LIST" and "Options ServerPreference". */
static void conf_command(struct arena *arena, const struct view *words,
			 struct tls_settings *settings)
{
	if (view_is(words[1], "Ciphersuites"))
		settings->suites = view_copy(arena, words[2]);
	else if (view_is(words[1], "CipherString"))
		settings->ciphers = view_copy(arena, words[2]);
	else if (view_is(words[1], "Options") && view_find(words[2], "ServerPreference"))
		settings->server_prefers = view_starts(words[2], "-") ? -1 : 1;
}

static void directive(struct reading *reading, const struct view *words, size_t count,
		      unsigned deep)
{
	static const struct tls_settings none;
	struct arena *arena = reading->host->arena;
	struct tls_settings *settings = &reading->blocks[reading->depth].settings;
	const struct tls_settings *outer =
		reading->depth ? &reading->blocks[reading->depth - 1].settings : &none;

	if (view_is(words[0], "listen")) {
		for (size_t i = 1; i < count; i++)
			settings->listens = settings->listens || view_is(words[i], "ssl") ||
					    view_is(words[i], "quic");
		return;
	}
	if (count < 2)
		return;
	if (view_is(words[0], "include"))
		include(reading, words[1], deep);
	else if (view_is(words[0], "ssl"))
		settings->listens = settings->listens || view_is(words[1], "on");
	else if (view_is(words[0], "ssl_certificate"))
		add_certificate(reading, &settings->certificates, &outer->certificates,
				absolute(arena, words[1]));
	else if (view_is(words[0], "ssl_certificate_key"))
		add_certificate(reading, &settings->keys, &outer->keys, absolute(arena, words[1]));
	else if (view_is(words[0], "ssl_ciphers"))
		settings->ciphers = view_copy(arena, words[1]);
	else if (view_is(words[0], "ssl_prefer_server_ciphers"))
		settings->server_prefers = view_is(words[1], "on") ? 1 : -1;
	else if (view_is(words[0], "ssl_conf_command") && count == 3)
		conf_command(arena, words, settings);
}

/* A block starts with what its outer one has said so far: nginx lets "ssl_…" of http stand after
 * its servers, which is rare. */
static void block_open(struct reading *reading, bool server, const char *path, unsigned line)
{
	if (reading->depth + 1 == BLOCKS_MAX) {
		reading->too_deep++;
		return;
	}
	reading->depth++;
	reading->blocks[reading->depth] = reading->blocks[reading->depth - 1];
	reading->blocks[reading->depth].path = path;
	reading->blocks[reading->depth].line = line;
	reading->is_server[reading->depth] = server;
}

static void block_close(struct reading *reading)
{
	if (reading->too_deep > 0) {
		reading->too_deep--;
		return;
	}
	if (reading->depth == 0)
		return;
	if (reading->is_server[reading->depth] && reading->blocks[reading->depth].settings.listens)
		tls_add(reading->host->arena, reading->tls, &reading->blocks[reading->depth]);
	reading->depth--;
}

static void read_file(struct reading *reading, const char *path, unsigned deep)
{
	struct view words[WORDS_MAX], token, text;
	enum nginx_token kind;
	unsigned line = 1;
	size_t count = 0;
	int number;

	if (deep > INCLUDES_MAX || ++reading->files > FILES_MAX) {
		tls_problem(reading->host->arena, reading->tls, path, 0, "includes go too far");
		return;
	}
	number = root_read(reading->host->root, path, &text);
	if (number) {
		/* nginx itself refuses a missing include; without /etc/nginx there is no nginx. */
		if (number != ENOENT || deep > 0)
			tls_problem(reading->host->arena, reading->tls, path, number, NULL);
		return;
	}
	while ((kind = nginx_next(&text, &token, &line))) {
		if (kind == NGINX_WORD) {
			if (count < WORDS_MAX)
				words[count++] = token;
			continue;
		}
		if (token.at[0] == '{')
			block_open(reading, count == 1 && view_is(words[0], "server"), path, line);
		else if (token.at[0] == '}')
			block_close(reading);
		else if (count > 0)
			directive(reading, words, count, deep);
		count = 0;
	}
}

void tls_nginx_read(struct host *host, struct tls *tls)
{
	struct reading reading = {.host = host, .tls = tls};

	read_file(&reading, DIRECTORY "/nginx.conf", 0);
}
