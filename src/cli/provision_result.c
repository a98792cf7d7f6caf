// SPDX-License-Identifier: BSD-2-Clause
#include "base/file.h"
#include "base/sha256.h"
#include "catalog/identity.h"
#include "cli/provision.h"
#include "setup/store.h"

#include <inttypes.h>
#include <string.h>

#define TEXT_MAX ((size_t)64 << 10)
#define IDENTITY_BYTES_MAX ((size_t)16 << 20)

const cJSON *provision_read_result(struct provision *provision, const char *path)
{
	struct arena *arena = &provision->cli->arena;
	struct view text;
	struct json json;

	if (!file_exists(path) ||
	    !file_read(arena, path, PROVISION_RESULT_BYTES_MAX, &text, NULL) ||
	    !json_parse(arena, path, text, &json, NULL))
		return NULL;
	return json.top;
}

static const char *text_of(const cJSON *object, const char *key)
{
	const cJSON *at = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(at) ? at->valuestring : NULL;
}

static int64_t number_of(const cJSON *object, const char *key)
{
	const cJSON *at = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsNumber(at) ? (int64_t)at->valuedouble : 0;
}

/* The first message that says why a command failed. */
static const char *error_of(const cJSON *result)
{
	const cJSON *messages = cJSON_GetObjectItemCaseSensitive(result, "messages"), *one;

	cJSON_ArrayForEach (one, messages) {
		const char *level = text_of(one, "level");

		if (level && strcmp(level, "error") == 0)
			return text_of(one, "text");
	}
	return NULL;
}

/* "3 trees: 1 built, 2 active" */
static const char *say_setup(struct arena *arena, const cJSON *result)
{
	static const char *const states[] = {"failed", "built", "stored", "active", "planned"};
	const cJSON *trees = cJSON_GetObjectItemCaseSensitive(result, "results"), *tree;
	struct buffer text = buffer_new(arena, TEXT_MAX);
	int count = cJSON_GetArraySize(trees);
	const char *separator = ": ";

	if (!count)
		return "nothing to install";
	buffer_printf(&text, "%d tree%s", count, count == 1 ? "" : "s");
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		size_t of_state = 0;

		cJSON_ArrayForEach (tree, trees) {
			const char *state = text_of(tree, "state");

			of_state += state && strcmp(state, states[i]) == 0;
		}
		if (!of_state)
			continue;
		buffer_printf(&text, "%s%zu %s", separator, of_state, states[i]);
		separator = ", ";
	}
	return buffer_string(&text);
}

/* "2 fail, 3 unknown (1 needs root), 40 pass" */
static const char *say_counts(struct arena *arena, const cJSON *result)
{
	const cJSON *summary = cJSON_GetObjectItemCaseSensitive(result, "summary");
	int64_t unknown = number_of(summary, "unknown"), waived = number_of(summary, "waived");
	int64_t needs_root = number_of(summary, "needs_root");
	struct buffer text = buffer_new(arena, TEXT_MAX);

	buffer_printf(&text, "%" PRId64 " fail", number_of(summary, "fail"));
	if (unknown)
		buffer_printf(&text, ", %" PRId64 " unknown", unknown);
	if (needs_root)
		buffer_printf(&text, " (%" PRId64 " need%s root)", needs_root,
			      needs_root == 1 ? "s" : "");
	if (waived)
		buffer_printf(&text, ", %" PRId64 " waived", waived);
	buffer_printf(&text, ", %" PRId64 " pass", number_of(summary, "pass"));
	return buffer_string(&text);
}

const char *provision_say_result(struct provision *provision, enum provision_stage stage,
				 const cJSON *result)
{
	struct arena *arena = &provision->cli->arena;
	const cJSON *summary = cJSON_GetObjectItemCaseSensitive(result, "summary");

	if (error_of(result))
		return error_of(result);
	if (stage == STAGE_AUDIT)
		provision->summary.needs_root = number_of(summary, "needs_root");
	return stage == STAGE_SETUP ? say_setup(arena, result) : say_counts(arena, result);
}

void provision_keys(struct provision *provision, const cJSON *setup)
{
	struct arena *arena = &provision->cli->arena;
	const cJSON *trees = cJSON_GetObjectItemCaseSensitive(setup, "results"), *tree;
	struct provision_summary *summary = &provision->summary;
	struct buffer text = buffer_new(arena, TEXT_MAX);
	char hex[DIGEST_HEX_SIZE];
	bool whole = true;

	/* Where it is built is in some trees: a cache restores them to the same place. */
	buffer_printf(&text, "%s\n%s\n", program_version, summary->prefix);
	cJSON_ArrayForEach (tree, trees) {
		const char *name = text_of(tree, "name"), *version = text_of(tree, "version");
		const char *key = text_of(tree, "key");

		whole &= name && version && key;
		names_add(arena, &summary->trees,
			  arena_printf(arena, "%s-%s-%s", name ? name : "NAME",
				       version ? version : "VERSION", key ? key : "KEY"));
	}
	names_sort(&summary->trees);
	for (size_t i = 0; i < summary->trees.count; i++)
		buffer_printf(&text, "%s\n", summary->trees.items[i]);
	if (!whole || !summary->trees.count)
		return;
	sha256_text(buffer_view(&text), hex);
	summary->cache_key = arena_strdup(arena, hex);
}

/* A file that the plan names counts with what is in it. */
static bool add_file(struct provision *provision, struct buffer *text, const char *path)
{
	struct cli *cli = provision->cli;
	char hex[DIGEST_HEX_SIZE];
	struct view bytes;

	if (!path)
		return true;
	if (!file_read(&cli->arena, path, PROVISION_RESULT_BYTES_MAX, &bytes, &cli->error))
		return false;
	sha256_text(bytes, hex);
	buffer_printf(text, "file %s %s\n", path, hex);
	return true;
}

bool provision_pack_key(struct provision *provision)
{
	struct cli *cli = provision->cli;
	struct buffer text = buffer_new(&cli->arena, TEXT_MAX);
	char hex[DIGEST_HEX_SIZE];

	buffer_printf(&text, "%s\n%s\n", program_version, provision->summary.prefix);
	if (!add_file(provision, &text, provision->plan.setup->pack))
		return false;
	sha256_text(buffer_view(&text), hex);
	provision->summary.cache_key = arena_strdup(&cli->arena, hex);
	return true;
}

/* What is active in the prefix, which is what bench measures. */
static bool add_trees(struct provision *provision, struct buffer *text)
{
	struct cli *cli = provision->cli;
	struct store store;
	struct generation active = {0};
	bool good;

	if (!store_open(&cli->arena, provision->plan.prefix, STORE_READ, &store, &cli->error))
		return false;
	good = store.fd < 0 || store_current(&store, &active, &cli->error);
	store_close(&store);
	for (size_t i = 0; good && i < active.trees.count; i++)
		buffer_printf(text, "tree %s %s %s\n", active.trees.items[i].name,
			      active.trees.items[i].version, active.trees.items[i].key);
	return good;
}

/* How the machine is set, as far as it decides what bench measures. Nothing that moves by itself,
 * such as free memory: it would be measured again for no reason. */
static void add_settings(struct cli *cli, struct buffer *text)
{
	static const char *const names[] = {
		"cpufreq.governors",
		"cpufreq.limit",
		"cpuidle.deep-states",
		"kernel.thp",
		"kernel.sysctl(kernel.numa_balancing)",
		"memory.speed",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		buffer_printf(text, "setting %s %s\n", names[i],
			      value_format(&cli->arena, facts_get(cli->facts, names[i]), NULL));
}

bool provision_inputs(struct provision *provision, const struct names *command,
		      char hex[DIGEST_HEX_SIZE])
{
	struct cli *cli = provision->cli;
	const struct provision_bench *bench = provision->plan.bench;
	struct buffer text = buffer_new(&cli->arena, IDENTITY_BYTES_MAX);
	struct json_writer writer;

	if (!cli->identity && !cli_open_host(cli))
		return false;
	json_begin(&writer, &text);
	fields_write(&writer, NULL, &identity_table, cli->identity);
	json_end(&writer);
	buffer_printf(&text, "version %s\ncommand %s\n", program_version,
		      provision_shell(&cli->arena, command));
	add_settings(cli, &text);
	if (!add_trees(provision, &text) || !add_file(provision, &text, bench->baseline))
		return false;
	for (size_t i = 0; i < bench->suites.count; i++) {
		const char *suite = bench->suites.items[i];

		if (strchr(suite, '/') && !add_file(provision, &text, suite))
			return false;
	}
	sha256_text(buffer_view(&text), hex);
	return true;
}
