// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "base/text.h"

struct arena;

/*
 * An SMBIOS table with its identifiers blanked at the same length: only the strings and fields that
 * this program or a reader of dmidecode's memory and processor sections needs are kept, everything
 * else becomes '*' (text) or 0 (numbers). So a field nobody thought of, such as a vendor's own
 * structure, cannot leak. Lengths, handles, string counts and damage stay.
 */
struct view redact_dmi(struct arena *arena, struct view raw);
/* The tag is the constant by which a cloud is known (Azure). */
bool asset_tag_is_cloud(struct view tag);
/* A chassis asset tag (/sys/class/dmi/id/chassis_asset_tag): kept only when it is the constant by
 * which a cloud is known. */
struct view redact_asset_tag(struct arena *arena, struct view raw);
