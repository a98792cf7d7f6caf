// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"
#include "report/page.h"

/* A section on a page; nothing when it has no rows. */
void section_render(struct page *page, const struct section *section);
/* A bar of `width` cells from a cell of section_share(): eighths of blocks, or ASCII alone. */
const char *section_bar(struct arena *arena, const char *share, size_t width, bool unicode);
enum column_kind section_kind(const struct section *section, size_t column);
