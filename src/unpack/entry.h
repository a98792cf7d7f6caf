// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "unpack/name.h"
#include "unpack/tree.h"
#include "unpack/unpack.h"
#include "unpack/writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <time.h>

/* One archive being unpacked: what is known after the entries so far. */
struct entries {
	const struct unpack_request *request;
	struct archive *archive;
	uint64_t max_bytes; /* of contents: the limit asked for, or what the ratio allows */
	time_t now;         /* later times are not believed */
	struct unpack_result result;
	uint64_t headers; /* entries with the top and what is stripped */
	char top[UNPACK_PART_MAX + 1];
	struct tree tree;
	struct writer writer;
	struct name name, target; /* of the entry being made */
};

/* Judges one entry, reads its contents and makes it. Errors do not name the entry. */
bool entry_make(struct entries *entries, struct archive_entry *entry, struct error *err);
