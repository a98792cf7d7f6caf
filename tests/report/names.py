# SPDX-License-Identifier: BSD-2-Clause
"""Which results are of one machine, and what machines are called."""
import os

from program import check, finding, fresh, report, result_of, run, write

LATER = "2026-02-01T00:00:00Z"


def labels(*arguments):
    return {machine["label"]: len(machine["files"]) for machine in report(*arguments)["results"]}


def world():
    where = fresh("names")
    for name in ("web1", "web2", "web10"):
        write(where / f"{name}.json", result_of("audit", [finding("a.b")]))
    for directory in ("x", "y"):
        (where / directory).mkdir()
        write(where / directory / "audit.json", result_of("audit", [finding("a.b")]))
        write(where / directory / "later.json", result_of("audit", [finding("a.b")], LATER))
    return where


def test_names_come_from_files_directories_and_labels():
    where = world()
    rows = [
        (["web1.json", "web2.json"], {"web1": 1, "web2": 1}),
        (["x", "y/"], {"x": 2, "y": 2}),
        (["x/audit.json", "y/audit.json"], {"x/audit": 1, "y/audit": 1}),
        (["m=web1.json", "m=web2.json", "n=x"], {"m": 2, "n": 2}),
        (["m=x", "m=y", "web1.json"], {"m": 4, "web1": 1}),
        (["./web1.json"], {"web1": 1}),
        ([f"{where}/x", "web1.json"], {"x": 2, "web1": 1}),
    ]
    os.chdir(where)
    for arguments, wanted in rows:
        check(labels(*arguments) == wanted, arguments, labels(*arguments), wanted)


def test_machines_stand_by_number():
    where = world()
    os.chdir(where)
    check(list(labels("web10.json", "web2.json", "web1.json")) == ["web1", "web2", "web10"])


def test_an_equals_sign_behind_a_slash_is_of_the_file():
    where = world()
    os.chdir(where)
    write(where / "a=b.json", result_of("audit", [finding("a.b")]))
    check(labels("./a=b.json") == {"a=b": 1}, labels("./a=b.json"))
    done = run("report", "a=b.json")
    check(done.code == 2 and "b.json" in done.err, done.err)


def test_links_in_a_directory_are_read_once():
    where = world()
    os.chdir(where)
    os.symlink("later.json", "x/latest.json")
    os.link("y/audit.json", "y/again.json")
    check(labels("x", "y") == {"x": 2, "y": 2}, labels("x", "y"))


def test_wrong_usage():
    where = world()
    os.chdir(where)
    os.symlink("web1.json", "link.json")
    rows = [
        ([], "is missing"), (["web1.json", "web1.json"], "one file"), (["web1.json", "./web1.json"], "one file"),
        (["web1.json", "link.json"], "one file"), (["a=web1.json", "b=web1.json"], "one file"),
        (["x", "x/audit.json"], "one file"), (["-", "-"], "standard input"), (["a=-", "-"], "standard input"),
        (["=web1.json"], "LABEL=FILE"), (["a="], "LABEL=FILE"), (["web2=web1.json", "web2.json"], "called 'web2'"),
        (["a" * 201 + "=web1.json"], "at most 200"), (["--output", "pdf=x", "web1.json"], "unknown format"),
    ]
    for arguments, words in rows:
        done = run("report", *arguments)
        check(done.code == 64 and words in done.err and not done.out, arguments, done.code, done.err)


def test_standard_input_is_a_file():
    where = world()
    text = (where / "web1.json").read_bytes()
    for argument, label in (("-", "standard input"), ("m=-", "m")):
        done = run("report", "--json", argument, stdin=text)
        check([machine["label"] for machine in done.document()["results"]] == [label], done.out)
