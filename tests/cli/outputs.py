# SPDX-License-Identifier: BSD-2-Clause
"""Where documents go: pipes, files, full disks, terminals, signals."""
import array
import fcntl
import json
import os
import pty
import re
import resource
import select
import signal
import struct
import subprocess
import termios
import time

from program import COMMANDS, PROGRAM, WORK, Skip, altra, check, environment, installed, run

AUDIT = ["audit", "--only", "cpu.*", "--root"]


def examples():
    """One command line of each command that writes something."""
    root = str(altra())
    return {
        "detect": ["detect", "--root", root], "audit": ["audit", "--root", root],
        "explain": ["explain", "cpu.governor", "--root", root], "capture": ["capture", "-", "--root", root],
        "diff": ["diff", str(WORK / "same.json"), str(WORK / "same.json")],
        "report": ["report", str(WORK / "same.json")], "list": ["list", "checks"],
        "inspect": ["inspect", "/bin/sh"],
        "status": ["status", "--prefix", installed()], "remove": ["remove", "--prefix", "/nonexistent"],
        "rollback": ["rollback", "--prefix", installed(), "--to", "1"], "env": ["env", "--prefix", installed()],
        "run": ["run", "--prefix", installed(), str(PROGRAM), "version"],
        "schema": ["schema", "audit"], "completion": ["completion", "bash"], "version": ["version"],
        "--version": ["--version"], "--help": ["--help"], "audit --help": ["audit", "--help"],
    }


def write_same():
    (WORK / "same.json").write_bytes(run("audit", "--json", "--root", str(altra())).raw)


def test_a_full_disk_is_trouble_for_every_command():
    write_same()
    lines = examples()
    check(set(COMMANDS) <= set(lines), "every command is tried")
    for name, arguments in lines.items():
        with open("/dev/full", "wb") as full:
            result = run(*arguments, stdout=full)
        check(result.code == 2, name, result.code, result.err)
        check(result.one_line_error() and "No space left" in result.err, name, result.err)


def test_a_closed_standard_output_is_trouble_for_every_command():
    write_same()
    for name, arguments in examples().items():
        done = subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', PROGRAM, *arguments], env=environment(),
                              stderr=subprocess.PIPE, timeout=60, check=False)
        check(done.returncode == 2 and done.stderr.count(b"\n") == 1, name, done.returncode, done.stderr)


def test_a_reader_that_went_away_is_trouble():
    for extra in ([], ["--json"]):
        reader, writer = os.pipe()
        os.close(reader)
        result = run(*AUDIT, str(altra()), *extra, stdout=writer)
        os.close(writer)
        check(result.code == 2 and result.one_line_error() and "Broken pipe" in result.err, result.code, result.err)


def test_closed_standard_input_and_error_harm_nothing():
    path = str(altra())
    for redirection, code in (("<&-", 1), ("2>&-", 1), ("<&- 2>&-", 1)):
        done = subprocess.run(["sh", "-c", f'exec "$0" "$@" {redirection}', PROGRAM, *AUDIT, path, "--json"],
                              env=environment(), stdout=subprocess.PIPE, timeout=60, check=False)
        check(done.returncode == code, redirection, done.returncode)
        json.loads(done.stdout)
    check(run("detect", "--cpuinfo", "-", stdin=b"").code == 2, "an empty cpuinfo is no verdict")


def test_files_are_written_whole_beside_standard_output():
    path = WORK / "out.json"
    text = WORK / "out.txt"
    path.write_text("old")
    result = run(*AUDIT, str(altra()), "--output", f"json={path}", "--output", f"text={text}")
    document = json.loads(path.read_text())
    check(result.code == 1 and document["exit_code"] == 1, result.code, document["exit_code"])
    check(text.read_text() == result.out, "the text file equals standard output", result.out)
    check(not [name for name in os.listdir(WORK) if name.startswith("out.json.")], "no temporary file is left")


def test_a_failed_output_leaves_the_old_file_and_is_reported_in_the_json():
    directory = WORK / "nowhere"
    result = run(*AUDIT, str(altra()), "--json", "--output", f"text={directory}/x")
    check(result.code == 2 and result.one_line_error(), result.code, result.err)
    document = result.json()
    check(document["exit_code"] == 2, document["exit_code"])
    check(any("nowhere" in message["text"] for message in document["messages"]), document["messages"])
    old = WORK / "old.json"
    old.write_text("old")
    result = run("audit", "--root", "/nonexistent", "--output", f"text={old}")
    check(result.code == 2 and "nonexistent" in old.read_text(), old.read_text())
    check(run("audit", "--onyl", "x", "--output", f"text={old}").code == 64, "usage errors write nothing")


def test_one_file_is_not_written_twice_by_two_names():
    link = WORK / "same"
    link.unlink(missing_ok=True)
    link.symlink_to(WORK)
    for name in ("twice.json", "./twice.json", "same/twice.json", f"{WORK}/twice.json"):
        (WORK / "twice.json").unlink(missing_ok=True)
        for old in (False, True):
            if old:
                (WORK / "twice.json").write_text("old")
            result = run("audit", "--root", str(altra()), "-o", "json=twice.json", "-o", f"text={name}", cwd=WORK)
            check(result.code == 64 and result.one_line_error() and "twice" in result.err, name, old, result.err)
            check((WORK / "twice.json").exists() == old, name, "something was written")
    result = run("capture", "--root", str(altra()), "twice.json", "--force", "-o", "json=./twice.json", cwd=WORK)
    check(result.code == 64 and "capture itself" in result.err, result.code, result.err)
    check((WORK / "twice.json").read_text() == "old")


def test_a_replaced_file_stays_as_private_as_it_was():
    path = WORK / "private.json"
    for mode in (0o600, 0o640):
        path.write_text("old")
        path.chmod(mode)
        check(run(*AUDIT, str(altra()), "-o", f"json={path}").code == 1)
        json.loads(path.read_text())
        check(path.stat().st_mode & 0o777 == mode, oct(path.stat().st_mode))


def test_a_file_size_limit_is_one_line_and_leaves_nothing():
    directory = WORK / "limited"
    directory.mkdir(exist_ok=True)
    for arguments in (["audit", "--all", "--json", "-o", f"json={directory}/report"], ["capture", f"{directory}/capture"]):
        result = run(*arguments, "--root", str(altra()),
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512)))
        check(result.code == 2 and result.one_line_error() and "too large" in result.err, result.code, result.err)
        check(not os.listdir(directory), os.listdir(directory))


def test_an_output_that_nobody_reads_ends():
    fifo = WORK / "unread"
    fifo.unlink(missing_ok=True)
    os.mkfifo(fifo)
    result = run(*AUDIT, str(altra()), "-o", f"json={fifo}")
    check(result.code == 2 and result.one_line_error() and "unread" in result.err, result.code, result.err)


def test_input_from_a_slow_pipe_is_waited_for():
    capture, same = altra(), WORK / "same.json"
    write_same()
    for line in (f'audit --only "cpu.*" --root <(sleep 0.2; cat {capture})', f"diff <(sleep 0.2; cat {same}) {same}",
                 f"diff {same} <(sleep 0.2; cat {same})"):
        done = subprocess.run(["bash", "-c", f'"$0" {line}', PROGRAM], env=environment(), capture_output=True,
                              timeout=60, check=False)
        check(done.returncode in (0, 1) and not done.stderr, line, done.returncode, done.stderr)


def test_text_is_eighty_columns_when_piped_and_columns_otherwise():
    root = str(altra())
    for width in (None, "60", "120"):
        out = run("audit", "--all", "--verbose", "--root", root, env=environment(COLUMNS=width)).out
        longest = max(len(line) for line in out.splitlines() if "/" not in line)
        check(longest <= int(width or 80), width, longest)
        check(not re.search(r"[ \t]$", out, re.M), "no blanks at the end of a line")
    for nonsense in ("", "0", "-1", "1e9", "x" * 9999, "99999999999999999999"):
        check(run("audit", "--root", root, env=environment(COLUMNS=nonsense)).code == 1, nonsense)


def on_terminal(arguments, columns=80, **changes):
    """What the program writes to a terminal."""
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    done = subprocess.Popen([PROGRAM, *arguments], stdout=terminal, stderr=subprocess.PIPE, env=environment(**changes))
    os.close(terminal)
    out = b""
    while True:
        try:
            piece = os.read(controller, 65536)
        except OSError:
            break
        if not piece:
            break
        out += piece
    os.close(controller)
    done.communicate(timeout=60)
    return out


def test_text_is_as_wide_as_the_terminal():
    for columns, wanted in ((50, 50), (132, 132), (1, 40)):
        out = on_terminal([*AUDIT, str(altra()), "--all", "--color=never"], columns)
        # A word that does not fit beside the margin has a line of its own, and so has an id.
        lines = [line for line in out.decode().replace("\r", "").splitlines()
                 if " " in line.strip() and len(line.split()) > 3]
        longest = max(map(len, lines))
        check(wanted - 20 < longest <= wanted, columns, longest)


def test_colour_is_for_terminals_unless_it_is_refused():
    arguments = [*AUDIT, str(altra())]
    check(b"\x1b[" in on_terminal(arguments), "a terminal gets colour")
    check(b"\x1b[" not in on_terminal(arguments, NO_COLOR="1"))
    check(b"\x1b[" in on_terminal(arguments, NO_COLOR=""), "an empty NO_COLOR counts as not set")
    check(b"\x1b[" not in on_terminal(arguments, TERM="dumb"))
    check(b"\x1b[" not in on_terminal([*arguments, "--color", "never"]))
    check(b"\x1b[" in on_terminal([*arguments, "--color", "always"], NO_COLOR="1"), "what is asked for outranks it")
    check("\x1b[" not in run(*arguments).out, "a pipe gets none")
    check("\x1b[" in run(*arguments, "--color=always").out)
    colored = re.sub(r"\x1b\[[0-9;]*m", "", run(*arguments, "--color=always").out)
    check(colored == run(*arguments).out, "colour only repeats what the words say")


def test_a_signal_gives_valid_json_or_none():
    """The program waits for its input; it is interrupted before it has anything to say."""
    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        program = subprocess.Popen(["sh", "-c", '"$0" detect --cpuinfo - --json; echo $? >&2', PROGRAM],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=environment())
        child = wait_for_child(program.pid)
        os.kill(child, number)
        out, err = program.communicate(timeout=60)
        check(out == b"", number, out)
        check(err.split()[-1:] == [str(status).encode()], number, err)


def wait_for_child(parent):
    """The process that `parent` started, once it runs the program."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as file:
            children = file.read().split()
        if children and blocked_in_read(children[0]):
            return int(children[0])
    raise Skip("the child did not start in 30 s")


def blocked_in_read(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="ascii") as file:
            name = file.read().strip()
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            state = file.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return name.startswith("ampere-crypto") and state == "S"


def pipe_is_full(reader):
    held = array.array("i", [0])
    fcntl.ioctl(reader, termios.FIONREAD, held)
    return held[0] == fcntl.fcntl(reader, fcntl.F_GETPIPE_SZ)


def test_a_signal_while_writing_waits_for_the_end_of_the_document():
    """The reader holds the program in its write; the signal counts once the document is out."""
    for number in (signal.SIGINT, signal.SIGTERM):
        reader, writer = os.pipe()
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        program = subprocess.Popen([PROGRAM, "list", "facts", "--json"], stdout=writer, env=environment())
        os.close(writer)
        deadline = time.monotonic() + 30
        while not pipe_is_full(reader) and time.monotonic() < deadline:
            select.select([], [], [], 0.001)
        program.send_signal(number)
        with open(reader, "rb") as file:
            document = json.loads(file.read())
        check(document["schema"].startswith("ampere-crypto/list"), document["schema"])
        check(program.wait(timeout=60) == -number, program.returncode)


def test_a_reader_that_went_away_is_status_2_and_one_line():
    for arguments in (["list", "facts"], ["list", "facts", "--json"]):
        reader, writer = os.pipe()
        os.close(reader)
        done = run(*arguments, stdout=writer)
        os.close(writer)
        check(done.code == 2 and done.one_line_error() and "Broken pipe" in done.err, arguments, done.code, done.err)
