// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* FIPS 180-2 appendix B.1 to B.3, and NIST's example for the empty message. */
static const struct {
	const char *message;
	unsigned times;
	const char *want;
} vectors[] = {
	{"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	{"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
	 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	{"aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};
#define VECTORS (sizeof(vectors) / sizeof(vectors[0]))
#define MILLION 1000000

static struct arena arena;

static int start(void **state)
{
	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static struct view message(size_t row)
{
	struct buffer text = buffer_new(&arena, MILLION);

	for (unsigned i = 0; i < vectors[row].times; i++)
		buffer_text(&text, vectors[row].message);
	return buffer_view(&text);
}

/* The short way against the standard, and against libcrypto on both sides of every block's end. */
static void a_short_text_has_the_same_digest_without_libcrypto(void **state)
{
	char hex[DIGEST_HEX_SIZE], other[DIGEST_HEX_SIZE], text[300];
	struct error err = {0};

	(void)state;
	for (size_t i = 0; i < VECTORS; i++) {
		sha256_text(message(i), hex);
		assert_string_equal(hex, vectors[i].want);
	}
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)(i * 37 + 200);
	for (size_t size = 0; size < sizeof(text); size++) {
		struct view view = {text, size};

		sha256_text(view, hex);
		assert_true(digest_view(&arena, view, other, &err));
		assert_string_equal(hex, other);
	}
}

static void the_standards_vectors_come_out(void **state)
{
	char hex[DIGEST_HEX_SIZE];
	struct error err = {0};

	(void)state;
	for (size_t i = 0; i < VECTORS; i++) {
		if (!digest_view(&arena, message(i), hex, &err))
			fail_msg("%s", err.text);
		assert_string_equal(hex, vectors[i].want);
	}
}

static void pieces_and_digests_side_by_side_give_the_same(void **state)
{
	struct digest *digests[VECTORS];
	char hex[DIGEST_HEX_SIZE];

	(void)state;
	for (size_t i = 0; i < VECTORS; i++) {
		digests[i] = digest_start(&arena, NULL);
		assert_non_null(digests[i]);
	}
	for (size_t i = 0; i < VECTORS; i++) {
		for (unsigned k = 0; k < vectors[i].times; k++)
			digest_add(digests[i], vectors[i].message, strlen(vectors[i].message));
	}
	for (size_t i = 0; i < VECTORS; i++) {
		digest_end(digests[i], hex);
		assert_string_equal(hex, vectors[i].want);
	}
}

static void a_file_is_read_whole_whatever_its_offset(void **state)
{
	scoped_fd int fd = memfd_create("digest", MFD_CLOEXEC);
	char hex[DIGEST_HEX_SIZE];
	struct error err = {0};
	uint64_t size_bytes;

	(void)state;
	assert_true(file_write_fd(fd, "memory", message(VECTORS - 1), &err));
	assert_int_equal(lseek(fd, 7, SEEK_SET), 7);
	if (!digest_fd(&arena, fd, "memory", hex, &size_bytes, &err))
		fail_msg("%s", err.text);
	assert_string_equal(hex, vectors[VECTORS - 1].want);
	assert_int_equal(size_bytes, MILLION);
	assert_int_equal(lseek(fd, 0, SEEK_CUR), 7);
}

static void what_is_not_a_file_is_refused_by_name(void **state)
{
	scoped_fd int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	char hex[DIGEST_HEX_SIZE] = "untouched";
	struct error err = {0};

	(void)state;
	assert_false(digest_fd(&arena, fd, "the device", hex, NULL, &err));
	assert_string_equal(err.text, "the device: not a regular file");
	assert_false(digest_fd(&arena, -1, "closed", hex, NULL, &err));
	assert_string_equal(err.text, "closed: Bad file descriptor");
	assert_string_equal(hex, "untouched");
}

static void a_digest_is_64_lower_case_hex_digits(void **state)
{
	static const struct {
		const char *text;
		bool want;
	} rows[] = {
		{"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", true},
		{"BA7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", false},
		{"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a", false},
		{"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad0", false},
		{"ga7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", false},
		{"", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (digest_is(rows[i].text) != rows[i].want)
			fail_msg("%s", rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_standards_vectors_come_out),
		cmocka_unit_test(a_short_text_has_the_same_digest_without_libcrypto),
		cmocka_unit_test(pieces_and_digests_side_by_side_give_the_same),
		cmocka_unit_test(a_file_is_read_whole_whatever_its_offset),
		cmocka_unit_test(what_is_not_a_file_is_refused_by_name),
		cmocka_unit_test(a_digest_is_64_lower_case_hex_digits),
	};

	return cmocka_run_group_tests_name("digest", tests, start, stop);
}
