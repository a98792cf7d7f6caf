// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/virtualization.h"

#include "machine.h"

static const struct fact_table *const tables[] = {&virtualization_facts};

#define ARM "\"arch\":\"aarch64\""
#define DMI(vendor, product)                                                                       \
	"\"/sys/class/dmi/id/sys_vendor\":{\"text\":\"" vendor "\\n\"},"                           \
	"\"/sys/class/dmi/id/product_name\":{\"text\":\"" product "\\n\"}"
#define QEMU_DEVICE "\"/sys/bus/acpi/devices/QEMU0002:00\":{\"link\":\"../x\"}"

static void a_guest_is_known_by_what_only_guests_have(void **state)
{
	static const struct {
		const char *questions, *vm;
	} rows[] = {
		{DMI("GIGABYTE", "MP32-AR1-00"), "none"},
		/* SMBIOS strings of a real board, handed to QEMU */
		{DMI("GIGABYTE", "MP32-AR1-00") "," QEMU_DEVICE, "qemu"},
		{DMI("QEMU", "QEMU Virtual Machine"), "qemu"},
		{DMI("Amazon EC2", "a1.metal"), "none"},
		{DMI("Hetzner", "vServer"), "kvm"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct machine machine;

		machine_open(&machine, ARM, rows[i].questions, tables, 1);
		assert_string_equal(machine_fact(&machine, "virtualization.vm"), rows[i].vm);
		machine_close(&machine);
	}
}

/* Bare-metal instances carry the tag of the cloud too. */
static void a_tag_of_a_cloud_alone_is_no_guest(void **state)
{
	struct machine machine;

	(void)state;
	machine_open(&machine, ARM, DMI("Google", "Google Compute Engine"), tables, 1);
	assert_non_null(strstr(machine_fact(&machine, "virtualization.vm"), "unknown"));
	assert_string_equal(machine_fact(&machine, "virtualization.cloud"), "google");
	machine_close(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_guest_is_known_by_what_only_guests_have),
		cmocka_unit_test(a_tag_of_a_cloud_alone_is_no_guest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
