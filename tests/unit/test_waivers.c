// SPDX-License-Identifier: BSD-2-Clause
#include "audit/waivers.h"
#include "base/arena.h"
#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* One waiver with `id` and `expires`. */
#define WAIVER(id, expires)                                                                        \
	"{\"id\": \"" id "\", \"owner\": \"Ann\", \"reason\": \"lab\", \"expires\": \"" expires    \
	"\"}"
#define FILE_OF(waivers) "{\"waivers\": [" waivers "]}"

static struct check known[] = {
	{.id = "cpu.governor"},
	{.id = "cpu.family"},
	{.id = "memory.channels"},
};
static const struct checks checks = {.items = known, .count = COUNT(known)};

static int setup(void **state)
{
	static struct arena arena;

	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	*state = &arena;
	return 0;
}

static int teardown(void **state)
{
	arena_release(*state);
	return 0;
}

static void mistakes_name_place_and_key(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{"", "w.json:1:1: expected a value, found the end of the file"},
		{"[]", "w.json:1:1: must be an object, not an array"},
		{"{}", "w.json:1:1: required key \"waivers\" is missing"},
		{"{\"waiver\": []}", "w.json:1:2: waiver: unknown key; did you mean \"waivers\"?"},
		{FILE_OF("{\"id\": \"cpu.family\"}"),
		 "w.json:1:14: waivers[0]: required key \"owner\" is missing"},
		{FILE_OF(WAIVER("cpu.goveror", "2027-01-01")),
		 "w.json:1:15: id: no check fits \"cpu.goveror\"; did you mean \"cpu.governor\"?"},
		{FILE_OF(WAIVER("network.mtu", "2027-01-01")),
		 "w.json:1:15: id: no check fits \"network.mtu\"; see 'ampere-crypto list checks'"},
		{FILE_OF(WAIVER("disk.*", "2027-01-01")),
		 "w.json:1:15: id: no check fits \"disk.*\"; see 'ampere-crypto list checks'"},
		{FILE_OF(WAIVER("cpu.family", "2027-02-29")),
		 "w.json:1:68: expires: there is no day 2027-02-29"},
		{FILE_OF(WAIVER("cpu.family", "2100-02-29")),
		 "w.json:1:68: expires: there is no day 2100-02-29"},
		{FILE_OF(WAIVER("cpu.family", "2027-13-01")),
		 "w.json:1:68: expires: there is no day 2027-13-01"},
		{FILE_OF(WAIVER("cpu.family", "2027-04-31")),
		 "w.json:1:68: expires: there is no day 2027-04-31"},
		{FILE_OF(WAIVER("cpu.family", "2027-00-10")),
		 "w.json:1:68: expires: there is no day 2027-00-10"},
		{FILE_OF(WAIVER("cpu.family", "2027-01-00")),
		 "w.json:1:68: expires: there is no day 2027-01-00"},
		{FILE_OF(WAIVER("cpu.family", "27-1-1")),
		 "w.json:1:68: expires: \"27-1-1\" does not match ^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
		{FILE_OF(WAIVER("cpu.family", "2027-01-01 ")),
		 "w.json:1:68: expires: \"2027-01-01 \" does not match "
		 "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
		{FILE_OF(WAIVER("cpu.family", "2027-01-01") ", " WAIVER("cpu", "2027-01-01")),
		 "w.json:1:95: id: no check fits \"cpu\"; see 'ampere-crypto list checks'"},
		{FILE_OF("{\"id\": \"cpu.*\", \"owner\": \"\"}"),
		 "w.json:1:30: owner: \"\" does not match ."},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct waivers waivers = {.count = 42};
		struct error err = {0};

		if (waivers_parse(*state, &checks, "w.json", view_of(rows[i].text), &waivers, &err))
			fail_msg("accepted: %s", rows[i].text);
		assert_string_equal(err.text, rows[i].message);
		assert_int_equal(waivers.count, 42);
	}
}

static void days_of_the_calendar_are_accepted(void **state)
{
	static const char *const rows[] = {
		FILE_OF(WAIVER("cpu.family", "2028-02-29")),
		FILE_OF(WAIVER("cpu.*", "2000-02-29")),
		FILE_OF(WAIVER("*", "2027-12-31")),
		FILE_OF(WAIVER("memory.?hannels", "2027-01-01")),
		FILE_OF(""),
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct waivers waivers;
		struct error err;

		if (!waivers_parse(*state, &checks, "w", view_of(rows[i]), &waivers, &err))
			fail_msg("%s", err.text);
	}
}

/* What becomes of one finding under the waivers of a file on a day. */
static void a_waiver_holds_to_the_end_of_its_day(void **state)
{
	static const struct {
		const char *text, *id, *outcome, *reason, *today;
		const char *after, *reason_after, *until;
	} rows[] = {
		{FILE_OF(WAIVER("cpu.governor", "2027-03-01")), "cpu.governor", "fail", NULL,
		 "2027-02-28", "waived", NULL, "2027-03-01"},
		{FILE_OF(WAIVER("cpu.governor", "2027-03-01")), "cpu.governor", "fail", NULL,
		 "2027-03-01", "waived", NULL, "2027-03-01"},
		{FILE_OF(WAIVER("cpu.governor", "2027-03-01")), "cpu.governor", "fail", NULL,
		 "2027-03-02", "fail", "the waiver of Ann ended on 2027-03-01", NULL},
		{FILE_OF(WAIVER("cpu.governor", "2027-03-01")), "cpu.governor", "fail", "seen",
		 "2028-01-01", "fail", "seen; the waiver of Ann ended on 2027-03-01", NULL},
		{FILE_OF(WAIVER("cpu.*", "2027-03-01")), "cpu.family", "fail", "seen", "2027-01-01",
		 "waived", "seen", "2027-03-01"},
		{FILE_OF(WAIVER("cpu.*", "2027-03-01")), "memory.channels", "fail", NULL,
		 "2027-01-01", "fail", NULL, NULL},
		{FILE_OF(WAIVER("*", "2027-03-01")), "cpu.family", "pass", NULL, "2027-01-01",
		 "pass", NULL, NULL},
		{FILE_OF(WAIVER("*", "2027-03-01")), "cpu.family", "unknown", "r", "2027-01-01",
		 "unknown", "r", NULL},
		{FILE_OF(WAIVER("*", "2027-03-01")), "cpu.family", "na", "r", "2027-01-01", "na",
		 "r", NULL},
		{FILE_OF(WAIVER("*", "2027-03-01")), "cpu.family", "pass", "r", "2027-04-01",
		 "pass", "r", NULL},
		{FILE_OF(WAIVER("cpu.*", "2027-03-01") "," WAIVER("cpu.family", "2027-06-01")),
		 "cpu.family", "fail", NULL, "2027-04-01", "waived", NULL, "2027-06-01"},
		{FILE_OF(WAIVER("cpu.*", "2027-03-01") "," WAIVER("cpu.family", "2027-06-01")),
		 "cpu.family", "fail", NULL, "2027-06-02", "fail",
		 "the waiver of Ann ended on 2027-06-01", NULL},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct finding finding = {
			.id = rows[i].id, .outcome = rows[i].outcome, .reason = rows[i].reason};
		struct field_array findings = {&finding, 1};
		struct waivers waivers;
		struct error err;

		if (!waivers_parse(*state, &checks, "w", view_of(rows[i].text), &waivers, &err))
			fail_msg("%s", err.text);
		waivers_apply(*state, &waivers, rows[i].today, &findings);
		assert_string_equal(finding.outcome, rows[i].after);
		assert_int_equal(!finding.reason, !rows[i].reason_after);
		if (finding.reason)
			assert_string_equal(finding.reason, rows[i].reason_after);
		assert_int_equal(!finding.waiver, !rows[i].until);
		if (finding.waiver)
			assert_string_equal(finding.waiver->expires, rows[i].until);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_name_place_and_key),
		cmocka_unit_test(days_of_the_calendar_are_accepted),
		cmocka_unit_test(a_waiver_holds_to_the_end_of_its_day),
	};

	return cmocka_run_group_tests_name("waivers", tests, setup, teardown);
}
