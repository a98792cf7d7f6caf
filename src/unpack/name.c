// SPDX-License-Identifier: BSD-2-Clause
#include "unpack/name.h"

#include "base/utf8.h"

#include <string.h>

/* What holds for names and targets of links alike. */
static const char *check_text(struct view raw)
{
	if (!raw.size)
		return "an empty name";
	if (raw.size > UNPACK_PATH_MAX)
		return "a path of over 4096 bytes";
	if (raw.at[0] == '/')
		return "an absolute name";
	while (raw.size) {
		uint32_t code;
		size_t size = utf8_next(raw, &code);

		if (!size)
			return "a name that is not UTF-8";
		if (utf8_is_control(code))
			return "a control character in the name";
		raw.at += size;
		raw.size -= size;
	}
	return NULL;
}

static const char *add_part(struct name *name, struct view part)
{
	if (view_is(part, ".."))
		return "'..' in the name";
	if (part.size > UNPACK_PART_MAX)
		return "a component of over 255 bytes";
	if (name->count == UNPACK_DEPTH_MAX)
		return "more than 64 directories deep";
	if (name->count)
		name->path[name->size++] = '/';
	name->starts[name->count++] = (uint16_t)name->size;
	memcpy(name->path + name->size, part.at, part.size);
	name->size += part.size;
	return NULL;
}

const char *name_parse(struct view raw, struct name *name)
{
	const char *why = check_text(raw);
	struct view rest = raw, part;

	if (why)
		return why;
	name->size = name->count = 0;
	while (view_split(&rest, '/', &part)) {
		if (!part.size || view_is(part, "."))
			continue;
		why = add_part(name, part);
		if (why)
			return why;
	}
	name->path[name->size] = '\0';
	name->as_directory =
		view_ends(raw, "/") || view_ends(raw, "/.") || view_is(raw, ".") || !name->count;
	return NULL;
}

void name_strip(struct name *name)
{
	size_t cut = name->count > 1 ? name->starts[1] : name->size;

	memmove(name->path, name->path + cut, name->size - cut + 1);
	name->size -= cut;
	name->count -= name->count > 0;
	for (size_t i = 0; i < name->count; i++)
		name->starts[i] = (uint16_t)(name->starts[i + 1] - cut);
}

struct view name_part(const struct name *name, size_t index)
{
	size_t end = index + 1 < name->count ? name->starts[index + 1] - 1u : name->size;

	return (struct view){name->path + name->starts[index], end - name->starts[index]};
}

struct view name_parent(const struct name *name)
{
	if (name->count < 2)
		return (struct view){NULL, 0};
	return (struct view){name->path, name->starts[name->count - 1] - 1u};
}

const char *name_check_target(const struct name *name, struct view target)
{
	const char *why =
		view_starts(target, "/") ? "a link to an absolute name" : check_text(target);
	size_t above = name->count ? name->count - 1 : 0, parts = 0, up = 0;
	struct view rest = target, part;

	if (why)
		return why;
	while (view_split(&rest, '/', &part)) {
		if (!part.size || view_is(part, "."))
			continue;
		if (part.size > UNPACK_PART_MAX)
			return "a component of over 255 bytes";
		if (++parts > 2 * UNPACK_DEPTH_MAX)
			return "a link more than 128 directories deep";
		if (!view_is(part, ".."))
			continue;
		if (++up != parts)
			return "a link with '..' behind a name";
		if (up > above)
			return "a link out of the archive's directory";
	}
	return NULL;
}
