// SPDX-License-Identifier: BSD-2-Clause
#include "host/redact_environment.h"

#include "base/arena.h"

#include <ctype.h>
#include <string.h>

#define TUNED_BY                                                                                   \
	"# Written by ampere-crypto tune --persist, taken away by ampere-crypto tune --revert."

static const char *const heads[] = {"Environment=", "DefaultEnvironment=", "\"", "'"};
static const char *const file_heads[] = {
	"EnvironmentFile=/etc/default/",
	"EnvironmentFile=-/etc/default/",
	"EnvironmentFile=/etc/sysconfig/",
	"EnvironmentFile=-/etc/sysconfig/",
};

struct view environment_word(struct view word)
{
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		size_t size = strlen(heads[i]);

		if (view_starts(word, heads[i])) {
			word.at += size;
			word.size -= size;
		}
	}
	while (word.size && strchr("\"';", word.at[word.size - 1]))
		word.size--;
	return word;
}

bool environment_is_kept(struct view word)
{
	const char *equals;

	if (!view_starts(word, "OPENSSL_") && !view_starts(word, "LD_"))
		return false;
	equals = memchr(word.at, '=', word.size);
	for (const char *c = word.at; equals && c < equals; c++) {
		if (!isalnum((unsigned char)*c) && *c != '_')
			return false;
	}
	return equals;
}

static bool is_file_line(struct view line)
{
	for (size_t i = 0; i < sizeof(file_heads) / sizeof(file_heads[0]); i++) {
		if (view_starts(line, file_heads[i]))
			return true;
	}
	return false;
}

struct view redact_environment(struct arena *arena, struct view raw)
{
	struct buffer out = buffer_new(arena, raw.size * 2 + 16);
	struct view line, word;

	while (view_line(&raw, &line)) {
		bool first = true;

		line = view_trim(line);
		if (is_file_line(line)) {
			buffer_add(&out, line.at, line.size);
			line.size = 0;
		}
		if (view_starts(line, "#") || view_starts(line, ";"))
			line.size = 0;
		while (view_word(&line, &word)) {
			word = environment_word(word);
			if (!environment_is_kept(word))
				continue;
			if (!first)
				buffer_char(&out, ' ');
			first = false;
			buffer_add(&out, word.at, word.size);
		}
		buffer_char(&out, '\n');
	}
	return buffer_view(&out);
}

/* Whether each line is one that `tune --persist` writes into units; what is behind it, the size of
 * huge pages, is a short word. */
static bool is_tuned_unit(struct view raw)
{
	static const char *const lines[] = {
		TUNED_BY,
		"[Unit]",
		"[Mount]",
		"After=systemd-modules-load.service",
		"ConditionPathExists=!/",
		"ConditionPathExists=/sys/kernel/mm/hugepages",
		"Description=Huge pages at /dev/hugepages-",
		"Options=pagesize=",
		"Type=hugetlbfs",
		"Wants=dev-hugepages\\x2d",
		"What=hugetlbfs",
		"Where=/dev/hugepages-",
	};
	static const size_t count = sizeof(lines) / sizeof(lines[0]), rest_max = 12;
	struct view line;

	if (!view_starts(raw, lines[0]))
		return false;
	while (view_line(&raw, &line)) {
		size_t i = 0;

		while (i < count && !view_starts(line, lines[i]))
			i++;
		if (line.size && (i == count || line.size > strlen(lines[i]) + rest_max))
			return false;
	}
	return true;
}

struct view redact_unit(struct arena *arena, struct view raw)
{
	return is_tuned_unit(raw) ? raw : redact_environment(arena, raw);
}
