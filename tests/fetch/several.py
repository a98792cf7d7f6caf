# SPDX-License-Identifier: BSD-2-Clause
"""Several files at once, descriptors that are no use, a full disk, the sandbox, a caller that goes away."""
import ctypes
import os
import re
import resource
import shutil
import subprocess
import tempfile
import threading

import helper
from proxy import Proxy
from server import DATA, OTHER

LANDLOCK_CREATE_RULESET, LANDLOCK_VERSION = 444, 1  # landlock_create_ruleset(2)
TESTS = []


class Skip(Exception):
    """This machine cannot show it; the reason."""


def test(function):
    TESTS.append(function)
    return function


def url(world, behaviour, key="several"):
    return f"https://127.0.0.1:{world.names['good']}/{key}/{behaviour}"


def fetch(world, wanted, *options, **more):
    """wanted: (ID, address, SHA-256) each; the answers, and the contents of the files by ID."""
    files = {name: tempfile.TemporaryFile(dir=world.folder, buffering=0) for name, _, _ in wanted}
    try:
        rows = [helper.row(name, files[name].fileno(), len(DATA), sha256, len(DATA), address)
                for name, address, sha256 in wanted]
        done = helper.run(rows, [file.fileno() for file in files.values()], world.authority, *options, **more)
        return done, {name: os.pread(file.fileno(), 1 << 20, 0) for name, file in files.items()}
    finally:
        for file in files.values():
            file.close()


RIGHT = helper.digest(DATA)


def want(done, status, **ends):
    """ends: by ID `done` or the kind of failure."""
    yield from done.faults()
    got = {line[1]: line[2] if line[0] == "failed" else "done" for line in done.lines
           if line[0] in ("done", "failed")}
    if got != ends or done.status != status:
        yield f"{got}, exit status {done.status}; want {ends} and {status}: {done.text[-300:]!r} {done.errors[-300:]!r}"


@test
def at_once(world):
    """two files are fetched at once"""
    done, contents = fetch(world, [("a", url(world, "together"), RIGHT), ("b", url(world, "together"), RIGHT)])
    yield from want(done, 0, a="done", b="done")
    if set(contents.values()) != {DATA}:
        yield "a file holds something else"


@test
def in_a_row(world):
    """more files than connections are fetched one after the other"""
    names = [f"file-{number}" for number in range(20)]
    done, contents = fetch(world, [(name, url(world, "whole"), RIGHT) for name in names], "--parallel", "1")
    yield from want(done, 0, **{name: "done" for name in names})
    if set(contents.values()) != {DATA}:
        yield "a file holds something else"


@test
def not_held_up(world):
    """a slow server holds up no other"""
    names = [f"file-{number}" for number in range(6)]
    done, contents = fetch(world, [("slow", url(world, "after-six"), RIGHT)] +
                           [(name, url(world, "one-of-six"), RIGHT) for name in names], "--parallel", "2")
    yield from want(done, 0, slow="done", **{name: "done" for name in names})
    if set(contents.values()) != {DATA}:
        yield "a file holds something else"


@test
def worst_first(world):
    """a wrong digest decides the exit status, whatever else fails"""
    done, _ = fetch(world, [("gone", url(world, "404"), RIGHT), ("wrong", url(world, "other"), RIGHT),
                            ("right", url(world, "whole"), RIGHT), ("gone-too", url(world, "404"), RIGHT)])
    yield from want(done, 4, **{"gone": "http", "wrong": "digest", "right": "done", "gone-too": "http"})


@test
def useless_descriptors(world):
    """a descriptor that cannot take the bytes is a failure of that file"""
    path = world.folder / "useless.file"
    reader, writer = os.pipe()
    made = {"closed": os.dup(1), "full-device": os.open("/dev/full", os.O_RDWR), "pipe": writer,
            "read-only": os.open(world.folder / "source", os.O_RDONLY), "folder": os.open(world.folder, os.O_RDONLY),
            "write-only": os.open(path, os.O_WRONLY | os.O_CREAT), "appending": os.open(path, os.O_RDWR | os.O_APPEND),
            "right": os.open(path, os.O_RDWR)}
    try:
        rows = [helper.row(name, fd, len(DATA), RIGHT, len(DATA), url(world, "whole")) for name, fd in made.items()]
        inherited = [fd for name, fd in made.items() if name != "closed"]
        done = helper.run(rows, inherited, world.authority, "--parallel", "1")
    finally:
        for fd in [reader, *made.values()]:
            os.close(fd)
    yield from want(done, 2, **{name: "done" if name == "right" else "io" for name in made})
    if (world.folder / "source").read_bytes() != DATA or path.read_bytes() != DATA:
        yield "a file holds something else"


@test
def full_disk(world):
    """a full disk ends the download with its name"""
    mounted = world.folder / "small"
    mounted.mkdir()
    script = 'mount -t tmpfs -o size=65536 none "$1" && exec 7<>"$1/file" && shift && exec "$@"'
    unshare = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    before = [*unshare, "sh", "-c", script, "sh", str(mounted)]
    if subprocess.run([*before, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
        raise Skip("no mount namespace for this user")
    rows = [helper.row("x", 7, len(DATA), RIGHT, len(DATA), url(world, "whole"), url(world, "whole"))]
    done = helper.run(rows, [], world.authority, before=before)
    yield from want(done, 2, x="io")
    if "No space left on device" not in done.text:
        yield done.text


@test
def limited_files(world):
    """the caller's limit of file sizes ends the download, not the process"""
    done, _ = fetch(world, [("x", url(world, "whole"), RIGHT)],
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)))
    yield from want(done, 2, x="io")
    if "File too large" not in done.text:
        yield done.text


@test
def caller_gone(world):
    """it ends when nobody reads its answers"""
    with tempfile.TemporaryFile(dir=world.folder, buffering=0) as file:
        child = helper.start([file.fileno()], world.authority, "--low-speed", "1:30")
        child.stdout.close()
        child.stdin.write((helper.row("x", file.fileno(), len(DATA), RIGHT, len(DATA), url(world, "trickles")) +
                           "\n").encode())
        child.stdin.close()
        status = child.wait(timeout=helper.LIMIT_S)
        child.stderr.close()
    if status != 2:
        yield f"exit status {status}, want 2"


@test
def restricted(world):
    """it runs without new privileges, and says when the kernel has no Landlock"""
    key, seen = "restricted", world.servers["good"].seen
    with tempfile.TemporaryFile(dir=world.folder, buffering=0) as file:
        child = helper.start([file.fileno()], world.authority, "--low-speed", "1000:2")
        child.stdin.write((helper.row("x", file.fileno(), len(DATA), RIGHT, len(DATA), url(world, "stalls", key)) +
                           "\n").encode())
        child.stdin.close()
        first = child.stdout.readline().decode()
        with open(f"/proc/{child.pid}/status", encoding="ascii") as text:
            status = text.read()
        rest = child.stdout.read().decode()
        child.stdout.close()
        child.stderr.close()
        child.wait(timeout=helper.LIMIT_S)
    if not seen[key] or "NoNewPrivs:\t1\n" not in status:
        yield f"the process may gain privileges: {status}"
    version = ctypes.CDLL(None).syscall(LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_VERSION)
    noted = "note\t-\t" in first + rest
    if noted == (version >= 1):
        yield f"Landlock is version {version} here, and it says {first + rest!r}"


@test
def through_a_proxy(world):
    """the proxy of the environment is used and its password not said"""
    proxy = Proxy()
    there, gone = proxy.server_address[1], world.names["closed"]
    for port, status, end in ((there, 0, "done"), (gone, 2, "network")):
        done, _ = fetch(world, [("x", url(world, "whole"), RIGHT)],
                        environment={"HTTPS_PROXY": f"http://user:geheim@127.0.0.1:{port}"})
        yield from want(done, status, x=end)
        if "geheim" in done.text + done.errors or "user" in done.text + done.errors:
            yield f"says {done.text!r} {done.errors!r}"
    if proxy.asked != [("CONNECT", f"127.0.0.1:{world.names['good']}", True)]:
        yield f"the proxy was asked for {proxy.asked}"


@test
def authorities_of_the_system(world):
    """without a file of authorities those of the system judge"""
    with tempfile.TemporaryFile(dir=world.folder, buffering=0) as file:
        done = helper.run([helper.row("x", file.fileno(), len(DATA), RIGHT, len(DATA), url(world, "whole"))],
                          [file.fileno()], None)
    yield from want(done, 2, x="tls")
    # They were read, and none of them made this certificate (OpenSSL's words for X509_V_ERR 20, verify(1)).
    if "unable to get local issuer certificate" not in done.text:
        yield done.text


@test
def no_key_log(world):
    """an environment that asks for the keys of the connections gets none"""
    path = world.folder / "keys"
    done, _ = fetch(world, [("x", url(world, "whole"), RIGHT)], environment={"SSLKEYLOGFILE": str(path)})
    yield from want(done, 0, x="done")
    if path.exists():
        yield "the keys were written"


@test
def nothing_else_is_read(world):
    """with Landlock a file that takes the place of the one asked for is not read"""
    if ctypes.CDLL(None).syscall(LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_VERSION) < 1:
        raise Skip("no Landlock in this kernel")
    server, swapped, other = world.servers["good"], world.folder / "swapped", world.folder / "takes-its-place"
    for path in (swapped, other):
        path.write_bytes(DATA)

    def swap():
        server.arrived.wait(helper.LIMIT_S)
        os.rename(other, swapped)
        server.released.set()

    swapper = threading.Thread(target=swap)
    swapper.start()
    done, _ = fetch(world, [("first", url(world, "after-release"), RIGHT), ("second", f"file://{swapped}", RIGHT)],
                    "--parallel", "1")
    swapper.join()
    yield from want(done, 2, first="done", second="io")


@test
def opens_nothing_to_write(world):
    """after it has started it opens no file for writing"""
    trace = world.folder / "trace"
    if not shutil.which("strace"):
        raise Skip("no strace here (package strace)")
    # The leak checker cannot work under a tracer.
    done, _ = fetch(world, [("x", url(world, "whole"), RIGHT), ("y", f"file://{world.folder}/source", RIGHT)],
                    before=["strace", "-f", "-o", str(trace), "-e", "trace=open,openat,creat,prctl"],
                    environment={"ASAN_OPTIONS": "detect_leaks=0"})
    yield from want(done, 0, x="done", y="done")
    _, started, rest = trace.read_text().partition("PR_SET_NO_NEW_PRIVS")
    if not started or str(world.folder / "source") not in rest:
        yield "the trace does not hold what happened"
    yield from (line for line in rest.splitlines() if re.search(r"O_WRONLY|O_RDWR|O_CREAT|creat\(", line))


@test
def other_bytes(world):
    """files with the digests of each other are told apart"""
    done, contents = fetch(world, [("a", url(world, "whole"), helper.digest(OTHER)), ("b", url(world, "other"), RIGHT)])
    yield from want(done, 4, a="digest", b="digest")
    if set(contents.values()) != {b""}:
        yield "wrong bytes were left"
