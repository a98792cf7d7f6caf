// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct error;
struct field_table;
struct json_writer;

/*
 * The file tree that describes a host, and the only way to read it: this machine, a directory, or a
 * capture. Paths are absolute within the root; links stay inside (openat2 RESOLVE_IN_ROOT). Every
 * question is asked of the system once, answered 0 or an errno value, remembered, and redacted on
 * the way in (host/redact.h), so that a capture is the record and replays exactly.
 */
struct root;

enum root_kind { ROOT_LIVE, ROOT_DIRECTORY, ROOT_CAPTURE };

/* What is not a file. A number of 0 and a NULL text mean "not known". */
struct live {
	const char *arch;   /* uname machine: aarch64, x86_64 … */
	const char *kernel; /* uname release */
	int64_t page_size_bytes;
	int64_t timer_hz;      /* CNTFRQ_EL0 on aarch64 */
	int64_t hwcap, hwcap2; /* AT_HWCAP, AT_HWCAP2; meaningful when hwcap_known */
	bool hwcap_known;
	bool root;                /* effective uid 0 */
	struct names environment; /* "NAME=value" of the variables that change what crypto software
				     does */
};

enum root_type { ROOT_FILE, ROOT_DIR, ROOT_LINK, ROOT_OTHER };

struct root_stat {
	enum root_type type;
	uint64_t size;
	uint32_t mode; /* permission bits */
	uint64_t device, inode;
};

#define ROOT_FILE_MAX ((size_t)4 << 20)

struct root *root_open(struct arena *arena, const char *path,
		       struct error *err); /* NULL path: this machine */
/* A root of which only /proc/cpuinfo is known: the text of this file, "-" is standard input. NULL:
 * an error. */
struct root *root_open_cpuinfo(struct arena *arena, const char *path, struct error *err);
void root_close(struct root *root);
enum root_kind root_kind(const struct root *root);
const struct live *root_live(const struct root *root);
struct arena *root_arena(const struct root *root);

/*
 * Questions. 0, or an errno value: ENOENT is "it is not there", EACCES and EPERM "needs root",
 * ENOMEDIUM "/proc or /sys is not mounted", ENODATA "the capture was not asked this" (never treat
 * these two as absent), EFBIG "larger than the stated maximum", EINVAL a path that is not absolute.
 * Views and names live in the arena.
 */
int root_read(struct root *root, const char *path, struct view *out); /* whole, ≤ ROOT_FILE_MAX */
int root_range(struct root *root, const char *path, uint64_t offset, size_t size,
	       struct view *out); /* short at end */
/* The same bytes into memory of the caller, not remembered and so in no capture: for the large
 * files that only a look at that one file reads. */
int root_copy(struct root *root, const char *path, uint64_t offset, void *into, size_t size,
	      size_t *got);
int root_list(struct root *root, const char *path,
	      struct names *out); /* sorted, without . and .. */
int root_link(struct root *root, const char *path, const char **target);   /* one readlink */
int root_stat(struct root *root, const char *path, struct root_stat *out); /* follows links */
int root_lstat(struct root *root, const char *path, struct root_stat *out);
/* Absolute path inside the root with every link resolved (computed from root_link answers; ELOOP
 * after 40). */
int root_resolve(struct root *root, const char *path, const char **canonical);

/*
 * What is no file of the machine but answered as one: its BMC (host/bmc.h). Questions below
 * /redfish/ go there, whatever kind of root this is; without it a live machine has no such paths
 * (ENODATA, and not remembered). `get`: 0 with bytes in the root's arena, or an errno value.
 */
struct root_source {
	int (*get)(void *context, const char *path, struct view *out);
	void *context;
};
void root_attach(struct root *root, struct root_source source);

/* The record of all questions so far: the "capture" object of capture(5). */
void root_record(struct root *root, struct json_writer *writer);
/* The format of a capture, for its schema. */
extern const struct field_table root_capture_table;
