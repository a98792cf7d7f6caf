# SPDX-License-Identifier: BSD-2-Clause
"""kill -9 before any system call, and system calls that fail: the old generation works, and the next run finishes.

Which calls there are is read from a run under strace; CHECK_FULL=1 tries each, else a sample by a seed that is printed (and
taken from CHECK_SEED)."""
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tool import (FULL, NEEDS, NEW, OLD, PROGRAM, RELEASE, Skip, check, environment, fresh, generation, good, says, settled,
                  start, tool, tool_path)

SEED = int(os.environ.get("CHECK_SEED", random.SystemRandom().randrange(1 << 31)))
SAMPLE = 40
CALL = re.compile(r"^(?:\d+ +)?(\w+)\(")
# Calls that change nothing, before and after which the disk is the same: trying one of each is enough.
QUIET = {"fstat", "newfstatat", "read", "pread64", "mmap", "munmap", "mprotect", "brk", "close", "getdents64", "geteuid", "getuid",
         "getegid", "lseek", "readlink", "readlinkat", "access", "arch_prctl", "prlimit64", "rseq", "set_robust_list", "futex",
         "set_tid_address", "getrandom", "getpid", "fcntl", "umask", "getcwd", "rt_sigaction", "statfs"}


def release_tool():
    build = RELEASE if (RELEASE / "tests/store/store-tool").exists() else None
    return tool_path(build) if build else tool_path()


def release_program():
    program = RELEASE / "src/cli/ampere-crypto"
    return str(program) if program.exists() else str(PROGRAM)


def traced(argv, *options):
    """argv under strace; its own exit status, or -9. Leaks cannot be looked for while traced."""
    env = environment(ASAN_OPTIONS="detect_leaks=0")
    return start(["strace", "-qq", "-f", *options, *argv], env=env)


def can_trace():
    if not shutil.which("strace") or traced(["true"], "-o", "/dev/null").code:
        raise Skip("strace cannot trace here")


def calls_of(argv, log):
    """(call, n-th time) of a run that is left alone."""
    good(traced(argv, "-o", str(log)))
    count, found = {}, []
    for line in log.read_text(errors="replace").splitlines():
        match = CALL.match(line)
        if match and match.group(1) not in ("execve", "exit_group"):
            count[match.group(1)] = count.get(match.group(1), 0) + 1
            found.append((match.group(1), count[match.group(1)]))
    return found


def chosen(calls, what):
    """All under CHECK_FULL; else a sample, mostly of calls that change something."""
    if FULL:
        return calls
    print(f"{what}: {len(calls)} calls, seed {SEED}", flush=True)
    loud = [call for call in calls if call[0] not in QUIET]
    quiet = [call for call in calls if call[0] in QUIET]
    pick = random.Random(SEED)
    return pick.sample(loud, min(len(loud), SAMPLE)) + pick.sample(quiet, min(len(quiet), SAMPLE // 8))


def copy(base, prefix):
    """The prefix as the run found it, at the same path: manifests name it."""
    shutil.rmtree(prefix, ignore_errors=True)
    if base.exists():
        subprocess.run(["cp", "-a", str(base), str(prefix)], check=True)


def works(prefix, allowed):
    """Whatever is active is whole and works; what it prints is one of the allowed texts (None: nothing is active)."""
    if not (prefix / "current").is_symlink():
        check(None in allowed, "nothing is active any more")
        return
    text = says(prefix)
    check(text in allowed, text, allowed)
    for name in (prefix / "current").iterdir():
        check(name.exists(), name)
    result = start([release_program(), "status", "--verify", "--prefix", prefix])
    check(result.code == 0, result.out[-500:], result.err)


def try_all(base, prefix, argv, options, allowed, final, what):
    """One injection after the other; after each the store works and a run that is left alone makes it final()."""
    calls = calls_of(argv, prefix.parent / "trace")
    wanted = final()
    tried = 0
    for name, number in chosen(calls, what):
        copy(base, prefix)
        result = traced(argv, "-o", "/dev/null", "-e", f"inject={name}:{options}:when={number}")
        if result.code == 0 and "KILL" in options:
            continue
        try:
            check(result.code in (0, 2, 4, -9, 137), result.code, result.err)
            check(result.code != 2 or result.err.count("\n") == 1, result.err)
            if prefix.exists():
                works(prefix, allowed)
            again = start(argv)
            check(again.code == 0 or "there is no" in again.err, again.code, again.err)
            check(final() == wanted, final(), wanted)
        except AssertionError as problem:
            raise AssertionError(f"{what}, {name} the {number}. time, {options}, seed {SEED}: {problem}") from problem
        tried += 1
    check(tried > 10, what, tried, "of", len(calls))


def kill_all(name, setup, argv, allowed, final):
    can_trace()
    top = fresh(name)
    prefix, base = top / "p", top / "base"
    for arguments in setup:
        good(tool(prefix, *arguments))
    if prefix.exists():
        os.rename(prefix, base)
    copy(base, prefix)
    try_all(base, prefix, argv(prefix), "signal=SIGKILL", allowed, lambda: final(prefix), name)


def test_killed_while_the_first_tree_is_installed():
    kill_all("kill-first", [], lambda prefix: [release_tool(), prefix, "apply", *OLD], ["software 1.0", None], settled)


def test_killed_while_a_tree_is_installed_and_made_active():
    kill_all("kill-apply", [("apply", *OLD), ("apply", *NEEDS)], lambda prefix: [release_tool(), prefix, "apply", *NEW],
             ["software 1.0", "software 2.0"], settled)


def test_killed_while_going_back():
    # going back twice is another thing than going back once: a number is named
    kill_all("kill-rollback", [("apply", *OLD), ("apply", *NEW)],
             lambda prefix: [release_program(), "rollback", "--to", "1", "--prefix", prefix], ["software 1.0", "software 2.0"],
             lambda prefix: (settled(prefix), generation(prefix)))


def test_killed_while_one_of_two_trees_is_removed():
    kill_all("kill-remove", [("apply", *OLD), ("apply", *NEEDS)],
             lambda prefix: [release_program(), "remove", "other", "--prefix", prefix], ["software 1.0"], settled)


def test_killed_while_everything_is_removed():
    kill_all("kill-remove-all", [("apply", *OLD), ("apply", *NEEDS), ("apply", *NEW)],
             lambda prefix: [release_program(), "remove", "--prefix", prefix], ["software 2.0", None],
             # between the last two steps only the empty directory is left, which nobody knows the maker of any more
             settled)


def test_killed_while_a_pack_is_installed():
    top = fresh("kill-unpack-pack")
    pack = top / "pack"
    kept = top.parent / "kill-unpack/p"
    shutil.rmtree(kept.parent, ignore_errors=True)
    kept.parent.mkdir()
    good(tool(kept, "apply", *NEW))
    good(tool(kept, "pack", pack))
    kill_all("kill-unpack", [("apply", *OLD)], lambda prefix: [release_tool(), prefix, "unpack", pack],
             ["software 1.0", "software 2.0"], settled)


FAILING = [
    # calls and errno values
    ("write", "EIO"), ("write", "ENOSPC"), ("fsync", "EIO"), ("syncfs", "EIO"), ("renameat", "EIO"), ("renameat2", "EIO"),
    ("mkdirat", "ENOSPC"), ("symlinkat", "ENOSPC"), ("openat", "EIO"), ("openat", "EMFILE"), ("fchmod", "EIO"), ("read", "EIO"),
    ("getdents64", "EIO"), ("unlinkat", "EIO"), ("pwrite64", "EIO"), ("newfstatat", "EIO"), ("fstat", "EIO"),
]


def fail_all(name, setup, argv, allowed, final):
    """Each kind of call fails, once, the first to the last time."""
    can_trace()
    top = fresh(name)
    prefix, base = top / "p", top / "base"
    for arguments in setup:
        good(tool(prefix, *arguments))
    os.rename(prefix, base)
    copy(base, prefix)
    argv = argv(prefix)
    calls = calls_of(argv, top / "trace")
    wanted = final(prefix)
    rows = [(call, number, errno) for call, number in calls for failing, errno in FAILING if call == failing]
    pick = random.Random(SEED)
    if not FULL:
        print(f"{name}: {len(rows)} failures, seed {SEED}", flush=True)
        rows = pick.sample(rows, min(len(rows), SAMPLE))
    for call, number, errno in rows:
        copy(base, prefix)
        result = traced(argv, "-o", "/dev/null", "-e", f"inject={call}:error={errno}:when={number}")
        # the loader of programs meets some of them before the program begins
        early = "error while loading shared libraries" in result.err or result.code == 127
        try:
            check(early or result.code in (0, 2, 4), result.code, result.err)
            check(early or result.code == 0 or result.err.count("\n") == 1, result.err)
            if prefix.exists():
                works(prefix, allowed)
            again = start(argv)
            check(again.code == 0 or "there is no" in again.err, again.code, again.err)
            check(final(prefix) == wanted, final(prefix), wanted)
        except AssertionError as problem:
            raise AssertionError(f"{name}, {call} the {number}. time, {errno}, seed {SEED}: {problem}") from problem


def test_calls_that_fail_while_a_tree_is_installed_and_made_active():
    fail_all("fail-apply", [("apply", *OLD), ("apply", *NEEDS)], lambda prefix: [release_tool(), prefix, "apply", *NEW],
             ["software 1.0", "software 2.0"], settled)


def test_calls_that_fail_while_a_tree_is_removed():
    fail_all("fail-remove", [("apply", *OLD), ("apply", *NEEDS)],
             lambda prefix: [release_program(), "remove", "other", "--prefix", prefix], ["software 1.0"], settled)


def reads_of_libraries(log):
    """How many reads there are until libraries and their settings are loaded: those do not try again."""
    count = last = 0
    for line in log.read_text(errors="replace").splitlines():
        match = CALL.match(line)
        count += bool(match) and match.group(1) == "read"
        if re.search(r"openat\(.*(\.so|\.cnf|/etc/|/proc/|/sys/)", line):
            last = count + 1
    return last


def test_interrupted_calls_are_made_again():
    can_trace()
    top = fresh("interrupted")
    prefix, base = top / "p", top / "base"
    good(tool(prefix, "apply", *OLD))
    os.rename(prefix, base)
    copy(base, prefix)
    argv = [release_tool(), prefix, "apply", *NEW]
    calls = [call for call in calls_of(argv, top / "trace") if call[0] in ("write", "read")]
    foreign = reads_of_libraries(top / "trace")
    calls = [call for call in calls if call[0] == "write" or call[1] > foreign]
    check(any(name == "read" for name, _ in calls), "files of ours are read")
    for name, number in calls if FULL else random.Random(SEED).sample(calls, min(len(calls), SAMPLE)):
        copy(base, prefix)
        result = traced(argv, "-o", "/dev/null", "-e", f"inject={name}:error=EINTR:when={number}")
        check(result.code == 0, name, number, result.code, result.err)
        works(prefix, ["software 2.0"])


def test_a_full_disk():
    """On a small tmpfs of its own: also writes that are cut short, and directories without room for a name."""
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        raise Skip("needs root for mount namespaces")
    top = fresh("full-disk")
    (top / "disk").mkdir()
    done = start(["unshare", "--mount", sys.executable, "-B", Path(__file__).resolve(), top / "disk"],
                 env=environment(**{name: value for name, value in os.environ.items() if name.startswith("CHECK_")}))
    check(done.code == 0 and "full" in done.out, done.code, done.out[-500:], done.err[-900:])


def fill_disk(disk):
    """In a mount namespace: the second tree is installed with ever more room, until there is enough."""
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    refused = 0
    for options in [f"size={size}k" for size in range(60, 200, 4)] + [f"size=4m,nr_inodes={count}" for count in range(20, 60)]:
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)], check=True)
        try:
            refused += fill_once(disk, options)
        finally:
            subprocess.run(["umount", str(disk)], check=True)
    check(refused > 10, refused)
    print(f"{refused} times full")


def fill_once(disk, options):
    """Whether the disk was full for the second tree."""
    prefix = disk / "p"
    if start([release_tool(), prefix, "apply", *OLD]).code:
        return 0
    result = start([release_tool(), prefix, "apply", *NEW])
    if result.code == 0:
        return 0
    check(result.code == 2 and result.err.count("\n") == 1, options, result.code, result.err)
    check("No space left" in result.err, options, result.err)
    works(prefix, ["software 1.0"])
    # more room: the next run finishes
    subprocess.run(["mount", "-o", "remount,size=8m,nr_inodes=1000", str(disk)], check=True)
    good(start([release_tool(), prefix, "apply", *NEW]))
    works(prefix, ["software 2.0"])
    good(start([release_program(), "remove", "--prefix", prefix]))
    check(not list(disk.iterdir()), options, list(disk.iterdir()))
    return 1


if __name__ == "__main__":
    fill_disk(Path(sys.argv[1]))
