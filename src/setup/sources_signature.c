// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "setup/openpgp.h"
#include "setup/sandbox.h"
#include "setup/sources_private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIGNATURE_MAX_BYTES ((size_t)64 << 10)
#define KEYS_MAX_BYTES ((size_t)4 << 20)
#define OUTPUT_MAX_BYTES ((size_t)64 << 10)
#define TIMEOUT_S 300

static const char *const signature_suffixes[] = {".asc", ".sig", NULL};
static const char *const key_suffixes[] = {".asc", ".gpg", ".pgp", ".key", NULL};

/* One detached signature that may be of the file. */
struct candidate {
	const char *path; /* for people */
	bool named;       /* its name says that it is of this file */
	struct view packets;
};

/* What gpgv said, what counts least first. */
enum seal {
	SEAL_NOTHING,
	SEAL_NO_KEY,
	SEAL_EXPIRED,
	SEAL_REVOKED,
	SEAL_LATE, /* made when its key had expired */
	SEAL_BAD,
	SEAL_OLD, /* good, and its key has expired since */
	SEAL_VALID
};

struct checking {
	struct sources *sources;
	const struct plan_source *source;
	const char *program, *directory, *keyring;
	const char *path; /* of the file */
};

static bool has_suffix(const char *name, const char *const *suffixes)
{
	for (size_t i = 0; suffixes[i]; i++) {
		if (view_ends(view_of(name), suffixes[i]))
			return true;
	}
	return false;
}

static bool find_key(struct sources *sources, const char *fingerprint, struct view *key)
{
	for (size_t i = 0; i < sources->file_count; i++) {
		struct view bytes, packets;

		if (has_suffix(sources->files[i].name, key_suffixes) &&
		    mirror_read(sources, &sources->files[i], KEYS_MAX_BYTES, &bytes) &&
		    openpgp_read(sources->arena, bytes, &packets) &&
		    openpgp_find_key(packets, fingerprint, key))
			return true;
	}
	return false;
}

/* NAME.asc or NAME.sig of the file, of any mirror's file with the same bytes, or upstream's name.
 */
static bool is_named(struct sources *sources, const struct plan_source *source, const char *name)
{
	struct view stem = {name, strlen(name) - strlen(".asc")};
	const char *slash = strrchr(source->signature->url ? source->signature->url : "", '/');

	if (view_is(stem, source->file) || (slash && strcmp(slash + 1, name) == 0))
		return true;
	for (size_t i = 0; i < sources->file_count; i++) {
		const struct source_file *file = &sources->files[i];

		if (view_is(stem, file->name) && mirror_find(sources, source->sha256, file->size) &&
		    file->sha256 && strcmp(file->sha256, source->sha256) == 0)
			return true;
	}
	return false;
}

/* The next file of the mirrors that holds a signature. */
static bool next_candidate(const struct checking *checking, size_t *at, struct candidate *out)
{
	struct sources *sources = checking->sources;

	while (*at < sources->file_count) {
		const struct source_file *file = &sources->files[(*at)++];
		struct view bytes;

		if (!has_suffix(file->name, signature_suffixes) ||
		    !mirror_read(sources, file, SIGNATURE_MAX_BYTES, &bytes) ||
		    !openpgp_read(sources->arena, bytes, &out->packets) ||
		    !openpgp_is_signature(out->packets))
			continue;
		out->path = file->path;
		out->named = is_named(sources, checking->source, file->name);
		return true;
	}
	return false;
}

/* What was fetched with the file. */
static bool fetched_candidate(const struct checking *checking, struct candidate *out)
{
	const char *path = arena_printf(checking->sources->arena, "%s.asc", checking->path);
	struct view bytes;

	*out = (struct candidate){.path = path, .named = true};
	return file_exists(path) &&
	       file_read(checking->sources->arena, path, SIGNATURE_MAX_BYTES, &bytes, NULL) &&
	       openpgp_read(checking->sources->arena, bytes, &out->packets) &&
	       openpgp_is_signature(out->packets);
}

/* The lines "[GNUPG:] KEYWORD ARGUMENTS" of GnuPG's doc/DETAILS. */
struct seen {
	bool valid; /* VALIDSIG, whose last word is the fingerprint of the primary key */
	uint64_t made_s, key_ended_s;
	enum seal worst; /* SEAL_NOTHING: nothing speaks against it */
};

static void see_valid(struct seen *seen, struct view rest, const char *fingerprint)
{
	struct view word, last = {0};

	for (unsigned i = 0; view_word(&rest, &word); i++) {
		if (i == 2)
			view_u64(word, 10, &seen->made_s);
		last = word;
	}
	seen->valid = last.size == strlen(fingerprint) &&
		      strncasecmp(last.at, fingerprint, last.size) == 0;
}

static void see(struct seen *seen, struct view keyword, struct view rest, const char *fingerprint)
{
	static const struct {
		const char *keyword;
		enum seal verdict;
	} rows[] = {
		{"BADSIG", SEAL_BAD},     {"ERRSIG", SEAL_NO_KEY},      {"NO_PUBKEY", SEAL_NO_KEY},
		{"EXPSIG", SEAL_EXPIRED}, {"SIGEXPIRED", SEAL_EXPIRED}, {"REVKEYSIG", SEAL_REVOKED},
	};
	struct view word;
	uint64_t ended_s;

	if (view_is(keyword, "VALIDSIG"))
		see_valid(seen, rest, fingerprint);
	/* Of a key and its subkeys the first that ended. */
	if (view_is(keyword, "KEYEXPIRED") && view_word(&rest, &word) &&
	    view_u64(word, 10, &ended_s) && (!seen->key_ended_s || ended_s < seen->key_ended_s))
		seen->key_ended_s = ended_s;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (view_is(keyword, rows[i].keyword) && rows[i].verdict > seen->worst)
			seen->worst = rows[i].verdict;
	}
}

static enum seal read_status(struct view text, const char *fingerprint)
{
	struct seen seen = {0};
	struct view line;

	while (view_line(&text, &line)) {
		struct view word, keyword;

		if (view_word(&line, &word) && view_is(word, "[GNUPG:]") &&
		    view_word(&line, &keyword))
			see(&seen, keyword, line, fingerprint);
	}
	if (seen.worst || !seen.valid)
		return seen.worst;
	if (!seen.key_ended_s)
		return SEAL_VALID;
	return seen.made_s && seen.made_s < seen.key_ended_s ? SEAL_OLD : SEAL_LATE;
}

static bool run_gpgv(const struct checking *checking, const struct candidate *candidate,
		     enum seal *verdict, struct error *err)
{
	struct arena *arena = checking->sources->arena;
	const char *signature = arena_printf(arena, "%s/signature", checking->directory);
	const char *const argv[] = {checking->program,
				    "--status-fd",
				    "1",
				    "--homedir",
				    checking->directory,
				    "--keyring",
				    checking->keyring,
				    signature,
				    checking->path,
				    NULL};
	struct view output = {0};
	int status;

	scoped_fd int log = memfd_create("gpgv", MFD_CLOEXEC);
	if (log < 0)
		return error_errno(err, errno, "gpgv");
	struct sandbox_job job = {.argv = argv,
				  .in = checking->directory,
				  .home = checking->directory,
				  .log = log,
				  .timeout_s = TIMEOUT_S};

	if (!file_write(signature, candidate->packets, err) || chmod(signature, 0644) < 0 ||
	    !sandbox_run(checking->sources->sandbox, arena, &job, &status, err) ||
	    lseek(log, 0, SEEK_SET) < 0 ||
	    !file_read_fd(arena, log, "gpgv", OUTPUT_MAX_BYTES, &output, err))
		return false;
	*verdict = read_status(output, checking->source->signature->fingerprint);
	/* gpgv ends with 0 only when all is good. */
	if (*verdict >= SEAL_OLD && status != 0)
		*verdict = SEAL_NOTHING;
	return true;
}

static bool not_checked(struct sources *sources, const struct plan_source *source,
			const char **result, const char *why)
{
	sources_note(sources, "signature of %s not checked: %s", source->file, why);
	*result = arena_printf(sources->arena, "not checked: %s", why);
	return true;
}

/* A signature that is bad counts when it is meant for this file; others lie there for others. */
static bool judge(const struct checking *checking, const struct candidate *candidate,
		  enum seal *best, struct error *err)
{
	enum seal verdict;

	if (*best >= SEAL_OLD)
		return true;
	if (!run_gpgv(checking, candidate, &verdict, err))
		return false;
	if (verdict >= SEAL_OLD)
		*best = verdict;
	if (!candidate->named)
		return true;
	if (verdict == SEAL_BAD)
		return error_exit(err, EXIT_VERIFY,
				  "%s: its signature %s is bad: these are not the bytes that the "
				  "owner of key %s signed",
				  checking->source->file, candidate->path,
				  checking->source->signature->fingerprint);
	*best = verdict > *best ? verdict : *best;
	return true;
}

static bool judge_all(const struct checking *checking, enum seal *best, const char **result,
		      struct error *err)
{
	static const char *const whys[] = {
		[SEAL_NOTHING] = "gpgv could not read it",
		[SEAL_NO_KEY] = "it was made by another key than the recipe's",
		[SEAL_EXPIRED] = "it has expired",
		[SEAL_REVOKED] = "its key was revoked",
		[SEAL_LATE] = "it was made when its key had expired",
	};
	struct candidate candidate;
	bool any = fetched_candidate(checking, &candidate);

	if (any && !judge(checking, &candidate, best, err))
		return false;
	for (size_t at = 0; *best < SEAL_OLD && next_candidate(checking, &at, &candidate);) {
		any = any || candidate.named;
		if (!judge(checking, &candidate, best, err))
			return false;
	}
	if (*best >= SEAL_OLD) {
		*result = arena_printf(checking->sources->arena, "good, key %s%s",
				       checking->source->signature->fingerprint,
				       *best == SEAL_OLD ? ", which has expired since" : "");
		return true;
	}
	return not_checked(checking->sources, checking->source, result,
			   any ? whys[*best] : "there is no signature of it at hand");
}

bool signature_check(struct sources *sources, const struct plan_source *source, const char **result,
		     struct error *err)
{
	const char *fingerprint = source->signature->fingerprint;
	struct arena *arena = sources->arena;
	struct checking checking = {.sources = sources, .source = source};
	enum seal best = SEAL_NOTHING;
	struct view key;

	if (!find_key(sources, fingerprint, &key))
		return not_checked(
			sources, source, result,
			arena_printf(arena, "no key with fingerprint %s is at hand", fingerprint));
	checking.program = process_find(arena, "gpgv");
	if (!checking.program)
		return not_checked(sources, source, result,
				   "there is no gpgv here (package gpgv, gnupg2 or gpg2)");
	checking.path = sources_cached(sources, source->sha256);
	checking.directory = arena_printf(arena, "%s/gpgv", sources->work);
	checking.keyring = arena_printf(arena, "%s/keys.gpg", checking.directory);
	if ((mkdir(checking.directory, 0755) < 0 && errno != EEXIST) ||
	    chmod(checking.directory, 0755) < 0)
		return error_errno(err, errno, "%s", checking.directory);
	return file_write(checking.keyring, key, err) && chmod(checking.keyring, 0644) == 0 &&
	       judge_all(&checking, &best, result, err);
}
