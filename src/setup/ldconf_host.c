// SPDX-License-Identifier: BSD-2-Clause
#include "base/arena.h"
#include "host/host.h"
#include "setup/ldconf_private.h"

#include <errno.h>
#include <string.h>

/* A loader that programs of this host start with, and a configuration that it reads. */
bool ldconf_check_glibc(struct ldconf_work *work)
{
	static const char *const programs[] = {"/bin/sh", "/usr/bin/env", "/sbin/ldconfig"};
	struct ldconf_future *future = &work->without;
	struct host *host = work->host;

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]) && !work->native; i++) {
		const struct elf *elf = loader_elf(host, programs[i]);

		if (!elf->number && !elf->damage)
			work->native = elf;
	}
	if (!work->native)
		return ldconf_refuse(
			work, EXIT_UNSUPPORTED,
			"not a glibc layout: neither /bin/sh nor /usr/bin/env can be read");
	future->layout = ldso_layout(host, work->native);
	if (!future->layout.glibc)
		return ldconf_refuse(work, EXIT_UNSUPPORTED, "not a glibc layout: %s",
				     future->layout.reason);
	work->flags = ldso_cache_flags(work->native->machine, work->native->bits);
	future->hwcaps = loader_hwcaps(host, &future->layout, work->native->machine);
	return true;
}

/* Whether a file of the name would be read: asked with a line that is nowhere else. */
static bool is_included(struct ldconf_work *work, const char *file)
{
	static const char probe[] = "/nowhere/current/probe/lib";
	const struct ldso_edit edit = {.path = file, .text = probe};
	struct ldso_conf conf;

	ldso_conf_read_edited(work->host->root, &edit, 1, &conf);
	for (size_t i = 0; i < conf.directory_count; i++) {
		if (strcmp(conf.directories[i].path, probe) == 0)
			return true;
	}
	return false;
}

bool ldconf_check_configuration(struct ldconf_work *work)
{
	static const char *const nothing[LDCONF_FILES];
	struct ldconf_future *future = &work->without;
	const char *file = ldconf_files[work->all];
	struct root_stat stat;
	int number = root_stat(work->host->root, LDCONF_CONFD, &stat);

	ldconf_future_read(future, nothing);
	if (future->conf.number == ENOENT || number == ENOENT)
		return ldconf_refuse(work, EXIT_UNSUPPORTED,
				     "not a glibc layout: there is no %s: the loader's "
				     "configuration is kept elsewhere",
				     number ? LDCONF_CONFD : "/etc/ld.so.conf");
	if (future->conf.number || number)
		return ldconf_refuse(work, EXIT_TROUBLE, "%s: %s",
				     number ? LDCONF_CONFD : future->conf.unread,
				     strerrordesc_np(number ? number : future->conf.number));
	if (!is_included(work, file))
		return ldconf_refuse(work, EXIT_UNSUPPORTED,
				     "/etc/ld.so.conf does not include " LDCONF_CONFD
				     "/*.conf: %s would do nothing",
				     file);
	return true;
}

/* ---- Where a libcrypto for everybody is not to be had. */

/* Families whose OpenSSL takes its settings from the system's crypto policies. */
static const char *const policy_families[] = {"rhel", "fedora", "centos"};

static bool is_word_of(struct view words, const char *wanted)
{
	struct view word;

	while (view_word(&words, &word)) {
		if (view_is(word, wanted))
			return true;
	}
	return false;
}

/* A value of os-release(5), without its quotes. */
static struct view os_field(struct view text, const char *key)
{
	struct view line;

	while (view_line(&text, &line)) {
		size_t size = strlen(key);

		if (!view_starts(line, key) || line.size <= size || line.at[size] != '=')
			continue;
		line = view_trim((struct view){line.at + size + 1, line.size - size - 1});
		if (line.size >= 2 && (line.at[0] == '"' || line.at[0] == '\''))
			line = (struct view){line.at + 1, line.size - 2};
		return line;
	}
	return (struct view){0};
}

static bool check_family(struct ldconf_work *work)
{
	struct root *root = work->host->root;
	struct view text;
	int number = root_read(root, "/etc/os-release", &text);

	if (number == ENOENT)
		number = root_read(root, "/usr/lib/os-release", &text);
	if (number)
		return ldconf_refuse(work, EXIT_UNSUPPORTED,
				     "which distribution this is cannot be told (os-release: %s), "
				     "so neither whether crypto policies rule its OpenSSL",
				     strerrordesc_np(number));
	for (size_t i = 0; i < sizeof(policy_families) / sizeof(policy_families[0]); i++) {
		const char *family = policy_families[i];

		if (!is_word_of(os_field(text, "ID"), family) &&
		    !is_word_of(os_field(text, "ID_LIKE"), family))
			continue;
		return ldconf_refuse(work, EXIT_UNSUPPORTED,
				     "this distribution (%s) is of the %s family: its crypto "
				     "policies rule the distribution's OpenSSL only, so every "
				     "program would leave them",
				     view_copy(work->arena, os_field(text, "ID")), family);
	}
	return true;
}

static bool check_fips(struct ldconf_work *work)
{
	static const char path[] = "/proc/sys/crypto/fips_enabled", mark[] = "/etc/system-fips";
	struct root_stat stat;
	struct view text;
	int number = root_read(work->host->root, path, &text);

	if (number && number != ENOENT)
		return ldconf_refuse(
			work, EXIT_UNSUPPORTED,
			"whether this host is in FIPS mode cannot be told: %s: %s", path,
			number == ENOMEDIUM ? "/proc is not mounted" : strerrordesc_np(number));
	if (number == 0 && !view_is(view_trim(text), "0"))
		return ldconf_refuse(work, EXIT_UNSUPPORTED,
				     "this host is in FIPS mode (%s): another libcrypto is not the "
				     "validated module",
				     path);
	number = root_stat(work->host->root, mark, &stat);
	if (number != ENOENT)
		return ldconf_refuse(work, EXIT_UNSUPPORTED,
				     "this host is set up for FIPS mode (%s): another libcrypto is "
				     "not the validated module",
				     mark);
	return true;
}

bool ldconf_check_policies(struct ldconf_work *work)
{
	return check_family(work) && check_fips(work);
}
