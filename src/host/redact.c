// SPDX-License-Identifier: BSD-2-Clause
#include "host/redact.h"

#include "host/redact_dmi.h"
#include "host/redact_environment.h"
#include "host/redact_kernel.h"
#include "host/redact_pci.h"
#include "host/redact_tls.h"

#include <fnmatch.h>
#include <stddef.h>

#define ENVIRONMENT "everything but assignments of OPENSSL_* and LD_* variables"

/* One row per kind of file; the first that fits decides. */
static const struct redaction redactions[] = {
	{.glob = "/sys/firmware/dmi/tables/DMI",
	 .redact = redact_dmi,
	 .what = "serial numbers, UUIDs, asset tags, and every structure this program does not "
		 "read"},
	{.glob = "/sys/class/dmi/id/chassis_asset_tag",
	 .redact = redact_asset_tag,
	 .what = "the tag, unless it is a cloud's constant"},
	{.glob = "/proc/cmdline",
	 .redact = redact_cmdline,
	 .what = "values of parameters that are not settings of the kernel, and the words of init"},
	{.glob = "/proc/version",
	 .redact = redact_version,
	 .what = "the user and the machine that built the kernel"},
	{.glob = "/proc/cpuinfo",
	 .redact = redact_cpuinfo,
	 .what = "the serial number of boards that show one"},
	{.glob = "/etc/ld.so.conf*", .redact = redact_comments, .what = "comments"},
	{.glob = "/proc/mounts",
	 .redact = redact_mounts,
	 .what = "every file system but hugetlbfs"},
	{.glob = "/proc/*/comm",
	 .redact = redact_comm,
	 .what = "names of programs but cppc_fie and irqbalance"},
	{.glob = "/etc/security/limits.*",
	 .redact = redact_limits,
	 .what = "everything but memlock, and names of users and groups"},
	{.glob = "/sys/bus/pci/devices/*/config",
	 .redact = redact_pci_config,
	 .what = "extended space with the device's serial number, and what was read last of Vital "
		 "Product Data"},
	{.glob = "/etc/nginx/*",
	 .redact = redact_nginx,
	 .what = "all directives but those of TLS; names in paths become hidden-N"},
	{.glob = "/etc/haproxy/*",
	 .redact = redact_haproxy,
	 .what = "all lines but those of TLS, addresses; names in paths become hidden-N"},
	{.glob = "*/openssl.cnf",
	 .redact = redact_openssl_cnf,
	 .what = "all but sections, providers and cipher settings"},
	{.glob = "/etc/environment", .redact = redact_environment, .what = ENVIRONMENT},
	{.glob = "/etc/environment.d/*", .redact = redact_environment, .what = ENVIRONMENT},
	{.glob = "/etc/default/*", .redact = redact_environment, .what = ENVIRONMENT},
	{.glob = "/etc/sysconfig/*", .redact = redact_environment, .what = ENVIRONMENT},
	{.glob = "/etc/profile.d/*", .redact = redact_environment, .what = ENVIRONMENT},
	{.glob = "/etc/systemd/*",
	 .redact = redact_unit,
	 .what = ENVIRONMENT ", but of units that tune wrote"},
	{.glob = "/usr/lib/systemd/system/*", .redact = redact_environment, .what = ENVIRONMENT},
};

struct view redact(struct arena *arena, const char *path, struct view raw)
{
	for (size_t i = 0; i < sizeof(redactions) / sizeof(redactions[0]); i++) {
		const struct redaction *row = &redactions[i];

		if (row->glob && fnmatch(row->glob, path, 0) == 0)
			return row->redact(arena, raw);
	}
	/* Certificates may lie anywhere, and with them keys. */
	if (redact_is_pem(raw))
		return redact_pem(arena, raw);
	return raw;
}
