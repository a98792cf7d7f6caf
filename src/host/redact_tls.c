// SPDX-License-Identifier: BSD-2-Clause
#include "host/redact_tls.h"

#include "base/arena.h"

#include <ctype.h>
#include <string.h>

#define WORDS_MAX 64

static bool is_one_of(struct view word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (view_is(word, list[i]))
			return true;
	}
	return false;
}
#define IS_ONE_OF(word, list) is_one_of((word), (list), sizeof(list) / sizeof((list)[0]))

static bool is_mark(char c)
{
	return c == '{' || c == '}' || c == ';';
}

static void advance(struct view *rest, unsigned *lines)
{
	*lines += rest->at[0] == '\n';
	rest->at++;
	rest->size--;
}

static void skip_blanks(struct view *rest, unsigned *lines)
{
	bool comment = false;

	while (rest->size > 0 &&
	       (comment || isspace((unsigned char)rest->at[0]) || rest->at[0] == '#')) {
		comment = rest->at[0] != '\n' && (comment || rest->at[0] == '#');
		advance(rest, lines);
	}
}

enum nginx_token nginx_next(struct view *rest, struct view *token, unsigned *lines)
{
	char quote = '\0';
	bool variable = false; /* inside of ${…} */

	skip_blanks(rest, lines);
	if (rest->size == 0)
		return NGINX_END;
	*token = (struct view){.at = rest->at, .size = 1};
	if (is_mark(rest->at[0])) {
		advance(rest, lines);
		return NGINX_MARK;
	}
	if (rest->at[0] == '"' || rest->at[0] == '\'') {
		quote = rest->at[0];
		advance(rest, lines);
	}
	token->at = rest->at;
	while (rest->size > 0) {
		char c = rest->at[0];

		if (quote ? c == quote : isspace((unsigned char)c) || (is_mark(c) && !variable))
			break;
		variable = (variable && c != '}') ||
			   (c == '$' && rest->size > 1 && rest->at[1] == '{');
		if (c == '\\' && rest->size > 1)
			advance(rest, lines);
		advance(rest, lines);
	}
	token->size = (size_t)(rest->at - token->at);
	if (quote && rest->size > 0)
		advance(rest, lines);
	return NGINX_WORD;
}

/* Words that stay: without blanks and marks, so that no quotes are needed. */
static void add_word(struct buffer *out, struct view word)
{
	buffer_text(out, word.size ? " " : " \"\"");
	for (size_t i = 0; i < word.size; i++) {
		char c = word.at[i];

		buffer_char(out, isspace((unsigned char)c) || is_mark(c) || c == '#' || c == '"'
					 ? '_'
					 : c);
	}
}

static const char *const nginx_blocks[] = {"http", "server", "stream", "mail"};
static const char *const nginx_kept[] = {
	"include",
	"ssl",
	"ssl_certificate",
	"ssl_certificate_key",
	"ssl_ciphers",
	"ssl_conf_command",
	"ssl_prefer_server_ciphers",
	"ssl_protocols",
};
static const char *const listen_kept[] = {"ssl", "quic"};

static void add_directive(struct buffer *out, const struct view *words, size_t count)
{
	bool listens = view_is(words[0], "listen");

	if (!listens && !IS_ONE_OF(words[0], nginx_kept))
		return;
	for (size_t i = 0; i < count; i++) {
		if (i == 0 || !listens || IS_ONE_OF(words[i], listen_kept))
			add_word(out, words[i]);
	}
	buffer_char(out, ';');
}

/* Past the end of a block that is not kept. */
static void skip_block(struct view *rest, unsigned *lines)
{
	enum nginx_token kind;
	struct view token;

	for (unsigned depth = 1; depth > 0 && (kind = nginx_next(rest, &token, lines));) {
		if (kind == NGINX_MARK && token.at[0] == '{')
			depth++;
		else if (kind == NGINX_MARK && token.at[0] == '}')
			depth--;
	}
}

static void add_lines(struct buffer *out, unsigned *lines)
{
	for (; *lines > 0; --*lines)
		buffer_char(out, '\n');
}

static void add_block(struct buffer *out, const struct view *words, size_t count, struct view *rest,
		      unsigned *lines)
{
	if (count != 1 || !IS_ONE_OF(words[0], nginx_blocks)) {
		skip_block(rest, lines);
		return;
	}
	add_word(out, words[0]);
	buffer_text(out, " {");
}

struct view redact_nginx(struct arena *arena, struct view raw)
{
	struct buffer out = buffer_new(arena, raw.size * 2 + 64);
	struct view words[WORDS_MAX], token;
	enum nginx_token kind;
	unsigned lines = 0;
	size_t count = 0;

	while ((kind = nginx_next(&raw, &token, &lines))) {
		if (kind == NGINX_WORD) {
			if (count < WORDS_MAX)
				words[count++] = token;
			continue;
		}
		add_lines(&out, &lines);
		if (token.at[0] == '{')
			add_block(&out, words, count, &raw, &lines);
		else if (token.at[0] == '}')
			buffer_text(&out, " }");
		else if (count > 0)
			add_directive(&out, words, count);
		count = 0;
	}
	add_lines(&out, &lines);
	return buffer_view(&out);
}

static const char *const haproxy_sections[] = {"global", "defaults", "frontend", "listen",
					       "backend"};
static const char *const haproxy_lines[] = {"ssl-default-bind-ciphers",
					    "ssl-default-bind-ciphersuites",
					    "ssl-default-bind-options", "crt-base"};
/* Words of a "bind" line; those with a value are followed by it. */
static const char *const bind_flags[] = {"ssl", "prefer-client-ciphers"};
static const char *const bind_values[] = {"crt", "ciphers", "ciphersuites"};

static void redact_bind(struct buffer *out, struct view rest)
{
	struct view word, value;

	buffer_text(out, "bind");
	while (view_word(&rest, &word)) {
		if (IS_ONE_OF(word, bind_flags)) {
			add_word(out, word);
		} else if (IS_ONE_OF(word, bind_values) && view_word(&rest, &value)) {
			add_word(out, word);
			add_word(out, value);
		}
	}
}

struct view redact_haproxy(struct arena *arena, struct view raw)
{
	struct buffer out = buffer_new(arena, raw.size * 2 + 64);
	struct view line, word;

	while (view_line(&raw, &line)) {
		struct view rest = line;

		if (!view_word(&rest, &word)) {
			buffer_char(&out, '\n');
			continue;
		}
		if (IS_ONE_OF(word, haproxy_sections)) {
			buffer_add(&out, word.at, word.size);
		} else if (view_is(word, "bind")) {
			redact_bind(&out, rest);
		} else if (IS_ONE_OF(word, haproxy_lines)) {
			buffer_add(&out, word.at, word.size);
			while (view_word(&rest, &word))
				add_word(&out, word);
		}
		buffer_char(&out, '\n');
	}
	return buffer_view(&out);
}

static const char *const openssl_keys[] = {
	"openssl_conf", "ssl_conf",     "system_default", "providers",
	"CipherString", "Ciphersuites", "Options",        "MinProtocol",
	"activate",     "default",      "legacy",         "fips",
};

struct view redact_openssl_cnf(struct arena *arena, struct view raw)
{
	struct buffer out = buffer_new(arena, raw.size + 64);
	struct view line, key;

	while (view_line(&raw, &line)) {
		struct view rest = view_trim(line);

		view_split(&rest, '=', &key);
		key = view_trim(key);
		if (view_starts(key, "[") || IS_ONE_OF(key, openssl_keys))
			buffer_add(&out, line.at, line.size);
		buffer_char(&out, '\n');
	}
	return buffer_view(&out);
}
