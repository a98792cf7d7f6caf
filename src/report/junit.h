// SPDX-License-Identifier: BSD-2-Clause
#pragma once
#include "report/document.h"

/*
 * The verdicts as JUnit's XML, in the form that Jenkins and GitLab read: a case for each; what
 * fails is a failure, what does not apply, is waived or is not known is skipped with the reason
 * (not known is an error where that ends the run with 3), messages of level error are a case of
 * their own.
 */
void junit_render(struct buffer *out, const struct document *document);
