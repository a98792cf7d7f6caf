// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>

/* Exit status of the program; where several apply, 4 before 2 before 1 before 3 (commands: "Exit
 * status" in ampere-crypto(1)). */
enum exit_code {
	EXIT_OK = 0,
	EXIT_FINDINGS = 1,
	EXIT_TROUBLE = 2,
	EXIT_UNKNOWN_ONLY = 3,
	EXIT_VERIFY = 4,
	EXIT_LOCKED = 5,
	EXIT_UNSUPPORTED = 6,
	EXIT_USAGE = 64,
	EXIT_SKIPPED = 77,
};

/*
 * What went wrong, owned by the caller and filled from the outside in. Text is lower case, without
 * a full stop, names the path, key or command, and says what to do. Overlong text is cut, never
 * overflows.
 */
struct error {
	enum exit_code exit_code;
	char text[1024];
};

/* All return false, so that a function can end with `return error_set(err, …)`. `err` may be NULL.
 */
bool error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool error_errno(struct error *err, int number, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool error_exit(struct error *err, enum exit_code code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Puts "CONTEXT: " before what an inner function said. */
bool error_context(struct error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
