// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* PCI Express 7.5.3.2: device and port types. */
#define ENDPOINT 0x0
#define ROOT_PORT 0x4
#define SWITCH_UP 0x5
#define SWITCH_DOWN 0x6
#define INTEGRATED 0x9
#define NIC 0x020000
#define BRIDGE 0x060400
#define GPU 0x030200

/* What matters of a device's first 256 bytes; offsets of PCI 3.0 6.1 and PCI Express 7.5.3. */
struct card {
	const char *name;
	unsigned class_code, secondary, type;
	unsigned speed, width, now_speed, now_width;
	unsigned payload, request; /* bytes; 0: 128, 512 */
	bool strict, down;         /* relaxed ordering off; a port whose data link layer is down */
	unsigned size;             /* bytes others see; 0: 256 */
	bool plain;                /* without PCI Express */
};

static unsigned size_code(unsigned bytes)
{
	unsigned code = 0;

	while (128U << code < bytes)
		code++;
	return code;
}

static void put(unsigned char *at, uint32_t number, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		at[i] = (unsigned char)(number >> 8 * i);
}

static void config_fill(const struct card *card, unsigned char bytes[256])
{
	unsigned control = size_code(card->payload) << 5 |
			   size_code(card->request ? card->request : 512) << 12 |
			   (card->strict ? 0 : 0x10);
	bool port = card->type == ROOT_PORT || card->type == SWITCH_DOWN;

	memset(bytes, 0, 256);
	put(bytes, 0x1def, 2);
	put(bytes + 2, 0xe101, 2);
	put(bytes + 6, 0x0010, 2); /* status: capabilities */
	put(bytes + 9, card->class_code, 3);
	bytes[0xe] = card->secondary ? 1 : 0;
	bytes[0x19] = (unsigned char)card->secondary;
	bytes[0x34] = 0x50;
	bytes[0x50] = 0x01; /* power management, then PCI Express */
	bytes[0x51] = card->plain ? 0 : 0x70;
	if (card->plain)
		return;
	bytes[0x70] = 0x10;
	put(bytes + 0x72, 2 | card->type << 4, 2);
	put(bytes + 0x78, control, 2);
	put(bytes + 0x7c, card->speed | card->width << 4 | (port ? 0x100000U : 0), 4);
	put(bytes + 0x82,
	    card->now_speed | card->now_width << 4 | (port && !card->down ? 0x2000 : 0), 2);
}

#define ALTRA_PORT(...)                                                                            \
	{                                                                                          \
		.name = "0000:00:01.0", .class_code = BRIDGE, .secondary = 1, .type = ROOT_PORT,   \
		.speed = 4, .width = 16, __VA_ARGS__                                               \
	}
#define CARD(...)                                                                                  \
	{                                                                                          \
		.name = "0000:01:00.0", .class_code = NIC, __VA_ARGS__                             \
	}
#define AT(speed_, width_, now_speed_, now_width_)                                                 \
	.speed = (speed_), .width = (width_), .now_speed = (now_speed_), .now_width = (now_width_)
