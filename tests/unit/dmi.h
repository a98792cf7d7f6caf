// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* SMBIOS tables for tests, built byte by byte from DMTF DSP0134; offsets are given by the caller.
 */
struct dmi {
	char bytes[64 << 10];
	size_t size;
	size_t last; /* where the newest structure starts */
	uint16_t handle;
};

static inline void dmi_put(struct dmi *dmi, size_t offset, unsigned long long number, size_t size)
{
	for (size_t i = 0; i < size; i++)
		dmi->bytes[dmi->last + offset + i] = (char)(number >> 8 * i);
}

/* Starts a structure of `length` zero bytes; dmi_put() fills it, dmi_strings() ends it. */
static inline uint16_t dmi_start(struct dmi *dmi, uint8_t type, uint8_t length)
{
	dmi->last = dmi->size;
	memset(dmi->bytes + dmi->size, 0, length);
	dmi->size += length;
	dmi_put(dmi, 0, type, 1);
	dmi_put(dmi, 1, length, 1);
	dmi_put(dmi, 2, dmi->handle, 2);
	return dmi->handle++;
}

/* Strings up to a NULL; string numbers are 1, 2, … in the order given. */
static inline void dmi_strings(struct dmi *dmi, ...)
{
	const char *text;
	size_t count = 0;
	va_list args;

	va_start(args, dmi);
	while ((text = va_arg(args, const char *))) {
		memcpy(dmi->bytes + dmi->size, text, strlen(text) + 1);
		dmi->size += strlen(text) + 1;
		count++;
	}
	va_end(args);
	if (count == 0)
		dmi->bytes[dmi->size++] = '\0';
	dmi->bytes[dmi->size++] = '\0';
}

static inline void dmi_end(struct dmi *dmi)
{
	dmi_start(dmi, 127, 4);
	dmi_strings(dmi, NULL);
}

static inline struct view dmi_view(const struct dmi *dmi)
{
	return (struct view){dmi->bytes, dmi->size};
}

static inline void dmi_checksum(unsigned char *at, size_t size, size_t sum_at)
{
	unsigned sum = 0;

	at[sum_at] = 0;
	for (size_t i = 0; i < size; i++)
		sum += at[i];
	at[sum_at] = (unsigned char)(0x100 - (sum & 0xff));
}

static inline struct view dmi_entry_v3(unsigned char bytes[0x18], uint32_t table_bytes)
{
	memset(bytes, 0, 0x18);
	memcpy(bytes, "_SM3_", 5);
	bytes[0x06] = 0x18;
	bytes[0x07] = 3;
	bytes[0x08] = 4;
	for (size_t i = 0; i < 4; i++)
		bytes[0x0c + i] = (unsigned char)(table_bytes >> 8 * i);
	dmi_checksum(bytes, 0x18, 0x05);
	return (struct view){(const char *)bytes, 0x18};
}

static inline struct view dmi_entry_v2(unsigned char bytes[0x1f], uint16_t table_bytes,
				       uint16_t structures)
{
	memset(bytes, 0, 0x1f);
	memcpy(bytes, "_SM_", 4);
	bytes[0x05] = 0x1f;
	bytes[0x06] = 2;
	bytes[0x07] = 8;
	memcpy(bytes + 0x10, "_DMI_", 5);
	bytes[0x16] = table_bytes & 0xff;
	bytes[0x17] = table_bytes >> 8;
	bytes[0x1c] = structures & 0xff;
	bytes[0x1d] = structures >> 8;
	dmi_checksum(bytes + 0x10, 0x0f, 0x05);
	dmi_checksum(bytes, 0x1f, 0x04);
	return (struct view){(const char *)bytes, 0x1f};
}

/* A type 4: socket, vendor, version and part are strings 1-4. */
static inline void dmi_processor(struct dmi *dmi, unsigned long long id, unsigned characteristics,
				 bool populated, const char *version, const char *part)
{
	dmi_start(dmi, 4, 0x30);
	dmi_put(dmi, 0x04, 1, 1);
	dmi_put(dmi, 0x05, 3, 1);
	dmi_put(dmi, 0x06, 0xfe, 1);
	dmi_put(dmi, 0x07, 2, 1);
	dmi_put(dmi, 0x08, id, 8);
	dmi_put(dmi, 0x10, 3, 1);
	dmi_put(dmi, 0x14, 3000, 2);
	dmi_put(dmi, 0x16, 2800, 2);
	dmi_put(dmi, 0x18, populated ? 0x41 : 0, 1);
	dmi_put(dmi, 0x20, 5, 1);
	dmi_put(dmi, 0x22, 4, 1);
	dmi_put(dmi, 0x23, 80, 1);
	dmi_put(dmi, 0x26, characteristics, 2);
	dmi_strings(dmi, "CPU 0", "Ampere(R)", version, part, "PROCSERIAL01", NULL);
}

static inline uint16_t dmi_array(struct dmi *dmi, unsigned use, unsigned devices)
{
	uint16_t handle = dmi_start(dmi, 16, 0x17);

	dmi_put(dmi, 0x04, 3, 1);
	dmi_put(dmi, 0x05, use, 1);
	dmi_put(dmi, 0x06, 6, 1);
	dmi_put(dmi, 0x07, 0x80000000, 4);
	dmi_put(dmi, 0x0d, devices, 2);
	dmi_put(dmi, 0x0f, 4ULL << 40, 8);
	dmi_strings(dmi, NULL);
	return handle;
}

struct dmi_dimm {
	unsigned megabytes; /* 0: empty */
	unsigned ranks, type, speed, configured;
	const char *manufacturer, *part;
};

static inline void dmi_device(struct dmi *dmi, uint16_t array, const char *locator,
			      const char *bank, const struct dmi_dimm *dimm)
{
	static const struct dmi_dimm empty = {
		.type = 2, .manufacturer = "NO DIMM", .part = "Part Number not set"};

	if (!dimm || dimm->megabytes == 0)
		dimm = &empty;
	dmi_start(dmi, 17, 0x5c);
	dmi_put(dmi, 0x04, array, 2);
	dmi_put(dmi, 0x0c, dimm->megabytes < 0x7fff ? dimm->megabytes : 0x7fff, 2);
	dmi_put(dmi, 0x0e, 9, 1);
	dmi_put(dmi, 0x10, 1, 1);
	dmi_put(dmi, 0x11, 2, 1);
	dmi_put(dmi, 0x12, dimm->type, 1);
	dmi_put(dmi, 0x15, dimm->speed, 2);
	dmi_put(dmi, 0x17, 3, 1);
	dmi_put(dmi, 0x18, 5, 1);
	dmi_put(dmi, 0x1a, 4, 1);
	dmi_put(dmi, 0x1b, dimm->ranks, 1);
	dmi_put(dmi, 0x1c, dimm->megabytes < 0x7fff ? 0 : dimm->megabytes, 4);
	dmi_put(dmi, 0x20, dimm->configured, 2);
	dmi_strings(dmi, locator, bank, dimm->manufacturer, dimm->part ? dimm->part : "-",
		    "DIMMSERIAL01", NULL);
}

/* A Gigabyte-like Altra: every identifier in it is planted and must never come out of the redactor.
 */
static inline void dmi_machine(struct dmi *dmi)
{
	const struct dmi_dimm dimm = {.megabytes = 32768,
				      .ranks = 2,
				      .type = 0x1a,
				      .speed = 3200,
				      .configured = 3200,
				      .manufacturer = "Samsung",
				      .part = "M393A4G43AB3-CWE    "};
	uint16_t array;

	*dmi = (struct dmi){0};
	dmi_start(dmi, 0, 0x1a);
	dmi_put(dmi, 0x04, 1, 1);
	dmi_put(dmi, 0x05, 2, 1);
	dmi_put(dmi, 0x08, 3, 1);
	dmi_strings(dmi, "GIGABYTE", "F18w16 (SCP: 1.08.20211002)", "05/06/2022", NULL);
	dmi_start(dmi, 1, 0x1b);
	dmi_put(dmi, 0x04, 1, 1);
	dmi_put(dmi, 0x05, 2, 1);
	dmi_put(dmi, 0x06, 3, 1);
	dmi_put(dmi, 0x07, 4, 1);
	dmi_put(dmi, 0x08, 0xdeadbeefcafef00d, 8);
	dmi_put(dmi, 0x10, 0xdeadbeefcafef00d, 8);
	dmi_put(dmi, 0x19, 5, 1);
	dmi_put(dmi, 0x1a, 6, 1);
	dmi_strings(dmi, "GIGABYTE", "MP32-AR1-00", "0100", "SYSSERIAL01", "SKU-1", "   ", NULL);
	dmi_start(dmi, 2, 0x0f);
	dmi_put(dmi, 0x04, 1, 1);
	dmi_put(dmi, 0x05, 2, 1);
	dmi_put(dmi, 0x07, 3, 1);
	dmi_put(dmi, 0x08, 4, 1);
	dmi_strings(dmi, "GIGABYTE", "MP32-AR1-00", "BOARDSERIAL01", "BOARDTAG01", NULL);
	dmi_start(dmi, 3, 0x16);
	dmi_put(dmi, 0x04, 1, 1);
	dmi_put(dmi, 0x07, 2, 1);
	dmi_put(dmi, 0x08, 3, 1);
	dmi_strings(dmi, "GIGABYTE", "CHASSISSERIAL01", "CHASSISTAG01", NULL);
	dmi_processor(dmi, 0x000000a10a160001, 0, true, "Ampere(R) Altra(R) Processor", "Q80-30");
	array = dmi_array(dmi, 3, 16);
	dmi_device(dmi, array, "DIMM_P0_A0", "Bank 1", &dimm);
	dmi_device(dmi, array, "DIMM_P0_A1", "Bank 2", NULL);
	dmi_start(dmi, 11, 5);
	dmi_put(dmi, 0x04, 1, 1);
	dmi_strings(dmi, "OEMSECRET01", NULL);
	dmi_start(dmi, 221, 0x10);
	dmi_put(dmi, 0x04, 0xdeadbeefcafef00d, 8);
	dmi_strings(dmi, "VENDORSECRET01", NULL);
	dmi_end(dmi);
}
