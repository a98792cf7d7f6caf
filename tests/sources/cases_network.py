# SPDX-License-Identifier: BSD-2-Clause
"""Sources over the network."""
import os
import signal
import subprocess
import threading

from server import serve
from world import PROGRAM, archive, digest

# Users that systemd keeps for services: nobody has an account there (setup/sandbox.c).
BUILD_UIDS = range(61184, 65520)
WAIT_S = 30


def only_uid(stream):
    """The user whose socket is at the other end, as /proc/net/tcp has it."""
    port = f":{stream.getpeername()[1]:04X}"
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [line.split() for line in table]
    return next((int(row[7]) for row in rows if row[1].endswith(port)), None)


def case_upstream(world):
    """a file that nobody has nearby comes from upstream, fetched by a user who owns nothing."""
    seen = []
    world.servers.behave("upstream.tar.gz", lambda x: (seen.append(only_uid(x.stream)), serve(x, world.content)))
    world.source(world.servers.url("upstream", "upstream.tar.gz"))
    done = world.setup()
    yield from world.wants(done, 0, "from https://127.0.0.1")
    if os.geteuid() == 0 and not (seen and seen[0] in BUILD_UIDS):
        yield f"the user of the connection is {seen}"
    if not world.cached().exists() or world.leftovers():
        yield f"the cache holds {world.leftovers()}"
    again = world.setup()
    if again.status or again.errors or len(world.servers.requests("upstream")) != 1:
        yield f"a second run: {again.status}, {again.errors!r}, {world.servers.requests('upstream')}"


def case_without_size(world):
    """a file of which only the digest is known is fetched."""
    world.servers.serve("without-size.tar.gz", world.content)
    world.source(world.servers.url("without-size", "without-size.tar.gz"), size=False)
    yield from world.wants(world.setup(), 0)


def case_together(world):
    """two files are fetched at once."""
    barrier = threading.Barrier(2)
    other = archive("tiny-2", 1 << 16)

    def meet(content):
        return lambda x: (barrier.wait(WAIT_S), serve(x, content))

    world.servers.behave("together-1.tar.gz", meet(world.content))
    world.servers.behave("together-2.tar.gz", meet(other))
    world.source(world.servers.url("together", "together-1.tar.gz"))
    world.put_recipe("tiny2", {"version": "2", "sources": [
        {"file": "tiny-2.tar.gz", "url": world.servers.url("together", "together-2.tar.gz"), "sha256": digest(other)}]})
    done = world.setup(names=("tiny", "tiny2"))
    yield from world.wants(done, 0)
    if {done.state(), done.state("tiny2")} != {"built"}:
        yield f"states {done.state()} and {done.state('tiny2')}"


def case_mirror_address(world):
    """an https mirror is asked first, for its address and the name of the file, then upstream."""
    world.servers.serve("mirrored-upstream.tar.gz", world.content)
    world.servers.behave("mirrored-1.tar.gz", lambda x: x.reply("404 Not Found"))
    world.source(world.servers.url("mirrored", "mirrored-upstream.tar.gz"), file="mirrored-1.tar.gz")
    yield from world.wants(world.setup("--mirror", world.servers.url("mirrored", "sub/")), 0)
    wanted = ["/mirrored/sub/mirrored-1.tar.gz", "/mirrored/mirrored-upstream.tar.gz"]
    if world.servers.requests("mirrored") != wanted:
        yield f"asked for {world.servers.requests('mirrored')}"


def case_mirror_address_wrong(world):
    """an https mirror with other bytes costs nothing but time when upstream has the right ones."""
    world.servers.serve("wrong-upstream.tar.gz", world.content)
    world.servers.serve("wrong-1.tar.gz", archive("evil-1"))
    world.source(world.servers.url("wrong", "wrong-upstream.tar.gz"), file="wrong-1.tar.gz")
    yield from world.wants(world.setup("--mirror", world.servers.url("wrong", "sub")), 0)


def case_wrong_bytes(world):
    """other bytes than the recipe's are exit status 4, nothing of them stays and nothing is unpacked."""
    evil = bytearray(world.content)
    evil[20] ^= 1
    world.servers.serve("evil.tar.gz", bytes(evil))
    world.source(world.servers.url("evil", "evil.tar.gz"))
    done = world.setup()
    yield from world.wants(done, 4, "tiny-1.tar.gz", "evil.tar.gz", digest(bytes(evil)))
    if world.leftovers() or world.cached().exists() or list(world.prefix.glob("work/tiny*")):
        yield f"left: {world.leftovers()}"


def case_not_found(world):
    """what no address has is exit status 2, with the file, the address and what to do."""
    world.servers.behave("nowhere.tar.gz", lambda x: x.reply("404 Not Found"))
    world.source(world.servers.url("nowhere", "nowhere.tar.gz"))
    done = world.setup()
    yield from world.wants(done, 2, "tiny-1.tar.gz", world.servers.url("nowhere", "nowhere.tar.gz"), "404",
                           "--mirror DIR", "contrib/mirror-from-distro", "--offline")
    if len(done.errors.strip().splitlines()) != 1:
        yield f"not one line: {done.errors}"


def case_one_of_two(world):
    """what was fetched stays when another file cannot be had."""
    other = archive("tiny-2")
    world.servers.serve("half-1.tar.gz", world.content)
    world.servers.behave("half-2.tar.gz", lambda x: x.reply("404 Not Found"))
    world.source(world.servers.url("half", "half-1.tar.gz"))
    world.put_recipe("tiny2", {"version": "2", "sources": [
        {"file": "tiny-2.tar.gz", "url": world.servers.url("half", "half-2.tar.gz"), "sha256": digest(other)}]})
    yield from world.wants(world.setup(names=("tiny", "tiny2")), 2, "tiny-2.tar.gz")
    if not world.cached().exists():
        yield "the first file was thrown away"


def case_resume(world):
    """a later run goes on where the connection was lost."""
    content = archive("tiny-1", 1 << 20)
    half, whole = len(content) // 2, []

    def cut_then_whole(x):
        if whole:
            serve(x, content)
        elif x.first() is None:
            x.head("200 OK", f"Content-Length: {len(content)}", 'ETag: "one"')
            x.send(content[:half])

    world.servers.behave("resume.tar.gz", cut_then_whole)
    world.source(world.servers.url("resume", "resume.tar.gz"), content)
    part = world.cached(content).with_suffix(".part")
    yield from world.wants(world.setup(), 2, "resume.tar.gz")
    if not part.exists() or part.stat().st_size != half:
        yield f"kept {part.stat().st_size if part.exists() else None} of {half} bytes"
    whole.append(True)
    yield from world.wants(world.setup(), 0)
    ranges = [headers.get("range") for _, headers in world.servers.good.seen["resume"]]
    if ranges[-1] != f"bytes={half}-":
        yield f"asked for {ranges}"
    if world.leftovers():
        yield f"left: {world.leftovers()}"


def case_killed(world):
    """setup killed in the middle of a download leaves what came, its helper ends, and the next run finishes."""
    content = archive("tiny-1", 1 << 20)
    arrived, half, ended = threading.Event(), len(content) // 2, threading.Event()

    def stall(x):
        if x.number or x.first() is not None:
            serve(x, content)
            return
        x.head("200 OK", f"Content-Length: {len(content)}", 'ETag: "one"')
        x.send(content[:half])
        arrived.set()
        try:
            x.wait_for_end()
        finally:
            ended.set()

    world.servers.behave("killed.tar.gz", stall)
    world.source(world.servers.url("killed", "killed.tar.gz"), content)
    child = subprocess.Popen(world.command(), env=world.environment(), stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not arrived.wait(WAIT_S):
        yield "it never asked"
    part = world.cached(content).with_suffix(".part")
    while child.poll() is None and part.stat().st_size < half:
        pass
    child.send_signal(signal.SIGKILL)
    child.wait()
    if not ended.wait(WAIT_S):
        yield "the helper goes on"
    if part.stat().st_size != half:
        yield f"kept {part.stat().st_size} of {half} bytes"
    yield from world.wants(world.setup(), 0)
    ranges = [headers.get("range") for _, headers in world.servers.good.seen["killed"]]
    if ranges[-1] != f"bytes={half}-":
        yield f"asked for {ranges}"


def case_stranger(world):
    """a server that no authority vouches for is not believed."""
    world.servers.serve("stranger.tar.gz", world.content)
    world.source(world.servers.url("stranger", "stranger.tar.gz"))
    yield from world.wants(world.setup(environment={"SSL_CERT_FILE": ""}), 2, "stranger.tar.gz")
    if world.servers.requests("stranger"):
        yield "it was asked all the same"


def case_hostile_answer(world):
    """what a server says cannot drive a terminal."""
    world.servers.behave("hostile.tar.gz", lambda x: x.send(
        b"HTTP/1.1 404 \x1b]0;title\x07\x1b[2J\tfailed\x85\r\nContent-Length: 0\r\n\r\n"))
    world.source(world.servers.url("hostile", "hostile.tar.gz"))
    done = world.setup()
    yield from world.wants(done, 2)
    if any(ord(c) < 32 and c != "\n" for c in done.text):
        yield f"control characters: {done.text!r}"


def case_offline(world):
    """--offline connects to nobody and names all that is missing, with where it is and what to do."""
    other = archive("tiny-2")
    world.source(world.servers.url("offline", "offline-1.tar.gz"))
    world.put_recipe("tiny2", {"version": "2", "sources": [
        {"file": "tiny-2.tar.gz", "url": world.servers.url("offline", "offline-2.tar.gz"), "sha256": digest(other)}]})
    done = world.setup("--offline", "--mirror", world.servers.url("offline", "mirror"), names=("tiny", "tiny2"))
    yield from world.wants(done, 2, "tiny-1.tar.gz", "tiny-2.tar.gz", digest(world.content), digest(other),
                           world.servers.url("offline", "offline-2.tar.gz"), "--mirror DIR",
                           "contrib/mirror-from-distro", "NAME.git")
    if world.servers.requests("offline"):
        yield f"asked for {world.servers.requests('offline')}"
    traced = world.folder / "trace"
    strace = world.strace(traced, "execve")
    if strace:
        subprocess.run([*strace, *world.command("--offline")], env=world.environment(), stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        started = traced.read_text()
        if PROGRAM.name not in started or "ampere-crypto-fetch" in started:
            yield "the fetching helper was started"
