// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "host/facts.h"
#include "host/host.h"
#include "host/root.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A machine described by the members of a complete capture, read with the given tables of facts. */
struct machine {
	struct arena arena;
	struct root *root;
	struct host *host;
	struct facts facts;
};

static inline void machine_open(struct machine *machine, const char *live, const char *questions,
				const struct fact_table *const *tables, size_t count)
{
	char path[] = "/tmp/machine-XXXXXX";
	int fd = mkstemp(path);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	struct error err = {0};

	assert_non_null(file);
	fprintf(file,
		"{\"schema\":\"ampere-crypto/capture 1.0.0\",\"complete\":true,"
		"\"live\":{\"timer_hz\":0%s%s},\"questions\":{%s}}",
		live[0] ? "," : "", live, questions);
	fclose(file);
	*machine = (struct machine){0};
	arena_init(&machine->arena, ARENA_DEFAULT_MAX_BYTES);
	machine->root = root_open(&machine->arena, path, &err);
	unlink(path);
	if (!machine->root)
		print_message("%s\n", err.text);
	assert_non_null(machine->root);
	machine->host = host_new(&machine->arena, machine->root);
	machine->facts = (struct facts){.arena = &machine->arena,
					.host = machine->host,
					.tables = tables,
					.table_count = count};
}

static inline void machine_close(struct machine *machine)
{
	root_close(machine->root);
	arena_release(&machine->arena);
}

/* A fact as a person reads it; "none" and "unknown" with their reason. */
static inline const char *machine_fact(struct machine *machine, const char *name)
{
	const struct value *value = facts_get(&machine->facts, name);

	assert_non_null(value);
	if (value->kind == VALUE_NONE)
		return arena_printf(&machine->arena, "none: %s", value->why);
	return value_format(&machine->arena, value, NULL);
}
