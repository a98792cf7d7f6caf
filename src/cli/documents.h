// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

/* The document of each command, for `schema`. */
extern const struct document_kind audit_kind, bench_kind, capture_kind, detect_kind, diff_kind,
	explain_kind, inspect_kind, list_kind, provision_kind, remove_kind, report_kind,
	rollback_kind, setup_kind, status_kind, tune_kind, version_kind;
