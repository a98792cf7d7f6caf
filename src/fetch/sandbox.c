// SPDX-License-Identifier: BSD-2-Clause
#include "fetch/sandbox.h"

#include "base/error.h"
#include "base/file.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Kernel headers before 5.13 have no Landlock. */
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>

/* Rights that each version of Landlock adds (landlock(7)); older headers lack the later ones. */
static const uint64_t rights_by_version[] = {
	[1] = (1U << 13) - 1, /* execute, read, list, write, make and remove of all kinds */
	[2] = 1U << 13,       /* refer */
	[3] = 1U << 14,       /* truncate */
	[5] = 1U << 15,       /* ioctl on devices */
};
#define FILE_RIGHTS ((uint64_t)LANDLOCK_ACCESS_FS_READ_FILE)
#define DIRECTORY_RIGHTS (FILE_RIGHTS | LANDLOCK_ACCESS_FS_READ_DIR)

/* Name resolution (nsswitch.conf(5), resolver(5), gai.conf(5)) loads modules when it is first used;
 * authorities and the configuration of TLS as Debian, Red Hat and SUSE place them. Never whole
 * /etc, and no directory of private keys. What is missing is passed over. */
static const char *const readable_always[] = {
	"/lib",
	"/lib64",
	"/usr/lib",
	"/usr/lib64",
	"/usr/local/lib",
	"/etc/ld.so.cache",
	"/etc/resolv.conf",
	"/run/systemd/resolve",
	"/run/NetworkManager",
	"/run/resolvconf",
	"/run/netconfig",
	"/etc/hosts",
	"/etc/host.conf",
	"/etc/hostname",
	"/etc/nsswitch.conf",
	"/usr/etc/nsswitch.conf",
	"/etc/gai.conf",
	"/etc/services",
	"/etc/protocols",
	"/var/lib/sss",
	"/etc/ssl/certs",
	"/etc/ssl/cert.pem",
	"/etc/ssl/ca-bundle.pem",
	"/etc/ssl/openssl.cnf",
	"/etc/pki/ca-trust",
	"/etc/pki/tls/certs",
	"/etc/pki/tls/cert.pem",
	"/etc/pki/tls/openssl.cnf",
	"/etc/ca-certificates",
	"/etc/crypto-policies",
	"/usr/share/crypto-policies",
	"/usr/share/ca-certificates",
	"/usr/local/share/ca-certificates",
	"/usr/share/pki",
	"/var/lib/ca-certificates",
	"/dev/urandom",
	"/dev/random",
#ifdef SANITIZED
	/* The leak checker reads the process's own maps. */
	"/proc",
#endif
};

static void allow(int ruleset, const char *path)
{
	struct landlock_path_beneath_attr rule = {0};
	struct stat status;

	scoped_fd int fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status) < 0)
		return;
	rule.parent_fd = fd;
	rule.allowed_access = S_ISDIR(status.st_mode) ? DIRECTORY_RIGHTS : FILE_RIGHTS;
	syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0U);
}

static bool restrict_files(const struct names *readable, struct error *err)
{
	struct landlock_ruleset_attr attributes = {0};
	long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	if (version < 1)
		return error_errno(err, errno,
				   "no Landlock here, files are open as to any program");
	for (long i = 1; i < (long)(sizeof(rights_by_version) / sizeof(rights_by_version[0])); i++)
		attributes.handled_access_fs |= i <= version ? rights_by_version[i] : 0;
	scoped_fd int ruleset =
		(int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0U);
	if (ruleset < 0)
		return error_errno(err, errno, "Landlock gives no ruleset");
	for (size_t i = 0; i < sizeof(readable_always) / sizeof(readable_always[0]); i++)
		allow(ruleset, readable_always[i]);
	for (size_t i = 0; i < readable->count; i++)
		allow(ruleset, readable->items[i]);
	if (syscall(SYS_landlock_restrict_self, ruleset, 0U) < 0)
		return error_errno(err, errno, "Landlock restricts nothing");
	return true;
}
#else
static bool restrict_files(const struct names *readable, struct error *err)
{
	(void)readable;
	return error_set(err, "built without Landlock, files are open as to any program");
}
#endif

/* Lowered only: what the caller limited further stays. */
static void limit(__rlimit_resource_t resource, uint64_t most)
{
	struct rlimit now;

	if (getrlimit(resource, &now) < 0)
		return;
	if (now.rlim_max == RLIM_INFINITY || now.rlim_max > most)
		now.rlim_max = most;
	if (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > now.rlim_max)
		now.rlim_cur = now.rlim_max;
	setrlimit(resource, &now);
}

bool sandbox_enter(const struct names *readable, uint64_t max_file_bytes, struct error *err)
{
	limit(RLIMIT_FSIZE, max_file_bytes);
	/* A core would hold what an address says of a password. */
	limit(RLIMIT_CORE, 0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return error_errno(err, errno, "no_new_privs cannot be set");
	return restrict_files(readable, err);
}

void sandbox_add_authorities(struct arena *arena, struct names *readable, const char *given)
{
#if LIBCURL_VERSION_NUM >= 0x074600
	const curl_version_info_data *curl = curl_version_info(CURLVERSION_NOW);

	if (curl->age >= CURLVERSION_SEVENTH && curl->cainfo)
		names_add(arena, readable, curl->cainfo);
	if (curl->age >= CURLVERSION_SEVENTH && curl->capath)
		names_add(arena, readable, curl->capath);
#endif
	if (given)
		names_add(arena, readable, given);
}
