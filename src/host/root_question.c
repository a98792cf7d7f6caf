// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/base64.h"
#include "base/fields.h"
#include "host/root_private.h"

#include <errno.h>
#include <string.h>

#define INTEGER_MAX ((int64_t)1 << 53)
#define ERRNO_MAX 255

/* errno values have names in captures, so that one machine's file means the same on another. */
static int number_of(const char *name)
{
	for (int number = 1; number <= ERRNO_MAX; number++) {
		const char *known = strerrorname_np(number);

		if (known && strcmp(known, name) == 0)
			return number;
	}
	return 0;
}

/* What one key of a question fills in. */
struct loading {
	struct root *root;
	const struct json *json;
	struct entry *entry;
	struct error *err;
};

static bool wrong(const struct loading *loading, const cJSON *at, const char *want)
{
	return json_error(loading->json, at, loading->err, "%s is wanted", want);
}

static bool load_text(const struct loading *loading, const cJSON *at)
{
	if (!cJSON_IsString(at))
		return wrong(loading, at, "a string");
	loading->entry->bytes = view_of(arena_strdup(loading->root->arena, at->valuestring));
	loading->entry->read = (struct answer){.asked = true};
	return true;
}

static bool load_base64(const struct loading *loading, const cJSON *at)
{
	if (!cJSON_IsString(at) ||
	    !base64_decode(loading->root->arena, view_of(at->valuestring), &loading->entry->bytes))
		return wrong(loading, at, "base64 text");
	loading->entry->read = (struct answer){.asked = true};
	return true;
}

static bool load_list(const struct loading *loading, const cJSON *at)
{
	const cJSON *name;

	if (!cJSON_IsArray(at))
		return wrong(loading, at, "an array of names");
	loading->entry->names = (struct names){0};
	cJSON_ArrayForEach (name, at) {
		if (!cJSON_IsString(name) || !name->valuestring[0] ||
		    strchr(name->valuestring, '/'))
			return wrong(loading, name, "a file name");
		names_add(loading->root->arena, &loading->entry->names,
			  arena_strdup(loading->root->arena, name->valuestring));
	}
	names_sort(&loading->entry->names);
	loading->entry->list = (struct answer){.asked = true};
	return true;
}

static bool load_link(const struct loading *loading, const cJSON *at)
{
	if (!cJSON_IsString(at) || !at->valuestring[0])
		return wrong(loading, at, "a path");
	loading->entry->target = arena_strdup(loading->root->arena, at->valuestring);
	loading->entry->link = (struct answer){.asked = true};
	return true;
}

struct stat_row {
	const char *type;
	int64_t size, mode, device, inode;
};

static const char *const stat_types[] = {"file", "dir", "link", "other", NULL};

static const struct field stat_rows[] = {
	{.key = "type",
	 .kind = FIELD_ENUM,
	 .offset = FIELD(struct stat_row, type),
	 .required = true,
	 .names = stat_types,
	 .doc = "what the path is"},
	{.key = "size",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct stat_row, size),
	 .maximum = INTEGER_MAX,
	 .doc = "bytes"},
	{.key = "mode",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct stat_row, mode),
	 .maximum = 07777,
	 .doc = "permission bits"},
	{.key = "device",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct stat_row, device),
	 .maximum = INTEGER_MAX,
	 .doc = "tells files apart"},
	{.key = "inode",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct stat_row, inode),
	 .maximum = INTEGER_MAX,
	 .doc = "tells files apart"},
};

static const struct field_table stat_table =
	FIELD_TABLE("stat", struct stat_row, stat_rows, "what stat says of a path");

static bool load_status(const struct loading *loading, const cJSON *at, struct root_stat *into)
{
	struct stat_row row = {.mode = 0644};
	enum root_type type = ROOT_FILE;

	if (!fields_load(loading->root->arena, loading->json, at, &stat_table, &row, loading->err))
		return false;
	for (size_t i = 0; stat_types[i]; i++) {
		if (strcmp(stat_types[i], row.type) == 0)
			type = (enum root_type)i;
	}
	*into = (struct root_stat){
		.type = type,
		.size = (uint64_t)row.size,
		.mode = (uint32_t)row.mode,
		.device = (uint64_t)row.device,
		.inode = (uint64_t)row.inode,
	};
	return true;
}

static bool load_stat(const struct loading *loading, const cJSON *at)
{
	loading->entry->stat = (struct answer){.asked = true};
	return load_status(loading, at, &loading->entry->status);
}

static bool load_lstat(const struct loading *loading, const cJSON *at)
{
	loading->entry->lstat = (struct answer){.asked = true};
	return load_status(loading, at, &loading->entry->link_status);
}

static bool is_size(const cJSON *item)
{
	return cJSON_IsNumber(item) && item->valuedouble >= 0 &&
	       item->valuedouble <= (double)INTEGER_MAX &&
	       item->valuedouble == (double)(int64_t)item->valuedouble;
}

/* [offset, size asked, base64]; the size may be left out when that many bytes came. */
static bool load_ranges(const struct loading *loading, const cJSON *at)
{
	const cJSON *row;

	if (!cJSON_IsArray(at))
		return wrong(loading, at, "an array of [offset, base64]");
	cJSON_ArrayForEach (row, at) {
		struct root_piece *piece = arena_new(loading->root->arena, struct root_piece);
		const cJSON *offset = cJSON_GetArrayItem(row, 0);
		const cJSON *size =
			cJSON_GetArraySize(row) == 3 ? cJSON_GetArrayItem(row, 1) : NULL;
		const cJSON *text = cJSON_GetArrayItem(row, size ? 2 : 1);

		if (!is_size(offset) || !cJSON_IsString(text) || (size && !is_size(size)) ||
		    !base64_decode(loading->root->arena, view_of(text->valuestring), &piece->bytes))
			return wrong(loading, row, "[offset, size, base64]");
		piece->offset = (uint64_t)offset->valuedouble;
		piece->wanted = size ? (size_t)size->valuedouble : piece->bytes.size;
		if (piece->wanted < piece->bytes.size || piece->wanted > ROOT_FILE_MAX)
			return wrong(loading, row, "a size that holds the bytes");
		piece->next = loading->entry->pieces;
		loading->entry->pieces = piece;
		loading->entry->range = (struct answer){.asked = true};
	}
	return true;
}

static bool load_failure(const struct loading *loading, const cJSON *at, struct answer *answer)
{
	int number = cJSON_IsString(at) ? number_of(at->valuestring) : 0;

	if (!number)
		return wrong(loading, at, "an errno name such as \"EACCES\"");
	*answer = (struct answer){.asked = true, .number = number};
	return true;
}

#define FAILURE(question)                                                                          \
	static bool load_##question##_errno(const struct loading *loading, const cJSON *at)        \
	{                                                                                          \
		return load_failure(loading, at, &loading->entry->question);                       \
	}
FAILURE(read)
FAILURE(list)
FAILURE(link)
FAILURE(stat)
FAILURE(lstat)
FAILURE(range)

/* "errno": nothing can be asked of this path. A denied file can still be stat'ed where its
 * directory is open, but a description that wants that says so with "stat". */
static bool load_errno(const struct loading *loading, const cJSON *at)
{
	struct entry *entry = loading->entry;

	if (!load_failure(loading, at, &entry->read))
		return false;
	entry->list = entry->range = entry->read;
	if (!entry->stat.asked && entry->read.number == ENOENT)
		entry->stat = entry->lstat = entry->link = entry->read;
	return true;
}

static const struct {
	const char *key;
	bool (*load)(const struct loading *loading, const cJSON *at);
} keys[] = {
	{"text", load_text},
	{"base64", load_base64},
	{"list", load_list},
	{"link", load_link},
	{"stat", load_stat},
	{"lstat", load_lstat},
	{"ranges", load_ranges},
	{"errno", load_errno},
	{"read_errno", load_read_errno},
	{"list_errno", load_list_errno},
	{"link_errno", load_link_errno},
	{"stat_errno", load_stat_errno},
	{"lstat_errno", load_lstat_errno},
	{"range_errno", load_range_errno},
};

static bool unknown_key(const struct loading *loading, const cJSON *at)
{
	const char *known[sizeof(keys) / sizeof(keys[0])], *nearest;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		known[i] = keys[i].key;
	nearest = text_nearest(at->string, known, sizeof(keys) / sizeof(keys[0]));
	return json_error(loading->json, at, loading->err, "unknown key%s%s%s",
			  nearest ? "; did you mean \"" : "", nearest ? nearest : "",
			  nearest ? "\"?" : "");
}

bool root_question_load(struct root *root, const struct json *json, const cJSON *question,
			struct error *err)
{
	struct loading loading = {.root = root, .json = json, .err = err};
	const cJSON *at;

	if (!root_path_is_usable(question->string))
		return json_error(json, question, err,
				  "a path of the captured machine starts with \"/\"");
	if (!cJSON_IsObject(question))
		return wrong(&loading, question, "an object");
	loading.entry = root_entry(root, question->string);
	cJSON_ArrayForEach (at, question) {
		size_t i = 0;

		while (i < sizeof(keys) / sizeof(keys[0]) && strcmp(keys[i].key, at->string) != 0)
			i++;
		if (i == sizeof(keys) / sizeof(keys[0]))
			return unknown_key(&loading, at);
		if (!keys[i].load(&loading, at))
			return false;
	}
	return true;
}

#define KEY(key, value) "\"" key "\": " value
#define TEXT "{\"type\": \"string\"}"
#define PATTERN(pattern) "{\"type\": \"string\", \"pattern\": \"" pattern "\"}"
#define BASE64 PATTERN("^[A-Za-z0-9+/=\\\\s]*$")
#define NAMES "{\"type\": \"array\", \"items\": " PATTERN("^[^/]+$") "}"
#define ERRNO PATTERN("^E[A-Z0-9]+$")
#define LIMITED(maximum) "{\"type\": \"integer\", \"minimum\": 0, \"maximum\": " maximum "}"
#define SIZE LIMITED("9007199254740992")
#define STAT                                                                                       \
	"{\"type\": \"object\", \"required\": [\"type\"], \"additionalProperties\": false, "       \
	"\"properties\": {\"type\": {\"enum\": [\"file\", \"dir\", \"link\", \"other\"]}, "        \
	"\"size\": " SIZE ", \"mode\": " LIMITED("4095") ", \"device\": " SIZE                     \
							 ", \"inode\": " SIZE "}}"
#define ROW(count, items)                                                                          \
	"{\"type\": \"array\", \"minItems\": " count ", \"maxItems\": " count                      \
	", \"prefixItems\": [" items "]}"
#define RANGE                                                                                      \
	"{\"oneOf\": [" ROW("2", SIZE ", " BASE64) ", " ROW("3", SIZE ", " SIZE ", " BASE64) "]}"

/* clang-format off */
const char root_questions_schema[] =
	"{\"type\": \"object\", \"propertyNames\": {\"pattern\": \"^/\"}, "
	"\"additionalProperties\": {\"type\": \"object\", \"additionalProperties\": false, "
	"\"properties\": {"
	KEY("text", TEXT) ", "
	KEY("base64", BASE64) ", "
	KEY("list", NAMES) ", "
	KEY("link", PATTERN(".")) ", "
	KEY("stat", STAT) ", "
	KEY("lstat", STAT) ", "
	KEY("ranges", "{\"type\": \"array\", \"items\": " RANGE "}") ", "
	KEY("errno", ERRNO) ", "
	KEY("read_errno", ERRNO) ", "
	KEY("list_errno", ERRNO) ", "
	KEY("link_errno", ERRNO) ", "
	KEY("stat_errno", ERRNO) ", "
	KEY("lstat_errno", ERRNO) ", "
	KEY("range_errno", ERRNO)
	"}}}";
/* clang-format on */
