// SPDX-License-Identifier: BSD-2-Clause
#include "setup/toolchain.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "catalog/probe.h"
#include "catalog/profile.h"
#include "setup/target.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TIMEOUT_MS 10000
#define OUTPUT_MAX ((size_t)64 << 10)
#define CACHE_MAX_BYTES ((size_t)64 << 10)

#define ROW(name, field_kind, member, text, ...)                                                   \
	{                                                                                          \
		.key = (name), .kind = (field_kind), .offset = FIELD(struct toolchain, member),    \
		.doc = (text), ##__VA_ARGS__                                                       \
	}

static const struct field rows[] = {
	ROW("kind", FIELD_TEXT, kind, "whose flags it takes: gcc, clang", .required = true,
	    .pattern = "^(gcc|clang)$"),
	ROW("path", FIELD_TEXT, path, "the driver", .required = true),
	ROW("cc", FIELD_TEXTS, cc, "the command", .required = true),
	ROW("version", FIELD_TEXT, version, "first line of --version", .required = true),
	ROW("triplet", FIELD_TEXT, triplet, "what it makes code for", .required = true),
	ROW("tool-prefix", FIELD_TEXT, tool_prefix, "of ar, ranlib and strip", .required = true),
	ROW("flags", FIELD_TEXTS, flags, "for the target"),
	ROW("user-flags", FIELD_TEXTS, user_flags, "CFLAGS of the user"),
	ROW("wanted", FIELD_TEXT, wanted, "the top of the CPU's ladder of flags", .nullable = true),
	ROW("refused", FIELD_TEXTS, refused, "flags above those taken, each with the reason"),
	ROW("macros", FIELD_TEXTS, macros, "the __ARM_FEATURE_ macros the flags define"),
	ROW("driver", FIELD_TEXT, driver, "identity of the driver's file", .required = true),
	ROW("proper", FIELD_TEXT, proper, "identity of the compiler proper", .required = true),
	ROW("sysroot", FIELD_TEXT, sysroot, "headers and libraries of the target",
	    .nullable = true),
};

const struct field_table toolchain_table = FIELD_TABLE(
	"toolchain", struct toolchain, rows, "the compiler that builds, and the flags it takes");

/* What names a compiler when CC does not: in this order. */
static const struct {
	bool cross;
	const char *name;
} compilers[] = {
	{true, "aarch64-linux-gnu-gcc"},
	{true, "clang"},
	{false, "gcc"},
	{false, "cc"},
	{false, "clang"},
};

/* In the environment they would beat the flags of the target. */
static const char *const machine_flags[] = {"-march=", "-mcpu=", "-mtune=", "-mabi="};

static const char *identity_of(struct arena *arena, const char *path)
{
	struct stat status;

	if (!path || stat(path, &status) < 0)
		return NULL;
	return arena_printf(arena, "%s %s", path, file_identity(arena, &status));
}

/* The path in front of an identity. */
static const char *path_of(struct arena *arena, const char *identity)
{
	const char *blank = strrchr(identity, ' ');

	return blank ? view_copy(arena, (struct view){identity, (size_t)(blank - identity)}) : "";
}

static bool split_words(struct arena *arena, const char *text, struct names *out)
{
	struct view rest = view_of(text), word;

	while (view_word(&rest, &word))
		names_add(arena, out, view_copy(arena, word));
	return out->count > 0;
}

static bool check_user_flags(const char *variable, const struct names *flags, struct error *err)
{
	for (size_t i = 0; i < flags->count; i++) {
		for (size_t m = 0; m < sizeof(machine_flags) / sizeof(machine_flags[0]); m++) {
			if (view_starts(view_of(flags->items[i]), machine_flags[m]))
				return error_exit(err, EXIT_USAGE,
						  "%s: '%s' is chosen by --target, take it out "
						  "of the environment",
						  variable, flags->items[i]);
		}
	}
	return true;
}

static bool no_compiler(const struct target *target, struct error *err)
{
	if (target->cross)
		return error_set(err,
				 "no compiler for %s: install gcc-aarch64-linux-gnu (Fedora, "
				 "RHEL: gcc-aarch64-linux-gnu; SUSE: cross-aarch64-gcc13), or "
				 "set CC",
				 target->triplet);
	return error_set(err, "no compiler: install gcc, or set CC");
}

/* Builds run elsewhere: a path is made absolute, without resolving links, whose names tell such
 * programs what to do (ccache). */
static const char *full_path(struct arena *arena, const char *word)
{
	char here[PATH_MAX];

	if (!strchr(word, '/'))
		return process_find(arena, word);
	if (word[0] == '/')
		return word;
	return getcwd(here, sizeof(here)) ? arena_printf(arena, "%s/%s", here, word) : NULL;
}

static bool is_program(const char *path)
{
	struct stat status;

	return path && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
	       access(path, X_OK) == 0;
}

/* The words of the command; the first becomes a full path. */
static bool find_command(struct arena *arena, const struct toolchain_request *request,
			 struct names *cc, struct error *err)
{
	const char *path = NULL;

	if (request->cc && split_words(arena, request->cc, cc)) {
		path = full_path(arena, cc->items[0]);
		if (!is_program(path))
			return error_set(err, "CC: there is no program %s", cc->items[0]);
		cc->items[0] = path;
		return check_user_flags("CC", cc, err);
	}
	for (size_t i = 0; i < sizeof(compilers) / sizeof(compilers[0]) && !path; i++) {
		if (compilers[i].cross == request->target->cross)
			path = process_find(arena, compilers[i].name);
	}
	if (!path)
		return no_compiler(request->target, err);
	names_add(arena, cc, path);
	return true;
}

static const char *ask(struct arena *arena, const struct names *cc, const char *word)
{
	struct process_result result;
	struct view output, line;
	struct names argv = {0};

	for (size_t i = 0; i < cc->count; i++)
		names_add(arena, &argv, cc->items[i]);
	names_add(arena, &argv, word);
	names_add(arena, &argv, NULL);
	if (!process_run(arena, argv.items, (struct view){0}, TIMEOUT_MS, OUTPUT_MAX, &result,
			 NULL) ||
	    result.timed_out || result.exit_status != 0)
		return NULL;
	output = result.output;
	if (!view_line(&output, &line))
		return NULL;
	return text_printable(arena, view_trim(line));
}

/* The program that does the work behind the driver: cc1, or the driver itself (clang). */
static const char *compiler_proper(struct arena *arena, const struct toolchain *toolchain)
{
	const char *last = toolchain->path;
	const char *path = strcmp(toolchain->kind, "gcc") == 0
				   ? ask(arena, &toolchain->cc, "-print-prog-name=cc1")
				   : NULL;

	if (path && path[0] == '/')
		return path;
	/* "ccache clang": the compiler is the last word that is a program. */
	for (size_t i = 1; i < toolchain->cc.count; i++) {
		const char *word = toolchain->cc.items[i];

		path = word[0] == '/' ? word : process_find(arena, word);
		if (word[0] != '-' && path && access(path, X_OK) == 0)
			last = path;
	}
	return last;
}

/* NULL: the target has no profile. */
static const char *top_of_ladder(const struct target *target, const char *kind)
{
	const struct field_array *ladder;

	if (!target->profile)
		return NULL;
	ladder = strcmp(kind, "clang") == 0 ? &target->profile->clang : &target->profile->gcc;
	return ladder->count ? ((const struct flag_step *)ladder->items)[0].flags : NULL;
}

static bool climb(struct arena *arena, const struct target *target, struct toolchain *toolchain,
		  struct error *err)
{
	struct probe_compiler probed = {0};

	if (!target->profile)
		return true;
	probe_one(arena, toolchain->kind, &toolchain->cc, target->profile, &probed);
	if (!probed.accepted)
		return error_exit(err, EXIT_UNSUPPORTED, "%s (%s) %s%s%s", toolchain->path,
				  toolchain->version, probed.why, probed.refused.count ? ": " : "",
				  names_join(arena, &probed.refused, "; "));
	split_words(arena, probed.accepted, &toolchain->flags);
	toolchain->refused = probed.refused;
	toolchain->macros = probed.macros;
	toolchain->wanted = top_of_ladder(target, toolchain->kind);
	return true;
}

static bool inquire(struct arena *arena, const struct target *target, struct toolchain *toolchain,
		    struct error *err)
{
	const char *version = ask(arena, &toolchain->cc, "--version");

	if (!version)
		return error_set(err, "%s: does not answer to --version", toolchain->path);
	toolchain->version = version;
	toolchain->kind = strstr(version, "clang") ? "clang" : "gcc";
	if (strcmp(toolchain->kind, "clang") == 0 && toolchain->cc.count == 1)
		names_add(arena, &toolchain->cc,
			  arena_printf(arena, "--target=%s", target->triplet));
	toolchain->triplet = ask(arena, &toolchain->cc, "-dumpmachine");
	if (!toolchain->triplet || !view_starts(view_of(toolchain->triplet), target->arch))
		return error_exit(
			err, EXIT_UNSUPPORTED, "%s makes code for %s, not for %s", toolchain->path,
			toolchain->triplet ? toolchain->triplet : "nothing it names", target->arch);
	toolchain->tool_prefix = target->cross ? arena_printf(arena, "%s-", target->triplet) : "";
	toolchain->driver = identity_of(arena, toolchain->path);
	toolchain->proper = identity_of(arena, compiler_proper(arena, toolchain));
	if (!toolchain->driver || !toolchain->proper)
		return error_set(err, "%s: the compiler proper is missing", toolchain->path);
	return climb(arena, target, toolchain, err);
}

static const char *cache_path(struct arena *arena, const struct toolchain_request *request,
			      const struct names *cc)
{
	char *name;

	if (!request->cache)
		return NULL;
	name = arena_printf(arena, "%s", names_join(arena, cc, "_"));
	for (char *at = name; *at; at++) {
		if (*at == '/' || *at == '=')
			*at = '_';
	}
	return arena_printf(arena, "%s/compiler-%s%s.json", request->cache, request->target->name,
			    name);
}

/* Whether an answer was kept and the compiler's files are still those it was asked of. */
static bool recall(struct arena *arena, const char *path, const struct target *target,
		   const struct names *cc, struct toolchain *out)
{
	const char *top;
	struct view text;
	struct json json;

	if (!path || access(path, R_OK) < 0 ||
	    !file_read(arena, path, CACHE_MAX_BYTES, &text, NULL) ||
	    !json_parse(arena, path, text, &json, NULL) ||
	    !fields_load(arena, &json, json.top, &toolchain_table, out, NULL))
		return false;
	const char *driver = identity_of(arena, cc->items[0]);
	const char *proper = identity_of(arena, path_of(arena, out->proper));

	/* Another release of this program can know better flags. */
	top = top_of_ladder(target, out->kind);
	if (!top != !out->wanted || (top && strcmp(top, out->wanted) != 0))
		return false;
	return driver && proper && strcmp(driver, out->driver) == 0 &&
	       strcmp(proper, out->proper) == 0;
}

void toolchain_keep(struct arena *arena, const struct toolchain_request *request,
		    const struct toolchain *toolchain)
{
	const char *path = cache_path(arena, request, &toolchain->cc);
	struct buffer text = buffer_new(arena, CACHE_MAX_BYTES);
	struct toolchain answer = *toolchain;
	struct json_writer writer;

	/* These are of a run, not of the compiler. */
	answer.user_flags = (struct names){0};
	answer.sysroot = NULL;
	json_begin(&writer, &text);
	fields_write(&writer, NULL, &toolchain_table, &answer);
	json_end(&writer);
	if (path && !text.full)
		file_write(path, buffer_view(&text), NULL);
}

bool toolchain_find(struct arena *arena, const struct toolchain_request *request,
		    struct toolchain *out, struct error *err)
{
	struct names cc = {0}, user_flags = {0};
	struct toolchain found = {0};
	const char *path;

	if (request->cflags)
		split_words(arena, request->cflags, &user_flags);
	if (!check_user_flags("CFLAGS", &user_flags, err) ||
	    !find_command(arena, request, &cc, err))
		return false;
	path = cache_path(arena, request, &cc);
	if (!recall(arena, path, request->target, &cc, &found)) {
		found = (struct toolchain){.path = cc.items[0], .cc = cc};
		if (!inquire(arena, request->target, &found, err))
			return false;
	}
	found.user_flags = user_flags;
	found.sysroot = request->sysroot;
	*out = found;
	return true;
}
