// SPDX-License-Identifier: BSD-2-Clause
#include "host/hide.h"
#include "host/redact_redfish.h"
#include "host/root_private.h"

#include <errno.h>
#include <string.h>

#define BELOW "/redfish/"

void root_attach(struct root *root, struct root_source source)
{
	root->source = source;
}

bool root_source_has(const struct root *root, const char *path)
{
	return strncmp(path, BELOW, strlen(BELOW)) == 0 &&
	       (root->source.get || root->kind != ROOT_CAPTURE);
}

/* A described machine has such documents as files. */
static int ask(struct root *root, const char *path, struct view *out)
{
	if (!root->source.get)
		return root_fs_read(root, path, out);
	return root->source.get(root->source.context, unhide_path(root->arena, &root->hidden, path),
				out);
}

int root_source_read(struct root *root, const char *path, struct view *out)
{
	struct entry *entry;

	if (!root->source.get && root->kind == ROOT_LIVE)
		return ENODATA;
	entry = root_entry(root, path);
	/* What an older capture says of a BMC does not stand beside what this one says. */
	if (!entry->sourced) {
		entry->sourced = true;
		entry->read =
			(struct answer){.asked = true, .number = ask(root, path, &entry->bytes)};
		if (entry->read.number == 0)
			entry->bytes = redact_redfish(root->arena, &root->settings, &root->hidden,
						      path, entry->bytes);
	}
	if (entry->read.number == 0)
		*out = entry->bytes;
	return entry->read.number;
}
