// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

void json_render(struct buffer *out, const struct document *document);
