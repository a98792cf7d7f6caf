// SPDX-License-Identifier: BSD-2-Clause
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 0))) static void fill(struct error *err, enum exit_code code,
						       const char *format, va_list args)
{
	if (!err)
		return;
	err->exit_code = code;
	vsnprintf(err->text, sizeof(err->text), format, args);
}

bool error_set(struct error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fill(err, EXIT_TROUBLE, format, args);
	va_end(args);
	return false;
}

bool error_exit(struct error *err, enum exit_code code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fill(err, code, format, args);
	va_end(args);
	return false;
}

bool error_errno(struct error *err, int number, const char *format, ...)
{
	va_list args;
	size_t used;

	va_start(args, format);
	fill(err, EXIT_TROUBLE, format, args);
	va_end(args);
	if (!err)
		return false;
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", strerrordesc_np(number));
	return false;
}

bool error_context(struct error *err, const char *format, ...)
{
	struct error inner;
	va_list args;
	size_t used;

	if (!err)
		return false;
	inner = *err;
	va_start(args, format);
	fill(err, inner.exit_code, format, args);
	va_end(args);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", inner.text);
	return false;
}
