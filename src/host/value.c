// SPDX-License-Identifier: BSD-2-Clause
#include "host/value.h"

#include "base/arena.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

struct value value_none(const char *why)
{
	return (struct value){.kind = VALUE_NONE, .why = why};
}

struct value value_bool(bool flag)
{
	return (struct value){.kind = VALUE_BOOL, .flag = flag};
}

struct value value_number(int64_t number)
{
	return (struct value){.kind = VALUE_NUMBER, .number = number};
}

struct value value_text(const char *text)
{
	if (!text)
		return (struct value){.why = "not visible here", .unknown = UNKNOWN_NOT_VISIBLE};
	return (struct value){.kind = VALUE_TEXT, .text = text};
}

struct value value_list(struct names list)
{
	return (struct value){.kind = VALUE_LIST, .list = list};
}

struct value value_unknown(struct arena *arena, enum unknown_kind kind, const char *format, ...)
{
	struct value value = {.kind = VALUE_UNKNOWN, .unknown = kind};
	va_list args;

	va_start(args, format);
	value.why = arena_vprintf(arena, format, args);
	va_end(args);
	return value;
}

struct value value_errno(struct arena *arena, const char *path, int number)
{
	switch (number) {
	case ENOENT:
	case ENOTDIR:
		return value_none(arena_printf(arena, "%s does not exist", path));
	case EACCES:
	case EPERM:
		return value_unknown(arena, UNKNOWN_NEEDS_ROOT, "%s needs root", path);
	case ENOMEDIUM:
		return value_unknown(arena, UNKNOWN_NOT_VISIBLE,
				     "%s cannot be seen: its file system is not mounted", path);
	case ENODATA:
		return value_unknown(arena, UNKNOWN_NOT_CAPTURED, "%s is not in this capture",
				     path);
	case EBADMSG:
	case ERANGE:
		return value_unknown(arena, UNKNOWN_DAMAGED, "%s does not hold what it should",
				     path);
	default:
		return value_unknown(arena, UNKNOWN_DAMAGED, "%s: %s", path,
				     strerrordesc_np(number));
	}
}

struct value value_unread(struct arena *arena, const char *path, int number)
{
	if (number == ENOENT || number == ENOTDIR)
		return value_unknown(arena, UNKNOWN_NOT_VISIBLE, "%s is not there", path);
	return value_errno(arena, path, number);
}

void value_cite(struct arena *arena, struct value *value, const char *path, const char *raw,
		enum confidence confidence)
{
	size_t count = value->evidence_count;
	struct evidence *all = arena_array(arena, struct evidence, count + 1);

	if (count)
		memcpy(all, value->evidence, count * sizeof(*all));
	all[count] = (struct evidence){.path = path, .raw = raw, .confidence = confidence};
	value->evidence = all;
	value->evidence_count = count + 1;
}

void value_cite_all(struct arena *arena, struct value *value, const struct value *from)
{
	for (size_t i = 0; i < from->evidence_count; i++)
		value_cite(arena, value, from->evidence[i].path, from->evidence[i].raw,
			   from->evidence[i].confidence);
}

const char *value_format(struct arena *arena, const struct value *value, const char *unit)
{
	switch (value->kind) {
	case VALUE_UNKNOWN:
		return arena_printf(arena, "unknown: %s",
				    value->why ? value->why : "no reason known");
	case VALUE_NONE:
		return "none";
	case VALUE_BOOL:
		return value->flag ? "yes" : "no";
	case VALUE_NUMBER:
		return arena_printf(arena, "%" PRId64 "%s%s", value->number, unit ? " " : "",
				    unit ? unit : "");
	case VALUE_TEXT:
		return value->text;
	case VALUE_LIST:
		return value->list.count ? names_join(arena, &value->list, ", ") : "none";
	}
	return "";
}
