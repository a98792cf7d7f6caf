# SPDX-License-Identifier: BSD-2-Clause
"""What a real shell makes of a line that somebody types with the Tab key: the words that the program is started with."""
import os
import pty
import select
import shutil
import subprocess
import termios
import time

from completions import script
from program import WORK, check

# What is typed, Tab as \t; the words that the program then gets. In each case Tab has one thing to offer.
CASES = [
    ("aud\t", ["audit"]),
    ("audit --wai\t", ["audit", "--waivers"]),
    ("audit --waivers two\t", ["audit", "--waivers", "two words.json"]),
    ("audit --waivers col\t", ["audit", "--waivers", "colon:ized.json"]),
    ("audit --waivers plain-d\tinn\t", ["audit", "--waivers", "plain-dir/inner (1).json"]),
    ("audit --output markd\ttwo\t", ["audit", "--output", "markdown=two words.json"]),
    ("audit --output json=col\t", ["audit", "--output", "json=colon:ized.json"]),
    ("audit --output=json=two\t", ["audit", "--output=json=two words.json"]),
    ("audit --role ips\t", ["audit", "--role", "ipsec"]),
    ("audit --only memory.numa-b\t", ["audit", "--only", "memory.numa-balancing"]),
    ("setup aarch\t", ["setup", "aarch64cryptolib"]),
    ("bench scal\t", ["bench", "scaling"]),
    ("explain snow3g-uia\t", ["explain", "snow3g-uia2"]),
    ("diff two\tcol\t", ["diff", "two words.json", "colon:ized.json"]),
]
FILES = ("two words.json", "colon:ized.json", "plain-dir/inner (1).json")
LIMIT_S = 20
PROMPT = "ready> "
STARTS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "PS1='rea''dy> '; bind 'set bell-style none'; source {script}"),
    "zsh": (["zsh", "-f", "-i"], "PS1='rea''dy> '; autoload -Uz compinit; compinit -u -D; unsetopt beep; source {script}"),
    "fish": (["fish", "--no-config", "-i"],
             "function fish_prompt; printf 'rea%s> ' dy; end; set -g fish_autosuggestion_enabled 0; source {script}"),
}


class Terminal:
    """A shell that has a terminal of its own and begins in a directory."""

    def __init__(self, argv, directory, env):
        self.side, other = pty.openpty()
        termios.tcsetwinsize(other, (24, 200))
        self.shell = subprocess.Popen(argv, cwd=directory, env=env, stdin=other, stdout=other, stderr=other,
                                      start_new_session=True, preexec_fn=lambda: os.close(os.open(os.ttyname(0), os.O_RDWR)))
        os.close(other)
        self.seen = ""

    def wait_for(self, found, what):
        """Reads until found() is true of what was seen since the last time."""
        until = time.monotonic() + LIMIT_S
        while not found(self.seen):
            left = until - time.monotonic()
            check(left > 0 and select.select([self.side], [], [], left)[0], "waited for", what, self.seen[-300:])
            piece = os.read(self.side, 65536).decode("utf-8", "replace")
            # A terminal that is asked what it is says so: fish waits for that.
            if "\033[c" in piece or "\033[0c" in piece:
                os.write(self.side, b"\033[?62;c")
            self.seen += piece

    def type(self, text):
        os.write(self.side, text.encode())

    def close(self):
        self.shell.kill()
        self.shell.wait()
        os.close(self.side)


def prepare(shell):
    """A directory of files, and a program that says how it was started, but answers what completion asks."""
    path, env = script(shell)
    directory = WORK / f"typed-{shell}"
    shutil.rmtree(directory, ignore_errors=True)
    for name in FILES:
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).touch()
    (directory / "bin").mkdir()
    program = directory / "bin/ampere-crypto"
    real = WORK / "bin/ampere-crypto"
    program.write_text(f'#!/bin/sh\n[ "$1" = list ] && exec "{real}" "$@"\n'
                       'for word; do printf "%s\\n" "$word"; done >"$CALLED.new"\nmv "$CALLED.new" "$CALLED"\n')
    program.chmod(0o755)
    env.update(PATH=f"{directory}/bin:{env['PATH']}", CALLED=str(directory / "called"), HOME=str(directory), TERM="xterm",
               ZDOTDIR=str(directory), XDG_CONFIG_HOME=str(directory / "config"), XDG_DATA_HOME=str(directory / "data"))
    return path, env, directory


def started_with(terminal, directory, typed, wanted):
    called = directory / "called"
    called.unlink(missing_ok=True)
    terminal.seen = ""
    *parts, rest = ("ampere-crypto " + typed).split("\t")
    for number, part in enumerate(parts):
        end = wanted[-1][-5:] if number == len(parts) - 1 else None
        before = len(terminal.seen)
        terminal.type(part + "\t")
        # The shell is done when the end of the last word, or anything beside the echo, is there.
        terminal.wait_for(lambda seen, end=end, before=before, part=part:
                          end in plain(seen) if end else len(plain(seen[before:])) > len(part), typed)
    terminal.type(rest + "\n")
    terminal.wait_for(lambda seen: PROMPT in seen.split("\n", 1)[-1] and called.exists(), f"{typed!r} to be run")
    return called.read_text().splitlines()


def plain(seen):
    """Without the quotes that shells put into names."""
    return seen.replace("\\", "")


def type_all(shell):
    path, env, directory = prepare(shell)
    argv, begin = STARTS[shell]
    terminal = Terminal(argv, directory, env)
    try:
        terminal.type(begin.format(script=path) + "\n")
        terminal.wait_for(lambda seen: PROMPT in seen, "the prompt")
        for typed, wanted in CASES:
            words = started_with(terminal, directory, typed, wanted)
            check(words == wanted, shell, typed, "started", words)
    finally:
        terminal.close()


def test_bash():
    type_all("bash")


def test_zsh():
    type_all("zsh")


def test_fish():
    type_all("fish")
