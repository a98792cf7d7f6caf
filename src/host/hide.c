// SPDX-License-Identifier: BSD-2-Clause
#include "host/hide.h"

#include "base/arena.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MADE_UP "hidden-"
#define HIDDEN_MAX 10000

/* Files whose text names paths, and directories whose entries are named by people. */
static const char *const places[] = {
	"/etc/nginx",
	"/etc/nginx/*",
	"/etc/haproxy",
	"/etc/haproxy/*",
};

/* Sorted. Words of which the paths of distributions, guides and certbot are made. */
static const char *const words[] = {
	"archive",     "available",    "bundle",    "ca",          "cert",
	"certificate", "certificates", "certs",     "cfg",         "chain",
	"conf",        "crt",          "d",         "default",     "dhparam",
	"dhparams",    "ec",           "ecdsa",     "enabled",     "errors",
	"etc",         "fastcgi",      "fullchain", "haproxy",     "http",
	"https",       "key",          "keys",      "letsencrypt", "lib",
	"live",        "local",        "localhost", "mime",        "mods",
	"module",      "modules",      "nginx",     "opt",         "options",
	"p",           "params",       "pem",       "pki",         "priv",
	"private",     "proxy",        "rsa",       "server",      "share",
	"site",        "sites",        "snakeoil",  "snippets",    "srv",
	"ssl",         "stream",       "tls",       "types",       "usr",
	"var",         "web",
};

/* Extensions that a made-up name keeps, since globs choose by them. */
static const char *const extensions[] = {".conf", ".cfg", ".pem", ".crt", ".cer", ".cert", ".key"};

static int word_order(const void *key, const void *entry)
{
	const struct view *word = key;
	const char *known = *(const char *const *)entry;
	int order = strncmp(word->at, known, word->size);

	return order ? order : -(known[word->size] != '\0');
}

/* Letters decide: "rsa2048" is "rsa", and numbers alone name nobody. */
static bool is_plain_word(struct view word)
{
	while (word.size > 0 && isdigit((unsigned char)word.at[word.size - 1]))
		word.size--;
	return word.size == 0 || bsearch(&word, words, sizeof(words) / sizeof(words[0]),
					 sizeof(words[0]), word_order);
}

static bool is_plain(struct view name)
{
	static const char separators[] = "-_.*";
	size_t start = 0, digits = 0;

	for (size_t i = 0; i < name.size; i++)
		digits += isdigit((unsigned char)name.at[i]) != 0;
	if (digits > 6) /* an address, a date with a customer's number */
		return false;
	for (size_t i = 0; i <= name.size; i++) {
		if (i < name.size && !memchr(separators, name.at[i], sizeof(separators) - 1))
			continue;
		if (!is_plain_word((struct view){.at = name.at + start, .size = i - start}))
			return false;
		start = i + 1;
	}
	return true;
}

const char *hide_name(struct arena *arena, struct names *hidden, const char *name)
{
	const char *extension = "";
	size_t number = 0;

	if (is_plain(view_of(name)) || strncmp(name, MADE_UP, strlen(MADE_UP)) == 0)
		return name;
	for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
		if (view_ends(view_of(name), extensions[i]))
			extension = extensions[i];
	}
	while (number < hidden->count && strcmp(hidden->items[number], name) != 0)
		number++;
	if (number == hidden->count && number < HIDDEN_MAX)
		names_add(arena, hidden, arena_strdup(arena, name));
	return arena_printf(arena, MADE_UP "%zu%s", number + 1, extension);
}

const char *hide_path(struct arena *arena, struct names *hidden, struct view path)
{
	struct buffer out = buffer_new(arena, path.size * 20 + 64);
	struct view part;
	bool first = true;

	while (view_split(&path, '/', &part)) {
		if (!first)
			buffer_char(&out, '/');
		first = false;
		buffer_text(&out, hide_name(arena, hidden, view_copy(arena, part)));
	}
	return buffer_string(&out);
}

/* "hidden-12.pem" -> the twelfth, or NULL. */
static const char *made_up_for(const struct names *hidden, struct view part)
{
	uint64_t number;
	size_t size = strlen(MADE_UP);
	struct view digits = {.at = part.at + size, .size = 0};

	if (!view_starts(part, MADE_UP))
		return NULL;
	while (size + digits.size < part.size && isdigit((unsigned char)digits.at[digits.size]))
		digits.size++;
	if (!view_u64(digits, 10, &number) || number == 0 || number > hidden->count)
		return NULL;
	return hidden->items[number - 1];
}

const char *unhide_path(struct arena *arena, const struct names *hidden, const char *path)
{
	struct view rest = view_of(path), part;
	struct buffer out;
	bool first = true;

	if (hidden->count == 0 || !strstr(path, MADE_UP))
		return path;
	out = buffer_new(arena, 1 << 16);
	while (view_split(&rest, '/', &part)) {
		const char *name = made_up_for(hidden, part);

		if (!first)
			buffer_char(&out, '/');
		first = false;
		if (name)
			buffer_text(&out, name);
		else
			buffer_add(&out, part.at, part.size);
	}
	return buffer_string(&out);
}

static bool is_place(const char *path)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (fnmatch(places[i], path, 0) == 0)
			return true;
	}
	return false;
}

static bool is_separator(char c)
{
	return isspace((unsigned char)c) || c == ';' || c == '{' || c == '}';
}

/* A word with a slash, or one that ends like a file, is a path. */
static bool is_path(struct view word)
{
	if (word.size && memchr(word.at, '/', word.size))
		return true;
	for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
		if (view_ends(word, extensions[i]))
			return true;
	}
	return false;
}

struct view hide_text(struct arena *arena, struct names *hidden, const char *path, struct view text)
{
	struct buffer out;
	size_t at = 0;

	if (!is_place(path))
		return text;
	out = buffer_new(arena, text.size * 20 + 64);
	while (at < text.size) {
		size_t start = at;
		struct view word;

		while (at < text.size && !is_separator(text.at[at]))
			at++;
		word = (struct view){.at = text.at + start, .size = at - start};
		if (is_path(word))
			buffer_text(&out, hide_path(arena, hidden, word));
		else
			buffer_add(&out, word.at, word.size);
		if (at < text.size)
			buffer_char(&out, text.at[at++]);
	}
	return buffer_view(&out);
}

void hide_list(struct arena *arena, struct names *hidden, const char *path, struct names *list)
{
	if (!is_place(path))
		return;
	for (size_t i = 0; i < list->count; i++)
		list->items[i] = hide_name(arena, hidden, list->items[i]);
	names_sort(list);
}
