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

static const struct field firmware_rows[] = {
	TEXT(struct identity_firmware, "vendor", vendor, "who made the firmware"),
	TEXT(struct identity_firmware, "version", version, "as the vendor spells it"),
	TEXT(struct identity_firmware, "date", date, "as the vendor spells it"),
};

static const struct field_table firmware_table =
	FIELD_TABLE("firmware", struct identity_firmware, firmware_rows, "SMBIOS type 0");

static const struct field machine_rows[] = {
	TEXT(struct identity_machine, "vendor", vendor, "who made the machine"),
	TEXT(struct identity_machine, "product", product, "its model"),
};

static const struct field_table machine_table =
	FIELD_TABLE("machine", struct identity_machine, machine_rows, "SMBIOS type 1");

static const struct field virtualization_rows[] = {
	TEXT(struct identity_virtualization, "vm", vm, "hypervisor, none when there is none"),
	TEXT(struct identity_virtualization, "container", container,
	     "container engine, none when there is none"),
};

static const struct field_table virtualization_table = FIELD_TABLE(
	"virtualization", struct identity_virtualization, virtualization_rows, "what this runs in");

static const struct field compiler_rows[] = {
	TEXT(struct compiler_flags, "wanted", wanted, "the top of the profile's ladder"),
	TEXT(struct compiler_flags, "accepted", accepted, "what the compiler here took"),
	TEXT(struct compiler_flags, "fallback", fallback, "a lower step that had to do"),
	TEXT(struct compiler_flags, "why", why, "why this step"),
};

static const struct field_table compiler_table = FIELD_TABLE(
	"compiler-flags", struct compiler_flags, compiler_rows, "flags for one compiler");

static const struct field flags_rows[] = {
	{.key = "gcc",
	 .kind = FIELD_INSIDE,
	 .offset = FIELD(struct identity_flags, gcc),
	 .required = true,
	 .table = &compiler_table,
	 .doc = "GCC"},
	{.key = "clang",
	 .kind = FIELD_INSIDE,
	 .offset = FIELD(struct identity_flags, clang),
	 .required = true,
	 .table = &compiler_table,
	 .doc = "Clang"},
};

static const struct field_table flags_table =
	FIELD_TABLE("flags", struct identity_flags, flags_rows, "compiler flags for this CPU");

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
	 .kind = FIELD_INSIDE,
	 .offset = FIELD(struct identity, firmware),
	 .required = true,
	 .table = &firmware_table,
	 .doc = "SMBIOS type 0"},
	{.key = "machine",
	 .kind = FIELD_INSIDE,
	 .offset = FIELD(struct identity, machine),
	 .required = true,
	 .table = &machine_table,
	 .doc = "SMBIOS type 1"},
	{.key = "virtualization",
	 .kind = FIELD_INSIDE,
	 .offset = FIELD(struct identity, virtualization),
	 .required = true,
	 .table = &virtualization_table,
	 .doc = "hypervisor and container engine"},
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
	 .kind = FIELD_OBJECT,
	 .offset = FIELD(struct identity, flags),
	 .required = true,
	 .nullable = true,
	 .table = &flags_table,
	 .doc = "compiler flags for this CPU"},
};

const struct field_table identity_table =
	FIELD_TABLE("host", struct identity, identity_rows, "what machine this is");
