// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "bench/dpdk.h"
#include "bench/stack.h"
#include "engine/kat.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * dpdk-test-crypto-perf ends with 0 whatever the answers are, and never looks at them while it
 * measures: what counts are the rows of --ptest verify, of every worker.
 */
#define OPERATIONS 64
#define VECTOR_MAX_BYTES ((size_t)4 << 20)
#define HELPER_TIMEOUT_MS 20000

struct check {
	const struct dpdk_work *work;
	const struct cperf_case *options; /* with the lengths of the vector */
	const struct dpdk_vector *vector;
	const char *source; /* "published vector aes-gcm.data" */
	int file;
	bool opposite, full;
};

static const char *direction(const struct check *check)
{
	const struct cperf_case *options = check->options;

	if (!options->cipher && !options->aead)
		return check->opposite ? "verify" : "generate";
	return check->opposite ? "decrypt" : "encrypt";
}

/* Every worker has a row, and each says that all operations came back right. */
static const char *wrong_rows(const struct check *check, const struct dpdk_ran *ran, bool *whole)
{
	size_t rows = 0;

	*whole = true;
	for (size_t i = 0; i < ran->count; i++) {
		for (size_t j = 0; j < ran->runs[i].row_count; j++) {
			const struct engine_row *row = &ran->runs[i].rows[j];

			rows++;
			if (row->failed_ops > 0)
				return arena_printf(check->work->arena,
						    "%" PRId64 " of %" PRId64
						    " operations are wrong",
						    row->failed_ops, row->dequeued);
			*whole &= row->size_bytes == check->vector->plaintext &&
				  row->enqueued == OPERATIONS && row->dequeued == OPERATIONS &&
				  row->failed_ops == 0 && !row->void_reason;
		}
	}
	*whole &= rows == check->work->cores->cores;
	return NULL;
}

static bool run_check(const struct check *check, struct dpdk_outcome *outcome, struct error *err)
{
	const struct dpdk_work *work = check->work;
	struct arena *arena = work->arena;
	int64_t size = check->vector->plaintext;
	struct numbers sizes = {&size, 1};
	struct cperf_request request = {
		.options = check->options,
		.test = CPERF_VERIFY,
		.sizes = &sizes,
		.operations = OPERATIONS,
		.test_file = arena_printf(arena, "/proc/self/fd/%d", check->file),
		.section = check->vector->section,
		.opposite = check->opposite,
		.full_digest = check->full};
	const char *what = arena_printf(arena, "%s on %s, %" PRId64 " bytes, %s", work->name,
					work->device, size, direction(check));
	struct dpdk_ran ran;
	const char *wrong;
	bool whole;

	if (!dpdk_run(work, &request, check->file, &ran, outcome, err))
		return false;
	wrong = wrong_rows(check, &ran, &whole);
	if (wrong && outcome->end != DPDK_INTERRUPTED)
		*outcome = (struct dpdk_outcome){
			DPDK_WRONG, arena_printf(arena, "%s: %s (%s)", what, wrong, check->source)};
	else if (outcome->reason)
		outcome->reason = arena_printf(arena, "%s: %s", what, outcome->reason);
	else if (!whole)
		*outcome = (struct dpdk_outcome){
			DPDK_FAILED,
			arena_printf(arena, "%s: not every worker told how it ended", what)};
	return true;
}

/* A digest that is timed cut short is verified so and whole; a device that knows it only cut short
 * is verified so. */
static bool run_checks(struct check *check, struct dpdk_outcome *outcome, struct error *err)
{
	const struct cperf_case *options = check->options;
	bool both = options->full_digest && options->full_digest != options->digest;

	for (unsigned way = 0; way < 2; way++) {
		check->opposite = way;
		check->full = false;
		if (!run_check(check, outcome, err))
			return false;
		if (outcome->end != DPDK_DONE)
			return true;
		check->full = true;
		if (both && !run_check(check, outcome, err))
			return false;
		if (outcome->end == DPDK_MISSING)
			*outcome = (struct dpdk_outcome){0};
		if (outcome->end != DPDK_DONE)
			return true;
	}
	return true;
}

static bool check_vector(const struct dpdk_work *work, struct view text, const char *source,
			 struct dpdk_outcome *outcome, struct error *err)
{
	scoped_fd int file = memfd_create("vector", MFD_CLOEXEC);
	struct dpdk_vector vector;
	struct check check = {.work = work, .vector = &vector, .source = source, .file = file};

	*outcome = (struct dpdk_outcome){0};
	dpdk_vector_read(work->arena, text, &vector);
	check.options = dpdk_vector_case(work->arena, work->options, &vector);
	if (!check.options) {
		*outcome = (struct dpdk_outcome){
			DPDK_FAILED, arena_printf(work->arena, "%s: it is not for this case of %s",
						  source, work->name)};
		return true;
	}
	if (file < 0 || !file_write_fd(file, source, text, err))
		return error_errno(err, errno, "%s: cannot be given to a program", source);
	return run_checks(&check, outcome, err);
}

bool dpdk_verify_published(const struct dpdk_work *work, struct dpdk_outcome *outcome,
			   struct error *err)
{
	const struct names *files = &work->options->published;

	*outcome = (struct dpdk_outcome){0};
	for (size_t i = 0; i < files->count && outcome->end == DPDK_DONE; i++) {
		const char *path =
			arena_printf(work->arena, "%s/%s", work->vectors, files->items[i]);
		struct view text;

		if (!file_read(work->arena, path, VECTOR_MAX_BYTES, &text, err) ||
		    !check_vector(work, text,
				  arena_printf(work->arena, "published vector %s", files->items[i]),
				  outcome, err))
			return false;
	}
	return true;
}

/* Other code of the library than what is timed: all capabilities masked. What OpenSSL does not know
 * kat-bench computes itself. NULL, or why there is none. */
static const char *make_vector(const struct dpdk_work *work, int64_t size_bytes, struct view *text)
{
	const struct bench_piece *library = &work->stack->answers;
	struct names argv = {0}, environment = {0};
	struct engine_job job = {.argv = &argv,
				 .environment = &environment,
				 .cpu = -1,
				 .timeout_ms = HELPER_TIMEOUT_MS,
				 .tick = work->tick,
				 .context = work->context};
	const struct kat_case asked = {work->options->vector, size_bytes};
	const struct kat_request request = {.helper = work->helper,
					    .mode = "vector",
					    .library = library->path,
					    .cpu = -1,
					    .cases = &asked,
					    .case_count = 1};
	struct engine_ran ran;
	struct error trouble = {0};

	for (size_t i = 0; i < sizeof(kat_masks) / sizeof(kat_masks[0]); i++)
		names_add(work->arena, &environment, kat_masks[i]);
	kat_argv(work->arena, &request, &argv);
	if (!engine_run_job(work->arena, &job, &ran, &trouble))
		return arena_strdup(work->arena, trouble.text);
	*text = ran.output;
	if (ran.status || ran.timed_out || ran.cut || !ran.output.size)
		return arena_printf(work->arena, "%s gave no vector of %" PRId64 " bytes",
				    library->path, size_bytes);
	return NULL;
}

bool dpdk_verify_size(const struct dpdk_work *work, int64_t size_bytes, const char **note,
		      struct dpdk_outcome *outcome, struct error *err)
{
	const struct bench_piece *library = &work->stack->answers;
	struct view text;

	*outcome = (struct dpdk_outcome){0};
	*note = NULL;
	if (!work->options->vector)
		*note = "verified by published vectors of other sizes: nothing here makes one of "
			"this "
			"size";
	else if (!work->helper || !library->path)
		*note = "verified by published vectors of other sizes: no libcrypto that runs here "
			"makes one of this size";
	if (*note)
		return true;
	*note = make_vector(work, size_bytes, &text);
	if (*note)
		return true;
	return check_vector(work, text,
			    arena_printf(work->arena,
					 "answer of kat-bench with %s, no special instructions",
					 library->path),
			    outcome, err);
}
