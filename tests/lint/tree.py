# SPDX-License-Identifier: BSD-2-Clause
"""The files of the source tree, read once, and C text without its comments and strings."""
import os
import re
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LEXEME = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def blank(match):
    """The lexeme without its content: newlines stay, so that line numbers do."""
    text = match.group()
    if text[0] in "\"'":
        return text[0] * 2
    return "\n" * text.count("\n") or " "


class Tree:
    def __init__(self, skip):
        self.top, self.skip = TOP, skip
        self.build = Path(os.environ.get("CHECK_BUILD", TOP / "build/gcc"))
        self.build_clang = Path(os.environ.get("CHECK_BUILD_CLANG", TOP / "build/clang"))
        self.release = Path(os.environ.get("CHECK_RELEASE", TOP / "build/release"))
        self.program = Path(os.environ.get("CHECK_PROGRAM", TOP / "build/gcc/src/cli/ampere-crypto"))
        self.work = Path(os.environ.get("CHECK_WORK", TOP / "build/check/lint"))
        self.work.mkdir(parents=True, exist_ok=True)
        self.names = self.list_names()
        self.bytes = {name: (TOP / name).read_bytes() for name in self.names}

    @staticmethod
    def list_names():
        listed = subprocess.run(["git", "-C", str(TOP), "ls-files", "-z", "--cached", "--others",
                                 "--exclude-standard"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                check=False)
        if listed.returncode == 0:
            names = listed.stdout.decode().split("\0")
        else:
            names = [str(path.relative_to(TOP)) for path in TOP.rglob("*")
                     if path.relative_to(TOP).parts[0] not in ("build", "demo", ".git")]
        return sorted({name for name in names if name and (TOP / name).is_file()
                       and not (TOP / name).is_symlink()})

    def texts(self, *suffixes, under=""):
        """(name, text) of the text files below under that end in one of suffixes, or of all text files."""
        for name, content in self.bytes.items():
            if name.startswith(under) and (not suffixes or name.endswith(suffixes)) and b"\0" not in content:
                try:
                    yield name, content.decode()
                except UnicodeDecodeError:
                    continue

    def scripts(self, interpreter):
        """(name, text) of the files whose first line runs interpreter."""
        for name, text in self.texts():
            first = text.split("\n", 1)[0]
            if first.startswith("#!") and first.rstrip().endswith("/" + interpreter):
                yield name, text

    def code(self, *suffixes, under="src/"):
        """Like texts, with comments and the contents of strings removed."""
        for name, text in self.texts(*suffixes, under=under):
            yield name, LEXEME.sub(blank, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1
