# SPDX-License-Identifier: BSD-2-Clause
"""Runs ampere-crypto-unpack in a directory of its own, with a tree beside and above its destination that must stay as it is."""
import hashlib
import os
import shutil
import stat
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
WORK = Path(os.environ.get("CHECK_WORK", TOP / "build/check/archives"))
BUILDS = {
    "sanitized": Path(os.environ.get("CHECK_BUILD", TOP / "build/gcc")) / "src/unpack/ampere-crypto-unpack",
    "release": Path(os.environ.get("CHECK_RELEASE", TOP / "build/release")) / "src/unpack/ampere-crypto-unpack",
}
LIMIT_S = 120
ENVIRONMENT = {name: value for name, value in os.environ.items() if name == "PATH" or name.startswith(("ASAN_", "UBSAN_"))}


class Skip(Exception):
    """What this machine cannot do."""


class Place:
    """WORK/NAME: a destination, and beside it what nobody may touch."""

    def __init__(self, name):
        self.base = WORK / name
        shutil.rmtree(self.base, ignore_errors=True)
        self.outer = self.base / "outer"
        self.destination = self.outer / "destination"
        for folder in (self.destination, self.outer / "beside/deep", self.base / "above"):
            folder.mkdir(parents=True)
        for path in (self.outer / "beside/secret", self.outer / "beside/deep/secret", self.base / "above/secret",
                     self.outer / "secret"):
            path.write_bytes(b"kept")
        os.symlink("secret", self.outer / "beside/link")

    def digest(self):
        """Everything but the destination's contents: names, kinds, modes, times, link counts, contents."""
        lines = []
        for folder, folders, files in os.walk(self.base):
            if Path(folder) == self.destination:
                folders.clear()
                continue
            folders.sort()
            for name in sorted(folders + files):
                path = Path(folder) / name
                status = path.lstat()
                what = path.read_bytes() if stat.S_ISREG(status.st_mode) else b""
                links = 0 if path == self.destination or stat.S_ISDIR(status.st_mode) else status.st_nlink
                times = 0 if path == self.destination else status.st_mtime_ns
                lines.append((str(path), status.st_mode, status.st_uid, links, times, what))
        return hashlib.sha256(repr(lines).encode()).hexdigest()

    def unpack(self, build, archive, *options, **more):
        """(exit status, standard output, standard error); archive: bytes, or an open file."""
        if isinstance(archive, bytes):
            path = self.base.parent / f"{self.base.name}.archive"
            path.write_bytes(archive)
            with open(path, "rb") as stream:
                result = self.unpack(build, stream, *options, **more)
            path.unlink()
            return result
        done = start(build, archive, self.destination, self.outer, options, **more)
        return done.returncode, done.stdout, done.stderr


def start(build, archive, destination, folder, options=(), before=(), environment=None):
    """Descriptor 3 is opened by a shell, which then becomes the helper; `before`: a command that runs it."""
    words = [*before, str(BUILDS[build]), *options]
    return subprocess.run(["sh", "-c", 'exec "$@" 3<"$0"', str(destination), *words], stdin=archive, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, cwd=folder, env={**ENVIRONMENT, **(environment or {})}, check=False,
                          timeout=LIMIT_S)


def tree_of(folder):
    """{path: contents of a file, None for a directory, str for the target of a link, the mode of anything else}."""
    found = {}
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(parent, name)
            mode = os.lstat(path).st_mode
            relative = os.path.relpath(path, folder)
            if stat.S_ISLNK(mode):
                found[relative] = os.readlink(path)
            elif stat.S_ISDIR(mode):
                found[relative] = None
            elif stat.S_ISREG(mode):
                with open(path, "rb") as stream:
                    found[relative] = stream.read()
            else:
                found[relative] = mode
    return found


def faults_of(folder):
    """What may be in no destination, whatever became of the archive."""
    top = os.path.realpath(folder)
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(parent, name)
            status = os.lstat(path)
            kind, mode = stat.S_IFMT(status.st_mode), stat.S_IMODE(status.st_mode)
            if kind == stat.S_IFLNK:
                target = os.path.realpath(path)
                if os.path.commonpath([top, target]) != top:
                    yield f"{path} leads to {target}"
                continue
            if kind not in (stat.S_IFREG, stat.S_IFDIR):
                yield f"{path} is of kind {kind:o}"
            if mode not in ((0o644, 0o755) if kind == stat.S_IFREG else (0o755,)):
                yield f"{path} has mode {mode:o}"
            if status.st_uid != os.geteuid() or os.listxattr(path):
                yield f"{path} has the owner {status.st_uid} and the attributes {os.listxattr(path)}"
