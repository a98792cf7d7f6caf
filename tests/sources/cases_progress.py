# SPDX-License-Identifier: BSD-2-Clause
"""What is shown while it goes on."""
import os
import pty
import subprocess
import time

from world import FILES, archive

LINES_S = 60


def slowly(content, seconds):
    """Serves in pieces, so that there is something to show."""
    def behave(x):
        x.head("200 OK", f"Content-Length: {len(content)}")
        for at in range(50):
            x.send(content[len(content) * at // 50:len(content) * (at + 1) // 50])
            time.sleep(seconds / 50)
    return behave


def case_terminal(world):
    """a terminal shows a bar with rate and time left, drawn at most ten times a second, and a line per tree."""
    gate = world.folder / "gate"
    os.mkfifo(gate)
    gate.chmod(0o666)
    # The build ends when it was seen.
    world.content = archive("tiny-1", 1 << 20, Makefile=FILES["Makefile"].replace("cat greeting", f"cat '{gate}'"))
    world.servers.behave("terminal.tar.gz", slowly(world.content, 2))
    world.source(world.servers.url("terminal", "terminal.tar.gz"))
    ours, theirs = pty.openpty()
    child = subprocess.Popen(world.command(progress="auto"), env=world.environment(), stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown, started = b"", time.monotonic()
    while time.monotonic() - started < LINES_S:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
        if gate and b"tiny 1: build 0:01" in shown:
            gate.write_text("hello")
            gate = None
    took_s = time.monotonic() - started
    os.close(ours)
    if gate:
        child.kill()
    if child.wait():
        yield f"exit status {child.returncode}"
    text = shown.decode()
    for wanted in ("[#", "MB/s", " left", " of 1.", "0 of 1 files", "tiny 1: build 0:01", "tiny 1: done in 0:0"):
        if wanted not in text:
            yield f"nothing shows {wanted!r}: {text[-400:]!r}"
    if text.count("fetching") > 10 * took_s + 2 or text.count("fetching") < 3:
        yield f"drawn {text.count('fetching')} times in {took_s:.1f} s"
    if any(len(line) > 79 for line in text.replace("\n", "\r").replace("\x1b[K", "").split("\r")):
        yield f"longer than the terminal is wide: {text!r}"


def case_expected(world):
    """a terminal shows how long the recipe took last time."""
    world.source()
    mirror = world.mirror(x=world.content)
    yield from world.wants(world.setup("--mirror", mirror), 0)
    manifest = next(world.prefix.glob("store/tiny-*/.ampere-crypto/manifest.json"))
    text = manifest.read_text()
    manifest.parent.chmod(0o755)
    manifest.chmod(0o644)
    changed = text.replace('"elapsed_s":0', '"elapsed_s":83').replace('"elapsed_s": 0', '"elapsed_s": 83')
    if changed == text:
        changed = text.replace('"elapsed_s":1', '"elapsed_s":83').replace('"elapsed_s": 1', '"elapsed_s": 83')
    manifest.write_text(changed)
    world.content = archive("tiny-1", 1 << 10)
    world.source()
    world.mirror(x=world.content)
    ours, theirs = os.pipe()
    child = subprocess.Popen(world.command("--mirror", mirror, progress=f"fd:{theirs}"), env=world.environment(),
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             pass_fds=[theirs])
    os.close(theirs)
    with os.fdopen(ours) as reader:
        rows = [line.rstrip("\n").split("\t") for line in reader]
    if child.wait():
        yield f"exit status {child.returncode}"
    phases = [row[3] for row in rows if row[:3] == ["phase", "tiny", "1"]]
    if phases != ["unpack", "build", "stage", "prove", "install", "done"]:
        yield f"phases {phases}: {rows}"
    if {row[5] for row in rows if row[0] == "phase"} != {"83"}:
        yield f"expected times: {rows}"


def case_silent(world):
    """without a terminal, with never and with --quiet nothing is shown of a short run."""
    for words in (["--progress", "auto"], ["--progress", "never"], ["--quiet"]):
        world.source()
        done = world.setup(*words, "--mirror", world.mirror(x=world.content))
        if done.status or done.errors:
            yield f"{words}: {done.status} {done.errors!r}"


def case_words(world):
    """another word than auto, never and fd:N is wrong usage."""
    world.source()
    for word in ("always", "fd:", "fd:x", "fd:-1", "fd:99999", ""):
        done = world.setup(progress=word)
        if done.status != 64 or "--progress" not in done.text:
            yield f"{word!r}: {done.status} {done.text}"
