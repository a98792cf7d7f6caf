// SPDX-License-Identifier: BSD-2-Clause
#include "audit/waivers.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"

#include <fnmatch.h>
#include <string.h>

#define WAIVERS_BYTES_MAX ((size_t)1 << 20)

static const struct field waivers_rows[] = {
	{.key = "waivers",
	 .kind = FIELD_ARRAY,
	 .offset = FIELD(struct waivers, items),
	 .required = true,
	 .table = &waiver_table,
	 .doc = "The accepted findings; of several that fit one finding, the first that has not "
		"ended "
		"counts."},
};
_Static_assert(offsetof(struct waivers, count) - offsetof(struct waivers, items) ==
		       offsetof(struct field_array, count),
	       "struct waivers begins with a field_array");

const struct field_table waivers_table =
	FIELD_TABLE("waivers", struct waivers, waivers_rows,
		    "Findings that somebody accepted, for a reason, until a day.");

/* A day of the Gregorian calendar; the row's pattern has already seen to digits and dashes. */
static bool is_day(const char *text)
{
	static const unsigned days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	uint64_t year = 0, month = 0, day = 0;

	if (!view_u64((struct view){text, 4}, 10, &year) ||
	    !view_u64((struct view){text + 5, 2}, 10, &month) ||
	    !view_u64((struct view){text + 8, 2}, 10, &day) || month < 1 || month > 12 || day < 1)
		return false;
	if (month == 2 && day == 29)
		return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return day <= days[month - 1];
}

/* A waiver for a check that does not exist is a misspelling: it would silently waive nothing. */
static bool fits_a_check(struct arena *arena, const struct checks *checks, const struct json *json,
			 const cJSON *id, struct error *err)
{
	const char **ids = arena_array(arena, const char *, checks->count + 1);
	const char *nearest;

	for (size_t i = 0; i < checks->count; i++) {
		if (fnmatch(id->valuestring, checks->items[i].id, 0) == 0)
			return true;
		ids[i] = checks->items[i].id;
	}
	nearest = text_nearest(id->valuestring, ids, checks->count);
	if (nearest)
		return json_error(json, id, err, "no check fits \"%s\"; did you mean \"%s\"?",
				  id->valuestring, nearest);
	return json_error(json, id, err, "no check fits \"%s\"; see 'ampere-crypto list checks'",
			  id->valuestring);
}

bool waivers_parse(struct arena *arena, const struct checks *checks, const char *name,
		   struct view text, struct waivers *out, struct error *err)
{
	struct waivers waivers = {0};
	struct json json;
	const cJSON *list, *item;

	if (!json_parse(arena, name, text, &json, err) ||
	    !fields_load(arena, &json, json.top, &waivers_table, &waivers, err))
		return false;
	list = cJSON_GetObjectItemCaseSensitive(json.top, "waivers");
	cJSON_ArrayForEach (item, list) {
		const cJSON *id = cJSON_GetObjectItemCaseSensitive(item, "id");
		const cJSON *expires = cJSON_GetObjectItemCaseSensitive(item, "expires");

		if (!fits_a_check(arena, checks, &json, id, err))
			return false;
		if (!is_day(expires->valuestring))
			return json_error(&json, expires, err, "there is no day %s",
					  expires->valuestring);
	}
	*out = waivers;
	return true;
}

bool waivers_load(struct facts *facts, const struct checks *checks, const char *path,
		  struct waivers *out, struct error *err)
{
	struct view text;

	return file_read(facts->arena, path, WAIVERS_BYTES_MAX, &text, err) &&
	       waivers_parse(facts->arena, checks, path, text, out, err);
}

/* The waiver that holds today, else one that has ended, else NULL. Days compare as text. */
static struct waiver *find_waiver(const struct waivers *waivers, const char *id, const char *today)
{
	struct waiver *ended = NULL;

	for (size_t i = 0; i < waivers->count; i++) {
		struct waiver *waiver = &waivers->items[i];

		if (fnmatch(waiver->id, id, 0) != 0)
			continue;
		if (strcmp(today, waiver->expires) <= 0)
			return waiver;
		if (!ended || strcmp(ended->expires, waiver->expires) < 0)
			ended = waiver;
	}
	return ended;
}

void waivers_apply(struct arena *arena, const struct waivers *waivers, const char *today,
		   struct field_array *findings)
{
	struct finding *finding = findings->items;

	for (size_t i = 0; i < findings->count; i++, finding++) {
		struct waiver *waiver;

		if (strcmp(finding->outcome, "fail") != 0)
			continue;
		waiver = find_waiver(waivers, finding->id, today);
		if (!waiver)
			continue;
		if (strcmp(today, waiver->expires) <= 0) {
			finding->outcome = "waived";
			finding->waiver = waiver;
			continue;
		}
		finding->reason =
			arena_printf(arena, "%s%sthe waiver of %s ended on %s",
				     finding->reason ? finding->reason : "",
				     finding->reason ? "; " : "", waiver->owner, waiver->expires);
	}
}
