// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * A relocatable object of AArch64 with sections, by the gABI: header, then sections in the order
 * they were put, then section headers. Sections: 0 none, 1 .text, 2 .symtab, 3 .strtab,
 * 4 .shstrtab, 5 .comment, 6 .GCC.command.line. Numbers are little-endian.
 */
enum {
	OBJECT_TEXT = 1,
	OBJECT_SYMBOLS = 2,
	OBJECT_STRINGS = 3,
	OBJECT_NAMES = 4,
	OBJECT_COMMENT = 5,
	OBJECT_COMMAND_LINE = 6,
	OBJECT_SECTIONS = 7,
};

enum { OBJECT_LOCAL = 0x00, OBJECT_GLOBAL = 0x10, OBJECT_FUNC = 2, OBJECT_DATA = 1 };

struct object {
	unsigned char *bytes;
	size_t size, room;
	size_t headers; /* offset of the section headers */
	/* While it is made. */
	unsigned char *symbols;
	char *strings;
	size_t symbols_size, strings_size, symbols_room, strings_room;
};

static inline void object_number(unsigned char *at, uint64_t number, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		at[i] = (unsigned char)(number >> 8 * i);
}

static inline size_t object_add(struct object *object, const void *bytes, size_t size)
{
	size_t at = object->size = (object->size + 7) & ~(size_t)7;

	while (object->size + size > object->room) {
		object->room = object->room ? object->room * 2 : 4096;
		object->bytes = realloc(object->bytes, object->room);
	}
	memcpy(object->bytes + at, bytes, size);
	object->size += size;
	return at;
}

static inline void object_begin(struct object *object)
{
	*object = (struct object){.symbols_room = 1 << 20, .strings_room = 1 << 20};
	object->symbols = calloc(1, object->symbols_room);
	object->strings = calloc(1, object->strings_room);
	object->symbols_size = 24;
	object->strings_size = 1;
}

/* `info` is binding and type; the section is .text. */
static inline void object_symbol(struct object *object, const char *name, unsigned info,
				 uint64_t value, uint64_t size)
{
	unsigned char *at = object->symbols + object->symbols_size;

	object_number(at, object->strings_size, 4);
	at[4] = (unsigned char)info;
	object_number(at + 6, OBJECT_TEXT, 2);
	object_number(at + 8, value, 8);
	object_number(at + 16, size, 8);
	memcpy(object->strings + object->strings_size, name, strlen(name) + 1);
	object->strings_size += strlen(name) + 1;
	object->symbols_size += 24;
}

static inline void object_header(unsigned char *at, unsigned name, unsigned type, unsigned flags,
				 size_t offset, size_t size)
{
	object_number(at, name, 4);
	object_number(at + 4, type, 4);
	object_number(at + 8, flags, 8);
	object_number(at + 24, offset, 8);
	object_number(at + 32, size, 8);
}

/* The text is `count` words; comment and command line are as long as said, NULs included. */
static inline void object_end(struct object *object, const uint32_t *words, size_t count,
			      const char *comment, size_t comment_size, const char *command_line,
			      size_t command_line_size)
{
	static const char names[] = "\0.text\0.symtab\0.strtab\0.shstrtab\0.comment\0"
				    ".GCC.command.line";
	unsigned char header[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1}, *text = malloc(count * 4 + 1);
	unsigned char headers[OBJECT_SECTIONS * 64] = {0};
	size_t at;

	for (size_t i = 0; i < count; i++)
		object_number(text + i * 4, words[i], 4);
	object_add(object, header, sizeof(header));
	at = object_add(object, text, count * 4);
	object_header(headers + 64, 1, 1, 6, at, count * 4);
	at = object_add(object, object->symbols, object->symbols_size);
	object_header(headers + 128, 7, 2, 0, at, object->symbols_size);
	object_number(headers + 128 + 40, OBJECT_STRINGS, 4);
	at = object_add(object, object->strings, object->strings_size);
	object_header(headers + 192, 15, 3, 0, at, object->strings_size);
	at = object_add(object, names, sizeof(names));
	object_header(headers + 256, 23, 3, 0, at, sizeof(names));
	at = object_add(object, comment, comment_size);
	object_header(headers + 320, 33, 1, 0, at, comment_size);
	at = object_add(object, command_line, command_line_size);
	object_header(headers + 384, 42, 1, 0, at, command_line_size);
	object->headers = object_add(object, headers, sizeof(headers));
	object_number(object->bytes + 16, 1, 2);
	object_number(object->bytes + 18, 183, 2);
	object_number(object->bytes + 40, object->headers, 8);
	object_number(object->bytes + 58, 64, 2);
	object_number(object->bytes + 60, OBJECT_SECTIONS, 2);
	object_number(object->bytes + 62, OBJECT_NAMES, 2);
	free(text);
	free(object->symbols);
	free(object->strings);
}

static inline void object_release(struct object *object)
{
	free(object->bytes);
	*object = (struct object){0};
}

/* Where a field of a section header stands. */
static inline size_t object_field(const struct object *object, unsigned section, size_t field)
{
	return object->headers + (size_t)section * 64 + field;
}
