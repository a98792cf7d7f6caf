// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "host/elf.h"
#include "host/software.h"

#include "elf_file.h"
#include "machine.h"

/* Hashes by the gABI's and GNU's published functions, worked out apart from the program. */
#define HASH_OPENSSL_3_0_0 0x06702b20u
#define HASH_GLIBC_2_34 0x069691b4u
#define HASH_VERSION_NUM 0xaf6455ddu

static void build(struct elf_file *file, unsigned bits, bool big)
{
	elf_file_begin(file, bits, big, ELF_MACHINE_AARCH64);
	put_dynamic(file, 1, put_string(file, "libcrypto.so.3"));
	put_dynamic(file, 1, put_string(file, "libc.so.6"));
	put_dynamic(file, 14, put_string(file, "libx.so.1"));
	put_dynamic(file, 15, put_string(file, "/opt/r"));
	put_dynamic(file, 29, put_string(file, "$ORIGIN/../lib"));
	put_dynamic(file, 0x6ffffffb, ELF_FLAG_1_NODEFLIB);
	put_need(file, "libc.so.6", "GLIBC_2.34", HASH_GLIBC_2_34, 2);
	put_def(file, "libx.so.1", "OPENSSL_3.0.0", HASH_OPENSSL_3_0_0);
	elf_file_end(file, "/lib/ld-linux-aarch64.so.1");
}

static struct elf *read_bytes(struct machine *machine, const void *bytes, size_t size)
{
	struct arena scratch;

	arena_init(&scratch, ARENA_DEFAULT_MAX_BYTES);
	machine_open(machine, "", elf_file_question(&scratch, "/x", bytes, size), NULL, 0);
	arena_release(&scratch);
	return elf_read(machine->root, "/x");
}

static void both_classes_and_byte_orders(void **state)
{
	static const struct {
		unsigned bits;
		bool big;
	} rows[] = {{32, false}, {32, true}, {64, false}, {64, true}};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct machine machine;
		struct elf_file file;
		struct elf *elf;

		build(&file, rows[i].bits, rows[i].big);
		elf = read_bytes(&machine, file.bytes, sizeof(file.bytes));
		assert_null(elf->damage);
		assert_int_equal(elf->number, 0);
		assert_int_equal(elf->bits, rows[i].bits);
		assert_int_equal(elf->big_endian, rows[i].big);
		assert_int_equal(elf->machine, ELF_MACHINE_AARCH64);
		assert_string_equal(elf->interp, "/lib/ld-linux-aarch64.so.1");
		assert_int_equal(elf->needed.count, 2);
		assert_string_equal(elf->needed.items[0], "libcrypto.so.3");
		assert_string_equal(elf->needed.items[1], "libc.so.6");
		assert_string_equal(elf->soname, "libx.so.1");
		assert_string_equal(elf->rpath, "/opt/r");
		assert_string_equal(elf->runpath, "$ORIGIN/../lib");
		assert_int_equal(elf->flags_1, ELF_FLAG_1_NODEFLIB);
		assert_int_equal(elf_version_needs(elf)->count, 1);
		assert_string_equal(elf_version_needs(elf)->items[0].file, "libc.so.6");
		assert_string_equal(elf_version_needs(elf)->items[0].version, "GLIBC_2.34");
		assert_true(elf_version_needs(elf)->items[0].weak);
		assert_int_equal(elf_version_defs(elf)->count, 1);
		assert_true(elf_defines(elf, "OPENSSL_3.0.0", HASH_OPENSSL_3_0_0));
		assert_false(elf_defines(elf, "OPENSSL_3.2.0", elf_version_hash("OPENSSL_3.2.0")));
		machine_close(&machine);
	}
}

static void hashes_are_those_of_the_abi(void **state)
{
	(void)state;
	assert_int_equal(elf_version_hash("OPENSSL_3.0.0"), HASH_OPENSSL_3_0_0);
	assert_int_equal(elf_version_hash("GLIBC_2.34"), HASH_GLIBC_2_34);
}

/* Damage in one place each, and what is said of it; NULL: the field that it touches is not used. */
static void damage_has_a_reason(void **state)
{
	static const struct {
		size_t at;
		unsigned char byte;
		const char *why;
	} rows[] = {
		{0, 0, "not an ELF file"},
		{4, 3, "neither ELF32 nor ELF64"},
		{5, 0, "neither ELF32 nor ELF64"},
		{16, 4, "neither a program nor a library"},
		{54, 55, "program headers of another size"},
		{56, 255, "more program headers than 64"},
		{33, 0xff, "program headers past the end"},
		{AT_INTERP + 26, 'x', "the interpreter's name is damaged"},
		{64 + 56 + 8 + 3, 0xff, "the dynamic section is past the end"},
		{AT_DYNAMIC + 10, 0xff, "a name in the dynamic section is damaged"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine machine;
		struct elf_file file;
		struct elf *elf;

		build(&file, 64, false);
		file.bytes[rows[i].at] = rows[i].byte;
		elf = read_bytes(&machine, file.bytes, sizeof(file.bytes));
		assert_non_null(elf->damage);
		assert_string_equal(elf->damage, rows[i].why);
		machine_close(&machine);
	}
}

static void use_all(struct elf *elf)
{
	uint64_t number;

	elf_version_needs(elf);
	elf_version_defs(elf);
	elf_defines(elf, "OPENSSL_3.0.0", HASH_OPENSSL_3_0_0);
	elf_build_id(elf);
	elf_constant(elf, "OpenSSL_version_num", &number);
}

/* A file cut anywhere is either told to be damaged, or gives no more than the whole one does. */
static void cut_anywhere(void **state)
{
	struct elf_file file;

	(void)state;
	build(&file, 64, false);
	for (size_t size = 0; size < file.dynamic; size += 3) {
		struct machine machine;
		struct elf *elf = read_bytes(&machine, file.bytes, size);

		use_all(elf);
		assert_non_null(elf->damage);
		machine_close(&machine);
	}
}

static void every_byte_changed(void **state)
{
	(void)state;
	for (size_t at = 0; at < AT_CODE; at++) {
		struct machine machine;
		struct elf_file file;

		build(&file, at % 2 ? 64 : 32, false);
		file.bytes[at] ^= 0xff;
		use_all(read_bytes(&machine, file.bytes, sizeof(file.bytes)));
		machine_close(&machine);
	}
}

static void answers_of_the_system_are_kept(void **state)
{
	struct machine machine;

	(void)state;
	machine_open(
		&machine, "",
		"\"/denied\":{\"stat\":{\"type\":\"file\",\"size\":4096},\"errno\":\"EACCES\"},"
		"\"/dir/file\":{\"text\":\"\"}",
		NULL, 0);
	assert_int_equal(elf_read(machine.root, "/absent")->number, ENOENT);
	assert_int_equal(elf_read(machine.root, "/denied")->number, EACCES);
	assert_string_equal(elf_read(machine.root, "/dir")->damage, "not a regular file");
	assert_string_equal(elf_read(machine.root, "/dir/file")->damage, "cut short");
	machine_close(&machine);
}

/* Code by the instruction sets' manuals; versions by OPENSSL_VERSION_NUMBER(3). */
static void version_of_a_libcrypto(void **state)
{
	static const struct {
		unsigned machine;
		const char *code;
		size_t size;
		const char *version; /* NULL: no constant */
	} rows[] = {
		{ELF_MACHINE_X86_64, "\xb8\xd0\x00\x00\x30\xc3", 6, "3.0.13"},
		{ELF_MACHINE_X86_64, "\xf3\x0f\x1e\xfa\xb8\x20\x00\x50\x30\xc3", 10, "3.5.2"},
		{ELF_MACHINE_X86_64, "\xb8\x7f\x11\x10\x10\xc3", 6, "1.1.1w"},
		{ELF_MACHINE_X86_64, "\x55\x48\x89\xe5\xb8\xd0\x00\x00\x30\x5d\xc3", 11, NULL},
		/* mov w0, #0xd0; movk w0, #0x3000, lsl #16; ret */
		{ELF_MACHINE_AARCH64, "\x00\x1a\x80\x52\x00\x00\xa6\x72\xc0\x03\x5f\xd6", 12,
		 "3.0.13"},
		/* bti c; mov x0, #0x40; movk x0, #0x3040, lsl #16; ret */
		{ELF_MACHINE_AARCH64,
		 "\x5f\x24\x03\xd5\x00\x08\x80\xd2\x00\x08\xa6\xf2\xc0\x03\x5f\xd6", 16, "3.4.4"},
		/* adrp x0, …: not a constant */
		{ELF_MACHINE_AARCH64, "\x00\x00\x00\x90\xc0\x03\x5f\xd6", 8, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine machine;
		struct elf_file file;
		struct openssl openssl;

		elf_file_begin(&file, 64, false, rows[i].machine);
		put_def(&file, "libcrypto.so.3", "OPENSSL_3.0.0", HASH_OPENSSL_3_0_0);
		put_function(&file, "OpenSSL_version_num", HASH_VERSION_NUM, rows[i].code,
			     rows[i].size);
		elf_file_end(&file, NULL);
		openssl = openssl_read(read_bytes(&machine, file.bytes, sizeof(file.bytes)));
		if (rows[i].version) {
			assert_non_null(openssl.version);
			assert_string_equal(openssl.version, rows[i].version);
		} else {
			assert_null(openssl.version);
			assert_non_null(openssl.unknown);
		}
		machine_close(&machine);
	}
}

static void version_text_of_a_libcrypto(void **state)
{
	static const struct {
		const char *text, *version;
	} rows[] = {
		{"OpenSSL 3.0.13 30 Jan 2024", "3.0.13"},
		{"OpenSSL 1.1.1k  FIPS 25 Mar 2021", "1.1.1k"},
		{"OpenSSL 1.1.1w  11 Sep 2023", "1.1.1w"},
		{"OpenSSL 3.6.0-dev 1 Oct 2025", "3.6.0-dev"},
		{"OpenSSL 3 is great", NULL},
		{"OpenSSL default user interface", NULL},
		{"AWS-LC 1.30.0", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine machine;
		struct elf_file file;
		struct openssl openssl;

		elf_file_begin(&file, 64, false, ELF_MACHINE_AARCH64);
		elf_file_end(&file, NULL);
		memcpy(file.bytes + AT_CODE, rows[i].text, strlen(rows[i].text) + 1);
		openssl = openssl_read(read_bytes(&machine, file.bytes, sizeof(file.bytes)));
		if (rows[i].version)
			assert_string_equal(openssl.version, rows[i].version);
		else
			assert_null(openssl.version);
		machine_close(&machine);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_classes_and_byte_orders),
		cmocka_unit_test(hashes_are_those_of_the_abi),
		cmocka_unit_test(damage_has_a_reason),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(every_byte_changed),
		cmocka_unit_test(answers_of_the_system_are_kept),
		cmocka_unit_test(version_of_a_libcrypto),
		cmocka_unit_test(version_text_of_a_libcrypto),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
