// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include <stdbool.h>

struct error;

/* Whether the path of a file: address is a regular file: opening a FIFO would hang the helper. */
bool local_is_regular(const char *path, struct error *err);
