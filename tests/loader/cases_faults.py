# SPDX-License-Identifier: BSD-2-Clause
"""What goes wrong on the way: kills, other people's changes, a missing ldconfig, a file system that cannot be written."""
import fcntl
import os
import subprocess
import time

from cases import ALL, CURRENT, SAFE, VERSIONS, check_winners, fails, ok
from systems import CONFD, PREFIX, TOOL

CASES = []
TEMPORARY = f"{CONFD}/.ampere-crypto.new"


def case(function):
    CASES.append((function.__name__.replace("_", " "), "here", function))
    return function


def ipsec(system):
    trees = [system.tree("ipsec-mb", ("libIPSec_MB.so.1", ()))]
    system.activate(*trees)
    return trees


def script(system, text):
    path = system.top / "ldconfig-of-the-test"
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    system.ldconfig_words = lambda: [str(path)]
    return path


def real_again(system):
    del system.ldconfig_words


@case
def killed_between_the_file_and_ldconfig(system):
    trees, before = ipsec(system), system.state()
    script(system, "kill -9 $PPID\n")
    assert system.tool("apply", "safe", *trees).returncode == -9
    real_again(system)
    assert system.path(SAFE).exists() and not system.state_now()["fresh"], "not killed where it should be"
    plan = system.plan("safe", *trees)
    assert not plan["done"], "nothing to do, though ldconfig has not run"
    ok(system.tool("apply", "safe", *trees))
    check_winners(system, plan)
    # And while it is taken away: the file is gone, the cache is not.
    script(system, "kill -9 $PPID\n")
    assert system.tool("remove", "none").returncode == -9
    real_again(system)
    assert not system.path(SAFE).exists() and not system.state_now()["fresh"]
    assert not system.plan("none")["done"]
    ok(system.tool("remove", "none"))
    assert system.state() == before


@case
def killed_at_any_system_call(system):
    """By strace, before each call that changes something: what is there is the old or the new file whole, and the next run finishes."""
    trees, before = ipsec(system), system.state()
    log = system.top / "strace"
    calls = ["openat2", "flock", "openat", "write", "fchmod", "fchown", "fsync", "renameat", "unlinkat", "pipe2"]
    done = system.tool("apply", "safe", *trees, wrap=["strace", "-o", str(log), "-e", "trace=" + ",".join(calls)])
    ok(done)
    ok(system.tool("remove", "none"))
    # The points after the directory was opened; those before change nothing.
    lines = log.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("flock(")) - 1
    assert lines[first].startswith("openat2(") and CONFD in lines[first], lines[first]
    last = next(i for i, line in enumerate(lines) if i > first and line.startswith("pipe2("))
    counts, points = {}, []
    for i, line in enumerate(lines):
        call = line.split("(")[0]
        counts[call] = counts.get(call, 0) + 1
        if first <= i <= last:
            points.append((call, counts[call]))
    assert {"flock", "openat", "write", "fchmod", "fsync", "renameat"} <= {call for call, _ in points}, points
    for call, number in points:
        done = system.tool("apply", "safe", *trees, wrap=["strace", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                                                          f"inject={call}:signal=KILL:when={number}"])
        assert done.returncode in (-9, 137), f"{call} {number}: exit status {done.returncode} {done.stderr}"
        if system.path(SAFE).exists():
            assert system.path(SAFE).read_text().endswith(f"\n{CURRENT}/ipsec-mb/lib\n"), f"{call} {number}: half a file"
        plan = system.plan("safe", *trees)
        ok(system.tool("apply", "safe", *trees))
        check_winners(system, plan)
        assert not system.path(TEMPORARY).exists(), f"{call} {number}: {TEMPORARY} is left"
        ok(system.tool("remove", "none"))
    assert system.state() == before


@case
def openat2_is_not_there(system):
    """As before Linux 5.6: the same entries."""
    trees, before = ipsec(system), system.state()
    plan = system.plan("safe", *trees)
    ok(system.tool("apply", "safe", *trees, wrap=["strace", "-f", "-o", "/dev/null", "-e", "trace=openat2", "-e",
                                                  "inject=openat2:error=ENOSYS"]))
    check_winners(system, plan)
    ok(system.tool("remove", "none"))
    assert system.state() == before


@case
def ldconfig_is_not_there(system):
    trees, before = ipsec(system), system.etc()
    hidden = "mount --bind /dev/null /usr/sbin/ldconfig; [ /sbin -ef /usr/sbin ] || mount --bind /dev/null /sbin/ldconfig; exec \"$@\""
    words, system.ldconfig_words = system.ldconfig_words, lambda: []
    done = system.tool("apply", "safe", *trees, wrap=["unshare", "--mount", "--propagation", "private", "sh", "-ec", hidden, "sh"])
    system.ldconfig_words = words
    fails(done, 2, "install libc-bin (Debian, Ubuntu) or glibc (RHEL, SUSE)")
    assert system.etc() == before


@case
def ldconfig_fails(system):
    """It says why and the file is as before; also when there was one before."""
    trees, before = ipsec(system), system.state()
    script(system, "echo something >&2; echo no space >&2; exit 3\n")
    fails(system.tool("apply", "safe", *trees), 2, "exit status 3: no space")
    real_again(system)
    assert system.state() == before
    ok(system.tool("apply", "safe", *trees))
    one = system.state()
    more = [*trees, system.tree("other", ("libother.so.1", ()))]
    system.activate(more[1])
    script(system, "exit 1\n")
    fails(system.tool("apply", "safe", *more), 2, "exit status 1: it says nothing")
    real_again(system)
    assert system.state() == one
    script(system, "exit 1\n")
    fails(system.tool("remove", "none"), 2, "the entries are gone, but the cache still has them")
    real_again(system)
    ok(system.tool("remove", "none"))
    assert system.state() == before


@case
def ldconfig_does_nothing(system):
    """Exit status 0 is not believed."""
    trees, before = ipsec(system), system.state()
    script(system, "exit 0\n")
    fails(system.tool("apply", "safe", *trees), 4, "the loader's cache has nothing for libIPSec_MB.so")
    real_again(system)
    assert system.state() == before
    ok(system.tool("apply", "safe", *trees))
    before = system.state()
    script(system, "exit 0\n")
    fails(system.tool("apply", "none"), 4, f"the loader's cache still has {CURRENT}/ipsec-mb/lib/libIPSec_MB.so")
    real_again(system)
    assert system.state() == before


@case
def a_configuration_that_cannot_be_written(system):
    trees, before = ipsec(system), system.state()
    read_only = f"mount --bind {system.path('/etc')} {system.path('/etc')}; mount -o remount,bind,ro {system.path('/etc')}; exec \"$@\""
    done = system.tool("apply", "safe", *trees, wrap=["unshare", "--mount", "--propagation", "private", "sh", "-ec", read_only, "sh"])
    fails(done, 2, f"{SAFE}: Read-only file system")
    assert system.state() == before
    full = f"mount -t tmpfs -o size=4k,nr_inodes=2 none {system.path(CONFD)}; : >{system.path(CONFD)}/z; exec \"$@\""
    done = system.tool("apply", "safe", *trees, wrap=["unshare", "--mount", "--propagation", "private", "sh", "-ec", full, "sh"])
    fails(done, 2, f"{SAFE}: No space left on device")
    assert system.state() == before


@case
def an_umask_of_077(system):
    trees = ipsec(system)
    ok(system.tool("apply", "safe", *trees, umask=0o077))
    status = system.path(SAFE).stat()
    assert (status.st_mode & 0o7777, status.st_uid, status.st_gid) == (0o644, 0, 0), oct(status.st_mode)
    assert system.path("/etc/ld.so.cache").stat().st_mode & 0o7777 == 0o644


@case
def what_a_killed_run_left_is_replaced(system):
    trees = ipsec(system)
    for make in (lambda: system.write(TEMPORARY, "/half"), lambda: system.link(TEMPORARY, "/etc/shadow")):
        make()
        ok(system.tool("apply", "safe", *trees))
        assert not os.path.lexists(system.path(TEMPORARY)) and system.path(SAFE).read_text().startswith("# ampere-crypto setup")
        ok(system.tool("remove", "none"))
    assert not os.path.lexists(system.path("/etc/shadow"))


@case
def files_of_others_stay_as_they_are(system):
    """Also such as do nothing, and such as sort around ours."""
    trees = ipsec(system)
    for name, text in (("openssl.conf", "\u201c/usr/local/lib\u201d\n"), ("00-a.conf", "/usr/local/lib\r\n"), ("ampere-crypto.conf.bak", "x"),
                       ("zz.conf", b"\xff\xfe/opt/\x00")):
        system.write(f"{CONFD}/{name}", text)
    system.path(f"{CONFD}/openssl.conf").chmod(0o640)
    system.ldconfig()
    before = system.state()
    for policy in ("safe", "all"):
        ok(system.tool("apply", policy, *trees))
        assert {name: kept for name, kept in system.etc().items() if "/" + name not in (SAFE, ALL)} == before[2]
    ok(system.tool("remove", "none"))
    assert system.state() == before


class Paused:
    """An apply that has planned and waits."""

    def __init__(self, system, policy, *trees):
        self.child = subprocess.Popen([str(TOOL), "apply", str(system.top), policy, PREFIX, *trees], stdin=subprocess.PIPE,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                      env=dict(os.environ, LDCONFIG=" ".join(system.ldconfig_words()), LDCONF_PAUSE="1",
                                               ASAN_OPTIONS="detect_leaks=0"))
        assert self.child.stderr.readline() == "planned\n"

    def go(self):
        self.child.stdin.write("\n")
        _, self.child.stderr_text = self.child.communicate(timeout=60)
        return subprocess.CompletedProcess((), self.child.returncode, "", self.child.stderr_text)


@case
def somebody_changes_the_configuration_in_between(system):
    trees = ipsec(system)
    # Our own file, by another run.
    paused = Paused(system, "safe", *trees)
    ok(system.tool("apply", "safe", *trees))
    fails(paused.go(), 2, f"{SAFE} has changed since it was looked at: run again")
    assert system.state_now()["fresh"]
    ok(system.tool("remove", "none"))
    # Another file names a directory with the same library, before ours.
    before = system.etc()
    paused = Paused(system, "safe", *trees)
    system.path("/srv/a").mkdir(parents=True)
    system.copy(system.path(f"{PREFIX}/store/ipsec-mb-1-k1/lib/libIPSec_MB.so.1.0"), "/srv/a/libIPSec_MB.so.1")
    system.write(f"{CONFD}/00-a.conf", "/srv/a\n")
    fails(paused.go(), 4, "the loader's cache has /srv/a/libIPSec_MB.so.1 for libIPSec_MB.so.1")
    assert not system.path(SAFE).exists() and not any(CURRENT in line for line in system.cache())
    plan = system.plan("safe", *trees)
    assert plan["entries"] == [] and "already in the cache (/srv/a/" in plan["left_out"][0]["why"], plan
    system.path(f"{CONFD}/00-a.conf").unlink()
    assert system.etc() == before


@case
def two_runs_at_once(system):
    trees, before = ipsec(system), system.etc()
    holder = os.open(system.path(CONFD), os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    for what in ("apply", "remove"):
        fails(system.tool(what, "safe", *trees), 5, "another run is changing the loader's configuration")
    os.close(holder)
    assert system.etc() == before
    # Several at once: one wins, the others say so, and the end is as one would have left it.
    children = [Paused(system, "safe", *trees) for _ in range(4)]
    for paused in children:
        paused.child.stdin.write("\n")
        paused.child.stdin.flush()
    codes = sorted(paused.child.wait(timeout=60) for paused in children)
    assert codes[0] == 0 and set(codes) <= {0, 2, 5}, codes
    assert system.state_now()["fresh"] and system.state_now()["policy"] == "safe"


@case
def a_symbolic_link_on_the_way_stays_inside(system):
    """/etc/ld.so.conf.d that leads elsewhere by an absolute link is followed within the system only."""
    trees = ipsec(system)
    system.path("/etc/real").mkdir()
    for path in system.path(CONFD).iterdir():
        path.rename(system.path("/etc/real") / path.name)
    system.path(CONFD).rmdir()
    system.link(CONFD, "/etc/real")
    ok(system.tool("apply", "safe", *trees))
    assert system.path("/etc/real/ampere-crypto.conf").exists() and not os.path.exists("/etc/real")
    check_winners(system, system.plan("safe", *trees))


@case
def a_directory_that_somebody_else_names_too(system):
    """It is his: no entry for it; and taking ours away leaves it in the cache."""
    trees = ipsec(system)
    ok(system.tool("apply", "safe", *trees))
    system.write(f"{CONFD}/mine.conf", f"{CURRENT}/ipsec-mb/lib\n")
    plan = system.plan("safe", *trees)
    assert plan["entries"] == [] and "where the loader looks" in plan["left_out"][0]["why"], plan["left_out"]
    assert any(f"{CURRENT}/ipsec-mb/lib is named by {CONFD}/mine.conf, too" in note for note in plan["notes"]), plan["notes"]
    ok(system.tool("apply", "safe", *trees))
    assert not system.path(SAFE).exists() and any(f"{CURRENT}/ipsec-mb/lib/" in line for line in system.cache())
    assert system.plan("safe", *trees)["done"] and system.plan("none", *trees)["done"]


# What somebody else could change: (what is done to the system, the part that is named).
OWNERS = [
    (lambda system: os.chown(system.path("/opt"), 1000, 0), "/opt belongs to user 1000"),
    (lambda system: os.chown(system.path(f"{PREFIX}/current"), 1000, 0, follow_symlinks=False), f"{PREFIX}/current belongs to user 1000"),
    (lambda system: system.path(PREFIX).chmod(0o775), f"{PREFIX} can be written by others"),
    (lambda system: system.path(f"{PREFIX}/store/ipsec-mb-1-k1").chmod(0o757), f"{PREFIX}/store/ipsec-mb-1-k1 can be written by others"),
    (lambda system: through_a_home(system), "/home/user belongs to user 1000"),
]


def through_a_home(system):
    """PREFIX is a link to a link in somebody's home that leads to root's directory."""
    system.path("/home/user").mkdir(parents=True)
    system.path(PREFIX).rename(system.path("/srv"))
    system.link("/home/user/link", "../../srv")
    system.link(PREFIX, "/home/user/link")
    os.chown(system.path("/home/user"), 1000, 1000)


@case
def directories_that_others_can_change(system):
    """An entry in a place that a user can write makes that user root."""
    for number, (change, text) in enumerate(OWNERS):
        trees, before = ipsec(system), (system.etc(), system.cache())
        change(system)
        fails(system.tool("apply", "safe", *trees), 2, text)
        assert (system.etc(), system.cache()) == before, f"row {number}: something changed"
        for path in (system.path(PREFIX), system.path("/opt")):
            subprocess.run(["rm", "-rf", str(path)], check=True)
    system.path("/opt").mkdir(mode=0o755)
    system.path("/opt").chmod(0o1777)  # as /tmp: what is root's there stays so
    ok(system.tool("apply", "safe", *ipsec(system)))


@case
def a_second_run_is_quick(system):
    """Nothing to do: no program is looked at."""
    trees = [system.tree("openssl", ("libcrypto.so.3", VERSIONS))]
    system.activate(*trees)
    ok(system.tool("apply", "all", *trees))
    log = system.top / "strace"
    started = time.monotonic()
    ok(system.tool("apply", "all", *trees, wrap=["strace", "-f", "-o", str(log), "-e", "trace=openat2,execve"]))
    assert time.monotonic() - started < 5
    text = log.read_text()
    assert "/usr/bin/curl" not in text and text.count("execve(") == 1, "it looked at programs, or ran ldconfig"
