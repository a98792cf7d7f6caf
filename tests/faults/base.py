# SPDX-License-Identifier: BSD-2-Clause
"""Recipes that build in a moment, the program that sets them up, and what a prefix must be like afterwards."""
import ctypes
import hashlib
import io
import json
import os
import random
import shutil
import signal
import struct
import subprocess
import tarfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CHECK_PROGRAM", TOP / "build/gcc/src/cli/ampere-crypto")).resolve()
RELEASE = Path(os.environ.get("CHECK_RELEASE", TOP / "build/release")).resolve() / "src/cli/ampere-crypto"
WORK = Path(os.environ.get("CHECK_WORK", TOP / "build/check/faults")).resolve()
FULL = os.environ.get("CHECK_FULL") == "1"
SEED = int(os.environ.get("CHECK_SEED", random.SystemRandom().randrange(1 << 31)))
LIMIT_S = 120
NOBODY = 65534
# What the tests call is the tests' own; builds get a PATH of the program's.
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"

MAKEFILE = """\
all:
\tsed s/VERSION/$(VERSION)/ program.sh > program
install: all
\tmkdir -p $(DESTDIR)$(PREFIX)/bin
\tcp program $(DESTDIR)$(PREFIX)/bin/$(NAME)
\tchmod 755 $(DESTDIR)$(PREFIX)/bin/$(NAME)
"""


class Skip(Exception):
    """What this machine cannot do."""


class Result:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def environment(**changes):
    result = {"PATH": PATH, "HOME": str(WORK), "LC_ALL": "C.UTF-8", "COLUMNS": "300"}
    result.update({name: value for name, value in os.environ.items() if name.startswith(("ASAN_", "UBSAN_", "LSAN_"))})
    result.update(changes)
    return {name: value for name, value in result.items() if value is not None}


def start(argv, env=None, limit_s=LIMIT_S, **options):
    """Runs to its end, with all that has its output; one that takes too long fails the test."""
    options.setdefault("stdin", subprocess.DEVNULL)
    done = subprocess.run([str(word) for word in argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=environment() if env is None else env, timeout=limit_s, check=False, **options)
    return Result(done.returncode, done.stdout, done.stderr)


def refuse_openat2(number):
    """For preexec_fn: openat2 is answered as kernels before 5.6 (ENOSYS) and filters that do not know it (EPERM) do."""
    def refuse():
        libc, name = ctypes.CDLL(None, use_errno=True), ctypes.c_char_p(b".")
        zero, one, two, few = (ctypes.c_ulong(value) for value in (0, 1, 2, 24))
        # load the number of the call; is it openat2, 437 everywhere? the errno; all else is allowed
        code = struct.pack("=" + "HBBI" * 4, 0x20, 0, 0, 0, 0x15, 0, 1, 437, 0x06, 0, 0, 0x00050000 | number, 0x06, 0, 0, 0x7fff0000)
        filters = ctypes.create_string_buffer(code, len(code))
        program_of_it = ctypes.create_string_buffer(struct.pack("@HP", 4, ctypes.addressof(filters)))
        if libc.prctl(38, one, zero, zero, zero) or libc.prctl(22, two, program_of_it, zero, zero):  # no new privileges, then seccomp's filter
            raise OSError(ctypes.get_errno(), "seccomp")
        if libc.syscall(ctypes.c_long(437), ctypes.c_long(-100), name, name, few) != -1 or ctypes.get_errno() != number:
            raise OSError(0, "openat2 is not refused")
    return refuse


def check(condition, *context):
    """Fails a test, showing what was seen."""
    if not condition:
        raise AssertionError(" ".join(repr(item) for item in context)[:1200])


def good(result):
    check(result.code == 0, result.code, result.out[-600:], result.err[-600:])
    return result


def fresh(name):
    path = WORK / name
    subprocess.run(["chmod", "-R", "u+rwx", str(path)], check=False, stderr=subprocess.DEVNULL)
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def archive(files):
    """A .tar.gz of "top/NAME": bytes, or a target in a tuple for a link."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as tar:
        for name, content in files.items():
            entry = tarfile.TarInfo(f"top/{name}")
            entry.mode = 0o755
            if isinstance(content, tuple):
                entry.type, entry.linkname = tarfile.SYMTYPE, content[0]
                tar.addfile(entry)
                continue
            content = content.encode()
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return data.getvalue()


class Set:
    """Recipes and a mirror with their sources."""

    def __init__(self, where):
        self.recipes, self.mirror = where / "recipes", where / "mirror"
        for path in (self.recipes, self.mirror):
            path.mkdir(parents=True, exist_ok=True)

    def add(self, name, versions=("1.0",), makefile=MAKEFILE, depends=(), steps=None, files=None, **more):
        rows = []
        for version in versions:
            content = {"Makefile": makefile, "program.sh": f"#!/bin/sh\necho {name} VERSION\n", "README": f"{name} {version}\n"}
            content.update(files or {})
            data = archive(content)
            file = f"{name}-{version}.tar.gz"
            (self.mirror / file).write_bytes(data)
            rows.append({"version": version, "status": "supported", "sources": [{
                "file": file, "url": f"https://example.invalid/{file}", "sha256": hashlib.sha256(data).hexdigest(),
                "size": len(data)}]})
        words = ["make", "-C", "{source}", "NAME={name}", "VERSION={version}", "PREFIX={prefix}", "DESTDIR={stage}"]
        recipe = {
            "name": name, "summary": "a test", "homepage": "https://example.invalid/", "license": "MIT", "rules": [], "versions": rows,
            "depends": [{"name": other} for other in depends],
            "tools": [{"kind": "program", "name": "make", "debian": "make", "rhel": "make", "suse": "make"}],
            "steps": [*(steps or []), {"name": "make", "phase": "build", "argv": [*words, "-j{jobs}"]},
                      {"name": "install", "phase": "stage", "argv": [*words, "install"]}],
            "relocatable": True, "products": [f"bin/{name}"], "needed": ["libc.so.6"],
            "provides": {"commands": [name]}, **more}
        (self.recipes / name).mkdir(exist_ok=True)
        (self.recipes / name / "recipe.json").write_text(json.dumps(recipe, indent=2))
        return self

    def setup(self, prefix, *words, program=PROGRAM):
        """The words of a command, never with an entry of this machine's loader."""
        return [str(program), "setup", "--target", "native", "--prefix", str(prefix), "--recipes", str(self.recipes), "--mirror",
                str(self.mirror), "--offline", "--ld-so-conf", "none", *map(str, words)]


NAMES = ("alpha", "beta", "gamma")


def usual(where):
    """beta needs alpha, gamma needs none; there are two versions of alpha."""
    found = Set(where)
    found.add("alpha", ("2.0", "1.0")).add("beta", depends=("alpha",)).add("gamma")
    return found


def says(prefix, name):
    """What the active tree's program prints; None when there is none."""
    path = Path(prefix) / "current" / name / "bin" / name
    return start([path]).out.strip() if path.exists() else None


def remove(prefix, program=PROGRAM):
    return start([program, "remove", "--prefix", prefix])


def whole(prefix, program=PROGRAM):
    """The program finds every file as its manifest says."""
    good(start([program, "status", "--verify", "--prefix", prefix]))


def gone(prefix, program=PROGRAM):
    """Nothing is left after remove."""
    good(remove(prefix, program))
    left = sorted(str(path) for path in Path(prefix).rglob("*")) if Path(prefix).exists() else []
    check(not Path(prefix).exists(), "left after remove", left[:9])


def one_line(result, *words):
    """The last thing on standard error is the error, in one line that says the words."""
    lines = [line for line in result.err.splitlines() if line.startswith("ampere-crypto ")]
    check(len(lines) == 1, result.code, result.err[-900:])
    for word in words:
        check(word in lines[0], word, lines[0])


def processes(text):
    """Processes whose command line holds the text, this one's family excepted."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if text.encode() in words:
                found.append(f"{entry.name} {words[:200]!r}")
    return found


def run_tests(modules, chosen):
    WORK.mkdir(parents=True, exist_ok=True)
    WORK.chmod(0o755)
    # A shell that runs this in the background, or nohup, has them ignored, and so would what is tested.
    for which in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(which, signal.SIG_DFL)
    failed = False
    for module in modules:
        for name, test in list(vars(module).items()):
            title = f"{module.__name__} - {name[5:].replace('_', ' ')}"
            if not name.startswith("test_") or (chosen and not any(word in title for word in chosen)):
                continue
            try:
                test()
                print(f"PASS {title}", flush=True)
            except Skip as reason:
                print(f"SKIP {title}: {reason}", flush=True)
            except Exception as error:  # a test that breaks is a test that fails
                failed = True
                print(f"FAIL {title}: {type(error).__name__}: {error}".replace("\n", " "), flush=True)
    return int(failed)
