// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/redact_environment.h"
#include "host/software.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#define FILES_MAX 128

/* Services whose cryptography is OpenSSL's; "service" stands for drop-ins of all of them. */
static const char *const services[] = {
	"apache2",      "dpdk",    "haproxy", "httpd", "nginx", "openvpn",    "openvswitch-switch",
	"ovs-vswitchd", "postfix", "squid",   "ssh",   "sshd",  "strongswan", "stunnel4",
	"vpp",
};

static const char *const unit_directories[] = {"/etc/systemd/system", "/usr/lib/systemd/system"};

static const char *const files[] = {
	"/etc/environment",
	"/etc/systemd/system.conf",
};

/* Directories whose files of one ending set variables for every login or service. */
static const struct {
	const char *path, *glob;
} directories[] = {
	{"/etc/environment.d", "*.conf"},
	{"/etc/profile.d", "*.sh"},
	{"/etc/systemd/system.conf.d", "*.conf"},
	{"/etc/systemd/system/service.d", "*.conf"},
};

/* They replace OpenSSL's own detection of what the CPU can do (OPENSSL_armcap(3),
 * OPENSSL_ia32cap(3)). */
static const char *const variables[] = {"OPENSSL_armcap=", "OPENSSL_ia32cap="};

struct looking {
	struct host *host;
	struct software *software;
	size_t count;
};

static void unread(struct looking *looking, const char *path, int number)
{
	if (number == ENOENT || number == ENOTDIR || looking->software->override_number)
		return;
	looking->software->override_number = number;
	looking->software->override_unread = path;
}

static void take(struct looking *looking, struct view word, const char *where)
{
	struct arena *arena = looking->host->arena;

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		if (!view_starts(word, variables[i]))
			continue;
		names_add(arena, &looking->software->overrides,
			  arena_printf(arena, "%s in %s", text_printable(arena, word), where));
		names_add(arena, &looking->software->override_files, where);
	}
}

static void read_file(struct looking *looking, const char *path, unsigned depth)
{
	struct view rest, line, word;
	int number;

	if (looking->count++ >= FILES_MAX)
		return;
	number = root_read(looking->host->root, path, &rest);
	unread(looking, path, number);
	while (number == 0 && view_line(&rest, &line)) {
		if (depth == 0 && view_starts(line, "EnvironmentFile=")) {
			struct view file = {line.at + strlen("EnvironmentFile="),
					    line.size - strlen("EnvironmentFile=")};

			if (view_starts(file, "-"))
				file = (struct view){file.at + 1, file.size - 1};
			read_file(looking, view_copy(looking->host->arena, view_trim(file)),
				  depth + 1);
			continue;
		}
		while (view_word(&line, &word))
			take(looking, environment_word(word), path);
	}
}

static void read_directory(struct looking *looking, const char *path, const char *glob)
{
	struct names names;
	int number = root_list(looking->host->root, path, &names);

	unread(looking, path, number);
	for (size_t i = 0; number == 0 && i < names.count; i++) {
		if (fnmatch(glob, names.items[i], FNM_PERIOD) == 0)
			read_file(looking,
				  arena_printf(looking->host->arena, "%s/%s", path, names.items[i]),
				  1);
	}
}

void software_find_overrides(struct host *host, struct software *software)
{
	struct looking looking = {.host = host, .software = software};

	for (size_t i = 0; i < host->live->environment.count; i++)
		take(&looking, view_of(host->live->environment.items[i]), "the environment");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		read_file(&looking, files[i], 1);
	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		read_directory(&looking, directories[i].path, directories[i].glob);
	for (size_t s = 0; s < sizeof(services) / sizeof(services[0]); s++) {
		for (size_t d = 0; d < sizeof(unit_directories) / sizeof(unit_directories[0]); d++)
			read_file(&looking,
				  arena_printf(host->arena, "%s/%s.service", unit_directories[d],
					       services[s]),
				  0);
		read_directory(&looking,
			       arena_printf(host->arena, "%s/%s.service.d", unit_directories[0],
					    services[s]),
			       "*.conf");
	}
}
