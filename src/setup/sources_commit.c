// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "setup/sources_private.h"
#include "setup/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Git's formats: gitrepository-layout(5), gitformat-pack(5), gitformat-bundle(5). */
#define HEX_SIZE 40
#define RAW_SIZE 20
#define INDEX_HEADER 8
#define FANOUT_SIZE 1024
#define BUNDLE_HEADER_MAX ((size_t)64 << 10)
#define OBJECTS_MAX 200000
#define OBJECTS_MAX_BYTES ((uint64_t)4 << 30)
#define COPY_BYTES ((size_t)1 << 20)

static bool is_hex(const char *text, size_t size)
{
	return strlen(text) == size && strspn(text, "0123456789abcdef") == size;
}

static bool read_at(int fd, void *bytes, size_t size, off_t at)
{
	return pread(fd, bytes, size, at) == (ssize_t)size;
}

static uint32_t number_at(const unsigned char *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Version 2 of the index of a pack. */
static bool index_has(int fd, const unsigned char *raw)
{
	unsigned char head[INDEX_HEADER + FANOUT_SIZE], name[RAW_SIZE];
	const unsigned char *fanout = head + INDEX_HEADER;
	uint32_t first, last;

	if (!read_at(fd, head, sizeof(head), 0) ||
	    memcmp(head, "\377tOc\0\0\0\2", INDEX_HEADER) != 0)
		return false;
	first = raw[0] ? number_at(fanout + 4 * (raw[0] - 1)) : 0;
	last = number_at(fanout + 4 * raw[0]);
	while (first < last) {
		uint32_t middle = first + (last - first) / 2;
		int order;

		if (!read_at(fd, name, sizeof(name),
			     (off_t)sizeof(head) + (off_t)middle * RAW_SIZE))
			return false;
		order = memcmp(raw, name, RAW_SIZE);
		if (order == 0)
			return true;
		if (order < 0)
			last = middle;
		else
			first = middle + 1;
	}
	return false;
}

static bool parse_raw(const char *commit, unsigned char raw[RAW_SIZE])
{
	if (!is_hex(commit, HEX_SIZE))
		return false;
	for (size_t i = 0; i < RAW_SIZE; i++) {
		uint64_t octet;

		if (!view_u64((struct view){commit + 2 * i, 2}, 16, &octet))
			return false;
		raw[i] = (unsigned char)octet;
	}
	return true;
}

static bool packs_have(const struct sources *sources, const char *packs, const char *commit)
{
	unsigned char raw[RAW_SIZE];
	struct names names;

	if (!parse_raw(commit, raw) || !file_list(sources->arena, packs, ".idx", &names, NULL))
		return false;
	for (size_t i = 0; i < names.count; i++) {
		scoped_fd int fd =
			open(arena_printf(sources->arena, "%s/%s", packs, names.items[i]),
			     O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

		if (fd >= 0 && index_has(fd, raw))
			return true;
	}
	return false;
}

/* The lines "COMMIT NAME" before the pack. */
static bool bundle_lists(const char *path, const char *commit)
{
	char head[BUNDLE_HEADER_MAX];
	struct view rest, line;

	scoped_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	ssize_t got = fd < 0 ? -1 : pread(fd, head, sizeof(head), 0);
	rest = (struct view){head, got > 0 ? (size_t)got : 0};
	if (!view_starts(rest, "# v2 git bundle\n") && !view_starts(rest, "# v3 git bundle\n"))
		return false;
	while (view_line(&rest, &line) && line.size) {
		if (view_starts(line, commit) && line.size > HEX_SIZE && line.at[HEX_SIZE] == ' ')
			return true;
	}
	return false;
}

bool commit_is_in(const struct sources *sources, const struct mirror_git *from, const char *commit)
{
	struct arena *arena = sources->arena;

	if (!is_hex(commit, HEX_SIZE))
		return false;
	if (from->bundle)
		return bundle_lists(from->path, commit);
	return file_exists(
		       arena_printf(arena, "%s/objects/%.2s/%s", from->path, commit, commit + 2)) ||
	       packs_have(sources, arena_printf(arena, "%s/objects/pack", from->path), commit);
}

/* Objects being taken over. */
struct taking {
	struct sources *sources;
	size_t count;
	uint64_t bytes;
};

static bool copy_file(struct taking *taking, int from, int to, const char *name, struct error *err)
{
	scoped_fd int in = tree_open_file(from, name);
	scoped_fd int out =
		openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
	uint64_t size;

	if (in < 0 || out < 0 || fchmod(out, 0644) < 0)
		return error_errno(err, errno, "%s", name);
	if (!file_copy_fd(in, out, name, OBJECTS_MAX_BYTES - taking->bytes, &size, err))
		return false;
	taking->bytes += size;
	return true;
}

/* Names that git gives to loose objects and to packs; the rest is not needed. */
static bool is_object(const char *directory, const char *name)
{
	return strcmp(directory, "pack") != 0 ? is_hex(name, HEX_SIZE - 2)
					      : view_starts(view_of(name), "pack-") &&
							(view_ends(view_of(name), ".pack") ||
							 view_ends(view_of(name), ".idx"));
}

static bool take_directory(struct taking *taking, int from, int to, const char *name,
			   struct error *err)
{
	struct names names;

	scoped_fd int in = tree_open(from, name);
	if (in < 0 || !tree_list(taking->sources->arena, in, &names) || !tree_make(to, name))
		return error_errno(err, errno, "objects/%s", name);
	scoped_fd int out = tree_open(to, name);
	if (out < 0)
		return error_errno(err, errno, "objects/%s", name);
	for (size_t i = 0; i < names.count; i++) {
		if (!is_object(name, names.items[i]))
			continue;
		if (++taking->count > OBJECTS_MAX)
			return error_set(err, "more than %d objects", OBJECTS_MAX);
		if (!copy_file(taking, in, out, names.items[i], err))
			return false;
	}
	return true;
}

static bool take_objects(struct sources *sources, int from, int to, struct error *err)
{
	struct taking taking = {.sources = sources};
	struct names names;

	if (!tree_list(sources->arena, from, &names))
		return error_errno(err, errno, "objects");
	for (size_t i = 0; i < names.count; i++) {
		if ((is_hex(names.items[i], 2) || strcmp(names.items[i], "pack") == 0) &&
		    !take_directory(&taking, from, to, names.items[i], err))
			return false;
	}
	return true;
}

/* Nothing of the other repository but its objects: configuration, hooks and references are ours.
 * Its history ends at the commit. */
static bool fill(struct sources *sources, int from, int to, const char *commit, struct error *err)
{
	const char *line = arena_printf(sources->arena, "%s\n", commit);

	if (!tree_make(to, "refs") || !tree_make(to, "objects"))
		return error_errno(err, errno, "refs");
	scoped_fd int objects = tree_open(to, "objects");
	return (objects >= 0 || error_errno(err, errno, "objects")) &&
	       take_objects(sources, from, objects, err) &&
	       tree_write(to, "config",
			  VIEW("[core]\n\trepositoryformatversion = 0\n\tbare = true\n"), err) &&
	       tree_write(to, "shallow", view_of(line), err) &&
	       tree_write(to, "HEAD", view_of(line), err);
}

bool commit_keep(struct sources *sources, const char *repository, const char *commit,
		 struct error *err)
{
	const char *name = arena_printf(sources->arena, "%s.git", commit);
	const char *part = arena_printf(sources->arena, "%s.part", name);

	scoped_fd int cache = open(sources->cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	scoped_fd int top = open(repository, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	scoped_fd int from = top < 0 ? -1 : tree_open(top, "objects");
	if (cache < 0 || from < 0)
		return error_errno(err, errno, "%s", cache < 0 ? sources->cache : repository);
	if (!tree_delete(cache, part) || !tree_make(cache, part))
		return error_errno(err, errno, "%s/%s", sources->cache, part);
	scoped_fd int to = tree_open(cache, part);
	if (to < 0)
		return error_errno(err, errno, "%s/%s", sources->cache, part);
	if (fill(sources, from, to, commit, err) &&
	    (renameat(cache, part, cache, name) == 0 ||
	     error_errno(err, errno, "%s/%s", sources->cache, name)))
		return true;
	tree_delete(cache, part);
	return error_context(err, "%s", repository);
}
