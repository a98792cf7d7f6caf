# SPDX-License-Identifier: BSD-2-Clause
"""Files that are no results: each is named, with what is wrong, and the rest is shown."""
import json
import os
import signal
import subprocess

from program import PROGRAM, check, environment, finding, fresh, report, result_of, run, write

GOOD = result_of("audit", [finding("a.b", "fail")])


def changed(**changes):
    return json.dumps({**GOOD, **changes})


# name, its text, what must be said of it
BROKEN = [
    ("empty", "", "empty.json"),
    ("cut", json.dumps(GOOD)[:-40], "cut.json:1:"),
    ("twice", json.dumps(GOOD) * 2, "twice.json:1:"),
    ("list", "[]", "schema"),
    ("null", "null", "schema"),
    ("no-schema", "{}", "schema"),
    ("other-program", '{"version": "2.1.0", "runs": []}', "schema"),
    ("other-command", changed(schema="ampere-crypto/list 1.0.0"), "ampere-crypto/list 1.0.0"),
    ("capture", changed(schema="ampere-crypto/capture 1.0.0"), "ampere-crypto/capture"),
    ("a-report", changed(schema="ampere-crypto/report 1.0.0"), "ampere-crypto/report"),
    ("major", changed(schema="ampere-crypto/audit 2.0.0"), "ampere-crypto/audit 2.0.0"),
    ("major-10", changed(schema="ampere-crypto/audit 10.0.0"), "ampere-crypto/audit 10.0.0"),
    ("no-results", changed(results=None), "results"),
    ("no-time", changed(started=None), "started"),
    ("bad-time", changed(started="yesterday"), "started"),
    ("bad-time-2", changed(started="2026-01-01T00:00:00Zjunk"), "started"),
    ("keys", '{"a": 1, "a": 2}', "keys.json:1:"),
    ("latin", '{"a": "\udcff"}', "latin.json:1:"),
    ("deep", "[" * 100000, "deep.json:1:"),
]


def write_all(where):
    for name, text, _ in BROKEN:
        (where / f"{name}.json").write_bytes(text.encode("utf-8", "surrogateescape"))


def test_each_broken_file_is_an_error_by_itself():
    where = fresh("broken")
    write_all(where)
    for name, _, words in BROKEN:
        done = run("report", where / f"{name}.json")
        check(done.code == 2 and not done.out, name, done.code, done.out)
        check(len(done.err.splitlines()) == 1 and words in done.err and f"{name}.json" in done.err, name, done.err)


def test_the_rest_is_shown_and_each_broken_one_named():
    where = fresh("broken")
    write_all(where)
    write(where / "good.json", GOOD)
    done = run("report", "--json", *sorted(where.iterdir()))
    document = done.document()
    check(done.code == 2 and [one["label"] for one in document["results"]] == ["good"], done.code, document["results"])
    check(document["summary"]["unreadable"] == len(BROKEN) and document["summary"]["files"] == 1, document["summary"])
    said = [message["text"] for message in document["messages"] if message["level"] == "error"]
    for name, _, words in BROKEN:
        check(sum(f"{name}.json" in text and words in text for text in said) == 1, name, said)
    check(len(done.err.splitlines()) == 1 and f"{len(BROKEN)} of {len(BROKEN) + 1} files" in done.err, done.err)
    text = run("report", *sorted(where.iterdir())).out
    check(all(f"{name}.json" in text.replace("\n  ", " ") for name, _, _ in BROKEN), text)


def test_what_is_no_file():
    where = fresh("no-file")
    (where / "empty").mkdir()
    good = write(where / "good.json", GOOD)
    for path, words in ((where / "empty", "without any .json"), (where / "gone.json", "No such file"), ("/dev/null/x", "Not a directory")):
        done = run("report", "--json", path, good)
        check(done.code == 2 and words in done.err and len(done.document()["results"]) == 1, path, done.err)
        check(run("report", path).code == 2, path)
    with open(where / "huge.json", "wb") as huge:
        huge.truncate(256 << 20)
    done = run("report", where / "huge.json", good)
    check(done.code == 2 and "huge.json: larger than" in done.err, done.err)
    (where / "huge.json").unlink()


def test_later_fields_and_odd_members_break_nothing():
    where = fresh("odd")
    results = [None, 3, "x", [], {}, {"id": 3}, {"id": "a"}, {"id": "a", "outcome": 7, "found": {"deep": [[[1]]]}},
               {"id": "b", "outcome": "splendid", "severity": "grave", "new": {}}]
    files = [write(where / f"{command}.json", result_of(command, results, new=[1], schema=f"ampere-crypto/{command} 1.99.0"))
             for command in ("audit", "bench", "detect", "setup", "tune")]
    document = report(*(f"m={path}" for path in files))
    check(len(document["results"]) == 1 and len(document["results"][0]["files"]) == 5, document["results"])
    write(where / "host.json", result_of("audit", [], host=3))
    check(report(where / "host.json")["results"][0]["family"] is None)


HOSTILE = "<script>alert(1)</script>\x1b[31m|`&\"'\u202e\n# x"


def test_hostile_strings_stay_text_in_every_format():
    where = fresh("hostile")
    documents = [result_of("audit", [finding("a.b", "fail", HOSTILE, title=HOSTILE, why=HOSTILE, fix=HOSTILE)],
                           of={**GOOD["host"], "kernel": HOSTILE + str(number)}) for number in range(2)]
    files = [write(where / f"<b>{number}.json", one) for number, one in enumerate(documents)]
    outputs = {name: where / f"page.{name}" for name in ("text", "markdown", "html", "csv", "json")}
    done = run("report", "--verbose", *(f"--output={name}={path}" for name, path in outputs.items()), *files)
    check(done.code == 0, done.err)
    for name, path in outputs.items():
        raw = path.read_bytes()
        check(b"\x1b" not in raw, name, "an escape went through")
        if name in ("html", "markdown"):
            check(b"<script>alert" not in raw and b"<b>" not in raw, name, "markup went through")
            check(b"alert(1)" in raw, name, "the text is gone")
    check(json.loads(outputs["json"].read_text())["summary"]["checks"][0]["title"] == HOSTILE, "JSON keeps it")
    check("\x1b" not in done.out, done.out)


def test_an_interrupted_report_leaves_nothing_behind():
    where = fresh("stop")
    read_end, write_end = os.pipe()
    page = where / "page.html"
    child = subprocess.Popen([PROGRAM, "report", f"--output=html={page}", "--output", f"json={where}/page.json", "-"],
                             stdin=read_end, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    os.close(read_end)
    # More than a pipe holds: when all of it is gone the program is reading.
    os.write(write_end, b'{"schema": "ampere-crypto/audit 1.0.0",' + b" " * 200000)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    os.close(write_end)
    check(child.returncode == -signal.SIGINT and not out, child.returncode, out)
    check(list(where.iterdir()) == [], list(where.iterdir()))
