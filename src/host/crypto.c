// SPDX-License-Identifier: BSD-2-Clause
#include "host/crypto.h"

#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"

#include <errno.h>
#include <string.h>

#define ENTRIES_MAX 4096
#define PATH "/proc/crypto"

static void entry_set(struct arena *arena, struct crypto_entry *entry, struct view key,
		      struct view value)
{
	int64_t number;

	if (view_is(key, "driver"))
		entry->driver = view_copy(arena, value);
	else if (view_is(key, "module"))
		entry->module = view_copy(arena, value);
	else if (view_is(key, "type"))
		entry->type = view_copy(arena, value);
	else if (view_is(key, "priority") && view_i64(value, &number))
		entry->priority = number;
	else if (view_is(key, "internal"))
		entry->internal = view_is(value, "yes");
	else if (view_is(key, "selftest"))
		entry->usable = view_is(value, "passed");
}

void crypto_parse(struct arena *arena, struct view text, struct crypto *crypto)
{
	struct crypto_entry *entry = NULL;
	struct view line;
	size_t room = 0;

	while (view_line(&text, &line)) {
		struct view key, value = line;

		view_split(&value, ':', &key);
		key = view_trim(key);
		value = view_trim(value);
		if (view_is(key, "name") && crypto->count < ENTRIES_MAX) {
			if (crypto->count == room) {
				struct crypto_entry *grown;

				room = room ? room * 2 : 64;
				grown = arena_array(arena, struct crypto_entry, room);
				if (crypto->count)
					memcpy(grown, crypto->entries,
					       crypto->count * sizeof(*grown));
				crypto->entries = grown;
			}
			entry = &crypto->entries[crypto->count++];
			*entry = (struct crypto_entry){.name = view_copy(arena, value),
						       .driver = ""};
		} else if (entry && key.size) {
			entry_set(arena, entry, key, value);
		}
	}
}

const struct crypto *host_crypto(struct host *host)
{
	struct crypto *crypto;
	struct view text;

	if (host->crypto)
		return host->crypto;
	crypto = arena_new(host->arena, struct crypto);
	crypto->error = root_read(host->root, PATH, &text);
	if (!crypto->error)
		crypto_parse(host->arena, text, crypto);
	host->crypto = crypto;
	return crypto;
}

const struct crypto_entry *crypto_winner(const struct crypto *crypto, const char *name)
{
	const struct crypto_entry *winner = NULL;

	for (size_t i = 0; i < crypto->count; i++) {
		const struct crypto_entry *entry = &crypto->entries[i];

		if (!entry->internal && entry->usable && strcmp(entry->name, name) == 0 &&
		    (!winner || entry->priority > winner->priority))
			winner = entry;
	}
	return winner;
}
