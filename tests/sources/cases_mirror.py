# SPDX-License-Identifier: BSD-2-Clause
"""Directories that files are taken from by their digest."""
import os
import socket
import time

from world import archive, digest

MANY_FILES = 10000
MANY_LIMIT_S = 20


def identity(path):
    """A file as PREFIX/cache/mirrors names it: when one of these differs it is another file."""
    status = path.stat()

    def when(ns):
        return f"{ns // 10**9:x}.{ns % 10**9:x}"

    return ":".join([f"{status.st_dev:x}", f"{status.st_ino:x}", f"{status.st_size:x}", when(status.st_mtime_ns),
                     when(status.st_ctime_ns)])


def case_any_name(world):
    """a file of a mirror counts by its digest, whatever its name."""
    world.source()
    mirror = world.mirror(**{"something else.orig": world.content})
    yield from world.wants(world.setup("--offline", "--mirror", mirror), 0, "something else.orig")
    if world.leftovers():
        yield f"left: {world.leftovers()}"


def case_second_mirror(world):
    """what the first mirror lacks the second one has."""
    world.source()
    first = world.mirror("first", other=b"other")
    yield from world.wants(world.setup("--offline", "--mirror", first, "--mirror", world.mirror(x=world.content)), 0)


def case_poisoned_mirror(world):
    """a mirror's file of the right name and other bytes is named, and exit status 4."""
    world.source()
    evil = world.mirror(**{world.file: archive("evil-1")})
    yield from world.wants(world.setup("--offline", "--mirror", evil), 4, str(evil / world.file), "other bytes")


def case_poisoned_same_size(world):
    """other bytes of the same size are other bytes."""
    world.source()
    evil = bytearray(world.content)
    evil[-1] ^= 1
    yield from world.wants(world.setup("--offline", "--mirror", world.mirror(**{world.file: bytes(evil)})), 4)


def case_poisoned_then_right(world):
    """a poisoned mirror costs nothing when another has the file."""
    world.source()
    evil = world.mirror("evil", **{world.file: archive("evil-1")})
    yield from world.wants(world.setup("--offline", "--mirror", evil, "--mirror", world.mirror(x=world.content)), 0)


def case_changed(world):
    """a file that changed since its digest was taken is not taken, since the digest of the copy counts."""
    world.source()
    mirror = world.mirror(x=b"y" * len(world.content))
    world.make_prefix()
    (world.prefix / "cache/mirrors").write_text(f"{identity(mirror / 'x')} {digest(world.content)}\n")
    yield from world.wants(world.setup("--offline", "--mirror", mirror), 2, str(mirror / "x"), "changed")
    if world.cached().exists() or world.leftovers():
        yield "wrong bytes are in the cache"


def case_damaged_memory(world):
    """what is remembered of mirrors may be anything, since damage costs time and nothing else."""
    world.source()
    mirror = world.mirror(x=world.content)
    name = identity(mirror / "x")
    world.make_prefix()
    for text in (b"\0\xff\n\n \n" * 100, b"a" * (1 << 20), f"{name} {'0' * 63}\n{name}".encode(),
                 f"{name} {'0' * 64}\n".encode()[:-20], b""):
        (world.prefix / "cache/mirrors").write_bytes(text)
        world.cached().unlink(missing_ok=True)
        done = world.setup("--mirror", mirror, "--dry-run")
        if done.status or "at hand" in done.text:
            yield f"{text[:20]}: {done.status} {done.text}"
    yield from world.wants(world.setup("--offline", "--mirror", mirror), 0)


def case_remembered(world):
    """a run with nothing to do reads no file of the mirror again, also one of a size that nobody stated."""
    world.source(size=False)
    mirror = world.mirror(x=world.content, y=b"other" * 1000)
    traced = world.folder / "trace"
    yield from world.wants(world.setup("--offline", "--mirror", mirror), 0)
    strace = world.strace(traced, "openat")
    if not strace:
        return
    done = world.setup("--offline", "--mirror", mirror, before=strace)
    opened = [line for line in traced.read_text().splitlines() if f'"{mirror}/' in line]
    if done.status or opened:
        yield f"{done.status}: {opened[:3]}"


def case_not_there(world):
    """a mirror that is not there, or is a file, is named."""
    world.source()
    yield from world.wants(world.setup("--mirror", world.folder / "nowhere"), 2, "--mirror", "nowhere", "No such file")
    (world.folder / "plain").write_text("")
    yield from world.wants(world.setup("--mirror", world.folder / "plain"), 2, "--mirror", "Not a directory")


def case_scheme(world):
    """a mirror is a directory or an https address."""
    world.source()
    for address in ("http://127.0.0.1/", "file:///tmp", "ftp://127.0.0.1/", "https://127.0.0.1/a b"):
        yield from world.wants(world.setup("--mirror", address), 64, address, "https://")
    yield from world.wants(world.setup("--mirror", "https://127.0.0.1/\tget"), 64, "https://127.0.0.1/", "blanks")


def case_strange_files(world):
    """FIFOs, sockets, broken links, directories and names that drive terminals are no obstacle."""
    world.source(size=False)
    mirror = world.mirror(**{"a\nb": b"1", "\x1b[2Jc": b"2", "-rf": b"3", "z.asc": b"no signature", "empty": b"",
                             "\x1b]0;x\x07\n.tar": world.content})
    os.mkfifo(mirror / "fifo")
    (mirror / "broken").symlink_to("nowhere")
    (mirror / "loop").symlink_to("loop")
    (mirror / "below").mkdir()
    (mirror / "no.git").mkdir()
    (mirror / "no.bundle").write_bytes(b"# v2 git bundle\n" + b"0" * 100000)
    with socket.socket(socket.AF_UNIX) as listener:
        folder = os.open(mirror, os.O_PATH)
        listener.bind(f"/proc/self/fd/{folder}/socket")
        os.close(folder)
        done = world.setup("--offline", "--mirror", mirror)
    yield from world.wants(done, 0)
    if any(ord(c) < 32 and c != "\n" for c in done.text):
        yield f"control characters: {done.text!r}"


def case_many(world):
    """ten thousand files are looked through, each one once."""
    world.source(size=False)
    mirror = world.mirror()
    for number in range(MANY_FILES):
        (mirror / f"{number:05}").write_bytes(b"%d" % number)
    (mirror / "last").write_bytes(world.content)
    started = time.monotonic()
    yield from world.wants(world.setup("--offline", "--mirror", mirror), 0)
    took_s = time.monotonic() - started
    if took_s > MANY_LIMIT_S:
        yield f"took {took_s:.0f} s"
    lines = (world.prefix / "cache/mirrors").read_text().splitlines()
    if len(lines) != MANY_FILES + 1 or f"{identity(mirror / 'last')} {digest(world.content)}" not in lines:
        yield f"remembers {len(lines)} files"


def case_dry_run(world):
    """--dry-run writes nothing, not even what it learned of a mirror."""
    world.source()
    done = world.setup("--dry-run", "--offline", "--mirror", world.mirror(x=world.content))
    if done.status or done.state() != "planned" or world.prefix.exists():
        yield f"{done.status} {done.state()}: {done.text}"
