// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "base/digest.h"
#include "base/file.h"
#include "setup/sources_private.h"

#include <stdlib.h>
#include <string.h>

#define REMEMBERED_MAX_BYTES ((size_t)8 << 20)
#define REMEMBERED_MAX 65536

struct remembered {
	const char *identity, *sha256;
};

static int by_identity(const void *a, const void *b)
{
	return strcmp(((const struct remembered *)a)->identity,
		      ((const struct remembered *)b)->identity);
}

static bool parse_line(struct arena *arena, struct view line, struct remembered *out)
{
	struct view identity;

	if (!view_split(&line, ' ', &identity) || !identity.size ||
	    line.size != DIGEST_HEX_SIZE - 1)
		return false;
	*out = (struct remembered){view_copy(arena, identity), view_copy(arena, line)};
	return digest_is(out->sha256);
}

void digests_load(struct sources *sources)
{
	struct view text, line;
	size_t lines = 0;

	if (!file_read(sources->arena, sources_cached(sources, "mirrors"), REMEMBERED_MAX_BYTES,
		       &text, NULL))
		return;
	for (size_t i = 0; i < text.size; i++)
		lines += text.at[i] == '\n';
	lines = lines < REMEMBERED_MAX ? lines + 1 : REMEMBERED_MAX;
	sources->remembered = arena_array(sources->arena, struct remembered, lines);
	while (sources->remembered_count < lines && view_line(&text, &line)) {
		if (parse_line(sources->arena, line,
			       &sources->remembered[sources->remembered_count]))
			sources->remembered_count++;
	}
	qsort(sources->remembered, sources->remembered_count, sizeof(struct remembered),
	      by_identity);
}

const char *digests_find(const struct sources *sources, const char *identity)
{
	const struct remembered key = {.identity = identity};
	const struct remembered *found =
		sources->remembered_count
			? bsearch(&key, sources->remembered, sources->remembered_count,
				  sizeof(struct remembered), by_identity)
			: NULL;

	return found ? found->sha256 : NULL;
}

/* Only of files that are there: the list does not grow for ever. */
void digests_save(struct sources *sources)
{
	struct buffer text = buffer_new(sources->arena, REMEMBERED_MAX_BYTES);

	if (!sources->asked)
		return;
	for (size_t i = 0; i < sources->file_count; i++) {
		const struct source_file *file = &sources->files[i];
		const char *digest =
			file->sha256 ? file->sha256 : digests_find(sources, file->identity);

		if (digest && digest[0])
			buffer_printf(&text, "%s %s\n", file->identity, digest);
	}
	if (!text.full && file_write(sources_cached(sources, "mirrors"), buffer_view(&text), NULL))
		sources->asked = false;
}
