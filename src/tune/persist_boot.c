// SPDX-License-Identifier: BSD-2-Clause
#include "tune/persist.h"

#include "base/arena.h"
#include "host/host.h"
#include "host/root.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define NODES "/sys/devices/system/node/node"
#define POOL "/hugepages/hugepages-"
/* From this size on a page is only to be had with certainty while the kernel starts. */
#define LARGE_KB ((uint64_t)512 << 10)
/* Linux 5.16 takes "hugepages=NODE:COUNT,…" (kernel-parameters.txt). */
#define NODES_MAJOR 5
#define NODES_MINOR 16

/* Whether ID or ID_LIKE of os-release(5) has one of the words. */
static bool is_like(struct facts *facts, const char *const *words)
{
	struct root *root = facts->host->root;
	struct view text, line, key, word;
	int number = root_read(root, "/etc/os-release", &text);

	if (number == ENOENT)
		number = root_read(root, "/usr/lib/os-release", &text);
	while (!number && view_line(&text, &line)) {
		view_split(&line, '=', &key);
		if (!view_is(key, "ID") && !view_is(key, "ID_LIKE"))
			continue;
		while (line.size && strchr("\"'", line.at[0]))
			line = (struct view){line.at + 1, line.size - 1};
		while (line.size && strchr("\"'", line.at[line.size - 1]))
			line.size--;
		while (view_word(&line, &word)) {
			for (size_t i = 0; words[i]; i++) {
				if (view_is(word, words[i]))
					return true;
			}
		}
	}
	return false;
}

const char *persist_words_advice(struct facts *facts, const char *words)
{
	static const char *const debian[] = {"debian", "ubuntu", NULL};
	static const char *const redhat[] = {"rhel", "fedora", "centos", NULL};

	if (is_like(facts, debian))
		return arena_printf(facts->arena,
				    "write GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX %s\" into "
				    "/etc/default/grub.d/ampere-crypto.cfg, then run update-grub",
				    words);
	if (is_like(facts, redhat))
		return arena_printf(facts->arena, "grubby --update-kernel=ALL --args=\"%s\"",
				    words);
	return arena_printf(facts->arena, "add \"%s\" to the kernel's command line", words);
}

struct large_pool {
	const char *node;
	uint64_t size_kb;
	const char *pages;
};

/* NODES "0" POOL "1048576kB/nr_hugepages" */
static bool read_pool(struct arena *arena, const char *path, struct large_pool *out)
{
	struct view rest = view_of(path), size;
	const char *pool = view_find(rest, POOL);

	if (!view_starts(rest, NODES) || !pool)
		return false;
	out->node = arena_copy(arena, path + strlen(NODES), (size_t)(pool - path) - strlen(NODES));
	rest = view_of(pool + strlen(POOL));
	view_split(&rest, '/', &size);
	if (!view_ends(size, "kB"))
		return false;
	size.size -= 2;
	return view_u64(size, 10, &out->size_kb);
}

static bool knows_nodes(struct facts *facts)
{
	struct view rest = view_of(facts->host->live->kernel), part;
	uint64_t major, minor;

	if (!view_split(&rest, '.', &part) || !view_u64(part, 10, &major) ||
	    !view_split(&rest, '.', &part) || !view_u64(part, 10, &minor))
		return false;
	return major > NODES_MAJOR || (major == NODES_MAJOR && minor >= NODES_MINOR);
}

/* "hugepagesz=512M hugepages=0:4,1:4"; NULL: no pool of this size. */
static const char *pool_words(const struct persist *persist, uint64_t size_kb, const char **check)
{
	const struct tune_change *changes = persist->plan->changes.items;
	struct arena *arena = persist->facts->arena;
	struct names nodes = {0};
	uint64_t total = 0;
	const char *count;

	for (size_t i = 0; i < persist->count; i++) {
		struct large_pool pool;
		uint64_t pages;

		if (!persist_is(persist, &changes[i], TUNE_PAGES) ||
		    !read_pool(arena, changes[i].path, &pool) || pool.size_kb != size_kb ||
		    !view_u64(view_of(persist_value(persist, &changes[i])), 10, &pages))
			continue;
		total += pages;
		names_add(arena, &nodes, arena_printf(arena, "%s:%" PRIu64, pool.node, pages));
		*check = *check ? *check : changes[i].check;
	}
	if (!nodes.count)
		return NULL;
	count = knows_nodes(persist->facts) ? names_join(arena, &nodes, ",")
					    : arena_printf(arena, "%" PRIu64, total);
	return arena_printf(arena, "hugepagesz=%" PRIu64 "%s hugepages=%s",
			    size_kb >> 20 ? size_kb >> 20 : size_kb >> 10,
			    size_kb >> 20 ? "G" : "M", count);
}

void persist_command_line(const struct persist *persist)
{
	/* Sizes of arm64 kernels from 512 MB on: pages of 4, 16 and 64 KB. */
	static const uint64_t sizes_kb[] = {LARGE_KB, (uint64_t)1 << 20, (uint64_t)16 << 20};
	struct arena *arena = persist->facts->arena;

	for (size_t i = 0; i < sizeof(sizes_kb) / sizeof(sizes_kb[0]); i++) {
		const char *check = NULL, *words = pool_words(persist, sizes_kb[i], &check);
		struct tune_advice *advice;

		if (!words)
			continue;
		advice = tune_add_advice(arena, persist->plan);
		advice->check = check;
		advice->title = "large huge pages at boot";
		advice->kind = "command-line";
		advice->text = arena_printf(
			arena,
			"pages of this size are certain only while the kernel starts, when memory "
			"is whole: %s",
			persist_words_advice(persist->facts, words));
	}
}
