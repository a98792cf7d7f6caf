// SPDX-License-Identifier: BSD-2-Clause
#include "fuzz.h"
#include "plan_alone.h"

#include "audit/waivers.h"
#include "base/arena.h"
#include "base/base64.h"
#include "base/error.h"
#include "base/json.h"
#include "base/utf8.h"
#include "catalog/profile.h"
#include "catalog/recipe.h"
#include "catalog/version.h"
#include "check/check.h"
#include "fetch/reply.h"
#include "host/aml.h"
#include "host/der.h"
#include "host/hide.h"
#include "host/redact.h"
#include "host/root_private.h"
#include "report/diff.h"
#include "report/page.h"

#include <string.h>

#define OUT_MAX ((size_t)64 << 20)

static struct view write_tree(struct arena *arena, const cJSON *tree)
{
	struct buffer out = buffer_new(arena, OUT_MAX);
	struct json_writer writer;

	json_begin(&writer, &out);
	json_tree(&writer, NULL, tree);
	json_end(&writer);
	PROMISE(!out.full);
	return buffer_view(&out);
}

static bool same(struct view a, struct view b)
{
	return a.size == b.size && (!a.size || memcmp(a.at, b.at, a.size) == 0);
}

/* What was read is written, read again and written again the same; a refusal names its place. */
static void parse_json(struct arena *arena, struct view bytes)
{
	struct json json, again;
	struct error err = {0};
	struct view once;

	if (!json_parse(arena, "x", bytes, &json, &err)) {
		PROMISE(strncmp(err.text, "x:", 2) == 0);
		return;
	}
	once = write_tree(arena, json.top);
	PROMISE(json_parse(arena, "y", once, &again, &err));
	PROMISE(cJSON_Compare(json.top, again.top, true));
	PROMISE(same(once, write_tree(arena, again.top)));
}

/* Base64 in both directions, CPU lists, numbers, printable text, the writer on any bytes. */
static void parse_words(struct arena *arena, struct view bytes)
{
	struct buffer out = buffer_new(arena, OUT_MAX);
	struct view decoded, printable;
	struct json_writer writer;
	struct json json;
	uint32_t *cpus, code;
	size_t count, size;
	int64_t number;

	PROMISE(base64_decode(arena, view_of(base64_encode(arena, bytes)), &decoded));
	PROMISE(same(bytes, decoded));
	base64_decode(arena, bytes, &decoded);
	view_i64(bytes, &number);
	if (text_cpulist(arena, bytes, 4096, &cpus, &count)) {
		const char *ranges = text_ranges(arena, cpus, count);
		size_t again;

		PROMISE(count <= 4096);
		PROMISE(text_cpulist(arena, view_of(ranges), 4096, &cpus, &again) &&
			count == again);
	}
	printable = view_of(text_printable(arena, bytes));
	for (; printable.size; printable.at += size, printable.size -= size) {
		size = utf8_next(printable, &code);
		PROMISE(size && !utf8_is_control(code));
	}
	json_begin(&writer, &out);
	json_view(&writer, NULL, bytes);
	json_end(&writer);
	PROMISE(json_parse(arena, "x", buffer_view(&out), &json, NULL));
	text_nearest(view_copy(arena, bytes), (const char *const[]){"pass", "fail", "unknown"}, 3);
}

struct check_list {
	struct field_array checks;
};

static void parse_checks(struct arena *arena, struct view bytes)
{
	struct check_list list = {0};
	struct error err;
	struct json json;

	if (!json_parse(arena, "checks.json", bytes, &json, &err) ||
	    !fields_load(arena, &json, json.top, &check_file_table, &list, &err))
		return;
	for (size_t i = 0; i < list.checks.count; i++) {
		const struct check *check = (const struct check *)list.checks.items + i;
		struct names names = {0};

		PROMISE(check->id && check->why && check->pass);
		rule_facts(arena, check->pass, &names);
		PROMISE(names.count > 0);
	}
}

static void parse_profile(struct arena *arena, struct view bytes)
{
	struct cpu_profile profile = {0};
	struct error err;
	struct json json;

	if (json_parse(arena, "profile.json", bytes, &json, &err) &&
	    fields_load(arena, &json, json.top, &cpu_profile_table, &profile, &err))
		PROMISE(profile.name && profile.family);
}

static void parse_waivers(struct arena *arena, struct view bytes)
{
	static struct check known[] = {{.id = "cpu.governor"}, {.id = "memory.channels"}};
	static const struct checks checks = {known, 2};
	struct finding finding = {.id = "cpu.governor", .outcome = "fail"};
	struct field_array findings = {&finding, 1};
	struct waivers waivers;
	struct error err;

	if (!waivers_parse(arena, &checks, "waivers.json", bytes, &waivers, &err))
		return;
	waivers_apply(arena, &waivers, "2027-01-01", &findings);
	PROMISE(strcmp(finding.outcome, "fail") == 0 || finding.waiver);
}

static struct root capture_of(struct arena *arena)
{
	return (struct root){.arena = arena,
			     .kind = ROOT_CAPTURE,
			     .name = "x",
			     .top = {.fd = -1},
			     .open_fd = -1};
}

static void ask_all(struct root *root, const char *path)
{
	struct root_stat status;
	struct names names;
	struct view view;
	const char *text;

	root_read(root, path, &view);
	root_range(root, path, 1, 64, &view);
	root_list(root, path, &names);
	root_link(root, path, &text);
	root_stat(root, path, &status);
	root_lstat(root, path, &status);
	root_resolve(root, path, &text);
}

static struct view record(struct root *root)
{
	struct buffer out = buffer_new(root->arena, OUT_MAX);
	struct json_writer writer;

	json_begin(&writer, &out);
	json_object(&writer, NULL);
	json_text(&writer, "schema", "ampere-crypto/capture 1.0.0");
	root_record(root, &writer);
	json_end(&writer);
	return buffer_view(&out);
}

/* Every question about every path of a capture is answered, and its record is the same capture. */
static void parse_capture(struct arena *arena, struct view bytes)
{
	struct root root = capture_of(arena), again = capture_of(arena), third = capture_of(arena);
	struct error err = {0};
	struct view once, twice;

	if (!root_capture_load(&root, bytes, &err)) {
		PROMISE(err.text[0]);
		return;
	}
	for (size_t i = 0; i < root.slot_count; i++)
		if (root.slots[i])
			ask_all(&root, root.slots[i]->path);
	once = record(&root);
	PROMISE(root_capture_load(&again, once, &err));
	twice = record(&again);
	PROMISE(root_capture_load(&third, twice, &err));
	PROMISE(same(twice, record(&third)));
}

/* Two reports with a NUL between them, or one against itself. */
static void parse_diff(struct arena *arena, struct view bytes)
{
	const char *middle = bytes.size ? memchr(bytes.at, 0, bytes.size) : NULL;
	struct diff_side before = {"a.json", bytes}, after = {"b.json", bytes};
	struct changes changes = {0};
	struct error err = {0};

	if (middle) {
		before.text.size = (size_t)(middle - bytes.at);
		after.text = (struct view){middle + 1, bytes.size - before.text.size - 1};
	}
	if (!diff_texts(arena, &before, &after, &changes, &err))
		PROMISE(err.text[0]);
	for (size_t i = 0; i < changes.count; i++)
		PROMISE(changes.items[i].kind && changes.items[i].id);
}

/* The first byte is the width of the page and the margin. */
static void parse_page(struct arena *arena, struct view bytes)
{
	struct buffer out = buffer_new(arena, OUT_MAX);
	struct page page = {.out = &out, .arena = arena};
	size_t indent = bytes.size ? (unsigned char)bytes.at[0] % 32 : 0;
	struct view rest, line;

	page.width = 40 + (bytes.size ? (unsigned char)bytes.at[0] / 2 : 0);
	page_put(&page, STYLE_BAD, "word");
	page_to(&page, indent);
	page_wrap(&page, indent, view_copy(arena, bytes));
	page_end(&page);
	rest = buffer_view(&out);
	while (view_line(&rest, &line)) {
		PROMISE(!view_ends(line, " "));
		for (size_t i = 0; i < line.size; i++)
			PROMISE((unsigned char)line.at[i] >= 0x20 && line.at[i] != 0x7f);
		PROMISE(page_cells(arena_copy(arena, line.at, line.size)) <=
			page.width + indent + 6);
	}
}

static void parse_recipe(struct arena *arena, struct view bytes)
{
	static const char *const versions[] = {"3.0.17", "1.1.1w", "24.11.3", "", "x"};
	struct recipe recipe = {0};
	const struct recipe_rule *rule;
	struct error err = {0};
	struct json json;

	if (!json_parse(arena, "recipe.json", bytes, &json, &err) ||
	    !fields_load(arena, &json, json.top, &recipe_table, &recipe, &err))
		return;
	rule = recipe.rules.items;
	for (size_t i = 0; i < recipe.rules.count; i++)
		for (size_t j = 0; j < sizeof(versions) / sizeof(versions[0]); j++)
			recipe_judge(&rule[i], versions[j]);
	recipe.json = json;
	recipe.directory = "recipes/x";
	if (recipe_check(arena, &recipe, &err))
		plan_recipe_alone(arena, &recipe);
	else
		PROMISE(strncmp(err.text, "recipe.json:", 12) == 0);
}

/* An order: what is older than another is not newer too. */
static void parse_version(struct arena *arena, struct view bytes)
{
	struct view rest = bytes, part;
	const char *one, *other;

	view_split(&rest, ' ', &part);
	one = view_copy(arena, part);
	other = view_copy(arena, rest);
	PROMISE(version_compare(one, one) == 0);
	PROMISE((version_compare(one, other) < 0) == (version_compare(other, one) > 0));
	version_fits(one, other);
	version_expression(other);
}

static void parse_certificate(struct arena *arena, struct view bytes)
{
	struct certificate certificate;

	if (certificate_parse(bytes, &certificate))
		certificate_key(arena, &certificate);
}

/* One file of every kind that is redacted. Tables keep their size and, redacted once, stay as they
 * are; of text the blanks may change. */
static void parse_redacted(struct arena *arena, struct view bytes)
{
	static const struct {
		const char *path;
		bool is_table;
	} files[] = {
		{"/sys/firmware/dmi/tables/DMI", true},
		{"/sys/bus/pci/devices/0000:01:00.0/config", true},
		{"/sys/class/dmi/id/chassis_asset_tag", false},
		{"/proc/cmdline", false},
		{"/etc/security/limits.conf", false},
		{"/etc/nginx/nginx.conf", false},
		{"/etc/haproxy/haproxy.cfg", false},
		{"/etc/ssl/openssl.cnf", false},
		{"/etc/environment", false},
		{"/etc/ssl/site.pem", false},
		{"/proc/version", false},
		{"/proc/cpuinfo", false},
		{"/proc/mounts", false},
		{"/proc/1/comm", false},
		{"/etc/ld.so.conf", false},
	};
	struct names hidden = {0};
	struct view once;
	size_t choice;

	if (!bytes.size)
		return;
	choice = (uint8_t)bytes.at[0] % (sizeof(files) / sizeof(files[0]));
	bytes = (struct view){bytes.at + 1, bytes.size - 1};
	once = redact(arena, files[choice].path, bytes);
	if (files[choice].is_table)
		PROMISE(same(once, redact(arena, files[choice].path, once)));
	hide_text(arena, &hidden, files[choice].path, once);
}

/* What a validator holds is sent to servers: no control character gets into it. */
static void parse_reply(struct arena *arena, struct view bytes)
{
	struct reply reply = {0};
	struct view line;

	(void)arena;
	while (view_split(&bytes, '\n', &line)) {
		const char *validator;

		reply_add(&reply, line);
		validator = reply_validator(&reply);
		PROMISE(strlen(validator) < REPLY_VALIDATOR_SIZE);
		for (; *validator; validator++)
			PROMISE(*validator >= ' ' && *validator <= '~');
		PROMISE(reply.status <= 999);
	}
}

/* Each definition has bytes of its own, and a second look finds as many again. */
static void parse_aml(struct arena *arena, struct view bytes)
{
	struct aml_integer found = {0};
	size_t once;

	(void)arena;
	aml_find(bytes, "CPCE", &found);
	once = found.definitions;
	PROMISE(once <= bytes.size / (1 + AML_SEGMENT_BYTES));
	PROMISE(once || !found.constant);
	aml_find(bytes, "CPCE", &found);
	PROMISE(found.definitions == 2 * once);
}

const struct target text_targets[] = {
	{.name = "aml", .parse = parse_aml},
	{.name = "json", .parse = parse_json},
	{.name = "words", .parse = parse_words},
	{.name = "checks", .parse = parse_checks},
	{.name = "profile", .parse = parse_profile},
	{.name = "recipe", .parse = parse_recipe},
	{.name = "version", .parse = parse_version},
	{.name = "waivers", .parse = parse_waivers},
	{.name = "capture", .parse = parse_capture},
	{.name = "diff", .parse = parse_diff},
	{.name = "page", .parse = parse_page},
	{.name = "certificate", .parse = parse_certificate},
	{.name = "reply", .parse = parse_reply},
	{.name = "redaction", .parse = parse_redacted},
	{.name = NULL}, /* the last */
};
