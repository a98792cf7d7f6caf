// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "dmi.h"
#include "host/redact_dmi.h"
#include "host/smbios.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

static struct arena arena;

static int arena_up(void **state)
{
	(void)state;
	arena_init(&arena, ARENA_DEFAULT_MAX_BYTES);
	return 0;
}

static int arena_down(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static const struct smbios *parse(const struct dmi *dmi)
{
	unsigned char entry[0x18];

	return smbios_parse(&arena, dmi_entry_v3(entry, (uint32_t)sizeof(dmi->bytes)),
			    dmi_view(dmi));
}

static void no_identifier_passes_the_redactor(void **state)
{
	static const char *const planted[] = {
		"SYSSERIAL01",    "BOARDSERIAL01",    "BOARDTAG01",   "CHASSISSERIAL01",
		"CHASSISTAG01",   "PROCSERIAL01",     "DIMMSERIAL01", "OEMSECRET01",
		"VENDORSECRET01", "\x0d\xf0\xfe\xca",
	};
	struct dmi *dmi = malloc(sizeof(*dmi));
	struct view clean;
	const struct smbios *before, *after;

	(void)state;
	dmi_machine(dmi);
	clean = redact_dmi(&arena, dmi_view(dmi));
	assert_int_equal(clean.size, dmi->size);
	for (size_t i = 0; i < sizeof(planted) / sizeof(planted[0]); i++) {
		assert_non_null(memmem(dmi->bytes, dmi->size, planted[i], strlen(planted[i])));
		assert_null(memmem(clean.at, clean.size, planted[i], strlen(planted[i])));
	}
	/* and what is judged is the same as before */
	before = parse(dmi);
	memcpy(dmi->bytes, clean.at, clean.size);
	after = parse(dmi);
	assert_int_equal(after->damage.count, 0);
	assert_string_equal(after->processors[0].part, before->processors[0].part);
	assert_true(after->processors[0].id_bytes == before->processors[0].id_bytes);
	assert_string_equal(after->devices[0].locator, "DIMM_P0_A0");
	assert_string_equal(after->devices[0].bank, "Bank 1");
	assert_string_equal(after->vendor, "GIGABYTE");
	assert_string_equal(after->sku, "SKU-1");
	assert_string_equal(after->firmware_version, before->firmware_version);
	assert_null(after->chassis_tag);
	free(dmi);
}

static void the_redactor_keeps_damage_as_it_is_and_hides_what_is_behind_it(void **state)
{
	struct dmi *dmi = malloc(sizeof(*dmi));
	const struct smbios *before, *after;
	struct view clean;

	(void)state;
	dmi_machine(dmi);
	dmi->bytes[dmi->size++] = 'x';
	dmi->bytes[0x1a + strlen("GIGABYTE") + 1 + strlen("F18w16 (SCP: 1.08.20211002)") + 1 +
		   strlen("05/06/2022") + 2 + 1] = 2;
	before = parse(dmi);
	clean = redact_dmi(&arena, dmi_view(dmi));
	assert_int_equal(before->damage.count, 1);
	assert_string_equal(before->damage.items[0], "a structure states a length below 4");
	assert_null(memmem(clean.at, clean.size, "SERIAL", 6));
	memcpy(dmi->bytes, clean.at, clean.size);
	after = parse(dmi);
	assert_int_equal(after->damage.count, 1);
	assert_string_equal(after->damage.items[0], before->damage.items[0]);
	free(dmi);
}

static void the_azure_tag_is_kept_and_others_are_not(void **state)
{
	static const char azure[] = "7783-7084-3265-9085-8269-3286-77";
	struct dmi *dmi = calloc(1, sizeof(*dmi));
	struct view clean;

	(void)state;
	dmi_start(dmi, 3, 0x16);
	dmi_put(dmi, 0x04, 1, 1);
	dmi_put(dmi, 0x08, 2, 1);
	dmi_strings(dmi, "Microsoft Corporation", azure, NULL);
	dmi_end(dmi);
	clean = redact_dmi(&arena, dmi_view(dmi));
	memcpy(dmi->bytes, clean.at, clean.size);
	assert_string_equal(parse(dmi)->chassis_tag, azure);
	assert_true(view_is(redact_asset_tag(&arena, view_of(azure)), azure));
	assert_true(view_is(redact_asset_tag(&arena, VIEW("TAG-1\n")), "*****\n"));
	free(dmi);
}

static void a_redfish_interface_is_seen_without_its_addresses(void **state)
{
	struct dmi *dmi = calloc(1, sizeof(*dmi));
	struct view clean;

	(void)state;
	dmi_start(dmi, 42, 30);
	dmi_put(dmi, 0x04, 0x40, 1); /* network */
	dmi_put(dmi, 0x05, 5, 1);
	dmi_put(dmi, 0x06, 0x04, 1);
	dmi_put(dmi, 0x07, 0xdeadbeef, 4);
	dmi_put(dmi, 0x0b, 1, 1); /* one protocol */
	dmi_put(dmi, 0x0c, 4, 1); /* Redfish over IP */
	dmi_put(dmi, 0x0d, 16, 1);
	dmi_put(dmi, 0x0e, 0xdeadbeefcafef00d, 8);
	dmi_put(dmi, 0x16, 0xdeadbeefcafef00d, 8);
	dmi_strings(dmi, NULL);
	dmi_end(dmi);
	assert_true(parse(dmi)->redfish);
	clean = redact_dmi(&arena, dmi_view(dmi));
	assert_null(memmem(clean.at, clean.size, "\xef\xbe\xad\xde", 4));
	memcpy(dmi->bytes, clean.at, clean.size);
	assert_true(parse(dmi)->redfish);
	free(dmi);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_identifier_passes_the_redactor),
		cmocka_unit_test(the_redactor_keeps_damage_as_it_is_and_hides_what_is_behind_it),
		cmocka_unit_test(the_azure_tag_is_kept_and_others_are_not),
		cmocka_unit_test(a_redfish_interface_is_seen_without_its_addresses),
	};

	return cmocka_run_group_tests(tests, arena_up, arena_down);
}
