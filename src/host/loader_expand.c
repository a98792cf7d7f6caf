// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/loader_private.h"

#include <string.h>

bool loader_is_default(const struct ldso_layout *layout, const char *path)
{
	for (size_t i = 0; i < layout->dir_count; i++) {
		size_t size = strlen(layout->dirs[i]);

		if (strncmp(path, layout->dirs[i], size) == 0 && path[size] == '/')
			return true;
	}
	return false;
}

/* The program's own is where the kernel found it, links resolved; a library's is the path it was
 * loaded by. */
static const char *origin(struct loader_work *work, const struct loader_object *object)
{
	const char *path = object->path, *slash;

	if (object == work->run->objects[0] && root_resolve(work->host->root, path, &path) != 0)
		path = object->path;
	slash = strrchr(path, '/');
	return arena_copy(work->host->arena, path, slash == path ? 1 : (size_t)(slash - path));
}

/* "{NAME}" or "NAME" behind a dollar sign: its size, 0 when it is something else. */
static size_t token_size(const char *at, const char *name)
{
	size_t size = strlen(name);

	if (*at == '{')
		return strncmp(at + 1, name, size) == 0 && at[size + 1] == '}' ? size + 2 : 0;
	return strncmp(at, name, size) == 0 ? size : 0;
}

/* "." and ".." and double slashes taken out, as text. */
static const char *normalize(struct arena *arena, const char *path)
{
	struct view rest = view_of(path), part;
	char *out = arena_alloc(arena, strlen(path) + 2);
	size_t size = 0;

	while (view_split(&rest, '/', &part)) {
		if (part.size == 0 || view_is(part, "."))
			continue;
		if (view_is(part, "..")) {
			while (size && out[--size] != '/')
				;
			continue;
		}
		out[size++] = '/';
		memcpy(out + size, part.at, part.size);
		size += part.size;
	}
	out[size++] = '/';
	out[size] = '\0';
	return out;
}

const char *loader_expand(struct loader_work *work, const struct loader_object *object,
			  const char *text)
{
	const struct {
		const char *name, *value;
	} tokens[] = {
		{"ORIGIN", NULL},
		{"PLATFORM", work->hwcaps.platform},
		{"LIB", work->run->layout.lib},
	};
	struct buffer out = buffer_new(work->host->arena, ELF_STRING_MAX);
	bool used_origin = false;

	if (!strchr(text, '$'))
		return text;
	for (const char *at = text; *at;) {
		size_t size = 0, i = 0;

		while (*at == '$' && i < sizeof(tokens) / sizeof(tokens[0]) &&
		       !(size = token_size(at + 1, tokens[i].name)))
			i++;
		if (!size) {
			buffer_char(&out, *at++);
			continue;
		}
		/* A set-user-ID program: $ORIGIN at the start of the element only, as a whole
		 * component. */
		if (i == 0 && work->run->secure &&
		    (at != text || (at[1 + size] && at[1 + size] != '/')))
			return NULL;
		if (i > 0 && !tokens[i].value)
			return NULL;
		buffer_text(&out, i == 0 ? origin(work, object) : tokens[i].value);
		used_origin |= i == 0;
		at += 1 + size;
	}
	/* And what it names must lie below a default directory. */
	if (used_origin && work->run->secure && object == work->run->objects[0] &&
	    !loader_is_default(&work->run->layout,
			       normalize(work->host->arena, buffer_string(&out))))
		return NULL;
	return out.size ? buffer_string(&out) : NULL;
}
