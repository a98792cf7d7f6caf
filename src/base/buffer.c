// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/text.h"

#include <stdarg.h>
#include <string.h>

struct buffer buffer_new(struct arena *arena, size_t max)
{
	return (struct buffer){.arena = arena, .max = max};
}

void buffer_add(struct buffer *buffer, const void *bytes, size_t size)
{
	if (!size)
		return;
	if (size > buffer->max - buffer->size) {
		buffer->full = true;
		return;
	}
	/* One byte more than the content, for buffer_string(). */
	if (buffer->size + size + 1 > buffer->room) {
		size_t room = buffer->room ? buffer->room * 2 : 256;
		char *at;

		while (room < buffer->size + size + 1)
			room *= 2;
		at = arena_alloc(buffer->arena, room);
		if (buffer->size)
			memcpy(at, buffer->at, buffer->size);
		buffer->at = at;
		buffer->room = room;
	}
	memcpy(buffer->at + buffer->size, bytes, size);
	buffer->size += size;
}

void buffer_text(struct buffer *buffer, const char *text)
{
	buffer_add(buffer, text, strlen(text));
}

void buffer_char(struct buffer *buffer, char c)
{
	buffer_add(buffer, &c, 1);
}

void buffer_printf(struct buffer *buffer, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buffer_text(buffer, arena_vprintf(buffer->arena, format, args));
	va_end(args);
}

struct view buffer_view(const struct buffer *buffer)
{
	return (struct view){buffer->at, buffer->size};
}

const char *buffer_string(struct buffer *buffer)
{
	if (!buffer->at)
		return "";
	buffer->at[buffer->size] = '\0';
	return buffer->at;
}
