# SPDX-License-Identifier: BSD-2-Clause
"""What the documents hold: every command's JSON against its schema, and the two sides of diff."""
import copy
import json
import os
import re
import stat

import jsonschema

from program import COMMANDS, WORK, altra, check, installed, machine, run

SCHEMAS = ["audit", "capture-report", "check", "cpu", "detect", "diff", "explain", "finding", "inspect", "list", "manifest",
           "profile", "reference", "remove", "report", "rollback", "status", "suite", "version", "waivers"]


def validate(document, name):
    schema = run("schema", name).json()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(document)


def test_every_schema_is_one_and_has_its_name_in_its_address():
    for name in SCHEMAS:
        schema = run("schema", name).json()
        jsonschema.Draft202012Validator.check_schema(schema)
        check(schema["$id"].startswith(f"urn:ampere-crypto:{name}:"), name, schema["$id"])


def test_the_json_of_every_command_fits_its_schema():
    root = str(altra())
    same = WORK / "same.json"
    same.write_bytes(run("audit", "--json", "--root", root).raw)
    capture = WORK / "capture-report.json"
    lines = {
        "audit": ["audit", "--root", root, "--role", "dpdk"],
        "detect": ["detect", "--root", root, "--probe"],
        "explain": ["explain", "--root", root, "cpu.governor", "cpufreq.governors", "crypto.driver", "crypto.driver(sha1)",
                    "aes-gcm-128", "rsa-2048-sign"],
        "inspect": ["inspect", "/bin/sh", "/etc/passwd"],
        "list": ["list", "checks"], "diff": ["diff", str(same), str(same)], "report": ["report", str(same)],
        "version": ["version"],
        "capture-report": ["capture", str(capture), "--force", "--root", root],
        "status": ["status", "--verify", "--prefix", installed()], "remove": ["remove", "--prefix", "/nonexistent"],
        "rollback": ["rollback", "--to", "1", "--prefix", installed()],
    }
    for name, arguments in lines.items():
        result = run(*arguments, "--json")
        document = result.json()
        validate(document, name)
        check(document["schema"].startswith(f"ampere-crypto/{name} 1."), name, document["schema"])
        check(document["exit_code"] == result.code, name, document["exit_code"], result.code)
        check(document["argv"][1:] == [*arguments, "--json"], name, document["argv"])
        check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["started"]), document["started"])
    for what in ("facts", "profiles", "recipes", "suites", "cases", "references"):
        validate(run("list", what, "--json").json(), "list")


def test_the_json_of_a_machine_of_which_nothing_is_known_fits_too():
    root = str(machine("nothing", {}))
    for command in ("audit", "detect"):
        validate(run(command, "--root", root, "--json").json(), command)
    result = run("audit", "--root", root, "--json", "--strict").json()
    outcomes = {finding["outcome"] for finding in result["results"]}
    check("pass" not in outcomes, "nothing known is never a pass",
          [finding["id"] for finding in result["results"] if finding["outcome"] == "pass"])


def test_trouble_is_a_document_too_when_json_is_asked_for():
    for command in ("audit", "detect"):
        result = run(command, "--json", "--root", "/nonexistent")
        document = result.json()
        validate(document, command)
        check(result.code == document["exit_code"] == 2, result.code)
        check(document["host"] is None and document["results"] == [], document)
        check("/nonexistent" in document["messages"][0]["text"], document["messages"])


def test_the_summary_counts_the_results():
    document = run("audit", "--root", str(altra()), "--json").json()
    for outcome in ("pass", "fail", "na", "unknown", "waived"):
        count = sum(finding["outcome"] == outcome for finding in document["results"])
        check(document["summary"][outcome] == count, outcome, count, document["summary"])


def test_audit_is_of_the_checks_that_list_knows():
    listed = [entry["id"] for entry in run("list", "checks", "--json").json()["results"]]
    check(run("list", "checks", "--quiet").out.split() == listed, "quiet is the ids alone")
    judged = [finding["id"] for finding in run("audit", "--root", str(altra()), "--json").json()["results"]]
    check(judged == [name for name in listed if name in judged], "in the order of the list")
    for name in listed:
        result = run("explain", name, "--root", str(altra()))
        check(result.code == 0 and result.out.startswith(name), name, result.err)
        for label in ("what", "severity", "wanted", "read", "why", "cost", "fix", "undo"):
            check(re.search(rf"^  {label} ", result.out, re.M), name, label)


def test_only_and_skip_choose():
    ids = [finding["id"] for finding in run("audit", "--root", str(altra()), "--json", "--only", "cpu.*", "--skip",
                                            "cpu.g*").json()["results"]]
    check(ids and all(name.startswith("cpu.") and name != "cpu.governor" for name in ids), ids)


def test_an_accepted_finding_is_waived_until_its_day():
    waivers = WORK / "waivers.json"
    for expires, outcome, code in (("9999-12-31", "waived", 0), ("2020-01-01", "fail", 1)):
        waivers.write_text(json.dumps({"waivers": [{"id": "cpu.governor", "owner": "ops", "reason": "quiet fans",
                                                    "expires": expires}]}))
        result = run("audit", "--root", str(altra()), "--only", "cpu.governor", "--waivers", str(waivers), "--json")
        check(result.json()["results"][0]["outcome"] == outcome and result.code == code, expires, result.out[-800:])
    waivers.write_text(json.dumps({"waivers": [{"id": "cpu.govenor", "owner": "a", "reason": "b", "expires": "9999-12-31"}]}))
    result = run("audit", "--waivers", str(waivers))
    check(result.code in (2, 64) and "cpu.governor" in result.err, result.code, result.err)


def test_captures_are_private_whole_and_never_overwritten_by_accident():
    path = WORK / "new.json"
    path.unlink(missing_ok=True)
    os.umask(0o022)
    arguments = ["capture", str(path), "--root", str(altra())]
    check(run(*arguments).code == 0)
    check(stat.S_IMODE(path.stat().st_mode) == 0o600, oct(path.stat().st_mode))
    first = path.read_bytes()
    result = run(*arguments)
    check(result.code == 2 and "--force" in result.err and path.read_bytes() == first, result.code, result.err)
    check(run(*arguments, "--force").code == 0)
    link = WORK / "dangling.json"
    link.unlink(missing_ok=True)
    link.symlink_to(WORK / "elsewhere.json")
    check(run("capture", str(link), "--root", str(altra())).code == 2, "a link is not followed")
    check(not (WORK / "elsewhere.json").exists())
    check(run("capture", str(WORK / "no/such/file"), "--root", str(altra())).code == 2)
    check(run("capture", "-", "--root", str(altra())).raw == first, "standard output gets the same bytes")


def test_a_capture_replays_to_the_same_json():
    path = WORK / "replay.json"
    run("capture", str(path), "--force")
    for command in ("detect", "audit"):
        documents = [run(command, "--json").json(), run(command, "--json", "--root", str(path)).json()]
        for document in documents:
            for key in ("argv", "started", "elapsed_ms"):
                del document[key]
        check(documents[0] == documents[1], command)
    again = run("capture", "-", "--root", str(path)).raw
    check(again == path.read_bytes(), "a capture of a capture is that capture")


def pair(change):
    """Two reports: the audit of the sample machine, and the same after `change`."""
    before = run("audit", "--root", str(altra()), "--json").json()
    after = copy.deepcopy(before)
    change(after, {finding["id"]: finding for finding in after["results"]})
    paths = [WORK / "before.json", WORK / "after.json"]
    for path, document in zip(paths, (before, after)):
        path.write_text(json.dumps(document))
    return [str(path) for path in paths]


def outcome(name, value):
    def change(_, findings):
        findings[name]["outcome"] = value
    return change


def found(name, value):
    def change(_, findings):
        findings[name]["found"] = value
    return change


def removed(name):
    def change(document, findings):
        document["results"].remove(findings[name])
    return change


def severity(name, value):
    def change(_, findings):
        findings[name]["severity"] = value
    return change


def firmware(document, _):
    document["host"]["firmware"]["version"] = "2.10"


# what is done to the second report, kind and id of the one change, exit status of A B and of B A
CHANGES = [
    (outcome("cpu.governor", "pass"), "better", "cpu.governor", 0, 1),
    (outcome("cpu.governor", "waived"), "better", "cpu.governor", 0, 1),
    (outcome("cpu.governor", "unknown"), "better", "cpu.governor", 0, 1),
    (outcome("cpu.uniform", "fail"), "worse", "cpu.uniform", 1, 0),
    (found("cpu.governor", ["powersave"]), "changed", "cpu.governor", 0, 0),
    (removed("cpu.governor"), "removed", "cpu.governor", 0, 0),
    (severity("cpu.governor", "critical"), "worse", "cpu.governor", 1, 0),
    (firmware, "changed", "host.firmware.version", 0, 0),
]
MIRROR = {"better": "worse", "worse": "better", "changed": "changed", "removed": "added"}


def test_diff_tells_worse_from_better_both_ways():
    for change, kind, name, forward, backward in CHANGES:
        before, after = pair(change)
        for arguments, wanted, code in (([before, after], kind, forward), ([after, before], MIRROR[kind], backward)):
            result = run("diff", *arguments, "--json")
            changes = [(row["kind"], row["id"]) for row in result.json()["results"]]
            check(changes == [(wanted, name)], name, wanted, changes)
            check(result.code == code, name, wanted, result.code)
            text = run("diff", *arguments)
            check(text.code == code and re.search(rf"^{wanted} +{re.escape(name)} ", text.out, re.M), text.out)
    check(run("diff", before, before).code == 0)


def test_what_is_no_report_is_named():
    good = WORK / "good.json"
    good.write_bytes(run("audit", "--json", "--root", str(altra())).raw)
    detect = WORK / "detect.json"
    detect.write_bytes(run("detect", "--json", "--root", str(altra())).raw)
    bad = WORK / "bad.json"
    for content, words in [
            (b"", "bad.json"), (b"{", "bad.json:1"), (b"[]", "schema"), (b"{}", "schema"), (b"null", "schema"),
            (b'{"schema": 3}', "schema"), (b'{"schema": "ampere-crypto/list 1.0.0"}', "ampere-crypto/list"),
            (b'{"schema": "ampere-crypto/audit 2.0.0", "results": []}', "audit 2.0.0"),
            (b'{"schema": "ampere-crypto/audit 1.0.0"}', "results"),
            (b'{"schema": "ampere-crypto/audit 1.0.0", "results": {}}', "results"),
            (b'{"schema": "ampere-crypto/audit 1.0.0", "results": [', "bad.json"), (b"\xff\xfe{}", "bad.json:1"),
            (b'{"a": 1, "a": 2}', "bad.json:1"), (b"[" * 100000, "bad.json:1"), (b"\x00" * 4096, "bad.json:1")]:
        bad.write_bytes(content)
        for arguments in ([bad, good], [good, bad]):
            result = run("diff", *map(str, arguments))
            check(result.code == 2 and result.one_line_error() and words in result.err, content[:40], result.err)
    result = run("diff", str(good), str(detect))
    check(result.code == 2 and "of one kind" in result.err, result.err)
    result = run("diff", str(WORK), str(good))
    check(result.code == 2 and "directory" in result.err, result.err)
    check(run("diff", str(good), "-", stdin=good.read_bytes()).code == 0, "standard input is a report")


def test_odd_members_of_a_report_break_nothing():
    odd = WORK / "odd.json"
    results = [None, 3, "x", [], {}, {"id": 3}, {"id": "a"}, {"id": "a", "outcome": 7, "found": {"deep": [[[1]]]}},
               {"id": "b", "outcome": "splendid", "severity": "grave"}]
    odd.write_text(json.dumps({"schema": "ampere-crypto/audit 1.9.0", "host": 3, "results": results, "new": {}}))
    other = WORK / "odd2.json"
    other.write_text(json.dumps({"schema": "ampere-crypto/audit 1.0.0", "host": {"x": {"y": None}},
                                 "results": list(reversed(results))}))
    for arguments in ([odd, odd], [odd, other], [other, odd]):
        result = run("diff", *map(str, arguments), "--json")
        check(result.code in (0, 1), result.code, result.err)
        validate(result.json(), "diff")


def test_detect_reports_differ_by_their_host():
    paths = []
    for name, kernel in (("k1", "6.8.0"), ("k2", "6.9.0")):
        path = WORK / f"{name}.report.json"
        document = run("detect", "--json", "--root", str(altra())).json()
        document["host"]["kernel"] = kernel
        path.write_text(json.dumps(document))
        paths.append(str(path))
    result = run("diff", *paths, "--json")
    check([(row["id"], row["before"], row["after"]) for row in result.json()["results"]] ==
          [("host.kernel", "6.8.0", "6.9.0")], result.out)


def test_every_command_has_a_schema_or_writes_another_format():
    without = {"schema", "completion", "env", "run"}
    names = {"capture": "capture-report"}
    for command in COMMANDS:
        if command not in without:
            check(names.get(command, command) in SCHEMAS, command)


def test_a_case_says_what_it_is_compared_with():
    """The numbers of Ampere's guide for Q80-30, on a machine that is one and on one that is not."""
    found = run("explain", "aes-gcm-128", "--root", str(altra()))
    for text in ("15.4671 Gbps, 1024 bytes, 1 core", "key of 16 bytes, IV of 12 bytes", "in bursts of 32", "cpu.governor"):
        check(text in found.out, text, found.out)
    case = run("explain", "snow3g-uea2", "--root", str(altra()), "--json").json()["results"][0]["bench_case"]
    check(case["suites"] == ["dpdk", "dpdk-all", "scaling", "smoke"], case["suites"])
    check([reference["name"] for reference in case["published"]] == ["altra-q80-30"], case["published"])
    check(len(case["published"][0]["rows"]) == 10, "six sizes, and four numbers of cores beside one")
    unpublished = run("explain", "zuc-eea3", "--root", str(altra()))
    check("there is no number to compare with" in unpublished.out, unpublished.out)


def test_cases_that_are_listed_can_be_explained():
    listed = run("list", "cases", "--quiet").out.split()
    check(len(listed) > 50 and "aes-128-gcm-seal" in listed, listed)
    for first in range(0, len(listed), 16):
        result = run("explain", *listed[first:first + 16], "--root", str(altra()), "--json")
        check(result.code == 0 and all(entry["bench_case"] for entry in result.json()["results"]), result.err)


def test_a_baseline_that_is_none_is_said_before_anything_is_measured():
    audit, broken, newer = WORK / "audit.json", WORK / "broken.json", WORK / "newer.json"
    audit.write_bytes(run("audit", "--json", "--root", str(altra())).raw)
    broken.write_text('{"schema": "ampere-crypto/bench 1.0.0",\n"results": [')
    newer.write_text('{"schema": "ampere-crypto/bench 9.0.0", "host": {}, "results": []}')
    for path, said in ((WORK / "absent.json", "absent.json"), (audit, "is another document; --save of bench writes"),
                       (broken, "broken.json:2:"), (newer, "save a new baseline")):
        result = run("bench", "smoke", "--baseline", str(path))
        check(result.code == 2 and said in result.err and not result.out, path, result.code, result.err)
        check(len(result.err.splitlines()) == 1, result.err)
