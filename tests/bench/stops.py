# SPDX-License-Identifier: BSD-2-Clause
"""Interrupted, killed, without room: a whole document or none, the right status, nothing left behind."""
import json
import os
import select
import shlex
import signal
import subprocess
import time
from pathlib import Path

from engines import KAT_ID, SNOW_ID, need_dpdk
from program import (GCM, KAT, LIMIT_S, PROGRAM, SNOW, WORK, Result, Skip, check, environment, look, make_prefix, run, suite)

# Its own /tmp and /run, so that what is found there is of this run.
OWN_PLACES = """
mount -t tmpfs none /tmp && mount -t tmpfs none /run && mkdir /run/dpdk || exit 99
"$@"
status=$?
find /tmp /run /dev/hugepages -mindepth 1 ! -path /run/dpdk >"$LEFT" 2>/dev/null
exit $status
"""


def can_mount():
    return os.geteuid() == 0 and subprocess.run(["unshare", "--mount", "true"], check=False,
                                                stderr=subprocess.DEVNULL).returncode == 0


def need_mounts():
    if not can_mount():
        raise Skip("needs root for a mount namespace")


def children(pid):
    """All that came of a process, deepest last."""
    try:
        direct = [int(word) for task in Path(f"/proc/{pid}/task").iterdir()
                  for word in (task / "children").read_text().split()]
    except OSError:
        return []
    return direct + [below for child in direct for below in children(child)]


def alive(pids):
    found = []
    for pid in pids:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
                found.append((pid, Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")))
        except OSError:
            pass
    return found


def is_gone(pids):
    until = time.monotonic() + 20
    while alive(pids) and time.monotonic() < until:
        time.sleep(0.05)
    return not alive(pids)


class Running:
    """bench in places of its own, until a phase it tells of begins."""

    def __init__(self, name, *arguments):
        self.left = WORK / f"left-{name}"
        self.left.unlink(missing_ok=True)
        reader, writer = os.pipe()
        # HUGETLBFS of this machine is looked at, too, and never written.
        self.process = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", OWN_PLACES, "sh", PROGRAM, "bench", "--json", f"--progress=fd:{writer}",
             *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(LEFT=str(self.left)), pass_fds=[writer], start_new_session=True)
        os.close(writer)
        self.reader, self.lines = reader, b""

    def wait_for(self, phase):
        want = f"bench\t{phase}\t".encode()
        until = time.monotonic() + LIMIT_S
        while want not in self.lines:
            check(time.monotonic() < until, "no phase", phase, self.lines)
            if select.select([self.reader], [], [], 1)[0]:
                piece = os.read(self.reader, 4096)
                check(piece, "ended before", phase, self.lines)
                self.lines += piece

    def bench(self):
        """Its process: the only one of the shell's children."""
        found = [pid for pid in children(self.process.pid)
                 if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(os.fsencode(PROGRAM))]
        check(found, "no process of bench")
        return found[0]

    def end(self):
        out, err = self.process.communicate(timeout=LIMIT_S)
        os.close(self.reader)
        self.code, self.out, self.err = self.process.returncode, out.decode(), err.decode()
        check("Sanitizer" not in self.err, self.err)

    def nothing_is_left(self, pids):
        check(is_gone(pids), "still there:", alive(pids))
        left = self.left.read_text().split() if self.left.exists() else ["no list of what is left"]
        check(not left, "left behind:", left[:5])


def interrupted(name, phase, number):
    need_dpdk()
    need_mounts()
    running = Running(name, "--seconds", 6, "--system", suite(KAT, SNOW, GCM))
    running.wait_for(phase)
    pid, pids = running.bench(), []
    until = time.monotonic() + 10
    while len(pids) < 2 and time.monotonic() < until:
        pids = children(pid)
    os.kill(pid, number)
    running.end()
    check(running.code == 128 + number, f"status {running.code}", running.err)
    document = json.loads(running.out)
    check(document["exit_code"] == 128 + number, document["exit_code"])
    look(document)
    check(len(document["results"]) == 3, "not every result is there")
    for result in document["results"]:
        check(result["estimate"] is None and result["outcome"] != "pass", result["id"], result["estimate"])
    running.nothing_is_left([pid, *pids])


def test_sigint_while_verifying():
    interrupted("verify", "verify", signal.SIGINT)


def test_sigterm_while_measuring():
    interrupted("measure", "measure", signal.SIGTERM)


def test_sigint_in_the_last_verification():
    interrupted("again", "verify again", signal.SIGINT)


def test_kill_9_leaves_no_process():
    need_dpdk()
    need_mounts()
    for phase in ("verify", "measure"):
        running = Running(f"kill-{phase}", "--seconds", 6, "--system", suite(SNOW))
        running.wait_for(phase)
        pid, pids = running.bench(), []
        until = time.monotonic() + 10
        while len(pids) < 2 and time.monotonic() < until:
            pids = children(pid)
        check(len(pids) >= 2, "nothing was started")
        os.kill(pid, signal.SIGKILL)
        running.end()
        check(running.code == 128 + 9, f"status {running.code}", running.err)
        running.nothing_is_left([pid, *pids])


def quick():
    return ["--seconds", 1, "--prefix", make_prefix("quick"), suite(KAT)]


def test_an_output_that_cannot_be_written():
    for path in (WORK / "no-such" / "x.json", WORK, "/proc/x.json"):
        done = run("--output", f"json={path}", *quick())
        check(done.code == 2 and str(path) in done.err, f"status {done.code}", done.err)


def test_a_full_disk_leaves_no_half_document():
    need_mounts()
    script = 'mkdir -p "$AT" && mount -t tmpfs -o size=4k none "$AT" && "$@"; status=$?; ls -A "$AT"; exit $status'
    at = WORK / "full"
    done = run("--quiet", "--output", f"json={at}/x.json", *quick(), env=environment(AT=str(at)),
               prefix=["unshare", "--mount", "sh", "-c", script, "sh"])
    check(done.code == 2 and "x.json" in done.err, f"status {done.code}", done.err)
    check("x.json" not in done.out.split(), done.out)


def test_stdout_that_is_full_or_closed():
    words = " ".join(map(shlex.quote, map(str, [PROGRAM, "bench", "--json", *quick()])))
    for end in (">/dev/full", ">&-"):
        done = Result(subprocess.run(["sh", "-c", f"{words} {end}"], env=environment(), stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=LIMIT_S))
        check(done.code == 2 and done.one_line_error(), end, f"status {done.code}", done.err)
