// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "setup/ldconf_private.h"

#include <string.h>

const char *const ldconf_files[LDCONF_FILES] = {LDCONF_SAFE_FILE, LDCONF_ALL_FILE};

/* ldconfig ends a line at '#', cuts blanks at both ends, and up to glibc 2.36 takes what follows
 * '=' for the type of a library. The rest would pass it, but not what else such a path goes
 * through. */
static const struct {
	const char *characters, *why;
} faults[] = {
	{"#", "begins a comment in ld.so.conf"},
	{"=", "names a type of libraries to older releases of ldconfig"},
	{" \t\n\v\f\r", "is a blank, which ends names in scripts that read ld.so.conf"},
	{":;,", "separates directories elsewhere in the loader's settings"},
	{"\"'`\\", "is a quote, which ld.so.conf takes for a part of the path"},
	{"$~*?[]{}", "is not expanded in ld.so.conf, but is by what reads it"},
};

static bool is_plain(char c)
{
	return c > 0x20 && c < 0x7f;
}

static const char *character_fault(struct arena *arena, const char *at)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		if (!strchr(faults[i].characters, *at))
			continue;
		return arena_printf(arena, "'%s' %s", text_printable(arena, (struct view){at, 1}),
				    faults[i].why);
	}
	return is_plain(*at) ? NULL
			     : "it holds characters that are not printable ASCII, which tools read "
			       "and show differently";
}

const char *ldconf_line_fault(struct arena *arena, const char *path)
{
	struct view rest = view_of(path), part;

	if (path[0] != '/')
		return "it is not an absolute path";
	if (strlen(path) >= ELF_STRING_MAX)
		return "it is longer than a path may be";
	for (const char *at = path; *at; at++) {
		const char *fault = character_fault(arena, at);

		if (fault)
			return fault;
	}
	rest = (struct view){rest.at + 1, rest.size - 1};
	while (view_split(&rest, '/', &part)) {
		if (!part.size || view_is(part, ".") || view_is(part, ".."))
			return "it has an empty part, \".\" or \"..\": write it out";
	}
	return NULL;
}

const char *ldconf_file_text(struct arena *arena, const struct ldconf_plan *plan, const char *file)
{
	struct buffer text = buffer_new(arena, LDCONF_FILE_MAX);

	buffer_printf(&text,
		      LDCONF_HEADER " --ld-so-conf %s: kept by setup, taken away by remove\n",
		      plan->policy);
	for (size_t i = 0; i < plan->entries.count; i++) {
		const struct ldconf_entry *entry = &plan->entries.items[i];

		if (strcmp(entry->file, file) == 0)
			buffer_printf(&text, "%s\n", entry->line);
	}
	return memchr(text.at, '/', text.size) && plan->entries.count &&
			       strcmp(plan->entries.items[0].file, file) == 0
		       ? buffer_string(&text)
		       : NULL;
}

/* The prefix of a line "PREFIX/current/NAME/lib"; NULL when it is none. */
static const char *prefix_of(struct arena *arena, const char *line)
{
	const char *below = strstr(line, "/current/"), *name;

	if (line[0] != '/' || !below || below == line || ldconf_line_fault(arena, line))
		return NULL;
	name = below + strlen("/current/");
	if (!*name || !strchr(name, '/'))
		return NULL;
	return arena_copy(arena, line, (size_t)(below - line));
}

bool ldconf_file_parse(struct arena *arena, const char *text, struct names *lines,
		       const char **prefix, const char **foreign)
{
	struct view rest = view_of(text), line;

	while (view_line(&rest, &line)) {
		const char *hash = memchr(line.at, '#', line.size), *path, *of;

		if (hash)
			line.size = (size_t)(hash - line.at);
		line = view_trim(line);
		if (!line.size)
			continue;
		path = view_copy(arena, line);
		of = prefix_of(arena, path);
		if (!of || (*prefix && strcmp(of, *prefix) != 0)) {
			*foreign = text_printable(arena, line);
			return false;
		}
		*prefix = of;
		names_add(arena, lines, path);
	}
	return true;
}
