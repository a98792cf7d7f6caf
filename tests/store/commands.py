# SPDX-License-Identifier: BSD-2-Clause
"""status, env and run."""
import os
import platform
import shutil
import subprocess

from tool import KEY, NEEDS, NEW, OLD, check, fresh, good, program, tool, tree

VARIABLES = ("PATH", "PKG_CONFIG_PATH", "LD_LIBRARY_PATH")


def installed(name, last="p"):
    prefix = fresh(name) / last
    good(tool(prefix, "apply", *OLD))
    good(tool(prefix, "apply", *NEEDS))
    return prefix


def test_status_says_what_is_there():
    prefix = installed("status")
    good(tool(prefix, "apply", *NEW))
    document = good(program("status", "--json", "--prefix", prefix)).json()
    trees = {(one["name"], one["version"], one["active"]) for one in document["results"]}
    check(trees == {("software", "2.0", True), ("other", "7", True), ("software", "1.0", False)}, trees)
    other = next(one for one in document["results"] if one["name"] == "other")
    check(other["path"] == str(tree(prefix, NEEDS)) and other["key"] == KEY["needs"], other)
    check(other["dependencies"] == [{"name": "software", "version": "1.0", "key": KEY["old"]}], other["dependencies"])
    check(other["compiler"]["version"] == "12.2.0" and other["flags"] == ["-mcpu=neoverse-n1"], other)
    summary = document["summary"]
    check((summary["generation"], summary["target"], summary["verified"]) == (3, "altra", False), summary)
    check([(one["number"], one["active"]) for one in summary["generations"]] == [(1, False), (2, False), (3, True)], summary)
    text = good(program("status", "--verbose", "--prefix", prefix)).out
    for words in ("generation  3", "not active", "-mcpu=neoverse-n1", str(tree(prefix, NEEDS))):
        check(words in text, words, text)


def test_status_of_nothing():
    top = fresh("status-nothing")
    for prefix in (top, top / "absent", top / "file/below"):
        if prefix.parent.name == "file":
            (top / "file").write_text("")
            check(program("status", "--prefix", prefix).code == 2, prefix)
            continue
        result = good(program("status", "--prefix", prefix))
        check("nothing" in result.out, result.out)
        document = good(program("status", "--json", "--prefix", prefix)).json()
        check(document["results"] == [] and document["summary"]["generation"] == 0, document)
    check(sorted(os.listdir(top)) == ["file"], os.listdir(top))


def evaluated(shell, lines, **variables):
    """The variables after a shell has read the lines."""
    script = lines + "\n" + "".join(f'printf "%s\\0" "${{{name}-unset}}"\n' for name in VARIABLES)
    done = subprocess.run([shutil.which(shell), "-c", script], stdout=subprocess.PIPE, check=True,
                          env={"PATH": "/usr/bin:/bin", **variables})
    return dict(zip(VARIABLES, done.stdout.decode().split("\0")))


def test_lines_for_a_shell():
    for last in ("p", "with blanks", "it's \"q\" $HOME `x` \\ größe", "new\nline", "*"):
        prefix = installed("env", last)
        lines = good(program("env", "--prefix", prefix)).out
        more = good(program("env", "--library-path", "--prefix", prefix)).out
        current = f"{prefix}/current"
        for shell in ("dash", "bash"):
            if not shutil.which(shell):
                continue
            found = evaluated(shell, lines)
            check(found == {"PATH": f"{current}/other/bin:{current}/software/bin:/usr/bin:/bin",
                            "PKG_CONFIG_PATH": f"{current}/other/lib/pkgconfig:{current}/software/lib/pkgconfig",
                            "LD_LIBRARY_PATH": "unset"}, shell, last, found)
            found = evaluated(shell, more, LD_LIBRARY_PATH="/x y", PKG_CONFIG_PATH="/a b:/c")
            check(found["LD_LIBRARY_PATH"] == f"{current}/other/lib:{current}/software/lib:/x y", found)
            check(found["PKG_CONFIG_PATH"].endswith("/software/lib/pkgconfig:/a b:/c"), found)


def test_a_prefix_with_a_colon_is_said():
    prefix = installed("colon", "a:b")
    for arguments in (["env"], ["run"]):
        result = program(*arguments, "--prefix", prefix, *(["true"] if arguments == ["run"] else []))
        check(result.code == 2 and "colon" in result.err, arguments, result.code, result.err)


def test_trees_for_another_architecture_are_said():
    lines = good(program("env", "--prefix", installed("arch"))).out
    check(lines.startswith("# built for aarch64") == (platform.machine() != "aarch64"), lines)


def test_run_passes_everything_on():
    prefix = installed("run")
    base = ["run", "--prefix", prefix]
    check(program(*base, "software").out == "software 1.0\n")
    result = program(*base, "--", "sh", "-c", 'echo "$PATH|$0|$1"; echo err >&2; exit 37', "--json", "-x y")
    check(result.code == 37 and result.err == "err\n", result.code, result.err)
    check(result.out.startswith(f"{prefix}/current/other/bin:{prefix}/current/software/bin:"), result.out)
    check(result.out.endswith("|--json|-x y\n"), result.out)
    # options of the command are its own, with and without --
    check(program(*base, "printf", "%s", "--help").out == "--help")
    check(program(*base, "sh", "-c", "kill -TERM $$").code == -15)
    check("LD_LIBRARY_PATH" not in program(*base, "env").out)
    check("LD_LIBRARY_PATH=" + str(prefix) in program("run", "--library-path", "--prefix", prefix, "env").out)


def test_run_of_what_cannot_be_started():
    prefix = installed("cannot")
    (prefix.parent / "no-program").write_text("x")
    for command, code in (("absent-program", 127), ("/nonexistent/x", 127), (str(prefix.parent), 126),
                          (str(prefix.parent / "no-program"), 126)):
        result = program("run", "--prefix", prefix, command)
        check(result.code == code and result.err.count("\n") == 1 and command in result.err, command, result.code, result.err)


def test_run_gives_back_the_signals_that_this_program_ignores():
    prefix = installed("signals")
    result = program("run", "--prefix", prefix, "sh", "-c", "grep SigIgn /proc/self/status")
    ignored = int(result.out.split()[1], 16)
    # SIGPIPE is 13, SIGXFSZ 25
    check(not ignored & (1 << 12 | 1 << 24), result.out)


SOURCE = r"""
const char *OpenSSL_version(int which);
__attribute__((used)) static const char compiled[] = TEXT;
int main(void) { return OpenSSL_version(0) == 0 || compiled[0] == 0; }
"""


def test_a_program_that_was_compiled_against_an_older_openssl_is_warned_of():
    """The libcrypto of this machine is the newer one; what a program was compiled against stands in it as a text."""
    top = fresh("older")
    prefix = installed("older-prefix")
    rows = (("OpenSSL 1.0.0 1 Jan 2010", True), ("OpenSSL 9.9.9 1 Jan 2030", False), ("nothing", False))
    library = next((path for path in (f"/usr/lib/{platform.machine()}-linux-gnu/libcrypto.so.3", "/usr/lib64/libcrypto.so.3")
                    if os.path.exists(path)), None)
    check(library, "this machine has no libcrypto.so.3 to load")
    for number, (text, warned) in enumerate(rows):
        source = top / f"{number}.c"
        source.write_text(SOURCE)
        subprocess.run(["gcc", "-o", str(top / str(number)), str(source), f'-DTEXT="{text}"', library], check=True)
        result = good(program("run", "--prefix", prefix, top / str(number)))
        check(("compiled against OpenSSL 1.0.0" in result.err) == warned, text, result.err)
        check(warned or result.err == "", text, result.err)
