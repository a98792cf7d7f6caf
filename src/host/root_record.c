// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/base64.h"
#include "host/live.h"
#include "host/root_private.h"

#include <stdlib.h>
#include <string.h>

static const char *const type_names[] = {
	[ROOT_FILE] = "file",
	[ROOT_DIR] = "dir",
	[ROOT_LINK] = "link",
	[ROOT_OTHER] = "other",
};

static bool is_plain_text(struct view bytes)
{
	for (size_t i = 0; i < bytes.size; i++) {
		unsigned char c = (unsigned char)bytes.at[i];

		if ((c < 0x20 && c != '\n' && c != '\t') || c >= 0x7f)
			return false;
	}
	return true;
}

static void write_failure(struct json_writer *writer, const char *key, int number)
{
	const char *name = strerrorname_np(number);

	json_text(writer, key, name ? name : "EIO");
}

static void write_status(struct json_writer *writer, const char *key,
			 const struct root_stat *status)
{
	json_object(writer, key);
	json_text(writer, "type", type_names[status->type]);
	json_number(writer, "size", (int64_t)status->size);
	json_number(writer, "mode", status->mode);
	/* Past 2^53 JSON readers round; the low bits still tell files apart. */
	json_number(writer, "device", (int64_t)(status->device & 0xffffffffffff));
	json_number(writer, "inode", (int64_t)(status->inode & 0xffffffffffff));
	json_close(writer);
}

static void write_bytes(struct root *root, struct json_writer *writer, struct view bytes)
{
	if (is_plain_text(bytes))
		json_view(writer, "text", bytes);
	else
		json_text(writer, "base64", base64_encode(root->arena, bytes));
}

/* By place, not by when they were asked for; pieces that differ only in a made-up capture by
 * content. */
static int order_pieces(const void *a, const void *b)
{
	const struct root_piece *left = *(struct root_piece *const *)a;
	const struct root_piece *right = *(struct root_piece *const *)b;

	if (left->offset != right->offset)
		return left->offset < right->offset ? -1 : 1;
	if (left->wanted != right->wanted)
		return left->wanted < right->wanted ? -1 : 1;
	if (left->bytes.size != right->bytes.size)
		return left->bytes.size < right->bytes.size ? -1 : 1;
	return left->bytes.size ? memcmp(left->bytes.at, right->bytes.at, left->bytes.size) : 0;
}

static void write_ranges(struct root *root, struct json_writer *writer, struct root_piece *pieces)
{
	struct root_piece **sorted;
	size_t count = 0;

	for (struct root_piece *piece = pieces; piece; piece = piece->next)
		count++;
	sorted = arena_array(root->arena, struct root_piece *, count);
	count = 0;
	for (struct root_piece *piece = pieces; piece; piece = piece->next)
		sorted[count++] = piece;
	qsort(sorted, count, sizeof(*sorted), order_pieces);
	json_array(writer, "ranges");
	for (size_t i = 0; i < count; i++) {
		const struct root_piece *piece = sorted[i];

		json_array(writer, NULL);
		json_number(writer, NULL, (int64_t)piece->offset);
		json_number(writer, NULL, (int64_t)piece->wanted);
		json_text(writer, NULL, base64_encode(root->arena, piece->bytes));
		json_close(writer);
	}
	json_close(writer);
}

static void write_names(struct json_writer *writer, const struct names *names)
{
	json_array(writer, "list");
	for (size_t i = 0; i < names->count; i++)
		json_text(writer, NULL, names->items[i]);
	json_close(writer);
}

static void write_entry(struct root *root, struct json_writer *writer, const struct entry *entry)
{
	json_object(writer, entry->path);
	if (entry->read.asked && entry->read.number)
		write_failure(writer, "read_errno", entry->read.number);
	else if (entry->read.asked)
		write_bytes(root, writer, entry->bytes);
	if (entry->list.asked && entry->list.number)
		write_failure(writer, "list_errno", entry->list.number);
	else if (entry->list.asked)
		write_names(writer, &entry->names);
	if (entry->link.asked && entry->link.number)
		write_failure(writer, "link_errno", entry->link.number);
	else if (entry->link.asked)
		json_text(writer, "link", entry->target);
	if (entry->stat.asked && entry->stat.number)
		write_failure(writer, "stat_errno", entry->stat.number);
	else if (entry->stat.asked)
		write_status(writer, "stat", &entry->status);
	if (entry->lstat.asked && entry->lstat.number)
		write_failure(writer, "lstat_errno", entry->lstat.number);
	else if (entry->lstat.asked)
		write_status(writer, "lstat", &entry->link_status);
	if (entry->range.asked && entry->range.number)
		write_failure(writer, "range_errno", entry->range.number);
	if (entry->pieces)
		write_ranges(root, writer, entry->pieces);
	json_close(writer);
}

void root_record(struct root *root, struct json_writer *writer)
{
	struct names paths = {0};

	live_write(writer, &root->live);
	json_bool(writer, "complete", root->complete);
	for (size_t i = 0; i < root->slot_count; i++) {
		if (root->slots[i])
			names_add(root->arena, &paths, root->slots[i]->path);
	}
	names_sort(&paths);
	json_object(writer, "questions");
	for (size_t i = 0; i < paths.count; i++)
		write_entry(root, writer, root_find(root, paths.items[i]));
	json_close(writer);
}
