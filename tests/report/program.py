# SPDX-License-Identifier: BSD-2-Clause
"""Runs `report` and `diff`, and writes small results by hand."""
import copy
import json
import os
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CHECK_PROGRAM", TOP / "build/gcc/src/cli/ampere-crypto")).resolve()
WORK = Path(os.environ.get("CHECK_WORK", TOP / "build/check/report")).resolve()
LIMIT_S = 120


class Skip(Exception):
    """What this machine cannot do."""


def check(condition, *context):
    """Fails a test, showing what was seen."""
    if not condition:
        raise AssertionError(" ".join(item if isinstance(item, str) else repr(item) for item in context)[:700])


def environment():
    result = {"PATH": os.environ["PATH"], "HOME": str(WORK), "LC_ALL": "C.UTF-8"}
    result.update({name: words for name, words in os.environ.items() if name.startswith(("ASAN_", "UBSAN_", "LSAN_"))})
    return result


class Result:
    def __init__(self, done):
        self.code = done.returncode
        self.out = (done.stdout or b"").decode("utf-8", "replace")
        self.err = (done.stderr or b"").decode("utf-8", "replace")
        check("Sanitizer" not in self.err and "runtime error" not in self.err, self.err)

    def document(self):
        document = json.loads(self.out)
        check(document["exit_code"] == self.code, "exit_code", document["exit_code"], "status", self.code)
        return document


def run(*arguments, stdin=b"", **options):
    return Result(subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, env=environment(),
                                 timeout=LIMIT_S, check=False, **options))


def report(*arguments):
    """The JSON of a report that could read all its files."""
    done = run("report", "--json", *arguments)
    check(done.code == 0, done.code, done.err)
    return done.document()


def fresh(name):
    """An empty directory."""
    where = WORK / name
    where.mkdir(parents=True, exist_ok=True)
    for path in where.iterdir():
        if path.is_dir():
            for inner in path.iterdir():
                inner.unlink()
            path.rmdir()
        else:
            path.unlink()
    return where


HOST = {"arch": "aarch64", "family": "altra", "sku": "Q80-30", "cpus": 80, "kernel": "6.8.0", "page_size_bytes": 4096,
        "firmware": {"vendor": "V", "version": "2.10", "date": None}, "machine": {"vendor": "GIGABYTE", "product": "R152"},
        "virtualization": {"vm": "none", "container": "none"}}


def host(**changes):
    """HOST with some members set; `firmware` is its version."""
    result = copy.deepcopy(HOST)
    if "firmware" in changes:
        result["firmware"]["version"] = changes.pop("firmware")
    result.update(changes)
    return result


def result_of(command, results, started="2026-01-01T00:00:00Z", argv=(), of=None, **more):
    return {"schema": f"ampere-crypto/{command} 1.0.0", "tool": {"name": "ampere-crypto", "version": "0"},
            "argv": ["ampere-crypto", command, *argv], "started": started, "elapsed_ms": 1, "exit_code": 0,
            "host": of or HOST, "results": results, "summary": None, "messages": [], **more}


def finding(name, outcome="pass", found="x", severity="high", **more):
    return {"id": name, "title": f"title of {name}", "outcome": outcome, "severity": severity, "found": found,
            "wanted": "w", "why": f"why {name}", "fix": f"fix {name}", "undo": f"undo {name}", "evidence": [], **more}


def measured(value, low=None, high=None, name="aes-gcm-128", size=1024, cores=1, outcome="pass", version="3.4.0", **more):
    """One result of bench; without an interval it is 1 % wide."""
    low, high = (value * 0.995 if low is None else low), (value * 1.005 if high is None else high)
    return {"id": f"dpdk/{name}/crypto_openssl/{size}/{cores}", "suite": "dpdk", "suite_version": 1, "case": name,
            "engine": "dpdk", "device": "crypto_openssl", "size_bytes": size, "cores": cores, "outcome": outcome,
            "emulated": False, "verified": True, "library": {"path": "/l", "version": version, "capability": None},
            "estimate": {"value": value, "unit": "Gbps", "low": low, "high": high, "samples": 7, "dropped": 0},
            "reference": None, "explain": [], "raw": [], **more}


def write(path, document):
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


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
