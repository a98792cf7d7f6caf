// SPDX-License-Identifier: BSD-2-Clause
#include "report/sarif.h"

#include "base/arena.h"
#include "base/error.h"
#include "host/value.h"
#include "report/outcome.h"

#include <stdlib.h>
#include <string.h>

#define SCHEMA_ADDRESS                                                                             \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"                      \
	"sarif-schema-2.1.0.json"
#define EVIDENCE_MAX ((size_t)64) /* locations of one result */

/* A verdict and the rule that it is a result of: the first verdict of the same id makes it. */
struct result {
	const struct verdict *verdict;
	size_t order, rule;
	struct result *first;
};

struct sarif {
	struct json_writer json;
	struct arena *arena;
	const struct document *document;
	struct result *results;
	size_t count;
};

/* 3.27.9: what a verdict is. A waived one failed, and 3.27.23 says that it was accepted. */
static const char *kind_of(const char *outcome)
{
	static const char *const kinds[][2] = {
		{"pass", "pass"}, {"na", "notApplicable"}, {"unknown", "open"}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i][0], outcome) == 0)
			return kinds[i][1];
	}
	return "fail";
}

/* 3.27.10 knows four levels. */
static const char *level_of(const char *severity)
{
	static const char *const levels[][2] = {
		{"critical", "error"}, {"high", "error"}, {"medium", "warning"}};

	for (size_t i = 0; severity && i < sizeof(levels) / sizeof(levels[0]); i++) {
		if (strcmp(levels[i][0], severity) == 0)
			return levels[i][1];
	}
	return severity ? "note" : "error";
}

static int by_id(const void *a, const void *b)
{
	const struct result *left = *(const struct result *const *)a,
			    *right = *(const struct result *const *)b;
	int order = strcmp(left->verdict->id, right->verdict->id);

	return order ? order : (left->order > right->order) - (left->order < right->order);
}

static void collect(struct sarif *sarif)
{
	struct result **sorted;
	size_t rules = 0;

	for (const struct verdict *v = sarif->document->facets.first_verdict; v; v = v->next)
		sarif->count++;
	sarif->results = arena_array(sarif->arena, struct result, sarif->count + 1);
	sorted = arena_array(sarif->arena, struct result *, sarif->count + 1);
	sarif->count = 0;
	for (const struct verdict *v = sarif->document->facets.first_verdict; v; v = v->next) {
		struct result *result = &sarif->results[sarif->count];

		*result = (struct result){.verdict = v, .order = sarif->count};
		sorted[sarif->count++] = result;
	}
	qsort(sorted, sarif->count, sizeof(*sorted), by_id);
	for (size_t i = 0; i < sarif->count; i++)
		sorted[i]->first =
			i && strcmp(sorted[i - 1]->verdict->id, sorted[i]->verdict->id) == 0
				? sorted[i - 1]->first
				: sorted[i];
	for (size_t i = 0; i < sarif->count; i++)
		sarif->results[i].rule = sarif->results[i].first == &sarif->results[i]
						 ? rules++
						 : sarif->results[i].first->rule;
}

/* {"text": …}, as every message is. */
static void put_message(struct json_writer *json, const char *key, const char *text)
{
	json_object(json, key);
	json_text(json, "text", text);
	json_close(json);
}

/* RFC 3986: what may stand in a path stays, all else is %XX, byte by byte. */
static const char *uri_of(struct arena *arena, const char *path)
{
	struct buffer out = buffer_new(arena, strlen(path) * 3 + 1);

	for (const char *at = path; *at; at++) {
		const unsigned char c = (unsigned char)*at;

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		    strchr("-._~/!$&'()*+,;=@", c))
			buffer_char(&out, (char)c);
		else
			buffer_printf(&out, "%%%02X", c);
	}
	return buffer_string(&out);
}

/* An address that no reader has to doubt; other sources stand in the text of the rule. */
static const char *address_in(const struct names *references)
{
	for (size_t i = 0; i < references->count; i++) {
		struct view text = view_of(references->items[i]);
		bool plain = view_starts(text, "https://") || view_starts(text, "http://");

		for (size_t c = 0; plain && c < text.size; c++)
			plain = text.at[c] > ' ' && text.at[c] < 0x7f &&
				!strchr("\"<>\\^`{|}[]", text.at[c]);
		if (plain)
			return references->items[i];
	}
	return NULL;
}

static void add_part(struct buffer *out, const char *what, const char *text)
{
	if (text && *text)
		buffer_printf(out, "%s%s: %s", out->size ? "\n" : "", what, text);
}

static void put_rule(struct sarif *sarif, const struct verdict *verdict)
{
	struct json_writer *json = &sarif->json;
	struct buffer help = buffer_new(sarif->arena, 1 << 20);
	const char *address = address_in(&verdict->references);

	add_part(&help, "cost", verdict->cost);
	add_part(&help, "fix", verdict->fix);
	add_part(&help, "undo", verdict->undo);
	add_part(&help, "sources", names_join(sarif->arena, &verdict->references, "; "));
	json_object(json, NULL);
	json_text(json, "id", verdict->id);
	put_message(json, "shortDescription", verdict->title ? verdict->title : verdict->id);
	if (verdict->why)
		put_message(json, "fullDescription", verdict->why);
	if (help.size)
		put_message(json, "help", buffer_string(&help));
	if (address)
		json_text(json, "helpUri", address);
	json_object(json, "defaultConfiguration");
	json_text(json, "level", level_of(verdict->severity));
	json_close(json);
	if (verdict->group) {
		json_object(json, "properties");
		json_array(json, "tags");
		json_text(json, NULL, verdict->group);
		json_close(json);
		json_close(json);
	}
	json_close(json);
}

static void put_tool(struct sarif *sarif)
{
	struct json_writer *json = &sarif->json;

	json_object(json, "tool");
	json_object(json, "driver");
	json_text(json, "name", sarif->document->tool.name);
	json_text(json, "version", sarif->document->tool.version);
	json_array(json, "rules");
	for (size_t i = 0; i < sarif->count; i++) {
		if (sarif->results[i].first == &sarif->results[i])
			put_rule(sarif, sarif->results[i].verdict);
	}
	json_close(json);
	json_close(json);
	json_close(json);
}

static void put_artifact(struct json_writer *json, const char *uri, const char *base)
{
	json_object(json, "artifactLocation");
	json_text(json, "uri", uri);
	json_text(json, "uriBaseId", base);
	json_close(json);
}

/* A file of the host, or a name that is none: a register, a field of the auxiliary vector. */
static void put_location(struct sarif *sarif, const struct evidence *evidence)
{
	struct json_writer *json = &sarif->json;
	const char *path = evidence->path ? evidence->path : "";

	json_object(json, NULL);
	if (path[0] == '/' && path[1]) {
		json_object(json, "physicalLocation");
		put_artifact(json, uri_of(sarif->arena, path + strspn(path, "/")), "HOST");
		json_close(json);
	} else {
		json_array(json, "logicalLocations");
		json_object(json, NULL);
		json_text(json, "fullyQualifiedName", path);
		json_text(json, "kind", "resource");
		json_close(json);
		json_close(json);
	}
	if (evidence->raw && *evidence->raw)
		put_message(json, "message", evidence->raw);
	json_close(json);
}

static void put_locations(struct sarif *sarif, const struct verdict *verdict)
{
	struct json_writer *json = &sarif->json;
	const struct evidence *evidence = verdict->evidence.items;

	json_array(json, "locations");
	for (size_t i = 0; i < verdict->evidence.count && i < EVIDENCE_MAX; i++)
		put_location(sarif, &evidence[i]);
	if (!verdict->evidence.count)
		put_location(sarif, &(struct evidence){.path = verdict->id});
	json_close(json);
}

/* Where one result says whether it is suppressed, all do (3.27.23). */
static void put_suppressions(struct json_writer *json, const struct verdict *verdict)
{
	json_array(json, "suppressions");
	if (strcmp(verdict->outcome, "waived") == 0) {
		json_object(json, NULL);
		json_text(json, "kind", "external");
		json_text(json, "status", "accepted");
		json_text(json, "justification", verdict->waived ? verdict->waived : "waived");
		json_close(json);
	}
	json_close(json);
}

static void put_result(struct sarif *sarif, const struct result *result)
{
	struct json_writer *json = &sarif->json;
	const struct verdict *verdict = result->verdict;
	const char *kind = kind_of(verdict->outcome);

	json_object(json, NULL);
	json_text(json, "ruleId", verdict->id);
	json_number(json, "ruleIndex", (int64_t)result->rule);
	json_text(json, "kind", kind);
	json_text(json, "level", strcmp(kind, "fail") == 0 ? level_of(verdict->severity) : "none");
	put_message(json, "message",
		    verdict->text && *verdict->text ? verdict->text
		    : verdict->title                ? verdict->title
						    : verdict->id);
	put_locations(sarif, verdict);
	json_object(json, "partialFingerprints");
	json_text(json, "id/v1", verdict->id);
	json_close(json);
	put_suppressions(json, verdict);
	json_object(json, "properties");
	json_text(json, "outcome", verdict->outcome);
	json_text(json, "severity", verdict->severity);
	json_close(json);
	json_close(json);
}

/* Whether the run came to its verdicts: findings are no failure of the tool (3.20.14). */
static bool is_success(int64_t exit_code)
{
	return exit_code == EXIT_OK || exit_code == EXIT_FINDINGS ||
	       exit_code == EXIT_UNKNOWN_ONLY || exit_code == EXIT_SKIPPED;
}

static void put_invocation(struct sarif *sarif)
{
	struct json_writer *json = &sarif->json;
	const struct document *document = sarif->document;
	const struct document_message *messages = document->messages.items;

	json_array(json, "invocations");
	json_object(json, NULL);
	json_array(json, "arguments");
	for (size_t i = 1; i < document->argv.count; i++)
		json_text(json, NULL, document->argv.items[i]);
	json_close(json);
	json_text(json, "startTimeUtc", document->started);
	json_number(json, "exitCode", document->exit_code);
	json_text(json, "exitCodeDescription", outcome_exit_word(document->exit_code));
	json_bool(json, "executionSuccessful", is_success(document->exit_code));
	json_array(json, "toolExecutionNotifications");
	for (size_t i = 0; i < document->messages.count; i++) {
		json_object(json, NULL);
		json_text(json, "level", messages[i].level);
		put_message(json, "message", messages[i].text);
		json_close(json);
	}
	json_close(json);
	json_close(json);
	json_close(json);
}

static void put_run(struct sarif *sarif)
{
	struct json_writer *json = &sarif->json;

	json_object(json, NULL);
	put_tool(sarif);
	put_invocation(sarif);
	json_object(json, "originalUriBaseIds");
	json_object(json, "HOST");
	json_text(json, "uri", "file:///");
	json_close(json);
	json_close(json);
	json_object(json, "automationDetails");
	json_text(json, "id",
		  arena_printf(sarif->arena, "ampere-crypto/%s/", sarif->document->kind->name));
	json_close(json);
	json_array(json, "results");
	for (size_t i = 0; i < sarif->count; i++)
		put_result(sarif, &sarif->results[i]);
	json_close(json);
	if (sarif->document->host) {
		json_object(json, "properties");
		fields_write(json, "host", &identity_table, sarif->document->host);
		json_close(json);
	}
	json_close(json);
}

void sarif_render(struct buffer *out, const struct document *document)
{
	struct sarif sarif = {.arena = document->arena, .document = document};

	collect(&sarif);
	json_begin(&sarif.json, out);
	json_object(&sarif.json, NULL);
	json_text(&sarif.json, "$schema", SCHEMA_ADDRESS);
	json_text(&sarif.json, "version", "2.1.0");
	json_array(&sarif.json, "runs");
	put_run(&sarif);
	json_end(&sarif.json);
}
