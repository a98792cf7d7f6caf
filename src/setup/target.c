// SPDX-License-Identifier: BSD-2-Clause
#include "setup/target.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "catalog/identity.h"
#include "catalog/profile.h"

#include <string.h>

/* The CPUs that recipes know, and what people call them. */
static const struct {
	const char *word, *profile;
} words[] = {
	{"altra", "altra"},
	{"altramax", "altramax"},
	{"ampereone-ac03", "ampereone-ac03"},
	{"ampereone-ac04", "ampereone-ac04"},
	{"ampereone", "ampereone-ac04"},
};

#define WORDS (sizeof(words) / sizeof(words[0]))

static bool use_profile(struct arena *arena, const struct cpu_profiles *profiles, const char *name,
			const char *arch, struct target *out, struct error *err)
{
	const struct cpu_profile *profile = cpu_profiles_find(profiles, name);

	if (!profile)
		return error_set(err, "profiles/cpu/%s.json: no such profile", name);
	*out = (struct target){.name = arena_strdup(arena, name),
			       .family = profile->family,
			       .arch = "aarch64",
			       .triplet = "aarch64-linux-gnu",
			       .profile = profile,
			       .cross = strcmp(arch, "aarch64") != 0};
	return true;
}

static bool use_native(struct arena *arena, const char *arch, struct target *out, struct error *err)
{
	if (strcmp(arch, "aarch64") != 0 && strcmp(arch, "x86_64") != 0)
		return error_exit(err, EXIT_UNSUPPORTED,
				  "nothing is built on %s, only on aarch64 and x86_64", arch);
	*out = (struct target){.name = "native",
			       .family = "native",
			       .arch = arena_strdup(arena, arch),
			       .triplet = arena_printf(arena, "%s-linux-gnu", arch)};
	return true;
}

static bool unknown(const struct cpu_profiles *profiles, const char *name, struct error *err)
{
	const char *known[WORDS + 1] = {"native"}, *nearest;

	if (cpu_profiles_find(profiles, name))
		return error_exit(err, EXIT_UNSUPPORTED,
				  "nothing can be built for %s yet; --target native gives code "
				  "that every CPU of this architecture runs",
				  name);
	for (size_t i = 0; i < WORDS; i++)
		known[i + 1] = words[i].word;
	nearest = text_nearest(name, known, WORDS + 1);
	if (nearest)
		return error_exit(err, EXIT_USAGE, "unknown target '%s', did you mean '%s'?", name,
				  nearest);
	return error_exit(err, EXIT_USAGE,
			  "unknown target '%s': it is altra, altramax, ampereone-ac03, "
			  "ampereone-ac04 or native",
			  name);
}

bool target_choose(struct arena *arena, const struct cpu_profiles *profiles, const char *name,
		   const struct identity *identity, const char *arch, struct target *out,
		   struct error *err)
{
	bool certain = identity && identity->family && identity->family_confidence &&
		       strcmp(identity->family_confidence, "certain") == 0;

	if (name && strcmp(name, "native") == 0)
		return use_native(arena, arch, out, err);
	if (!name && !certain)
		return use_native(arena, arch, out, err);
	for (size_t i = 0; i < WORDS; i++) {
		if (strcmp(words[i].word, name ? name : identity->family) == 0)
			return use_profile(arena, profiles, words[i].profile, arch, out, err);
	}
	return name ? unknown(profiles, name, err) : use_native(arena, arch, out, err);
}
