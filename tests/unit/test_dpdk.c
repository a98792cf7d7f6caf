// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "bench/dpdk.h"
#include "bench/stack.h"
#include "bench/suite.h"
#include "machine.h"

#include <sys/stat.h>

/* Lengths of the published vectors as their sources give them: McGrew and Viega's test case 4 of
 * GCM has 60 bytes and 20 of additional data; 3GPP's test set 3 of UEA2 has 31; RFC 3602's chains
 * and SP 800-38A have 64. */
static const struct {
	const char *file, *section;
	int64_t plaintext, key, iv, aad, digest;
} published[] = {
	{"aes-gcm.data", "expected", 60, 16, 12, 20, 16},
	{"snow3g-uea2.data", NULL, 31, 16, 16, 0, 0},
	{"snow3g-uia2.data", "expected", 11, 16, 16, 0, 4},
	{"aes-cbc-sha1-hmac.data", "expected", 64, 16, 16, 0, 20},
	{"aes-cbc-sha256-hmac-1024.data", "expected", 1024, 16, 16, 0, 32},
};

static void lengths_of_a_vector_are_counted(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
		struct arena arena = {0};
		struct dpdk_vector vector;
		struct error err = {0};
		struct view text;
		const char *path;

		arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
		path = arena_printf(&arena, SOURCE_ROOT "/recipes/dpdk/vectors/%s",
				    published[i].file);
		if (!file_read(&arena, path, 1 << 20, &text, &err))
			fail_msg("%s", err.text);
		dpdk_vector_read(&arena, text, &vector);
		assert_int_equal(vector.plaintext, published[i].plaintext);
		assert_int_equal(vector.aad, published[i].aad);
		assert_int_equal(vector.digest, published[i].digest);
		if (published[i].aad) {
			assert_int_equal(vector.aead_key, published[i].key);
			assert_int_equal(vector.aead_iv, published[i].iv);
		} else if (vector.cipher_key) {
			assert_int_equal(vector.cipher_key, published[i].key);
			assert_int_equal(vector.cipher_iv, published[i].iv);
		} else {
			assert_int_equal(vector.auth_key, published[i].key);
			assert_int_equal(vector.auth_iv, published[i].iv);
		}
		if (published[i].section)
			assert_string_equal(vector.section, published[i].section);
		else
			assert_null(vector.section);
		arena_release(&arena);
	}
}

/* A key that is longer is another algorithm; other additional data are not. */
static void a_vector_of_another_key_is_not_for_the_case(void **state)
{
	struct arena arena = {0};
	struct cperf_algorithm gcm = {"aes-gcm", "encrypt", 16, 12};
	struct cperf_case options = {.optype = "aead", .aead = &gcm, .aad = 16, .digest = 16};
	struct dpdk_vector vector = {
		.plaintext = 60, .aead_key = 16, .aead_iv = 12, .aad = 20, .digest = 16};
	const struct cperf_case *made;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	made = dpdk_vector_case(&arena, &options, &vector);
	assert_non_null(made);
	assert_int_equal(made->aad, 20);
	assert_int_equal(made->full_digest, 16);
	assert_int_equal(options.aad, 16);
	vector.aead_key = 32;
	assert_null(dpdk_vector_case(&arena, &options, &vector));
	vector.aead_key = 16;
	vector.plaintext = 0;
	assert_null(dpdk_vector_case(&arena, &options, &vector));
	arena_release(&arena);
}

static void hostile_vectors_are_read_without_harm(void **state)
{
	static const char *const texts[] = {
		"",
		"=",
		"[",
		"[]",
		"plaintext",
		"plaintext =",
		"plaintext = ,,,\n",
		"]\n[x",
		"plaintext = 0x1,\n\n0x2\n[a]\n[b]\ndigest = 0x3",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct arena arena = {0};
		struct dpdk_vector vector;

		arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
		dpdk_vector_read(&arena, view_of(texts[i]), &vector);
		assert_in_range(vector.plaintext, 0, 2);
		arena_release(&arena);
	}
}

/* Every vector that a shipped case names is there and for it. */
static void published_vectors_of_the_suites_fit(void **state)
{
	static const char *const suites[] = {"dpdk", "dpdk-all", "smoke", "scaling"};
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++) {
		struct arena arena = {0};
		const struct suite *suite = NULL;
		struct error err = {0};
		const char *path;
		struct view text;

		arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
		path = arena_printf(&arena, SOURCE_ROOT "/profiles/suites/%s.json", suites[i]);
		if (!file_read(&arena, path, 1 << 20, &text, &err) ||
		    !suite_read(&arena, path, text, &suite, &err))
			fail_msg("%s", err.text);
		for (size_t c = 0; c < suite->cases.count; c++) {
			const struct suite_case *one =
				&((const struct suite_case *)suite->cases.items)[c];

			for (size_t f = 0; one->dpdk && f < one->dpdk->published.count; f++) {
				struct dpdk_vector vector;

				path = arena_printf(&arena, SOURCE_ROOT "/recipes/dpdk/vectors/%s",
						    one->dpdk->published.items[f]);
				if (!file_read(&arena, path, 1 << 20, &text, &err))
					fail_msg("%s", err.text);
				dpdk_vector_read(&arena, text, &vector);
				if (!dpdk_vector_case(&arena, one->dpdk, &vector))
					fail_msg("%s: not for %s", path, one->name);
				count++;
			}
		}
		arena_release(&arena);
	}
	assert_true(count >= 8);
}

static void find_stack(struct arena *arena, struct bench_stack_request *request,
		       struct bench_stack *out)
{
	struct error err = {0};
	struct root *root = root_open(arena, NULL, &err);

	assert_non_null(root);
	request->host = host_new(arena, root);
	if (!bench_stack_find(arena, request, out, &err))
		fail_msg("%s", err.text);
	root_close(root);
}

static void an_empty_prefix_says_what_is_missing(void **state)
{
	struct arena arena = {0};
	char top[] = "/tmp/stack-XXXXXX";
	struct bench_stack_request request = {.prefix = top};
	struct bench_stack stack;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	assert_non_null(mkdtemp(top));
	find_stack(&arena, &request, &stack);
	assert_null(stack.libcrypto.path);
	assert_null(stack.dpdk.path);
	assert_null(stack.openssl.version);
	assert_non_null(strstr(stack.dpdk.why, "no dpdk-test-crypto-perf in prefix /tmp/stack-"));
	assert_false(stack.emulated);
	rmdir(top);
	arena_release(&arena);
}

static void what_is_no_elf_is_told(void **state)
{
	struct arena arena = {0};
	char top[] = "/tmp/stack-XXXXXX";
	struct bench_stack_request request = {.prefix = top};
	struct bench_stack stack;
	const char *bin, *file;
	struct error err = {0};

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	assert_non_null(mkdtemp(top));
	bin = arena_printf(&arena, "%s/bin", top);
	file = arena_printf(&arena, "%s/dpdk-test-crypto-perf", bin);
	assert_int_equal(mkdir(bin, 0700), 0);
	assert_true(file_write(file,
			       VIEW("#!/bin/sh\n# A script that is longer than the head of an ELF "
				    "file is.\nexit 0\n"),
			       &err));
	find_stack(&arena, &request, &stack);
	assert_null(stack.dpdk.path);
	assert_non_null(strstr(stack.dpdk.why, "dpdk-test-crypto-perf: not an ELF file"));
	unlink(file);
	rmdir(bin);
	rmdir(top);
	arena_release(&arena);
}

/* Trees are only looked into when they are given; nothing of the distribution is mixed in. */
static void trees_are_not_mixed_with_the_distribution(void **state)
{
	struct arena arena = {0};
	struct bench_stack_request request = {0};
	struct bench_stack stack;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	names_add(&arena, &request.trees, "openssl=/nonexistent/tree");
	find_stack(&arena, &request, &stack);
	assert_null(stack.libcrypto.path);
	assert_null(stack.openssl.path);
	assert_null(stack.dpdk.path);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths_of_a_vector_are_counted),
		cmocka_unit_test(a_vector_of_another_key_is_not_for_the_case),
		cmocka_unit_test(hostile_vectors_are_read_without_harm),
		cmocka_unit_test(published_vectors_of_the_suites_fit),
		cmocka_unit_test(an_empty_prefix_says_what_is_missing),
		cmocka_unit_test(what_is_no_elf_is_told),
		cmocka_unit_test(trees_are_not_mixed_with_the_distribution),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
