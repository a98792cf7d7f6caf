// SPDX-License-Identifier: BSD-2-Clause
#include "engine/parse.h"

#include "base/arena.h"

#include <string.h>
#include <strings.h>

/* Whether numbers are there, and whose: without a table they come from the counts. */

static const char *const kept_options[] = {"evp",      "aead",   "hmac",  "cmac",       "mb",
					   "decrypt",  "multi",  "bytes", "seconds",    "primes",
					   "elapsed",  "engine", "mr",    "async_jobs", "provider",
					   "misalign", "rand"};

/* Those that stand alone. */
static bool is_switch(const char *option)
{
	static const char *const switches[] = {"decrypt", "elapsed", "mr", "aead", "mb"};

	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
		if (strcmp(option, switches[i]) == 0)
			return true;
	}
	return false;
}

static void take_command(struct parse *parse, struct parse_run *now)
{
	for (size_t i = 0; i < sizeof(kept_options) / sizeof(kept_options[0]); i++) {
		const char *option = kept_options[i], *value;

		if (!engine_command_has(&now->command, option))
			continue;
		value = is_switch(option) ? NULL : engine_command_value(&now->command, option);
		names_add(parse->arena, &now->run.options,
			  value ? arena_printf(parse->arena, "%s=%s", option,
					       text_printable(parse->arena, view_of(value)))
				: option);
	}
	if (engine_command_has(&now->command, "elapsed"))
		now->run.elapsed = true;
	for (size_t i = 0; i < now->command.before.count; i++) {
		const char *word = now->command.before.items[i], *slash = strrchr(word, '/');

		if (strncmp(word, "OPENSSL_armcap=", 15) == 0 ||
		    strncmp(word, "OPENSSL_ia32cap=", 16) == 0) {
			now->run.capability_forced = true;
			if (!now->run.capability)
				now->run.capability = word;
		}
		if (strncmp(slash ? slash + 1 : word, "qemu-", 5) == 0 && !now->run.emulated) {
			now->run.emulated = true;
			parse_note(parse, now,
				   "it ran under QEMU: its numbers say nothing about any machine");
		}
	}
}

static const char *key_name(struct parse *parse, const struct openssl_progress *progress)
{
	static const char *const bits_last[] = {"rsa", "RSA", "dsa", "DSA"};

	if (progress->bits < 0)
		return progress->name;
	for (size_t i = 0; i < sizeof(bits_last) / sizeof(bits_last[0]); i++) {
		if (strncmp(progress->name, bits_last[i], 3) == 0)
			return arena_printf(parse->arena, "%.3s %d bits", bits_last[i & ~1UL],
					    (int)progress->bits);
	}
	return arena_printf(parse->arena, "%d bits %s", (int)progress->bits, progress->name);
}

static void rows_from_counts(struct parse *parse, struct parse_run *now)
{
	for (size_t i = 0; i < now->openssl.progress_count; i++) {
		const struct openssl_progress *progress = &now->openssl.progress[i];
		double rate = progress->count / progress->seconds;
		size_t rows = now->run.row_count;
		bool key = progress->operation != NULL;

		if (isnan(progress->seconds))
			continue;
		if (!isfinite(rate))
			rate = 0;
		openssl_row(parse, now, key ? key_name(parse, progress) : progress->name,
			    progress->operation, progress->size,
			    !key && progress->size >= 0 ? rate * (double)progress->size : NAN,
			    rate);
		if (now->run.row_count == rows)
			return;
		now->run.rows[rows].line = progress->line;
		now->run.rows[rows].seconds = progress->seconds;
	}
	if (now->run.row_count)
		parse_note(parse, now,
			   "there is no table (interrupted, or only a part of the output): rates "
			   "are counts by their seconds, each of one process");
}

static void take_decrypt(struct parse_run *now)
{
	bool cipher = engine_command_has(&now->command, "evp");

	if (!engine_command_has(&now->command, "decrypt") || !cipher)
		return;
	for (size_t i = 0; i < now->run.row_count; i++) {
		if (!now->run.rows[i].operation)
			now->run.rows[i].operation = "decrypt";
	}
}

static void note_version(struct parse *parse, struct parse_run *now)
{
	const char *version =
		now->run.library_version ? now->run.library_version : now->run.version;

	if (version && (!strncmp(version, "3.0.", 4) || !strncmp(version, "3.1.", 4)))
		parse_note(
			parse, now,
			"OpenSSL 3.0 and 3.1 lose to 1.1.1 and to 3.2 and later with many threads "
			"and small buffers: measure with a newer one");
	if (now->run.debug_build)
		parse_note(parse, now,
			   "the library was built without optimisation (-O0): its numbers say "
			   "nothing about a release build");
}

/* Bits of OPENSSL_armcap: AES and PMULL. The slowest cores with both seal more than 400 MB/s. */
#define ARMCAP_GCM 0x24
#define GCM_MIN_BYTES_PER_S 100e6
#define GCM_MIN_SIZE 8192

static bool has_gcm_instructions(const struct engine_run *run)
{
	static const char name[] = "OPENSSL_armcap=0x";
	struct view word = view_of(run->capability ? run->capability : "");
	uint64_t mask;
	size_t size = 0;

	if (!view_starts(word, name))
		return false;
	word = (struct view){word.at + sizeof(name) - 1, word.size - (sizeof(name) - 1)};
	while (size < word.size && word.at[size] != ' ')
		size++;
	return view_u64((struct view){word.at, size}, 16, &mask) &&
	       (mask & ARMCAP_GCM) == ARMCAP_GCM;
}

/* A rate that no core with these instructions is as slow as is not of this machine. */
static void judge_emulation(struct parse *parse, struct parse_run *now)
{
	struct engine_run *run = &now->run;
	const struct engine_row *slow = NULL;

	if (run->emulated || run->capability_forced ||
	    engine_command_has(&now->command, "engine") || !has_gcm_instructions(run))
		return;
	for (size_t i = 0; i < run->row_count && !slow; i++) {
		const struct engine_row *row = &run->rows[i];
		const char *name = row->name ? row->name : "";

		if (strncasecmp(name, "aes-", 4) == 0 && strlen(name) == 11 &&
		    strcasecmp(name + 7, "-gcm") == 0 && row->size_bytes >= GCM_MIN_SIZE &&
		    !row->void_reason && row->bytes_per_s < GCM_MIN_BYTES_PER_S)
			slow = row;
	}
	for (size_t i = 0; slow && i < run->row_count; i++)
		VOID_ROW(parse, &run->rows[i],
			 "%.0f MB/s of %s is less than any core with the AES instructions of %s "
			 "does: it was emulated, or had a fraction of a core",
			 slow->bytes_per_s / 1e6, slow->name, run->capability);
}

void openssl_finish(struct parse *parse, struct parse_run *now)
{
	struct engine_run *run = &now->run;

	take_command(parse, now);
	run->jobs = now->openssl.children > 1 ? now->openssl.children : 1;
	if (now->openssl.children) /* its processes always measure so */
		run->elapsed = true;
	if (run->jobs == 1 && engine_command_has(&now->command, "multi")) {
		const char *value = engine_command_value(&now->command, "multi");
		uint64_t jobs;

		if (value && view_u64(view_of(value), 10, &jobs) && jobs && jobs < 65536)
			run->jobs = (int64_t)jobs;
	}
	if (!run->row_count) {
		now->openssl.from_counts = true;
		rows_from_counts(parse, now);
	}
	take_decrypt(now);
	if (!run->version && run->row_count && parse->version) {
		run->version = parse->version;
		run->library_version = parse->library;
	}
	note_version(parse, now);
	openssl_judge(parse, now);
	judge_emulation(parse, now);
}
