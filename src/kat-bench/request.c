// SPDX-License-Identifier: BSD-2-Clause
#include "kat-bench/request.h"

#include "base/arena.h"
#include "base/error.h"
#include "kat-bench/walk.h"

#include <string.h>

#define BATCH_US_MAX 1000000
#define BATCHES_MAX 100000
/* What one process prints must be what its caller takes. */
#define LINES_MAX 900000

static const char *const modes[] = {"measure", "answers", "limit", "machine", "vector", "cases"};

static const struct {
	const char *name;
	size_t offset;
	uint64_t min, max;
} numbers[] = {
	{"--cpu", offsetof(struct request, cpu), 0, 8191},
	{"--batch-us", offsetof(struct request, batch_us), 100, BATCH_US_MAX},
	{"--batches", offsetof(struct request, batches), 1, BATCHES_MAX},
	{"--seed", offsetof(struct request, seed), 0, UINT64_MAX},
};

static bool take_number(struct request *request, const char *option, const char *value,
			struct error *err)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		uint64_t number;

		if (strcmp(option, numbers[i].name))
			continue;
		if (!value || !view_u64(view_of(value), 10, &number) || number < numbers[i].min ||
		    number > numbers[i].max)
			return error_exit(err, EXIT_USAGE, "%s: want a number from %llu to %llu",
					  option, (unsigned long long)numbers[i].min,
					  (unsigned long long)numbers[i].max);
		memcpy((char *)request + numbers[i].offset, &number, sizeof(number));
		return true;
	}
	return error_exit(err, EXIT_USAGE, "%s is no option of kat-bench", option);
}

static bool take_case(struct arena *arena, struct request *request, const char *word,
		      struct error *err)
{
	size_t size_max = strcmp(request->mode, "machine") ? JOB_SIZE_MAX : WALK_SIZE_MAX;
	struct view rest = view_of(word), name;
	uint64_t size;

	view_split(&rest, ':', &name);
	if (!name.size || !view_u64(rest, 10, &size) || size > size_max)
		return error_exit(err, EXIT_USAGE, "%s: want CASE:SIZE with a size up to %zu", word,
				  size_max);
	if (request->case_count == CASES_MAX)
		return error_exit(err, EXIT_USAGE, "more than %d of CASE:SIZE", CASES_MAX);
	request->cases[request->case_count++] =
		(struct request_case){view_copy(arena, name), (size_t)size};
	return true;
}

static bool is_mode(const char *word)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(word, modes[i]))
			return true;
	return false;
}

static bool is_complete(const struct request *request, struct error *err)
{
	bool machine = !strcmp(request->mode, "machine");
	bool wants_library =
		!machine && strcmp(request->mode, "limit") && strcmp(request->mode, "cases");

	if (wants_library && !request->library)
		return error_exit(err, EXIT_USAGE, "%s wants --library PATH", request->mode);
	if (wants_library && !request->case_count)
		return error_exit(err, EXIT_USAGE, "%s wants CASE:SIZE", request->mode);
	if (!wants_library && (request->library || (request->case_count && !machine)))
		return error_exit(err, EXIT_USAGE, "%s takes no library%s", request->mode,
				  machine ? "" : " and no CASE:SIZE");
	if (!strcmp(request->mode, "vector") && request->case_count > 1)
		return error_exit(err, EXIT_USAGE, "vector wants one ALGORITHM:SIZE");
	if (request->batches * (request->case_count + 1) > LINES_MAX)
		return error_exit(err, EXIT_USAGE, "%llu batches of %zu cases are too many lines",
				  (unsigned long long)request->batches, request->case_count);
	return true;
}

bool request_parse(struct arena *arena, int argc, char **argv, struct request *out,
		   struct error *err)
{
	struct request request = {.cpu = -1, .batch_us = 10000, .batches = 7};

	if (argc < 2 || !is_mode(argv[1]))
		return error_exit(err, EXIT_USAGE,
				  "want measure, answers, limit, machine, vector or cases; this "
				  "program is started by ampere-crypto bench and audit --measure");
	request.mode = argv[1];
	request.cases = arena_array(arena, struct request_case, CASES_MAX);
	for (int i = 2; i < argc; i++) {
		if (!strcmp(argv[i], "--library") && i + 1 < argc)
			request.library = argv[++i];
		else if (!strncmp(argv[i], "--", 2)) {
			if (!take_number(&request, argv[i], i + 1 < argc ? argv[i + 1] : NULL, err))
				return false;
			i++;
		} else if (!take_case(arena, &request, argv[i], err)) {
			return false;
		}
	}
	if (!is_complete(&request, err))
		return false;
	*out = request;
	return true;
}
