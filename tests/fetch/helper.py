# SPDX-License-Identifier: BSD-2-Clause
"""Starts the fetching helper the way setup does, and reads what it answers."""
import hashlib
import os
import re
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CHECK_BUILD", TOP / "build/gcc")) / "src/fetch/ampere-crypto-fetch"
LIMIT_S = 60
# src/fetch/answer.h
LINE = re.compile(r"progress\t[^\t]+\t\d+\t(\d+|-)|note\t[^\t]+\t[^\t]+|done\t[^\t]+\t\d+\t[0-9a-f]{64}\t[^\t]+|"
                  r"failed\t[^\t]+\t(digest|size|http|network|tls|slow|refused|io)\t[^\t]+")
CONTROL = re.compile(r"[^\t\n\x20-\x7e]")
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}


def digest(content):
    return hashlib.sha256(content).hexdigest()


def row(name, fd, size, sha256, most, *urls):
    words = ["get", name, fd, "-" if size is None else size, "-" if sha256 is None else sha256, most, *urls]
    return "\t".join(map(str, words))


class Answers:
    def __init__(self, status, output, errors):
        self.status, self.text = status, output.decode("utf-8", "replace")
        self.errors = errors.decode("utf-8", "replace")
        self.lines = [line.split("\t") for line in self.text.split("\n")[:-1]]

    def of(self, name):
        return [line for line in self.lines if line[1] == name]

    def faults(self):
        """What no answer may be, whatever was asked."""
        if self.text and not self.text.endswith("\n"):
            yield "the last line does not end"
        for line in self.lines:
            if not LINE.fullmatch("\t".join(line)):
                yield f"not a line of the protocol: {line}"
        if CONTROL.search(self.text + self.errors):
            yield f"control characters: {self.text + self.errors!r}"
        if self.status not in (0, 2, 4, 64):
            yield f"exit status {self.status}: {self.errors[-600:]!r}"
        ends = [line[1] for line in self.lines if line[0] in ("done", "failed")]
        if len(set(ends)) != len(ends):
            yield f"a file ended twice: {self.lines}"


def start(descriptors, authority, *options, environment=None, before=(), **more):
    words = [*before, str(PROGRAM), *(["--ca", str(authority)] if authority and "--ca" not in options else []), *options]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            pass_fds=descriptors, env=dict(ENVIRONMENT, **(environment or {})), **more)


def run(rows, descriptors, authority, *options, **more):
    child = start(descriptors, authority, *options, **more)
    try:
        output, errors = child.communicate("".join(line + "\n" for line in rows).encode("latin-1"), timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        raise RuntimeError(f"still running after {LIMIT_S} s") from None
    return Answers(child.returncode, output, errors)
