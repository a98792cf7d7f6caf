// SPDX-License-Identifier: BSD-2-Clause
#include "host/live.h"

#include "base/arena.h"
#include "base/fields.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Of any architecture Linux runs on. */
#define PAGE_BYTES_MIN 4096
#define PAGE_BYTES_MAX (1 << 20)

/* Variables that change which library is loaded or which code it chooses. */
static const char *const variables[] = {
	"LD_LIBRARY_PATH", "LD_PRELOAD",     "OPENSSL_CONF",    "OPENSSL_ENGINES",
	"OPENSSL_MODULES", "OPENSSL_armcap", "OPENSSL_ia32cap",
};

static const struct field live_rows[] = {
	{.key = "arch",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct live, arch),
	 .nullable = true,
	 .doc = "uname machine"},
	{.key = "kernel",
	 .kind = FIELD_TEXT,
	 .offset = FIELD(struct live, kernel),
	 .nullable = true,
	 .doc = "uname release"},
	{.key = "page_size_bytes",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct live, page_size_bytes),
	 .maximum = PAGE_BYTES_MAX,
	 .doc = "0: not known"},
	{.key = "timer_hz",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct live, timer_hz),
	 .doc = "CNTFRQ_EL0; 0: not known"},
	{.key = "hwcap_known",
	 .kind = FIELD_BOOL,
	 .offset = FIELD(struct live, hwcap_known),
	 .doc = "whether hwcap and hwcap2 were read"},
	{.key = "hwcap",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct live, hwcap),
	 .doc = "AT_HWCAP"},
	{.key = "hwcap2",
	 .kind = FIELD_NUMBER,
	 .offset = FIELD(struct live, hwcap2),
	 .doc = "AT_HWCAP2"},
	{.key = "root",
	 .kind = FIELD_BOOL,
	 .offset = FIELD(struct live, root),
	 .doc = "read with effective uid 0"},
	{.key = "environment",
	 .kind = FIELD_TEXTS,
	 .offset = FIELD(struct live, environment),
	 .doc = "NAME=value of the variables that change what crypto software does"},
};

const struct field_table live_table =
	FIELD_TABLE("live", struct live, live_rows, "what is not a file");

static int64_t timer_frequency(void)
{
#ifdef __aarch64__
	uint64_t hz;

	/* Arm ARM D19.12.4: CNTFRQ_EL0; Linux lets EL0 read it. Bits 63:32 are RES0. */
	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hz));
	return (int64_t)(hz & 0xffffffffU);
#else
	return 0;
#endif
}

void live_read(struct arena *arena, struct live *live)
{
	struct utsname name;

	*live = (struct live){
		.page_size_bytes = sysconf(_SC_PAGESIZE),
		.timer_hz = timer_frequency(),
		.hwcap = (int64_t)(getauxval(AT_HWCAP) & INT64_C(0x1fffffffffffff)),
		.hwcap2 = (int64_t)(getauxval(AT_HWCAP2) & INT64_C(0x1fffffffffffff)),
		.hwcap_known = true,
		.root = geteuid() == 0,
	};
	if (uname(&name) == 0) {
		live->arch = arena_strdup(arena, name.machine);
		live->kernel = arena_strdup(arena, name.release);
	}
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i]);

		if (value)
			names_add(
				arena, &live->environment,
				text_printable(arena, view_of(arena_printf(arena, "%s=%s",
									   variables[i], value))));
	}
}

void live_settle(struct live *live)
{
	int64_t page = live->page_size_bytes;

	if (live->hwcap || live->hwcap2)
		live->hwcap_known = true;
	/* No kernel has such pages: a mistake of the file, not knowledge. */
	if (page < PAGE_BYTES_MIN || (page & (page - 1)))
		live->page_size_bytes = 0;
}

bool live_load(struct arena *arena, const struct json *json, const cJSON *from, struct live *live,
	       struct error *err)
{
	if (!fields_load(arena, json, from, &live_table, live, err))
		return false;
	live_settle(live);
	return true;
}

void live_write(struct json_writer *writer, const struct live *live)
{
	fields_write(writer, "live", &live_table, live);
}
