// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/json.h"
#include "certificates.h"
#include "host/tls.h"

#include "machine.h"

static const struct fact_table *const tables[] = {&tls_facts};

/* Mozilla's intermediate list, and lists of guides for mobile clients. */
static void the_first_of_the_two_ciphers_decides(void **state)
{
	static const struct {
		const char *list;
		bool chacha;
	} rows[] = {
		{"ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-CHACHA20-"
		 "POLY1305",
		 false},
		{"ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES128-GCM-SHA256", true},
		{"ECDHE+CHACHA20:ECDHE+AESGCM", true},
		{"HIGH:!aNULL:!MD5", false},
		{"!CHACHA20:ECDHE+AESGCM", false},
		{"ECDHE-RSA-AES128-SHA:EECDH+CHACHA20:EECDH+AESGCM", true},
		{"@SECLEVEL=2:DEFAULT", false},
		{"TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256", true},
		{"TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256", false},
		{"", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (tls_prefers_chacha(rows[i].list) != rows[i].chacha)
			fail_msg("%s", rows[i].list);
	}
}

#define TEXT(path, content)                                                                        \
	{                                                                                          \
		path, content                                                                      \
	}
#define FILES_MAX 4

static const struct {
	const char *name;
	const char *files[FILES_MAX][2];
	const char *fact, *want;
} servers[] = {
	{"no server",
	 {{NULL, NULL}},
	 "tls.slow-keys",
	 "none: no nginx or haproxy server with a certificate is configured"},
	{"RSA only",
	 {TEXT("/etc/nginx/nginx.conf",
	       "http {\nserver {\nlisten 443 ssl;\nssl_certificate /etc/ssl/server.pem;\n"
	       "ssl_certificate_key /etc/ssl/server.key;\n}\n}\n"),
	  TEXT("/etc/ssl/server.pem", PEM_RSA_2048)},
	 "tls.slow-keys",
	 "/etc/nginx/nginx.conf:2 has RSA 2048 only"},
	{"RSA and ECDSA",
	 {TEXT("/etc/nginx/nginx.conf",
	       "http { server { listen 443 ssl; ssl_certificate ssl/rsa.pem; "
	       "ssl_certificate ssl/ecdsa.pem; } }"),
	  TEXT("/etc/nginx/ssl/rsa.pem", PEM_RSA_2048), TEXT("/etc/nginx/ssl/ecdsa.pem", PEM_P256)},
	 "tls.slow-keys",
	 "none"},
	{"a curve without fast code",
	 {TEXT("/etc/nginx/nginx.conf",
	       "http { server { listen 443 ssl; ssl_certificate ssl/ecdsa.pem; } }"),
	  TEXT("/etc/nginx/ssl/ecdsa.pem", PEM_P384)},
	 "tls.slow-keys",
	 "/etc/nginx/nginx.conf:1 has EC P-384 only"},
	{"a server without TLS",
	 {TEXT("/etc/nginx/nginx.conf",
	       "http { ssl_certificate ssl/rsa.pem; server { listen 80; } }"),
	  TEXT("/etc/nginx/ssl/rsa.pem", PEM_RSA_2048)},
	 "tls.slow-keys",
	 "none: no nginx or haproxy server with a certificate is configured"},
	{"inherited from http, server in an included file",
	 {TEXT("/etc/nginx/nginx.conf",
	       "http { ssl_certificate ssl/rsa.pem;\ninclude sites-enabled/*; }"),
	  TEXT("/etc/nginx/sites-enabled/default",
	       "\nserver { listen [::]:443 ssl default_server; }"),
	  TEXT("/etc/nginx/ssl/rsa.pem", PEM_RSA_2048)},
	 "tls.slow-keys",
	 "/etc/nginx/sites-enabled/default:2 has RSA 2048 only"},
	{"its own instead of the inherited",
	 {TEXT("/etc/nginx/nginx.conf",
	       "http { ssl_certificate ssl/rsa.pem;\nserver { listen 443 ssl; "
	       "ssl_certificate ssl/ecdsa.pem; } }"),
	  TEXT("/etc/nginx/ssl/rsa.pem", PEM_RSA_2048), TEXT("/etc/nginx/ssl/ecdsa.pem", PEM_P256)},
	 "tls.slow-keys",
	 "none"},
	{"the key in the same file is never opened",
	 {TEXT("/etc/nginx/nginx.conf",
	       "http { server { listen 443 ssl; ssl_certificate ssl/rsa.pem; "
	       "ssl_certificate_key ssl/rsa.pem; } }"),
	  TEXT("/etc/nginx/ssl/rsa.pem", PEM_RSA_2048)},
	 "tls.slow-keys",
	 "unknown: /etc/nginx/ssl/rsa.pem holds the private key as well and is never opened"},
	{"haproxy's file holds the key",
	 {TEXT("/etc/haproxy/haproxy.cfg",
	       "frontend x\nbind :443 ssl crt /etc/haproxy/certs/site.pem\n")},
	 "tls.slow-keys",
	 "unknown: /etc/haproxy/certs/site.pem holds the private key as well and is never opened"},
	{"a certificate that is missing",
	 {TEXT("/etc/nginx/nginx.conf",
	       "http { server { listen 443 ssl; ssl_certificate ssl/rsa.pem; } }")},
	 "tls.slow-keys",
	 "unknown: /etc/nginx/ssl/rsa.pem is named by the configuration and missing"},
	{"an include that is missing",
	 {TEXT("/etc/nginx/nginx.conf", "http { include sites/default.conf; }")},
	 "tls.slow-keys",
	 "unknown: /etc/nginx/sites/default.conf is named by the configuration and missing"},
	{"an include of itself",
	 {TEXT("/etc/nginx/nginx.conf", "include nginx.conf;")},
	 "tls.slow-keys",
	 "unknown: /etc/nginx/nginx.conf: includes go too far"},

	{"the client decides",
	 {TEXT("/etc/nginx/nginx.conf",
	       "http { server { listen 443 ssl; ssl_ciphers ECDHE+CHACHA20:ECDHE+AESGCM; } }")},
	 "tls.chacha-first",
	 "none"},
	{"the server decides",
	 {TEXT("/etc/nginx/nginx.conf",
	       "http { ssl_prefer_server_ciphers on;\nserver { listen 443 ssl; "
	       "ssl_ciphers ECDHE+CHACHA20:ECDHE+AESGCM; } }")},
	 "tls.chacha-first",
	 "/etc/nginx/nginx.conf:2: ECDHE+CHACHA20:ECDHE+AESGCM"},
	{"TLS 1.3",
	 {TEXT("/etc/nginx/nginx.conf",
	       "http { ssl_prefer_server_ciphers on; server { listen 443 ssl; ssl_conf_command "
	       "Ciphersuites "
	       "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256; } }")},
	 "tls.chacha-first",
	 "/etc/nginx/nginx.conf:1: TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256"},
	{"haproxy decides by itself",
	 {TEXT("/etc/haproxy/haproxy.cfg",
	       "global\nssl-default-bind-ciphers CHACHA20:AESGCM\nfrontend x\nbind :443 ssl crt "
	       "/etc/a.pem\n")},
	 "tls.chacha-first",
	 "/etc/haproxy/haproxy.cfg:4: CHACHA20:AESGCM"},
	{"unless it is told not to",
	 {TEXT("/etc/haproxy/haproxy.cfg",
	       "global\nssl-default-bind-ciphers CHACHA20:AESGCM\nfrontend x\n"
	       "bind :443 ssl crt /etc/a.pem prefer-client-ciphers\n")},
	 "tls.chacha-first",
	 "none"},
	{"every program's default",
	 {TEXT("/etc/ssl/openssl.cnf", "[system_default_sect]\nCipherString = CHACHA20:DEFAULT\n"
				       "Options = ServerPreference\n")},
	 "tls.chacha-first",
	 "/etc/ssl/openssl.cnf: CHACHA20:DEFAULT"},
	{"no configuration",
	 {{NULL, NULL}},
	 "tls.chacha-first",
	 "none: no TLS server is configured in nginx, haproxy or openssl.cnf"},
};

static const char *json_string(struct arena *arena, const char *text)
{
	struct buffer out = buffer_new(arena, 1 << 16);

	for (; *text; text++) {
		if (*text == '\n')
			buffer_text(&out, "\\n");
		else
			buffer_printf(&out, *text == '"' ? "\\%c" : "%c", *text);
	}
	return buffer_string(&out);
}

static void servers_are_judged_with_what_they_inherit(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(servers) / sizeof(servers[0]); i++) {
		struct machine machine;
		struct arena arena;
		struct buffer questions;
		const char *got;

		arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
		questions = buffer_new(&arena, 1 << 16);
		for (size_t f = 0; f < FILES_MAX && servers[i].files[f][0]; f++)
			buffer_printf(&questions, "%s\"%s\":{\"text\":\"%s\"}", f ? "," : "",
				      servers[i].files[f][0],
				      json_string(&arena, servers[i].files[f][1]));
		machine_open(&machine, "", buffer_string(&questions), tables, 1);
		got = machine_fact(&machine, servers[i].fact);
		if (strcmp(got, servers[i].want) != 0)
			fail_msg("%s: %s is \"%s\", not \"%s\"", servers[i].name, servers[i].fact,
				 got, servers[i].want);
		machine_close(&machine);
		arena_release(&arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_of_the_two_ciphers_decides),
		cmocka_unit_test(servers_are_judged_with_what_they_inherit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
