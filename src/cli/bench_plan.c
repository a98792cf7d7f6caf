// SPDX-License-Identifier: BSD-2-Clause
#include "cli/bench.h"

#include "bench/stack.h"
#include "cli/identity.h"

#include <inttypes.h>
#include <string.h>

static bool together(const struct bench_result *a, const struct bench_result *b)
{
	return a->cores == b->cores && strcmp(a->suite, b->suite) == 0 &&
	       strcmp(a->name, b->name) == 0 && strcmp(a->engine, b->engine) == 0 &&
	       strcmp(a->device ? a->device : "", b->device ? b->device : "") == 0;
}

/* The sizes of a case from `from` on, "64 128 256"; *next is what follows it. */
static const char *sizes_of(struct cli *cli, const struct bench *bench, size_t from, size_t *next)
{
	const struct bench_result *first = &bench->series[from]->result;
	struct names sizes = {0};

	for (*next = from; *next < bench->series_count; (*next)++) {
		const struct bench_result *result = &bench->series[*next]->result;

		if (!together(first, result))
			break;
		if (result->size_bytes)
			names_add(&cli->arena, &sizes,
				  arena_printf(&cli->arena, "%" PRId64, result->size_bytes));
	}
	return sizes.count ? names_join(&cli->arena, &sizes, " ") : "-";
}

static void mark(struct bench *bench)
{
	for (size_t i = 0; i < bench->series_count; i++) {
		struct bench_series *series = bench->series[i];

		if (!series->over)
			series->result.reason = "planned, not measured";
	}
}

void bench_plan_page(struct cli *cli, struct document *document, struct bench *bench)
{
	static const char *const header[] = {"case", "by", "cores", "bytes", "on"};
	struct section *head = document_section(document, NULL, 2, NULL);
	struct section *section;

	section_row(document, head, "machine", identity_line(&cli->arena, cli->identity));
	section_row(document, head, "benched", bench->stack->origin);
	section_row(document, head, "time",
		    arena_printf(&cli->arena, "at most %" PRId64 " s", bench->budget_ms / 1000));
	section = document_section(document, "Plan", 5, header);
	for (size_t i = 0, next; i < bench->series_count; i = next) {
		const struct bench_result *first = &bench->series[i]->result;
		const char *sizes = sizes_of(cli, bench, i, &next);
		const char *where = first->core_list ? first->core_list : first->reason;

		section_row(document, section, first->name,
			    first->device ? first->device : first->engine,
			    arena_printf(&cli->arena, "%" PRId64, first->cores), sizes,
			    where ? where
			    : bench->cpu >= 0
				    ? arena_printf(&cli->arena, "CPU %" PRId64, bench->cpu)
				    : "any CPU");
	}
	mark(bench);
}
