// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"
#include "setup/sha1.h"
#include "setup/store_private.h"
#include "setup/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 64
#define PIECE_BYTES ((size_t)64 << 10)

struct walk {
	struct arena *arena;
	enum scan_mode mode;
	const char *name; /* of the tree, for messages */
	struct scan *scan;
	char *piece;
	uid_t builder; /* who owned the tree when it was found */
	struct error *err;
};

static bool walk_directory(struct walk *walk, int directory, const char *path, unsigned depth);

/* What a manifest can hold: UTF-8 without controls, of a stated length. */
static bool text_fits(const char *text)
{
	struct view rest = view_of(text);

	while (rest.size) {
		uint32_t code;
		size_t size = utf8_next(rest, &code);

		if (!size || utf8_is_control(code))
			return false;
		rest.at += size;
		rest.size -= size;
	}
	return strlen(text) <= MANIFEST_PATH_MAX;
}

static struct scan_entry *add_entry(struct walk *walk, const char *path, const struct stat *status)
{
	struct scan *scan = walk->scan;

	if (scan->count == scan->room) {
		size_t room = scan->room ? scan->room * 2 : 64;
		struct scan_entry *items = arena_array(walk->arena, struct scan_entry, room);

		if (scan->count)
			memcpy(items, scan->items, scan->count * sizeof(items[0]));
		scan->items = items;
		scan->room = room;
	}
	struct scan_entry *entry = &scan->items[scan->count++];
	*entry = (struct scan_entry){.file.path = path,
				     .owner = status->st_uid,
				     .inode = status->st_ino,
				     .links = status->st_nlink};
	return entry;
}

static void set_mode(struct walk *walk, struct scan_entry *entry, const struct stat *status)
{
	entry->file.mode = arena_printf(walk->arena, "%04o", (unsigned)(status->st_mode & 07777));
}

/* The caller's own, not to be written by others. chown() comes first: it takes setuid away. */
static bool own(struct walk *walk, int fd, const char *path, struct stat *status)
{
	bool executable = S_ISDIR(status->st_mode) || status->st_mode & 0100;

	if (walk->mode != SCAN_OWN)
		return true;
	if (((status->st_uid != geteuid() || (geteuid() == 0 && status->st_gid != getegid())) &&
	     fchown(fd, geteuid(), getegid()) < 0) ||
	    fchmod(fd, executable ? 0755 : 0644) < 0 || fstat(fd, status) < 0)
		return error_errno(walk->err, errno, "%s: %s", walk->name, path);
	return true;
}

static bool digest_file(struct walk *walk, int fd, struct scan_entry *entry)
{
	struct digest *digest = digest_start(walk->arena, walk->err);
	char hex[DIGEST_HEX_SIZE];
	struct sha1 sha1;
	ssize_t got = 1;

	if (!digest)
		return false;
	sha1_start(&sha1);
	while (got > 0 || (got < 0 && errno == EINTR)) {
		got = read(fd, walk->piece, PIECE_BYTES);
		if (got <= 0)
			continue;
		digest_add(digest, walk->piece, (size_t)got);
		if (walk->mode == SCAN_OWN)
			sha1_add(&sha1, walk->piece, (size_t)got);
		entry->file.size += got;
	}
	int number = errno;
	digest_end(digest, hex);
	if (got < 0)
		return error_errno(walk->err, number, "%s: %s", walk->name, entry->file.path);
	if (!hex[0])
		return error_set(walk->err, "%s: %s: libcrypto could not digest it", walk->name,
				 entry->file.path);
	entry->file.sha256 = arena_strdup(walk->arena, hex);
	sha1_end(&sha1, entry->sha1);
	return true;
}

/* What a build that ran as another user linked in: taking it over would open it to everybody. */
static bool is_foreign(const struct walk *walk, const struct stat *status)
{
	if (walk->mode != SCAN_OWN || status->st_uid == walk->builder)
		return false;
	return status->st_uid != geteuid() || status->st_nlink > 1;
}

/* An oddity: an error when the tree is to be ours, else a note of the entry. */
static bool trouble(struct walk *walk, struct scan_entry *entry, const char *text)
{
	if (walk->mode == SCAN_OWN)
		return error_set(walk->err, "%s: %.200s: %s", walk->name,
				 text_printable(walk->arena, view_of(entry->file.path)), text);
	entry->trouble = text;
	return true;
}

/* What could not be opened; somebody may have closed it, or turned it into something else. */
static bool trouble_errno(struct walk *walk, struct scan_entry *entry, int number)
{
	entry->failed = number != EACCES && number != EPERM && number != ELOOP && number != EINVAL;
	return trouble(walk, entry, arena_strdup(walk->arena, strerror(number)));
}

static bool walk_file(struct walk *walk, int directory, const char *name, struct scan_entry *entry)
{
	scoped_fd int fd = tree_open_file(directory, name);
	struct stat status;

	entry->file.type = "file";
	if (fd < 0 || fstat(fd, &status) < 0)
		return trouble_errno(walk, entry, errno);
	if (is_foreign(walk, &status))
		return trouble(walk, entry, "the file belongs to someone else");
	if (!own(walk, fd, entry->file.path, &status))
		return false;
	set_mode(walk, entry, &status);
	struct error inner = {0};
	struct error *outer = walk->err;
	walk->err = &inner;
	bool read = digest_file(walk, fd, entry);
	walk->err = outer;
	if (read)
		return true;
	/* The message names the tree and path already. */
	if (walk->mode == SCAN_OWN)
		return error_set(walk->err, "%s", inner.text);
	entry->trouble = arena_strdup(walk->arena, inner.text);
	entry->failed = true;
	return true;
}

static bool walk_link(struct walk *walk, int directory, const char *name, struct scan_entry *entry)
{
	entry->file.type = "link";
	entry->file.target = tree_read_link(walk->arena, directory, name);
	if (!entry->file.target || !entry->file.target[0] || !text_fits(entry->file.target))
		return trouble(walk, entry, "its target is no text");
	if (walk->mode == SCAN_OWN && geteuid() == 0 &&
	    fchownat(directory, name, 0, getegid(), AT_SYMLINK_NOFOLLOW) < 0)
		return trouble_errno(walk, entry, errno);
	return true;
}

static bool walk_subdirectory(struct walk *walk, int directory, const char *name, size_t index,
			      unsigned depth)
{
	scoped_fd int fd = tree_open(directory, name);
	struct scan_entry *entry = &walk->scan->items[index];
	struct stat status;

	entry->file.type = "directory";
	if (fd < 0 || fstat(fd, &status) < 0)
		return trouble_errno(walk, entry, errno);
	if (depth == DEPTH_MAX)
		return trouble(walk, entry, "directories are nested too deep");
	/* Before it is listed: from here on nobody else adds to it. */
	if (!own(walk, fd, entry->file.path, &status))
		return false;
	set_mode(walk, entry, &status);
	return walk_directory(walk, fd, entry->file.path, depth + 1);
}

static bool walk_entry(struct walk *walk, int directory, const char *path, const char *name,
		       unsigned depth)
{
	const char *full = *path ? arena_printf(walk->arena, "%s/%s", path, name)
				 : arena_strdup(walk->arena, name);
	size_t index = walk->scan->count;
	struct stat status;

	if (index == MANIFEST_FILES_MAX)
		return error_set(walk->err, "%s: more than %d files", walk->name,
				 MANIFEST_FILES_MAX);
	if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(walk->err, errno, "%s: %s", walk->name, full);
	struct scan_entry *entry = add_entry(walk, full, &status);
	if (!text_fits(full))
		return trouble(walk, entry, "the name is not UTF-8, has controls or is too long");
	if (S_ISDIR(status.st_mode))
		return walk_subdirectory(walk, directory, name, index, depth);
	if (S_ISREG(status.st_mode))
		return walk_file(walk, directory, name, entry);
	if (S_ISLNK(status.st_mode))
		return walk_link(walk, directory, name, entry);
	return trouble(walk, entry, "neither file, directory nor link");
}

static bool walk_directory(struct walk *walk, int directory, const char *path, unsigned depth)
{
	struct names names;

	if (!tree_list(walk->arena, directory, &names))
		return error_errno(walk->err, errno, "%s: %s", walk->name, *path ? path : ".");
	for (size_t i = 0; i < names.count; i++) {
		if (!walk_entry(walk, directory, path, names.items[i], depth))
			return false;
	}
	return true;
}

static int by_path(const void *left, const void *right)
{
	return strcmp(((const struct scan_entry *)left)->file.path,
		      ((const struct scan_entry *)right)->file.path);
}

static int by_inode(const void *left, const void *right)
{
	const struct scan_entry *one = left, *other = right;

	return one->inode < other->inode ? -1 : one->inode > other->inode;
}

/* A file with a name outside of the tree could be changed, or belongs to another. */
static bool links_inside(struct walk *walk)
{
	struct scan_entry *items = walk->scan->items;
	size_t count = walk->scan->count, same;

	if (count)
		qsort(items, count, sizeof(items[0]), by_inode);
	for (size_t i = 0; i < count; i += same) {
		for (same = 1; i + same < count && items[i + same].inode == items[i].inode;)
			same++;
		if (items[i].file.sha256 && items[i].links > same)
			return error_set(walk->err,
					 "%s: %s: the file has another name outside of the tree",
					 walk->name, items[i].file.path);
	}
	return true;
}

bool scan_tree(struct arena *arena, int tree, const char *name, enum scan_mode mode,
	       struct scan *out, struct error *err)
{
	struct scan scan = {0};
	struct walk walk = {.arena = arena,
			    .mode = mode,
			    .name = name,
			    .scan = &scan,
			    .piece = arena_alloc(arena, PIECE_BYTES),
			    .err = err};
	struct stat status;

	if (fstat(tree, &status) < 0)
		return error_errno(err, errno, "%s", name);
	walk.builder = status.st_uid;
	if (!own(&walk, tree, ".", &status) || !walk_directory(&walk, tree, "", 0) ||
	    (mode == SCAN_OWN && !links_inside(&walk)))
		return false;
	if (scan.count)
		qsort(scan.items, scan.count, sizeof(scan.items[0]), by_path);
	*out = scan;
	return true;
}
