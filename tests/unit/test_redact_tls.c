// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"
#include "certificates.h"
#include "host/der.h"
#include "host/hide.h"
#include "host/redact_tls.h"
#include "host/tls.h"

#include "machine.h"

#include <sys/stat.h>

static const struct fact_table *const tables[] = {&tls_facts};

static const struct {
	const char *pem, *key;
} keys[] = {
	{PEM_P256, "EC P-256"},
	{PEM_P384, "EC P-384"},
	{PEM_RSA_2048, "RSA 2048"},
	{PEM_ED25519, "Ed25519"},
};
#define KEYS (sizeof(keys) / sizeof(keys[0]))

static const char *key_of(struct arena *arena, struct view pem)
{
	struct certificate certificate;
	struct view der;

	return pem_certificate(arena, pem, &der) && certificate_parse(der, &certificate)
		       ? certificate_key(arena, &certificate)
		       : NULL;
}

static void the_kind_of_key_survives_redaction_and_nothing_else_does(void **state)
{
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < KEYS; i++) {
		struct view raw = view_of(keys[i].pem), redacted = redact_pem(&arena, raw), der,
			    plain;
		struct certificate before, after;

		assert_string_equal(key_of(&arena, raw), keys[i].key);
		assert_string_equal(key_of(&arena, redacted), keys[i].key);
		assert_true(pem_certificate(&arena, raw, &plain));
		assert_true(pem_certificate(&arena, redacted, &der));
		assert_true(view_find(plain, "planted.example") != NULL);
		assert_null(view_find(der, "lanted"));
		assert_true(certificate_parse(plain, &before) && certificate_parse(der, &after));
		assert_int_equal(after.serial.size, before.serial.size);
		for (size_t j = 0; j < after.serial.size; j++)
			assert_int_equal(after.serial.at[j], 0);
		for (size_t j = 0; j < after.signature.size; j++)
			assert_int_equal(after.signature.at[j], 0);
		/* Any eight bytes of the key in a row. */
		for (size_t j = 40; j + 8 < before.key.size; j += 8)
			assert_null(memmem(der.at, der.size, before.key.at + j, 8));
		assert_string_equal(view_copy(&arena, redact_pem(&arena, redacted)),
				    view_copy(&arena, redacted));
	}
	arena_release(&arena);
}

static void private_keys_never_pass(void **state)
{
	static const char text[] = "Bag Attributes\n-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n"
				   "-----END PRIVATE KEY-----\n" PEM_P256 PEM_RSA_2048;
	struct arena arena;
	struct view redacted;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	assert_true(redact_is_pem(view_of(text)));
	assert_false(redact_is_pem(VIEW("\x7f"
					"ELF\0\0\0\0-----BEGIN CERTIFICATE-----")));
	assert_false(redact_is_pem(VIEW("")));
	redacted = redact_pem(&arena, view_of(text));
	assert_null(view_find(redacted, "c2VjcmV0"));
	assert_null(view_find(redacted, "PRIVATE"));
	assert_string_equal(key_of(&arena, redacted), "EC P-256");
	redacted = redact_pem(&arena, VIEW("-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0\n"));
	assert_null(view_find(redacted, "c2VjcmV0"));
	arena_release(&arena);
}

/* Every byte of a certificate set to every third value, and every length: an answer or none, never
 * past the end. */
static void damaged_certificates_are_survived(void **state)
{
	struct arena arena;
	struct view der;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	assert_true(pem_certificate(&arena, view_of(PEM_P256), &der));
	for (size_t at = 0; at < der.size; at++) {
		for (unsigned value = 0; value < 256; value += 3) {
			char *copy = malloc(der.size);
			struct certificate certificate;

			memcpy(copy, der.at, der.size);
			copy[at] = (char)value;
			if (certificate_parse((struct view){.at = copy, .size = der.size},
					      &certificate))
				certificate_key(&arena, &certificate);
			free(copy);
		}
	}
	for (size_t size = 0; size < der.size; size++) {
		struct certificate certificate;
		char *copy = malloc(size + 1);

		memcpy(copy, der.at, size);
		assert_false(
			certificate_parse((struct view){.at = copy, .size = size}, &certificate));
		free(copy);
	}
	arena_release(&arena);
}

static void configurations_keep_what_tls_needs(void **state)
{
	static const struct {
		struct view (*redact)(struct arena *, struct view);
		const char *raw, *want;
	} rows[] = {
		{redact_nginx,
		 "user www; # comment; }\nhttp {\n  server {\n listen 192.0.2.7:443 ssl http2;\n"
		 "server_name planted.example;\nssl_ciphers \"ECDHE+AESGCM:!RC4\";\n"
		 "location / { proxy_pass http://192.0.2.9; auth_basic \"x { ; y\"; }\n }\n}\n",
		 "\n http {\n server {\n listen ssl;\n\n ssl_ciphers ECDHE+AESGCM:!RC4;\n\n }\n "
		 "}\n"},
		{redact_nginx, "map $host $x { planted.example 1; }\nssl_certificate a.pem", "\n"},
		{redact_nginx,
		 "http { add_header a \"x\\\" ; {\"; log_format b '{'; set $c ${d}e; ssl_ciphers "
		 "A; "
		 "server { if ($x = \"{\") { return 200 \"}\"; } ssl_ciphers B; } }",
		 " http { ssl_ciphers A; server { ssl_ciphers B; } }"},
		{redact_nginx, "}}}{{{;;;", " } } }"},
		{redact_haproxy,
		 "global\n  log planted.example local0\n ssl-default-bind-ciphers A:B\nfrontend "
		 "planted\n"
		 " bind 192.0.2.7:443 name x ssl crt /etc/haproxy/a.pem alpn h2 ciphers C\n",
		 "global\n\nssl-default-bind-ciphers A:B\nfrontend\nbind ssl crt "
		 "/etc/haproxy/a.pem ciphers C\n"},
		{redact_openssl_cnf,
		 "[ system_default_sect ]\nCipherString = DEFAULT\nemailAddress = "
		 "a@planted.example\n",
		 "[ system_default_sect ]\nCipherString = DEFAULT\n\n"},
	};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct view got = rows[i].redact(&arena, view_of(rows[i].raw));

		assert_string_equal(view_copy(&arena, got), rows[i].want);
		got = rows[i].redact(&arena, got);
		assert_string_equal(view_copy(&arena, got), rows[i].want);
	}
	arena_release(&arena);
}

static void names_of_customers_are_hidden_and_found_again(void **state)
{
	static const struct {
		const char *path, *want;
	} rows[] = {
		{"/etc/letsencrypt/live/planted.example/fullchain.pem",
		 "/etc/letsencrypt/live/hidden-1/fullchain.pem"},
		{"/etc/nginx/sites-enabled/planted.example.conf",
		 "/etc/nginx/sites-enabled/hidden-2.conf"},
		{"/etc/letsencrypt/live/planted.example/privkey.pem",
		 "/etc/letsencrypt/live/hidden-1/hidden-3.pem"},
		{"/etc/ssl/certs/ssl-cert-snakeoil.pem", "/etc/ssl/certs/ssl-cert-snakeoil.pem"},
		{"/etc/nginx/conf.d/*.conf", "/etc/nginx/conf.d/*.conf"},
		{"/etc/nginx/ssl/server-rsa2048.crt", "/etc/nginx/ssl/server-rsa2048.crt"},
		{"/etc/ssl/192.168.100.200.pem", "/etc/ssl/hidden-4.pem"},
		{"conf.d/default.conf", "conf.d/default.conf"},
	};
	struct names hidden = {0};
	struct arena arena;

	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *got = hide_path(&arena, &hidden, view_of(rows[i].path));

		assert_string_equal(got, rows[i].want);
		assert_string_equal(unhide_path(&arena, &hidden, got), rows[i].path);
		assert_string_equal(hide_path(&arena, &hidden, view_of(got)), got);
	}
	arena_release(&arena);
}

static void put_file(const char *top, const char *path, const char *text)
{
	char full[512];
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", top, path);
	for (char *slash = full + strlen(top) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	file = fopen(full, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* A tree with planted names: the verdict needs the files behind them, the record must not hold the
 * names. */
static void a_record_holds_no_name_of_a_customer(void **state)
{
	char top[] = "/tmp/tls-XXXXXX";
	struct arena arena;
	struct error err = {0};
	struct root *root;
	struct buffer out;
	struct json_writer writer;

	(void)state;
	assert_non_null(mkdtemp(top));
	put_file(top, "/etc/nginx/nginx.conf", "http { include sites-enabled/*.conf; }");
	put_file(top, "/etc/nginx/sites-enabled/planted.example.conf",
		 "server { listen 192.0.2.77:443 ssl; server_name planted.example;\n"
		 "ssl_certificate /etc/letsencrypt/live/planted.example/fullchain.pem;\n"
		 "ssl_certificate_key /etc/letsencrypt/live/planted.example/privkey.pem; }");
	put_file(top, "/etc/letsencrypt/live/planted.example/fullchain.pem", PEM_RSA_2048);
	put_file(top, "/etc/letsencrypt/live/planted.example/privkey.pem", "planted secret");
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	root = root_open(&arena, top, &err);
	assert_non_null(root);
	struct facts facts = {.arena = &arena,
			      .host = host_new(&arena, root),
			      .tables = tables,
			      .table_count = 1};
	const struct value *value = facts_get(&facts, "tls.slow-keys");
	assert_string_equal(value_format(&arena, value, NULL),
			    "/etc/nginx/sites-enabled/hidden-1.conf:1 has RSA 2048 only");
	out = buffer_new(&arena, 1 << 20);
	json_begin(&writer, &out);
	json_object(&writer, NULL);
	root_record(root, &writer);
	json_end(&writer);
	assert_null(view_find(buffer_view(&out), "lanted"));
	assert_null(view_find(buffer_view(&out), "192.0.2"));
	assert_true(view_find(buffer_view(&out), "/etc/letsencrypt/live/hidden-2/fullchain.pem") !=
		    NULL);
	root_close(root);
	arena_release(&arena);
	for (const char *const *path =
		     (const char *const[]){"/etc/nginx/nginx.conf",
					   "/etc/nginx/sites-enabled/planted.example.conf",
					   "/etc/letsencrypt/live/planted.example/fullchain.pem",
					   "/etc/letsencrypt/live/planted.example/privkey.pem",
					   "/etc/nginx/sites-enabled", "/etc/nginx",
					   "/etc/letsencrypt/live/planted.example",
					   "/etc/letsencrypt/live", "/etc/letsencrypt", "/etc", "",
					   NULL};
	     *path; path++) {
		char full[512];

		snprintf(full, sizeof(full), "%s%s", top, *path);
		assert_int_equal(remove(full), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kind_of_key_survives_redaction_and_nothing_else_does),
		cmocka_unit_test(private_keys_never_pass),
		cmocka_unit_test(damaged_certificates_are_survived),
		cmocka_unit_test(configurations_keep_what_tls_needs),
		cmocka_unit_test(names_of_customers_are_hidden_and_found_again),
		cmocka_unit_test(a_record_holds_no_name_of_a_customer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
