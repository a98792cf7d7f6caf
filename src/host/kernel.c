// SPDX-License-Identifier: BSD-2-Clause
#include "host/kernel.h"

#include "base/arena.h"
#include "base/text.h"
#include "host/host.h"
#include "host/hugepages.h"
#include "host/redact_kernel.h"

#include <errno.h>
#include <string.h>

#define PARAMETERS_MAX 512

static const char *unquoted(struct arena *arena, struct view value)
{
	if (value.size >= 2 && value.at[0] == '"' && value.at[value.size - 1] == '"')
		value = (struct view){.at = value.at + 1, .size = value.size - 2};
	return view_copy(arena, value);
}

const struct kernel *host_kernel(struct host *host)
{
	struct kernel *kernel;
	struct kernel_parameter *parameters;
	struct view text, word;

	if (host->kernel)
		return host->kernel;
	kernel = arena_new(host->arena, struct kernel);
	host->kernel = kernel;
	kernel->cmdline_error = root_read(host->root, "/proc/cmdline", &text);
	if (kernel->cmdline_error)
		return kernel;
	parameters = arena_array(host->arena, struct kernel_parameter, PARAMETERS_MAX);
	while (kernel->parameter_count < PARAMETERS_MAX && cmdline_word(&text, &word) &&
	       !view_is(word, "--")) {
		struct kernel_parameter *parameter = &parameters[kernel->parameter_count++];
		struct view name;

		view_split(&word, '=', &name);
		parameter->name = view_copy(host->arena, name);
		parameter->value = word.at ? unquoted(host->arena, word) : NULL;
	}
	kernel->parameters = parameters;
	return kernel;
}

/* parameqn() in kernel/params.c: '-' and '_' are the same. */
static bool same_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++) {
		if ((*a == '-' ? '_' : *a) != (*b == '-' ? '_' : *b))
			return false;
	}
	return *a == *b;
}

const char *kernel_parameter(const struct kernel *kernel, const char *name)
{
	for (size_t i = kernel->parameter_count; i > 0; i--) {
		const struct kernel_parameter *parameter = &kernel->parameters[i - 1];

		if (same_name(parameter->name, name))
			return parameter->value ? parameter->value : "";
	}
	return NULL;
}

struct value kernel_page_size(struct facts *facts)
{
	const struct live *live = facts->host->live;
	const struct hugepages *huge;
	struct value value;
	int64_t sizes[16], page;
	size_t count = 0;

	if (live->page_size_bytes > 0) {
		value = value_number(live->page_size_bytes);
		value_cite(facts->arena, &value, "AT_PAGESZ",
			   arena_printf(facts->arena, "%lld", (long long)live->page_size_bytes),
			   CONFIDENCE_DIRECT);
		return value;
	}
	huge = host_hugepages(facts->host);
	for (; count < huge->system_count && count < 16; count++)
		sizes[count] = huge->system[count].size_bytes;
	page = hugepages_base_page(sizes, count);
	if (page == 0)
		return value_unknown(
			facts->arena, UNKNOWN_NOT_VISIBLE,
			"the page size of the running kernel is not recorded and its huge page "
			"sizes do not decide it");
	value = value_number(page);
	value_cite(facts->arena, &value, "/sys/kernel/mm/hugepages",
		   arena_printf(facts->arena, "%zu pool sizes, those of a %lld KB page", count,
				(long long)(page >> 10)),
		   CONFIDENCE_INFERRED);
	return value;
}
