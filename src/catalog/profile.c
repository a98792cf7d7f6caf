// SPDX-License-Identifier: BSD-2-Clause
#include "catalog/profile.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <string.h>

#define FILE_MAX_BYTES ((size_t)256 << 10)
#define PROFILES_MAX 64

#define ROW(member_name) .offset = FIELD(struct cpu_profile, member_name)

static const struct field step_rows[] = {
	{.key = "flags",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct flag_step, flags),
	 .required = true,
	 .pattern = "^-m[a-z]+=[a-z0-9.+-]+( -m[a-z]+=[a-z0-9.+-]+)*$",
	 .doc = "words for the compiler, never native"},
	{.key = "why",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct flag_step, why),
	 .required = true,
	 .doc = "which compilers it is for"},
};

static const struct field_table step_table =
	FIELD_TABLE("flag-step", struct flag_step, step_rows, "one step of a flag ladder");

static const char *const families[] = {
	"altra",          "altramax",       "ampereone-ac03",
	"ampereone-ac04", "ampere-unknown", "emag",
	"neoverse-n1",    "other",          NULL,
};

static const struct field profile_rows[] = {
	{.key = "name",
	 .kind = FIELD_TEXT,
	 ROW(name),
	 .required = true,
	 .pattern = "^[a-z0-9-]+$",
	 .doc = "the file's name"},
	{.key = "title", .kind = FIELD_TEXT, ROW(title), .required = true, .doc = "for people"},
	{.key = "family",
	 .kind = FIELD_ENUM,
	 ROW(family),
	 .required = true,
	 .names = families,
	 .doc = "the silicon, as in the host object"},
	{.key = "implementer",
	 .kind = FIELD_NUMBER,
	 ROW(implementer),
	 .required = true,
	 .maximum = 255,
	 .doc = "MIDR_EL1 bits 31:24"},
	{.key = "part",
	 .kind = FIELD_NUMBER,
	 ROW(part),
	 .required = true,
	 .maximum = 4095,
	 .doc = "MIDR_EL1 bits 15:4"},
	{.key = "variant",
	 .kind = FIELD_MAYBE,
	 ROW(variant),
	 .nullable = true,
	 .doc = "MIDR_EL1 bits 23:20, where another value is other silicon"},
	{.key = "revision",
	 .kind = FIELD_MAYBE,
	 ROW(revision),
	 .nullable = true,
	 .doc = "MIDR_EL1 bits 3:0, where another value is other silicon"},
	{.key = "soc-id",
	 .kind = FIELD_TEXT,
	 ROW(soc_id),
	 .nullable = true,
	 .doc = "SMCCC SOC_ID as the kernel prints it"},
	{.key = "processor-version",
	 .kind = FIELD_TEXT,
	 ROW(processor_version),
	 .nullable = true,
	 .doc = "SMBIOS type 4 version, exact"},
	{.key = "part-number",
	 .kind = FIELD_TEXT,
	 ROW(part_number),
	 .nullable = true,
	 .doc = "SMBIOS type 4 part number, a glob"},
	{.key = "most-cores",
	 .kind = FIELD_MAYBE,
	 ROW(most_cores),
	 .nullable = true,
	 .doc = "cores of a package; more is other silicon"},
	{.key = "ampere",
	 .kind = FIELD_BOOL,
	 ROW(ampere),
	 .required = true,
	 .doc = "made by Ampere: its firmware and memory checks apply"},
	{.key = "features",
	 .kind = FIELD_TEXTS,
	 ROW(features),
	 .required = true,
	 .doc = "that cryptography needs, as the kernel spells HWCAPs"},
	{.key = "features-absent",
	 .kind = FIELD_TEXTS,
	 ROW(features_absent),
	 .doc = "that this silicon does not have"},
	{.key = "gcc",
	 .kind = FIELD_ARRAY,
	 ROW(gcc),
	 .table = &step_table,
	 .doc = "flags for GCC, tried from the top"},
	{.key = "clang",
	 .kind = FIELD_ARRAY,
	 ROW(clang),
	 .table = &step_table,
	 .doc = "flags for Clang, tried from the top"},
	{.key = "channels",
	 .kind = FIELD_MAYBE,
	 ROW(channels),
	 .nullable = true,
	 .doc = "memory channels of a package"},
	{.key = "channels-m",
	 .kind = FIELD_MAYBE,
	 ROW(channels_m),
	 .nullable = true,
	 .doc = "memory channels of a package of product M"},
	{.key = "memory-mts",
	 .kind = FIELD_MAYBE,
	 ROW(memory_mts),
	 .nullable = true,
	 .doc = "ceiling of the memory speed in MT/s"},
	{.key = "memory-mts-m",
	 .kind = FIELD_MAYBE,
	 ROW(memory_mts_m),
	 .nullable = true,
	 .doc = "ceiling of the memory speed of product M in MT/s"},
	{.key = "armcap",
	 .kind = FIELD_MAYBE,
	 ROW(armcap),
	 .nullable = true,
	 .doc = "OpenSSL's capability word"},
	{.key = "dpdk-platform",
	 .kind = FIELD_TEXT,
	 ROW(dpdk_platform),
	 .nullable = true,
	 .doc = "DPDK's -Dplatform"},
	{.key = "dpdk-lcores",
	 .kind = FIELD_MAYBE,
	 ROW(dpdk_lcores),
	 .nullable = true,
	 .doc = "DPDK's -Dmax_lcores"},
	{.key = "expected-instructions",
	 .kind = FIELD_TEXTS,
	 ROW(expected_instructions),
	 .doc = "that a build for this CPU should hold"},
	{.key = "emulator",
	 .kind = FIELD_TEXT,
	 ROW(emulator),
	 .nullable = true,
	 .doc = "QEMU's -cpu"},
	{.key = "references", .kind = FIELD_TEXTS, ROW(references), .doc = "where this is from"},
};

const struct field_table cpu_profile_table =
	FIELD_TABLE("cpu", struct cpu_profile, profile_rows, "all that is known of one CPU");

static bool load_file(struct arena *arena, const char *path, struct cpu_profile *profile,
		      struct error *err)
{
	struct json json;
	struct view text;

	return file_read(arena, path, FILE_MAX_BYTES, &text, err) &&
	       json_parse(arena, path, text, &json, err) &&
	       fields_load(arena, &json, json.top, &cpu_profile_table, profile, err);
}

bool cpu_profiles_load(struct arena *arena, struct cpu_profiles *out, struct error *err)
{
	const char *directory = file_data_path(arena, "profiles/cpu");
	struct cpu_profiles all;
	struct names files;

	if (!file_list(arena, directory, ".json", &files, err))
		return false;
	if (files.count > PROFILES_MAX)
		return error_set(err, "%s: more than %d files", directory, PROFILES_MAX);
	all = (struct cpu_profiles){
		.items = arena_array(arena, struct cpu_profile, files.count + 1)};
	for (size_t i = 0; i < files.count; i++) {
		const char *path = arena_printf(arena, "%s/%s", directory, files.items[i]);
		struct cpu_profile *profile = &all.items[all.count++];

		if (!load_file(arena, path, profile, err))
			return false;
		if (!view_starts(view_of(files.items[i]), profile->name) ||
		    strlen(files.items[i]) != strlen(profile->name) + strlen(".json"))
			return error_set(err, "%s: name: \"%s\" is not the file's name", path,
					 profile->name);
	}
	*out = all;
	return true;
}

const struct cpu_profile *cpu_profiles_find(const struct cpu_profiles *profiles, const char *name)
{
	for (size_t i = 0; i < profiles->count; i++) {
		if (strcmp(profiles->items[i].name, name) == 0)
			return &profiles->items[i];
	}
	return NULL;
}
