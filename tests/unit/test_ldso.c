// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/base64.h"
#include "host/elf.h"
#include "host/ldso.h"
#include "host/redact_environment.h"
#include "host/software.h"

#include "machine.h"

#include <errno.h>

/* ---- ld.so.conf: lines as people write them, and what ldconfig made of them. */

#define DIRS                                                                                       \
	"\"/usr/local/lib/libz.so.1\":{\"text\":\"\"},\"/opt/my libs/libz.so.1\":{\"text\":\"\"}"
#define CONF(name, text) "\"/etc/ld.so.conf.d/" name "\":{\"text\":\"" text "\"}," DIRS
#define INCLUDE "\"/etc/ld.so.conf\":{\"text\":\"include /etc/ld.so.conf.d/*.conf\\n\"},"

static const struct {
	const char *name, *questions, *directories;
	const char *problem; /* NULL: none; else part of what is said */
} conf_rows[] = {
	{"good", CONF("openssl.conf", "/usr/local/lib\\n"), "/usr/local/lib", NULL},
	{"no newline", CONF("openssl.conf", "/usr/local/lib"), "/usr/local/lib", NULL},
	{"CR LF", CONF("openssl.conf", "/usr/local/lib\\r\\n"), "/usr/local/lib", NULL},
	{"comments", CONF("openssl.conf", "# OpenSSL 3.4\\n/usr/local/lib  # here\\n"),
	 "/usr/local/lib", NULL},
	{"a blank in the path", CONF("openssl.conf", "/opt/my libs\\n"), "/opt/my libs", NULL},
	{"the same twice", CONF("openssl.conf", "/usr/local/lib\\n/usr/local/lib/\\n"),
	 "/usr/local/lib", NULL},
	{"curly quotes", CONF("openssl.conf", "\\u201c/usr/local/lib\\u201d\\n"), "",
	 "typographic quotes"},
	{"plain quotes", CONF("openssl.conf", "\\\"/usr/local/lib\\\"\\n"), "", "quotes become"},
	{"a byte order mark", CONF("openssl.conf", "\\ufeff/usr/local/lib\\n"), "",
	 "byte order mark"},
	{"a tilde", CONF("openssl.conf", "~/lib\\n"), "", "~ is not expanded"},
	{"a variable", CONF("openssl.conf", "/opt/$ARCH/lib\\n"), "", "variables"},
	{"a:b", CONF("openssl.conf", "/usr/local/lib:/usr/local/lib64\\n"), "", "one directory"},
	{"two on a line", CONF("openssl.conf", "/usr/local/lib /opt/lib\\n"), "",
	 "two directories"},
	{"relative", CONF("openssl.conf", "usr/local/lib\\n"), "", "relative"},
	{"missing, the others work", CONF("openssl.conf", "/opt/none/lib\\n/usr/local/lib\\n"),
	 "/opt/none/lib, /usr/local/lib", "no such directory"},
	{"a file whose name does not count", CONF("openssl", "/usr/local/lib\\n"), "",
	 "does not end in .conf"},
	{"a hidden file is nobody's mistake", CONF(".old.conf", "/usr/local/lib\\n"), "", NULL},
	{"a file as directory", CONF("openssl.conf", "/usr/local/lib/libz.so.1\\n"),
	 "/usr/local/lib/libz.so.1", "not a directory"},
	{"old hwcap lines", CONF("openssl.conf", "hwcap 0 nosegneg\\n/usr/local/lib\\n"),
	 "/usr/local/lib", NULL},
	{"in a circle", CONF("openssl.conf", "include /etc/ld.so.conf\\n/usr/local/lib\\n"),
	 "/usr/local/lib", "circle"},
	{"an include that is not there", CONF("openssl.conf", "include /etc/none.conf\\n"), "",
	 "does not exist"},
};

static void lines_of_the_configuration(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(conf_rows) / sizeof(conf_rows[0]); i++) {
		struct machine machine;
		struct ldso_conf conf;
		struct names names = {0};

		char questions[4096];

		snprintf(questions, sizeof(questions), "%s%s", INCLUDE, conf_rows[i].questions);
		machine_open(&machine, "", questions, NULL, 0);
		ldso_conf_read(machine.root, &conf);
		for (size_t d = 0; d < conf.directory_count; d++)
			names_add(&machine.arena, &names, conf.directories[d].path);
		if (strcmp(names_join(&machine.arena, &names, ", "), conf_rows[i].directories) != 0)
			fail_msg("%s: %s", conf_rows[i].name,
				 names_join(&machine.arena, &names, ", "));
		if (!conf_rows[i].problem != !conf.problem_count)
			fail_msg("%s: %zu problems", conf_rows[i].name, conf.problem_count);
		if (conf_rows[i].problem && !strstr(conf.problems[0].why, conf_rows[i].problem))
			fail_msg("%s: %s", conf_rows[i].name, conf.problems[0].why);
		machine_close(&machine);
	}
}

static void files_in_order_of_their_bytes(void **state)
{
	struct machine machine;
	struct ldso_conf conf;

	(void)state;
	/* strcmp: digits, then capitals, then small letters; version order would put 9 before 10.
	 */
	machine_open(&machine, "",
		     INCLUDE "\"/etc/ld.so.conf.d/b.conf\":{\"text\":\"/b\\n\"},"
			     "\"/etc/ld.so.conf.d/9.conf\":{\"text\":\"/9\\n\"},"
			     "\"/etc/ld.so.conf.d/10.conf\":{\"text\":\"/10\\n\"},"
			     "\"/etc/ld.so.conf.d/C.conf\":{\"text\":\"/C\\n\"}",
		     NULL, 0);
	ldso_conf_read(machine.root, &conf);
	assert_int_equal(conf.directory_count, 4);
	assert_string_equal(conf.directories[0].path, "/10");
	assert_string_equal(conf.directories[1].path, "/9");
	assert_string_equal(conf.directories[2].path, "/C");
	assert_string_equal(conf.directories[3].path, "/b");
	assert_string_equal(conf.directories[3].file, "/etc/ld.so.conf.d/b.conf");
	assert_int_equal(conf.directories[3].line, 1);
	machine_close(&machine);
}

static void a_denied_file_is_told(void **state)
{
	struct machine machine;
	struct ldso_conf conf;

	(void)state;
	machine_open(&machine, "", INCLUDE "\"/etc/ld.so.conf.d/a.conf\":{\"errno\":\"EACCES\"}",
		     NULL, 0);
	ldso_conf_read(machine.root, &conf);
	assert_int_equal(conf.number, EACCES);
	assert_string_equal(conf.unread, "/etc/ld.so.conf.d/a.conf");
	machine_close(&machine);
	machine_open(&machine, "", "", NULL, 0);
	ldso_conf_read(machine.root, &conf);
	assert_int_equal(conf.number, ENOENT);
	machine_close(&machine);
}

/* ---- ld.so.cache, laid out by hand as glibc's dl-cache.h says. */

struct cache_file {
	unsigned char bytes[2048];
	size_t size;
	bool big;
};

static void put(struct cache_file *file, size_t at, uint64_t number, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		file->bytes[at + (file->big ? size - 1 - i : i)] = (unsigned char)(number >> 8 * i);
}

struct cache_row {
	const char *name, *path;
	uint32_t flags;
	uint64_t hwcap;
};

#define EXTENSION UINT64_C(0x4000000000000000)
#define AARCH64 0x0a03
#define X86_64 0x0303

/* Rows in descending order, those of subdirectories first; hwcap index 0 is x86-64-v3, 1 is
 * x86-64-v2. */
static const struct cache_row cache_rows[] = {
	{"libx.so.10", "/opt/a/libx.so.10", X86_64, 0},
	{"libx.so.9", "/opt/a/libx.so.9", X86_64, 0},
	{"libcrypto.so.3", "/opt/a/glibc-hwcaps/x86-64-v3/libcrypto.so.3", X86_64, EXTENSION | 0},
	{"libcrypto.so.3", "/opt/a/glibc-hwcaps/x86-64-v2/libcrypto.so.3", X86_64, EXTENSION | 1},
	{"libcrypto.so.3", "/opt/a/libcrypto.so.3", X86_64, 0},
	{"libcrypto.so.3", "/usr/local/lib/libcrypto.so.3", AARCH64, 0},
	{"libcrypto.so.3", "/lib/aarch64-linux-gnu/libcrypto.so.3", AARCH64, 0},
	{"libatomic.so.1", "/lib/tls/libatomic.so.1", AARCH64, UINT64_C(1) << 63 | 0x100},
	{"libatomic.so.1", "/lib/libatomic.so.1", AARCH64, 0},
};

enum { CACHE_ROWS = sizeof(cache_rows) / sizeof(cache_rows[0]) };

static size_t put_text(struct cache_file *file, const char *text)
{
	size_t at = file->size;

	memcpy(file->bytes + at, text, strlen(text) + 1);
	file->size += strlen(text) + 1;
	return at;
}

static void cache_build(struct cache_file *file, bool big, bool old_too)
{
	static const char *const hwcaps[] = {"x86-64-v3", "x86-64-v2"};
	size_t start = old_too ? 16 : 0, extension;

	*file = (struct cache_file){.big = big};
	if (old_too)
		memcpy(file->bytes, "ld.so-1.7.0", 11);
	memcpy(file->bytes + start, "glibc-ld.so.cache1.1", 20);
	put(file, start + 20, CACHE_ROWS, 4);
	file->bytes[start + 28] = big ? 3 : 2;
	file->size = start + 48 + CACHE_ROWS * 24;
	for (size_t i = 0; i < CACHE_ROWS; i++) {
		size_t at = start + 48 + i * 24;

		put(file, at, cache_rows[i].flags, 4);
		put(file, at + 4, put_text(file, cache_rows[i].name) - start, 4);
		put(file, at + 8, put_text(file, cache_rows[i].path) - start, 4);
		put(file, at + 16, cache_rows[i].hwcap, 8);
	}
	size_t names[] = {put_text(file, hwcaps[0]) - start, put_text(file, hwcaps[1]) - start};
	file->size = (file->size + 7) & ~(size_t)7;
	extension = file->size;
	put(file, start + 32, extension - start, 4);
	put(file, extension, 0xeaa42174u, 4);
	put(file, extension + 4, 1, 4);
	put(file, extension + 8, 1, 4);
	put(file, extension + 16, extension + 24 - start, 4);
	put(file, extension + 20, 8, 4);
	put(file, extension + 24, names[0], 4);
	put(file, extension + 28, names[1], 4);
	file->size = extension + 32;
}

static void cache_open(struct machine *machine, struct ldso_cache *cache, const void *bytes,
		       size_t size)
{
	struct arena scratch;

	arena_init(&scratch, ARENA_DEFAULT_MAX_BYTES);
	machine_open(machine, "",
		     arena_printf(&scratch, "\"/etc/ld.so.cache\":{\"base64\":\"%s\"}",
				  base64_encode(&scratch, (struct view){bytes, size})),
		     NULL, 0);
	arena_release(&scratch);
	*cache = (struct ldso_cache){0};
	ldso_cache_read(machine->root, cache);
}

static void winners_of_the_cache(void **state)
{
	static const char *const all[] = {"x86-64-v4", "x86-64-v3", "x86-64-v2"};
	static const struct {
		const char *name;
		uint32_t flags;
		size_t skip; /* subdirectories that this CPU is too old for */
		uint64_t legacy;
		const char *path;
	} rows[] = {
		{"libcrypto.so.3", X86_64, 0, 0, "/opt/a/glibc-hwcaps/x86-64-v3/libcrypto.so.3"},
		{"libcrypto.so.3", X86_64, 2, 0, "/opt/a/glibc-hwcaps/x86-64-v2/libcrypto.so.3"},
		{"libcrypto.so.3", X86_64, 3, 0, "/opt/a/libcrypto.so.3"},
		{"libcrypto.so.3", AARCH64, 3, 0, "/usr/local/lib/libcrypto.so.3"},
		{"libx.so.9", X86_64, 0, 0, "/opt/a/libx.so.9"},
		{"libx.so.10", X86_64, 0, 0, "/opt/a/libx.so.10"},
		{"libx.so.10", AARCH64, 0, 0, NULL},
		{"libx.so.1", X86_64, 0, 0, NULL},
		{"liby.so.1", X86_64, 0, 0, NULL},
		{"liba.so.1", X86_64, 0, 0, NULL},
		{"libatomic.so.1", AARCH64, 3, UINT64_C(1) << 63 | 0x100,
		 "/lib/tls/libatomic.so.1"},
		{"libatomic.so.1", AARCH64, 3, UINT64_C(1) << 63, "/lib/libatomic.so.1"},
	};

	(void)state;
	for (unsigned kind = 0; kind < 4; kind++) {
		struct machine machine;
		struct cache_file file;
		struct ldso_cache cache;

		cache_build(&file, kind & 1, kind & 2);
		cache_open(&machine, &cache, file.bytes, file.size);
		assert_null(cache.damage);
		assert_int_equal(cache.count, CACHE_ROWS);
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			struct ldso_hwcaps hwcaps = {.legacy_bits = rows[i].legacy};
			struct ldso_entry entry;
			bool found;

			for (size_t n = rows[i].skip; n < 3; n++)
				names_add(&machine.arena, &hwcaps.named, all[n]);
			found = ldso_cache_find(&cache, rows[i].name, rows[i].flags, &hwcaps,
						&entry);
			assert_int_equal(found, rows[i].path != NULL);
			if (found)
				assert_string_equal(entry.path, rows[i].path);
		}
		machine_close(&machine);
	}
}

static void damaged_caches(void **state)
{
	struct cache_file file;

	(void)state;
	cache_build(&file, false, false);
	for (size_t size = 0; size < file.size; size += 7) {
		struct machine machine;
		struct ldso_cache cache;
		struct ldso_entry entry;
		const struct ldso_hwcaps none = {0};

		cache_open(&machine, &cache, file.bytes, size);
		ldso_cache_find(&cache, "libcrypto.so.3", X86_64, &none, &entry);
		if (size < 48 + CACHE_ROWS * 24)
			assert_non_null(cache.damage);
		machine_close(&machine);
	}
	for (size_t at = 0; at < file.size; at++) {
		struct machine machine;
		struct ldso_cache cache;
		struct ldso_entry entry;
		const struct ldso_hwcaps none = {0};

		file.bytes[at] ^= 0xff;
		cache_open(&machine, &cache, file.bytes, file.size);
		ldso_cache_find(&cache, "libcrypto.so.3", X86_64, &none, &entry);
		machine_close(&machine);
		file.bytes[at] ^= 0xff;
	}
}

/* ---- ld.so.preload, .pc files, environment files. */

static void names_to_preload(void **state)
{
	struct machine machine;
	struct names names = {0};

	(void)state;
	machine_open(&machine, "",
		     "\"/etc/ld.so.preload\":{\"text\":\"/a.so:/b.so # /c.so\\n\\t/d.so  /e.so\"}",
		     NULL, 0);
	assert_int_equal(ldso_preload(machine.root, &names), 0);
	assert_string_equal(names_join(&machine.arena, &names, " "), "/a.so /b.so /d.so /e.so");
	machine_close(&machine);
}

static void values_of_pc_files(void **state)
{
	static const struct {
		const char *text, *key, *value;
	} rows[] = {
		{"prefix=/usr/local\nlibdir=${prefix}/lib\nVersion: 24.11.3\n", "Version",
		 "24.11.3"},
		{"prefix=/usr/local\nlibdir=${prefix}/lib\n", "libdir", "/usr/local/lib"},
		{"a=${b}\nb=${c}/x\nc=/opt\n", "a", "/opt/x"},
		{"a=${a}/x\n", "a", "/x/x/x/x/x/x/x/x/x"},
		{"a=${none}/x\n", "a", "/x"},
		{"a=${open\n", "a", "${open"},
		{"  Version:  1.0 \r\n", "Version", "1.0"},
	};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *value = pc_value(&arena, view_of(rows[i].text), rows[i].key);

		assert_non_null(value);
		assert_string_equal(value, rows[i].value);
	}
	assert_null(pc_value(&arena, view_of("Version: 1\n"), "libdir"));
	arena_release(&arena);
}

static void only_what_matters_of_environment_files(void **state)
{
	static const struct {
		const char *raw, *kept;
	} rows[] = {
		{"[Service]\nEnvironment=\"OPENSSL_armcap=0x0\"\n", "\nOPENSSL_armcap=0x0\n"},
		{"Environment=A=secret OPENSSL_armcap=0 'LD_LIBRARY_PATH=/opt/x'\n",
		 "OPENSSL_armcap=0 LD_LIBRARY_PATH=/opt/x\n"},
		{"export OPENSSL_ia32cap=~0x2\n", "OPENSSL_ia32cap=~0x2\n"},
		{"# OPENSSL_armcap=0\nPASSWORD=hunter2\n", "\n\n"},
		{"EnvironmentFile=-/etc/default/nginx\nEnvironmentFile=/root/secret\n",
		 "EnvironmentFile=-/etc/default/nginx\n\n"},
		{"MY_OPENSSL_armcap=0\nOPENSSL_x y=1\n", "\n\n"},
		{"ExecStart=/usr/sbin/nginx --token=secret\n", "\n"},
	};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct view kept = redact_environment(&arena, view_of(rows[i].raw));

		assert_string_equal(arena_copy(&arena, kept.at, kept.size), rows[i].kept);
	}
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_the_configuration),
		cmocka_unit_test(files_in_order_of_their_bytes),
		cmocka_unit_test(a_denied_file_is_told),
		cmocka_unit_test(winners_of_the_cache),
		cmocka_unit_test(damaged_caches),
		cmocka_unit_test(names_to_preload),
		cmocka_unit_test(values_of_pc_files),
		cmocka_unit_test(only_what_matters_of_environment_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
