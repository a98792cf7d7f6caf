// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"
#include "host/tls.h"

#include <errno.h>

#define PATH "/etc/haproxy/haproxy.cfg"

static void bind_line(struct host *host, struct tls *tls, struct view rest,
		      const struct tls_settings *defaults, unsigned line)
{
	struct tls_server server = {.path = PATH, .line = line, .settings = *defaults};
	struct tls_settings *settings = &server.settings;
	struct view word, value;

	while (view_word(&rest, &word)) {
		if (view_is(word, "ssl"))
			settings->listens = true;
		else if (view_is(word, "prefer-client-ciphers"))
			settings->server_prefers = -1;
		else if (view_is(word, "crt") && view_word(&rest, &value))
			names_add(host->arena, &settings->certificates,
				  view_copy(host->arena, value));
		else if (view_is(word, "ciphers") && view_word(&rest, &value))
			settings->ciphers = view_copy(host->arena, value);
		else if (view_is(word, "ciphersuites") && view_word(&rest, &value))
			settings->suites = view_copy(host->arena, value);
	}
	/* A file given to "crt" holds the key as well. */
	settings->keys = settings->certificates;
	if (settings->listens)
		tls_add(host->arena, tls, &server);
}

void tls_haproxy_read(struct host *host, struct tls *tls)
{
	/* haproxy's own order decides unless "prefer-client-ciphers" is given. */
	struct tls_settings defaults = {.server_prefers = 1};
	struct view text, line, word, value;
	unsigned number = 0;
	int error = root_read(host->root, PATH, &text);

	if (error && error != ENOENT)
		tls_problem(host->arena, tls, PATH, error, NULL);
	if (error)
		return;
	while (view_line(&text, &line)) {
		number++;
		if (!view_word(&line, &word))
			continue;
		if (view_is(word, "bind")) {
			bind_line(host, tls, line, &defaults, number);
			continue;
		}
		if (!view_word(&line, &value))
			continue;
		if (view_is(word, "ssl-default-bind-ciphers"))
			defaults.ciphers = view_copy(host->arena, value);
		else if (view_is(word, "ssl-default-bind-ciphersuites"))
			defaults.suites = view_copy(host->arena, value);
		else if (view_is(word, "ssl-default-bind-options") &&
			 (view_is(value, "prefer-client-ciphers") ||
			  view_find(line, "prefer-client-ciphers")))
			defaults.server_prefers = -1;
	}
}
