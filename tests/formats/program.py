# SPDX-License-Identifier: BSD-2-Clause
"""The program, and what it writes for the commands and machines of this suite, made once."""
import functools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path[:0] = [str(TOP / "tests/hosts/lib"), str(TOP / "tests/hosts/gen"), str(TOP / "tests/unit")]

PROGRAM = os.environ.get("CHECK_PROGRAM", str(TOP / "build/gcc/src/cli/ampere-crypto"))
WORK = Path(os.environ.get("CHECK_WORK", TOP / "build/check/formats"))
FULL = os.environ.get("CHECK_FULL") == "1"
FORMATS = ("json", "sarif", "junit", "openmetrics", "html")
ENGINES = TOP / "tests/engines/captured"


class Skip(Exception):
    """This machine cannot do it; the reason is a row of tests/skips."""


def check(condition, *context):
    if not condition:
        raise AssertionError(" ".join(str(part) for part in context)[:1500])


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False,
                          env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80"}, **options)


def tool(name, package):
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/bin:/usr/sbin")
    if not path:
        raise Skip(f"no {name} here (package {package})")
    return path


@functools.lru_cache(None)
def capture(machine):
    import world
    return world.Machine(machine).write_capture()


def waivers():
    path = WORK / "waivers.json"
    path.write_text(json.dumps({"waivers": [{"id": "firmware.lpi", "owner": "Ops <ops@example.invalid>",
                                             "reason": "a & b, until the \"move\"", "expires": "2999-12-31"}]}))
    return path


def imports(*names):
    return [f"--import={ENGINES / name}" for name in names]


def commands():
    """name: (arguments, exit statuses it may have)"""
    return {
        "audit": (["audit", "--root", capture("altra-1p-defaults"), "--waivers", waivers()], {1}),
        "audit-hostile": (["audit", "--root", capture("altra-1p-hostile-strings")], {0, 1}),
        "audit-denied": (["audit", "--root", capture("altra-1p-all-denied"), "--strict"], {1, 3}),
        "audit-here": (["audit", "--only", "kernel.*"], {0, 1, 2}),
        "bench": (["bench", *imports("cperf-22.11-x86-ok_throughput_gcm.txt", "cperf-22.11-x86-ok_throughput_2workers.txt",
                                     "openssl-3.0.22-x86-human-gcm.txt"), "--root", capture("altra-1p")], {1}),
        "bench-plan": (["bench", "--dry-run", "--root", capture("altra-1p"), "smoke"], {0, 77}),
        "bench-broken": (["bench", *imports("cperf-22.11-x86-err_no_vdev.txt")], {1, 2}),
        "setup": (["setup", "--dry-run", "--prefix", WORK / "prefix"], {0}),
        "detect": (["detect", "--root", capture("altra-1p")], {0}),
        "nothing": (["audit", "--root", WORK / "is-not-there"], {2}),
    }


@functools.lru_cache(None)
def documents():
    """{command: {format: bytes}}: one run of each, in all formats."""
    made = {}
    for name, (arguments, statuses) in commands().items():
        paths = {kind: WORK / f"{name}.{kind}" for kind in FORMATS}
        for path in paths.values():
            path.unlink(missing_ok=True)
        done = run(*arguments, "--quiet", *(f"--output={kind}={path}" for kind, path in paths.items()))
        check(done.returncode in statuses, name, "status", done.returncode, done.stderr.decode("utf-8", "replace")[-600:])
        made[name] = {kind: path.read_bytes() for kind, path in paths.items()}
    return made


def document(name):
    return json.loads(documents()[name]["json"])
