# SPDX-License-Identifier: BSD-2-Clause
"""SARIF 2.1.0: what the specification asks for beyond a schema, and the published schema where it can be had."""
import json
import re

import fetched
from program import Skip, check, documents

# The sections are those of SARIF 2.1.0.
KINDS = {"pass", "open", "informational", "notApplicable", "review", "fail"}     # 3.27.9
LEVELS = {"none", "note", "warning", "error"}                                    # 3.27.10
URI = re.compile(r"(?:[A-Za-z0-9._~!$&'()*+,;=@/:-]|%[0-9A-F]{2})+")             # RFC 3986


def logs():
    for name, made in documents().items():
        yield name, json.loads(made["sarif"])


def test_required_properties_are_there():
    for name, log in logs():
        check(log["version"] == "2.1.0" and len(log["runs"]) == 1, name)
        run = log["runs"][0]
        check(run["tool"]["driver"]["name"] == "ampere-crypto" and "results" in run, name)
        check(isinstance(run["invocations"][0]["executionSuccessful"], bool), name)
        for rule in run["tool"]["driver"]["rules"]:
            check(rule["id"] and rule["shortDescription"]["text"], name, rule)
        for result in run["results"]:
            check(result["message"]["text"] and result["kind"] in KINDS and result["level"] in LEVELS, name, result)


def test_rules_are_unique_and_referred_to_rightly():
    for name, log in logs():
        rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
        check(len(set(rules)) == len(rules), name, "a rule twice")
        for result in log["runs"][0]["results"]:
            check(rules[result["ruleIndex"]] == result["ruleId"], name, result["ruleId"])


def test_what_does_not_fail_has_level_none():
    """3.27.10: if kind has any value other than fail, level is none."""
    for name, log in logs():
        for result in log["runs"][0]["results"]:
            check((result["kind"] == "fail") == (result["level"] != "none"), name, result["ruleId"], result["level"])


def test_severity_decides_the_level():
    levels = {"critical": "error", "high": "error", "medium": "warning", "low": "note", "info": "note", None: "error"}
    for name, log in logs():
        for result in log["runs"][0]["results"]:
            if result["kind"] == "fail":
                check(result["level"] == levels[result["properties"]["severity"]], name, result["ruleId"])


def test_suppressions_are_everywhere_or_nowhere():
    """3.27.23; an accepted one says why."""
    for name, log in logs():
        for result in log["runs"][0]["results"]:
            check(all(entry["kind"] == "external" and entry["status"] == "accepted" and entry["justification"]
                      for entry in result["suppressions"]), name, result["ruleId"])


def test_locations_are_addresses():
    seen = 0
    for name, log in logs():
        run = log["runs"][0]
        check(run["originalUriBaseIds"]["HOST"]["uri"] == "file:///", name)
        for result in run["results"]:
            check(result["locations"], name, result["ruleId"], "no location")
            for location in result["locations"]:
                if "physicalLocation" in location:
                    artifact = location["physicalLocation"]["artifactLocation"]
                    check(artifact["uriBaseId"] == "HOST" and URI.fullmatch(artifact["uri"]) and artifact["uri"][0] != "/",
                          name, artifact)
                    seen += 1
                else:
                    check(location["logicalLocations"][0]["fullyQualifiedName"], name, location)
    check(seen > 50, seen, "files named")


def test_the_published_schema_accepts_it():
    try:
        import jsonschema
    except ImportError:
        raise Skip("no python3-jsonschema") from None
    schema = json.loads(fetched.file_of("@microsoft/jest-sarif", "package/lib/schemas/sarif-2.1.0-rtm.5.json"))
    validator = jsonschema.validators.validator_for(schema)(schema)
    for name, log in logs():
        faults = [f"{fault.message[:200]} at {list(fault.absolute_path)}" for fault in validator.iter_errors(log)]
        check(not faults, name, faults[:2])
    broken = json.loads(documents()["audit"]["sarif"])
    broken["runs"][0]["results"][0]["kind"] = "good"
    check(list(validator.iter_errors(broken)), "the schema takes a kind that is none")
