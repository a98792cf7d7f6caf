// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include "base/arena.h"

#include <inttypes.h>
#include <string.h>

/* What was measured, from the dump of options, else from the command line and its presets. */

static const struct {
	const char *option, *preset;
} taken[] = {
	{"optype", "cipher-then-auth"},
	{"cipher-algo", "aes-cbc"},
	{"cipher-op", "encrypt"},
	{"auth-algo", "sha1-hmac"},
	{"auth-op", "generate"},
	{"aead-algo", "aes-gcm"},
	{"aead-op", "encrypt"},
	{"cipher-key-sz", NULL},
	{"cipher-iv-sz", NULL},
	{"auth-key-sz", NULL},
	{"auth-iv-sz", NULL},
	{"aead-key-sz", NULL},
	{"aead-iv-sz", NULL},
	{"aead-aad-sz", NULL},
	{"digest-sz", NULL},
	{"modex-len", NULL},
	{"buffer-sz", NULL},
	{"burst-sz", NULL},
	{"total-ops", NULL},
	{"devtype", NULL},
	{"imix", NULL},
	{"sessionless", NULL},
	{"out-of-place", NULL},
};

static const char *said(const struct engine_run *run, const char *key)
{
	size_t size = strlen(key);

	for (size_t i = 0; i < run->options.count; i++) {
		const char *option = run->options.items[i];

		if (strncmp(option, key, size) == 0 && option[size] == '=')
			return option + size + 1;
	}
	return NULL;
}

/* Only what the program would have understood. */
static void take_command(struct parse *parse, struct parse_run *now)
{
	bool dumped = said(&now->run, "optype") != NULL;

	if (!now->command.engine)
		return;
	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++) {
		const char *value = engine_command_value(&now->command, taken[i].option);

		if (!value && now->command.complete && !dumped)
			value = taken[i].preset;
		if (value && !said(&now->run, taken[i].option))
			names_add(parse->arena, &now->run.options,
				  arena_printf(parse->arena, "%s=%s", taken[i].option,
					       text_printable(parse->arena, view_of(value))));
	}
}

static const char *name_of(struct parse *parse, const struct engine_run *run,
			   const char **operation)
{
	const char *optype = said(run, "optype"), *cipher = said(run, "cipher-algo");
	const char *auth = said(run, "auth-algo"), *aead = said(run, "aead-algo");

	*operation = said(run, "cipher-op");
	if (!optype)
		return NULL;
	if (strcmp(optype, "cipher-only") == 0)
		return cipher;
	if (strcmp(optype, "aead") == 0) {
		*operation = said(run, "aead-op");
		return aead;
	}
	if (strcmp(optype, "auth-only") == 0) {
		*operation = said(run, "auth-op");
		return auth;
	}
	if (strcmp(optype, "cipher-then-auth") == 0 || strcmp(optype, "auth-then-cipher") == 0)
		return cipher && auth ? arena_printf(parse->arena, "%s+%s", cipher, auth) : NULL;
	*operation = NULL;
	return optype;
}

static void take_emulator(struct parse *parse, struct parse_run *now)
{
	for (size_t i = 0; i < now->command.before.count; i++) {
		const char *word = now->command.before.items[i], *slash = strrchr(word, '/');

		if (strncmp(slash ? slash + 1 : word, "qemu-", 5) != 0 || now->run.emulated)
			continue;
		now->run.emulated = true;
		parse_note(parse, now,
			   "it ran under QEMU: its numbers say nothing about any machine");
	}
}

static int64_t count_cores(const struct engine_run *run)
{
	int64_t count = 0;

	for (size_t i = 0; i < run->row_count && i < 4096; i++) {
		bool seen = false;

		for (size_t j = 0; j < i && !seen; j++)
			seen = run->rows[j].core == run->rows[i].core;
		count += !seen;
	}
	return count ? count : 1;
}

#define CORES_MAX 4096

/* How many workers "-l 0,2-5" gives: one of its cores is the main one. 0: it is not said so. */
static int64_t count_workers(const struct engine_command *command)
{
	const char *value = engine_command_value(command, "l");
	struct view rest = view_of(value ? value : ""), part;
	int64_t cores = 0;

	while (rest.at && view_split(&rest, ',', &part)) {
		const char *dash = view_find(part, "-");
		struct view first = part, last = part;
		uint64_t from, to;

		if (dash) {
			first.size = (size_t)(dash - part.at);
			last = (struct view){dash + 1, part.size - first.size - 1};
		}
		if (!view_u64(first, 10, &from) || !view_u64(last, 10, &to) || to < from ||
		    to >= CORES_MAX)
			return 0;
		cores += (int64_t)(to - from) + 1;
	}
	return cores > 1 && cores < CORES_MAX ? cores - 1 : 0;
}

static void note_workers(struct parse *parse, struct parse_run *now)
{
	int64_t want = now->command.complete ? count_workers(&now->command) : 0;

	if (now->run.row_count && want > now->run.jobs)
		parse_note(parse, now,
			   arena_printf(parse->arena,
					"the command gives %" PRId64 " workers, rows of %" PRId64
					" are there: a sum is of these alone",
					want, now->run.jobs));
}

void cperf_finish(struct parse *parse, struct parse_run *now)
{
	struct engine_run *run = &now->run;
	const char *operation, *name;

	if (now->cperf.in_block) {
		struct engine_row *row = parse_row(parse, now);

		if (row) {
			*row = now->cperf.block;
			VOID_ROW(parse, row, "the table of this size is cut: it has no time");
		}
	}
	take_command(parse, now);
	take_emulator(parse, now);
	if (!run->device)
		run->device = said(run, "devtype");
	if (!run->device)
		run->device = now->cperf.device;
	if (!run->test && now->command.engine)
		run->test = engine_command_value(&now->command, "ptest");
	if (!run->test && now->command.engine && now->command.complete)
		run->test = "throughput";
	name = name_of(parse, run, &operation);
	for (size_t i = 0; i < run->row_count; i++) {
		run->rows[i].name = name;
		run->rows[i].operation = operation;
	}
	if (run->row_count && operation && !strcmp(operation, "decrypt") &&
	    said(run, "aead-algo") && said(run, "optype") && !strcmp(said(run, "optype"), "aead") &&
	    (!run->test || !strcmp(run->test, "throughput")))
		parse_note(parse, now,
			   "throughput of AEAD decryption is of data whose tags are wrong, and its "
			   "answers are not looked at: a rate of refusals");
	run->jobs = count_cores(run);
	note_workers(parse, now);
	run->elapsed = true;
	cperf_judge(parse, now);
}
