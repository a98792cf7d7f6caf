// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/beneath.h"
#include "base/error.h"
#include "base/json.h"
#include "host/root.h"

#define ROOT_LINKS_MAX 40 /* as the kernel's MAXSYMLINKS */
#define ROOT_PATH_MAX 4096

/* Shared by root.c (questions and their memory), root_fs.c (file trees), root_capture.c (captures),
 * root_record.c (writing). */

/* One answer: not asked yet, or asked with an errno value (0: the payload beside it is valid). */
struct answer {
	bool asked;
	int number;
};

struct root_piece {
	struct root_piece *next;
	uint64_t offset;
	size_t wanted; /* bytes asked for; fewer came back at the end of the file */
	struct view bytes;
};

/* All that was asked about one path. */
struct entry {
	const char *path;
	struct answer read, list, link, stat, lstat, range;
	struct view bytes;
	struct names names;
	const char *target;
	struct root_stat status, link_status;
	struct root_piece *pieces;
	bool sourced; /* asked of root.source, or of the tree in its place */
	bool implied; /* complete captures: a directory because something lies below it */
};

#define ROOT_TOPS 2

struct root {
	struct arena *arena;
	enum root_kind kind;
	const char *name; /* for messages: the path given, or "/" */
	struct live live;
	struct entry **slots; /* open addressing, a power of two */
	size_t slot_count, entry_count;
	struct beneath top; /* fd: -1 for captures */
	int open_fd;        /* last file read in ranges, kept open */
	const char *open_path;
	struct root_source source; /* of what is below /redfish/ */
	struct names
		settings;    /* attributes of firmware setup that are kept, host/redact_redfish.h */
	struct names hidden; /* names of the tree that entered as "hidden-N", host/hide.h */
	/* whether /proc and /sys were looked at, and had nothing in them */
	bool top_asked[ROOT_TOPS], top_empty[ROOT_TOPS];
	bool complete; /* capture: an unknown path does not exist */
};

bool root_path_is_usable(const char *path);                         /* absolute and not too long */
struct entry *root_entry(struct root *root, const char *path);      /* finds or adds */
struct entry *root_find(const struct root *root, const char *path); /* NULL when never asked */

/* Questions of a source (root_source.c): whether this is one, and its answer. */
bool root_source_has(const struct root *root, const char *path);
int root_source_read(struct root *root, const char *path, struct view *out);

int root_fs_read(struct root *root, const char *path, struct view *out);
int root_fs_range(struct root *root, const char *path, uint64_t offset, void *into, size_t size,
		  size_t *got);
int root_fs_list(struct root *root, const char *path, struct names *out);
int root_fs_link(struct root *root, const char *path, const char **target);
int root_fs_stat(struct root *root, const char *path, bool follow, struct root_stat *out);

/* The answers to what was asked of one path, capture(5); their JSON Schema. */
bool root_question_load(struct root *root, const struct json *json, const cJSON *question,
			struct error *err);
extern const char root_questions_schema[];
/* Fills the memory from a capture's text; every question is then answered from there. */
bool root_capture_load(struct root *root, struct view text, struct error *err);
/* Complete captures: what a path that has no answer of its own is, through links and implied
 * directories. */
struct entry *root_capture_resolve(struct root *root, const char *path);
/* Likewise without following the last part of the path, should it be a link. */
struct entry *root_capture_unfollowed(struct root *root, const char *path);
