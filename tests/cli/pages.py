# SPDX-License-Identifier: BSD-2-Clause
"""Manual pages and help say the same."""
import re

from program import TOP, check, run

# All there are, as --help lists them.
COMMANDS = re.findall(r"^  ([a-z][a-z-]*) {2,}\S", run("--help").out, re.M)


def options_of_help(command):
    return set(re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", run(command, "--help").out, re.M))


def options_of_page(command):
    page = (TOP / f"man/ampere-crypto-{command}.1.scd").read_text()
    return set(re.findall(r"^(?:\*-\w\*, )?\*(--[a-z-]+)\*", page, re.M))


def test_every_option_is_in_both():
    check(len(COMMANDS) > 15, COMMANDS)
    for command in COMMANDS:
        check(options_of_help(command) == options_of_page(command), command,
              options_of_help(command) ^ options_of_page(command))


def test_every_command_is_on_the_main_page():
    page = (TOP / "man/ampere-crypto.1.scd").read_text()
    named = set(re.findall(r"^\*([a-z]+)\*", page, re.M))
    check(set(COMMANDS) <= named, set(COMMANDS) - named)


def test_help_fits_eighty_columns():
    for arguments in [["--help"], *([command, "--help"] for command in COMMANDS)]:
        for line in run(*arguments).out.splitlines():
            check(len(line) <= 80, arguments, line)
