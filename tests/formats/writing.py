# SPDX-License-Identifier: BSD-2-Clause
"""Where documents go: whole or not at all, each under its own name, for those who may read them."""
import os
import stat
import subprocess

from program import FORMATS, PROGRAM, WORK, Skip, capture, check, run

NEW = ("sarif", "junit", "openmetrics", "html")


def place(name):
    path = WORK / "writing" / name
    path.mkdir(parents=True, exist_ok=True)
    for old in path.iterdir():
        old.unlink()
    return path


def test_standard_output_takes_each():
    for kind in NEW:
        done = run("audit", "--root", capture("altra-1p"), f"--output={kind}=-")
        begins = {"sarif": b"{", "junit": b"<?xml", "openmetrics": b"# TYPE", "html": b"<!DOCTYPE html>"}[kind]
        check(done.returncode in (0, 1) and done.stdout.startswith(begins) and not done.stderr, kind, done.stdout[:80], done.stderr)


def test_a_path_takes_one_format():
    path = place("twice") / "x"
    done = run("detect", f"--output=html={path}", f"--output=sarif={path}")
    check(done.returncode == 64 and b"named twice" in done.stderr and not path.exists(), done.returncode, done.stderr)


def test_a_path_that_cannot_be_written_is_named_and_the_others_are():
    where = place("refused")
    for kind in NEW:
        good = where / f"good.{kind}"
        done = run("audit", "--root", capture("altra-1p"), "--quiet", f"--output={kind}={where}/no/such", f"--output={kind}={good}")
        check(done.returncode == 2 and f"{where}/no/such".encode() in done.stderr, kind, done.returncode, done.stderr)
        check(good.stat().st_size > 200, kind, "is not whole")
        check(b"no/such" in good.read_bytes() or kind == "openmetrics", kind, "does not say what is missing")
    check(sorted(path.name for path in where.iterdir()) == sorted(f"good.{kind}" for kind in NEW), list(where.iterdir()))


def test_a_full_disk_leaves_what_was_there():
    where = place("full")
    if os.getuid() or subprocess.run(["unshare", "--mount", "true"], check=False, capture_output=True).returncode:
        raise Skip("needs root for a mount namespace")
    script = ('mount -t tmpfs -o size=8k tmpfs "$1" && cd "$1" && echo old >kept && '
              '{ "$2" audit --root "$3" --quiet "--output=$4=kept" >/dev/null 2>said; echo $? >&3; cat kept >&3; ls >&3; }')
    for kind in NEW:
        read, write = os.pipe()
        with os.fdopen(read) as answer:
            subprocess.run(["unshare", "--mount", "sh", "-c", f"exec 3>&{write}; {script}", "sh", where, PROGRAM, capture("altra-1p-defaults"),
                            kind], pass_fds=[write], check=False, timeout=60, stdin=subprocess.DEVNULL)
            os.close(write)
            lines = answer.read().split()
        check(lines == ["2", "old", "kept", "said"], kind, lines)


def test_a_new_file_can_be_read_by_node_exporter():
    """It runs as a user of its own; with the usual umask a new file is for all, and stays so when it is written again."""
    where = place("mode")
    for _ in range(2):
        done = subprocess.run(["sh", "-c", 'umask 022; exec "$@"', "sh", PROGRAM, "detect", "--root", capture("altra-1p"), "--quiet",
                               f"--output=openmetrics={where}/a.prom"], check=False, capture_output=True, timeout=60)
        check(done.returncode == 0 and stat.S_IMODE((where / "a.prom").stat().st_mode) == 0o644, done.stderr, oct((where / "a.prom").stat().st_mode))
    check([path.name for path in where.iterdir()] == ["a.prom"], "something was left beside it")


def test_two_runs_differ_only_in_time():
    """Nothing that changes with a run's memory or order gets into a file."""
    import re
    texts = []
    for _ in range(2):
        done = {kind: run("audit", "--root", capture("altra-1p-defaults"), f"--output={kind}=-").stdout.decode() for kind in FORMATS}
        texts.append({kind: re.sub(r"\d{4}-\d\d-\d\dT[\d:]+Z?|\b\d+\.\d{3}\b|took [\d.]+ s|elapsed_ms\": \d+|(timestamp|duration)_seconds\{.*?\} \S+",
                                   "T", text) for kind, text in done.items()})
    for kind in FORMATS:
        check(texts[0][kind] == texts[1][kind], kind)
