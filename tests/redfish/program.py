# SPDX-License-Identifier: BSD-2-Clause
"""The program asking a BMC of these tests, and what must hold of every run."""
import json
import os
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "tests/fetch"), str(TOP / "tests/hosts/gen"), str(TOP / "tests/redfish")]

import host         # noqa: E402
import machine      # noqa: E402
import kinds        # noqa: E402

PROGRAM = os.environ.get("CHECK_PROGRAM", str(TOP / "build/gcc/src/cli/ampere-crypto"))
WORK = Path(os.environ.get("CHECK_WORK", TOP / "build/check/redfish"))
FULL = os.environ.get("CHECK_FULL") == "1"
LIMIT_S = 150
SECRETS = (kinds.PASSWORD, "PLANTEDPASSWORD", "geheim", "PLANTEDBIOSPASSWORD")
NAMES = (kinds.SERIAL, kinds.ASSET, kinds.HOST, kinds.UUID)
VOLATILE = ("started", "elapsed_ms", "argv")


def describe(name, path):
    """A described machine as a capture: what is judged beside the BMC."""
    tree, live = host.build(machine.load(name))
    tree.write_capture(path, live)


def secret_fd():
    reader, writer = os.pipe()
    os.write(writer, f"{kinds.USER}:{kinds.PASSWORD}\n".encode())
    os.close(writer)
    return reader


def start(words, bmc, authority, fd=None, environment=None, **more):
    argv = [PROGRAM, *words, "--redfish", bmc if isinstance(bmc, str) else bmc.url]
    argv += ["--ca", str(authority)] if authority else []
    argv += ["--credentials", f"fd:{fd}"] if fd is not None else []
    env = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80", "ASAN_OPTIONS": "abort_on_error=1", **(environment or {})}
    return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env,
                            pass_fds=[fd] if fd is not None else [], **more)


class Done:
    def __init__(self, child):
        try:
            out, err = child.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            raise RuntimeError(f"still running after {LIMIT_S} s") from None
        self.status, self.out, self.err = child.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")
        try:
            self.report = json.loads(self.out)
        except ValueError:
            self.report = None

    def outcome(self, check):
        return next((row["outcome"] for row in self.report["results"] if row["id"] == check), None)

    def said(self):
        texts = [message["text"] for message in self.report["messages"]]
        return "\n".join(texts + [f'{row["id"]}: {row["reason"]} {row["found"]}' for row in self.report["results"]])

    def steady(self):
        return {key: value for key, value in self.report.items() if key not in VOLATILE}


def audit(root, bmc, authority, *words, **more):
    fd = secret_fd() if more.pop("credentials", True) else None
    done = Done(start(["audit", "--json", "--root", str(root), "--only", "firmware.*", *words], bmc, authority, fd, **more))
    if fd is not None:
        os.close(fd)
    return done


def leaks(text, bmc=None, names=()):
    """Secrets, tokens and identifiers in what the program wrote."""
    words = [*SECRETS, *names, *(bmc.tokens if bmc else ())]
    return [f"{word[:20]} is in what it wrote" for word in words if word in text or json.dumps(word)[1:-1] in text]


def wait_for(what, seconds=30):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def closed(bmc):
    return bmc.logouts == len(bmc.tokens) and not bmc.sessions
