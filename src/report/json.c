// SPDX-License-Identifier: BSD-2-Clause
#include "report/json.h"

void json_render(struct buffer *out, const struct document *document)
{
	struct json_writer writer;

	json_begin(&writer, out);
	fields_write(&writer, NULL, document->kind->table, document);
	json_end(&writer);
}
