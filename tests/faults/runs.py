# SPDX-License-Identifier: BSD-2-Clause
"""Many runs at once on one prefix, and machines with very many CPUs."""
import os
import subprocess

from base import LIMIT_S, NAMES, PROGRAM, RELEASE, check, environment, fresh, gone, good, says, start, usual, whole

RUNS = 50


def at_once(commands):
    """All begin before any is waited for: exit statuses and what they said."""
    program = [subprocess.Popen(argv, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE) for argv in commands]
    return [(run.wait(LIMIT_S), run.stderr.read().decode("utf-8", "replace")) for run in program]


def fast():
    return RELEASE if RELEASE.exists() else PROGRAM


def test_fifty_runs_at_once():
    top = fresh("fifty")
    recipes, prefix = usual(top), top / "p"
    ended = at_once([recipes.setup(prefix, *NAMES, "--quiet", program=fast()) for _ in range(RUNS)])
    check({code for code, _ in ended} <= {0, 5} and 0 in {code for code, _ in ended}, [end for end in ended if end[0] not in (0, 5)][:3])
    check(all(code == 0 or "in use by another run" in text for code, text in ended), ended[:3])
    check([says(prefix, name) for name in NAMES] == ["alpha 2.0", "beta 1.0", "gamma 1.0"])
    whole(prefix)
    gone(prefix)


def test_fifty_runs_that_wait():
    top = fresh("fifty-wait")
    recipes, prefix = usual(top), top / "p"
    ended = at_once([recipes.setup(prefix, *NAMES, "--quiet", "--wait", program=fast()) for _ in range(RUNS)])
    check({code for code, _ in ended} == {0}, [end for end in ended if end[0]][:3])
    check(len(list((prefix / "generations").iterdir())) == 1, list((prefix / "generations").iterdir()))
    whole(prefix)
    gone(prefix)


def test_setup_against_remove():
    """Whoever comes last wins; each ends with 0 or 5, and what is there is whole or nothing."""
    top = fresh("against")
    recipes, prefix = usual(top), top / "p"
    commands = []
    for index in range(RUNS // 2):
        wait = ["--wait"] if index % 2 else []
        commands.append(recipes.setup(prefix, NAMES[index % 3], "--quiet", *wait, program=fast()))
        commands.append([str(fast()), "remove", "--quiet", "--prefix", str(prefix), *wait])
    ended = at_once(commands)
    check({code for code, _ in ended} <= {0, 5}, [end for end in ended if end[0] not in (0, 5)][:3])
    if (prefix / "current").exists():
        whole(prefix)
    good(start(recipes.setup(prefix, *NAMES, program=fast())))
    check([says(prefix, name) for name in NAMES] == ["alpha 2.0", "beta 1.0", "gamma 1.0"])
    gone(prefix)


def test_very_many_jobs():
    top = fresh("jobs")
    recipes, prefix = usual(top), top / "p"
    for jobs, code in (("4096", 0), ("0", 64), ("4097", 64), ("-1", 64), ("x", 64), ("18446744073709551617", 64)):
        result = start(recipes.setup(prefix, "gamma", f"--jobs={jobs}"))
        check(result.code == code, jobs, result.code, result.err)
    gone(prefix)
