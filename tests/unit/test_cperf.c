// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "engine/cperf.h"

#include <math.h>
#include <string.h>

/* A case is given by members of a struct, so that each test can change one. */
struct bench_case {
	struct arena arena;
	struct cperf_algorithm cipher, auth, aead;
	struct cperf_case options;
	struct eal_node node;
	struct eal_process process;
	uint32_t workers[2];
	int64_t sizes[40];
	struct numbers numbers;
	struct cperf_request request;
};

static void begin(struct bench_case *it)
{
	*it = (struct bench_case){
		.cipher = {"aes-cbc", "encrypt", 16, 16},
		.auth = {"sha1-hmac", "generate", 64, 0},
		.aead = {"aes-gcm", "encrypt", 16, 12},
		.node = {.id = 1},
		.workers = {5, 300},
		.sizes = {64, 1024},
	};
	arena_init(&it->arena, ARENA_DEFAULT_MAX_BYTES);
	it->process = (struct eal_process){.node = &it->node,
					   .main_cpu = 4,
					   .workers = it->workers,
					   .worker_count = 2,
					   .memory_bytes = 128 << 20};
	it->options = (struct cperf_case){
		.optype = "aead", .aead = &it->aead, .aad = 16, .digest = 16, .full_digest = 16};
	it->numbers = (struct numbers){it->sizes, 2};
	it->request = (struct cperf_request){.program = "/opt/p",
					     .options = &it->options,
					     .device = "crypto_openssl",
					     .process = &it->process,
					     .prefix = "pre",
					     .sizes = &it->numbers,
					     .burst = 32,
					     .operations = 10000};
}

static void chain(struct bench_case *it)
{
	it->options = (struct cperf_case){.optype = "cipher-then-auth",
					  .cipher = &it->cipher,
					  .auth = &it->auth,
					  .digest = 12,
					  .full_digest = 20};
}

static const char *argv_of(struct bench_case *it)
{
	struct names argv = {0};
	struct error err = {0};

	if (!cperf_argv(&it->arena, &it->request, &argv, &err))
		fail_msg("%s", err.text);
	return names_join(&it->arena, &argv, " ");
}

static void refused(struct bench_case *it, const char *why)
{
	struct names argv = {0};
	struct error err = {0};

	assert_false(cperf_argv(&it->arena, &it->request, &argv, &err));
	assert_int_equal(err.exit_code, EXIT_USAGE);
	if (!strstr(err.text, why))
		fail_msg("%s: want %s", err.text, why);
	arena_release(&it->arena);
}

static void throughput_of_an_aead(void **state)
{
	struct bench_case it;

	(void)state;
	begin(&it);
	assert_string_equal(
		argv_of(&it),
		"/opt/p --lcores 0@4,1@5,2@300 --no-huge -m 128 --no-shconf --no-pci "
		"--no-telemetry "
		"--iova-mode=va --file-prefix pre "
		"--vdev crypto_openssl,max_nb_queue_pairs=2,socket_id=1 -- --ptest throughput "
		"--devtype crypto_openssl --optype aead --aead-algo aes-gcm --aead-op encrypt "
		"--aead-key-sz 16 --aead-iv-sz 12 --aead-aad-sz 16 --cipher-op encrypt "
		"--auth-op generate --digest-sz 16 --buffer-sz 64,1024 --burst-sz 32 "
		"--total-ops 10000 --silent");
	arena_release(&it.arena);
}

/* Free huge pages: in memory, which no release takes beside --no-huge. */
static void huge_pages_leave_no_files(void **state)
{
	struct bench_case it;
	const char *argv;

	(void)state;
	begin(&it);
	it.process.huge = true;
	argv = argv_of(&it);
	assert_non_null(strstr(argv, " --in-memory "));
	assert_null(strstr(argv, "--no-huge"));
	assert_null(strstr(argv, " -m "));
	arena_release(&it.arena);
}

static void an_emulator_stands_in_front(void **state)
{
	struct bench_case it;
	struct names emulator = {0};

	(void)state;
	begin(&it);
	names_add(&it.arena, &emulator, "/usr/bin/qemu-aarch64");
	names_add(&it.arena, &emulator, "-L");
	names_add(&it.arena, &emulator, "/root");
	it.request.emulator = &emulator;
	assert_true(view_starts(view_of(argv_of(&it)),
				"/usr/bin/qemu-aarch64 -L /root /opt/p --lcores "));
	arena_release(&it.arena);
}

/* lib/cryptodev's order of a chain: what was encrypted and then authenticated is verified first. */
static void a_chain_is_turned_round(void **state)
{
	struct bench_case it;
	const char *argv;

	(void)state;
	begin(&it);
	chain(&it);
	argv = argv_of(&it);
	assert_non_null(strstr(argv,
			       "--optype cipher-then-auth --cipher-algo aes-cbc --cipher-op "
			       "encrypt --cipher-key-sz 16 --cipher-iv-sz 16 --auth-algo "
			       "sha1-hmac --auth-op generate --auth-key-sz 64 --digest-sz 12 "));
	it.request.opposite = true;
	it.request.full_digest = true;
	argv = argv_of(&it);
	assert_non_null(strstr(argv,
			       "--optype auth-then-cipher --cipher-algo aes-cbc --cipher-op "
			       "decrypt --cipher-key-sz 16 --cipher-iv-sz 16 --auth-algo "
			       "sha1-hmac --auth-op verify --auth-key-sz 64 --digest-sz 20 "));
	arena_release(&it.arena);
}

static void every_word_of_an_aead_turns(void **state)
{
	struct bench_case it;

	(void)state;
	begin(&it);
	it.request.opposite = true;
	assert_non_null(strstr(argv_of(&it),
			       "--aead-op decrypt --aead-key-sz 16 --aead-iv-sz 12 "
			       "--aead-aad-sz 16 --cipher-op decrypt --auth-op verify"));
	arena_release(&it.arena);
}

static void tests_have_their_names(void **state)
{
	static const struct {
		enum cperf_test test;
		const char *words;
	} rows[] = {
		{CPERF_THROUGHPUT, "--ptest throughput --"},
		{CPERF_LATENCY, "--ptest latency --"},
		{CPERF_CYCLECOUNT, "--ptest pmd-cyclecount --"},
		{CPERF_VERIFY, "--ptest verify --"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench_case it;

		begin(&it);
		it.numbers.count = 1;
		it.request.test = rows[i].test;
		it.request.test_file = rows[i].test == CPERF_VERIFY ? "/proc/self/fd/9" : NULL;
		it.request.section = rows[i].test == CPERF_VERIFY ? "expected" : NULL;
		assert_non_null(strstr(argv_of(&it), rows[i].words));
		if (rows[i].test == CPERF_VERIFY)
			assert_non_null(strstr(argv_of(&it), " --test-file /proc/self/fd/9 "
							     "--test-name expected"));
		arena_release(&it.arena);
	}
}

static void what_no_program_takes_is_refused(void **state)
{
	struct bench_case it;

	(void)state;
	begin(&it);
	it.request.test = CPERF_VERIFY;
	refused(&it, "wants one size");
	begin(&it);
	it.request.device = "crypto\xe2\x80\x93openssl";
	refused(&it, "is not ASCII");
	begin(&it);
	it.numbers.count = 33;
	refused(&it, "33 buffer sizes");
	begin(&it);
	chain(&it);
	it.sizes[1] = 100;
	refused(&it, "100 bytes: not for aes-cbc");
	begin(&it);
	it.sizes[1] = 0;
	refused(&it, "0 bytes");
	begin(&it);
	it.options.optype = "pdcp";
	refused(&it, "pdcp: no optype");
	begin(&it);
	it.options.cipher = &it.cipher;
	refused(&it, "aead: wants aead and nothing else");
	begin(&it);
	it.aead.op = "sign";
	refused(&it, "(sign)");
	begin(&it);
	it.request.operations = 0;
	refused(&it, "operations 0");
}

static void operations_follow_from_the_rate(void **state)
{
	(void)state;
	assert_int_equal(cperf_operations(CPERF_THROUGHPUT, 0, 0.6), 20000);
	assert_int_equal(cperf_operations(CPERF_THROUGHPUT, NAN, 0.6), 20000);
	assert_int_equal(cperf_operations(CPERF_THROUGHPUT, 1e6, 0.5), 500000);
	assert_int_equal(cperf_operations(CPERF_THROUGHPUT, 10, 0.5), 1000);
	assert_int_equal(cperf_operations(CPERF_THROUGHPUT, 1e30, 0.5), 2000000000);
	assert_int_equal(cperf_operations(CPERF_LATENCY, 1e8, 0.5), 1000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(throughput_of_an_aead),
		cmocka_unit_test(huge_pages_leave_no_files),
		cmocka_unit_test(an_emulator_stands_in_front),
		cmocka_unit_test(a_chain_is_turned_round),
		cmocka_unit_test(every_word_of_an_aead_turns),
		cmocka_unit_test(tests_have_their_names),
		cmocka_unit_test(what_no_program_takes_is_refused),
		cmocka_unit_test(operations_follow_from_the_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
