# SPDX-License-Identifier: BSD-2-Clause
"""Plans on recipes that build in a moment, and what provision says of them."""
import json
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "faults"))

from base import (LIMIT_S, NOBODY, PROGRAM, RELEASE, SEED, TOP, WORK, Skip, check, environment, fresh, good, run_tests, start,
                  processes, usual)
from kills import stop_at

__all__ = ["LIMIT_S", "NOBODY", "PROGRAM", "RELEASE", "SEED", "TOP", "WORK", "Skip", "World", "check", "environment", "fresh", "good",
           "processes", "run_tests", "start", "stop_at", "tree", "usual", "suite", "unprivileged", "findings"]


def unprivileged(argv, where):
    """The words that run argv as a user without rights, who may write below where."""
    if os.geteuid() != 0:
        raise Skip("needs root to become another user")
    if start(["setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "test", "-r", TOP / "tests/skips"]).code:
        raise Skip("others may not enter the checkout")
    for path in [where, *where.rglob("*")]:
        os.lchown(path, NOBODY, NOBODY)
    return ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", *argv]


def findings(outcome, *inside):
    """Ids of checks that have this outcome on this machine and can fail a run."""
    done = start([*inside, PROGRAM, "audit", "--json"])
    return [row["id"] for row in json.loads(done.out)["results"] if row["outcome"] == outcome and row["severity"] != "info"]


def suite(path):
    """One case of a second: nothing but what every machine with a libcrypto can measure."""
    smoke = json.loads((TOP / "profiles/suites/smoke.json").read_text())["cases"][0]
    path.write_text(json.dumps({"name": path.stem, "summary": "a test", "version": 1, "seconds": 1, "cases": [smoke]}))


def tree(top, *without):
    """Every path below top: its bytes or target, mode and times."""
    found = {}
    for path in sorted(top.rglob("*")):
        name = str(path.relative_to(top))
        if any(name == one or name.startswith(one + "/") for one in without):
            continue
        status = path.lstat()
        content = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else ""
        found[name] = (content, status.st_mode, status.st_mtime_ns if not path.is_dir() else 0, status.st_ino)
    return found


class World:
    """A directory with recipes, their mirror, and a plan."""

    def __init__(self, name, **plan):
        self.top = fresh(name)
        self.set = usual(self.top)
        self.prefix = self.top / "p"
        self.file = self.top / "ci.json"
        self.plan = {"prefix": "p", "setup": self.setup("alpha", "gamma"), **plan}

    @staticmethod
    def setup(*recipes, **more):
        return {"target": "native", "recipes": list(recipes), "recipes-directory": "recipes", "mirrors": ["mirror"], "offline": True,
                "ld-so-conf": "none", **more}

    @property
    def state(self):
        return self.prefix / "provision" / self.file.stem

    def argv(self, *words, program=PROGRAM):
        self.file.write_text(json.dumps(self.plan, indent=1))
        return [str(program), "provision", "--plan", str(self.file), *map(str, words)]

    def run(self, *words, **options):
        program = options.pop("program", PROGRAM)
        return start(self.argv(*words, program=program), **options)

    def json(self, *words, code=0, **options):
        """The document of a run with this exit status."""
        result = self.run("--json", *words, **options)
        check(result.code == code, "exit status", result.code, "wanted", code, result.out[-900:], result.err[-600:])
        document = json.loads(result.out)
        check(document["exit_code"] == code, document["exit_code"], code)
        document["err"] = result.err
        return document

    def stages(self, *words, code=0, **options):
        return {row["stage"]: row for row in self.json(*words, code=code, **options)["results"]}
