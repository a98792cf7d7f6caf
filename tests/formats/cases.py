# SPDX-License-Identifier: BSD-2-Clause
"""All formats of one run say the same: the JSON is what is compared with."""
import json
import xml.etree.ElementTree

from facets_oracle import Page, read_metrics
from program import check, document, documents

AUDITS = ("audit", "audit-hostile", "audit-denied", "audit-here")
BENCHES = ("bench", "bench-plan")


def outcomes(name):
    """{id: outcome} of a document of audit or bench."""
    return {result["id"]: result["outcome"] for result in document(name)["results"]}


def test_sarif_has_each_result():
    kinds = {"pass": "pass", "na": "notApplicable", "unknown": "open", "fail": "fail", "waived": "fail"}
    for name in (*AUDITS, *BENCHES):
        results = json.loads(documents()[name]["sarif"])["runs"][0]["results"]
        got = {result["ruleId"]: result["kind"] for result in results}
        check(got == {key: kinds[word] for key, word in outcomes(name).items()}, name, got)
        suppressed = {result["ruleId"] for result in results if result["suppressions"]}
        check(suppressed == {key for key, word in outcomes(name).items() if word == "waived"}, name, suppressed)


def test_junit_has_each_result():
    for name in (*AUDITS, *BENCHES):
        cases = xml.etree.ElementTree.fromstring(documents()[name]["junit"]).findall(".//testcase")
        cases = [case for case in cases if case.get("name") != "run"]
        elements = {"pass": None, "fail": "failure", "na": "skipped", "waived": "skipped",
                    "unknown": "error" if document(name)["exit_code"] == 3 else "skipped"}
        got = [(case.get("name").split(": ")[0], case[0].tag if len(case) else None) for case in cases]
        check(got == [(key, elements[word]) for key, word in outcomes(name).items()], name, got[:5])


def test_metrics_count_the_findings():
    for name in AUDITS:
        families = read_metrics(documents()[name]["openmetrics"].decode())
        got = {(labels["outcome"], labels["severity"]): value for labels, value in families["ampere_crypto_findings"][2]}
        results = document(name)["results"]
        check(len(got) == 25 and sum(got.values()) == len(results), name, got)
        for (outcome, severity), value in got.items():
            wanted = sum(result["outcome"] == outcome and result["severity"] == severity for result in results)
            check(value == wanted, name, outcome, severity, value, wanted)


def test_metrics_have_the_numbers_of_the_bench():
    families = read_metrics(documents()["bench"]["openmetrics"].decode())
    got = {labels["id"]: value for labels, value in families["ampere_crypto_throughput_bytes_per_second"][2]}
    wanted = {result["id"]: result["rates"]["gbps"] * 1e9 / 8 for result in document("bench")["results"]
              if result["estimate"] and result["rates"]["gbps"] is not None}
    check(len(wanted) > 5 and set(got) == set(wanted), sorted(set(got) ^ set(wanted)))
    check(all(abs(got[key] / wanted[key] - 1) < 1e-9 for key in got), got, wanted)


def test_every_run_says_how_it_ended():
    for name in documents():
        families = read_metrics(documents()[name]["openmetrics"].decode())
        (labels, value), = families["ampere_crypto_exit_status"][2]
        check(value == document(name)["exit_code"] and labels == {"command": document(name)["schema"].split("/")[1].split()[0]},
              name, labels, value)


def test_pages_show_each_finding_with_reason_and_repair():
    page = Page()
    page.feed(documents()["audit"]["html"].decode())
    check(not page.faults and not page.open, page.faults[:3])
    results = document("audit")["results"]
    for key, entry in (("why", "why"), ("fix", "fix"), ("undo", "undo"), ("cost", "cost"), ("wanted", "wanted")):
        wanted = sorted(result[key] for result in results if result[key])
        check(sorted(page.entries[entry]) == wanted, key, sorted(set(wanted) ^ set(page.entries[entry]))[:3])
    shown = "".join(page.entries["evidence"])
    for result in results:
        check(all(evidence["path"] in shown for evidence in result["evidence"]), result["id"], "evidence")


def test_pages_put_the_worst_first():
    page = documents()["audit"]["html"].decode()
    order = [page.index(f'<code>{result["id"]}</code>') for outcome in ("fail", "unknown", "waived")
             for severity in ("critical", "high", "medium", "low", "info") for result in document("audit")["results"]
             if (result["outcome"], result["severity"]) == (outcome, severity)]
    check(len(order) > 5 and order == sorted(order), order)


def test_what_could_not_be_done_is_an_error_everywhere():
    text = document("nothing")["messages"][0]["text"]
    made = documents()["nothing"]
    run = json.loads(made["sarif"])["runs"][0]["invocations"][0]
    check(run["executionSuccessful"] is False and run["exitCode"] == 2, run)
    check(run["toolExecutionNotifications"][0] == {"level": "error", "message": {"text": text}}, run)
    suite = xml.etree.ElementTree.fromstring(made["junit"])[0]
    check(suite.get("errors") == "1" and suite.find("testcase/error").get("message") == text, suite.attrib)
    check("<strong>error:</strong>" in made["html"].decode(), "no message on the page")
