# SPDX-License-Identifier: BSD-2-Clause
"""Runs the store's tool and the program; what a prefix looks like; the tests."""
import json
import os
import shutil
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("CHECK_BUILD", TOP / "build/gcc"))
RELEASE = Path(os.environ.get("CHECK_RELEASE", TOP / "build/release"))
PROGRAM = Path(os.environ.get("CHECK_PROGRAM", BUILD / "src/cli/ampere-crypto")).resolve()
WORK = Path(os.environ.get("CHECK_WORK", TOP / "build/check/store")).resolve()
FULL = os.environ.get("CHECK_FULL") == "1"
LIMIT_S = 120
NOBODY = 65534

KEY = {"old": "0123456789abcdef", "new": "fedcba9876543210", "needs": "00000000000000aa"}
OLD = ("software", "1.0", KEY["old"], "altra", "no")
NEW = ("software", "2.0", KEY["new"], "altra", "no")
# needs the old one
NEEDS = ("other", "7", KEY["needs"], "altra", "no", *OLD[:3])


class Skip(Exception):
    """What this machine cannot do."""


def tool_path(build=BUILD):
    """A copy of the tool beside the helper programs, where it looks for them."""
    place = WORK / f"tool-{build.name}"
    tool, built = place / "cli/store-tool", build / "tests/store/store-tool"
    if not tool.exists() or tool.stat().st_mtime_ns != built.stat().st_mtime_ns:
        shutil.rmtree(place, ignore_errors=True)
        tool.parent.mkdir(parents=True)
        shutil.copy2(built, tool)
        (place / "unpack").symlink_to((build / "src/unpack").resolve())
    return str(tool)


def environment(**changes):
    result = {"PATH": os.environ["PATH"], "HOME": str(WORK), "LC_ALL": "C.UTF-8", "COLUMNS": "300"}
    result.update({name: value for name, value in os.environ.items() if name.startswith(("ASAN_", "UBSAN_", "LSAN_"))})
    result.update(changes)
    return result


class Result:
    def __init__(self, done):
        self.code = done.returncode
        self.out = done.stdout.decode("utf-8", "replace")
        self.err = done.stderr.decode("utf-8", "replace")

    def json(self):
        return json.loads(self.out)


def start(argv, env=None, **options):
    done = subprocess.run([str(word) for word in argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=env or environment(), timeout=LIMIT_S, check=False, **options)
    return Result(done)


def tool(prefix, *arguments, build=BUILD, **options):
    return start([tool_path(build), prefix, *arguments], **options)


def program(*arguments, **options):
    return start([PROGRAM, *arguments], **options)


def check(condition, *context):
    """Fails a test, showing what was seen."""
    if not condition:
        raise AssertionError(" ".join(repr(item) for item in context)[:900])


def good(result):
    check(result.code == 0, result.code, result.out, result.err)
    return result


def fresh(name):
    """An empty directory of a test."""
    path = WORK / name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def listing(top):
    """Every path below a directory, with what a link leads to."""
    found = {}
    for path in sorted(Path(top).rglob("*")):
        found[str(path.relative_to(top))] = os.readlink(path) if path.is_symlink() else path.is_dir()
    return found


def settled(top):
    """A listing without what may stay behind until the next run."""
    return {path: what for path, what in listing(top).items() if not path.startswith("work/")}


def says(prefix, name="software"):
    """What the active tree's program prints: it works from its first to its last link."""
    return start([f"{prefix}/current/{name}/bin/{name}"]).out.strip()


def generation(prefix):
    path = Path(prefix) / "current"
    return int(os.readlink(path).split("/")[1]) if path.is_symlink() else 0


def tree(prefix, description):
    return Path(prefix) / "store" / "-".join(description[:3])


def whole(prefix):
    """Whether the program finds every file as its manifest says."""
    result = program("status", "--verify", "--prefix", prefix)
    check(result.code == 0, result.code, result.out, result.err)


def run_tests(modules):
    WORK.mkdir(parents=True, exist_ok=True)
    failed = False
    for module in modules:
        for name, test in list(vars(module).items()):
            if not name.startswith("test_"):
                continue
            title = f"{module.__name__} - {name[5:].replace('_', ' ')}"
            try:
                test()
                print(f"PASS {title}", flush=True)
            except Skip as reason:
                print(f"SKIP {title}: {reason}", flush=True)
            except Exception as error:  # a test that breaks is a test that fails
                failed = True
                print(f"FAIL {title}: {type(error).__name__}: {error}".replace("\n", " "), flush=True)
    return int(failed)
