// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/file.h"
#include "host/redact.h"
#include "host/root_private.h"

struct root *root_open_cpuinfo(struct arena *arena, const char *path, struct error *err)
{
	static const char asked[] = "/proc/cpuinfo";
	struct root *root = arena_new(arena, struct root);
	struct entry *entry;
	struct view text;

	root->arena = arena;
	root->kind = ROOT_CAPTURE;
	root->name = path;
	root->top.fd = root->open_fd = -1;
	if (!file_read(arena, path, ROOT_FILE_MAX, &text, err)) {
		error_context(err, "--cpuinfo");
		return NULL;
	}
	entry = root_entry(root, asked);
	entry->read = (struct answer){.asked = true};
	entry->bytes = redact(arena, asked, text);
	return root;
}
