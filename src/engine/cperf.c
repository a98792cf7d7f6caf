// SPDX-License-Identifier: BSD-2-Clause
#include "engine/cperf.h"

#include "base/arena.h"
#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SIZES_MAX 32 /* of one --buffer-sz: MAX_LIST in app/test-crypto-perf/cperf_options.h */
#define FIRST_OPERATIONS 20000
#define OPERATIONS_MIN 1000
#define OPERATIONS_MAX 2000000000
#define LATENCY_OPERATIONS_MAX 1000000 /* 24 bytes each of DPDK's memory */

static const char *const test_names[] = {
	[CPERF_THROUGHPUT] = "throughput",
	[CPERF_LATENCY] = "latency",
	[CPERF_CYCLECOUNT] = "pmd-cyclecount",
	[CPERF_VERIFY] = "verify",
};

/* A chain is encrypted and then authenticated, the other way round verified and then decrypted. */
static const struct {
	const char *optype, *opposite;
	bool cipher, auth, aead;
} optypes[] = {
	{"cipher-only", "cipher-only", true, false, false},
	{"auth-only", "auth-only", false, true, false},
	{"cipher-then-auth", "auth-then-cipher", true, true, false},
	{"auth-then-cipher", "cipher-then-auth", true, true, false},
	{"aead", "aead", false, false, true},
};

static const struct {
	const char *op, *opposite;
} operations[] = {
	{"encrypt", "decrypt"},
	{"decrypt", "encrypt"},
	{"generate", "verify"},
	{"verify", "generate"},
};

struct writer {
	struct arena *arena;
	struct names *out;
	bool opposite;
};

static void word(struct writer *writer, const char *option, const char *value)
{
	names_add(writer->arena, writer->out, option);
	if (value)
		names_add(writer->arena, writer->out, value);
}

static void number(struct writer *writer, const char *option, int64_t value)
{
	word(writer, option, arena_printf(writer->arena, "%" PRId64, value));
}

static const char *operation(const struct writer *writer, const char *op)
{
	for (size_t i = 0; op && i < sizeof(operations) / sizeof(operations[0]); i++) {
		if (strcmp(op, operations[i].op) == 0)
			return writer->opposite ? operations[i].opposite : operations[i].op;
	}
	return NULL;
}

static bool algorithm(struct writer *writer, const char *kind,
		      const struct cperf_algorithm *algorithm, struct error *err)
{
	struct arena *arena = writer->arena;
	const char *op = operation(writer, algorithm->op);

	if (!algorithm->name || !op)
		return error_exit(err, EXIT_USAGE, "%s: its name or its operation (%s) is none",
				  kind, algorithm->op ? algorithm->op : "not given");
	word(writer, arena_printf(arena, "--%s-algo", kind), algorithm->name);
	word(writer, arena_printf(arena, "--%s-op", kind), op);
	if (algorithm->key)
		number(writer, arena_printf(arena, "--%s-key-sz", kind), algorithm->key);
	if (algorithm->iv)
		number(writer, arena_printf(arena, "--%s-iv-sz", kind), algorithm->iv);
	return true;
}

static bool algorithms(struct writer *writer, const struct cperf_case *options, struct error *err)
{
	size_t count = sizeof(optypes) / sizeof(optypes[0]), at = 0;

	while (at < count && (!options->optype || strcmp(options->optype, optypes[at].optype) != 0))
		at++;
	if (at == count)
		return error_exit(err, EXIT_USAGE, "%s: no optype that is known here",
				  options->optype ? options->optype : "optype");
	if (optypes[at].cipher != !!options->cipher || optypes[at].auth != !!options->auth ||
	    optypes[at].aead != !!options->aead)
		return error_exit(err, EXIT_USAGE, "%s: wants%s%s%s and nothing else",
				  options->optype, optypes[at].cipher ? " cipher" : "",
				  optypes[at].auth ? " auth" : "", optypes[at].aead ? " aead" : "");
	word(writer, "--optype", writer->opposite ? optypes[at].opposite : optypes[at].optype);
	if (options->cipher && !algorithm(writer, "cipher", options->cipher, err))
		return false;
	if (options->auth && !algorithm(writer, "auth", options->auth, err))
		return false;
	if (!options->aead)
		return true;
	if (!algorithm(writer, "aead", options->aead, err))
		return false;
	number(writer, "--aead-aad-sz", options->aad);
	/* Which way an AEAD operation is compared, some releases take from these. */
	word(writer, "--cipher-op", operation(writer, options->aead->op));
	word(writer, "--auth-op",
	     strcmp(operation(writer, options->aead->op), "encrypt") == 0 ? "generate" : "verify");
	return true;
}

static const char *sizes(struct arena *arena, const struct numbers *sizes)
{
	struct buffer text = buffer_new(arena, 1024);

	for (size_t i = 0; i < sizes->count; i++)
		buffer_printf(&text, "%s%" PRId64, i ? "," : "", sizes->items[i]);
	return buffer_string(&text);
}

static bool check(const struct cperf_request *request, struct error *err)
{
	const struct cperf_algorithm *cipher = request->options->cipher;
	bool blocks = cipher && cipher->name && strstr(cipher->name, "-cbc");

	if (!request->sizes->count || request->sizes->count > SIZES_MAX)
		return error_exit(err, EXIT_USAGE, "%zu buffer sizes: want 1 to %d",
				  request->sizes->count, SIZES_MAX);
	if (request->test == CPERF_VERIFY && (request->sizes->count != 1 || !request->test_file))
		return error_exit(err, EXIT_USAGE, "verify: wants one size and a file of vectors");
	if (request->burst < 1 || request->operations < 1)
		return error_exit(err, EXIT_USAGE, "burst %" PRId64 ", operations %" PRId64,
				  request->burst, request->operations);
	for (size_t i = 0; i < request->sizes->count; i++) {
		int64_t size = request->sizes->items[i];

		if (size < 1 || size > UINT16_MAX - 1024 || (blocks && size % 16))
			return error_exit(err, EXIT_USAGE,
					  "a buffer of %" PRId64 " bytes: not for %s", size,
					  blocks ? cipher->name : "this program");
	}
	return true;
}

/* An en dash from a paste is no option to the program, which then measures its defaults and ends
 * with 0. */
static bool is_plain(const struct names *words, struct error *err)
{
	for (size_t i = 0; i < words->count; i++) {
		for (const char *at = words->items[i]; *at; at++) {
			if (*at < ' ' || *at > '~')
				return error_exit(err, EXIT_USAGE,
						  "word %zu of the command line is not ASCII; "
						  "dpdk-test-crypto-perf would skip it",
						  i);
		}
	}
	return true;
}

/* Human output: it has four decimals where --csv-friendly has three, which is 0.3 % of a rate of
 * 0.3 Mops, and one summary of latency where the other has a row for every operation. */
bool cperf_argv(struct arena *arena, const struct cperf_request *request, struct names *out,
		struct error *err)
{
	const struct cperf_case *options = request->options;
	struct names argv = {0};
	struct writer writer = {arena, &argv, request->opposite};
	int64_t digest = request->full_digest && options->full_digest ? options->full_digest
								      : options->digest;

	if (!check(request, err))
		return false;
	for (size_t i = 0; request->emulator && i < request->emulator->count; i++)
		names_add(arena, &argv, request->emulator->items[i]);
	names_add(arena, &argv, request->program);
	eal_argv(arena, request->process, request->device, request->prefix, &argv);
	word(&writer, "--", NULL);
	word(&writer, "--ptest", test_names[request->test]);
	word(&writer, "--devtype", request->device);
	if (!algorithms(&writer, options, err))
		return false;
	if (digest)
		number(&writer, "--digest-sz", digest);
	word(&writer, "--buffer-sz", sizes(arena, request->sizes));
	number(&writer, "--burst-sz", request->burst);
	number(&writer, "--total-ops", request->operations);
	word(&writer, "--silent", NULL);
	if (request->test_file)
		word(&writer, "--test-file", request->test_file);
	if (request->test_file && request->section)
		word(&writer, "--test-name", request->section);
	if (!is_plain(&argv, err))
		return false;
	*out = argv;
	return true;
}

int64_t cperf_operations(enum cperf_test test, double ops_per_s, double seconds)
{
	int64_t most = test == CPERF_LATENCY ? LATENCY_OPERATIONS_MAX : OPERATIONS_MAX;
	double wanted = ops_per_s * seconds;

	if (!isfinite(wanted) || wanted <= 0)
		return FIRST_OPERATIONS;
	if (wanted >= (double)most)
		return most;
	/* Up to a whole number, without the library of mathematics. */
	return wanted < OPERATIONS_MIN ? OPERATIONS_MIN
				       : (int64_t)wanted + ((double)(int64_t)wanted < wanted);
}
