# SPDX-License-Identifier: BSD-2-Clause
"""Disks that are full or broken: a clean error, what was active works, and with room again the next run finishes."""
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from base import (FULL, NAMES, PROGRAM, RELEASE, SEED, Skip, check, environment, fresh, gone, good, says, start, usual, whole)

SAMPLE = 30
CALL = re.compile(r"^(?:\d+ +)?(\w+)\(")
FAILING = [("write", "EIO"), ("write", "ENOSPC"), ("fsync", "EIO"), ("syncfs", "EIO"), ("renameat", "EIO"), ("renameat2", "EIO"),
           ("rename", "EIO"), ("mkdirat", "ENOSPC"), ("mkdir", "ENOSPC"), ("symlinkat", "ENOSPC"), ("symlink", "ENOSPC"),
           ("openat", "EIO"), ("openat", "EMFILE"), ("openat", "ENOSPC"), ("fchmod", "EIO"), ("fchown", "EIO"), ("lchown", "EIO"),
           ("read", "EIO"), ("getdents64", "EIO"), ("unlinkat", "EIO"), ("pwrite64", "EIO"), ("newfstatat", "EIO"),
           ("copy_file_range", "ENOSPC"), ("copy_file_range", "EXDEV"), ("pipe2", "EMFILE"), ("unshare", "EPERM"),
           ("setresuid", "EPERM"), ("setgroups", "EPERM"), ("chdir", "EIO"), ("wait4", "EINTR"), ("poll", "EINTR"), ("write", "EINTR"),
           ("clone", "EAGAIN"), ("pidfd_open", "ENOSYS")]


def program():
    return RELEASE if RELEASE.exists() else PROGRAM


def traced(argv, *options):
    return start(["strace", "-qq", "-f", *options, *argv])


def calls_of(argv, log):
    """How often the process that makes a call most often makes it."""
    good(traced(argv, "-o", str(log)))
    counts = {}
    for line in log.read_text(errors="replace").splitlines():
        match = CALL.match(line)
        if match:
            key = (line.split()[0], match.group(1))
            counts[key] = counts.get(key, 0) + 1
    most = {}
    for (_, name), count in counts.items():
        most[name] = max(most.get(name, 0), count)
    return most


def test_calls_that_fail():
    """In every process at its N-th call of a kind: the program's own, its helpers' and those of builds."""
    if not shutil.which("strace") or traced(["true"], "-o", "/dev/null").code:
        raise Skip("strace cannot trace here")
    top = fresh("failing")
    recipes, prefix, base = usual(top), top / "p", top / "base"
    good(start(recipes.setup(prefix, *NAMES, "--version", "alpha=1.0", program=program())))
    subprocess.run(["cp", "-a", str(prefix), str(base)], check=True)
    argv = recipes.setup(prefix, *NAMES, "--quiet", program=program())
    most = calls_of(argv, top / "trace")
    rows = [(name, errno, number) for name, errno in FAILING for number in range(1, most.get(name, 0) + 1)]
    if not FULL:
        print(f"{len(rows)} failures, seed {SEED}", flush=True)
        pick = random.Random(SEED)
        rows = [row for name, errno in FAILING for row in pick.sample([row for row in rows if row[:2] == (name, errno)][:40] or [None], 1)
                if row]
    for name, errno, number in rows:
        shutil.rmtree(prefix)
        subprocess.run(["cp", "-a", str(base), str(prefix)], check=True)
        result = traced(argv, "-o", "/dev/null", "-e", f"inject={name}:error={errno}:when={number}")
        early = "error while loading shared libraries" in result.err or result.code == 127
        try:
            check(early or result.code in (0, 2, 4), result.code, result.err[-600:])
            # the line of the error may be what could not be written
            lines = (0, 1) if name == "write" else (1,)
            check(early or result.code == 0 or result.err.count("\n") in lines, result.err[-600:])
            check(says(prefix, "alpha") in ("alpha 1.0", "alpha 2.0"), says(prefix, "alpha"))
            whole(prefix, program())
            good(start(argv))
            check(says(prefix, "alpha") == "alpha 2.0")
        except AssertionError as problem:
            raise AssertionError(f"{name} the {number}. time, {errno}, seed {SEED}: {problem}") from problem
    gone(prefix, program())


def test_a_full_disk():
    """On a small tmpfs of its own, also without room for names."""
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], check=False, stderr=subprocess.DEVNULL).returncode:
        raise Skip("needs root for mount namespaces")
    top = fresh("full")
    (top / "disk").mkdir()
    usual(top)
    done = start(["unshare", "--mount", sys.executable, "-B", Path(__file__).resolve(), top],
                 env=environment(**{name: value for name, value in os.environ.items() if name.startswith("CHECK_")}), limit_s=600)
    check(done.code == 0 and "full" in done.out, done.code, done.out[-500:], done.err[-1200:])


def fill_disk(top):
    """In a mount namespace: the second generation is made with ever more room, until there is enough."""
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    recipes, disk, refused = usual(top), top / "disk", 0
    for options in [f"size={size}k" for size in range(72, 200, 8 if not FULL else 4)] + [
            f"size=8m,nr_inodes={count}" for count in range(40, 110, 6 if not FULL else 1)]:
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)], check=True)
        try:
            refused += fill_once(recipes, disk, options)
        finally:
            subprocess.run(["umount", "-l", str(disk)], check=True)
    check(refused > 5, refused)
    print(f"{refused} times full")


def fill_once(recipes, disk, options):
    """Whether the disk was full for the second generation."""
    prefix = disk / "p"
    if start(recipes.setup(prefix, "gamma", program=program())).code:
        return 0
    result = start(recipes.setup(prefix, *NAMES, "--quiet", program=program()))
    if result.code == 0:
        return 0
    check(result.code == 2 and result.err.count("\n") == 1, options, result.code, result.err)
    check([says(prefix, name) for name in NAMES] == [None, None, "gamma 1.0"], options)
    whole(prefix, program())
    subprocess.run(["mount", "-o", "remount,size=16m,nr_inodes=4000", str(disk)], check=True)
    good(start(recipes.setup(prefix, *NAMES, program=program())))
    check(says(prefix, "alpha") == "alpha 2.0")
    gone(prefix, program())
    return 1


if __name__ == "__main__":
    fill_disk(Path(sys.argv[1]))
