# SPDX-License-Identifier: BSD-2-Clause
"""Honest archives, made by GNU tar and by Python in every format and compression: what comes out is what `tar -x` makes of them
(names, contents, links, x bits), with the modes and times that were promised, under any umask."""
import os
import shutil
import stat
import subprocess
import tarfile
import threading
import time

from helper import WORK, Place, faults_of, tree_of

COMPRESSIONS = {"": [], "gz": ["--gzip"], "xz": ["--xz"], "zst": ["--zstd"], "bz2": ["--bzip2"]}
GNU_FORMATS = ["v7", "oldgnu", "gnu", "ustar", "posix"]
PYTHON_FORMATS = {"ustar": tarfile.USTAR_FORMAT, "gnu": tarfile.GNU_FORMAT, "pax": tarfile.PAX_FORMAT}
FRACTION_NS = 123456789
MADE = threading.Lock()


def make_source():
    """A tree with what sources hold, below a directory `made`: built once, names that the oldest format can hold."""
    base = WORK / "source"
    with MADE:
        if base.exists():
            return base
        top = WORK / "source.new/made"
        shutil.rmtree(top.parent, ignore_errors=True)
        for name in ("empty", "deep/er/and/deep/er", "with space", "crypto"):
            (top / name).mkdir(parents=True)
        for number in range(200):
            (top / f"crypto/file-{number}.c").write_bytes(b"line %d\n" % number * (number * 5))
        (top / "deep/er/and/deep/er/f").write_bytes(b"deep")
        (top / "with space/\u00fc\u4e2d.txt").write_bytes(b"text")
        (top / "nothing").write_bytes(b"")
        (top / "large").write_bytes(bytes(range(256)) * 4096)
        (top / "Configure").write_bytes(b"#!/bin/sh\n")
        os.chmod(top / "Configure", 0o755)
        os.symlink("Configure", top / "config")
        os.symlink("../../../nothing", top / "deep/er/and/up")
        os.symlink("no-such-file", top / "dangling")
        os.link(top / "large", top / "deep/linked")
        with open(top / "holes", "wb") as out:
            out.truncate(1 << 20)
            out.seek(300000)
            out.write(b"island")
        os.utime(top / "Configure", ns=(0, 1600000000 * 10 ** 9 + FRACTION_NS))
        os.utime(top / "nothing", (0, time.time() + 10 ** 7))
        os.rename(top.parent, base)
    return base


def long_names(base):
    """More, for the formats that can hold it."""
    copy = WORK / "source-long"
    with MADE:
        if not copy.exists():
            shutil.copytree(base, WORK / "source-long.new", symlinks=True)
            folder = WORK / "source-long.new/made" / "/".join(["a-directory-with-a-long-name"] * 8)
            folder.mkdir(parents=True)
            (folder / ("n" * 200)).write_bytes(b"long")
            os.symlink("x" * 180, folder / "link")
            os.rename(WORK / "source-long.new", copy)
    return copy


def compare(place, archive, *options, stripped=1):
    """What the helper made against what GNU tar makes of the same archive."""
    reference = place.base / "reference"
    reference.mkdir(exist_ok=True)
    strip = 0 if "--keep-top" in options else stripped
    subprocess.run(["tar", "--warning=no-timestamp", "-xf", archive, "-C", reference, f"--strip-components={strip}"], check=True)
    ours, theirs = tree_of(place.destination), tree_of(reference)
    if ours != theirs or not ours:
        different = sorted(set(ours) ^ set(theirs)) or [name for name in ours if ours[name] != theirs[name]]
        return f"differs from what tar makes: {different[:5]}"
    for name, content in theirs.items():
        status, wanted = (os.lstat(folder / name) for folder in (place.destination, reference))
        if isinstance(content, bytes):
            if bool(status.st_mode & 0o111) != bool(wanted.st_mode & 0o111):
                return f"{name} has mode {status.st_mode:o}, tar makes {wanted.st_mode:o}"
            past = wanted.st_mtime < time.time()
            if past and status.st_mtime_ns != wanted.st_mtime_ns or not past and status.st_mtime > time.time() + 1:
                return f"{name} has the time {status.st_mtime}, tar makes {wanted.st_mtime}"
        if status.st_nlink != wanted.st_nlink and stat.S_ISREG(status.st_mode):
            return f"{name} has {status.st_nlink} links, tar makes {wanted.st_nlink}"
    return next(faults_of(place.destination), None)


def unpacked(build, name, make, *options, umask=None, stripped=1):
    """Makes an archive and unpacks it; the first fault or None."""
    place = Place(f"{build}-good-{name}")
    archive = place.base / "archive"
    make(archive)
    before = ["sh", "-c", f'umask {umask} && exec "$0" "$@"'] if umask else []
    with open(archive, "rb") as stream:
        status, out, err = place.unpack(build, stream, *options, before=before)
    if status or err:
        return f"exit status {status}: {err[-300:]!r}"
    files = [path for path, content in tree_of(place.destination).items() if isinstance(content, bytes)]
    size = sum({os.lstat(place.destination / path).st_ino: os.lstat(place.destination / path).st_size for path in files}.values())
    if f"\t{size}\n".encode() not in out.splitlines(keepends=True)[-1]:
        return f"the end says {out[-60:]!r}, there are {size} bytes"
    return compare(place, archive, *options, stripped=stripped)


def by_tar(form, options=(), long=False, top="made"):
    source = make_source()

    def make(path):
        base = long_names(source) if long else source
        subprocess.run(["tar", f"--format={form}", *options, "-cf", path, "-C", base, top], check=True)
    return make


def by_python(form):
    def make(path):
        source = make_source() if form == tarfile.USTAR_FORMAT else long_names(make_source())
        with tarfile.open(path, "w:gz", format=form) as archive:
            archive.add(source / "made", "made")
    return make


def by_git(path):
    """What hosts of repositories serve: a global header with the commit comes first."""
    work = path.parent / "repository"
    shutil.copytree(make_source() / "made", work, symlinks=True)
    git = ["git", "-C", work, "-c", "user.name=x", "-c", "user.email=x", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *words], check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"})
    subprocess.run([*git, "archive", "--format=tar.gz", "--prefix=made-1.0/", "-o", path, "HEAD"], check=True)


def hard_links_where_none_are_possible(build):
    """Reached by taking linkat away from the helper: strace answers EPERM in its place."""
    place = Place(f"{build}-no-links")
    archive = place.base / "archive"
    by_tar("gnu")(archive)
    log = place.base / "strace"
    with open(archive, "rb") as stream:
        status, _, err = place.unpack(build, stream, environment={"ASAN_OPTIONS": "detect_leaks=0"},
                                      before=["strace", "-f", "-o", str(log), "-e", "trace=linkat", "-e", "inject=linkat:error=EPERM"])
    if status or err or "EPERM" not in log.read_text():
        return f"exit status {status}: {err[-300:]!r}"
    ours, theirs = (tree_of(folder) for folder in (place.destination, make_source() / "made"))
    return None if ours == theirs else "the copies differ"


def without_openat2(build):
    """An older kernel, as strace shows it to the helper: each directory is opened by itself."""
    place = Place(f"{build}-no-openat2")
    archive = place.base / "archive"
    by_tar("gnu", long=True)(archive)
    log = place.base / "strace"
    with open(archive, "rb") as stream:
        status, _, err = place.unpack(build, stream, environment={"ASAN_OPTIONS": "detect_leaks=0"},
                                      before=["strace", "-f", "-o", str(log), "-e", "trace=openat2,openat",
                                              "-e", "inject=openat2:error=ENOSYS"])
    if status or err or "openat2" not in log.read_text():
        return f"exit status {status}: {err[-300:]!r}"
    return compare(place, archive)


def tests():
    for form in GNU_FORMATS:
        for suffix, options in COMPRESSIONS.items():
            name = f"tar-{form}-{suffix}"
            yield (f"as tar makes it: {form} {suffix}",
                   lambda build, name=name, form=form, options=options: unpacked(build, name, by_tar(form, options)))
    for form in ("gnu", "posix"):
        yield (f"as tar makes it: {form} with long names",
               lambda build, form=form: unpacked(build, f"long-{form}", by_tar(form, long=True)))
        yield (f"as tar makes it: {form} with holes",
               lambda build, form=form: unpacked(build, f"holes-{form}", by_tar(form, ["--sparse"])))
    for name, form in PYTHON_FORMATS.items():
        yield f"as Python makes it: {name}", lambda build, name=name, form=form: unpacked(build, f"python-{name}", by_python(form))
    yield "as git makes it", lambda build: unpacked(build, "git", by_git)
    yield "with its top kept", lambda build: unpacked(build, "kept", by_tar("gnu"), "--keep-top")
    yield "with names that begin with a dot", lambda build: unpacked(build, "dot", by_tar("gnu", top="./made"), stripped=2)
    for umask in ("002", "077", "000"):
        yield (f"under umask {umask}",
               lambda build, umask=umask: unpacked(build, f"umask-{umask}", by_tar("gnu"), umask=umask))
    yield "where hard links are not possible", hard_links_where_none_are_possible
    yield "where openat2 is not there", without_openat2
