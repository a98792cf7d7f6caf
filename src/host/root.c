// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/file.h"
#include "host/hide.h"
#include "host/live.h"
#include "host/redact.h"
#include "host/root_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CAPTURE_MAX_BYTES ((size_t)64 << 20)

static uint64_t hash(const char *text)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return sum;
}

/* The slot where `path` is, or the empty one where it belongs. */
static struct entry **slot_of(const struct root *root, const char *path)
{
	size_t at = hash(path) & (root->slot_count - 1);

	while (root->slots[at] && strcmp(root->slots[at]->path, path) != 0)
		at = (at + 1) & (root->slot_count - 1);
	return &root->slots[at];
}

static void grow(struct root *root)
{
	struct entry **old = root->slots;
	size_t old_count = root->slot_count;

	root->slot_count = old_count ? old_count * 2 : 512;
	root->slots = arena_array(root->arena, struct entry *, root->slot_count);
	for (size_t i = 0; i < old_count; i++) {
		if (old[i])
			*slot_of(root, old[i]->path) = old[i];
	}
}

struct entry *root_find(const struct root *root, const char *path)
{
	return root->slot_count ? *slot_of(root, path) : NULL;
}

struct entry *root_entry(struct root *root, const char *path)
{
	struct entry **slot;

	if (root->entry_count * 2 >= root->slot_count)
		grow(root);
	slot = slot_of(root, path);
	if (!*slot) {
		*slot = arena_new(root->arena, struct entry);
		(*slot)->path = arena_strdup(root->arena, path);
		root->entry_count++;
	}
	return *slot;
}

static bool open_tree(struct root *root, const char *path, struct error *err)
{
	struct json json;
	struct view text;
	int fd, number;

	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, errno, "%s", path);
	root->top = beneath_of(fd);
	if (root->kind == ROOT_LIVE) {
		live_read(root->arena, &root->live);
		return true;
	}
	number = root_fs_read(root, "/live.json", &text);
	if (number == ENOENT)
		return true;
	if (number)
		return error_errno(err, number, "%s/live.json", path);
	return json_parse(root->arena, arena_printf(root->arena, "%s/live.json", path), text, &json,
			  err) &&
	       live_load(root->arena, &json, json.top, &root->live, err);
}

static bool open_capture(struct root *root, const char *path, struct error *err)
{
	struct view text;

	return file_read(root->arena, path, CAPTURE_MAX_BYTES, &text, err) &&
	       root_capture_load(root, text, err);
}

struct root *root_open(struct arena *arena, const char *path, struct error *err)
{
	struct root *root = arena_new(arena, struct root);
	struct stat status;
	bool ok;

	root->arena = arena;
	root->name = path ? path : "/";
	root->top.fd = root->open_fd = -1;
	if (path && stat(path, &status) < 0) {
		error_errno(err, errno, "--root %s", path);
		return NULL;
	}
	if (!path)
		root->kind = ROOT_LIVE;
	else
		root->kind = S_ISDIR(status.st_mode) ? ROOT_DIRECTORY : ROOT_CAPTURE;
	ok = root->kind == ROOT_CAPTURE ? open_capture(root, path, err)
					: open_tree(root, root->name, err);
	if (ok)
		return root;
	root_close(root);
	return NULL;
}

void root_close(struct root *root)
{
	if (!root)
		return;
	if (root->top.fd >= 0)
		close(root->top.fd);
	if (root->open_fd >= 0)
		close(root->open_fd);
	root->top.fd = root->open_fd = -1;
}

enum root_kind root_kind(const struct root *root)
{
	return root->kind;
}

const struct live *root_live(const struct root *root)
{
	return &root->live;
}

struct arena *root_arena(const struct root *root)
{
	return root->arena;
}

bool root_path_is_usable(const char *path)
{
	return path[0] == '/' && strlen(path) < ROOT_PATH_MAX;
}

/* Captures answer from the record: the entry itself, or what a complete one implies; NULL is "no
 * such path". */
static struct entry *recorded(struct root *root, const char *path)
{
	struct entry *entry = root_find(root, path);

	if (root->complete && (!entry || entry->target || entry->implied))
		entry = root_capture_resolve(root, path);
	return entry;
}

static int not_recorded(const struct root *root, const struct entry *entry)
{
	if (!root->complete)
		return ENODATA;
	return entry && entry->implied ? EISDIR : ENOENT;
}

int root_read(struct root *root, const char *path, struct view *out)
{
	struct entry *entry;

	if (!root_path_is_usable(path))
		return EINVAL;
	if (root_source_has(root, path))
		return root_source_read(root, path, out);
	if (root->kind == ROOT_CAPTURE) {
		entry = recorded(root, path);
		if (!entry || !entry->read.asked)
			return not_recorded(root, entry);
	} else {
		entry = root_entry(root, path);
	}
	if (!entry->read.asked) {
		entry->read.asked = true;
		entry->read.number = root_fs_read(root, path, &entry->bytes);
		if (entry->read.number == 0)
			entry->bytes = hide_text(root->arena, &root->hidden, path,
						 redact(root->arena, path, entry->bytes));
	}
	if (entry->read.number == 0)
		*out = entry->bytes;
	return entry->read.number;
}

/* A piece asked for before that holds all that is wanted now. */
static struct root_piece *piece_of(const struct entry *entry, uint64_t offset, size_t size)
{
	for (struct root_piece *piece = entry->pieces; piece; piece = piece->next) {
		if (offset >= piece->offset && offset - piece->offset <= piece->wanted &&
		    size <= piece->wanted - (offset - piece->offset))
			return piece;
	}
	return NULL;
}

static void cut(const struct root_piece *piece, uint64_t offset, size_t size, struct view *out)
{
	size_t skip = (size_t)(offset - piece->offset);

	*out = (struct view){"", 0};
	if (skip < piece->bytes.size) {
		out->at = piece->bytes.at + skip;
		out->size = piece->bytes.size - skip < size ? piece->bytes.size - skip : size;
	}
}

int root_range(struct root *root, const char *path, uint64_t offset, size_t size, struct view *out)
{
	struct root_piece *piece;
	struct entry *entry;

	if (!root_path_is_usable(path) || size > ROOT_FILE_MAX || offset > INT64_MAX - size)
		return EINVAL;
	entry = root->kind == ROOT_CAPTURE ? recorded(root, path) : root_entry(root, path);
	if (!entry)
		return not_recorded(root, entry);
	piece = piece_of(entry, offset, size);
	if (!piece && root->kind == ROOT_CAPTURE) {
		/* A whole file serves any range of it. */
		struct root_piece whole = {.wanted = SIZE_MAX, .bytes = entry->bytes};

		if (entry->range.asked && entry->range.number)
			return entry->range.number;
		if (!entry->read.asked)
			return not_recorded(root, entry);
		if (entry->read.number == 0)
			cut(&whole, offset, size, out);
		return entry->read.number;
	}
	if (!piece) {
		char *bytes = arena_alloc(root->arena, size + 1);

		piece = arena_new(root->arena, struct root_piece);
		piece->offset = offset;
		piece->wanted = size;
		piece->bytes.at = bytes;
		entry->range.asked = true;
		entry->range.number =
			root_fs_range(root, path, offset, bytes, size, &piece->bytes.size);
		if (entry->range.number)
			return entry->range.number;
		if (offset == 0)
			piece->bytes = redact(root->arena, path, piece->bytes);
		piece->next = entry->pieces;
		entry->pieces = piece;
	}
	cut(piece, offset, size, out);
	return 0;
}

int root_list(struct root *root, const char *path, struct names *out)
{
	struct entry *entry;

	if (!root_path_is_usable(path))
		return EINVAL;
	if (root->kind == ROOT_CAPTURE) {
		entry = recorded(root, path);
		if (!entry || !entry->list.asked)
			return root->complete && entry ? ENOTDIR : not_recorded(root, NULL);
	} else {
		entry = root_entry(root, path);
	}
	if (!entry->list.asked) {
		entry->list.asked = true;
		entry->list.number = root_fs_list(root, path, &entry->names);
		hide_list(root->arena, &root->hidden, path, &entry->names);
	}
	if (entry->list.number == 0)
		*out = entry->names;
	return entry->list.number;
}

int root_link(struct root *root, const char *path, const char **target)
{
	struct entry *entry;

	if (!root_path_is_usable(path))
		return EINVAL;
	entry = root->kind == ROOT_CAPTURE ? root_capture_unfollowed(root, path)
					   : root_entry(root, path);
	if (root->kind == ROOT_CAPTURE && (!entry || !entry->link.asked)) {
		if (!root->complete)
			return ENODATA;
		if (!entry)
			return ENOENT;
		if (!entry->link.asked)
			return EINVAL; /* it is there and no link */
	}
	if (!entry->link.asked) {
		entry->link.asked = true;
		entry->link.number = root_fs_link(root, path, &entry->target);
	}
	if (entry->link.number == 0)
		*target = entry->target;
	return entry->link.number;
}

/* What a described machine's entry is when its "stat" is not spelled out. */
static int stat_implied(const struct entry *entry, struct root_stat *out)
{
	if (entry->read.asked && entry->read.number && !entry->implied && !entry->list.asked)
		return entry->read.number == EISDIR ? EACCES : entry->read.number;
	*out = (struct root_stat){
		.type = entry->implied || entry->list.asked ? ROOT_DIR : ROOT_FILE,
		.size = entry->bytes.size,
		.mode = entry->implied || entry->list.asked ? 0755 : 0644,
		/* Any number that is the file's own will do to tell files apart. */
		.inode = hash(entry->path),
	};
	return 0;
}

static int stat_recorded(struct root *root, const char *path, bool follow, struct root_stat *out)
{
	struct entry *entry = root_capture_unfollowed(root, path);

	if (!follow && entry && entry->link.asked && entry->link.number == 0) {
		*out = (struct root_stat){.type = ROOT_LINK, .mode = 0777, .inode = hash(path)};
		return 0;
	}
	entry = recorded(root, path);
	if (!entry)
		return not_recorded(root, NULL);
	if (follow ? entry->stat.asked : entry->lstat.asked) {
		*out = follow ? entry->status : entry->link_status;
		return follow ? entry->stat.number : entry->lstat.number;
	}
	if (!root->complete)
		return ENODATA;
	if (entry->stat.asked) {
		*out = entry->status;
		return entry->stat.number;
	}
	return stat_implied(entry, out);
}

static int ask_stat(struct root *root, const char *path, bool follow, struct root_stat *out)
{
	struct entry *entry;
	struct answer *answer;
	struct root_stat *status;

	if (!root_path_is_usable(path))
		return EINVAL;
	if (root->kind == ROOT_CAPTURE)
		return stat_recorded(root, path, follow, out);
	entry = root_entry(root, path);
	answer = follow ? &entry->stat : &entry->lstat;
	status = follow ? &entry->status : &entry->link_status;
	if (!answer->asked) {
		answer->asked = true;
		answer->number = root_fs_stat(root, path, follow, status);
	}
	if (answer->number == 0)
		*out = *status;
	return answer->number;
}

int root_stat(struct root *root, const char *path, struct root_stat *out)
{
	return ask_stat(root, path, true, out);
}

int root_lstat(struct root *root, const char *path, struct root_stat *out)
{
	return ask_stat(root, path, false, out);
}
