// SPDX-License-Identifier: BSD-2-Clause
#include "fuzz.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "provision/plan.h"
#include "provision/stage.h"
#include "setup/openpgp.h"
#include "setup/pack_format.h"
#include "setup/prove_output.h"
#include "setup/store_private.h"

#include <string.h>

static bool has_part(const char *path, const char *name)
{
	struct view rest = view_of(path), part;

	while (view_split(&rest, '/', &part)) {
		if (view_is(part, name))
			return true;
	}
	return false;
}

/* No path of an accepted manifest leaves the tree, and what is written reads back the same. */
static void parse_manifest(struct arena *arena, struct view bytes)
{
	struct manifest manifest, again;
	struct error err = {0};
	struct view once, twice;

	if (!manifest_parse(arena, "manifest.json", bytes, &manifest, &err)) {
		PROMISE(strncmp(err.text, "manifest.json", 13) == 0);
		return;
	}
	PROMISE(manifest_names_fit(manifest.name, manifest.version, manifest.key));
	for (size_t i = 0; i < manifest.files.count; i++) {
		const char *path = manifest.files.items[i].path;

		PROMISE(path[0] && path[0] != '/' && !has_part(path, "..") && !has_part(path, ""));
		PROMISE(!i || strcmp(manifest.files.items[i - 1].path, path) < 0);
	}
	manifest_links_fit(&manifest, &err);
	once = manifest_text(arena, &manifest);
	PROMISE(manifest_parse(arena, "manifest.json", once, &again, &err));
	twice = manifest_text(arena, &again);
	PROMISE(once.size == twice.size && memcmp(once.at, twice.at, once.size) == 0);
}

static void parse_pack(struct arena *arena, struct view bytes)
{
	struct pack pack = {0};
	struct json json;

	if (json_parse(arena, PACK_FILE, bytes, &json, NULL) &&
	    fields_load(arena, &json, json.top, &pack_table, &pack, NULL))
		PROMISE(pack.prefix && pack.target);
}

/* A key that is found lies within what was read, and is found again in itself alone. */
static void parse_openpgp(struct arena *arena, struct view bytes)
{
	static const char fingerprint[] = "3F12CE8B5021B0D9AB0C9C6F303FFD0EF6D58060";
	struct view packets, key, again;

	if (!openpgp_read(arena, bytes, &packets))
		return;
	PROMISE(packets.size > 0);
	if (openpgp_is_signature(packets))
		PROMISE(!openpgp_find_key(packets, fingerprint, &key));
	if (!openpgp_find_key(packets, fingerprint, &key))
		return;
	PROMISE(key.at >= packets.at && key.size <= packets.size);
	PROMISE(openpgp_find_key(key, fingerprint, &again));
	PROMISE(again.at == key.at && again.size == key.size);
}

/* What programs of a proof print: paths are absolute, words are not longer than what they are
 * from, and nothing is right that says it is wrong. */
static void judge_output(struct arena *arena, struct view bytes)
{
	struct names loaded = {0}, words = {0}, right = {0}, wrong = {0};
	size_t size = 0;

	if (!output_rows(arena, bytes, 64))
		PROMISE(view_find(bytes, "6") && view_find(bytes, "4"));
	if (!output_number(arena, bytes, "word=", "0x119fd", "0x600"))
		PROMISE(view_find(bytes, "word=0x"));
	output_loaded(arena, bytes, &loaded);
	for (size_t i = 0; i < loaded.count; i++) {
		bool there;

		PROMISE(loaded.items[i][0] == '/');
		PROMISE(output_other(&loaded, loaded.items[i], &there) != loaded.items[i]);
		PROMISE(there);
	}
	output_words(arena, bytes, &words);
	for (size_t i = 0; i < words.count; i++)
		size += strlen(words.items[i]);
	PROMISE(size <= bytes.size);
	output_checks(arena, bytes, &right, &wrong);
	PROMISE(!wrong.count || view_find(bytes, ": WRONG") || view_find(bytes, ": MISSING"));
	PROMISE(!right.count || view_find(bytes, ": right") || view_find(bytes, ": there"));
}

/* Of a plan that is taken each stage has a command line, and nothing in it becomes an option. */
static void parse_provision(struct arena *arena, struct view bytes)
{
	struct provision_plan plan;
	struct error err = {0};
	struct json json;

	if (!provision_plan_parse(arena, "x", bytes, &plan, &json, &err)) {
		PROMISE(strncmp(err.text, "x:", 2) == 0);
		return;
	}
	PROMISE(plan.setup || plan.audit || plan.bench);
	for (enum provision_stage stage = STAGE_SETUP; stage < STAGE_REPORT; stage++) {
		struct names words;

		if (!provision_plan_has(&plan, stage))
			continue;
		provision_command(arena, &plan, stage, "/s", &(struct names){0},
				  &(struct provision_voice){.quiet = true}, &words);
		PROMISE(strcmp(words.items[1], provision_stages[stage]) == 0);
		for (size_t i = 2; i < words.count; i++)
			PROMISE(words.items[i][0] != '-' || strncmp(words.items[i], "--", 2) == 0);
		PROMISE(strlen(provision_shell(arena, &words)) >= words.count);
	}
}

const struct target store_targets[] = {
	{.name = "manifest", .parse = parse_manifest},
	{.name = "openpgp", .parse = parse_openpgp},
	{.name = "pack", .parse = parse_pack},
	{.name = "proof-output", .parse = judge_output},
	{.name = "provision", .parse = parse_provision},
	{0},
};
