# SPDX-License-Identifier: BSD-2-Clause
"""What is said about wrong command lines, and the exit statuses."""
import os

from program import COMMANDS, WORK, altra, check, environment, run

# arguments, exit status, words of the one line on standard error
WRONG = [
    ([], 64, "command is missing"),
    (["adit"], 64, "did you mean 'audit'"),
    (["detetc"], 64, "did you mean 'detect'"),
    (["xyzzyxyzzy"], 64, "unknown command 'xyzzyxyzzy'"),
    (["--jsno"], 64, "unknown option '--jsno'"),
    (["--versoin"], 64, "did you mean '--version'"),
    (["--json", "audit"], 64, "stands after a command"),
    (["audit", "--rot", "/"], 64, "did you mean '--root'"),
    (["audit", "--stirct"], 64, "did you mean '--strict'"),
    (["audit", "--root"], 64, "'--root' needs a DIR|CAPTURE"),
    (["audit", "--root="], 64, "not empty"),
    (["audit", "--json=yes"], 64, "takes no value"),
    (["audit", "--s"], 64, "ambiguous"),
    (["audit", "-z"], 64, "unknown option"),
    (["audit", "extra"], 64, "one argument too many"),
    (["audit", "--role", "dpkd"], 64, "did you mean 'dpdk'"),
    (["audit", "--fail-on", "hihg"], 64, "did you mean 'high'"),
    (["audit", "--color", "sometimes"], 64, "unknown WHEN"),
    (["audit", "--only", "cpu.govenor"], 64, "did you mean cpu.governor"),
    (["audit", "--profile", "altar"], 64, "did you mean 'altra'"),
    (["audit", "--output", "json"], 64, "FORMAT=PATH"),
    (["audit", "--output", "jsno=x"], 64, "did you mean 'json'"),
    (["audit", "--output", "json=x", "--output", "text=x"], 64, "named twice"),
    (["audit", "--json", "--output", "text=-"], 64, "one format"),
    (["explain"], 64, "ID... is missing"),
    (["explain", "cpu.govenor"], 64, "did you mean 'cpu.governor'"),
    (["list"], 64, "is missing"),
    (["list", "cheks"], 64, "did you mean 'checks'"),
    (["list", "suits"], 64, "did you mean 'suites'"),
    (["explain", "aes-gcm-127"], 64, "unknown check, fact, recipe or case 'aes-gcm-127', did you mean 'aes-gcm-12"),
    (["rollback", "--to", "x"], 64, "number of a generation"),
    (["run"], 64, "is missing"),
    (["run", "--"], 64, "is missing"),
    (["env", "--prefix", "/nonexistent"], 2, "nothing is installed"),
    (["rollback", "--prefix", "/nonexistent"], 2, "nothing is installed"),
    (["remove", "--prefix", "/nonexistent", "x"], 2, "nothing is installed"),
    (["schema", "adit"], 64, "did you mean 'audit'"),
    (["completion", "bsah"], 64, "did you mean 'bash'"),
    (["diff", "one"], 64, "is missing"),
    (["diff", "-", "-"], 64, "only one"),
    (["capture"], 64, "FILE is missing"),
    (["inspect"], 64, "FILE... is missing"),
    (["inpsect", "x"], 64, "did you mean 'inspect'"),
    (["inspect", "--probe", "x"], 64, "unknown option"),
    (["inspect", "--profile", "altar", "/bin/sh"], 64, "did you mean 'altra'"),
    (["inspect", "--root", "/nonexistent", "x"], 2, "/nonexistent"),
    (["capture", "-", "--json"], 64, "leave --json"),
    (["detect", "--root", "/", "--cpuinfo", "x"], 64, "exclude each other"),
    (["audit", "--root", "/nonexistent"], 2, "/nonexistent"),
    (["detect", "--cpuinfo", "/nonexistent"], 2, "/nonexistent"),
    (["audit", "--waivers", "/nonexistent"], 2, "/nonexistent"),
    (["diff", "/nonexistent", "/nonexistent"], 2, "/nonexistent"),
]


def test_wrong_command_lines_get_one_line_with_the_nearest_right_word():
    for arguments, code, words in WRONG:
        result = run(*arguments)
        check(result.code == code, arguments, result.code, result.err)
        check(result.one_line_error() and words in result.err, arguments, result.err)
        check(result.out == "", arguments, result.out)


def test_an_audit_that_judges_nothing_does_not_pass():
    # ampere-crypto(1), exit status: 77 when nothing is applicable; kernel.vfio is judged for dpdk only
    for arguments in (["--only", "kernel.vfio"], ["--skip", "*"], ["--only", "kernel.vfio", "--strict"]):
        result = run("audit", *arguments)
        check(result.code == 77, arguments, result.code, result.err)
        check("no check is left" in " ".join(result.out.split()), arguments, result.out)


def test_help_is_on_standard_output_and_names_every_command():
    result = run("--help")
    check(result.code == 0 and result.err == "", result.code, result.err)
    for command in COMMANDS:
        check(f"\n  {command} " in result.out, command)
        help_text = run(command, "--help")
        check(help_text.code == 0 and help_text.out.startswith(f"Usage: ampere-crypto {command}"), command,
              help_text.out, help_text.err)


def test_the_version_is_one_line_without_reading_profiles():
    result = run("--version")
    check(result.code == 0 and result.out.startswith("ampere-crypto ") and result.out.count("\n") == 1, result.out)
    check(run("version").out.split() == result.out.split(), result.out)


def test_exit_statuses_of_audit():
    root = str(altra())
    governor = ["audit", "--root", root, "--only", "cpu.governor"]
    check(run(*governor).code == 1, "a high finding fails by default", run(*governor).out)
    check(run(*governor, "--fail-on", "critical").code == 0, "high is below critical")
    check(run(*governor, "--fail-on", "never").code == 0)
    check(run(*governor, "--fail-on", "low").code == 1)
    check(run(*governor, "--strict").code == 1, "findings come before unknowns")
    unknown = ["audit", "--root", root, "--only", "software.compiler"]
    check(run(*unknown).code == 0, run(*unknown).out)
    check(run(*unknown, "--strict").code == 3)


def test_trouble_comes_before_findings():
    result = run("audit", "--root", str(altra()), "--only", "cpu.governor", "--output", "json=/nonexistent/x")
    check(result.code == 2 and result.one_line_error() and "/nonexistent/x" in result.err, result.code, result.err)


def test_nothing_applicable_is_a_skip_for_harnesses():
    cpuinfo = "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu aes\n"
    root = str(altra("x86", **{"/proc/cpuinfo": {"text": cpuinfo}, "/sys/devices/soc0/soc_id": {"errno": "ENOENT"},
                               "/sys/devices/system/cpu/cpufreq": {"errno": "ENOENT"}}))
    result = run("audit", "--root", root, "--only", "cpu.governor", "--json")
    outcomes = [finding["outcome"] for finding in result.json()["results"]]
    check(outcomes == ["na"] and result.code == 77, outcomes, result.code)


def test_hostile_arguments_are_shown_harmlessly():
    for word in [b"\xff\xfe", b"a\x1b[2J", b"x" * 100000, b"%s%n%s%n", b"--%s%n", b"-\xff", b"--\xff=\xfe", b"\xe2\x80\xae"]:
        for arguments in ([word], [b"audit", word], [b"audit", b"--only", word], [b"explain", word],
                          [b"audit", b"--root", word], [b"diff", word, word], [b"list", word],
                          [b"detect", b"--cpuinfo", word], [b"audit", b"--output", word]):
            result = run(*arguments)
            check(result.code in (2, 64), arguments, result.code)
            check(result.one_line_error(), arguments, result.err)
            check(b"\x1b" not in result.raw_err and len(result.raw_err) < 2000, arguments, result.err)
            result.raw_err.decode("utf-8")


def test_locales_change_nothing():
    expected = run("audit", "--root", str(altra()), "--all").raw
    for locale in ["C", "POSIX", "C.UTF-8", "tr_TR.UTF-8", "de_DE.ISO-8859-1", "nonsense"]:
        result = run("audit", "--root", str(altra()), "--all", env=environment(LC_ALL=locale, LANG=locale))
        check(result.raw == expected, locale, result.out)
        check(run("audit", "--root", "/nonexistent", env=environment(LC_ALL=locale)).err ==
              "ampere-crypto audit: --root /nonexistent: No such file or directory\n", locale)


def test_an_empty_environment_and_a_missing_home_are_fine():
    result = run("audit", "--root", str(altra()), env={"PATH": ""})
    check(result.code == 1, result.code, result.err)
    check(os.listdir(WORK), "nothing is removed")
