# SPDX-License-Identifier: BSD-2-Clause
"""The pages of docs/: every block of commands runs here, or says why not, and then its commands and options are there.

A block of commands is preceded by `<!-- runs: status N -->` or `<!-- not run: reason -->`. Blocks of a page run one after the
other in one directory, where `ampere-crypto` is on an Altra as it comes from the factory."""
import os
import re
import shutil
import subprocess
import sys

from program import PROGRAM, TOP, WORK, check, environment, run

PAGES = sorted((TOP / "docs").glob("*.md"))
BLOCK = re.compile(r"(?:^<!-- (runs: status (\d+)|not run: (.+)) -->\n)?^```sh\n(.*?)^```$", re.M | re.S)
LINES_MAX, LIMIT_S = 120, 120
MACHINE = "altra-1p-defaults"
# The commands that look at a machine look at the described one.
WRAPPER = """#!/bin/sh
case $1 in
{looking}) command=$1; shift
    case " $* " in
    *" --root"*|*" --help "*) exec "{program}" "$command" "$@" ;;
    esac
    exec "{program}" "$command" --root "{capture}" "$@" ;;
esac
exec "{program}" "$@"
"""


def options_of(command):
    return set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", run(command, "--help").out, re.M))


def commands_there():
    return set(re.findall(r"^  ([a-z][a-z-]*) {2,}\S", run("--help").out, re.M))


def blocks(page):
    return list(BLOCK.finditer(page.read_text()))


def calls(script):
    """The command lines of a script that call the program, as words."""
    for line in script.replace("\\\n", " ").splitlines():
        for part in re.split(r"[|;]|&&|\$\(", line.split(" #")[0]):
            words = part.strip().strip(")\"'").split()
            if words and os.path.basename(words[0]) == "ampere-crypto":
                yield words[1:]


def place(name):
    """A directory for the blocks of a page, with the program first on PATH."""
    top = WORK / "guide" / name
    shutil.rmtree(top, ignore_errors=True)
    (top / "bin").mkdir(parents=True)
    (top / "work").mkdir()
    capture = top / "machine.json"
    subprocess.run([sys.executable, "-B", TOP / "tests/hosts/gen/host.py", TOP / f"tests/hosts/machines/{MACHINE}.json",
                    "--capture", capture], check=True)
    looking = "|".join(sorted(name for name in commands_there() if "--root" in options_of(name) and name != "bench"))
    wrapper = top / "bin/ampere-crypto"
    wrapper.write_text(WRAPPER.format(looking=looking, program=PROGRAM, capture=capture))
    wrapper.chmod(0o755)
    return top


def test_there_are_pages_with_commands():
    check(len(PAGES) >= 4, PAGES)
    for page in PAGES:
        check(blocks(page), page.name, "has no block of commands")
        check(len(page.read_text().splitlines()) <= LINES_MAX, page.name, "is too long")


def test_blocks_run():
    for page in PAGES:
        top = place(page.stem)
        for number, block in enumerate(blocks(page), 1):
            check(block.group(1), page.name, number, "neither runs nor says why not")
            if block.group(2) is None:
                continue
            done = subprocess.run(["sh", "-eu", "-c", block.group(4)], cwd=top / "work", stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT_S, check=False, text=True,
                                  env=environment(PATH=f"{top}/bin:{os.environ['PATH']}", COLUMNS="80"))
            check(done.returncode == int(block.group(2)), page.name, number, done.returncode, done.stderr[-300:])
            check("Sanitizer" not in done.stderr and "runtime error" not in done.stderr, page.name, number, done.stderr)


def test_commands_and_options_of_every_block_are_there():
    there, seen = commands_there(), 0
    for page in PAGES:
        for block in blocks(page):
            for words in calls(block.group(4)):
                seen += 1
                check(words and words[0] in there, page.name, words)
                used = {word.split("=")[0] for word in words if word.startswith("--")} - {"--"}
                check(used <= options_of(words[0]), page.name, words, "unknown", used - options_of(words[0]))
    check(seen >= 10, seen, "calls were found")


def test_scripts_that_are_called_are_there():
    for page in PAGES:
        for block in blocks(page):
            for found in re.findall(r"^(?:sh |/?)((?:contrib|tests)/\S+)", block.group(4), re.M):
                check((TOP / found).exists(), page.name, found)


def test_links_lead_somewhere():
    for page in PAGES:
        for found in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
            if "://" not in found:
                check((page.parent / found).exists(), page.name, found)
    readme = (TOP / "README.md").read_text()
    for page in PAGES:
        check(f"docs/{page.name}" in readme, "README.md does not link", page.name)


def test_scripts_are_right_for_dash():
    for page in PAGES:
        for block in blocks(page):
            done = subprocess.run(["sh", "-n"], input=block.group(4), text=True, stderr=subprocess.PIPE, check=False)
            check(done.returncode == 0, page.name, done.stderr, block.group(4)[:60])
