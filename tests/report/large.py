# SPDX-License-Identifier: BSD-2-Clause
"""Thousands of results: bounded memory, every machine there."""
import json
import os
import resource
import subprocess
from pathlib import Path

from program import PROGRAM, TOP, WORK, check, environment, finding, fresh, host, result_of, run

RELEASE = Path(os.environ.get("CHECK_RELEASE", TOP / "build/release")).resolve() / "src/cli/ampere-crypto"
FILES, BYTES = (4000, 60000) if os.environ.get("CHECK_FULL") == "1" else (1000, 60000)
# What one file takes while it is read, with what is kept of 4000 of them.
MEMORY_BYTES = 400 << 20


def large():
    """Many audits of 60 KB; the evidence fills them up, and differs."""
    where = fresh("large")
    rows = [finding(f"check.n{number}", ("pass", "fail", "unknown")[number % 3]) for number in range(60)]
    room = (BYTES - len(json.dumps(result_of("audit", rows)))) // len(rows)
    for number in range(FILES):
        rows[0]["found"] = f"value {number % 7}"
        for row in rows:
            row["evidence"] = [{"path": "/sys/x", "raw": raw, "confidence": "direct"}
                               for raw in (str(number), "e" * (room - 130))]
        text = json.dumps(result_of("audit", rows, of=host(kernel=f"6.{number % 3}")))
        (where / f"m{number:04}.json").write_text(text)
    return where


def test_thousands_of_files_fit_into_memory():
    where = large()
    files = sorted(map(str, where.iterdir()))
    page = WORK / "large.json"
    program = RELEASE if RELEASE.exists() else PROGRAM
    sanitized = b"__asan_init" in program.read_bytes()

    def limit():
        if not sanitized:  # the address sanitizer maps terabytes
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))

    child = subprocess.Popen([program, "report", f"--output=json={page}", f"--output=html={WORK}/large.html", *files],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(), preexec_fn=limit)
    err = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    check(child.returncode == 0, child.returncode, err)
    print(f"  {FILES} files of {BYTES} bytes: {usage.ru_maxrss >> 10} MiB at most, {usage.ru_utime:.2f} s of CPU time, "
          f"HTML of {(WORK / 'large.html').stat().st_size >> 10} KiB")
    check(usage.ru_maxrss << 10 < MEMORY_BYTES or sanitized, usage.ru_maxrss)
    document = json.loads(page.read_text())
    check(len(document["results"]) == FILES and document["summary"]["files"] == FILES, document["summary"]["files"])
    check([row["id"] for row in document["summary"]["differences"]] == ["host.kernel", "check.n0"], "what differs")
    for path in where.iterdir():
        path.unlink()


def test_more_than_ten_thousand_files_are_refused():
    where = fresh("count")
    for number in range(10001):
        os.link(where / "0.json", where / f"{number}.json") if number else (where / "0.json").write_text("{}")
    done = run("report", where)
    check(done.code == 64 and "10000" in done.err, done.err)
    for path in where.iterdir():
        path.unlink()
