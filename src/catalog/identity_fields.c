// SPDX-License-Identifier: BSD-2-Clause
#include "catalog/identity.h"

#define TEXT(type, name, member_name, words)                                                       \
	{                                                                                          \
		.key = (name), .kind = FIELD_TEXT, .offset = FIELD(type, member_name),             \
		.required = true, .nullable = true, .doc = (words)                                 \
	}
#define NUMBER(name, words)                                                                        \
	{                                                                                          \
		.key = #name, .kind = FIELD_MAYBE, .offset = FIELD(struct identity, name),         \
		.required = true, .nullable = true, .doc = (words)                                 \
	}

static const char *const families[] = {
	"altra",          "altramax",       "ampereone-ac03",
	"ampereone-ac04", "ampere-unknown", "emag",
	"neoverse-n1",    "other",          NULL,
};
static const char *const confidences[] = {"certain", "likely", "unknown", NULL};

/* Members of a struct inside a struct: written as an object, without a pointer to follow. */
static void write_firmware(struct json_writer *writer, const char *key, const void *member)
{
	const struct identity_firmware *firmware = member;

	json_object(writer, key);
	json_text(writer, "vendor", firmware->vendor);
	json_text(writer, "version", firmware->version);
	json_text(writer, "date", firmware->date);
	json_close(writer);
}

static void write_machine(struct json_writer *writer, const char *key, const void *member)
{
	const struct identity_machine *machine = member;

	json_object(writer, key);
	json_text(writer, "vendor", machine->vendor);
	json_text(writer, "product", machine->product);
	json_close(writer);
}

static void write_virtualization(struct json_writer *writer, const char *key, const void *member)
{
	const struct identity_virtualization *virtualization = member;

	json_object(writer, key);
	json_text(writer, "vm", virtualization->vm);
	json_text(writer, "container", virtualization->container);
	json_close(writer);
}

static void write_compiler(struct json_writer *writer, const char *key,
			   const struct compiler_flags *flags)
{
	json_object(writer, key);
	json_text(writer, "wanted", flags->wanted);
	json_text(writer, "accepted", flags->accepted);
	json_text(writer, "fallback", flags->fallback);
	json_text(writer, "why", flags->why);
	json_close(writer);
}

static void write_flags(struct json_writer *writer, const char *key, const void *member)
{
	const struct identity_flags *const *flags = member;

	if (!*flags) {
		json_null(writer, key);
		return;
	}
	json_object(writer, key);
	write_compiler(writer, "gcc", &(*flags)->gcc);
	write_compiler(writer, "clang", &(*flags)->clang);
	json_close(writer);
}

#define TEXT_OR_NULL "{\"type\": [\"string\", \"null\"]}"
#define COMPILER                                                                                   \
	"{\"type\": \"object\", \"required\": [\"wanted\", \"accepted\", \"fallback\", \"why\"], " \
	"\"properties\": {\"wanted\": " TEXT_OR_NULL ", \"accepted\": " TEXT_OR_NULL               \
	", \"fallback\": " TEXT_OR_NULL ", \"why\": " TEXT_OR_NULL "}}"

static const struct field identity_rows[] = {
	TEXT(struct identity, "arch", arch, "aarch64, x86_64 …"),
	{.key = "family",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct identity, family),
	 .required = true,
	 .nullable = true,
	 .names = families,
	 .doc = "the silicon"},
	TEXT(struct identity, "product", product, "X or M; decides channels and firmware series"),
	{.key = "family_confidence",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct identity, family_confidence),
	 .required = true,
	 .names = confidences,
	 .doc = "how sure the family is"},
	TEXT(struct identity, "sku", sku, "Q80-30, A192-32X …, from SMBIOS"),
	TEXT(struct identity, "midr", midr, "MIDR_EL1 of the first CPU, hexadecimal"),
	NUMBER(implementer, "MIDR_EL1 bits 31:24"),
	NUMBER(part, "MIDR_EL1 bits 15:4"),
	NUMBER(variant, "MIDR_EL1 bits 23:20"),
	NUMBER(revision, "MIDR_EL1 bits 3:0"),
	{.key = "features",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct identity, features),
	 .required = true,
	 .doc = "as the kernel spells HWCAPs"},
	NUMBER(packages, "packages with CPUs online"),
	NUMBER(cpus, "CPUs online"),
	NUMBER(nodes, "NUMA nodes online"),
	NUMBER(page_size_bytes, "of the kernel"),
	NUMBER(timer_hz, "generic timer (CNTFRQ)"),
	TEXT(struct identity, "kernel", kernel, "uname release"),
	{.key = "firmware",
	 .kind = FIELD_CUSTOM,
	 .offset = FIELD(struct identity, firmware),
	 .required = true,
	 .write = write_firmware,
	 .schema = "{\"type\": \"object\", \"properties\": {\"vendor\": " TEXT_OR_NULL
		   ", \"version\": " TEXT_OR_NULL ", \"date\": " TEXT_OR_NULL "}}",
	 .doc = "SMBIOS type 0"},
	{.key = "machine",
	 .kind = FIELD_CUSTOM,
	 .offset = FIELD(struct identity, machine),
	 .required = true,
	 .write = write_machine,
	 .schema = "{\"type\": \"object\", \"properties\": {\"vendor\": " TEXT_OR_NULL
		   ", \"product\": " TEXT_OR_NULL "}}",
	 .doc = "SMBIOS type 1"},
	{.key = "virtualization",
	 .kind = FIELD_CUSTOM,
	 .offset = FIELD(struct identity, virtualization),
	 .required = true,
	 .write = write_virtualization,
	 .schema = "{\"type\": \"object\", \"properties\": {\"vm\": " TEXT_OR_NULL
		   ", \"container\": " TEXT_OR_NULL "}}",
	 .doc = "hypervisor and container engine, \"none\" when known to be absent"},
	{.key = "evidence",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct identity, evidence),
	 .required = true,
	 .table = &evidence_table,
	 .doc = "each piece, in order of trust"},
	{.key = "contradictions",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct identity, contradictions),
	 .required = true,
	 .doc = "what does not fit the family"},
	{.key = "flags",
	 .kind = FIELD_CUSTOM,
	 .offset = FIELD(struct identity, flags),
	 .required = true,
	 .write = write_flags,
	 .schema = "{\"type\": [\"object\", \"null\"], \"properties\": {\"gcc\": " COMPILER
		   ", \"clang\": " COMPILER "}}",
	 .doc = "compiler flags for this CPU"},
};

const struct field_table identity_table =
	FIELD_TABLE("host", struct identity, identity_rows, "what machine this is");
