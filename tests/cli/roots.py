# SPDX-License-Identifier: BSD-2-Clause
"""Roots that are missing, huge, looping or hostile: a verdict or one line, never a crash, a hang or a wrong pass."""
import json
import os
import random
import shutil
import time

from program import WORK, altra, altra_cpuinfo, check, machine, run

LIMIT_S = 20


def judge(root, *arguments):
    """Runs detect and audit; both end in time with an exit status that is in the table."""
    results = []
    for command in ("detect", "audit"):
        begin = time.monotonic()
        result = run(command, "--root", str(root), "--json", *arguments)
        check(time.monotonic() - begin < LIMIT_S, command, root, "took too long")
        check(result.code in (0, 1, 2, 77), command, root, result.code, result.err)
        check(b"\x1b" not in result.raw + result.raw_err, command, "a control character came through")
        results.append(result)
    return results


def fresh(name):
    path = WORK / name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    return path


def test_what_is_no_root_is_named():
    fifo = WORK / "fifo"
    if not fifo.exists():
        os.mkfifo(fifo)
    loop = WORK / "loop"
    loop.unlink(missing_ok=True)
    loop.symlink_to(loop)
    (WORK / "empty").write_bytes(b"")
    (WORK / "binary").write_bytes(bytes(range(256)) * 64)
    (WORK / "array").write_text("[1, 2]")
    for root in ("/nonexistent", "/dev/null", loop, WORK / "empty", WORK / "binary", WORK / "array", "/proc/self/mem", fifo):
        for command in ("detect", "audit", "capture"):
            result = run(command, *(["-"] if command == "capture" else []), "--root", str(root))
            check(result.code == 2 and result.one_line_error(), command, root, result.code, result.err)


def test_an_empty_directory_passes_nothing():
    audit = judge(fresh("bare"))[1].json()
    passes = [finding["id"] for finding in audit["results"] if finding["outcome"] == "pass"]
    check(not passes, passes)


def test_links_out_of_the_root_stay_inside():
    root = fresh("escape")
    (root / "proc").mkdir()
    (root / "proc/cpuinfo").symlink_to("/../../../../../../proc/cpuinfo")
    (root / "sys").symlink_to("/sys")
    (root / "etc").symlink_to("../../../../../../etc")
    detect = judge(root)[0].json()
    check(detect["host"]["cpus"] is None and detect["host"]["features"] == [], detect["host"])


def test_loops_and_odd_types_end():
    root = fresh("odd")
    (root / "proc").mkdir()
    (root / "proc/cpuinfo").mkdir()
    (root / "proc/crypto").symlink_to("crypto")
    (root / "sys/devices/system/cpu").mkdir(parents=True)
    (root / "sys/devices/system/cpu/online").symlink_to("online2")
    (root / "sys/devices/system/cpu/online2").symlink_to("online")
    os.mkfifo(root / "sys/devices/system/cpu/present")
    (root / "sys/devices/system/cpu/cpufreq").symlink_to(".")
    (root / "etc").mkdir()
    os.mkfifo(root / "etc/ld.so.conf")
    judge(root)


def test_huge_files_and_directories_end():
    root = fresh("huge")
    (root / "proc").mkdir()
    with open(root / "proc/cpuinfo", "wb") as file:
        file.truncate(1 << 40)
    base = root / "sys/devices/system/cpu"
    base.mkdir(parents=True)
    for number in range(5000):
        (base / f"cpu{number}").mkdir()
    (base / "online").write_text("0-" + "9" * 100000)
    (root / "proc/cmdline").write_bytes(b"isolcpus=" + b"1," * 1000000)
    judge(root)
    many = "".join(altra_cpuinfo(1).replace(": 0", f": {number}", 1) for number in range(4096))
    judge(machine("many", {"/proc/cpuinfo": {"text": many}}))


def test_a_directory_too_large_to_list_is_no_shorter_directory():
    root = fresh("crowd")
    base = root / "proc"
    base.mkdir()
    for number in range(65537):
        os.mknod(base / f"{number}x")
    found = run("explain", "cppc.fie-thread", "--root", str(root), "--json").json()
    shutil.rmtree(root)
    check("unknown: /proc: " in json.dumps(found), found)


def test_hostile_bytes_are_escaped():
    evil = "\x1b]0;owned\x07\x1b[2J\u202e\u0000"[:-1]
    root = altra("evil", **{"/proc/cpuinfo": {"text": altra_cpuinfo().replace("aes", "aes" + evil)},
                            "/sys/devices/system/cpu/cpufreq/policy1/scaling_governor": {"text": evil + "\n"}})
    judge(root)
    for arguments in (["audit", "--all", "--verbose"], ["detect"], ["explain", "cpufreq.governors"]):
        result = run(*arguments, "--root", str(root))
        check(b"\x1b" not in result.raw and b"\x07" not in result.raw and "\u202e" not in result.out, arguments)
    directory = fresh("latin")
    (directory / "proc").mkdir()
    (directory / "proc/cpuinfo").write_bytes(altra_cpuinfo().encode().replace(b"aes", b"\xff\xfe\x00aes"))
    for result in judge(directory):
        result.raw.decode("utf-8")


def test_damaged_captures_are_refused_or_judged():
    """Cut and changed at places drawn from a fixed seed."""
    whole = altra().read_bytes()
    draw = random.Random(20251130)
    path = WORK / "damaged.json"
    for _ in range(60):
        damaged = bytearray(whole[:draw.randrange(len(whole))] if draw.random() < 0.5 else whole)
        for _ in range(draw.randrange(1, 4)):
            if damaged:
                damaged[draw.randrange(len(damaged))] = draw.randrange(256)
        path.write_bytes(damaged)
        result = run("audit", "--root", str(path), "--json")
        check(result.code in (0, 1, 2, 77), result.code, result.err)
        if result.code == 2:
            check(result.one_line_error() and "damaged.json" in result.err, result.err)


def test_captures_with_impossible_answers_are_refused_with_their_place():
    for questions in ({"/proc/cpuinfo": 3}, {"/proc/cpuinfo": {"text": 3}}, {"/proc/cpuinfo": {"base64": "%%%"}},
                      {"/proc/cpuinfo": {"errno": 13}}, {"/proc": {"list": "x"}}, {"/proc": {"list": [3]}},
                      {"proc/cpuinfo": {"text": ""}}):
        path = machine("impossible", questions)
        result = run("audit", "--root", str(path))
        check(result.code == 2 and result.one_line_error() and "impossible.json:1" in result.err, questions, result.err)


def test_what_may_not_be_read_is_unknown_and_counted():
    root = altra("denied", **{"/sys/devices/system/cpu/cpufreq/policy0/scaling_governor": {"errno": "EACCES"},
                              "/sys/devices/system/cpu/cpufreq/policy1/scaling_governor": {"errno": "EACCES"}})
    document = run("audit", "--root", str(root), "--json", "--only", "cpu.governor").json()
    check(document["results"][0]["outcome"] == "unknown", document["results"])
    check(document["summary"]["needs_root"] == 1, document["summary"])
    check("(1 needs root)" in run("audit", "--root", str(root), "--only", "cpu.governor").out)


CPUINFO = [
    # text of a pasted cpuinfo, family and exit status
    (altra_cpuinfo(1), {"altra"}, 0),
    ("user@host:~$ cat /proc/cpuinfo\n" + altra_cpuinfo(2), {"altra"}, 0),
    (altra_cpuinfo(1).replace("\t: ", " : ").replace("\n", "\r\n"), {"altra"}, 0),
    (altra_cpuinfo(1)[:200], {"altra", "neoverse-n1", "other", "ampere-unknown", None}, 0),
    ("processor : 0\nhart : 0\nisa : rv64imafdc\n", {"other"}, 0),
    ("processor\t: 0\nvendor_id\t: AuthenticAMD\nflags\t: aes\n", {"other"}, 0),
    ("", None, 2), ("\n\n\n", None, 2), ("hello\n", None, 2), ("\x00" * 100, None, 2), (":::::\n" * 1000, None, 2),
]


def test_pasted_cpuinfo_of_every_kind():
    for text, families, code in CPUINFO:
        result = run("detect", "--cpuinfo", "-", "--json", stdin=text.encode())
        check(result.code == code, text[:40], result.code, result.err)
        document = json.loads(result.raw)
        if code == 0:
            check(document["host"]["family"] in families, text[:40], document["host"]["family"])
            check(document["host"]["kernel"] is None, "nothing of this machine is mixed in")
