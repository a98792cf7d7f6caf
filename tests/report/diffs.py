# SPDX-License-Identifier: BSD-2-Clause
"""`diff` of bench, setup, tune, detect and audit: each in both directions."""
from program import check, finding, fresh, host, measured, result_of, run, write

MIRROR = {"better": "worse", "worse": "better", "changed": "changed", "removed": "added", "added": "removed"}
LATER = "2026-02-01T00:00:00Z"


def tree(name="openssl", version="3.4.0", key="0123456789abcdef", state="built"):
    return {"name": name, "version": version, "key": key, "state": state, "path": f"/p/{key}", "why": "", "log": None,
            "elapsed_s": 1, "sources": ["u sha"], "depends": [], "system": [], "steps": [], "proof": []}


def setting(state, got="performance"):
    return {"id": "governor/policy0", "check": "cpu.governor", "kind": "word", "path": "/sys/x", "before": "ondemand",
            "wanted": "performance", "got": got, "state": state, "reason": None, "group": None, "least": 0}


# command, one result before, one after, kinds and ids of what changed
CASES = [
    ("bench", measured(10.0), measured(9.0), [("worse", "dpdk/aes-gcm-128/crypto_openssl/1024/1")]),
    ("bench", measured(10.0), measured(10.05), []),
    ("bench", measured(10.0), measured(9.0, version="3.5"), [("worse", "dpdk/aes-gcm-128/crypto_openssl/1024/1")]),
    ("bench", measured(10.0), measured(10.0, outcome="fail"), [("worse", "dpdk/aes-gcm-128/crypto_openssl/1024/1")]),
    ("bench", measured(10.0), measured(9.0, suite_version=7), [("changed", "dpdk/aes-gcm-128/crypto_openssl/1024/1")]),
    ("bench", measured(10.0), measured(10.0, estimate=None, outcome="na"),
     [("changed", "dpdk/aes-gcm-128/crypto_openssl/1024/1")]),
    ("bench", measured(10.0), measured(10.0, size=64), [("added", "dpdk/aes-gcm-128/crypto_openssl/64/1"),
                                                        ("removed", "dpdk/aes-gcm-128/crypto_openssl/1024/1")]),
    ("setup", tree(), tree(), []),
    ("setup", tree(), tree(state="active"), []),
    ("setup", tree(), tree(version="3.5.0"), [("changed", "tree.openssl.version")]),
    ("setup", tree(), tree(key="f" * 16), [("changed", "tree.openssl.key")]),
    ("setup", tree(), tree(state="failed"), [("worse", "tree.openssl")]),
    ("setup", tree(), tree("dpdk"), [("added", "tree.dpdk"), ("removed", "tree.openssl")]),
    ("tune", setting("applied"), setting("refused", "ondemand"), [("worse", "governor/policy0")]),
    ("tune", setting("applied"), setting("applied"), []),
    ("detect", {"name": "gcc", "accepted": "-mcpu=a"}, {"name": "gcc", "accepted": "-mcpu=b"}, [("changed", "compiler.gcc.accepted")]),
    ("audit", finding("a.b"), finding("a.b", severity="low"), [("changed", "a.b")]),
    ("audit", finding("a.b", "fail"), finding("a.b", "fail", severity="critical"), [("worse", "a.b")]),
]


def changes(command, before, after, more_before=None, more_after=None):
    where = fresh("diffs")
    paths = [write(where / "a.json", result_of(command, [before], **(more_before or {}))),
             write(where / "b.json", result_of(command, [after], LATER, **(more_after or {})))]
    done = run("diff", "--json", *paths)
    document = done.document()
    check(done.code == int(any(row["kind"] == "worse" for row in document["results"])), done.code, document["results"])
    return document


def test_what_changed_is_said_in_both_directions():
    for number, (command, before, after, wanted) in enumerate(CASES):
        found = [(row["kind"], row["id"]) for row in changes(command, before, after)["results"]]
        check(sorted(found) == sorted(wanted), number, command, found, wanted)
        found = [(row["kind"], row["id"]) for row in changes(command, after, before)["results"]]
        wanted = [(MIRROR[kind], name) for kind, name in wanted]
        check(sorted(found) == sorted(wanted), number, command, "backwards", found, wanted)


def test_what_else_changed_stands_beside_a_rate():
    row, = changes("bench", measured(10.0), measured(9.0, version="3.5", explain=["cpu.governor: ondemand"]))["results"]
    check("3.4.0" in row["note"] and "3.5" in row["note"] and "cpu.governor: ondemand" in row["note"], row)
    row, other = changes("bench", measured(10.0), measured(9.0), None, dict(of=host(kernel="6.9")))["results"]
    check(row["kind"] == "worse" and "6.9" in row["note"] and other["id"] == "host.kernel", row, other)


def test_another_machine_is_said_and_its_rates_are_not_judged():
    document = changes("bench", measured(10.0), measured(9.0), None, dict(of=host(sku="Q64-22")))
    rows = {row["id"]: row["kind"] for row in document["results"]}
    check(rows == {"dpdk/aes-gcm-128/crypto_openssl/1024/1": "changed", "host.sku": "changed"}, rows)
    check(any("different machines" in one["text"] for one in document["messages"]), document["messages"])
    check(not changes("audit", finding("a.b"), finding("a.b"))["messages"], "the same machine needs no message")


def test_another_role_is_said():
    for one, other, said in ((["--role", "dpdk"], [], True), (["--role=dpdk"], ["--role", "tls"], True),
                             (["--role=tls"], ["--role", "tls"], False), ([], [], False)):
        document = changes("audit", finding("a.b"), finding("a.b"), dict(argv=one), dict(argv=other))
        check(any("role" in message["text"] for message in document["messages"]) == said, one, other, document["messages"])


def test_an_older_second_report_is_said():
    document = changes("audit", finding("a.b"), finding("a.b"), dict(started="2027-01-01T00:00:00Z"))
    check(any("older" in message["text"] for message in document["messages"]), document["messages"])


def test_two_of_two_kinds_are_refused():
    where = fresh("kinds")
    one = write(where / "a.json", result_of("audit", []))
    other = write(where / "b.json", result_of("bench", []))
    done = run("diff", one, other)
    check(done.code == 2 and "of one kind" in done.err, done.err)


def test_twenty_thousand_results_are_compared():
    where = fresh("many-results")
    rows = [measured(10.0, size=64 + n) for n in range(20000)]
    for row in rows:
        del row["library"], row["raw"], row["explain"]
    path = write(where / "a.json", result_of("bench", rows))
    rows[7]["outcome"] = "fail"
    other = write(where / "b.json", result_of("bench", list(reversed(rows)), LATER))
    done = run("diff", "--json", path, other)
    document = done.document()
    check([row["id"] for row in document["results"]] == [rows[7]["id"]] and document["summary"]["same"] == 19999, document["summary"])
    write(path, result_of("bench", rows + [measured(1.0)]))
    check(run("diff", path, other).code == 2, "one more is too many")
