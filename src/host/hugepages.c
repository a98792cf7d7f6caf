// SPDX-License-Identifier: BSD-2-Clause
#include "host/hugepages.h"

#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"
#include "host/topology.h"

#include <errno.h>
#include <string.h>

#define SYSTEM_POOLS "/sys/kernel/mm/hugepages"
#define NODES "/sys/devices/system/node"
#define POOLS_MAX 16
#define MOUNTS_MAX 32

/* Documentation/arch/arm64/hugetlbpage: CONT PTE, PMD, CONT PMD and PUD sizes of each base page
 * size. */
static const struct base_page {
	int64_t page_bytes, pmd_bytes;
	size_t size_count;
	int64_t sizes[4];
} base_pages[] = {
	{.page_bytes = 4 << 10,
	 .pmd_bytes = 2 << 20,
	 .size_count = 4,
	 .sizes = {64 << 10, 2 << 20, 32 << 20, 1 << 30}},
	{.page_bytes = 16 << 10,
	 .pmd_bytes = 32 << 20,
	 .size_count = 3,
	 .sizes = {2 << 20, 32 << 20, 1 << 30}},
	{.page_bytes = 64 << 10,
	 .pmd_bytes = 512 << 20,
	 .size_count = 3,
	 .sizes = {2 << 20, 512 << 20, (int64_t)16 << 30}},
};
#define BASE_PAGES (sizeof(base_pages) / sizeof(base_pages[0]))

static bool base_page_has(const struct base_page *base, int64_t size)
{
	for (size_t i = 0; i < base->size_count; i++) {
		if (base->sizes[i] == size)
			return true;
	}
	return false;
}

/* A kernel offers the whole set of its base page, so an equal set decides; 2 MB and 1 GB alone fit
 * two of them. */
int64_t hugepages_base_page(const int64_t *sizes, size_t count)
{
	int64_t found = 0;
	for (size_t b = 0; b < BASE_PAGES && count > 0; b++) {
		size_t here = 0;
		for (size_t i = 0; i < count; i++)
			here += base_page_has(&base_pages[b], sizes[i]);
		if (here < count)
			continue;
		if (here == base_pages[b].size_count)
			return base_pages[b].page_bytes;
		found = found == 0 ? base_pages[b].page_bytes : -1;
	}
	return found > 0 ? found : 0;
}

int64_t hugepages_pmd_size(int64_t page_size_bytes)
{
	for (size_t b = 0; b < BASE_PAGES; b++) {
		if (base_pages[b].page_bytes == page_size_bytes)
			return base_pages[b].pmd_bytes;
	}
	return 0;
}

bool hugepages_is_map_file(const char *name)
{
	const char *map = strstr(name, "map_");
	if (!map || map == name)
		return false;
	struct view number = view_of(map + 4);
	uint64_t ignored;
	return view_u64(number, 10, &ignored);
}

/* "hugepages-2048kB" -> bytes, or 0. */
static int64_t pool_size(const char *name)
{
	struct view view = view_of(name);
	if (!view_starts(view, "hugepages-") || !view_ends(view, "kB"))
		return 0;
	view.at += strlen("hugepages-");
	view.size -= strlen("hugepages-") + strlen("kB");
	uint64_t kib;
	if (!view_u64(view, 10, &kib) || kib == 0 || kib > (uint64_t)1 << 40)
		return 0;
	return (int64_t)kib << 10;
}

/* Free and surplus are only asked where there are pages. Returns an errno value and the path it is
 * about. */
static int pool_read(struct host *host, const char *directory, struct hugepage_pool *pool,
		     const char **path)
{
	pool->pages = pool->free = pool->surplus = -1;
	*path = arena_printf(host->arena, "%s/nr_hugepages", directory);
	int number = host_number(host, *path, &pool->pages);
	if (number || pool->pages <= 0)
		return number;
	*path = arena_printf(host->arena, "%s/surplus_hugepages", directory);
	number = host_number(host, *path, &pool->surplus);
	if (number)
		return number;
	*path = arena_printf(host->arena, "%s/free_hugepages", directory);
	return host_number(host, *path, &pool->free);
}

static void system_read(struct host *host, struct hugepages *huge)
{
	struct names names = {0};
	huge->system_error = root_list(host->root, SYSTEM_POOLS, &names);
	if (huge->system_error)
		return;
	struct hugepage_pool *pools = arena_array(host->arena, struct hugepage_pool, POOLS_MAX);
	for (size_t i = 0; i < names.count && huge->system_count < POOLS_MAX; i++) {
		int64_t size = pool_size(names.items[i]);
		if (size == 0)
			continue;
		struct hugepage_pool *pool = &pools[huge->system_count++];
		pool->size_bytes = size;
		pool->node = HUGEPAGES_EVERY_NODE;
		const char *path;
		int number = pool_read(
			host, arena_printf(host->arena, SYSTEM_POOLS "/%s", names.items[i]), pool,
			&path);
		if (number && !huge->node_error) {
			huge->node_error = number;
			huge->node_path = path;
		}
	}
	huge->system = pools;
}

static void used_nodes_read(struct host *host, struct hugepages *huge)
{
	const struct topology *topology = host_topology(host);
	uint32_t *nodes = arena_array(host->arena, uint32_t, topology->node_count + 1);
	struct names names;

	huge->used_node_error = topology->node_number;
	/* A kernel without NUMA has no such directory; one that lacks the list alone tells nothing.
	 */
	if (topology->node_number == ENOENT && root_list(host->root, NODES, &names) == 0)
		huge->used_node_error = EBADMSG;
	for (size_t i = 0; i < topology->node_count; i++) {
		if (!topology->nodes[i].cpus_known)
			huge->used_node_error = EBADMSG;
		if (topology->nodes[i].cpus.count > 0)
			nodes[huge->used_node_count++] = topology->nodes[i].id;
	}
	huge->used_nodes = nodes;
}

/* A node has a pool of every size the system has; else a part of the tree is missing. */
static void sizes_compare(struct host *host, struct hugepages *huge)
{
	struct names names = {0};
	const char *path;
	size_t sizes = 0;
	int number;

	if (huge->system_count == 0 || huge->used_node_count == 0 || huge->node_error)
		return;
	path = arena_printf(host->arena, NODES "/node%u/hugepages", huge->used_nodes[0]);
	number = root_list(host->root, path, &names);
	for (size_t i = 0; i < names.count; i++)
		sizes += pool_size(names.items[i]) != 0;
	/* A node without memory has no pools. */
	if (number == ENOENT || (number == 0 && sizes == huge->system_count))
		return;
	huge->node_path = path;
	huge->node_error = number ? number : EBADMSG;
}

static void nodes_read(struct host *host, struct hugepages *huge)
{
	struct hugepage_pool *pools = arena_array(host->arena, struct hugepage_pool,
						  huge->used_node_count * huge->system_count + 1);
	for (size_t n = 0; n < huge->used_node_count; n++) {
		for (size_t s = 0; s < huge->system_count; s++) {
			if (huge->system[s].pages <= 0)
				continue;
			struct hugepage_pool *pool = &pools[huge->node_count++];
			pool->size_bytes = huge->system[s].size_bytes;
			pool->node = (int)huge->used_nodes[n];
			const char *path;
			int number = pool_read(
				host,
				arena_printf(host->arena,
					     NODES "/node%d/hugepages/hugepages-%lldkB", pool->node,
					     (long long)(pool->size_bytes >> 10)),
				pool, &path);
			if (number == ENOENT && pool->pages < 0)
				pool->pages = 0; /* a node without memory */
			else if (number && !huge->node_error) {
				huge->node_error = number;
				huge->node_path = path;
			}
		}
	}
	huge->nodes = pools;
}

static void default_size_read(struct host *host, struct hugepages *huge)
{
	struct view text, line, word;
	if (root_read(host->root, "/proc/meminfo", &text) != 0)
		return;
	while (view_line(&text, &line)) {
		uint64_t kib;
		if (!view_word(&line, &word) || !view_is(word, "Hugepagesize:") ||
		    !view_word(&line, &word) || !view_u64(word, 10, &kib) || kib > UINT32_MAX)
			continue;
		huge->default_size_bytes = (int64_t)kib << 10;
	}
}

static const struct {
	char letter;
	int shift;
} size_units[] = {{'K', 10}, {'M', 20}, {'G', 30}};

/* "2M", "1024M", "16G", "2048K"; 0 on anything else. */
static int64_t unit_size(struct view text)
{
	struct view digits = {.at = text.at, .size = text.size ? text.size - 1 : 0};
	uint64_t number;

	if (!view_u64(digits, 10, &number) || number > UINT32_MAX)
		return 0;
	for (size_t i = 0; i < sizeof(size_units) / sizeof(size_units[0]); i++) {
		if (size_units[i].letter == text.at[text.size - 1])
			return (int64_t)number << size_units[i].shift;
	}
	return 0;
}

/* The "pagesize=" option of a hugetlbfs mount, or 0. */
static int64_t mount_page_size(struct view options)
{
	static const char key[] = "pagesize=";
	struct view option;

	while (view_split(&options, ',', &option)) {
		if (view_starts(option, key))
			return unit_size((struct view){.at = option.at + strlen(key),
						       .size = option.size - strlen(key)});
	}
	return 0;
}

static void mount_list(struct host *host, struct hugepage_mount *mount)
{
	struct names names = {0};
	mount->list_error = root_list(host->root, mount->path, &names);
	for (size_t i = 0; i < names.count; i++)
		mount->map_files += hugepages_is_map_file(names.items[i]);
}

static void mounts_read(struct host *host, struct hugepages *huge)
{
	struct view text, line, device, path, type, options;
	huge->mounts_error = root_read(host->root, "/proc/mounts", &text);
	if (huge->mounts_error)
		return;
	struct hugepage_mount *mounts = arena_array(host->arena, struct hugepage_mount, MOUNTS_MAX);
	while (huge->mount_count < MOUNTS_MAX && view_line(&text, &line)) {
		if (!view_word(&line, &device) || !view_word(&line, &path) ||
		    !view_word(&line, &type) || !view_word(&line, &options) ||
		    !view_is(type, "hugetlbfs"))
			continue;
		struct hugepage_mount *mount = &mounts[huge->mount_count++];
		mount->path = view_copy(host->arena, path);
		mount->size_bytes = mount_page_size(options);
		if (mount->size_bytes == 0)
			mount->size_bytes = huge->default_size_bytes;
		mount_list(host, mount);
	}
	huge->mounts = mounts;
}

const struct hugepages *host_hugepages(struct host *host)
{
	if (host->hugepages)
		return host->hugepages;
	struct hugepages *huge = arena_new(host->arena, struct hugepages);
	system_read(host, huge);
	used_nodes_read(host, huge);
	sizes_compare(host, huge);
	nodes_read(host, huge);
	default_size_read(host, huge);
	mounts_read(host, huge);
	host->hugepages = huge;
	return huge;
}
