# SPDX-License-Identifier: BSD-2-Clause
"""What strace sees of a dry run: no write, no connection."""
import copy
import os
import re
import shutil
import subprocess

from mistakes import GOOD, TOP, fresh, text_of
from plans import LIMIT_S, PROGRAM, Wrong, require

# strace's lines of calls that write, connect or start something
WRITES = re.compile(r"^[^(]*\b(open|openat|openat2|creat)\(.*O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)")
FORBIDDEN = re.compile(r"\b(socket|connect|bind|mkdir|mkdirat|unlink|unlinkat|rename|renameat|renameat2|link|linkat|symlink|symlinkat|"
                       r"chmod|fchmod|fchmodat|chown|fchown|lchown|fchownat|truncate|ftruncate|mknod|mknodat|utimensat|setxattr|"
                       r"mount|sethostname)\(")


def traced(*arguments, recipe, own):
    trace = TOP / "trace"
    argv = ["strace", "-f", "-o", trace, PROGRAM, "setup", "--dry-run", "--prefix", TOP / "prefix", "--target", "native", *own,
            *arguments, recipe]
    # A sanitizer that looks for leaks stops the process with ptrace, as strace does.
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
    done = subprocess.run(argv, capture_output=True, timeout=LIMIT_S, check=False, text=True, env=environment)
    for line in trace.read_text(errors="replace").splitlines():
        if "+++" in line or "---" in line:
            continue
        wrote = WRITES.search(line) and '"/dev/null"' not in line and '"/proc/' not in line
        require(not wrote and not FORBIDDEN.search(line), "a dry run does", line)
    require(not (TOP / "prefix").exists(), "the prefix was made")
    return done


def dry_run_writes_nothing():
    fresh(text_of(GOOD))
    done = traced(recipe="openssl", own=[])
    require(done.returncode == 0, done.stderr)


def dry_run_for_altra():
    fresh(text_of(GOOD))
    done = traced("--target", "altra", recipe="openssl", own=[])
    require(done.returncode == 0 and "neoverse-n1" in done.stdout, done.stderr)


def dry_run_with_mirrors_writes_nothing():
    fresh(text_of(GOOD))
    (TOP / "mirror").mkdir()
    (TOP / "mirror/some.tar").write_bytes(b"some bytes")
    done = traced("--mirror", TOP / "mirror", "--mirror", "https://localhost:1/x", recipe="openssl", own=[])
    require(done.returncode == 0, done.stderr)


def mistakes_write_nothing():
    recipe = copy.deepcopy(GOOD)
    recipe["sumary"] = "x"
    fresh(text_of(recipe))
    require(traced(recipe="good", own=["--recipes", TOP / "recipes"]).returncode == 2, "was not refused")


def tests():
    if not shutil.which("strace"):
        raise Wrong("no strace")
    yield "a dry run writes nothing and opens no socket", dry_run_writes_nothing, ()
    if shutil.which("aarch64-linux-gnu-gcc"):
        yield "a dry run for another CPU writes nothing and opens no socket", dry_run_for_altra, ()
    yield "a dry run with mirrors writes nothing and opens no socket", dry_run_with_mirrors_writes_nothing, ()
    yield "a recipe with a mistake starts nothing", mistakes_write_nothing, ()
