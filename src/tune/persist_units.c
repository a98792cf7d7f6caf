// SPDX-License-Identifier: BSD-2-Clause
#include "tune/persist.h"

#include "base/arena.h"

#include <ctype.h>
#include <string.h>

#define UNITS "/etc/systemd/system/"
#define WANTS_FILE UNITS "local-fs.target.d/" PERSIST_NAME
#define ORDER_FILE UNITS "systemd-tmpfiles-setup.service.d/" PERSIST_NAME

const char *persist_unit_of(struct arena *arena, const char *path)
{
	struct buffer name = buffer_new(arena, 256);

	path += strspn(path, "/");
	for (const char *at = path; *at; at++) {
		unsigned char c = (unsigned char)*at;

		if (c == '/' && !at[strspn(at, "/")])
			break;
		if (c == '/' && at[1] == '/')
			continue;
		if (c == '/')
			buffer_char(&name, '-');
		else if (isalnum(c) || c == ':' || c == '_' || (c == '.' && at != path))
			buffer_char(&name, (char)c);
		else
			buffer_printf(&name, "\\x%02x", c);
	}
	buffer_text(&name, name.size ? ".mount" : "-.mount");
	return buffer_string(&name);
}

/* Wanted, not required: a mount that fails must not end the boot in a rescue shell. */
bool persist_mounts(const struct persist *persist)
{
	struct arena *arena = persist->facts->arena;
	struct buffer wants = persist_text(persist);
	const char *check = NULL;

	buffer_text(&wants, "[Unit]\n");
	for (size_t i = 0; i < persist->count; i++) {
		/* The array moves when a file is added. */
		struct tune_change *change = (struct tune_change *)persist->plan->changes.items + i;
		struct buffer text = persist_text(persist);
		const char *unit;

		if (!persist_is(persist, change, TUNE_MOUNT))
			continue;
		unit = persist_unit_of(arena, change->path);
		change->persisted = true;
		check = check ? check : change->check;
		buffer_printf(&text,
			      "[Unit]\nDescription=Huge pages at %s\n"
			      "ConditionPathExists=/sys/kernel/mm/hugepages\n\n"
			      "[Mount]\nWhat=hugetlbfs\nWhere=%s\nType=hugetlbfs\nOptions=%s\n",
			      change->path, change->path, persist_value(persist, change));
		buffer_printf(&wants, "Wants=%s\n", unit);
		if (!persist_file(persist, arena_printf(arena, UNITS "%s", unit), &text,
				  change->check))
			return false;
	}
	return !check || persist_file(persist, WANTS_FILE, &wants, check);
}

bool persist_order(const struct persist *persist, const char *check)
{
	struct buffer text = persist_text(persist);

	buffer_text(&text, "[Unit]\nAfter=systemd-modules-load.service\n");
	return persist_file(persist, ORDER_FILE, &text, check);
}

/* A service that was stopped keeps its files and links; a condition that never holds keeps it from
 * being started at boot. */
bool persist_services(const struct persist *persist)
{
	for (size_t i = 0; i < persist->count; i++) {
		struct tune_change *change = (struct tune_change *)persist->plan->changes.items + i;
		struct buffer text = persist_text(persist);
		const char *path, *end;

		if (!persist_is(persist, change, TUNE_SERVICE) ||
		    strcmp(persist_value(persist, change), "inactive") != 0)
			continue;
		end = view_ends(view_of(change->path), ".service") ? "" : ".service";
		path = arena_printf(persist->facts->arena, UNITS "%s%s.d/" PERSIST_NAME,
				    change->path, end);
		change->persisted = true;
		buffer_text(&text, "[Unit]\nConditionPathExists=!/\n");
		if (!persist_file(persist, path, &text, change->check))
			return false;
	}
	return true;
}
