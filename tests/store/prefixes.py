# SPDX-License-Identifier: BSD-2-Clause
"""Which prefixes are used and which are refused; who may see what; one run at a time."""
import os
import stat
import subprocess

from tool import (NOBODY, OLD, PROGRAM, WORK, Skip, check, environment, fresh, generation, good, listing, program, says, tool,
                  tool_path, whole)


def as_nobody():
    """Options that start a program as a user without rights, where others may enter the checkout."""
    if os.geteuid() != 0:
        raise Skip("needs root to act as another user")
    who = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    if subprocess.run(["test", "-x", tool_path(), "-a", "-x", str(WORK)], check=False, **who).returncode:
        raise Skip("others may not enter the checkout")
    return who


def test_any_name_that_a_directory_can_have():
    top = fresh("names")
    for name in ("plain", "with blanks", "it's \"quoted\"", "größe ⁊ 長い", "-dash", "new\nline", "$HOME", "a;b", "x" * 200):
        prefix = top / name / "deeper"
        good(tool(prefix, "apply", *OLD))
        check(says(prefix) == "software 1.0", name)
        whole(prefix)
        good(tool(prefix, "remove"))
        check(listing(top) == {}, name, listing(top))


def test_relative_prefixes_and_slashes():
    top = fresh("relative")
    good(tool("here//there/", "apply", *OLD, cwd=top))
    check(says(top / "here/there") == "software 1.0")
    good(tool("here/there", "remove", cwd=top))
    check(listing(top) == {}, listing(top))


def test_links_in_the_path_are_resolved_once():
    top = fresh("links")
    (top / "real").mkdir()
    (top / "link").symlink_to("real")
    (top / "dangling").symlink_to("nowhere")
    (top / "loop").symlink_to("loop")
    good(tool(top / "link/prefix", "apply", *OLD))
    result = good(program("status", "--json", "--prefix", top / "link/prefix")).json()
    check(result["summary"]["prefix"] == str(top / "real/prefix"), result["summary"]["prefix"])
    for bad in ("dangling", "loop"):
        result = tool(top / bad, "apply", *OLD)
        check(result.code == 2 and str(top / bad) in result.err, bad, result.err)
    check(not (top / "nowhere").exists(), "nothing is made where a dangling link leads")


def test_dots_are_refused_where_nothing_is_yet():
    top = fresh("dots")
    result = tool(f"{top}/new/../other", "apply", *OLD)
    check(result.code == 2 and "'..'" in result.err, result.err)
    check(listing(top) == {}, listing(top))


def test_the_root_directory_is_no_prefix():
    for name in ("/", "//", "/.."):
        result = tool(name, "try")
        check(result.code == 2 and "root directory" in result.err, name, result.err)


def test_directories_that_others_can_write_to_are_refused():
    top = fresh("writable")
    good(tool(top / "p", "apply", *OLD))
    for name in ("", "store", "generations", "work", "cache", "logs"):
        (top / "p" / name).mkdir(exist_ok=True)
        (top / "p" / name).chmod(0o777)
        for result in (tool(top / "p", "apply", *OLD), program("status", "--prefix", top / "p"),
                       program("env", "--prefix", top / "p")):
            check(result.code == 2 and "everybody can write" in result.err and name in result.err, name, result.err)
        (top / "p" / name).chmod(0o755)
    good(tool(top / "p", "apply", *OLD))


def test_a_directory_above_that_others_can_write_to_needs_the_sticky_bit():
    top = fresh("above")
    (top / "a").mkdir()
    (top / "a").chmod(0o777)
    result = tool(top / "a/b/p", "apply", *OLD)
    check(result.code == 2 and "above the prefix" in result.err and str(top / "a") in result.err, result.err)
    (top / "a").chmod(0o1777)
    good(tool(top / "a/c/p", "apply", *OLD))


def test_our_own_directories_are_no_links():
    top = fresh("own-links")
    (top / "elsewhere").mkdir()
    (top / "elsewhere/precious").write_text("kept")
    good(tool(top / "p", "apply", *OLD))
    for name in ("work", "cache", "logs"):
        path = top / "p" / name
        if path.exists():
            subprocess.run(["rm", "-r", str(path)], check=True)
        path.symlink_to(top / "elsewhere")
        result = tool(top / "p", "apply", *OLD)
        check(result.code == 2 and name in result.err, name, result.err)
        check((top / "elsewhere/precious").read_text() == "kept")
        path.unlink()


def test_directories_of_other_users_are_refused():
    who = as_nobody()
    top = fresh("foreign")
    for owner, options in ((NOBODY, {}), (1, who)):
        path = top / str(owner)
        path.mkdir()
        os.chown(path, owner, owner)
        result = tool(path, "apply", *OLD, **options)
        check(result.code == 2 and f"belongs to user {owner}" in result.err, owner, result.err)
        check(list(path.iterdir()) == [], owner)
    os.chmod(top / "1", 0o755)
    for name in ("store", "cache"):
        good(tool(top / "mine", "apply", *OLD))
        (top / "mine" / name).mkdir(exist_ok=True)
        os.chown(top / "mine" / name, 1, 1)
        result = tool(top / "mine", "apply", *OLD)
        check(result.code == 2 and "belongs to user 1" in result.err, name, result.err)
        os.chown(top / "mine" / name, 0, 0)


def test_others_use_what_root_installed_and_cannot_change_it():
    who = as_nobody()
    top = fresh("shared")
    old = os.umask(0o077)
    try:
        good(tool(top / "p", "apply", *OLD))
    finally:
        os.umask(old)
    top.chmod(0o755)
    for arguments in (("status", "--verify"), ("env",)):
        good(program(*arguments, "--prefix", top / "p", **who))
    check(start_as(who, top) == "software 1.0")
    for arguments in (("remove",), ("rollback",)):
        result = program(*arguments, "--prefix", top / "p", **who)
        check(result.code == 2 and "Permission denied" in result.err, arguments, result.err)
    result = tool(top / "p", "apply", *OLD, **who)
    check(result.code == 2 and "Permission denied" in result.err, result.err)


def start_as(who, top):
    return subprocess.run([top / "p/current/software/bin/software"], stdout=subprocess.PIPE, text=True, check=True,
                          **who).stdout.strip()


def test_a_read_only_place_is_a_clean_error():
    who = as_nobody()
    top = fresh("read-only")
    top.chmod(0o755)
    result = tool(top / "p", "apply", *OLD, **who)
    check(result.code == 2 and "Permission denied" in result.err and result.err.count("\n") == 1, result.err)
    check(listing(top) == {})


def test_modes_do_not_depend_on_the_umask():
    seen = []
    for mask in (0o002, 0o022, 0o077, 0o000):
        top = fresh(f"umask-{mask:03o}")
        old = os.umask(mask)
        try:
            good(tool(top / "p", "apply", *OLD))
        finally:
            os.umask(old)
        modes = {str(path.relative_to(top)): stat.S_IMODE(path.lstat().st_mode) for path in top.rglob("*")
                 if not path.is_symlink() and "work" not in path.parts}
        check(not any(mode & 0o7022 for mode in modes.values()), mask, modes)
        seen.append(modes)
        whole(top / "p")
    check(all(modes == seen[0] for modes in seen), seen)


def test_a_directory_with_the_names_of_ours_that_is_not_ours_is_left_alone():
    for name in ("work", "cache", "store", "logs", "generations"):
        top = fresh("not-ours")
        (top / name).mkdir()
        (top / name / "precious").write_text("kept")
        result = tool(top, "apply", *OLD)
        check(result.code == 2 and "not of this program" in result.err, name, result.err)
        good(program("remove", "--prefix", top))
        check(listing(top) == {name: True, f"{name}/precious": False}, listing(top))


def test_a_second_run_ends_with_5_and_names_the_first():
    top = fresh("lock")
    with subprocess.Popen([tool_path(), top / "p", "hold"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env=environment()) as holder:
        check(holder.stdout.readline() == "held\n")
        result = tool(top / "p", "try")
        check(result.code == 5 and f"process {holder.pid}" in result.err, result.code, result.err)
        for command in (["rollback"], ["remove"]):
            result = program(*command, "--prefix", top / "p")
            check(result.code == 5 and f"process {holder.pid}" in result.err, command, result.code, result.err)
        good(program("status", "--prefix", top / "p"))
        holder.kill()
    good(tool(top / "p", "try"))


def test_a_run_that_waits_goes_on_when_the_first_ends():
    top = fresh("wait")
    with subprocess.Popen([tool_path(), top / "p", "hold"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          env=environment()) as holder:
        check(holder.stdout.readline() == "held\n")
        with subprocess.Popen([PROGRAM, "remove", "--wait", "--prefix", top / "p"], stderr=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True, env=environment()) as waiter:
            check(f"waiting for process {holder.pid}" in waiter.stderr.readline())
            holder.stdin.close()
            check(waiter.wait(60) == 0, waiter.stderr.read())
    check(listing(top) == {}, listing(top))


def test_fifty_runs_at_once():
    top = fresh("fifty")
    runs = [subprocess.Popen([tool_path(), top / "p", "apply", "software", f"{number}.0", f"{number:016x}", "altra", "no"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) for number in range(50)]
    for run in runs:
        out, err = run.communicate(timeout=300)
        check(run.returncode == 0, run.returncode, out, err)
    check(generation(top / "p") == 50, generation(top / "p"))
    check(len(list((top / "p/store").iterdir())) == 50)
    whole(top / "p")
