// SPDX-License-Identifier: BSD-2-Clause
#include "host/aml.h"

#include "base/arena.h"
#include "host/acpi.h"
#include "host/bytes.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define NAME_OP 0x08
#define DUAL_NAME_PREFIX 0x2e
#define ROOT_CHAR 0x5c
/* Altra's DSDT has a few hundred KB. */
#define TABLE_BYTES_MAX ((size_t)1 << 20)
#define TABLES_MAX 64

/* What a DataRefObject begins with; bytes of the number behind it, or no number. */
static const struct data_op {
	unsigned op;
	int bytes; /* -1: not a number */
	uint64_t number;
} data_ops[] = {
	{0x00, 0, 0},  {0x01, 0, 1},  {0xff, 0, UINT64_MAX}, {0x0a, 1, 0},
	{0x0b, 2, 0},  {0x0c, 4, 0},  {0x0e, 8, 0},          {0x0d, -1, 0},
	{0x11, -1, 0}, {0x12, -1, 0}, {0x13, -1, 0},
};

/* Behind another byte than these the name is only used, or is the start of a longer statement. */
static const struct data_op *data_op_at(struct view body, size_t at)
{
	for (size_t i = 0; at < body.size && i < sizeof(data_ops) / sizeof(data_ops[0]); i++) {
		if (data_ops[i].op == bytes_u8(body, at))
			return &data_ops[i];
	}
	return NULL;
}

/* NameOp, and nothing or "\_SB_." in front of the segment. */
static bool is_defined_at(struct view body, size_t at)
{
	static const char scope[] = "_SB_";
	size_t prefix = 1 + strlen(scope);

	if (at >= 1 && bytes_u8(body, at - 1) == NAME_OP)
		return true;
	if (at < prefix + 1 || memcmp(body.at + at - strlen(scope), scope, strlen(scope)) != 0 ||
	    bytes_u8(body, at - prefix) != DUAL_NAME_PREFIX)
		return false;
	if (bytes_u8(body, at - prefix - 1) == ROOT_CHAR)
		prefix++;
	return at > prefix && bytes_u8(body, at - prefix - 1) == NAME_OP;
}

void aml_find(struct view body, const char *segment, struct aml_integer *found)
{
	struct view rest = body;
	const char *hit;

	while ((hit = rest.size < AML_SEGMENT_BYTES
			      ? NULL
			      : memmem(rest.at, rest.size, segment, AML_SEGMENT_BYTES))) {
		size_t at = (size_t)(hit - body.at), behind = at + AML_SEGMENT_BYTES;
		const struct data_op *op = data_op_at(body, behind);

		rest = (struct view){hit + 1, (size_t)(body.at + body.size - hit) - 1};
		if (!is_defined_at(body, at) || (!op && behind < body.size))
			continue;
		found->definitions++;
		found->constant =
			op && op->bytes >= 0 && (size_t)op->bytes <= body.size - behind - 1;
		if (found->constant)
			found->number = op->bytes
						? bytes_number(body, behind + 1, (size_t)op->bytes)
						: op->number;
	}
}

/* The definition block of a table; an errno, EBADMSG when it is not sound. */
static int read_body(struct host *host, const char *path, const char *signature, struct view *body)
{
	struct view raw, table;
	size_t length;
	int number = root_range(host->root, path, 0, ACPI_HEADER_BYTES, &raw);

	if (number)
		return number;
	length = bytes_u32(raw, 4);
	if (length > TABLE_BYTES_MAX)
		return EFBIG;
	number = root_range(host->root, path, 0, length, &raw);
	if (number)
		return number;
	if (acpi_table_damage(raw, signature, &table))
		return EBADMSG;
	*body = (struct view){table.at + ACPI_HEADER_BYTES, table.size - ACPI_HEADER_BYTES};
	return 0;
}

static struct value value_of(struct facts *facts, const char *of, const struct aml_integer *found,
			     const char *path)
{
	struct value value;

	if (!found->definitions)
		return value_none(arena_printf(facts->arena, "no ACPI table defines %s", of));
	if (found->definitions > 1)
		return value_unknown(facts->arena, UNKNOWN_DAMAGED,
				     "%s stands %zu times in the ACPI tables", of,
				     found->definitions);
	if (!found->constant || found->number > INT64_MAX)
		return value_unknown(facts->arena, UNKNOWN_DAMAGED, "%s: %s is no number", path,
				     of);
	value = value_number((int64_t)found->number);
	value_cite(facts->arena, &value, path,
		   arena_printf(facts->arena, "Name (%s, %" PRIu64 ")", of, found->number),
		   CONFIDENCE_INFERRED);
	return value;
}

static struct value integer(struct facts *facts, const char *of)
{
	const struct acpi *acpi = host_acpi(facts->host);
	struct aml_integer found = {0};
	const char *defined_in = ACPI_TABLES "/DSDT";
	size_t tables = 0;

	if (!of || strlen(of) != AML_SEGMENT_BYTES)
		return value_unknown(facts->arena, UNKNOWN_UNCONFIRMED,
				     "a name of an ACPI table has four letters");
	for (size_t i = 0; i < acpi->names.count && tables < TABLES_MAX; i++) {
		const char *name = acpi->names.items[i];
		bool dsdt = strcmp(name, "DSDT") == 0;
		const char *path = arena_printf(facts->arena, ACPI_TABLES "/%s", name);
		size_t before = found.definitions;
		struct view body;
		int number;

		if (!dsdt && !view_starts(view_of(name), "SSDT"))
			continue;
		tables++;
		number = read_body(facts->host, path, dsdt ? "DSDT" : "SSDT", &body);
		if (number == EBADMSG)
			return value_unknown(facts->arena, UNKNOWN_DAMAGED,
					     "%s: length or checksum is wrong", path);
		if (number)
			return value_unread(facts->arena, path, number);
		aml_find(body, of, &found);
		defined_in = found.definitions > before ? path : defined_in;
	}
	if (!tables)
		return value_unread(facts->arena, defined_in,
				    acpi->names_number ? acpi->names_number : ENOENT);
	return value_of(facts, of, &found, defined_in);
}

static const struct fact rows[] = {
	{.name = "acpi.integer",
	 .of = "a name of four letters, CPCE",
	 .summary = "the constant that DSDT or SSDT define under this name, when they do so once; "
		    "needs root",
	 .read = integer},
};

const struct fact_table aml_facts = FACT_TABLE(rows);
