// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include "base/arena.h"

#include <string.h>

/*
 * `openssl speed -mr` (bytes per second, not thousands) and the words of its processes with -multi:
 *   +H:16:64…  +F:INDEX:NAME:RATE…  +F2:INDEX:BITS:SIGN:VERIFY[:ENCRYPT:DECRYPT]  (apps/speed.c)
 *   +DT:NAME:SECONDS:SIZE  +R:COUNT:NAME:SECONDS  +DTP:KEY[:OPERATION:ALGORITHM]:SECONDS
 * The numbers behind +R differ between releases: what +DTP said last tells what was measured.
 */

#define FIELDS_MAX 80

static const struct {
	const char *code;
	const char *format; /* of the name: %s is the bits or the name it gives */
	bool named;         /* INDEX:BITS:NAME:… */
	bool keyless;       /* INDEX:…: neither bits nor name */
	const char *operations[4];
} codes[] = {
	{"+F2", "rsa %s bits", false, false, {"sign", "verify", "encrypt", "decrypt"}},
	{"+F3", "dsa %s bits", false, false, {"sign", "verify"}},
	{"+F4", "%s bits ecdsa", false, false, {"sign", "verify"}},
	{"+F5", "%s bits ecdh", false, false, {"derive", ""}},
	{"+F6", "%s bits EdDSA", true, false, {"sign", "verify"}},
	{"+F7", "%s bits SM2", true, false, {"sign", "verify"}},
	{"+F8", "%s bits ffdh", false, false, {"derive", ""}},
	{"+F9", NULL, false, true, {"keygen", "encaps", "decaps"}},
	{"+F10", NULL, false, true, {"keygen", "sign", "verify"}},
};

/* +R of keys that have names, where no +DTP stands before (3.2 and later). */
static const struct {
	int code;
	const char *operation;
} named_codes[] = {{15, "keygen"}, {16, "encaps"}, {17, "decaps"},
		   {18, "keygen"}, {19, "sign"},   {20, "verify"}};

static size_t split(struct view line, struct view *fields)
{
	size_t count = 0;

	while (count < FIELDS_MAX && view_split(&line, ':', &fields[count]))
		count++;
	return count;
}

static void take_sizes(struct openssl_state *state, const struct view *fields, size_t count)
{
	state->size_count = 0;
	for (size_t i = 1; i < count && state->size_count < OPENSSL_SIZES_MAX; i++) {
		uint64_t size;

		if (!view_u64(fields[i], 10, &size) || size > INT32_MAX)
			break;
		state->sizes[state->size_count++] = (int64_t)size;
	}
}

static struct engine_row *last(struct parse_run *now)
{
	return &now->run.rows[now->run.row_count - 1];
}

static void take_rate(struct parse *parse, struct parse_run *now, const char *name,
		      const char *operation, int64_t size, struct view field)
{
	struct engine_number number;
	bool read = engine_number(field, &number) && number.decimals >= (operation ? 6 : 2);
	double value = read ? number.value : NAN;
	size_t rows = now->run.row_count;

	if (operation)
		openssl_row(parse, now, name, operation, -1, NAN, value);
	else
		openssl_row(parse, now, name, NULL, size, value,
			    size > 0 ? value / (double)size : NAN);
	if (read || now->run.row_count == rows)
		return;
	VOID_ROW(parse, last(now),
		 "'%s' is no whole number of -mr: the line is cut, of another locale, or nothing "
		 "was measured",
		 parse_copy(parse, field));
}

static void take_bytes(struct parse *parse, struct parse_run *now, const struct view *fields,
		       size_t count)
{
	struct openssl_state *state = &now->openssl;
	const char *name = parse_copy(parse, fields[2]);

	if (count - 3 != state->size_count) {
		openssl_row(parse, now, name, NULL, -1, NAN, NAN);
		if (now->run.row_count)
			VOID_ROW(parse, last(now),
				 state->size_count ? "the line is cut: it has not as many numbers "
						     "as +H has sizes"
						   : "the line with the sizes (+H) is missing");
		return;
	}
	for (size_t i = 0; i < state->size_count; i++)
		take_rate(parse, now, name, NULL, state->sizes[i], fields[3 + i]);
}

/* Of ECDH and FFDH operations a second and seconds for one are printed, in an order that changed
 * with 1.1.1: the one of which the other is the inverse, and which is larger, is the rate, as no
 * library derives less than one key in a second. */
static struct view rate_of_two(struct view first, struct view second)
{
	struct engine_number a, b;

	return engine_number(first, &a) && engine_number(second, &b) && a.value < 1 && b.value > 1
		       ? second
		       : first;
}

/* The nth name that was announced with this operation. */
static const char *nth_name(const struct names *names, size_t n)
{
	return n < names->count ? names->items[n] : NULL;
}

static void take_keys(struct parse *parse, struct parse_run *now, size_t code,
		      const struct view *fields, size_t count)
{
	struct openssl_state *state = &now->openssl;
	size_t first = codes[code].keyless ? 2 : codes[code].named ? 4 : 3, wanted = 0;
	const char *name;
	bool sign = !strcmp(codes[code].operations[1], "sign");
	bool two = !codes[code].operations[1][0];

	if (codes[code].keyless)
		name = sign ? nth_name(&state->signature_names, state->signatures++)
			    : nth_name(&state->kem_names, state->kems++);
	else
		name = arena_printf(parse->arena, "%s", parse_copy(parse, fields[2]));
	if (!codes[code].keyless) {
		const char *marker = strstr(codes[code].format, "%s");

		name = arena_printf(parse->arena, "%.*s%s%s", (int)(marker - codes[code].format),
				    codes[code].format, name, marker + 2);
	}
	if (codes[code].named && count > 3)
		name = arena_printf(parse->arena, "%s (%s)", name, parse_copy(parse, fields[3]));
	for (size_t i = 0; i < 4 && codes[code].operations[i]; i++) {
		if (!codes[code].operations[i][0])
			continue;
		wanted = i < 2 || codes[code].keyless ? first + i + 1 : wanted;
		if (first + i < count)
			take_rate(parse, now, name, codes[code].operations[i], -1,
				  two && first + 1 < count
					  ? rate_of_two(fields[first], fields[first + 1])
					  : fields[first + i]);
	}
	if (count < wanted) {
		openssl_row(parse, now, name, NULL, -1, NAN, NAN);
		if (now->run.row_count)
			VOID_ROW(parse, last(now), "the line is cut: numbers are missing");
	}
}

static bool result_line(struct parse *parse, struct view line)
{
	struct parse_run *now = parse_now(parse);
	struct view fields[FIELDS_MAX];
	size_t count = split(line, fields);

	if (view_is(fields[0], "+H") && count > 1) {
		now = parse_run(parse, "openssl-speed",
				now && now->openssl.mr && now->run.row_count);
		now->openssl.mr = true;
		take_sizes(&now->openssl, fields, count);
		return true;
	}
	if (!view_starts(fields[0], "+F") || count < 3)
		return false;
	now = parse_run(parse, "openssl-speed", false);
	now->openssl.mr = now->openssl.table = true;
	if (view_is(fields[0], "+F")) {
		take_bytes(parse, now, fields, count);
		return true;
	}
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (view_is(fields[0], codes[i].code))
			take_keys(parse, now, i, fields, count);
	}
	return true;
}

static bool is_over(const struct parse_run *now)
{
	return now && now->run.engine && !strcmp(now->run.engine, "openssl-speed") &&
	       (now->openssl.table || now->openssl.version_said) && !now->openssl.children;
}

/* +DT:NAME:SECONDS:SIZE, +DTP:2048:private:rsa sign:1, +DTP:253::ecdh:1, +DTP:NAME:keygen:1 */
static bool request_line(struct parse *parse, struct view line)
{
	struct openssl_progress progress = {
		.size = -1, .bits = -1, .code = -1, .wanted_s = NAN, .seconds = NAN, .count = NAN};
	struct view fields[FIELDS_MAX];
	size_t count = split(line, fields);
	bool key = view_is(fields[0], "+DTP");
	struct engine_number seconds;
	struct parse_run *now;
	uint64_t number;

	if ((!key && !view_is(fields[0], "+DT")) || count < 4 ||
	    !engine_number(fields[key ? count - 1 : 2], &seconds))
		return false;
	progress.wanted_s = seconds.value;
	progress.line = parse->line;
	progress.name = parse_copy(parse, fields[1]);
	if (!key && view_u64(fields[3], 10, &number) && number <= INT32_MAX)
		progress.size = (int64_t)number;
	if (key && view_u64(fields[1], 10, &number) && number <= INT32_MAX)
		progress.bits = (int64_t)number;
	if (key) {
		static const char *const words[][2] = {
			{"encrypt", "encrypt"}, {"decrypt", "decrypt"}, {"sign", "sign"},
			{"verify", "verify"},   {"private", "sign"},    {"public", "verify"},
			{"keygen", "keygen"},   {"encaps", "encaps"},   {"decaps", "decaps"}};

		progress.operation = "derive";
		for (size_t i = sizeof(words) / sizeof(words[0]); i-- > 0;) {
			struct view middle = {fields[2].at,
					      (size_t)(fields[count - 1].at - fields[2].at)};

			if (view_find(middle, words[i][0]))
				progress.operation = words[i][1];
		}
		if (progress.bits >= 0 && count > 4) {
			struct view algorithm = fields[3], word;

			if (view_word(&algorithm, &word))
				progress.name = parse_copy(parse, word);
		}
	}
	now = parse_run(parse, "openssl-speed", is_over(parse_now(parse)));
	now->openssl.mr = true;
	now->openssl.pending = progress;
	now->openssl.is_pending = true;
	return true;
}

/* +R:COUNT:NAME:SECONDS, +R7:COUNT:256:SECONDS, +R10:COUNT:253:Ed25519:SECONDS */
static bool count_line(struct parse *parse, struct view line)
{
	struct view fields[FIELDS_MAX];
	size_t count = split(line, fields);
	struct engine_number number, seconds;
	struct openssl_progress progress;
	struct parse_run *now;
	uint64_t code = 0;

	if (!view_starts(fields[0], "+R") || count < 4 ||
	    (fields[0].size > 2 &&
	     !view_u64((struct view){fields[0].at + 2, fields[0].size - 2}, 10, &code)) ||
	    !engine_number(fields[1], &number) || !engine_number(fields[count - 1], &seconds))
		return false;
	now = parse_run(parse, "openssl-speed", false);
	now->openssl.mr = true;
	progress = now->openssl.pending;
	if (!now->openssl.is_pending)
		progress = (struct openssl_progress){.size = -1, .bits = -1, .wanted_s = NAN};
	if (fields[0].size == 2 || progress.bits < 0)
		progress.name = parse_copy(parse, fields[2]);
	for (size_t i = 0; i < sizeof(named_codes) / sizeof(named_codes[0]); i++) {
		if (code == (uint64_t)named_codes[i].code && progress.bits < 0)
			progress.operation = named_codes[i].operation;
	}
	if (fields[0].size > 2 && !progress.operation)
		return true;
	progress.code = fields[0].size > 2 ? (int)(code & 0xff) : -1;
	progress.count = number.value;
	progress.seconds = seconds.value;
	progress.line = parse->line;
	openssl_keep(parse, now, &progress);
	return true;
}

/* "Forked child 3", "Got: +H:16:64 from 0" */
static bool child_line(struct parse *parse, struct view line)
{
	struct parse_run *now = parse_now(parse);
	struct view text, fields[FIELDS_MAX];
	const char *from;
	uint64_t child;

	if (view_starts(line, "Forked child ")) {
		now = parse_run(parse, "openssl-speed",
				now && (now->openssl.table || now->openssl.version_said));
		text = view_trim((struct view){line.at + 13, line.size - 13});
		if (view_u64(text, 10, &child) && child < INT32_MAX &&
		    (int64_t)child >= now->openssl.children)
			now->openssl.children = (int64_t)child + 1;
		return true;
	}
	if (!view_starts(line, "Got: +"))
		return false;
	now = parse_run(parse, "openssl-speed", false);
	text = (struct view){line.at + 5, line.size - 5};
	from = view_find(text, " from ");
	if (from &&
	    view_u64(view_trim((struct view){from + 6, (size_t)(text.at + text.size - from) - 6}),
		     10, &child) &&
	    child < INT32_MAX && (int64_t)child >= now->openssl.children)
		now->openssl.children = (int64_t)child + 1;
	if (from && view_starts(text, "+H:")) {
		text.size = (size_t)(from - text.at);
		take_sizes(&now->openssl, fields, split(text, fields));
	}
	return true;
}

bool openssl_mr_line(struct parse *parse, struct view line)
{
	if (view_starts(line, "+"))
		return request_line(parse, line) || count_line(parse, line) ||
		       result_line(parse, line);
	return child_line(parse, line);
}
