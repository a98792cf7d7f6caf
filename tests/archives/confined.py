# SPDX-License-Identifier: BSD-2-Clause
"""How the helper is called, what it may not do even if an archive took it over, and a system that fails it."""
import gzip
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from helper import BUILDS, ENVIRONMENT, LIMIT_S, WORK, Place, Skip, start, tree_of
from tarmake import file, top

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "perf"))
import measure

GOOD = top(file(b"top/a"), file(b"top/d/b", bytes(3 << 20)))
PIPE_BYTES = 65536
POLLS = 2000
PEAK_KIB = 8 << 10


def refused(result, word, wanted=2):
    status, _, err = result
    if status == wanted and re.search(word, err.decode()) and err.count(b"\n") == 1:
        return None
    return f"want a refusal with '{word}', exit status {status}: {err[-300:]!r}"


def destination_not_empty(build):
    place = Place(f"{build}-not-empty")
    (place.destination / "old").write_bytes(b"kept")
    result = place.unpack(build, GOOD)
    return refused(result, "not empty") or (None if tree_of(place.destination) == {"old": b"kept"} else "something was made")


def destination_is_a_file(build):
    place = Place(f"{build}-file")
    with open(os.devnull, "rb") as null:
        done = start(build, null, place.outer / "secret", place.outer)
    return refused((done.returncode, done.stdout, done.stderr), "regular file|descriptor 3")


def no_destination(build):
    place = Place(f"{build}-none")
    archive = place.base / "archive"
    archive.write_bytes(GOOD)
    with open(archive, "rb") as stream:
        done = subprocess.run([str(BUILDS[build])], stdin=stream, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                              timeout=LIMIT_S)
    return refused((done.returncode, done.stdout, done.stderr), "descriptor 3")


def from_a_pipe(build):
    place = Place(f"{build}-pipe")
    ours, theirs = os.pipe()
    os.close(theirs)
    with open(ours, "rb") as stream:
        return refused(place.unpack(build, stream), "no regular file")


def wrong_usage(build):
    place = Place(f"{build}-usage")
    for words in (["--what"], ["--max-bytes"], ["--max-bytes", "0"], ["--max-bytes", "-1"], ["--max-bytes", "1k"], ["name"],
                  ["--max-ratio", "99999999999999999999"]):
        fault = refused(place.unpack(build, GOOD, *words), "usage: ", 64)
        if fault:
            return f"{words}: {fault}"
    return None


def reading_starts_at_the_start(build):
    place = Place(f"{build}-offset")
    archive = place.base / "archive"
    archive.write_bytes(GOOD)
    with open(archive, "rb") as stream:
        stream.seek(0, os.SEEK_END)
        status, _, err = place.unpack(build, stream)
    return None if status == 0 and "d/b" in tree_of(place.destination) else f"exit status {status}: {err!r}"


def disk_full(build):
    """The destination on a file system of 1 MiB, in a mount namespace of its own."""
    if os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL, check=False).returncode:
        raise Skip("needs root for a mount namespace")
    place = Place(f"{build}-full")
    archive = place.base / "archive"
    archive.write_bytes(GOOD)
    script = 'mount -t tmpfs -o size=1m none "$1" && cd "$1" && exec "$2" <"$3" 3<"$1"'
    done = subprocess.run(["unshare", "--mount", "sh", "-c", script, "sh", place.destination, BUILDS[build], archive],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=LIMIT_S, env=ENVIRONMENT)
    return refused((done.returncode, done.stdout, done.stderr), r"top/d/b: .*[Nn]o space")


def failing_calls(build):
    """Each call that the helper lives on fails once, as strace makes it: a clean error and no escape, or, of EINTR, nothing."""
    for call, error, word in (("pwrite64", "EIO", "[Ii]nput/output"), ("pread64", "EIO", "[Ii]nput/output|archive"),
                              ("mkdirat", "ENOSPC", "[Nn]o space"), ("openat2", "EMFILE", "open files"),
                              ("pwrite64", "EDQUOT", "quota"), ("pwrite64", "EINTR", None), ("openat2", "EINTR", None),
                              ("pread64", "EINTR", None)):
        place = Place(f"{build}-{call}-{error}")
        # The loader reads with pread too, and what fails there is not the helper's.
        when = {"pread64": ":when=6+2" if error == "EINTR" else ":when=6+", "openat2": ":when=3+2" if error == "EINTR" else ":when=3+",
                "pwrite64": ":when=2+2" if error == "EINTR" else ""}.get(call, "")
        result = place.unpack(build, GOOD, environment={"ASAN_OPTIONS": "detect_leaks=0"}, before=[
            "strace", "-f", "-o", str(place.base / "strace"), "-e", f"trace={call}", "-e", f"inject={call}:error={error}{when}"])
        if "(INJECTED)" not in (place.base / "strace").read_text():
            return f"{call} was never called"
        fault = refused(result, word) if word else (None if result[0] == 0 else f"{result[2]!r}")
        if fault:
            return f"{call} fails with {error}: {fault}"
    return None


def short_writes(build):
    """A file that may grow to 1 MiB only, then no further: pwrite writes less than it was given, then fails."""
    place = Place(f"{build}-short")
    before = ["sh", "-c", 'ulimit -f 2048 && exec "$0" "$@"']
    result = place.unpack(build, GOOD, before=before)
    return refused(result, "[Ff]ile too large")


def reader_gone(build):
    """Nobody reads what is said: an end with status 2, and no signal."""
    place = Place(f"{build}-gone")
    (place.base / "archive").write_bytes(GOOD)
    ours, theirs = os.pipe()
    os.close(ours)
    with open(place.base / "archive", "rb") as stream:
        done = subprocess.run(["sh", "-c", 'exec "$1" 3<"$0"', place.destination, BUILDS[build]], stdin=stream, stdout=theirs,
                              stderr=subprocess.PIPE, env=ENVIRONMENT, check=False, timeout=LIMIT_S)
    os.close(theirs)
    return None if done.returncode == 2 else f"exit status {done.returncode}: {done.stderr!r}"


def with_a_full_pipe(build, place, look):
    """The helper held at its first line by a pipe that is full: by then it is confined."""
    (place.base / "archive").write_bytes(GOOD)
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    os.write(theirs, bytes(PIPE_BYTES))
    os.set_blocking(theirs, True)
    with open(place.base / "archive", "rb") as stream:
        child = subprocess.Popen(["sh", "-c", 'exec "$1" 3<"$0"', place.destination, BUILDS[build]], stdin=stream, stdout=theirs,
                                 stderr=subprocess.DEVNULL, env=ENVIRONMENT)
    os.close(theirs)
    try:
        return look(child.pid)
    finally:
        os.close(ours)
        child.kill()
        child.wait()


def status_of(pid):
    return dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line)


def confinement_shows(build):
    """proc(5): NoNewPrivs is 1, and Seccomp is 2 with a filter in a build without sanitizers; no descriptor but 0 to 3."""
    seccomp = "2" if build == "release" else "0"

    def look(pid):
        for _ in range(POLLS):
            status = status_of(pid)
            if status["NoNewPrivs"] == "1" and status["Seccomp"] == seccomp and waits_to_write(pid):
                return None
            time.sleep(0.005)
        return f"NoNewPrivs {status['NoNewPrivs']}, Seccomp {status['Seccomp']}"
    return with_a_full_pipe(build, Place(f"{build}-status"), look)


def waits_to_write(pid):
    return Path(f"/proc/{pid}/wchan").read_text().startswith(("pipe_write", "anon_pipe_write", "0"))


def taken_over(build):
    """A library loaded beside the helper tries, from inside the reading of the archive, what an attacker would."""
    place = Place(f"{build}-taken")
    library = WORK / f"attack-{build}.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", library, Path(__file__).with_name("attack.c"), "-ldl"], check=True)
    before = place.digest()
    preload = {"LD_PRELOAD": str(library)}
    if build == "sanitized":
        preload["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=0"
    tries = ["write", "read", "make", "link", "unlink", "chmod", "truncate"]
    fatal = []
    if build == "release":
        tries += ["code", "fork", "kill"]
        fatal = ["exec", "socket", "ptrace"]
    for what in tries + fatal:
        status, out, err = place.unpack(build, GOOD, environment={**preload, "ATTACK": what})
        subprocess.run(["find", place.destination, "-mindepth", "1", "-delete"], check=True)
        if place.digest() != before:
            return f"{what}: something outside changed"
        if what in fatal and status != 128 + 31 and status != -31:
            return f"{what}: exit status {status}, want SIGSYS: {err[-200:]!r}"
        if what not in fatal and b"attack\tfailed\n" not in out:
            return f"{what} was possible: exit status {status} {out[-100:]!r} {err[-200:]!r}"
    status, out, _ = place.unpack(build, GOOD, environment={**preload, "ATTACK": "inside"})
    return None if b"attack\tdone\n" in out else f"the attack itself does not work: {status} {out!r}"


def an_old_kernel(build):
    """No Landlock and no seccomp, as strace shows it: everything is unpacked all the same, and one line says without what."""
    place = Place(f"{build}-old")
    status, out, err = place.unpack(build, GOOD, environment={"ASAN_OPTIONS": "detect_leaks=0"}, before=[
        "strace", "-f", "-o", str(place.base / "strace"), "-e", "trace=prctl,landlock_create_ruleset",
        "-e", "inject=landlock_create_ruleset:error=ENOSYS", "-e", "inject=prctl:error=EINVAL:when=2"])
    notes = [line for line in out.decode().splitlines() if line.startswith("note\t")]
    if status or err or "d/b" not in tree_of(place.destination):
        return f"exit status {status}: {err!r}"
    return None if len(notes) == 1 and "Landlock (" in notes[0] and "seccomp (" in notes[0] else f"the notes are {notes}"


def nothing_is_missing(build):
    """In a release build on a kernel that has both, nothing is said; with sanitizers, that seccomp is off."""
    _, out, _ = Place(f"{build}-notes").unpack(build, GOOD)
    notes = [line for line in out.decode().splitlines() if line.startswith("note\t")]
    wanted = [] if build == "release" else ["note\tunpacked without seccomp (not in a build with sanitizers)"]
    return None if notes == wanted else f"the notes are {notes}"


def memory(build):
    """8 MiB and the dictionary: resident, at most, of an archive that needs little else. Sanitizers have memory of their own."""
    if build != "release":
        return None
    place = Place(f"{build}-memory")
    archive = place.base / "archive"
    archive.write_bytes(gzip.compress(top(*[file(b"top/%d" % n, b"%d" % n * 500) for n in range(4000)])))
    script = ["sh", "-c", 'exec "$1" <"$2" 3<"$0"', place.destination, BUILDS[build], archive]
    peak_kib, status = measure.cost([str(word) for word in script], 1)[2:]
    return None if status == 0 and 0 < peak_kib <= PEAK_KIB else f"{peak_kib} KiB, exit status {status}"


def tests():
    return [("a destination that is not empty", destination_not_empty), ("a destination that is a file", destination_is_a_file),
            ("no destination", no_destination), ("an archive from a pipe", from_a_pipe), ("wrong usage", wrong_usage),
            ("an archive that was read before", reading_starts_at_the_start), ("a full disk", disk_full),
            ("calls that fail", failing_calls), ("writes that are short", short_writes), ("a reader that went away", reader_gone),
            ("the kernel says that it is confined", confinement_shows), ("what a helper taken over can do", taken_over),
            ("a kernel that can confine nothing", an_old_kernel), ("a kernel that can confine all", nothing_is_missing),
            ("peak memory", memory)]
