# SPDX-License-Identifier: BSD-2-Clause
"""audit --measure: with the real helper, with made-up ones, and where there is nothing to measure."""
import os
import shutil
import subprocess

from program import LIMIT_S, PROGRAM, TOP, WORK, Result, altra, check, environment, run

CLOCKS = "clock-source chain\nclock 3000000000\nbatch clock 0 1 5000000 5000000 0 0\n"
WALKS = "".join(f"batch {name} 8388608 1000000 {ns}000000 {ns}000000 0 0\n"
                for name, ns in (("stride-64", 2), ("stride-256", 3), ("chase", 30)))

# What the helper prints, its exit status, words of the note. What is not wholly its own says nothing.
MADE_UP = [
    (CLOCKS + WALKS + "end\n", 0, "3000 MHz (chain); a stride of 64 bytes over 8 MiB 2.0 ns; a stride of 256 bytes over 8 MiB 3.0 ns; "
                                  "a random chase over 8 MiB 30.0 ns"),
    (CLOCKS + "end\n", 0, "3000 MHz (chain)"),
    ("end\n", 0, "gave no clock"),
    ("", 0, "printed nothing"),
    ("", 9, "printed nothing"),
    (CLOCKS + WALKS, 0, "the output was cut"),
    (CLOCKS + "end", 0, "the output was cut within a line"),
    (CLOCKS + "clock -1\nend\n", 0, "line 4 is not kat-bench's"),
    (CLOCKS + "clock 99999999999999999999\nend\n", 0, "line 4 is not kat-bench's"),
    (CLOCKS + "batch chase 8388608 0 1 1 0 0\nend\n", 0, "line 4 is not kat-bench's"),
    (CLOCKS + "batch chase 8388608 5 0 1 0 0\nend\n", 0, "line 4 is not kat-bench's"),
    (CLOCKS + "clock-source chain\nend\n", 0, "more than one line"),
    (CLOCKS + "\x1b[2J\nend\n", 0, "\\x1b[2J"),
    ("error CPU 0 is not given to this process\nend\n", 2, "CPU 0 is not given to this process"),
    ("x" * 70000 + "\nend\n", 0, "the output was cut"),
]


def with_helper(script):
    """The document of audit --measure, as a copy of the program says it that has this helper."""
    tree = WORK / "measured"
    shutil.rmtree(tree, ignore_errors=True)
    for folder in ("src/cli", "src/kat-bench"):
        (tree / folder).mkdir(parents=True)
    for folder in ("profiles", "recipes"):
        (tree / folder).symlink_to(TOP / folder)
    program, helper = tree / "src/cli/ampere-crypto", tree / "src/kat-bench/ampere-crypto-kat-bench"
    shutil.copy(PROGRAM, program)
    if script is not None:
        helper.write_text(script)
        helper.chmod(0o755)
    done = Result(subprocess.run([program, "audit", "--measure", "--json"], env=environment(), stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False))
    check(done.code in (0, 1) and not done.err, done.code, done.err)
    return done.json()


def notes(document):
    return [message["text"] for message in document["messages"] if message["text"].startswith("measured: ")]


def test_what_the_helper_says_is_read_strictly():
    text = WORK / "helper-says"
    for output, status, words in MADE_UP:
        text.write_text(output)
        document = with_helper(f"#!/bin/sh\ncat '{text}'\nexit {status}\n")
        check(notes(document) and all(words in note for note in notes(document)), output[:200], notes(document))
        check("MHz" not in words or "clock of" not in notes(document)[0], notes(document))


def test_no_helper_is_said():
    for script in (None, "#!/nonexistent/interpreter\n", "#!/bin/sh\nkill -9 $$\n"):
        found = notes(with_helper(script))
        check(found and not any("MHz" in note for note in found), script, found)


def test_the_helper_is_told_one_cpu_of_each_node():
    log = WORK / "helper-told"
    log.unlink(missing_ok=True)
    with_helper(f"#!/bin/sh\necho \"$@\" >>'{log}'\nprintf 'end\\n'\n")
    nodes = [name for name in os.listdir("/sys/devices/system/node") if name.startswith("node")] \
        if os.path.isdir("/sys/devices/system/node") else ["one"]
    told = log.read_text().splitlines()
    check(0 < len(told) <= len(nodes), told, nodes)
    allowed = os.sched_getaffinity(0)
    for line in told:
        words = line.split()
        check(words[0] == "machine" and words[1] == "--cpu" and int(words[2]) in allowed, line)
        sizes = [int(word.partition(":")[2]) for word in words if ":" in word]
        check(all(size <= 64 << 20 for size in sizes), line)


def test_the_real_helper_measures():
    document = run("audit", "--measure", "--json").json()
    check(notes(document) and all(" MHz (" in note for note in notes(document)), notes(document))
    text = run("audit", "--measure").out
    check("measured: " in text and "MHz" in text, text)


def test_a_tree_cannot_be_measured():
    result = run("audit", "--measure", "--root", str(altra()))
    check(result.code == 64 and result.one_line_error() and "--root" in result.err, result.code, result.err)


def test_without_the_option_nothing_is_measured():
    document = run("audit", "--json").json()
    check(not notes(document), notes(document))
