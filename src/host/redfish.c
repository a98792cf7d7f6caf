// SPDX-License-Identifier: BSD-2-Clause
#include "host/redfish.h"

#include "base/arena.h"
#include "host/bmc.h"
#include "host/smbios.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#define SERVICE_ROOT "/redfish/v1"
#define PAGES_MAX 32
#define MEMBERS_MAX 256
#define SYSTEMS_MAX 16

const cJSON *redfish_member(const cJSON *object, const char *key)
{
	return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

const char *redfish_text(struct arena *arena, const cJSON *object, const char *key)
{
	const cJSON *at = redfish_member(object, key);
	struct view text;

	if (!cJSON_IsString(at))
		return NULL;
	text = view_trim(view_of(at->valuestring));
	return text.size ? text_printable(arena, text) : NULL;
}

int64_t redfish_number(const cJSON *object, const char *key)
{
	const cJSON *at = redfish_member(object, key);

	if (!cJSON_IsNumber(at) || at->valuedouble < 0 || at->valuedouble > 1e12)
		return 0;
	return (int64_t)at->valuedouble;
}

const char *redfish_link(const cJSON *object, const char *key)
{
	const cJSON *at = redfish_member(redfish_member(object, key), "@odata.id");

	return cJSON_IsString(at) ? at->valuestring : NULL;
}

/* Why there is no document, for the errno values of host/bmc.c and of files. */
static struct value problem_of(struct arena *arena, const char *path, int number)
{
	static const struct {
		int number;
		enum unknown_kind kind;
		const char *text;
	} rows[] = {
		{ENOENT, UNKNOWN_NOT_VISIBLE, "the BMC does not have it"},
		{ENODATA, UNKNOWN_NOT_CAPTURED, "is not in this capture"},
		{EACCES, UNKNOWN_NOT_VISIBLE, "the BMC does not show it to this user"},
		{ENOKEY, UNKNOWN_NOT_VISIBLE, "needs credentials for the BMC"},
		{ENOTCONN, UNKNOWN_NOT_VISIBLE, "no or a broken connection to the BMC"},
		{EKEYREJECTED, UNKNOWN_NOT_VISIBLE, "the BMC's certificate is not trusted"},
		{ETIMEDOUT, UNKNOWN_NOT_VISIBLE, "the BMC is too slow"},
		{EFBIG, UNKNOWN_DAMAGED, "the BMC's answer is longer than is read"},
		{EXDEV, UNKNOWN_DAMAGED, "the BMC redirects too often or to another place"},
		{EREMOTEIO, UNKNOWN_DAMAGED, "the BMC answers with an error"},
		{EDQUOT, UNKNOWN_DAMAGED, "more documents than are read of a BMC"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].number == number)
			return value_unknown(arena, rows[i].kind, "%s: %s", path, rows[i].text);
	}
	return value_errno(arena, path, number);
}

struct redfish_document redfish_read(struct host *host, const char *address)
{
	struct arena *arena = host->arena;
	struct redfish_document document = {.problem = value_none(NULL)};
	struct json json;
	struct view text;
	int number;

	document.path = address ? redfish_question(arena, address) : NULL;
	if (!document.path) {
		document.problem =
			value_unknown(arena, UNKNOWN_DAMAGED,
				      "the BMC's documents lead to an address that is none");
		return document;
	}
	number = root_read(host->root, document.path, &text);
	if (number) {
		document.problem = problem_of(arena, document.path, number);
		return document;
	}
	if (!json_parse(arena, document.path, text, &json, NULL) || !cJSON_IsObject(json.top)) {
		document.problem = value_unknown(arena, UNKNOWN_DAMAGED,
						 "%s: what the BMC answers is no sound JSON object",
						 document.path);
		return document;
	}
	document.top = json.top;
	return document;
}

static bool broken(struct value *problem, struct value why)
{
	*problem = why;
	return false;
}

static bool add_members(struct host *host, const struct redfish_document *page,
			struct names *members, struct value *problem)
{
	const cJSON *list = redfish_member(page->top, "Members"), *at;

	if (!cJSON_IsArray(list))
		return broken(problem, value_unknown(host->arena, UNKNOWN_DAMAGED,
						     "%s: lists no members", page->path));
	cJSON_ArrayForEach (at, list) {
		const cJSON *address = redfish_member(at, "@odata.id");

		if (!cJSON_IsString(address))
			return broken(problem,
				      value_unknown(host->arena, UNKNOWN_DAMAGED,
						    "%s: a member has no address", page->path));
		if (members->count >= MEMBERS_MAX)
			return broken(problem, value_unknown(host->arena, UNKNOWN_DAMAGED,
							     "%s: more than %d members", page->path,
							     MEMBERS_MAX));
		/* Pages that overlap name one member twice. */
		if (!names_has(members, address->valuestring))
			names_add(host->arena, members, address->valuestring);
	}
	return true;
}

bool redfish_members(struct host *host, const char *address, struct names *members,
		     struct value *problem)
{
	const char *first = NULL;
	int64_t stated = 0;

	*problem = value_none(NULL);
	for (unsigned pages = 0; address; pages++) {
		struct redfish_document page = redfish_read(host, address);
		const cJSON *next;

		first = first ? first : page.path;
		if (!page.top)
			return broken(problem, page.problem);
		/* As in a loop of pages. */
		if (pages == PAGES_MAX)
			return broken(problem,
				      value_unknown(host->arena, UNKNOWN_DAMAGED,
						    "%s: more than %d pages", first, PAGES_MAX));
		if (!add_members(host, &page, members, problem))
			return false;
		if (redfish_number(page.top, "Members@odata.count"))
			stated = redfish_number(page.top, "Members@odata.count");
		next = redfish_member(page.top, "Members@odata.nextLink");
		next = next ? next : redfish_member(page.top, "@odata.nextLink");
		address = cJSON_IsString(next) ? next->valuestring : NULL;
	}
	if (stated > (int64_t)members->count)
		return broken(problem, value_unknown(host->arena, UNKNOWN_DAMAGED,
						     "%s: lists %zu of %lld members", first,
						     members->count, (long long)stated));
	return true;
}

/* What it was like to ask, in our own words; a described machine has none. */
static void read_access(struct host *host, struct redfish *redfish)
{
	struct view rest, line;
	int number = root_read(host->root, BMC_ACCESS_PATH, &rest);

	redfish->access = value_none("its documents are files");
	if (number)
		return;
	while (view_line(&rest, &line)) {
		const char *text = text_printable(host->arena, line);

		if (strncmp(text, "access ", 7) == 0)
			redfish->access = value_text(text + 7);
		else if (strncmp(text, "failed ", 7) == 0 && redfish->failures.count < 8)
			names_add(host->arena, &redfish->failures, text + 7);
	}
}

static void read_service(struct host *host, struct redfish *redfish,
			 const struct redfish_document *root)
{
	const char *vendor = redfish_text(host->arena, root->top, "Vendor");
	const char *product = redfish_text(host->arena, root->top, "Product");
	const char *version = redfish_text(host->arena, root->top, "RedfishVersion");

	if (!root->top) {
		redfish->service = root->problem;
		return;
	}
	redfish->service = value_text(arena_printf(host->arena, "%s%sRedfish %s",
						   product  ? product
						   : vendor ? vendor
							    : "",
						   product || vendor ? ", " : "",
						   version ? version : "of an unknown version"));
	value_cite(host->arena, &redfish->service, root->path, redfish->service.text,
		   CONFIDENCE_DIRECT);
}

/* One says what the other begins with, for makers add their own words. */
static bool agrees(const char *left, const char *right)
{
	return left && right && (strcasestr(left, right) || strcasestr(right, left));
}

static bool fits(struct host *host, const cJSON *system)
{
	const struct smbios *smbios = host_smbios(host);

	return agrees(redfish_text(host->arena, system, "BiosVersion"), smbios->firmware_version) ||
	       agrees(redfish_text(host->arena, system, "Model"), smbios->product);
}

static void take_system(struct redfish *redfish, const char *address,
			const struct redfish_document *document)
{
	redfish->system = document->top ? value_text(address) : document->problem;
	redfish->system_top = document->top;
	redfish->system_path = document->path;
}

/* Of several systems the one whose product or firmware is this machine's. */
static void choose_system(struct host *host, struct redfish *redfish, const struct names *addresses)
{
	struct names shown = {0};
	size_t found = 0;

	for (size_t i = 0; i < addresses->count && i < SYSTEMS_MAX; i++) {
		struct redfish_document document = redfish_read(host, addresses->items[i]);

		names_add(host->arena, &shown, redfish_last(host->arena, addresses->items[i]));
		if (!document.top || (!fits(host, document.top) && addresses->count > 1))
			continue;
		take_system(redfish, text_printable(host->arena, view_of(addresses->items[i])),
			    &document);
		found++;
	}
	if (found == 1)
		return;
	redfish->system_top = NULL;
	redfish->system = value_unknown(
		host->arena, UNKNOWN_UNCONFIRMED, "the BMC has %zu systems (%s), %s this machine",
		addresses->count, names_join(host->arena, &shown, ", "),
		found ? "and more than one fits" : "none of which is known to be");
}

static void find_system(struct host *host, struct redfish *redfish, const cJSON *root)
{
	struct names addresses = {0};
	struct redfish_document document;
	struct value problem;

	if (!redfish_members(host, redfish_link(root, "Systems"), &addresses, &problem)) {
		redfish->system = problem;
	} else if (addresses.count == 0) {
		redfish->system = value_unknown(
			host->arena, UNKNOWN_NOT_VISIBLE,
			redfish_link(root, "Systems") ? "the BMC lists no system"
						      : "the BMC's service root names no systems");
	} else if (addresses.count == 1) {
		document = redfish_read(host, addresses.items[0]);
		take_system(redfish, text_printable(host->arena, view_of(addresses.items[0])),
			    &document);
	} else {
		choose_system(host, redfish, &addresses);
	}
	if (redfish->system_top)
		value_cite(host->arena, &redfish->system, redfish->system_path,
			   redfish->system.text, CONFIDENCE_DIRECT);
}

static void describe_system(struct host *host, struct redfish *redfish)
{
	const struct smbios *smbios = host_smbios(host);
	const char *version = redfish_text(host->arena, redfish->system_top, "BiosVersion");

	redfish->model = redfish_text(host->arena, redfish->system_top, "Model");
	redfish->maker = redfish_text(host->arena, redfish->system_top, "Manufacturer");
	if (!redfish->system_top) {
		redfish->bios_version = redfish->system;
		return;
	}
	redfish->bios_version =
		version ? value_text(version)
			: value_unknown(host->arena, UNKNOWN_NOT_VISIBLE, "%s: says no BiosVersion",
					redfish->system_path);
	if (version)
		value_cite(host->arena, &redfish->bios_version, redfish->system_path, version,
			   CONFIDENCE_DIRECT);
	redfish->other_machine = redfish->model && smbios->product && version &&
				 smbios->firmware_version && !fits(host, redfish->system_top);
}

static void set_all_unknown(struct redfish *redfish, struct value why)
{
	redfish->access = redfish->service = redfish->system = redfish->bios_version = why;
	redfish->memory.problem = redfish->processors.problem = redfish->firmware.problem = why;
	for (size_t i = 0; i < REDFISH_SETTINGS; i++)
		redfish->settings[i] = (struct redfish_found){.now = why, .next = why};
}

const struct redfish *host_redfish(struct host *host)
{
	struct redfish_document root;
	struct redfish *redfish;
	struct view bytes;
	int number;

	if (host->redfish)
		return host->redfish;
	redfish = arena_new(host->arena, struct redfish);
	host->redfish = redfish;
	set_all_unknown(redfish, value_unknown(host->arena, UNKNOWN_NOT_VISIBLE,
					       "the BMC was not asked: --redfish URL"));
	number = root_read(host->root, BMC_ROOT_PATH, &bytes);
	redfish->asked = number != ENODATA && number != ENOENT;
	if (!redfish->asked)
		return redfish;
	root = redfish_read(host, SERVICE_ROOT);
	if (!root.top)
		set_all_unknown(redfish, root.problem);
	read_service(host, redfish, &root);
	if (root.top) {
		find_system(host, redfish, root.top);
		describe_system(host, redfish);
		redfish_read_settings(host, redfish, root.top);
		redfish_read_inventory(host, redfish, root.top);
	}
	/* Last: it says what went wrong with all of them. */
	read_access(host, redfish);
	return redfish;
}
